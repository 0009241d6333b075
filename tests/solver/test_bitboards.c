/* Slices in words: the same cells as the naive definition and the general engine give, stopped at every wave,
 * without memory anywhere, and at the longest play that can be counted. */
#include <sys/mman.h>
#include <sys/stat.h>

#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/engine.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy_comm.h"

/* Few moves and ends make for long play. */
static const toy_bitboards_graph graphs[] = {
    {1, {700}, 3, 2, 1, 0, 1, 1},           {3, {300, 500, 400}, 3, 1, 1, 12, 1, 1},
    {3, {400, 300, 500}, 2, 2, 0, 6, 2, 0}, {4, {200, 100, 300, 400}, 4, 3, 2, 20, 0, 2},
    {2, {900, 900}, 2, 1, 0, 2, 0, 0},      {3, {1, 2, 3}, 3, 30, 10, 30, 10, 10},
    {2, {500, 400}, 3, 0, 5, 10, 0, 0}, /* nobody can win */
};

static const toy_bitboards_shape shapes[] = {
    {.cells = 7, .tile_blocks = 5, .left_out_percent = 30},
    {.cells = 20, .tile_blocks = 1, .run = 1},
    {.cells = 1, .tile_blocks = 64, .run = 3, .left_out_percent = 50},
    {.cells = 3, .tile_blocks = 2, .run = 5, .left_out_percent = 20},
    {.cells = 13, .tile_blocks = 1000},
    {.cells = 3, .tile_blocks = 4, .groups = 6, .spare = 10},
    {.cells = 9, .tile_blocks = 7, .run = 2, .groups = 40}, /* more groups than tiles */
    {.cells = 5, .tile_blocks = 3, .groups = 1}};
enum { SWEEPING = 5 };

/* Enough blocks for several threads, and for several units of a checkpoint. */
static const toy_bitboards_graph large_graph = {3, {11000, 19000, 9000}, 2, 1, 0, 3, 0, 0};
static const toy_bitboards_shape large_shape = {
    .cells = 2, .tile_blocks = 30, .run = 4, .left_out_percent = 20};
static const toy_bitboards_shape swept_shape = {.cells = 2, .tile_blocks = 30, .run = 4, .groups = 50};

enum { GRAPHS = sizeof graphs / sizeof *graphs, SHAPES = sizeof shapes / sizeof *shapes, SEEDS = 2 };

CASE(words_give_the_slow_cells) {
  const int graph = _i % GRAPHS, shape = _i / GRAPHS % SHAPES, seed = _i / GRAPHS / SHAPES;
  toy_world *w = toy_world_open(toy_bitboards_random(&graphs[graph], (uint64_t)_i), &shapes[shape], 1 + seed);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    toy_world_compare(w, &w->list[s]);
    ck_assert_uint_le(w->list[s].longest, BITBOARDS_MOST_WAVES);
  }
}

CASE(threads_change_nothing) {
  toy_world *w = toy_world_open(toy_bitboards_random(&large_graph, 3), _i ? &swept_shape : &large_shape, 1);
  toy_world_find_right(w);
  for (int threads = 1; threads <= 3; threads++) {
    w->job.work.threads = threads;
    toy_world_solve_all(w);
    for (uint32_t s = 0; s < w->toy->used; s++) {
      ck_assert_uint_ge(w->list[s].plan.blocks, 4096);
      ck_assert_uint_gt(w->list[s].longest, 20);
      toy_world_compare(w, &w->list[s]);
    }
    for (uint32_t s = 0; s < w->toy->used; s++) bitboard_slice_close(&w->memory, &w->list[s]);
  }
}

/* Every tile once in each wave, the two after the last decision included. */
CASE(waves_sweep_over_all_tiles) {
  toy_world *w = toy_world_open(toy_bitboards_random(&large_graph, 3), &swept_shape, 1 + _i);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    w->words->begun = w->words->relaxed = 0;
    toy_world_solve(w, s);
    const uint64_t tiles = w->list[s].plan.tiles;
    ck_assert_uint_eq(w->words->begun, tiles);
    ck_assert_uint_eq(w->words->relaxed % tiles, 0);
    ck_assert_uint_ge(w->words->relaxed / tiles, w->list[s].longest + 2u);
  }
}

/* --- stopping --- */

static bool always(void *user) {
  ++*(int *)user;
  return true;
}

typedef struct {
  int asked, period;
} stop_plan;

static bool now_and_then(void *user) {
  stop_plan *plan = user;
  return ++plan->asked == plan->period;
}

/* Every call does so many waves, until none is left; returns how many waves were done by calls that stopped.
 */
static int solve_in_parts(toy_world *w, uint32_t slice, int period) {
  int calls = 0;
  for (;; calls++) {
    stop_plan stops = {0, period};
    const solve_checkpoints checkpoints = {folder, 0, now_and_then, &stops};
    w->job.checkpoints = &checkpoints;
    w->job.work.threads = 1 + calls % 3;
    const uint64_t taken = memory_allocated(&w->memory);
    const tauler_error error = toy_world_try(w, slice, hear());
    w->job.checkpoints = NULL;
    if (!error) break;
    ck_assert_msg(error == TAULER_STOPPED, "%s", said.text);
    ck_assert_int_eq(stops.asked, period);
    ck_assert_ptr_null(w->list[slice].won);
    ck_assert_uint_eq(memory_allocated(&w->memory), taken);
  }
  return calls * period;
}

static int files_in(const char *name) {
  char command[300];
  snprintf(command, sizeof command, "ls -A '%s' | wc -l", name);
  FILE *listing = popen(command, "r");
  int n = -1;
  if (fscanf(listing, "%d", &n) != 1) n = -1;
  pclose(listing);
  return n;
}

CASE(a_slice_goes_on_from_every_wave) {
  const bool large = _i == 0; /* its other slices have no more units */
  toy_world *w = toy_world_open(toy_bitboards_random(large ? &large_graph : &graphs[_i % GRAPHS], 3),
                                large ? &large_shape : &shapes[_i == 2 ? SWEEPING : _i % SHAPES], 1);
  toy_world_find_right(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    if (large && s != 1) {
      toy_world_solve(w, s);
      continue;
    }
    w->words->begun = w->words->relaxed = 0;
    const int period = large ? 9 : 1, waves = solve_in_parts(w, s, period);
    const uint64_t tiles = w->list[s].plan.tiles, relaxed = w->words->relaxed / tiles;
    ck_assert_int_ge(waves + period, w->list[s].longest);
    ck_assert_uint_eq(w->words->begun, tiles);
    ck_assert_uint_le(relaxed, (uint64_t)(waves + period)); /* nothing is done twice */
    ck_assert_uint_ge(relaxed, (uint64_t)waves);
    toy_world_compare(w, &w->list[s]);
    const solve_checkpoints checkpoints = {folder, 0, NULL, NULL};
    w->job.checkpoints = &checkpoints;
    checkpointer_remove(&w->job, s, false); /* the depths are not there yet */
    ck_assert_int_eq(files_in(folder), 2);
    checkpointer_remove(&w->job, s, true);
    ck_assert_int_eq(files_in(folder), 0);
    w->job.checkpoints = NULL;
  }
}

/* Ranks that solve different slices at the same time, each in folders of its own. */
static void solve_as_rank(comm *comm, void *user) {
  const char *const *folders = user;
  const int rank = comm_rank(comm);
  toy_world *w = toy_world_open(toy_bitboards_random(&graphs[1], 2), &shapes[0], 1);
  const solve_checkpoints checkpoints = {folders[rank], 0, NULL, NULL};
  w->job.work.comm = comm;
  w->job.checkpoints = &checkpoints;
  for (uint32_t s = 0; s <= (uint32_t)rank; s++) toy_world_solve(w, s);
}

CASE(ranks_solve_slices_of_their_own) {
  char other[300];
  snprintf(other, sizeof other, "%s/other", folder);
  ck_assert_int_eq(mkdir(other, 0700), 0);
  const char *folders[] = {folder, other};
  toy_comm_run(2, solve_as_rank, (void *)folders);
}

/* The reported progress, over all calls and in the last one. */
CASE(decided_cells_are_reported) {
  toy_world *w = toy_world_open(toy_bitboards_random(&graphs[2], 5), &shapes[0], 1);
  toy_world_find_right(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    uint64_t decided = 0;
    for (uint64_t i = 0; i < w->right[s].positions; i++) decided += w->right[s].cells[0][i] != 0;
    int asked = 0;
    const solve_checkpoints checkpoints = {folder, 0, always, &asked};
    tauler_error error = TAULER_STOPPED;
    for (int stops = 0; error == TAULER_STOPPED; stops++) {
      progress shown;
      progress_open(&shown, stderr, PROGRESS_QUIET);
      progress_start(&shown, "slice", "cells", w->right[s].positions, 0);
      solve_effort effort = {0};
      w->job.work.shown = &shown;
      w->job.checkpoints = stops < 5 ? &checkpoints : NULL;
      error = bitboard_slice_solve(&w->job, w->cells, s, &w->list[s], &effort, NULL);
      if (!error) w->cells[s] = (game_bitboards_finished){w->list[s].won, w->list[s].lost, w->list[s].depth};
      ck_assert_uint_eq(shown.done, effort.shown);
      if (!error) ck_assert_uint_eq(effort.shown, decided);
      progress_abandon(&shown);
    }
    ck_assert_int_eq(error, TAULER_OK);
  }
  w->job.work.shown = NULL;
  w->job.checkpoints = NULL;
}

/* --- memory --- */

CASE(memory_may_fail_anywhere) {
  const bool sweeps = _i == 1;
  toy_world *w = toy_world_open(toy_bitboards_random(&graphs[1], 9), &shapes[sweeps ? SWEEPING : 0], 2);
  toy_world_find_right(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    const uint64_t taken = memory_allocated(&w->memory);
    tauler_error error = TAULER_NO_MEMORY;
    uint64_t nth = 0;
    while (error) {
      nth++;
      memory_fail_allocation(&w->memory, nth, nth % 2);
      error = toy_world_try(w, s, hear());
      if (!error) break;
      ck_assert_int_eq(error, TAULER_NO_MEMORY);
      ck_assert(said.text[0]);
      ck_assert_ptr_null(w->list[s].tables);
      ck_assert_uint_eq(memory_allocated(&w->memory), taken);
    }
    /* Three arrays, scratch, two of marks or spare words; three of conversions. */
    ck_assert_uint_eq(nth, 1u + (sweeps ? 5 : 6) + (s > 0 ? 3 : 0));
    memory_fail_allocation(&w->memory, 0, false);
    toy_world_compare(w, &w->list[s]);
  }
}

/* Blocks in long runs, so that what stands for nothing is whole pages. */
static const toy_bitboards_graph wide_graph = {2, {20000, 400000}, 2, 1, 1, 3, 1, 1};
static const toy_bitboards_shape wide_shape = {.cells = 2, .tile_blocks = 60, .run = 5000};
static const toy_bitboards_shape spare_shape = {.cells = 2, .tile_blocks = 60, .groups = 3, .spare = 400000};

CASE(what_is_planned_is_taken) {
  const bool wide = _i == 0, spare = _i == 2;
  toy_world *w = toy_world_open(toy_bitboards_random(wide ? &wide_graph : &large_graph, 3),
                                wide    ? &wide_shape
                                : spare ? &spare_shape
                                        : &large_shape,
                                1 + _i);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    const uint64_t before = memory_allocated(&w->memory), planned = bitboard_slice_bytes(&w->job, s);
    memory_budget *tight = suite_budget(planned);
    w->job.work.memory = tight;
    toy_world_solve(w, s);
    ck_assert_uint_eq(memory_allocated(tight), bitboard_slice_finished_bytes(&w->job, s));
    ck_assert_uint_eq(memory_allocated(&w->memory), before);
    const uint64_t blocks = w->list[s].plan.blocks, touched = w->list[s].plan.touched_blocks;
    if (wide && s == 1) {
      ck_assert_uint_lt(touched, blocks * 6 / 10);
      ck_assert_uint_lt(planned, blocks * 40 * 6 / 10 + (1 << 20));
      ck_assert_uint_ge(memory_peak(tight), planned - planned / 10);
    }
    if (spare) {
      ck_assert_uint_ge(planned, spare_shape.spare * sizeof(uint64_t));
      ck_assert_uint_ge(memory_peak(tight), spare_shape.spare * sizeof(uint64_t));
    }
    bitboard_slice_close(tight, &w->list[s]);
    memory_budget_open(tight, planned - planned / 2);
    ck_assert_int_eq(toy_world_try(w, s, NULL), TAULER_NO_MEMORY);
    w->job.work.memory = &w->memory;
    toy_world_solve(w, s);
  }
}

/* Pages between two runs of blocks that are in memory. */
static uint64_t pages_in_holes(const toy_world *w, const bitboard_slice *slice) {
  enum { PAGE = 4096 };
  const uint64_t run = w->words->shape.run;
  uint64_t resident = 0;
  for (uint64_t block = run; block + run <= slice->plan.blocks; block += 2 * run) {
    const uintptr_t from = ((uintptr_t)(slice->won + block) + PAGE - 1) / PAGE * PAGE;
    const uintptr_t to = (uintptr_t)(slice->won + block + run) / PAGE * PAGE;
    unsigned char there[64];
    ck_assert_uint_le((to - from) / PAGE, sizeof there);
    ck_assert_int_eq(mincore((void *)from, to - from, there), 0);
    for (uintptr_t page = 0; page < (to - from) / PAGE; page++) resident += there[page] & 1;
  }
  return resident;
}

static bool in_the_third_wave(void *user) {
  return ++*(int *)user == 3;
}

CASE(what_stands_for_nothing_stays_untouched) {
  toy_world *w = toy_world_open(toy_bitboards_random(&wide_graph, 3), &wide_shape, 1);
  toy_world_solve(w, 0);
  int asked = 0;
  const solve_checkpoints checkpoints = {folder, 0, in_the_third_wave, &asked};
  w->job.checkpoints = &checkpoints;
  ck_assert_int_eq(toy_world_try(w, 1, NULL), TAULER_STOPPED);
  w->words->begun = 0;
  toy_world_solve(w, 1);
  ck_assert_uint_eq(w->words->begun, 0);
  ck_assert_uint_eq(pages_in_holes(w, &w->list[1]), 0);
  w->job.checkpoints = NULL;
}

/* --- ends --- */

static const toy_bitboards_shape path_shape = {.cells = 5, .tile_blocks = 3};
static const toy_bitboards_shape short_shapes[] = {
    {.cells = 5, .tile_blocks = 3, .most_waves = 125},
    {.cells = 5, .tile_blocks = 3, .groups = 4, .most_waves = 125}};

typedef struct {
  uint32_t slices;
  uint64_t lengths[TOY_SLICES];
  bool too_long;
} path;

static void check_path(const path *way, const toy_bitboards_shape *shape, const char *most) {
  const uint32_t slices = way->slices;
  toy_world *w = toy_world_open(toy_bitboards_path(slices, way->lengths), shape, 1);
  for (uint32_t s = 0; s + 1 < slices; s++) toy_world_solve(w, s);
  const uint64_t taken = memory_allocated(&w->memory);
  const tauler_error error = toy_world_try(w, slices - 1, hear());
  if (way->too_long) {
    REFUSED(TAULER_INTERNAL, most, error);
    ck_assert_uint_eq(memory_allocated(&w->memory), taken);
  } else {
    ck_assert_msg(!error, "%s", said.text);
    toy_world_find_right(w);
    for (uint32_t s = 0; s < slices; s++) toy_world_compare(w, &w->list[s]);
  }
}

/* Waves in which nothing is decided, with conversions that fall due after them, and the longest play. */
static const path paths[] = {{1, {510}, false},         {1, {511}, true},         {2, {300, 3}, false},
                             {3, {200, 309, 1}, false}, {3, {200, 309, 2}, true}, {2, {510, 1}, true},
                             {2, {509, 1}, false},      {3, {1, 1, 1}, false},    {4, {100, 1, 1, 5}, false}};

CASE(the_longest_play_is_counted) {
  check_path(&paths[_i], &path_shape, "509");
}

static const path short_paths[] = {{1, {126}, false},     {1, {127}, true},     {1, {300}, true},
                                   {2, {100, 26}, false}, {2, {100, 27}, true}, {2, {125, 1}, false}};
enum { SHORT_PATHS = sizeof short_paths / sizeof *short_paths };

CASE(depths_may_tell_less) {
  check_path(&short_paths[_i / 2], &short_shapes[_i % 2], "longer than the 125 plies");
}

/* A loss too long to be counted that is none, since its loser may go to and fro. */
CASE(what_falls_due_too_late_and_decides_nothing_is_no_error) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 2, (const uint64_t[]){510, 2});
  toy_end(toy, 0, 0, -1);
  for (uint64_t i = 1; i < 510; i++) toy_quiet(toy, 0, i, i - 1);
  toy_convert(toy, 1, 0, 0, 0, 509);
  toy_quiet(toy, 1, 0, 1);
  toy_quiet(toy, 1, 1, 0);
  toy_seal(toy, true);
  toy_world *w = toy_world_open(toy, &path_shape, 1);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  toy_world_compare(w, &w->list[1]);
}

CASE(a_kernel_may_give_up) {
  toy_world *w = toy_world_open(toy_bitboards_random(&large_graph, 3), &large_shape, 1 + _i);
  toy_world_solve(w, 0);
  const uint64_t taken = memory_allocated(&w->memory);
  w->words->failing_wave = 3;
  w->words->relaxed = 0;
  ck_assert_int_eq(toy_world_try(w, 1, hear()), TAULER_INTERNAL);
  ck_assert(said.text[0]);
  ck_assert_ptr_null(w->list[1].won);
  ck_assert_uint_eq(memory_allocated(&w->memory), taken);
  game_bitboards_plan plan;
  w->toy->game.bitboards->plan(w->toy->rules, 1, &plan);
  ck_assert_uint_le(w->words->relaxed, 3 * plan.tiles);
}

CASE(words_serve_whoever_has_them) {
  toy_world *w = toy_world_open(toy_bitboards_random(&graphs[5], 1), &shapes[0], 1);
  ck_assert(engine_bitboard.serves(&w->toy->game, w->toy->rules));
  game without = w->toy->game;
  without.bitboards = NULL;
  ck_assert(!engine_bitboard.serves(&without, w->toy->rules));
}

SUITE("words") {
  GROUP("cells");
  LOOP(words_give_the_slow_cells, GRAPHS * SHAPES * SEEDS);
  LOOP(threads_change_nothing, 2);
  LOOP(waves_sweep_over_all_tiles, 3);
  TEST(words_serve_whoever_has_them);
  GROUP("stops");
  FIXTURE(make_folder, remove_folder);
  LOOP(a_slice_goes_on_from_every_wave, suite_is_long() ? GRAPHS : 3);
  TESTS(ranks_solve_slices_of_their_own, decided_cells_are_reported, what_stands_for_nothing_stays_untouched);
  GROUP("ends");
  LOOP(memory_may_fail_anywhere, 2);
  LOOP(what_is_planned_is_taken, 3);
  LOOP(the_longest_play_is_counted, ROWS(paths));
  LOOP(depths_may_tell_less, 2 * SHORT_PATHS);
  TEST(what_falls_due_too_late_and_decides_nothing_is_no_error);
  LOOP(a_kernel_may_give_up, 3);
}
