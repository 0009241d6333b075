/* Oca as a game of dice: its rolls and gains, and the positions to which each roll leads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/oca/rules.h"

/* Rows of gains. A turn is counted when it ends. */
enum { NOTHING, PASSES, ROLLS_ON, ROLL_ENDS, WON };

static size_t list_dice_rolls(const game_rules *rules, const chance_roll **out) {
  static const chance_roll one[] = {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}, {"5", 1}, {"6", 1}};
  static const chance_roll two[] = {{"2", 1}, {"3", 2}, {"4", 3},  {"5", 4},  {"6", 5}, {"7", 6},
                                    {"8", 5}, {"9", 4}, {"10", 3}, {"11", 2}, {"12", 1}};
  *out = rules->dice == 1 ? one : two;
  return rules->dice == 1 ? sizeof one / sizeof *one : sizeof two / sizeof *two;
}

static void set_quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  *out = (chance_quantities){.seats = slice > 1 ? (int)slice
                                                : 0}; /* 0: with one player, quantities do not rotate */
  for (uint32_t seat = 1; seat <= slice; seat++) {
    chance_quantity *win = &out->list[out->used++];
    win->most = 1;
    snprintf(win->name, sizeof win->name, "win-%u", seat);
  }
  out->list[out->used++] = (chance_quantity){"turns", INFINITY};
  out->list[out->used++] = (chance_quantity){"rolls", INFINITY};
}

/* Fills the rows of gains. The quantities are win-1 … win-players, turns, rolls. */
void oca_gains_open(game_rules *rules) {
  for (int players = 1; players <= OCA_MOST_PLAYERS; players++) {
    for (int row = NOTHING; row < OCA_GAINS; row++) {
      chance_gain *gain = rules->gains[players - 1][row];
      for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) gain[q] = (chance_gain){0, 1};
      gain[0].numerator = row == WON;
      gain[players].numerator = row != NOTHING && row != ROLLS_ON;
      gain[players + 1].numerator = row != NOTHING && row != PASSES;
    }
  }
}

static size_t find_gains(const game_rules *rules, uint32_t slice,
                         const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  *rows = rules->gains[slice - 1];
  return OCA_GAINS;
}

static void write_aims(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                       int8_t *aim) {
  memset(aim, 0, n);
}

/* --- edges --- */

/* A position while its edges are listed. */
typedef struct {
  const oca_statuses *statuses;
  int rolls;
  uint8_t status[OCA_MOST_PLAYERS]; /* [players] statuses, that of the player to roll first */
  uint32_t from;
  int others;    /* sum of the other players' statuses */
  uint64_t tail; /* contribution of the other players to the index if the same player rolls again */
  int in_well;   /* place of the player who waits in the well, or −1 */
} walk;

/* Returns the contribution to a rank of the digits from `place` on, which add up to `sum`. */
static inline uint64_t rank_tail(const tuple_sums *sums, const uint8_t status[], int players, int place,
                                 int sum) {
  uint64_t rank = 0;
  for (; place < players - 1; place++) {
    rank += tuple_sums_count_smaller(sums, players - 1 - place, sum, status[place]);
    sum -= status[place];
  }
  return rank;
}

/* Returns the index after the turn. The digits of the other players move up by one place. */
static inline uint64_t index_for_next_player(const walk *w, int players, int status) {
  if (players == 1) return (uint64_t)status;
  const tuple_sums *sums = &w->statuses->sums;
  int sum = w->others + status;
  uint64_t rank = tuple_sums_first(sums, players, sum, w->status[1]);
  for (int place = 2; place < players; place++) {
    sum -= w->status[place - 1];
    rank += tuple_sums_count_smaller(sums, players - place, sum, w->status[place]);
  }
  return rank;
}

/* Returns the index of the position in which the player has fallen into the well, and the token that waited
 * there has moved to the square that the player left. */
static uint64_t index_after_fall(const walk *w, int players, int status) {
  const oca_statuses *s = w->statuses;
  uint8_t moved[OCA_MOST_PLAYERS];
  for (int place = 1; place < players; place++) moved[place - 1] = w->status[place];
  moved[w->in_well - 1] = s->without[s->token[w->status[0]].square];
  moved[players - 1] = (uint8_t)status;
  return tuple_sums_rank(&s->sums, players, moved);
}

static inline chance_edge edge_of(const walk *w, int players, int roll, oca_outcome outcome) {
  const uint8_t turn = players > 1;
  const uint32_t slice = (uint32_t)players;
  chance_edge edge = {.from = w->from, .roll = (uint16_t)roll};
  switch ((oca_effect)outcome.effect) {
  case OCA_WINS:
    edge.gain = WON;
    edge.to = (game_place){GAME_OVER, 0};
    break;
  case OCA_ROLLS_AGAIN:
    edge.gain = ROLLS_ON;
    edge.to = (game_place){
        slice,
        tuple_sums_first(&w->statuses->sums, players, w->others + outcome.status, outcome.status) + w->tail};
    break;
  case OCA_STANDS:
  case OCA_FALLS:
    edge.gain = ROLL_ENDS;
    edge.turn = turn;
    edge.to = (game_place){slice, outcome.effect == OCA_FALLS && w->in_well > 0
                                      ? index_after_fall(w, players, outcome.status)
                                      : index_for_next_player(w, players, outcome.status)};
    break;
  }
  return edge;
}

static tauler_error push_pass(const walk *w, int players, chance_sink *sink) {
  const chance_edge edge = {
      .from = w->from,
      .roll = CHANCE_CERTAIN,
      .turn = players > 1,
      .gain = PASSES,
      .to = {(uint32_t)players, index_for_next_player(w, players, w->statuses->passed[w->status[0]])}};
  return chance_sink_push(sink, edge);
}

/* True if there are no edges: the only player waits in the well, or no position has this index. */
static inline bool is_over(const walk *w, int players) {
  if (players == 1) return w->in_well == 0;
  return !oca_statuses_stand(w->statuses, players, w->status);
}

static inline tauler_error push_edges(walk *w, int players, chance_sink *sink) {
  const oca_statuses *statuses = w->statuses;
  int others = 0;
  for (int place = 1; place < players; place++) others += w->status[place];
  w->others = others;
  w->in_well = -1;
  for (int place = 0; place < players; place++)
    if (w->status[place] == statuses->well) w->in_well = place;
  if (is_over(w, players)) return TAULER_OK;
  if (statuses->passes[w->status[0]]) return push_pass(w, players, sink);
  w->tail = rank_tail(&statuses->sums, w->status, players, 1, w->others);
  for (int roll = 0; roll < w->rolls; roll++) {
    const tauler_error error =
        chance_sink_push(sink, edge_of(w, players, roll, statuses->outcome[w->status[0]][roll]));
    if (error) return error;
  }
  return TAULER_OK;
}

/* If an index follows the one before it, a step gives its statuses; otherwise they are unranked. */
static inline tauler_error push_all_edges(walk *w, int players, const uint64_t *index, size_t n,
                                          chance_sink *sink) {
  const tuple_sums *sums = &w->statuses->sums;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || index[i] != index[i - 1] + 1) {
      tuple_sums_unrank(sums, players, index[i], w->status);
    } else {
      tuple_sums_next(sums, players, w->status);
    }
    w->from = (uint32_t)i;
    const tauler_error error = push_edges(w, players, sink);
    if (error) return error;
  }
  return TAULER_OK;
}

static tauler_error expand_indexes(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                   chance_sink *sink) {
  const chance_roll *list;
  walk w = {.statuses = &rules->statuses, .rolls = (int)list_dice_rolls(rules, &list)};
  /* With a constant number of players in each call, the compiler unrolls the loops. */
  switch (slice) {
  case 1:
    return push_all_edges(&w, 1, index, n, sink);
  case 2:
    return push_all_edges(&w, 2, index, n, sink);
  case 3:
    return push_all_edges(&w, 3, index, n, sink);
  case 4:
    return push_all_edges(&w, 4, index, n, sink);
  default:
    return TAULER_INTERNAL;
  }
}

/* --- one position --- */

static bool must_pass(const game_rules *rules, const game_position *game) {
  const oca_position position = oca_from_game(game);
  return oca_must_pass(rules, &position);
}

static tauler_error add_move(const char *name, const oca_position *child, int gain, game_moves *out) {
  game_move move = {.name = name, .gain = gain, .over = gain == WON, .converts = gain == WON};
  oca_to_game(child, &move.child);
  return game_moves_add(out, &move);
}

/* Names a roll by the squares of the token: before the roll, after it and, if that square moved the token on,
 * at rest. */
static void name_roll(const game_rules *rules, const oca_position *from, const oca_step *step, int roll,
                      char name[32]) {
  const int left = from->token[from->seat].square, reached = oca_walk(rules, left, roll),
            rests = step->next.token[from->seat].square;
  if (rests == reached) {
    snprintf(name, 32, "%d-%d", left, reached);
  } else {
    snprintf(name, 32, "%d-%d-%d", left, reached, rests);
  }
}

static tauler_error list_roll_moves(const game_rules *rules, const game_position *game, size_t roll,
                                    game_moves *out) {
  const oca_position from = oca_from_game(game);
  if (oca_is_stuck(rules, &from)) return TAULER_OK;
  if (oca_must_pass(rules, &from)) {
    const oca_position next = oca_pass(rules, &from);
    return add_move("pass", &next, PASSES, out);
  }
  const int points = rules->dice + (int)roll;
  const oca_step step = oca_roll(rules, &from, points);
  char name[32];
  name_roll(rules, &from, &step, points, name);
  return add_move(name, &step.next, step.won ? WON : step.again ? ROLLS_ON : ROLL_ENDS, out);
}

static int first_seat(const game_rules *rules, const game_position *game) {
  return oca_from_game(game).seat;
}

static int find_aim(const game_rules *rules, const game_position *game) {
  return 0;
}

static void write_start(const game_rules *rules, uint32_t slice, game_position *out) {
  const oca_position position = oca_start(rules, (int)slice);
  oca_to_game(&position, out);
}

const game_chance oca_chance = {
    .rolls = list_dice_rolls,
    .quantities = set_quantities,
    .gains = find_gains,
    .aims = write_aims,
    .expand = expand_indexes,
    .stages = oca_stages,
    .stage_first = oca_stage_first,
    .must_pass = must_pass,
    .moves = list_roll_moves,
    .first_seat = first_seat,
    .aim = find_aim,
    .start = write_start,
};
