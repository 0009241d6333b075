/* Describes positions of la oca asesina by numbers, with the help of a sketch: the effect of each square on a
 * token alone on the board.
 *
 * Time is the mean number of turns that such a token needs to get home, lost turns included. Times are
 * computed from a small linear system, by the same additions in the same order on every machine.
 */
#include "games/oca_asesina/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/slices.h"
#include "games/oca_asesina/turn.h"

/* --- sketches --- */

/* A stand is the square of a token, or ASE_FORCED for a token on N that must move back. */
enum { ASE_FORCED = GOOSE_LONGEST + 1, ASE_STANDS };

typedef struct {
  uint8_t to;        /* stand after the roll */
  uint8_t landed[2]; /* squares on which the token can capture, or 0 */
  uint8_t lost;
  bool again;
  bool moves;
  bool dies;
} ase_step;

struct chance_sketch {
  const game_rules *rules;
  ase_step step[ASE_STANDS][ASE_DIE];
  float time[ASE_STANDS];          /* as a share of the time of the start */
  float gain[ASE_STANDS][ASE_DIE]; /* time gained by a roll, as a share of the time of the start */
  float death[ASE_STANDS];         /* probability that the next roll sends the token to the start */
  float turns[ASE_STANDS];         /* mean number of turns that the next roll loses */
};

enum { MOST_SWEEPS = 20000 };
static const double settled = 1e-9;

/* Other tokens are on the start, so that the token on `stand` is not the last one. */
static ase_position make_position(const game_rules *rules, int stand) {
  ase_position position = {.seats = 2, .tokens = 2};
  position.square[0][1] = (uint8_t)(stand == ASE_FORCED ? ase_home(rules) : stand);
  position.forced = stand == ASE_FORCED;
  return position;
}

static ase_step find_step(const game_rules *rules, int stand, int roll) {
  const ase_position position = make_position(rules, stand);
  const int from = position.square[0][1];
  ase_step step = {.to = (uint8_t)stand};
  ase_moves moves;
  ase_list_moves(rules, &position, roll + 1, &moves);
  for (int i = 0; i < moves.used; i++) {
    const ase_move *move = &moves.move[i];
    if (move->token == ASE_NOWHERE || move->from != from) continue;
    step = (ase_step){.to = move->to, .moves = true, .again = move->roll_again, .lost = move->next.lost[0]};
    step.landed[0] = move->landed[0];
    step.landed[1] = move->landed[1];
    step.dies = from > 0 && move->to == 0;
    if (move->roll_again && move->next.forced) step.to = ASE_FORCED;
    break;
  }
  return step;
}

/* A turn is counted when it ends. */
static double mean_time(const chance_sketch *sketch, const double *time, int stand) {
  double sum = 0;
  for (int roll = 0; roll < ASE_DIE; roll++) {
    const ase_step *step = &sketch->step[stand][roll];
    sum += time[step->to] + (step->again ? 0 : 1 + step->lost);
  }
  return sum / ASE_DIE;
}

static void find_times(const chance_sketch *sketch, double *time) {
  const int home = ase_home(sketch->rules);
  double most = 1;
  for (int sweep = 0; sweep < MOST_SWEEPS && most > settled; sweep++) {
    most = 0;
    for (int i = home; i-- > -1;) {
      const int stand = i < 0 ? ASE_FORCED : i;
      const double found = mean_time(sketch, time, stand);
      most = fmax(most, fabs(found - time[stand]));
      time[stand] = found;
    }
  }
}

/* Another roll gains one turn. */
static void find_effects(chance_sketch *sketch, const double *time, int stand) {
  const double turn = 1 / time[0];
  sketch->time[stand] = (float)(time[stand] * turn);
  for (int roll = 0; roll < ASE_DIE; roll++) {
    const ase_step *step = &sketch->step[stand][roll];
    sketch->gain[stand][roll] =
        (float)((time[stand] - time[step->to] + (step->again ? 1 : 0) - step->lost) * turn);
    sketch->death[stand] += step->dies ? 1.0F / ASE_DIE : 0;
    sketch->turns[stand] += (float)step->lost / ASE_DIE;
  }
}

static tauler_error open_sketch(const game_rules *rules, chance_sketch **out, tauler_message *message) {
  double time[ASE_STANDS] = {0};
  *out = NULL;
  if (rules->flags.players > 2)
    return tauler_fail(message, TAULER_BAD_USAGE, "a player who learns plays against one other, not among %d",
                       rules->flags.players);
  chance_sketch *sketch = *out = calloc(1, sizeof *sketch);
  if (!sketch) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for what squares do");
  const int home = ase_home(rules);
  sketch->rules = rules;
  for (int i = home; i-- > -1;) {
    const int stand = i < 0 ? ASE_FORCED : i;
    for (int roll = 0; roll < ASE_DIE; roll++) sketch->step[stand][roll] = find_step(rules, stand, roll);
  }
  find_times(sketch, time);
  for (int i = home; i-- > -1;) find_effects(sketch, time, i < 0 ? ASE_FORCED : i);
  return TAULER_OK;
}

/* --- one player --- */

enum { TIMES = 12, LEFT = 5, LOST = 3, NO_BARRIER = 0, SEVERAL_BARRIERS = 255 };

/* Features of one player. Those of the player to roll come first. */
enum {
  AT_TIME, /* tokens by the time that they need, shared between two neighbouring columns */
  ON_START = AT_TIME + TIMES,
  IN_LABYRINTH,
  TOKENS_LEFT,
  TIME_SUM = TOKENS_LEFT + LEFT,
  TIME_LEAST,
  TIME_MOST,
  BEST_GAIN, /* means over the six rolls of the gain of the best token, and of the worst */
  WORST_GAIN,
  CAN_ROLL_AGAIN,
  CAN_GET_HOME,
  BEST_WITH_CAPTURE,
  CAPTURED, /* mean over the rolls of the other player's largest loss by a capture, and probability of one */
  CAN_CAPTURE,
  THREATENED, /* mean over the rolls of the sum of the other player's losses by all moves */
  PAIRS,
  BEHIND_BARRIER,
  DEATH,
  TURNS_LOST,
  OF_A_PLAYER
};

/* Features of a position: those of both players, then those of the position as a whole. */
enum {
  SECOND_SEAT = 2 * OF_A_PLAYER,
  LAST_TURN,
  FORCED,
  TURNS_TO_LOSE,
  AHEAD = TURNS_TO_LOSE + LOST,
  AHEAD_OF_ALL,
  FEATURES
};

typedef struct {
  const chance_sketch *sketch;
  int tokens[2];
  uint8_t stand[2][ASE_MOST_TOKENS];   /* tokens that are not home, the player to roll first */
  uint8_t count[2][GOOSE_LONGEST + 1]; /* tokens on squares between start and home. 0 if nothing interacts */
  uint8_t barrier; /* only square with two tokens of one player, or NO_BARRIER or SEVERAL_BARRIERS */
} view;

static void read_player(view *v, const ase_position *position, int side) {
  const game_rules *rules = v->sketch->rules;
  const int home = ase_home(rules), seat = side ? !position->seat : position->seat;
  if (side == 0 && position->forced) v->stand[0][v->tokens[0]++] = ASE_FORCED;
  for (int i = 0; i < ase_tokens(rules, position); i++) {
    const int square = position->square[seat][i];
    if (square == home) continue;
    v->stand[side][v->tokens[side]++] = (uint8_t)square;
    if (square == 0 || rules->flags.no_interaction) continue;
    if (++v->count[side][square] == 2)
      v->barrier = v->barrier == NO_BARRIER ? (uint8_t)square : SEVERAL_BARRIERS;
  }
}

static void add_time(float *out, float time) {
  const float at = fminf(time, 1.0F) * (TIMES - 1);
  const int column = at >= TIMES - 1 ? TIMES - 2 : (int)at;
  out[AT_TIME + column] += (float)(column + 1) - at;
  out[AT_TIME + column + 1] += at - (float)column;
}

static void describe_tokens(const view *v, int side, float *out) {
  const chance_sketch *sketch = v->sketch;
  float least = 1, most = 0;
  for (int i = 0; i < v->tokens[side]; i++) {
    const int stand = v->stand[side][i];
    const float time = sketch->time[stand];
    add_time(out, time);
    out[ON_START] += stand == 0;
    out[IN_LABYRINTH] += stand < ASE_FORCED && sketch->rules->board.square[stand].kind == GOOSE_LABYRINTH;
    out[TIME_SUM] += time;
    out[DEATH] += sketch->death[stand];
    out[TURNS_LOST] += sketch->turns[stand];
    least = fminf(least, time);
    most = fmaxf(most, time);
  }
  out[TIME_LEAST] = least;
  out[TIME_MOST] = most;
  out[TOKENS_LEFT + (v->tokens[side] > LEFT ? LEFT : v->tokens[side] ? v->tokens[side] : 1) - 1] = 1;
}

static void count_barriers(const view *v, int side, float *out) {
  const int home = ase_home(v->sketch->rules);
  for (int square = 1; square < home; square++) {
    if (v->count[side][square] < 2) continue;
    out[PAIRS] += 1;
    for (int back = 1; back <= ASE_DIE && back < square; back++)
      out[BEHIND_BARRIER] += v->count[!side][square - back];
  }
}

/* --- effects of rolls --- */

typedef struct {
  bool any, again, home;
  float best, worst, best_with_capture, captured;
} prospect;

static bool can_move(const view *v, int stand, int roll, const ase_step *step) {
  if (!step->moves) return false;
  if (v->count[0][step->landed[0]] + v->count[1][step->landed[0]] > 1) return false;
  const bool walks = stand < ASE_FORCED && v->barrier != SEVERAL_BARRIERS;
  return !walks || v->barrier <= stand || v->barrier > stand + roll + 1;
}

static float captured_time(const view *v, int side, const ase_step *step) {
  float lost = 0;
  for (int i = 0; i < 2; i++) {
    const int square = step->landed[i];
    if (square && v->count[!side][square] == 1) lost += 1 - v->sketch->time[square];
  }
  return lost;
}

static void add_roll(const view *v, int side, int roll, prospect *p, float *out) {
  const int home = ase_home(v->sketch->rules);
  const int tokens = v->tokens[side] && v->stand[side][0] == ASE_FORCED ? 1 : v->tokens[side];
  for (int i = 0; i < tokens; i++) {
    const int stand = v->stand[side][i];
    const ase_step *step = &v->sketch->step[stand][roll];
    if (!can_move(v, stand, roll, step)) continue;
    const float gain = v->sketch->gain[stand][roll], captured = captured_time(v, side, step);
    if (!p->any || gain > p->best) p->best = gain;
    if (!p->any || gain < p->worst) p->worst = gain;
    if (!p->any || gain + captured > p->best_with_capture) p->best_with_capture = gain + captured;
    p->captured = fmaxf(p->captured, captured);
    p->again |= step->again;
    p->home |= step->to == home;
    p->any = true;
    out[THREATENED] += captured / ASE_DIE;
  }
}

static void describe_rolls(const view *v, int side, float *out) {
  const float share = 1.0F / ASE_DIE;
  for (int roll = 0; roll < ASE_DIE; roll++) {
    prospect p = {.any = false};
    add_roll(v, side, roll, &p, out);
    out[BEST_GAIN] += p.best * share;
    out[WORST_GAIN] += p.worst * share;
    out[BEST_WITH_CAPTURE] += p.best_with_capture * share;
    out[CAPTURED] += p.captured * share;
    out[CAN_CAPTURE] += p.captured > 0 ? share : 0;
    out[CAN_ROLL_AGAIN] += p.again ? share : 0;
    out[CAN_GET_HOME] += p.home ? share : 0;
  }
}

/* --- features of a position --- */

static void list_features(const chance_sketch *sketch, const game_position *game, float *out) {
  const ase_position position = ase_from_game(game);
  view v = {.sketch = sketch};
  memset(out, 0, FEATURES * sizeof *out);
  for (int side = 0; side < 2; side++) read_player(&v, &position, side);
  for (int side = 0; side < 2; side++) {
    float *own = out + side * OF_A_PLAYER;
    describe_tokens(&v, side, own);
    count_barriers(&v, side, own);
    describe_rolls(&v, side, own);
  }
  const int lost = position.lost[!position.seat];
  const float own = out[TIME_SUM], others = out[OF_A_PLAYER + TIME_SUM];
  out[SECOND_SEAT] = position.seat;
  out[LAST_TURN] = v.tokens[1] == 0 || (sketch->rules->flags.home_one_left && v.tokens[1] == 1);
  out[FORCED] = position.forced > 0;
  if (lost > LOST) out[TURNS_TO_LOSE + LOST - 1] = (float)lost / LOST;
  if (lost > 0 && lost <= LOST) out[TURNS_TO_LOSE + lost - 1] = 1;
  out[AHEAD] = others - own;
  out[AHEAD_OF_ALL] = (others - own) / (others + own + 0.125F);
}

static void close_sketch(chance_sketch *sketch) {
  free(sketch);
}

/* Omits tokens that both players have home. Returns false if there are no such tokens, more than two players,
 * or several colours, whose tokens are not alike. */
static bool omit_tokens_home(const game_rules *rules, const game_position *game, game_position *out) {
  ase_position position = ase_from_game(game), less = position;
  int both = position.tokens;
  if (rules->flags.colours > 1 || position.seats > 2) return false;
  for (int seat = 0; seat < 2; seat++) {
    const int home = ase_tokens_home(rules, &position, seat);
    both = home < both ? home : both;
  }
  if (both == 0) return false;
  less.tokens = (uint8_t)(position.tokens - both);
  for (int seat = 0; seat < 2; seat++)
    memset(&less.square[seat][less.tokens], 0, (size_t)both * sizeof less.square[seat][0]);
  ase_to_game(&less, out);
  return true;
}

const chance_features ase_features = {.version = 1,
                                      .used = FEATURES,
                                      .open = open_sketch,
                                      .close = close_sketch,
                                      .list = list_features,
                                      .reduce = omit_tokens_home};
