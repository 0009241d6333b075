/* The general engine over shards: several ranks (threads of this process), several shards per rank with the
 * others on the disk, and both must give what a slice that is held whole gives, which test_retrograde.c
 * compares with slow definitions. */
#include "games/registry.h"
#include "solver/engines/cells.h"
#include "tests/support/rules.h"
#include "tests/support/solver/toy_shards.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_store.h"

static const toy_cut cuts[] = {{1, 1, 1, 0}, {1, 3, 1, 0},    {1, 3, 2, 1024}, {2, 1, 1, 1024},
                               {3, 1, 1, 0}, {4, 1, 2, 1024}, {2, 2, 1, 0},    {2, 3, 2, 1024}};
enum { CUTS = ROWS(cuts) };

static toy_shards *begin(const toy_game *toy) {
  return toy_shards_new(&engine_retrograde, &toy->game, toy->rules, toy->used);
}

/* The results of a lookup of every position, and the cells that it gave back. */
typedef struct {
  solved_slice lookups[TOY_SHARDS_SLICES], recovered[TOY_SHARDS_SLICES];
} recovery;

/* Leaves out what a table would and has it put back, over the cells in `recovered`. */
static tauler_error leave_out_and_recover(toy_shards *a, const solve_job *job, sharded_slice *slice,
                                          tauler_message *message) {
  static const int8_t reserved[SOLVE_PLANES] = {INT8_MIN, INT8_MIN};
  const uint32_t number = slice->slice;
  recovery *r = a->user;
  solved_slice *lookups = &r->lookups[number], *recovered = &r->recovered[number];
  const solved_slice *found = &a->found[number];
  tauler_error error = ranges_lookup(job, slice, NULL, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = toy_shards_copy(slice, SHARD_LOOKUPS + plane, lookups->cells[plane], false, message);
    for (uint32_t i = 0; i < slice->shards_here; i++) sharded_drop(slice, i, SHARD_LOOKUPS + plane);
  }
  error = comm_agree(job->work.comm, error, message);
  uint8_t *left_out = suite_zeros(found->positions + 1, 1);
  if (a->game->left_out) a->game->left_out(a->rules, number, 0, found->positions, left_out);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    int8_t *cells = suite_zeros(found->positions + 1, 1);
    for (uint64_t i = 0; i < found->positions; i++) {
      const bool implied = a->game->lookup(a->rules, (game_place){number, i}) == LOOKUP_CONVERTING
                               ? found->cells[plane][i] == lookups->cells[plane][i]
                               : left_out[i];
      cells[i] = implied ? INT8_MIN : found->cells[plane][i];
    }
    error = toy_shards_copy(slice, SHARD_CELLS + plane, cells, true, message);
  }
  error = comm_agree(job->work.comm, error, message);
  if (!error && number > 0) {
    for (int plane = 0; plane < slice->planes; plane++) store_drop(job->store, number, plane);
  }
  if (!error) error = ranges_lookup(job, slice, reserved, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = toy_shards_copy(slice, SHARD_CELLS + plane, recovered->cells[plane], false, message);
  }
  error = comm_agree(job->work.comm, error, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    store_drop(job->store, number, plane);
    error = toy_shards_pack(job, found, plane, message);
  }
  return comm_agree(job->work.comm, error, message);
}

static const solve_kind kinds[] = {SOLVE_OUTCOMES, SOLVE_SCORES, SOLVE_GUARANTEES};
enum { KINDS = 3 };

/* Several ranges of indexes in each slice, so that each shard has some. */
static toy_game *random_game(solve_kind kind, uint64_t seed, bool predecessors) {
  const toy_shape shape = {.kind = kind,
                           .slices = 2,
                           .positions = {9000, 21000},
                           .most_moves = 2 + (int)(seed % 3),
                           .ended_percent = 3,
                           .converts_percent = 10,
                           .finishes_percent = 2,
                           .draws_percent = 20,
                           .most_gain = 3};
  return toy_random(&shape, seed, predecessors);
}

CASE(shards_give_what_the_whole_gives) {
  const toy_cut how = cuts[_i % CUTS];
  const solve_kind kind = kinds[SOME(_i % KINDS, _i / CUTS)];
  const uint64_t games = SOME(1, 3), any = (uint64_t)_i % 3;
  for (uint64_t seed = any; seed < any + games; seed++) {
    toy_game *toy = random_game(kind, 100 * (uint64_t)_i + seed, true);
    toy_shards *a = begin(toy);
    a->depths = seed % 3 != 2;
    toy_shards_check(a, how);
  }
}

CASE(one_shard_needs_no_predecessors) {
  toy_game *toy = random_game(kinds[_i], 7, false);
  toy_shards *a = begin(toy);
  toy_shards_check(a, cuts[0]);
  for (int i = 1; i < CUTS; i += SOME(3, 1)) {
    ck_assert_int_eq(toy_shards_solve(a, cuts[i]), TAULER_INTERNAL);
    ck_assert_ptr_nonnull(strstr(a->message[0].text, "without predecessors"));
  }
}

CASE(all_ranks_end_when_one_gets_no_memory) {
  const toy_cut hows[] = {{3, 1, 1, 1024}, {2, 2, 1, 1024}};
  toy_game *toy = random_game(SOLVE_SCORES, 5, true);
  uint64_t nth = 1;
  for (tauler_error error = TAULER_NO_MEMORY; error != TAULER_OK; nth += 1 + nth / 4) {
    toy_shards *a = begin(toy);
    a->fail_take = nth;
    error = toy_shards_solve(a, hows[_i]);
    if (error) ck_assert_int_eq(error, TAULER_NO_MEMORY);
  }
  ck_assert_uint_gt(nth, 15);
}

/* The plan is enough for each rank, and where shards do not fit it is less than for all of them at once. */
CASE(the_memory_that_was_planned_is_enough) {
  static const toy_cut hows[] = {{1, 1, 1, 0}, {2, 1, 2, 0}, {3, 1, 1, 1024}, {1, 4, 2, 0}, {2, 2, 1, 0}};
  enum { HOWS = sizeof hows / sizeof *hows };
  const uint64_t positions = SOME(200000, 400000);
  const toy_shape shape = {.kind = kinds[_i],
                           .slices = 2,
                           .positions = {9000, positions},
                           .most_moves = 3,
                           .ended_percent = 4,
                           .converts_percent = 10,
                           .most_gain = 2};
  toy_game *toy = toy_random(&shape, 21, true);
  for (int i = 0; i < HOWS; i += SOME(2, 1)) {
    toy_shards *a = begin(toy);
    a->by_plan = true;
    ck_assert_msg(!toy_shards_solve(a, hows[i]), "%d: %s", i, a->message[0].text);
    for (int r = 0; r < hows[i].ranks; r++) {
      const uint64_t talk = hows[i].ranks > 1 ? UINT64_C(33) << 20 : 0;
      const uint64_t shard = positions / (uint64_t)(hows[i].ranks * hows[i].shards_per_rank);
      const uint64_t fixed = (UINT64_C(36) << 20) * (uint64_t)hows[i].threads;
      ck_assert_uint_lt(a->peak[r], a->planned[r]);
      ck_assert_msg(a->planned[r] < talk + fixed + 30 * shard, "%d: %llu planned, %llu taken", i,
                    (unsigned long long)a->planned[r], (unsigned long long)a->peak[r]);
    }
  }
}

/* A path of so many plies to a loss, the last of them in the second shard: its update comes with
 * the last wave there is. Nothing else moves. */
static tauler_error solve_path(uint64_t plies, int *value, int *depth) {
  enum { TILES = 34, HALF = TILES / 2 * 4096, LAST = HALF + 5 };
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (const uint64_t[]){TILES * 4096});
  for (uint64_t i = plies; i < TILES * 4096; i++) {
    if (i != LAST) toy_end(toy, 0, i, 0);
  }
  toy_end(toy, 0, 0, -1);
  for (uint64_t i = 1; i < plies; i++) toy_quiet(toy, 0, i, i - 1);
  toy_quiet(toy, 0, LAST, plies - 1);
  toy_seal(toy, true);
  toy_shards *a = begin(toy);
  const tauler_error error = toy_shards_solve(a, (toy_cut){1, 2, 1, 0});
  *value = a->found[0].cells[0][LAST];
  *depth = a->found[0].depths[0][LAST];
  return error;
}

CASE(depths_end_in_shards_where_they_end_in_the_whole) {
  int value, depth;
  MUST(solve_path(SOLVE_NO_DEPTH - 1, &value, &depth));
  ck_assert_int_eq(value, -1);
  ck_assert_int_eq(depth, SOLVE_NO_DEPTH - 1);
  ck_assert_int_eq(solve_path(SOLVE_NO_DEPTH, &value, &depth), TAULER_INTERNAL);
}

/* Without conversions nothing travels but updates: a few bytes per quiet edge. */
CASE(updates_are_small) {
  const toy_shape shape = {
      .kind = SOLVE_OUTCOMES, .slices = 1, .positions = {200000}, .most_moves = 3, .ended_percent = 4};
  toy_game *toy = toy_random(&shape, 3, true);
  const toy_cut how = {4, 1, 1, 0};
  toy_shards *a = begin(toy);
  ck_assert_msg(!toy_shards_solve(a, how), "%s", a->message[0].text);
  uint64_t edges = 0, bytes = 0;
  for (uint64_t i = 0; i < shape.positions[0]; i++) {
    if (a->found[0].cells[0][i] == 0) continue;
    const uint64_t *first = toy->slices[0].back_first;
    edges += first[i + 1] - first[i];
  }
  for (int r = 0; r < how.ranks; r++) bytes += a->bytes_sent[0][r];
  const uint64_t crossing = edges / 4 * 3;
  ck_assert_uint_gt(crossing, 50000);
  ck_assert_msg(bytes <= 4 * crossing, "%llu bytes for %llu edges", (unsigned long long)bytes,
                (unsigned long long)crossing);
}

static const char *const cycles[] = {"even", "forced"};

CASE(auale_in_shards) {
  enum { SEEDS = 7 };
  game_rules *rules = suite_rules(&auale_game, "abapa", cycles[_i % 2]);
  static const toy_cut hows[] = {{3, 1, 1, 0}, {1, 3, 2, 0}, {2, 2, 1, 1024}};
  recovery recovered;
  toy_whole right;
  toy_shards *a = toy_shards_new(&engine_retrograde, &auale_game, rules, SEEDS + 1);
  toy_shards_make_slices(a, recovered.lookups);
  toy_shards_make_slices(a, recovered.recovered);
  a->then = leave_out_and_recover;
  a->user = &recovered;
  toy_whole_solve(a, &right);
  ck_assert_msg(!toy_shards_solve(a, hows[_i / 2]), "%s", a->message[0].text);
  toy_shards_compare(a, &right);
  uint64_t left_out = 0;
  for (uint32_t s = 0; s <= SEEDS; s++) {
    int8_t *lookups[SOLVE_PLANES] = {NULL, NULL};
    toy_lookups(&right.job, &right.list[s], lookups);
    for (int plane = 0; plane < right.list[s].planes; plane++) {
      const uint64_t n = right.list[s].positions;
      ck_assert_mem_eq(lookups[plane], recovered.lookups[s].cells[plane], n);
      ck_assert_mem_eq(right.list[s].cells[plane], recovered.recovered[s].cells[plane], n);
      for (uint64_t i = 0; i < n; i++) left_out += lookups[plane][i] == right.list[s].cells[plane][i];
      memory_free(right.memory, lookups[plane]);
    }
  }
  ck_assert_uint_gt(left_out, 1000);
}

/* Counters of moves of which many take two bytes. */
static toy_game *many_moves(void) {
  const toy_shape shape = {.kind = SOLVE_SCORES,
                           .slices = 1,
                           .positions = {9000},
                           .most_moves = 400,
                           .ended_percent = 1,
                           .most_gain = 3};
  return toy_random(&shape, 5, true);
}

CASE(a_solve_goes_on_with_other_ranks_and_shards) {
  toy_game *toy = _i < KINDS ? random_game(kinds[_i], 11, true) : many_moves();
  toy_whole whole;
  toy_shards *a = toy_shards_new(&engine_retrograde, &toy->game, toy->rules, 1);
  toy_whole_solve(a, &whole);
  ck_assert_int_gt(toy_shards_solve_stopped(a, cuts, CUTS, 3, SOME(9, 3)), 4);
  toy_shards_compare(a, &whole);
}

SUITE("waves") {
  LOOP(shards_give_what_the_whole_gives, SOME(CUTS, CUTS * KINDS));
  LOOP(one_shard_needs_no_predecessors, KINDS);
  LOOP(auale_in_shards, 6);
  TEST(updates_are_small);
  LOOP(all_ranks_end_when_one_gets_no_memory, 2);
  TEST(depths_end_in_shards_where_they_end_in_the_whole);
  LOOP(the_memory_that_was_planned_is_enough, KINDS);
  LOOP(a_solve_goes_on_with_other_ranks_and_shards, KINDS + 1);
}
