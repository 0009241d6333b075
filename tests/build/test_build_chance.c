/* Builds of games of chance: tables hold the solver's bounds whatever the threads and ranks; a smaller width
 * builds them anew; plans say what is built. */
#include <sys/stat.h>
#include <unistd.h>

#include "databases/names.h"
#include "tests/support/suite.h"
#include "tests/support/toy_chance_build.h"
#include "tests/support/toy_store.h"

/* --- what tables hold --- */

static void compare_slice(const chance_slice *solved) {
  chance_quantities quantities;
  chance_toy->game.chance->quantities(chance_toy->rules, solved->slice, &quantities);
  for (int i = 0; i < 2 * quantities.used; i++) {
    char stream[CHANCE_STREAM_BYTES];
    chance_stream_name(&quantities, i / 2, i % 2, stream);
    table_header header;
    double *cells = chance_build_read(solved->slice, stream, &header);
    const double *right = i % 2 ? solved->upper[i / 2] : solved->lower[i / 2];
    ck_assert_int_eq(memcmp(cells, right, solved->positions * sizeof *cells), 0);
    ck_assert(header.cell == TABLE_F64 && header.coding == TABLE_PLAIN);
    ck_assert(header.width == solved->width && header.asked_width == 1e-9);
    ck_assert_uint_eq(header.endless, solved->endless);
  }
}

/* Solved one by one, each with all that it needs and nothing else. */
static void solve_one_by_one(chance_slice solved[TOY_CHANCE_SLICES], chance_effort efforts[TOY_CHANCE_SLICES],
                             memory_budget *memory) {
  const solve_job job = toy_job(&chance_toy->game, chance_toy->rules, 1, memory);
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) {
    chance_slice needed[TOY_CHANCE_SLICES] = {{0}};
    for (uint32_t k = 0; k < s; k++) {
      if (toy_chance_needs(s, k)) needed[k] = solved[k];
    }
    const chance_slices finished = {needed, TOY_CHANCE_SLICES};
    const chance_job chance = {&job, &finished, 1e-9};
    MUST(chance_solve(&chance, s, &solved[s], &efforts[s], NULL));
  }
}

/* The last slice is the largest. */
static void compare_cost(const build_cost *cost, const chance_slice *solved, const chance_effort *efforts) {
  uint64_t sweeps[BUILD_SWEEPS] = {0}, updates[BUILD_SWEEPS] = {0};
  double width = 0;
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) {
    for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
      const uint64_t of_slice = efforts[s].sweeps[kind].sweeps;
      sweeps[kind] += of_slice;
      updates[kind] += of_slice * chance_toy->positions[s];
      if (s + 1 == TOY_CHANCE_SLICES) ck_assert_uint_eq(cost->sweeps_of_largest[kind].sweeps, of_slice);
    }
    if (solved[s].width > width) width = solved[s].width;
  }
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
    ck_assert_uint_eq(cost->sweeps[kind].sweeps, sweeps[kind]);
    ck_assert_uint_eq(cost->sweeps[kind].updates, updates[kind]);
    ck_assert((cost->sweeps[kind].seconds > 0) == (sweeps[kind] > 0));
  }
  ck_assert_uint_eq(build_updates(cost->sweeps), updates[0] + updates[1] + updates[2]);
  ck_assert_uint_eq(cost->largest_solved, chance_toy->positions[TOY_CHANCE_SLICES - 1]);
  ck_assert(cost->width == width);
}

CASE(tables_hold_the_bounds_of_the_solver) {
  chance_toy->endless = _i ? 5 : 0;
  chance_build a = chance_build_well(1, 1);
  memory_budget *memory = suite_budget(UINT64_C(1) << 30);
  chance_slice solved[TOY_CHANCE_SLICES];
  chance_effort efforts[TOY_CHANCE_SLICES];
  solve_one_by_one(solved, efforts, memory);
  compare_cost(&a.cost, solved, efforts);
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) {
    compare_slice(&solved[s]);
    chance_slice_free(memory, &solved[s]);
  }
  uint64_t positions = 0;
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) positions += chance_toy->positions[s];
  ck_assert_uint_eq(a.cost.positions_solved, positions);
  ck_assert_uint_eq(chance_build_count(&a), TOY_CHANCE_TABLES);
  ck_assert(a.cost.solving > 0 && a.cost.writing > 0 && a.cost.solving_wall > 0);
}

CASE(streams_are_named_after_quantities) {
  static const char *const right[TOY_CHANCE_TABLES] = {
      "lower", "upper",       "lower",       "upper",       "lower",       "upper",       "lower",
      "upper", "lower-win-1", "upper-win-1", "lower-win-2", "upper-win-2", "lower-turns", "upper-turns"};
  const chance_build a = chance_build_well(1, 1);
  for (size_t i = 0; i < TOY_CHANCE_TABLES; i++) {
    ck_assert_str_eq(a.lines[i].stream, right[i]);
    ck_assert_int_eq(atoi(a.lines[i].slice), i < 8 ? (int)i / 2 : 4);
  }
}

static const struct { int ranks, threads; } ways[] = {{1, 2}, {1, 3}, {2, 1}, {3, 2}};
enum { WAYS = sizeof ways / sizeof *ways };

CASE(tables_are_the_same_for_threads_and_ranks) {
  const chance_build right = chance_build_well(1, 1);
  chance_build_empty_folder();
  const chance_build a = chance_build_well(ways[_i].ranks, ways[_i].threads);
  chance_build_check_same(&a, &right);
}

CASE(a_build_with_everything_there_does_nothing) {
  const chance_build first = chance_build_well(1, 1);
  memset(chance_toy->expanded, 0, sizeof chance_toy->expanded);
  const chance_build a = chance_build_well(_i + 1, 2);
  chance_build_check_same(&a, &first);
  ck_assert_uint_eq(chance_build_count(&a), 0);
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) ck_assert_uint_eq(chance_toy->expanded[s], 0);
}

/* A build loads the slices that it needs and solves no other; further tables do not change the result. */
CASE(a_missing_table_is_built_again) {
  const chance_build first = chance_build_well(1, 1);
  for (size_t i = 0; i < TOY_CHANCE_TABLES; i++) {
    char path[FOLDER_PATH_BYTES];
    const uint32_t slice = (uint32_t)atoi(first.lines[i].slice);
    chance_build_path(slice, first.lines[i].stream, path);
    ck_assert_int_eq(unlink(path), 0);
    memset(chance_toy->expanded, 0, sizeof chance_toy->expanded);
    const chance_build a = chance_build_well(1 + (int)i % 3, 2);
    chance_build_check_same(&a, &first);
    ck_assert_uint_eq(chance_build_count(&a), slice == 4 ? 6 : 2);
    for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++)
      ck_assert_int_eq(chance_toy->expanded[s] > 0, s == slice);
  }
}

/* --- widths --- */

CASE(a_smaller_width_builds_anew) {
  const chance_build wide = chance_build_to(1, 1, 1e-3);
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) {
    const table_header header = chance_build_header(s, s == 4 ? "upper-turns" : "upper");
    ck_assert(header.width > 1e-9 && header.width <= 1e-3 && header.asked_width == 1e-3);
  }
  const chance_build narrow = chance_build_to(1, 1, 1e-9);
  ck_assert_uint_eq(chance_build_count(&narrow), TOY_CHANCE_TABLES);
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++)
    ck_assert(chance_build_header(s, s == 4 ? "lower-win-2" : "lower").width <= 1e-9);
  for (size_t i = 0; i < TOY_CHANCE_TABLES; i++)
    ck_assert(!chance_build_same_table(&narrow.lines[i], &wide.lines[i]));
  const chance_build kept = chance_build_to(1, 1, 1e-3);
  ck_assert_uint_eq(chance_build_count(&kept), 0);
  chance_build_check_same(&kept, &narrow);
  chance_build_empty_folder();
  const chance_build right = chance_build_to(1, 1, 0);
  chance_build_check_same(&narrow, &right);
}

/* As after a build with a smaller width that was killed between two tables. */
CASE(bounds_of_two_builds_are_built_again) {
  char path[FOLDER_PATH_BYTES], beside[FOLDER_PATH_BYTES + 8];
  chance_build_path(0, _i ? "upper" : "lower", path);
  snprintf(beside, sizeof beside, "%s.old", path);
  chance_build_to(1, 1, 1e-5);
  chance_build_copy(path, beside);
  const chance_build narrow = chance_build_to(1, 1, 1e-7);
  chance_build_copy(beside, path);
  /* Wide enough for both. */
  const chance_build mixed = chance_build_to(1, 1, 1e-3);
  ck_assert_uint_eq(chance_build_count(&mixed), 2);
  chance_build_copy(beside, path);
  const chance_build again = chance_build_to(1, 1, 1e-7);
  ck_assert_uint_eq(chance_build_count(&again), 2);
  chance_build_check_same(&again, &narrow);
}

CASE(endless_play_is_told_and_not_solved_twice) {
  chance_toy->endless = 5;
  const chance_build first = chance_build_well(1, 1);
  for (uint32_t s = 0; s < 4; s++) {
    const table_header header = chance_build_header(s, "lower");
    ck_assert(header.width > 0.5 && (s > 0 || header.endless >= 5));
  }
  ck_assert_uint_eq(chance_build_header(4, "lower-turns").endless, 0);
  ck_assert_ptr_nonnull(strstr(first.said, "slice 0: from "));
  ck_assert_ptr_nonnull(strstr(first.said, "may go on for ever"));
  ck_assert_ptr_nonnull(strstr(first.said, "as asked"));
  ck_assert(!strstr(first.said, "slice 4: from") && !strstr(first.said, "slice 4: bounds"));
  const chance_build again = chance_build_well(1, 1);
  ck_assert_uint_eq(chance_build_count(&again), 0);
  ck_assert_ptr_nonnull(strstr(again.said, "may go on for ever"));
}

CASE(nothing_is_said_where_nothing_lacks) {
  const chance_build a = chance_build_well(1, 1);
  ck_assert_msg(!strstr(a.said, "was asked") && !strstr(a.said, "for ever"), "it says: %s", a.said);
}

CASE(a_plan_says_what_is_built) {
  const chance_build a = chance_build_well(1, 1);
  uint64_t positions = 0, disk = 0;
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) positions += chance_toy->positions[s];
  ck_assert_uint_eq(a.plan.positions, positions);
  ck_assert_uint_eq(a.plan.largest, chance_toy->positions[4]);
  for (size_t i = 0; i < TOY_CHANCE_TABLES; i++) {
    struct stat about;
    char path[FOLDER_PATH_BYTES];
    chance_build_path((uint32_t)atoi(a.lines[i].slice), a.lines[i].stream, path);
    ck_assert_int_eq(stat(path, &about), 0);
    disk += (uint64_t)about.st_size;
  }
  ck_assert_uint_ge(a.plan.disk, disk);
}

SUITE("build_chance") {
  FIXTURE(chance_build_set_up, chance_build_tear_down);
  LOOP(tables_hold_the_bounds_of_the_solver, 2);
  TEST(streams_are_named_after_quantities);
  LOOP(tables_are_the_same_for_threads_and_ranks, WAYS);
  LOOP(a_build_with_everything_there_does_nothing, 2);
  TESTS(a_missing_table_is_built_again, a_smaller_width_builds_anew);
  LOOP(bounds_of_two_builds_are_built_again, 2);
  TESTS(endless_play_is_told_and_not_solved_twice, nothing_is_said_where_nothing_lacks,
        a_plan_says_what_is_built);
}
