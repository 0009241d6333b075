/* Classes of Dou Shou Qi that ranks share, in memory or in parts on the disk: the same cells as by one
 * process; memory as planned; stops, taken up by other numbers of ranks; and errors that all ranks meet. */
#include "games/doushouqi/bitboards.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_doushouqi.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_disk.h"

enum { MOST_RANKS = 5 };

typedef struct {
  toy_class *of;
  int ranks;
  uint64_t room;  /* 0: as much as wanted */
  uint64_t fails; /* ordinal of the allocation that fails on the last rank, or 0 */
  tauler_error errors[MOST_RANKS];
  tauler_message messages[MOST_RANKS];
} sharing;

static void check_cells(const toy_class *w, memory_budget *memory, const bitboard_slice *slice) {
  solved_slice found;
  toy_gather(memory, slice, &found);
  EXPECT(slice->longest == w->longest, "a longest play of %u plies", slice->longest);
  EXPECT(memcmp(found.cells[0], w->right.cells[0], found.positions) == 0, "other cells");
  EXPECT(memcmp(found.depths[0], w->right.depths[0], found.positions * sizeof *found.depths[0]) == 0,
         "other depths");
  solved_slice_free(memory, &found);
}

/* Ranks have one thread or two, so that they would choose different cuts. */
static void solve_as_rank(comm *comm, void *user) {
  static const uint64_t much = UINT64_C(1) << 40;
  sharing *s = user;
  toy_class *w = s->of;
  const int rank = comm_rank(comm);
  solve_effort effort = {0};
  bitboard_slice slice;
  memory_budget memory;
  memory_budget_open(&memory, much);
  solve_job job = w->job;
  job.work.memory = &memory;
  job.work.comm = comm;
  job.work.threads = 1 + rank % 2;
  job.work.most_threads = s->ranks > 1 ? 2 : 1;
  job.work.spill_folder = folder;
  job.ranks = s->ranks;
  job.room = s->room ? s->room : much;
  const uint64_t planned = bitboard_slice_bytes(&job, w->slice);
  if (s->fails && rank == s->ranks - 1) memory_fail_allocation(&memory, s->fails, false);
  s->errors[rank] = bitboard_slice_solve(&job, &w->finished, w->slice, &slice, &effort, &s->messages[rank]);
  EXPECT(memory_peak(&memory) <= planned, "rank %d took %lu bytes, %lu are planned", rank,
         (unsigned long)memory_peak(&memory), (unsigned long)planned);
  memory_fail_allocation(&memory, 0, false);
  if (!s->errors[rank]) {
    EXPECT(s->ranks == 1 || slice.cut.parts >= (uint32_t)s->ranks, "%u parts", slice.cut.parts);
    EXPECT(s->ranks == 1 || s->room > 1 || slice.cut.in_memory == !s->room, "it is held otherwise");
    check_cells(w, &memory, &slice);
    bitboard_slice_close(&memory, &slice);
  }
  EXPECT(memory_allocated(&memory) == 0, "rank %d keeps memory", rank);
}

/* The error that all ranks met. */
static tauler_error solve_shared(sharing *s) {
  toy_comm_run(s->ranks, solve_as_rank, s);
  for (int rank = 1; rank < s->ranks; rank++) {
    ck_assert_int_eq(s->errors[rank], s->errors[0]);
    if (s->errors[0]) ck_assert_str_eq(s->messages[rank].text, s->messages[0].text);
  }
  return s->errors[0];
}

CASE(ranks_that_share_a_class_have_the_same_cells) {
  static const struct {
    int ranks;
    uint64_t room;
  } ways[] = {{2, 0}, {2, 1}, {3, 1500000}, {5, 0}, {4, 1}};
  toy_class w = toy_class_open(toy_classes[_i].rules, toy_classes[_i].material);
  toy_class_solve_whole(&w);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    sharing s = {.of = &w, .ranks = ways[i].ranks, .room = ways[i].room};
    const tauler_error error = solve_shared(&s);
    ck_assert_msg(!error, "%s", s.messages[0].text);
  }
  toy_class_close(&w);
}

/* By several ranks at once. */
static bool at_times(void *user) {
  return ++*(_Atomic int *)user % 7 == 0;
}

/* Each time gone on with by another number of ranks, or by one process. */
CASE(a_shared_class_goes_on_after_a_stop) {
  toy_class w = toy_class_open(toy_classes[_i].rules, toy_classes[_i].material);
  sharing s = {.of = &w};
  _Atomic int asked = 0;
  int stops = 0;
  toy_class_solve_whole(&w);
  const solve_checkpoints checkpoints = {folder, 0, at_times, &asked};
  w.job.checkpoints = &checkpoints;
  for (;; stops++) {
    s.ranks = 1 + (stops + 1) % 4;
    s.room = s.ranks > 1 && stops % 2 ? 1 : 0;
    const tauler_error error = solve_shared(&s);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
    ck_assert_int_lt(stops, 300); /* or else nothing is taken up */
  }
  ck_assert_int_gt(stops, 4);
  checkpointer_remove(&w.job, w.slice, true);
  w.job.checkpoints = NULL;
  toy_class_close(&w);
}

/* --- pages of a class on the disk --- */

enum { RESTS, RELAXES, TAKES };

/* Of a rank, which is a thread: what it does, and the tile that it did last. */
static _Thread_local struct {
  int does;
  uint64_t tile;
} at;

static void expect_gone(const game_bitboards_state *state, const char *before) {
  const uint64_t bytes = toy_resident_bytes(state->depth);
  EXPECT(bytes == 0, "%lu bytes stay in memory before %s", (unsigned long)bytes, before);
}

static tauler_error watch_relax(const void *tables, const game_bitboards_state *state, uint64_t tile,
                                void *scratch, uint64_t *changed, uint32_t *latest) {
  if (at.does != RELAXES || tile <= at.tile) expect_gone(state, "tiles");
  at.does = RELAXES;
  at.tile = tile;
  return dsq_bitboards.relax(tables, state, tile, scratch, changed, latest);
}

static void watch_code(const void *tables, const game_bitboards_state *state, uint64_t block, uint64_t cells,
                       uint8_t code) {
  if (at.does != TAKES) expect_gone(state, "changes of other ranks");
  at.does = TAKES;
  dsq_bitboards.parts->keep_code(tables, state, block, cells, code);
}

static uint64_t room_for(const toy_class *w, int ranks, uint32_t parts) {
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  dsq_bitboards.plan(w->rules, w->slice, &plan);
  ck_assert(dsq_bitboards.parts->plan(w->rules, w->slice, parts - 2, &cut));
  cut.ranks = (uint32_t)ranks;
  return bitboard_cut_bytes(&w->job.work, &plan, &cut) + bitboard_scratch_bytes(&plan, 1);
}

/* A checkpoint is kept after each wave, and some are taken up. */
CASE(no_pages_stay_beside_those_of_a_part) {
  toy_class w = toy_class_open("base", "Lrc");
  game_bitboards_parts parts = *dsq_bitboards.parts;
  game_bitboards kernels = dsq_bitboards;
  game watched = doushouqi_game;
  sharing s = {.of = &w};
  _Atomic int asked = 0;
  const solve_checkpoints checkpoints = {folder, 1e-9, at_times, &asked};
  tauler_error error = TAULER_STOPPED;
  toy_class_solve_whole(&w);
  parts.keep_code = watch_code;
  kernels.parts = &parts;
  kernels.relax = watch_relax;
  watched.bitboards = &kernels;
  w.job.problem.game = &watched;
  w.job.checkpoints = &checkpoints;
  for (int stops = 0; error; stops++) {
    s.ranks = 1 + stops % 3;
    s.room = room_for(&w, s.ranks, 3 + (uint32_t)stops % 4);
    error = solve_shared(&s);
    ck_assert(!error || error == TAULER_STOPPED);
    ck_assert_int_lt(stops, 300);
  }
  checkpointer_remove(&w.job, w.slice, true);
  w.job.checkpoints = NULL;
  toy_class_close(&w);
}

/* Or else some would wait for the others. */
CASE(ranks_with_more_threads_share_the_same) {
  enum { THREADS = 64, STEPS = 100 };
  toy_class w = toy_class_open("base", "LTRr");
  game_bitboards_plan plan;
  dsq_bitboards.plan(w.rules, w.slice, &plan);
  solve_job one = w.job, many = w.job;
  one.work.threads = 1;
  many.work.threads = THREADS;
  one.work.most_threads = many.work.most_threads = THREADS;
  const uint64_t least = bitboard_whole_bytes(&one.work, &plan),
                 most = bitboard_whole_bytes(&many.work, &plan);
  ck_assert_uint_gt(most, least);
  for (uint64_t i = 0; i <= STEPS; i++) {
    one.room = many.room = least - 1 + (most - least + 1) * i / STEPS;
    ck_assert_int_eq(bitboard_slice_is_shared(&one, w.slice, 2, false),
                     bitboard_slice_is_shared(&many, w.slice, 2, false));
  }
  one.room = least - 1;
  ck_assert(bitboard_slice_is_shared(&one, w.slice, 2, false));
  toy_class_close(&w);
}

static void add_blocks(void *user, uint64_t first, uint64_t blocks) {
  (void)first;
  *(uint64_t *)user += blocks;
}

CASE(cells_of_all_parts_of_a_rank_are_planned) {
  toy_class w = toy_class_open("base", "LTRr");
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  void *tables;
  uint64_t parts = 0, blocks = 0;
  dsq_bitboards.plan(w.rules, w.slice, &plan);
  w.job.ranks = 2;
  ck_assert(bitboard_cut_choose(&w.job, w.slice, &plan, &cut) && cut.in_memory);
  MUST(dsq_bitboards.open(w.rules, w.slice, &tables));
  dsq_bitboards.parts->order(tables, &cut);
  for (uint32_t part = 0; part < cut.parts; part++) parts |= (uint64_t)(cut.owner[part] == 0) << part;
  dsq_bitboards.parts->visit(tables, parts, add_blocks, &blocks);
  dsq_bitboards.close(tables);
  const uint64_t planned = bitboard_ranks_bytes(&w.job.work, &plan, &cut);
  cut.part_units = 0;
  ck_assert_uint_ge(planned - bitboard_ranks_bytes(&w.job.work, &plan, &cut), blocks * sizeof(uint64_t));
  toy_class_close(&w);
}

CASE(memory_or_disk_that_one_rank_lacks_ends_all) {
  toy_class w = toy_class_open("base", "Lrc");
  sharing s = {.of = &w, .ranks = 3};
  toy_class_solve_whole(&w);
  for (s.fails = 1; solve_shared(&s); s.fails++) ck_assert_int_eq(s.errors[0], TAULER_NO_MEMORY);
  ck_assert_uint_gt(s.fails, 8);
  toy_limit_files(1 << 16);
  s.fails = 0;
  s.room = 1;
  ck_assert_int_eq(solve_shared(&s), TAULER_NO_SPACE);
  toy_limit_files(0);
  ck_assert_ptr_nonnull(strstr(s.messages[0].text, folder));
  toy_class_close(&w);
}

SUITE("dou shou qi over ranks") {
  TIMEOUT(1800);
  LOOP(ranks_that_share_a_class_have_the_same_cells, suite_is_check() ? TOY_CLASSES : 4);
  LOOP(a_shared_class_goes_on_after_a_stop, suite_is_check() ? 5 : 2);
  TESTS(no_pages_stay_beside_those_of_a_part, ranks_with_more_threads_share_the_same,
        cells_of_all_parts_of_a_rank_are_planned, memory_or_disk_that_one_rank_lacks_ends_all);
}
