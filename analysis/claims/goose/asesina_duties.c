/* Counts rolls for which it would be better to pass or not to jump, and choices to leave the labyrinth. */
#include "analysis/claims/goose/asesina_duties.h"

#include <math.h>

#include "analysis/probe/chance_worth.h"
#include "analysis/probe/rounded.h"
#include "games/oca_asesina/turn.h"

enum { GAIN_BITS = 32 };

/* Bounds of the mover's score by the best of several ways. */
typedef struct {
  bool any;
  double lower, upper;
} best_way;

typedef struct {
  best_way legal, stays, leaves, others;
} ways;

static void raise_best_way(best_way *best, tauler_worth worth) {
  if (!best->any || worth.lower > best->lower) best->lower = worth.lower;
  if (!best->any || worth.upper > best->upper) best->upper = worth.upper;
  best->any = true;
}

/* --- worth of a way --- */

/* Sets *out to the worth to a seat of a position in which either seat rolls next. */
static tauler_error worth_to_seat(const claim_tables *t, const ase_position *at, int seat,
                                  tauler_worth *out) {
  game_position position;
  ase_to_game(at, &position);
  const tauler_error error = chance_worth_of(t->tables, &position, false, out, &t->kept->message);
  if (error || at->seat == seat) return error;
  const double lower = out->lower;
  out->lower = rounded_sum(1, -out->upper, ROUND_BELOW);
  out->upper = rounded_sum(1, -lower, ROUND_ABOVE);
  return TAULER_OK;
}

static tauler_error move_worth(const claim_tables *t, const ase_move *move, int seat, tauler_worth *out) {
  if (!move->over) return worth_to_seat(t, &move->next, seat, out);
  const double score = move->winners == 3 ? 0.5 : move->winners >> seat & 1;
  *out = (tauler_worth){.known = true, .lower = score, .upper = score};
  return TAULER_OK;
}

static ase_position end_turn(ase_position at) {
  at.seat = !at.seat;
  return at;
}

/* Returns the position after the turn if the token does not jump on, but stays where its walk ended, and
 * captures there. */
static ase_position position_after_walk(const game_rules *rules, ase_position at, const ase_move *move) {
  at.square[at.seat][move->token] = move->landed[0];
  for (int i = 0; i < at.tokens; i++)
    if (at.square[!at.seat][i] == move->landed[0]) at.square[!at.seat][i] = 0;
  ase_sort(rules, &at);
  return end_turn(at);
}

static bool is_jump(const ase_move *move) {
  return move->roll_again && move->landed[0] && move->landed[0] != move->to;
}

static tauler_error weigh_move(const claim_tables *t, const ase_position *at, const ase_move *move,
                               ways *out) {
  const bool leaves = t->rules->board.square[move->from].kind == GOOSE_LABYRINTH;
  tauler_worth worth;
  tauler_error error = move_worth(t, move, at->seat, &worth);
  if (error) return error;
  raise_best_way(&out->legal, worth);
  raise_best_way(leaves ? &out->leaves : &out->others, worth);
  if (!is_jump(move)) return TAULER_OK;
  const ase_position stays = position_after_walk(t->rules, *at, move);
  error = worth_to_seat(t, &stays, at->seat, &worth);
  if (!error) raise_best_way(&out->stays, worth);
  return error;
}

bool asesina_duty_exception(const claim_tables *t, const game_position *game, int roll, duty_kind kind,
                            game_position *out) {
  const ase_position at = ase_from_game(game), passed = end_turn(at);
  double best = -1;
  ase_moves list;
  if (kind == DUTY_MOVE) {
    ase_to_game(&passed, out);
    return true;
  }
  ase_list_moves(t->rules, &at, roll, &list);
  for (int i = 0; i < list.used && kind == DUTY_JUMP; i++) {
    if (!is_jump(&list.move[i])) continue;
    const ase_position stays = position_after_walk(t->rules, at, &list.move[i]);
    tauler_worth worth;
    if (CLAIM_CATCH(t->kept, worth_to_seat(t, &stays, at.seat, &worth))) return false;
    if (worth.lower > best) ase_to_game(&stays, out);
    best = fmax(best, worth.lower);
  }
  return best >= 0;
}

/* --- counts --- */

typedef struct {
  uint64_t index;
  int roll;
} place_of_roll;

static bool is_larger(const duty *found, double gain, place_of_roll at) {
  if (found->choices == 0 || gain != found->most) return found->choices == 0 || gain > found->most;
  return at.index != found->index ? at.index < found->index : at.roll < found->roll;
}

static void note_larger_gain(duty *found, double gain, place_of_roll at) {
  if (!is_larger(found, gain, at)) return;
  found->most = gain;
  found->index = at.index;
  found->roll = at.roll;
}

static void compare_ways(duty *found, const best_way *way, const best_way *against, place_of_roll at) {
  if (!way->any || !against->any) return;
  const double gain = fmax(0, rounded_sum(way->lower, -against->upper, ROUND_BELOW));
  note_larger_gain(found, gain, at);
  found->choices++;
  found->better += way->lower > against->upper;
  found->gain_2_32 += (uint64_t)ldexp(gain, GAIN_BITS);
}

static tauler_error weigh_roll(const claim_tables *t, const ase_position *at, const best_way *pass,
                               place_of_roll where, duty out[DUTIES]) {
  ase_moves list;
  ways found = {.legal = {.any = false}};
  tauler_error error = TAULER_OK;
  ase_list_moves(t->rules, at, where.roll, &list);
  if (list.move[0].token == ASE_NOWHERE) return TAULER_OK;
  for (int i = 0; i < list.used && !error; i++) error = weigh_move(t, at, &list.move[i], &found);
  compare_ways(&out[DUTY_MOVE], pass, &found.legal, where);
  compare_ways(&out[DUTY_JUMP], &found.stays, &found.legal, where);
  compare_ways(&out[DUTY_STAY], &found.others, &found.leaves, where);
  compare_ways(&out[DUTY_LEAVE], &found.leaves, &found.others, where);
  return error;
}

static tauler_error count_duties(const claim_tables *t, game_place place, duty out[DUTIES]) {
  game_position position;
  t->game->position_at(t->rules, place, &position);
  const ase_position at = ase_from_game(&position);
  best_way pass = {.any = false};
  tauler_worth worth;
  if (at.forced || ase_has_finished(t->rules, &at, !at.seat)) return TAULER_OK;
  const ase_position passed = end_turn(at);
  tauler_error error = worth_to_seat(t, &passed, at.seat, &worth);
  if (!error) raise_best_way(&pass, worth);
  for (int roll = 1; roll <= ASE_DIE && !error; roll++)
    error = weigh_roll(t, &at, &pass, (place_of_roll){place.index, roll}, out);
  return error;
}

static void add_duty(const duty *from, duty *to) {
  if (from->choices) note_larger_gain(to, from->most, (place_of_roll){from->index, from->roll});
  to->choices += from->choices;
  to->better += from->better;
  to->gain_2_32 += from->gain_2_32;
}

void asesina_duties(const claim_tables *t, const reached *reached, uint32_t slice, duty out[DUTIES]) {
  const uint64_t positions = t->game->positions(t->rules, slice);
  for (int kind = 0; kind < DUTIES; kind++) out[kind] = (duty){.choices = 0};
#pragma omp parallel num_threads(t->job->threads)
  {
    duty own[DUTIES] = {{.choices = 0}};
    tauler_error error = TAULER_OK;
#pragma omp for schedule(dynamic, 256) nowait
    for (uint64_t index = 0; index < positions; index++) {
      const game_place place = {slice, index};
      if (!error && (!reached || reached_has(reached, place))) error = count_duties(t, place, own);
    }
#pragma omp critical(asesina_duties)
    {
      claim_keep(t->kept, error);
      for (int kind = 0; kind < DUTIES; kind++) add_duty(&own[kind], &out[kind]);
    }
  }
}
