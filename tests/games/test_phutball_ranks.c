/* Boards of Phutball whose parts ranks share: the same cells as by one process, whatever the number of ranks
 * and workers and the size of packets; memory as planned; stops, taken up by other numbers of ranks; and
 * errors that all ranks meet. */
#include <signal.h>
#include <sys/resource.h>

#include "games/phutball/bitboards.h"
#include "parallel/exchange.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball_pair.h"
#include "tests/support/toy_comm.h"

enum { MOST_RANKS = 9 };

typedef struct {
  int rows, columns;
} size;

static const size boards[] = {{5, 4}, {4, 5}, {7, 3}, {3, 7}};
enum { BOARDS = sizeof boards / sizeof *boards };

/* A board as one process solves it, and how ranks are to. */
typedef struct {
  phb_pair pair;
  uint32_t slice;
  memory_budget memory;
  solved_slice right;
  uint16_t longest;

  int ranks, threads;
  size_t packet_bytes;
  uint64_t fails; /* ordinal of the allocation that fails on the last rank, or 0 */
  bool tight;     /* in the memory that is planned */
  solve_checkpoints checkpoints;
  tauler_error errors[MOST_RANKS];
  tauler_message messages[MOST_RANKS];
  uint64_t peaks[MOST_RANKS];
} world;

static void open_world(world *w, int rules, size board) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  bitboard_slice words;
  *w = (world){.pair = phb_pair_open(rules), .ranks = 1, .threads = 1};
  memory_budget_open(&w->memory, 0);
  w->slice = phb_pair_slice(&w->pair, board.rows, board.columns).slice;
  const solve_job job = {.problem.game = w->pair.game,
                         .problem.rules = w->pair.rules,
                         .work.threads = 2,
                         .work.memory = &w->memory};
  MUST(bitboard_slice_solve(&job, &none, w->slice, &words, &effort, NULL));
  w->longest = words.longest;
  toy_gather(&w->memory, &words, &w->right);
  bitboard_slice_close(&w->memory, &words);
  make_folder();
}

static void close_world(world *w) {
  solved_slice_free(&w->memory, &w->right);
  ck_assert_uint_eq(memory_allocated(&w->memory), 0);
  phb_pair_close(&w->pair);
  remove_empty_folder();
}

static solve_job job_of(world *w, memory_budget *memory, comm *comm) {
  return (solve_job){.problem.game = w->pair.game,
                     .problem.rules = w->pair.rules,
                     .work.threads = w->threads,
                     .work.memory = memory,
                     .work.comm = comm,
                     .work.packet_bytes = w->packet_bytes,
                     .work.spill_folder = folder,
                     .checkpoints = w->checkpoints.folder ? &w->checkpoints : NULL,
                     .ranks = w->ranks};
}

static void compare(world *w, memory_budget *memory, const bitboard_slice *words) {
  solved_slice found;
  toy_gather(memory, words, &found);
  PAIR_EXPECT(words->longest == w->longest, "a longest play of %u plies", words->longest);
  PAIR_EXPECT(memcmp(found.cells[0], w->right.cells[0], found.positions) == 0, "other cells");
  PAIR_EXPECT(memcmp(found.depths[0], w->right.depths[0], found.positions * sizeof *found.depths[0]) == 0,
              "other depths");
  solved_slice_free(memory, &found);
}

static void solve_as_rank(comm *comm, void *user) {
  world *w = user;
  const int rank = comm_rank(comm);
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  bitboard_slice words;
  memory_budget memory;
  memory_budget_open(&memory, UINT64_C(1) << 32);
  const solve_job job = job_of(w, &memory, comm);
  const uint64_t planned = bitboard_slice_bytes(&job, w->slice);
  if (w->tight) memory_budget_open(&memory, planned);
  if (w->fails && rank == w->ranks - 1) memory_fail_allocation(&memory, w->fails, false);
  w->errors[rank] = bitboard_slice_solve(&job, &none, w->slice, &words, &effort, &w->messages[rank]);
  w->peaks[rank] = memory_peak(&memory);
  PAIR_EXPECT(memory_peak(&memory) <= planned, "rank %d took %lu bytes, %lu are planned", rank,
              (unsigned long)memory_peak(&memory), (unsigned long)planned);
  if (!w->errors[rank]) {
    PAIR_EXPECT(memory_allocated(&memory) == bitboard_slice_finished_bytes(&job, w->slice),
                "finished otherwise");
    memory.limit = UINT64_C(1) << 32;
    memory_fail_allocation(&memory, 0, false);
    compare(w, &memory, &words);
    bitboard_slice_close(&memory, &words);
  }
  PAIR_EXPECT(memory_allocated(&memory) == 0, "rank %d keeps memory", rank);
}

/* The error that all ranks met. */
static tauler_error solve(world *w) {
  toy_comm_run(w->ranks, solve_as_rank, w);
  for (int rank = 1; rank < w->ranks; rank++) {
    ck_assert_int_eq(w->errors[rank], w->errors[0]);
    if (w->errors[0]) ck_assert_str_eq(w->messages[rank].text, w->messages[0].text);
  }
  return w->errors[0];
}

static const struct {
  int ranks, threads;
  size_t packet_bytes;
} ways[] = {{2, 1, 0},     {3, 2, EXCHANGE_LEAST_PACKET}, {4, 1, 0},
            {4, 3, 20000}, {5, 1, EXCHANGE_LEAST_PACKET}, {9, 1, 0}};
enum { WAYS = sizeof ways / sizeof *ways };

CASE(shared_boards_have_the_same_cells) {
  world w;
  open_world(&w, (_i + _i / WAYS) % PHB_PAIR_RULE_SETS, boards[_i / WAYS]);
  w.ranks = ways[_i % WAYS].ranks;
  w.threads = ways[_i % WAYS].threads;
  w.packet_bytes = ways[_i % WAYS].packet_bytes;
  w.tight = true;
  const tauler_error error = solve(&w);
  ck_assert_msg(!error, "%s", w.messages[0].text);
  close_world(&w);
}

/* --- memory --- */

static uint64_t planned_bytes(const phb_pair *pair, size board, int ranks) {
  const solve_job job = {
      .problem.game = pair->game, .problem.rules = pair->rules, .work.threads = 1, .ranks = ranks};
  return bitboard_slice_bytes(&job, phb_pair_slice(pair, board.rows, board.columns).slice);
}

/* Against one process; each rank has both sets, a fifth of what one process takes. */
CASE(memory_falls_with_ranks) {
  static const struct {
    size board;
    int ranks;
    double most;
  } planned[] = {
      {{8, 3}, 4, 0.33}, {{8, 3}, 8, 0.30}, {{5, 6}, 2, 0.38}, {{5, 6}, 4, 0.29}, {{5, 6}, 16, 0.24}};
  phb_pair pair = phb_pair_open(0);
  const double alone = (double)planned_bytes(&pair, planned[_i].board, 1);
  const double shared = (double)planned_bytes(&pair, planned[_i].board, planned[_i].ranks);
  ck_assert_msg(shared <= planned[_i].most * alone, "each takes %.3f", shared / alone);
  phb_pair_close(&pair);
}

static void check_shares(const game_bitboards_cut *cut, uint32_t ranks) {
  uint64_t shares[64] = {0}, fair = 0;
  phb_tables t = {.fineness = 0};
  ck_assert_uint_eq(phb_list_parts(&t, cut->fineness), cut->parts);
  for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * cut->fineness; tops++) {
    ck_assert_uint_lt(cut->owner[t.part_of[tops]], ranks);
    shares[cut->owner[t.part_of[tops]]]++;
    fair++;
  }
  for (uint32_t rank = 0; rank < ranks; rank++)
    ck_assert_msg(shares[rank] * ranks * 8 <= fair * 10, "rank %u of %u has %lu of %lu", rank, ranks,
                  (unsigned long)shares[rank], (unsigned long)fair);
}

CASE(shares_are_about_equal) {
  phb_pair pair = phb_pair_open(0);
  const uint32_t slice = phb_pair_slice(&pair, 6, 4).slice;
  for (uint32_t ranks = 2; ranks <= 12; ranks++) {
    game_bitboards_cut cut;
    ck_assert(phb_bitboards.parts->deal(pair.rules, slice, ranks, &cut));
    check_shares(&cut, ranks);
  }
  phb_pair_close(&pair);
}

/* --- stops and faults --- */

static bool now_and_then(void *user) {
  return ++*(_Atomic int *)user % 5 == 0;
}

/* Stopped now and then, and each time gone on with by another number of ranks, or by one process. */
CASE(a_shared_board_goes_on_after_a_stop) {
  _Atomic int asked = 0;
  int stops = 0;
  world w;
  open_world(&w, 0, boards[_i]);
  w.checkpoints = (solve_checkpoints){folder, 0, now_and_then, &asked};
  for (;; stops++) {
    w.ranks = 1 + (stops + _i) % 4;
    w.threads = 1 + stops % 2;
    const tauler_error error = solve(&w);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
    ck_assert_int_lt(stops, 300); /* or else nothing is taken up */
  }
  ck_assert_int_gt(stops, 3);
  const solve_job job = job_of(&w, &w.memory, NULL);
  checkpointer_remove(&job, w.slice, true);
  close_world(&w);
}

CASE(memory_that_one_rank_lacks_ends_all) {
  world w;
  open_world(&w, 0, boards[_i]);
  w.ranks = 3;
  for (w.fails = 1; solve(&w); w.fails++) ck_assert_int_eq(w.errors[0], TAULER_NO_MEMORY);
  ck_assert_uint_gt(w.fails, 8);
  close_world(&w);
}

CASE(a_full_disk_ends_all) {
  world w;
  open_world(&w, 0, boards[_i]);
  w.ranks = 3;
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit little = {3 << 14, RLIM_INFINITY};
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
  ck_assert_int_eq(solve(&w), TAULER_NO_SPACE);
  ck_assert_ptr_nonnull(strstr(w.messages[0].text, folder));
  close_world(&w);
}

SUITE("phutball over ranks") {
  GROUP("cells");
  TIMEOUT(1800);
  LOOP(shared_boards_have_the_same_cells, SOME(WAYS + 2, BOARDS * WAYS));
  GROUP("memory");
  LOOP(memory_falls_with_ranks, 5);
  TEST(shares_are_about_equal);
  GROUP("faults");
  TIMEOUT(1800);
  LOOP(a_shared_board_goes_on_after_a_stop, SOME(1, 3));
  TESTS(memory_that_one_rank_lacks_ends_all, a_full_disk_ends_all);
}
