#include "tests/support/toy/toy_words.h"

#include "games/registry.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy_store.h"

enum { SLICES = 1 << 16 };

const toy_words_name toy_words_names[TOY_WORDS] = {
    {"doushouqi", "base", "Lrc"},
    {"doushouqi", "liacs", "RTr"},
    {"doushouqi", "base,lakes=drink,stalemate=loss", "Rcr"},
    {"doushouqi", "liacs", "Lel"},
    {"doushouqi", "base", "LRlr"},
    {"doushouqi", "liacs", "TCer"},
    {"doushouqi", "base", "RLe"},
    {"doushouqi", "base,lakes=drink", "LEt"},
    {"phutball", "base", "5x4"},
    {"phutball", "base,corner=exit", "5x4"},
    {"phutball", "base,goal-line=stop", "5x4"},
    {"phutball", "base,corner=exit,goal-line=stop", "3x7"},
    {"phutball", "base", "4x5"},
    {"phutball", "base,corner=exit", "7x3"},
    {"phutball", "base", "5x5"},
};

static void close_words(void *thing) {
  toy_words *w = thing;
  solved_slice_free(w->memory, &w->right);
  for (size_t i = 0; i < w->list.used; i++)
    bitboard_slice_close(w->memory, &w->finished.slices[w->list.slices[i].slice]);
  remove_empty_folder();
}

tauler_error toy_words_try(const toy_words *w, bitboard_slice *out) {
  solve_effort effort = {0};
  return bitboard_slice_solve(&w->job, w->finished.cells, w->slice, out, &effort, hear());
}

static void solve_smaller(toy_words *w) {
  solve_effort effort = {0};
  for (size_t i = 0; i + 1 < w->list.used; i++) {
    const uint32_t slice = w->list.slices[i].slice;
    bitboard_slice *of = &w->finished.slices[slice];
    MUST(bitboard_slice_solve(&w->job, w->finished.cells, slice, of, &effort, hear()));
    w->finished.cells[slice] = (game_bitboards_finished){of->won, of->lost, of->depth};
  }
}

toy_words *toy_words_open(toy_words_name name) {
  toy_words *w = suite_zeros(1, sizeof *w);
  w->game = game_find(name.game);
  w->rules = suite_rules(w->game, name.rules, NULL);
  const bool is_board = strchr(name.size, 'x') != NULL;
  const game_request request = {.board = is_board ? name.size : NULL,
                                .material = is_board ? NULL : name.size};
  w->list = suite_slices(w->game, w->rules, &request);
  w->finished.cells = suite_zeros(SLICES, sizeof *w->finished.cells);
  w->finished.slices = suite_zeros(SLICES, sizeof *w->finished.slices);
  w->memory = suite_budget(0);
  w->job = toy_job(w->game, w->rules, 2, w->memory);
  w->slice = w->list.slices[w->list.used - 1].slice;
  make_folder();
  suite_own(w, close_words);
  solve_smaller(w);
  return w;
}

toy_words *toy_words_open_solved(toy_words_name name) {
  toy_words *w = toy_words_open(name);
  bitboard_slice whole;
  MUST(toy_words_try(w, &whole));
  ck_assert_uint_eq(whole.cut.parts, 0);
  w->longest = whole.longest;
  toy_gather(w->memory, &whole, &w->right);
  bitboard_slice_close(w->memory, &whole);
  return w;
}

bool toy_words_set_room(toy_words *w, uint32_t fineness, uint32_t *parts) {
  const game_bitboards *kernels = w->game->bitboards;
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  kernels->plan(w->rules, w->slice, &plan);
  if (!kernels->parts->plan(w->rules, w->slice, fineness, &cut)) return false;
  *parts = cut.parts;
  w->job.work.spill_folder = folder;
  w->job.room = bitboard_cut_bytes(&w->job.work, &plan, &cut) +
                bitboard_scratch_bytes(&plan, bitboard_threads(&w->job.work, &plan));
  return true;
}

void toy_words_compare(const toy_words *w, memory_budget *memory, const bitboard_slice *slice) {
  solved_slice found;
  toy_gather(memory, slice, &found);
  EXPECT(slice->longest == w->longest, "a longest play of %u plies, not %u", slice->longest, w->longest);
  EXPECT(found.positions == w->right.positions, "%llu positions", (unsigned long long)found.positions);
  EXPECT(memcmp(found.cells[0], w->right.cells[0], found.positions) == 0, "other cells");
  EXPECT(memcmp(found.depths[0], w->right.depths[0], found.positions * sizeof *found.depths[0]) == 0,
         "other depths");
  solved_slice_free(memory, &found);
}
