#include "tests/support/toy/toy_phutball_world.h"

#include <stdlib.h>

#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"

void phb_world_solve(phb_world *w, int threads) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  tauler_message message = {""};
  w->job.work.threads = threads;
  const tauler_error error = bitboard_slice_solve(&w->job, &none, w->slice, &w->words, &effort, &message);
  ck_assert_msg(!error, "%s, %dx%d: %s", w->pair.text, w->board.rows, w->board.columns, message.text);
}

void phb_world_open_unsolved(phb_world *w, int rules, phb_size board) {
  *w = (phb_world){.pair = phb_pair_open(rules), .board = board};
  memory_budget_open(&w->memory, 0);
  w->slice = phb_pair_slice(&w->pair, board.rows, board.columns).slice;
  w->job =
      (solve_job){.problem.game = w->pair.game, .problem.rules = w->pair.rules, .work.memory = &w->memory};
}

void phb_world_open(phb_world *w, int rules, phb_size board, int threads, bool gathered) {
  phb_world_open_unsolved(w, rules, board);
  phb_world_solve(w, threads);
  if (gathered) toy_gather(&w->memory, &w->words, &w->cells);
}

void phb_world_close(phb_world *w) {
  solved_slice_free(&w->memory, &w->cells);
  bitboard_slice_close(&w->memory, &w->words);
  ck_assert_uint_eq(memory_allocated(&w->memory), 0);
  phb_pair_close(&w->pair);
}

void *phb_zeros(uint64_t count, size_t each) {
  void *block = calloc(count + 1, each);
  if (!block) ck_abort_msg("no memory");
  return block;
}

game_bitboards_state phb_empty_state(const game_bitboards_plan *plan) {
  return (game_bitboards_state){.won = phb_zeros(plan->blocks, 8),
                                .lost = phb_zeros(plan->blocks, 8),
                                .depth = phb_zeros(plan->blocks, plan->columns),
                                .spare = phb_zeros(plan->spare, 8)};
}

void phb_free_state(game_bitboards_state *state) {
  free(state->won);
  free(state->lost);
  free(state->depth);
  free(state->spare);
}
