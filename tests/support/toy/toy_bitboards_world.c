#include "tests/support/toy/toy_bitboards_world.h"

#include "solver/engines/bitboard/work.h"
#include "solver/engines/engine.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"
#include "tests/support/toy_union.h"

static void close_world(void *thing) {
  toy_world *w = thing;
  for (uint32_t s = 0; s < w->toy->used; s++) {
    bitboard_slice_close(&w->memory, &w->list[s]);
    solved_slice_free(&w->memory, &w->right[s]);
  }
  ck_assert_uint_eq(memory_allocated(&w->memory), 0);
  ck_assert_uint_eq(w->words->opened, 0);
  ck_assert_uint_eq(w->words->disorder, 0);
  toy_bitboards_free(w->toy);
}

toy_world *toy_world_open(toy_game *toy, const toy_bitboards_shape *shape, int threads) {
  toy_world *w = suite_zeros(1, sizeof *w);
  w->toy = toy;
  w->words = toy_bitboards_add(toy, shape, 7);
  memory_budget_open(&w->memory, UINT64_C(1) << 32);
  w->job = toy_job(&toy->game, toy->rules, threads, &w->memory);
  suite_own(w, close_world);
  return w;
}

tauler_error toy_world_try(toy_world *w, uint32_t slice, tauler_message *message) {
  solve_effort effort = {0};
  bitboard_slice *out = &w->list[slice];
  const tauler_error error = bitboard_slice_solve(&w->job, w->cells, slice, out, &effort, message);
  w->cells[slice] = (game_bitboards_finished){out->won, out->lost, out->depth};
  return error;
}

void toy_world_solve(toy_world *w, uint32_t slice) {
  ck_assert_msg(!toy_world_try(w, slice, hear()), "slice %u: %s", slice, said.text);
}

void toy_world_solve_all(toy_world *w) {
  for (uint32_t s = 0; s < w->toy->used; s++) toy_world_solve(w, s);
}

/* --- what is right --- */

static void compare_with_naive(const toy_game *toy, const solved_slice *found, const toy_union *all) {
  const naive_wdl *right = all->answer + all->offset[found->slice];
  for (uint64_t i = 0; i < toy->slices[found->slice].positions; i++) {
    const int depth = right[i].value == NAIVE_DRAW ? SOLVE_NO_DEPTH : right[i].depth;
    if (found->cells[0][i] == right[i].value && found->depths[0][i] == depth) continue;
    ck_abort_msg("general engine, slice %u, index %llu: value %d depth %u, not %d and %d", found->slice,
                 (unsigned long long)i, found->cells[0][i], found->depths[0][i], right[i].value, depth);
  }
}

void toy_world_find_right(toy_world *w) {
  const toy_union naive = toy_unite(w->toy);
  solve_job job = w->job;
  job.problem.engine = &engine_retrograde;
  solved_slice *list;
  job.store = toy_store_open(job.work.memory, w->toy->used, &list);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    MUST(solve_alone(&job, s, true, &list[s], hear()));
    w->right[s] = list[s];
    compare_with_naive(w->toy, &w->right[s], &naive);
  }
  for (uint32_t s = 0; s < w->toy->used; s++) list[s] = (solved_slice){.positions = 0};
}

static uint16_t longest_of(const solved_slice *slice) {
  uint16_t longest = 0;
  for (uint64_t i = 0; i < slice->positions; i++) {
    const uint16_t depth = slice->depths[0][i];
    if (depth != SOLVE_NO_DEPTH && depth > longest) longest = depth;
  }
  return longest;
}

void toy_gather(memory_budget *memory, const bitboard_slice *slice, solved_slice *out) {
  enum { PIECE = 4096 };
  *out = (solved_slice){.slice = slice->slice, .positions = slice->positions, .planes = 1};
  bitboard_reader window = {.depths = true};
  ck_assert(!memory_allocate(memory, slice->positions, "cells", &out->cells[0], NULL));
  ck_assert(!memory_allocate_array(memory, slice->positions, sizeof *out->depths[0], "depths",
                                   &out->depths[0], NULL));
  for (uint64_t at = 0; at < slice->positions; at += PIECE) {
    const size_t n = slice->positions - at < PIECE ? (size_t)(slice->positions - at) : PIECE;
    ck_assert_int_eq(bitboard_reader_move(slice, at, &window, NULL), TAULER_OK);
    slice->kernels->gather(slice->tables, &window.state, at, n, out->cells[0] + at, out->depths[0] + at);
  }
  for (uint64_t i = 0; i < slice->positions; i++) {
    if (out->cells[0][i] == 0) out->depths[0][i] = SOLVE_NO_DEPTH;
  }
  bitboard_reader_close(slice, &window);
}

void toy_world_compare(const toy_world *w, const bitboard_slice *found) {
  const solved_slice *right = &w->right[found->slice];
  solved_slice cells;
  toy_gather(w->job.work.memory, found, &cells);
  ck_assert_uint_eq(cells.positions, right->positions);
  for (uint64_t i = 0; i < right->positions; i++) {
    const int value = right->cells[0][i], depth = right->depths[0][i];
    if (cells.cells[0][i] == value && cells.depths[0][i] == depth) continue;
    ck_abort_msg("words, slice %u, index %llu: value %d depth %u, not %d and %d", found->slice,
                 (unsigned long long)i, cells.cells[0][i], cells.depths[0][i], value, depth);
  }
  const int longest = longest_of(right);
  ck_assert_msg(found->longest == longest, "slice %u: longest play of %u plies, not %d", found->slice,
                found->longest, longest);
  solved_slice_free(w->job.work.memory, &cells);
}

toy_game *toy_bitboards_path(uint32_t slices, const uint64_t lengths[]) {
  uint64_t positions[TOY_SLICES] = {0};
  for (uint32_t s = 0; s < slices; s++) positions[s] = 2 * lengths[s];
  toy_game *toy = toy_new(SOLVE_OUTCOMES, slices, positions);
  toy_end(toy, 0, 0, -1);
  for (uint32_t s = 0; s < slices; s++) {
    for (uint64_t i = 0; i < lengths[s]; i++) {
      if (i > 0) toy_quiet(toy, s, i, i - 1);
      if (i == 0 && s > 0) toy_convert(toy, s, 0, 0, s - 1, lengths[s - 1] - 1);
      toy_quiet(toy, s, lengths[s] + i, lengths[s] + i);
    }
  }
  toy_seal(toy, true);
  return toy;
}
