/* Slices in words that ranks share, in memory or in parts on the disk: the same cells as by one process,
 * whatever the number of ranks and workers and the size of packets; memory as planned; stops, taken up by
 * other numbers of ranks; and errors that all ranks meet. */
#include "games/doushouqi/bitboards.h"
#include "games/registry.h"
#include "parallel/exchange.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_words.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_disk.h"

enum { MOST_RANKS = 9 };

static const uint64_t much = UINT64_C(1) << 40;
static const toy_words_name lion = {"doushouqi", "base", "Lrc"}, four = {"doushouqi", "base", "LTRr"};

typedef struct {
  const toy_words *of;
  int ranks;
  int threads;   /* 0: one or two, so that ranks would choose different cuts */
  uint64_t room; /* 0: as much as wanted */
  size_t packet_bytes;
  bool tight;     /* in the memory that is planned */
  uint64_t fails; /* ordinal of the allocation that fails on the last rank, or 0 */
  tauler_error errors[MOST_RANKS];
  tauler_message messages[MOST_RANKS];
} sharing;

static void check_slice(const sharing *s, const solve_job *job, const bitboard_slice *slice) {
  memory_budget *memory = job->work.memory;
  EXPECT(s->ranks == 1 || slice->cut.parts >= (uint32_t)s->ranks, "%u parts", slice->cut.parts);
  EXPECT(s->ranks == 1 || s->threads || s->room > 1 || slice->cut.in_memory == !s->room,
         "it is held otherwise");
  EXPECT(memory_allocated(memory) == bitboard_slice_finished_bytes(job, s->of->slice), "finished otherwise");
  memory->limit = much;
  toy_words_compare(s->of, memory, slice);
}

static void solve_as_rank(comm *comm, void *user) {
  sharing *s = user;
  const toy_words *w = s->of;
  const int rank = comm_rank(comm);
  solve_effort effort = {0};
  bitboard_slice slice;
  memory_budget *memory = suite_budget(much);
  solve_job job = w->job;
  job.work.memory = memory;
  job.work.comm = comm;
  job.work.threads = s->threads ? s->threads : 1 + rank % 2;
  job.work.most_threads = s->threads ? 0 : s->ranks > 1 ? 2 : 1;
  job.work.packet_bytes = s->packet_bytes;
  job.work.spill_folder = folder;
  job.ranks = s->ranks;
  job.room = s->room ? s->room : s->threads ? 0 : much;
  const uint64_t planned = bitboard_slice_bytes(&job, w->slice);
  if (s->tight) memory_budget_open(memory, planned);
  if (s->fails && rank == s->ranks - 1) memory_fail_allocation(memory, s->fails, false);
  s->errors[rank] =
      bitboard_slice_solve(&job, w->finished.cells, w->slice, &slice, &effort, &s->messages[rank]);
  EXPECT(memory_peak(memory) <= planned, "rank %d took %llu bytes, %llu are planned", rank,
         (unsigned long long)memory_peak(memory), (unsigned long long)planned);
  memory_fail_allocation(memory, 0, false);
  if (!s->errors[rank]) {
    check_slice(s, &job, &slice);
    bitboard_slice_close(memory, &slice);
  }
  EXPECT(memory_allocated(memory) == 0, "rank %d keeps memory", rank);
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

static void must_share(sharing s) {
  const tauler_error error = solve_shared(&s);
  ck_assert_msg(!error, "%s", s.messages[0].text);
}

CASE(ranks_that_share_a_material_have_the_same_cells) {
  const toy_words *w = toy_words_open_solved(toy_words_names[_i]);
  must_share((sharing){.of = w, .ranks = 2});
  must_share((sharing){.of = w, .ranks = 2, .room = 1});
  must_share((sharing){.of = w, .ranks = 3, .room = 1500000});
  must_share((sharing){.of = w, .ranks = 5});
  must_share((sharing){.of = w, .ranks = 4, .room = 1});
}

static const toy_words_name boards[] = {{"phutball", "base", "5x4"},
                                        {"phutball", "base,corner=exit", "4x5"},
                                        {"phutball", "base,goal-line=stop", "7x3"},
                                        {"phutball", "base,corner=exit,goal-line=stop", "3x7"}};

/* The rules go round beside the ways. */
CASE(ranks_that_share_a_board_have_the_same_cells) {
  static const sharing ways[] = {{.ranks = 2, .threads = 1},
                                 {.ranks = 3, .threads = 2, .packet_bytes = EXCHANGE_LEAST_PACKET},
                                 {.ranks = 4, .threads = 1},
                                 {.ranks = 4, .threads = 3, .packet_bytes = 20000},
                                 {.ranks = 5, .threads = 1, .packet_bytes = EXCHANGE_LEAST_PACKET},
                                 {.ranks = 9, .threads = 1}};
  toy_words_name name = boards[_i / ROWS(ways)];
  name.rules = boards[(_i + _i / ROWS(ways)) % ROWS(boards)].rules;
  sharing s = ways[_i % ROWS(ways)];
  s.of = toy_words_open_solved(name);
  s.tight = true;
  must_share(s);
}
enum { BOARD_WAYS = 6 };

/* --- stops and faults --- */

typedef struct {
  _Atomic int asked;
  int period;
} stopping;

/* By several ranks at once. */
static bool now_and_then(void *user) {
  stopping *s = user;
  return ++s->asked % s->period == 0;
}

/* Each time gone on with by another number of ranks, or by one process; to and from the disk if `spills`. */
static void go_on(toy_words_name name, bool spills, int first, int period, int least) {
  toy_words *w = toy_words_open_solved(name);
  sharing s = {.of = w};
  stopping asked = {0, period};
  const solve_checkpoints checkpoints = {folder, 0, now_and_then, &asked};
  int stops = 0;
  w->job.checkpoints = &checkpoints;
  for (;; stops++) {
    s.ranks = 1 + (stops + first) % 4;
    s.threads = spills ? 0 : 1 + stops % 2;
    s.room = spills && s.ranks > 1 && stops % 2 ? 1 : 0;
    const tauler_error error = solve_shared(&s);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
    ck_assert_int_lt(stops, 300); /* or else nothing is taken up */
  }
  ck_assert_int_gt(stops, least);
  checkpointer_remove(&w->job, w->slice, true);
}

CASE(a_shared_material_goes_on_after_a_stop) {
  go_on(toy_words_names[_i], true, 1, 7, 4);
}
CASE(a_shared_board_goes_on_after_a_stop) {
  go_on((toy_words_name){"phutball", "base", boards[_i].size}, false, _i, 5, 3);
}

static const struct {
  toy_words_name name;
  uint64_t room, bytes;
} few[] = {{{"doushouqi", "base", "Lrc"}, 1, 1 << 16}, {{"phutball", "base", "5x4"}, 0, 3 << 14}};

CASE(memory_or_disk_that_one_rank_lacks_ends_all) {
  sharing s = {.of = toy_words_open_solved(few[_i].name), .ranks = 3, .threads = few[_i].room ? 0 : 1};
  for (s.fails = 1; solve_shared(&s); s.fails++) ck_assert_int_eq(s.errors[0], TAULER_NO_MEMORY);
  ck_assert_uint_gt(s.fails, 8);
  toy_limit_files(few[_i].bytes);
  s.fails = 0;
  s.room = few[_i].room;
  ck_assert_int_eq(solve_shared(&s), TAULER_NO_SPACE);
  toy_limit_files(0);
  ck_assert_ptr_nonnull(strstr(s.messages[0].text, folder));
}

/* --- pages on the disk --- */

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

static uint64_t room_for(const toy_words *w, int ranks, uint32_t parts) {
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  dsq_bitboards.plan(w->rules, w->slice, &plan);
  ck_assert(dsq_bitboards.parts->plan(w->rules, w->slice, parts - 2, &cut));
  cut.ranks = (uint32_t)ranks;
  return bitboard_cut_bytes(&w->job.work, &plan, &cut) + bitboard_scratch_bytes(&plan, 1);
}

/* A checkpoint is kept after each wave, and some are taken up. */
CASE(no_pages_stay_beside_those_of_a_part) {
  toy_words *w = toy_words_open_solved(lion);
  game_bitboards_parts parts = *dsq_bitboards.parts;
  game_bitboards kernels = dsq_bitboards;
  game watched = doushouqi_game;
  sharing s = {.of = w};
  stopping asked = {0, 7};
  const solve_checkpoints checkpoints = {folder, 1e-9, now_and_then, &asked};
  tauler_error error = TAULER_STOPPED;
  parts.keep_code = watch_code;
  kernels.parts = &parts;
  kernels.relax = watch_relax;
  watched.bitboards = &kernels;
  w->job.problem.game = &watched;
  w->job.checkpoints = &checkpoints;
  for (int stops = 0; error; stops++) {
    s.ranks = 1 + stops % 3;
    s.room = room_for(w, s.ranks, 3 + (uint32_t)stops % 4);
    error = solve_shared(&s);
    ck_assert(!error || error == TAULER_STOPPED);
    ck_assert_int_lt(stops, 300);
  }
  checkpointer_remove(&w->job, w->slice, true);
}

/* Or else some would wait for the others. */
CASE(ranks_with_more_threads_share_the_same) {
  enum { THREADS = 64, STEPS = 100 };
  toy_words *w = toy_words_open(four);
  game_bitboards_plan plan;
  dsq_bitboards.plan(w->rules, w->slice, &plan);
  solve_job one = w->job, many = w->job;
  one.work.threads = 1;
  many.work.threads = THREADS;
  one.work.most_threads = many.work.most_threads = THREADS;
  const uint64_t least = bitboard_whole_bytes(&one.work, &plan),
                 most = bitboard_whole_bytes(&many.work, &plan);
  ck_assert_uint_gt(most, least);
  for (uint64_t i = 0; i <= STEPS; i++) {
    one.room = many.room = least - 1 + (most - least + 1) * i / STEPS;
    ck_assert_int_eq(bitboard_slice_is_shared(&one, w->slice, 2, false),
                     bitboard_slice_is_shared(&many, w->slice, 2, false));
  }
  one.room = least - 1;
  ck_assert(bitboard_slice_is_shared(&one, w->slice, 2, false));
}

static void add_blocks(void *user, uint64_t first, uint64_t blocks) {
  *(uint64_t *)user += blocks;
}

CASE(cells_of_all_parts_of_a_rank_are_planned) {
  toy_words *w = toy_words_open(four);
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  void *tables;
  uint64_t parts = 0, blocks = 0;
  dsq_bitboards.plan(w->rules, w->slice, &plan);
  w->job.ranks = 2;
  ck_assert(bitboard_cut_choose(&w->job, w->slice, &plan, &cut) && cut.in_memory);
  MUST(dsq_bitboards.open(w->rules, w->slice, &tables));
  dsq_bitboards.parts->order(tables, &cut);
  for (uint32_t part = 0; part < cut.parts; part++) parts |= (uint64_t)(cut.owner[part] == 0) << part;
  dsq_bitboards.parts->visit(tables, parts, add_blocks, &blocks);
  dsq_bitboards.close(tables);
  const uint64_t planned = bitboard_ranks_bytes(&w->job.work, &plan, &cut);
  cut.part_units = 0;
  ck_assert_uint_ge(planned - bitboard_ranks_bytes(&w->job.work, &plan, &cut), blocks * sizeof(uint64_t));
}

SUITE("slices over ranks") {
  TIMEOUT(1800);
  LOOP(ranks_that_share_a_material_have_the_same_cells, SOME(4, TOY_WORDS_MATERIALS));
  LOOP(ranks_that_share_a_board_have_the_same_cells, SOME(BOARD_WAYS + 2, BOARD_WAYS * ROWS(boards)));
  LOOP(a_shared_material_goes_on_after_a_stop, SOME(2, 5));
  LOOP(a_shared_board_goes_on_after_a_stop, SOME(1, 3));
  LOOP(memory_or_disk_that_one_rank_lacks_ends_all, ROWS(few));
  TESTS(no_pages_stay_beside_those_of_a_part, ranks_with_more_threads_share_the_same,
        cells_of_all_parts_of_a_rank_are_planned);
}
