/* Aualé by every engine: against the slow definition, against published counts, and against each other. */
#include "databases/table.h"
#include "games/registry.h"
#include "recover/grid.h"
#include "solver/engines/cells.h"
#include "solver/engines/engine.h"
#include "tests/support/naive_tables.h"
#include "tests/support/oracle.h"
#include "tests/support/rules.h"
#include "tests/support/solver/world.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

enum { MOST_SEEDS = 12, SLOW_SEEDS = 7, THREADS_SEEDS = 10, MOST_THREADS = 3, RESERVED = INT8_MIN };

typedef enum { GRID, GENERAL, FORWARD, ENGINES } way; /* forward: general without predecessors */

static const char *const engine_names[] = {"grid", "general", "forward"};

static const struct {
  const char *rules, *cycles;
} variants[] = {{"awari", "even"},   {"awari,grand-slam=captures", "even"},   {"abapa", "even"},
                {"awari", "forced"}, {"awari,grand-slam=captures", "forced"}, {"abapa", "forced"}};

enum { VARIANTS = sizeof variants / sizeof *variants, AWARI_EVEN = 0, ABAPA_FORCED = 5 };

/* All slices of a rule set up to some number of seeds, to be solved by one engine. */
static world open_by(int variant, way by, int threads, uint32_t seeds) {
  static game forward;
  const game *auale = game_find("auale");
  forward = *auale;
  forward.retract = NULL;
  const game *game = by == FORWARD ? &forward : auale;
  game_rules *rules = suite_rules(game, variants[variant].rules, variants[variant].cycles);
  world w = world_open(game, rules, seeds + 1, threads);
  if (by == GRID)
    world_use_tiles(&w);
  else
    w.job.problem.engine = &engine_retrograde;
  return w;
}

static void solve_one(const solve_job *job, uint32_t slice, bool depths, solved_slice *out) {
  MUST(solve_alone(job, slice, depths, out, hear()));
}

static void compare_slices(const solved_slice *found, const solved_slice *right, const char *what) {
  ck_assert_uint_eq(found->positions, right->positions);
  ck_assert_int_eq(found->planes, right->planes);
  for (int plane = 0; plane < right->planes; plane++) {
    for (uint64_t i = 0; i < right->positions; i++) {
      const int depth = right->depths[plane] ? right->depths[plane][i] : 0;
      const int found_depth = right->depths[plane] ? found->depths[plane][i] : 0;
      if (found->cells[plane][i] == right->cells[plane][i] && found_depth == depth) continue;
      ck_abort_msg("%s, slice %u, plane %d, index %llu: value %d depth %d, not %d and %d", what, right->slice,
                   plane, (unsigned long long)i, found->cells[plane][i], found_depth, right->cells[plane][i],
                   depth);
    }
  }
}

static uint16_t cell_of(uint16_t depth) {
  return depth == SOLVE_NO_DEPTH ? 0 : depth;
}

static void compare_with_naive(const world *w, const naive_tables *naive, way by) {
  for (uint32_t n = 0; n < store_plain(w->finished).room; n++) {
    const naive_slice *right = &naive->slices[n];
    const solved_slice *found = &w->list[n];
    ck_assert_uint_eq(found->positions, (uint64_t)right->positions);
    ck_assert_int_eq(found->planes, naive->planes);
    for (int plane = 0; plane < found->planes; plane++) {
      for (int i = 0; i < right->positions; i++) {
        const int value = right->plain[plane][i], depth = right->plain_depths[plane][i];
        if (found->cells[plane][i] == value && cell_of(found->depths[plane][i]) == depth) continue;
        ck_abort_msg("%s, slice %u, plane %d, index %d: value %d depth %d, not %d and %d", engine_names[by],
                     n, plane, i, found->cells[plane][i], found->depths[plane][i], value, depth);
      }
    }
  }
}

CASE(every_engine_gives_the_slow_values_and_depths) {
  const uint32_t seeds = SOME(SLOW_SEEDS - 1, SLOW_SEEDS);
  naive_tables *naive = naive_tables_new(variants[_i].rules, variants[_i].cycles, (int)seeds);
  world worlds[ENGINES];
  for (way by = GRID; by < ENGINES; by++) {
    worlds[by] = open_by(_i, by, by == FORWARD ? 2 : 1, seeds);
    world_solve(&worlds[by], true);
    compare_with_naive(&worlds[by], naive, by);
    for (uint32_t n = 0; n <= seeds; n++) {
      compare_slices(&worlds[by].list[n], &worlds[GRID].list[n], engine_names[by]);
    }
  }
}

/* Positions per slice and value (or lower and upper bound). */
typedef uint64_t census[MOST_SEEDS + 1][2 * MOST_SEEDS + 1][2 * MOST_SEEDS + 1];

static void count_cells(const world *w, uint32_t seeds, census counts) {
  for (uint32_t n = 0; n <= seeds; n++) {
    const solved_slice *slice = &w->list[n];
    for (uint64_t i = 0; i < slice->positions; i++) {
      counts[n][slice->cells[0][i] + MOST_SEEDS][slice->cells[slice->planes - 1][i] + MOST_SEEDS]++;
    }
  }
}

/* Lines "slice,value,count" or "slice,lower,upper,count"; every count of the file, and no others. */
static void compare_with_oracle(const char *name, uint32_t seeds, census counts) {
  oracle_row row;
  uint64_t lines = 0;
  for (FILE *file = oracle_open(name); oracle_next(file, &row);) {
    const int slice = atoi(row.cell[0]), lower = atoi(row.cell[1]), upper = atoi(row.cell[row.cells - 2]);
    if (slice > (int)seeds) continue;
    uint64_t *found = &counts[slice][lower + MOST_SEEDS][upper + MOST_SEEDS];
    ck_assert_msg(*found == strtoull(row.cell[row.cells - 1], NULL, 10),
                  "%s: %llu boards of %d seeds, %d to %d", name, (unsigned long long)*found, slice, lower,
                  upper);
    *found = 0;
    lines++;
  }
  ck_assert_uint_gt(lines, 80);
  for (uint32_t n = 0; n <= seeds; n++) {
    for (int at = 0; at < (2 * MOST_SEEDS + 1) * (2 * MOST_SEEDS + 1); at++) {
      if (counts[n][at / (2 * MOST_SEEDS + 1)][at % (2 * MOST_SEEDS + 1)])
        ck_abort_msg("more than the oracle");
    }
  }
}

/* Boards without an index have the value of their best move. */
static int value_of_outside(const world *w, uint32_t slice, uint64_t i) {
  game_position position;
  w->game->outside_at(w->rules, slice, i, &position);
  int best = INT8_MIN;
  if (w->game->position_ended(w->rules, &position, &best)) return best;
  game_moves moves = {0};
  if (w->game->moves(w->rules, &position, &moves)) ck_abort_msg("no list of moves");
  for (size_t m = 0; m < moves.used; m++) {
    game_place to;
    if (!w->game->locate(w->rules, &moves.moves[m].child, &to)) ck_abort_msg("a child without an index");
    const int worth = moves.moves[m].gain - w->list[to.slice].cells[0][to.index];
    if (worth > best) best = worth;
  }
  game_moves_free(&moves);
  return best;
}

static void check_digest(const solved_slice *slice, int plane, bool depths, const char *right) {
  table_digester *digester = table_digester_new();
  for (uint64_t i = 0; i < slice->positions; i++) {
    const uint8_t cell = (uint8_t)(depths ? cell_of(slice->depths[plane][i]) : slice->cells[plane][i]);
    if (depths && cell_of(slice->depths[plane][i]) >= UINT8_MAX) ck_abort_msg("a depth needs two bytes");
    table_digester_add(digester, &cell, 1);
  }
  char found[TABLE_DIGEST_TEXT];
  table_digest_text(table_digester_end(digester), found);
  ck_assert_str_eq(found, right);
}

CASE(awari_has_the_published_counts_and_digests) {
  static census counts;
  world w = open_by(AWARI_EVEN, GRID, 2, MOST_SEEDS);
  world_solve(&w, true);
  count_cells(&w, 10, counts);
  compare_with_oracle("auale-awari-table-boards.csv", 10, counts);
  memset(counts, 0, sizeof counts);
  count_cells(&w, MOST_SEEDS, counts);
  for (uint32_t n = 0; n <= MOST_SEEDS; n++) {
    const uint64_t outside = w.game->outside(w.rules, n);
    for (uint64_t i = 0; i < outside; i++) {
      const int value = value_of_outside(&w, n, i) + MOST_SEEDS;
      counts[n][value][value]++;
    }
  }
  compare_with_oracle("auale-awari-all-boards.csv", MOST_SEEDS, counts);
  check_digest(&w.list[12], 0, false, "aad1aff13adac0549b5bab60a03d7fc9");
  check_digest(&w.list[12], 0, true, "5d0efaaaa42414c38e7a61409dd9c1b0");
}

CASE(abapa_has_the_derived_counts_and_digests) {
  static census counts;
  world w = open_by(ABAPA_FORCED, GRID, 2, 10);
  world_solve(&w, true);
  count_cells(&w, 8, counts);
  compare_with_oracle("auale-abapa-forced.csv", 8, counts);
  check_digest(&w.list[10], 0, false, "e2b34e1a12231baf0dd35aca1c98c7af");
  check_digest(&w.list[10], 1, false, "2a4e7ef5018ab9e58ac613d96bd258b6");
  check_digest(&w.list[10], 0, true, "9dd029213b8aeb2031a114208c54be30");
  check_digest(&w.list[10], 1, true, "1f5504148090045c6f7e4299455a270f");
}

/* The largest slice has more positions than the tiles engine solves with a single thread. */
CASE(threads_change_nothing) {
  static const int chosen[] = {AWARI_EVEN, ABAPA_FORCED};
  world w = open_by(chosen[_i], GRID, 1, THREADS_SEEDS);
  world_solve(&w, true);
  for (int by = GRID; by <= GENERAL; by++) {
    for (int threads = SOME(MOST_THREADS, by == GRID ? 2 : 1); threads <= MOST_THREADS; threads++) {
      solve_job job = w.job;
      job.problem.engine = by == GENERAL ? &engine_retrograde : NULL;
      job.work.threads = threads;
      solved_slice again = {0};
      solve_one(&job, THREADS_SEEDS, true, &again);
      compare_slices(&again, &w.list[THREADS_SEEDS], engine_names[by]);
      solved_slice_free(w.memory, &again);
    }
  }
}

/* Depths of values that are there already, as a later build with --depth asks for them. */
CASE(depths_can_be_added_later) {
  for (int by = GRID; by <= GENERAL; by++) {
    world w = open_by(ABAPA_FORCED, (way)by, 1, SLOW_SEEDS);
    world_solve(&w, true);
    sharded_slice slice;
    solve_effort effort = {0};
    MUST(solve_open(&w.job, SLOW_SEEDS, true, &slice, NULL));
    MUST(solve_slice(&w.job, false, &slice, &effort, NULL));
    ck_assert_ptr_null(slice.shards[0].parts[SHARD_DEPTHS]);
    MUST(solve_depths(&w.job, &slice, &effort, NULL));
    solved_slice later = sharded_release(&slice);
    compare_slices(&later, &w.list[SLOW_SEEDS], engine_names[by]);
    solved_slice_free(w.memory, &later);
  }
}

static solved_slice stored_cells(const world *w, uint32_t n, int8_t *const lookups[SOLVE_PLANES],
                                 uint64_t *reserved) {
  const solved_slice *slice = &w->list[n];
  solved_slice stored = {.slice = n, .positions = slice->positions, .planes = slice->planes};
  uint8_t *left_out = suite_zeros(slice->positions, 1);
  w->game->left_out(w->rules, n, 0, slice->positions, left_out);
  for (int plane = 0; plane < slice->planes; plane++) {
    MUST(memory_allocate((memory_budget *)w->job.work.memory, slice->positions, "cells", &stored.cells[plane],
                         NULL));
    for (uint64_t i = 0; i < slice->positions; i++) {
      const int8_t cell = slice->cells[plane][i];
      const bool goes = left_out[i] || cell == lookups[plane][i];
      const game_lookup look = w->game->lookup(w->rules, (game_place){n, i});
      if (look != (left_out[i] ? LOOKUP_ALL : LOOKUP_CONVERTING)) ck_abort_msg("a wrong kind of look");
      if (lookups[plane][i] > cell) ck_abort_msg("a move worth more than the board");
      stored.cells[plane][i] = goes ? RESERVED : cell;
      *reserved += goes;
    }
  }
  return stored;
}

/* As who reads whole slices has them, by several threads. */
static void recover_for_readers(const world *w, uint32_t n, int8_t *lookups[SOLVE_PLANES]) {
  static const int8_t reserved[SOLVE_PLANES] = {RESERVED, RESERVED};
  uint64_t left_out = 0;
  solved_slice stored = stored_cells(w, n, lookups, &left_out);
  const recover_grid_job job = {.game = w->game,
                                .rules = w->rules,
                                .tables = w->job.grid_tables,
                                .finished = store_plain(w->job.store),
                                .threads = 2};
  MUST(recover_grid(&job, &stored, reserved, NULL));
  compare_slices(&stored, &w->list[n], "readers");
  solved_slice_free(w->job.work.memory, &stored);
}

CASE(cells_left_out_come_back) {
  enum { SEEDS = 8 };
  static const int8_t reserved[SOLVE_PLANES] = {RESERVED, RESERVED};
  uint64_t left_out = 0, all = 0;
  world w = open_by(_i, GRID, 1, SEEDS);
  world_solve(&w, false);
  for (uint32_t n = 0; n <= SEEDS; n++) {
    int8_t *grid_lookups[SOLVE_PLANES] = {NULL};
    for (int by = GRID; by <= GENERAL; by++) {
      solve_job job = w.job;
      job.problem.engine = by == GENERAL ? &engine_retrograde : NULL;
      int8_t *lookups[SOLVE_PLANES] = {NULL};
      toy_lookups(&job, &w.list[n], lookups);
      solved_slice stored = stored_cells(&w, n, lookups, &left_out);
      all += stored.positions * (uint64_t)stored.planes;
      MUST(toy_recover(&job, &stored, reserved));
      compare_slices(&stored, &w.list[n], engine_names[by]);
      solved_slice_free(w.memory, &stored);
      if (by == GRID) recover_for_readers(&w, n, lookups);
      for (int plane = 0; plane < w.list[n].planes; plane++) {
        const bool both = lookups[plane] && grid_lookups[plane];
        ck_assert(by == GRID ||
                  (both && memcmp(lookups[plane], grid_lookups[plane], w.list[n].positions) == 0));
        memory_free(w.memory, grid_lookups[plane]);
        grid_lookups[plane] = lookups[plane];
      }
    }
    for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_free(w.memory, grid_lookups[plane]);
  }
  ck_assert_uint_gt(left_out, all / 2);
  ck_assert_uint_lt(left_out, all);
}

/* All steps of a slice while it is built; everything is given back, also after an error. */
static tauler_error solve_look_and_recover(const solve_job *job, uint32_t n, tauler_message *message) {
  static const int8_t reserved[SOLVE_PLANES] = {RESERVED, RESERVED};
  sharded_slice slice;
  solve_effort effort = {0};
  tauler_error error = solve_open(job, n, true, &slice, message);
  if (error) return error;
  error = solve_slice(job, true, &slice, &effort, message);
  if (!error) error = solve_lookups(job, &slice, message);
  if (!error) error = solve_recover(job, &slice, reserved, message);
  sharded_free(&slice);
  return error;
}

/* Every allocation fails once, alone and with all that come after it. */
CASE(a_failing_allocation_leaks_nothing) {
  enum { SEEDS = 5, LEAST_TAKES = 8, MOST_TAKES = 5000 };
  const way by = _i % 2 ? GENERAL : GRID;
  world w = open_by(_i < 2 ? AWARI_EVEN : ABAPA_FORCED, by, 2, SEEDS);
  world_solve(&w, false);
  memory_budget *memory = suite_budget(0);
  w.job.work.memory = memory;
  uint64_t nth = 0;
  for (tauler_error error = TAULER_NO_MEMORY; error && nth < MOST_TAKES;) {
    nth++;
    for (int onwards = 0; onwards < 2; onwards++) {
      memory_fail_allocation(memory, nth, onwards);
      error = solve_look_and_recover(&w.job, SEEDS, hear());
      if (!error) break;
      ck_assert_int_eq(error, TAULER_NO_MEMORY);
      ck_assert_int_ne(said.text[0], '\0');
    }
  }
  ck_assert_uint_gt(nth, LEAST_TAKES);
  ck_assert_uint_lt(nth, MOST_TAKES);
}

/* Memory that engines plan is enough, and not far from the memory they take; the general engine can only
 * guess the most updates under way. */
static void check_plan(const world *w, way by, int threads, uint32_t n, bool depths) {
  solve_job job = w->job;
  job.problem.engine = by != GRID ? &engine_retrograde : NULL;
  job.work.threads = threads;
  const uint64_t planned = by == GRID ? engine_tiles.cells->bytes(&job, n, depths, 1, 1, NULL)
                                      : engine_retrograde.cells->bytes(&job, n, depths, 1, 1, NULL);
  memory_budget *memory = suite_budget(planned);
  job.work.memory = memory;
  solved_slice slice = {0};
  const tauler_error error = solve_alone(&job, n, depths, &slice, hear());
  ck_assert_msg(!error, "%s, slice %u, %d threads, depths %d: %s", engine_names[by], n, threads, depths,
                said.text);
  const uint64_t least = planned / 100 * (by == GRID ? 85 : 50);
  ck_assert_msg(n < 8 || memory_peak(memory) >= least,
                "%s, slice %u, %d threads, depths %d: %llu planned, %llu taken", engine_names[by], n, threads,
                depths, (unsigned long long)planned, (unsigned long long)memory_peak(memory));
  solved_slice_free(memory, &slice);
}

CASE(the_memory_that_was_planned_is_enough) {
  const uint32_t seeds = SOME(8, 10);
  static const int chosen[] = {AWARI_EVEN, ABAPA_FORCED};
  const way by = _i % 2 ? GENERAL : GRID;
  world w = open_by(chosen[_i / 2], GRID, 1, seeds);
  world_solve(&w, false);
  for (uint32_t n = 0; n <= seeds; n += n < 4 ? 1 : 2) {
    for (int threads = 1; threads <= 2; threads++) {
      check_plan(&w, by, threads, n, false);
      check_plan(&w, by, threads, n, true);
    }
  }
}

SUITE("solver") {
  LOOP(every_engine_gives_the_slow_values_and_depths, VARIANTS);
  TESTS(awari_has_the_published_counts_and_digests, abapa_has_the_derived_counts_and_digests);
  LOOP(threads_change_nothing, 2);
  TEST(depths_can_be_added_later);
  LOOP(cells_left_out_come_back, VARIANTS);
  LOOP(a_failing_allocation_leaks_nothing, 4);
  LOOP(the_memory_that_was_planned_is_enough, 4);
}
