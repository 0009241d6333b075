/* Counts rolls for which it would be better to pass or not to jump, and choices to leave the labyrinth. */
#include "analysis/claims/goose/asesina_duties.h"

#include <math.h>

#include "analysis/probe/chance_worth.h"
#include "analysis/probe/rounded.h"
#include "games/oca_asesina/turn.h"

typedef struct {
  survey_best legal, stays, leaves, others;
} ways;

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
  survey_raise_best(&out->legal, worth);
  survey_raise_best(leaves ? &out->leaves : &out->others, worth);
  if (!is_jump(move)) return TAULER_OK;
  const ase_position stays = position_after_walk(t->rules, *at, move);
  error = worth_to_seat(t, &stays, at->seat, &worth);
  if (!error) survey_raise_best(&out->stays, worth);
  return error;
}

bool asesina_find_duty_exception(const claim_tables *t, const game_position *game, int roll, duty_kind kind,
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

static tauler_error weigh_roll(const claim_tables *t, const ase_position *at, const survey_best *pass,
                               uint64_t index, int roll, survey_trait out[DUTIES]) {
  ase_moves list;
  ways found = {.legal = {.any = false}};
  tauler_error error = TAULER_OK;
  ase_list_moves(t->rules, at, roll, &list);
  if (list.move[0].token == ASE_NOWHERE) return TAULER_OK;
  for (int i = 0; i < list.used && !error; i++) error = weigh_move(t, at, &list.move[i], &found);
  survey_compare(&found.legal, pass, index, (size_t)roll, &out[DUTY_MOVE]);
  survey_compare(&found.legal, &found.stays, index, (size_t)roll, &out[DUTY_JUMP]);
  survey_compare(&found.leaves, &found.others, index, (size_t)roll, &out[DUTY_STAY]);
  survey_compare(&found.others, &found.leaves, index, (size_t)roll, &out[DUTY_LEAVE]);
  return error;
}

static tauler_error count_duties(const claim_tables *t, game_place place, survey_trait out[DUTIES]) {
  game_position position;
  t->game->position_at(t->rules, place, &position);
  const ase_position at = ase_from_game(&position);
  survey_best pass = {.any = false};
  tauler_worth worth;
  if (at.forced || ase_has_finished(t->rules, &at, !at.seat)) return TAULER_OK;
  const ase_position passed = end_turn(at);
  tauler_error error = worth_to_seat(t, &passed, at.seat, &worth);
  if (!error) survey_raise_best(&pass, worth);
  for (int roll = 1; roll <= ASE_DIE && !error; roll++)
    error = weigh_roll(t, &at, &pass, place.index, roll, out);
  return error;
}

void asesina_count_duties(const claim_tables *t, const reached *reached, uint32_t slice,
                          survey_trait out[DUTIES]) {
  const uint64_t positions = t->game->positions(t->rules, slice);
  for (int kind = 0; kind < DUTIES; kind++) out[kind] = (survey_trait){.choices = 0};
#pragma omp parallel num_threads(t->job->threads)
  {
    survey_trait own[DUTIES] = {{.choices = 0}};
    tauler_error error = TAULER_OK;
#pragma omp for schedule(dynamic, 256) nowait
    for (uint64_t index = 0; index < positions; index++) {
      const game_place place = {slice, index};
      if (!error && (!reached || reached_has(reached, place))) error = count_duties(t, place, own);
    }
#pragma omp critical(asesina_duties)
    {
      claim_keep(t->kept, error);
      for (int kind = 0; kind < DUTIES; kind++) survey_merge_trait(&own[kind], &out[kind]);
    }
  }
}
