/* Slices of Phutball that memory does not hold are solved in parts: the same cells for any parts and threads;
 * memory as planned; stops, taken up in other parts; and a full disk. */
#include <signal.h>
#include <sys/resource.h>

#include "games/phutball/bitboards.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball_world.h"

/* Bytes of the slice in one part, in three or in ten. */
static uint64_t bytes_of_cut(const phb_world *w, uint32_t fineness) {
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  phb_bitboards.plan(w->pair.rules, w->slice, &plan);
  ck_assert(phb_bitboards.parts->plan(w->pair.rules, w->slice, fineness, &cut));
  const int threads = bitboard_threads(&w->job.work, &plan);
  return bitboard_cut_bytes(&w->job.work, &plan, &cut) + bitboard_scratch_bytes(&plan, threads);
}

static void set_room(phb_world *w, uint32_t fineness) {
  w->job.work.spill_folder = folder;
  w->job.room = bytes_of_cut(w, fineness);
}

static void compare_with_whole(phb_world *w, const solved_slice *whole) {
  solved_slice found;
  toy_gather(w->job.work.memory, &w->words, &found);
  ck_assert_mem_eq(found.cells[0], whole->cells[0], whole->positions);
  ck_assert_mem_eq(found.depths[0], whole->depths[0], whole->positions * sizeof *whole->depths[0]);
  solved_slice_free(w->job.work.memory, &found);
}

static const uint32_t cut_parts[] = {1, 3, 10};
static const phb_size cut_boards[] = {{5, 4}, {3, 7}, {4, 5}, {7, 3}, {5, 5}};
enum { CUTS = PHB_FINEST + 1, CUT_BOARDS = sizeof cut_boards / sizeof *cut_boards };

CASE(a_cut_slice_has_the_same_cells) {
  const phb_size board = cut_boards[_i / CUTS];
  const uint32_t fineness = (uint32_t)(_i % CUTS);
  phb_world w;
  make_folder();
  phb_world_open(&w, _i % PHB_PAIR_RULE_SETS, board, 2, true);
  const uint16_t longest = w.words.longest;
  bitboard_slice_close(&w.memory, &w.words);
  for (int threads = 1; threads <= 3; threads++) {
    w.job.work.threads = threads;
    set_room(&w, fineness);
    phb_world_solve(&w, threads);
    ck_assert_uint_eq(w.words.cut.parts, cut_parts[fineness]);
    ck_assert_ptr_null(w.words.depth);
    ck_assert_uint_eq(w.words.longest, longest);
    compare_with_whole(&w, &w.cells);
    bitboard_slice_close(&w.memory, &w.words);
  }
  phb_world_close(&w);
  remove_empty_folder();
}

CASE(a_cut_slice_keeps_to_its_memory) {
  const phb_size board = suite_is_check() ? (phb_size){7, 3} : (phb_size){4, 5};
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  phb_world w;
  make_folder();
  phb_world_open_unsolved(&w, 0, board);
  const uint32_t fineness = (uint32_t)(_i % CUTS);
  w.job.work.threads = 1 + (_i + _i / CUTS) % 2;
  set_room(&w, fineness);
  const uint64_t room = w.job.room;
  ck_assert_uint_eq(bitboard_slice_bytes(&w.job, w.slice), room);
  uint32_t parts = 0;
  ck_assert_uint_gt(bitboard_slice_waiting(&w.job, w.slice, &parts), 0);
  ck_assert_uint_eq(parts, cut_parts[fineness]);
  memory_budget tight;
  memory_budget_open(&tight, room);
  w.job.work.memory = &tight;
  MUST(bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, NULL));
  ck_assert_uint_ge(memory_peak(&tight), room - room / 10);
  ck_assert_uint_eq(memory_allocated(&tight), bitboard_slice_finished_bytes(&w.job, w.slice));
  bitboard_slice_close(&tight, &w.words);
  for (uint64_t nth = 1;; nth++) {
    memory_fail_allocation(&tight, nth, false);
    const tauler_error error = bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    ck_assert_uint_eq(memory_allocated(&tight), 0);
  }
  bitboard_slice_close(&tight, &w.words);
  w.job.work.memory = &w.memory;
  phb_world_close(&w);
  remove_empty_folder();
}

/* --- parts --- */

typedef struct {
  uint64_t from, blocks;
  uint8_t *seen;
} visiting;

static void note_run(void *user, uint64_t first, uint64_t blocks) {
  visiting *v = user;
  PAIR_EXPECT(first >= v->from && blocks > 0, "runs fall");
  v->from = first + blocks;
  v->blocks += blocks;
  memset(v->seen + first, 1, blocks);
}

/* The tiles of a part, of a wave in which half of all cells are lost already; nothing is written but in its
 * runs. */
static uint64_t sweep_part(const phb_world *w, uint32_t part, uint32_t groups, game_bitboards_state *state) {
  const phb_tables *t = w->words.tables;
  const uint64_t blocks = w->words.plan.blocks, first = part ? t->group_end[part * groups - 1] : 0;
  visiting v = {0, 0, phb_zeros(blocks, 1)};
  uint64_t changed = 0;
  uint32_t latest = 0;
  memset(state->won, 0, blocks * sizeof *state->won);
  memset(state->lost, 0x5A, blocks * sizeof *state->lost);
  memset(state->decided, 0, blocks * sizeof *state->decided);
  for (uint64_t tile = first; tile < t->group_end[(part + 1) * groups - 1]; tile++)
    (void)phb_bitboards.relax(t, state, tile, NULL, &changed, &latest);
  phb_bitboards.parts->visit(t, UINT64_C(1) << part, note_run, &v);
  ck_assert_mem_eq(state->won, state->decided, blocks * sizeof *state->decided);
  ck_assert_uint_gt(changed, 0);
  for (uint64_t i = 0; i < blocks; i++)
    PAIR_EXPECT(v.seen[i] || !state->won[i], "part %u writes block %lu", part, (unsigned long)i);
  free(v.seen);
  return v.blocks;
}

CASE(parts_write_what_they_say) {
  phb_world w;
  phb_world_open(&w, 0, cut_boards[_i], 1, false);
  game_bitboards_state state = phb_empty_state(&w.words.plan);
  state.decided = phb_zeros(w.words.plan.blocks, sizeof *state.decided);
  state.wave = 1;
  for (uint32_t fineness = 0; fineness < CUTS; fineness++) {
    game_bitboards_cut cut;
    uint64_t all = 0;
    ck_assert(phb_bitboards.parts->plan(w.pair.rules, w.slice, fineness, &cut));
    phb_bitboards.parts->order(w.words.tables, &cut);
    for (uint32_t part = 0; part < cut.parts; part++) {
      const uint64_t blocks = sweep_part(&w, part, cut.groups / cut.parts, &state);
      ck_assert_uint_le(blocks, cut.part_units * bitboards_unit(w.words.plan.blocks));
      all += blocks;
    }
    ck_assert_uint_eq(all, w.words.plan.blocks);
  }
  free(state.decided);
  phb_free_state(&state);
  phb_world_close(&w);
}

static bool now_and_then(void *user) {
  return ++*(int *)user % 2 == 0;
}

/* Stopped at every second wave, and each time gone on with in another way. */
CASE(a_cut_slice_goes_on_after_a_stop) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  int asked = 0, stops = 0;
  phb_world w;
  make_folder();
  phb_world_open(&w, 0, cut_boards[_i], 2, true);
  bitboard_slice_close(&w.memory, &w.words);
  const solve_checkpoints checkpoints = {folder, 0, now_and_then, &asked};
  w.job.checkpoints = &checkpoints;
  for (;; stops++) {
    w.job.work.threads = 1 + stops % 2;
    set_room(&w, (uint32_t)(stops % CUTS));
    if (stops % (CUTS + 1) == CUTS) w.job.room = 0;
    const tauler_error error = bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
  }
  ck_assert_int_gt(stops, CUTS);
  compare_with_whole(&w, &w.cells);
  checkpointer_remove(&w.job, w.slice, true);
  w.job.checkpoints = NULL;
  phb_world_close(&w);
  remove_empty_folder();
}

/* A disk that takes so many bytes and no more. */
CASE(a_full_disk_is_an_error) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  tauler_message message = {""};
  phb_world w;
  make_folder();
  phb_world_open_unsolved(&w, 0, (phb_size){5, 4});
  w.job.work.threads = 2;
  set_room(&w, (uint32_t)_i);
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit little = {3 << 14, RLIM_INFINITY};
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, &message),
                   TAULER_NO_SPACE);
  ck_assert_ptr_nonnull(strstr(message.text, folder));
  ck_assert_ptr_null(w.words.won);
  phb_world_close(&w);
  remove_empty_folder();
}

SUITE("phutball in parts") {
  TIMEOUT(1800);
  LOOP(a_cut_slice_has_the_same_cells, (suite_is_long() ? CUT_BOARDS : suite_is_check() ? 4 : 1) * CUTS);
  LOOP(a_cut_slice_keeps_to_its_memory, (suite_is_check() ? 2 : 1) * CUTS);
  LOOP(parts_write_what_they_say, SOME(2, 4));
  LOOP(a_cut_slice_goes_on_after_a_stop, suite_is_check() ? 4 : 1);
  LOOP(a_full_disk_is_an_error, CUTS);
}
