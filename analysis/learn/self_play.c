/* Plays games of dice by a network against itself, and learns from them. */
#include "analysis/learn/learn.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POSITIONS = 1 << 14 };

/* A position of the game in which a player rolled. */
typedef struct {
  float input[NETWORK_MOST_INPUTS];
  double error;    /* mean of quantity 0 over the rolls, each after its best move, less `expected` */
  double expected; /* the network's estimate of quantity 0 */
  bool raises;     /* true if the player to roll raises quantity 0 */
  bool tried;      /* true if the move was random */
} stop;

struct self_play {
  learned *l;
  learn_field field[LEARN_BOARDS];
  chance_sketch *sketch[LEARN_BOARDS];
  size_t fields;
  stop *stops;
  size_t used;
};

/* --- opening --- */

tauler_error learned_open(const game *game, const learn_settings *settings, learned *out,
                          tauler_message *message) {
  *out = (learned){.settings = *settings, .dice = dice_random_open(settings->seed, 0)};
  if (!game->chance || !game->chance->features)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s cannot be learned; oca-asesina can", game->name);
  const uint32_t inputs = (uint32_t)game->chance->features->used;
  const tauler_error error = network_open(inputs, settings->hidden, &out->dice, &out->net);
  return error ? tauler_fail(message, error, "no memory for a network") : TAULER_OK;
}

void learned_close(learned *l) {
  network_close(&l->net);
}

void self_play_close(self_play *p) {
  if (!p) return;
  for (size_t i = 0; i < p->fields; i++) p->field[i].game->chance->features->close(p->sketch[i]);
  free(p->stops);
  free(p);
}

tauler_error self_play_open(learned *l, const learn_field *fields, size_t used, self_play **out,
                            tauler_message *message) {
  self_play *p = *out = calloc(1, sizeof *p);
  tauler_error error = TAULER_OK;
  if (!p || !(p->stops = malloc(MOST_POSITIONS * sizeof *p->stops)))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a game");
  else
    p->l = l;
  for (size_t i = 0; i < used && !error; i++) {
    p->field[i] = fields[i];
    error = fields[i].game->chance->features->open(fields[i].rules, &p->sketch[i], message);
    if (!error) p->fields++;
  }
  if (!error) return TAULER_OK;
  self_play_close(p);
  *out = NULL;
  return error;
}

/* --- game --- */

static double random_share(dice_random *from) {
  return (double)(dice_random_next(from) >> 11) * 0x1p-53;
}

typedef struct {
  self_play *p;
  afterstate_judge judge;
  int aim; /* sign with which the player to roll counts quantity 0 */
  size_t roll;
  bool tries; /* true if the move is random */
  afterstate next;
} play;

/* Sets *best to quantity 0 after the best move under a roll. If it is the drawn roll, sets play->next to the
 * state after the move that is made. */
static tauler_error evaluate_roll(play *play, const game_position *position, size_t roll, double *best,
                                  tauler_message *message) {
  const game_chance *chance = play->judge.game->chance;
  game_moves moves = {0};
  tauler_error error = chance->moves(play->judge.rules, position, roll, &moves);
  if (!error && moves.used == 0) error = TAULER_INTERNAL;
  if (error) {
    game_moves_free(&moves);
    return tauler_fail(message, error, "a game of %s cannot be played on", play->judge.game->name);
  }
  const bool here = roll == play->roll;
  const size_t tried = here && play->tries ? dice_random_below(&play->p->l->dice, moves.used) : moves.used;
  *best = -INFINITY;
  for (size_t i = 0; i < moves.used && !error; i++) {
    afterstate after;
    error = afterstate_of(&play->judge, &moves.moves[i], &after, message);
    const double worth = play->aim * after.raised;
    if (!error && here && (i == tried || (worth > *best && tried == moves.used))) play->next = after;
    if (worth > *best) *best = worth;
  }
  *best *= play->aim;
  game_moves_free(&moves);
  return error;
}

/* Draws a roll, sets play->next to the state after its move, and fills *s. */
static tauler_error play_drawn_roll(play *play, const game_position *position, stop *s,
                                    tauler_message *message) {
  const game_chance *chance = play->judge.game->chance;
  learned *l = play->p->l;
  const chance_roll *rolls;
  const size_t used = chance->rolls(play->judge.rules, &rolls);
  uint64_t weights = 0;
  for (size_t i = 0; i < used; i++) weights += rolls[i].weight;
  play->aim = chance->aim(play->judge.rules, position);
  play->roll = simulate_roll(&l->dice, rolls, weights);
  play->tries = random_share(&l->dice) < l->settings.tried;
  chance->features->list(play->judge.sketch, position, s->input);
  const double expected = network_ask(play->judge.net, s->input);
  s->raises = play->aim > 0;
  s->tried = play->tries;
  s->expected = s->raises ? expected : 1 - expected;
  double sum = 0;
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < used && !error; roll++) {
    double best = 0;
    error = evaluate_roll(play, position, roll, &best, message);
    sum += best * rolls[roll].weight;
  }
  s->error = sum / (double)weights - s->expected;
  return error;
}

/* --- learning --- */

static double present_rate(const learned *l) {
  static const double least = 0.02;
  const double left = 1 - (double)l->played / (double)l->settings.games;
  return l->settings.rate * fmax(left, least);
}

static void learn_from_game(self_play *p) {
  learned *l = p->l;
  double off = 0;
  for (size_t i = p->used; i-- > 0;) {
    const stop *s = &p->stops[i];
    off = s->error + (s->tried ? 0 : l->settings.lambda * off);
    const double target = s->expected + off;
    network_add_slopes(&l->net, s->input, s->raises ? target : 1 - target, 1.0 / LEARN_BATCH);
    if (i % LEARN_BATCH == 0) network_step(&l->net, present_rate(l));
  }
}

tauler_error self_play_game(self_play *p, tauler_message *message) {
  const size_t number = p->l->played % p->fields;
  const learn_field *field = &p->field[number];
  play play = {.p = p, .judge = {field->game, field->rules, p->sketch[number], &p->l->net, field->ends}};
  field->game->chance->start(field->rules, field->slice, &play.next.position);
  p->used = 0;
  tauler_error error = TAULER_OK;
  while (!error && !play.next.over && p->used < MOST_POSITIONS) {
    const game_position position = play.next.position;
    error = play_drawn_roll(&play, &position, &p->stops[p->used], message);
    if (!error) p->used++;
  }
  if (error) return error;
  learn_from_game(p);
  p->l->played++;
  return TAULER_OK;
}
