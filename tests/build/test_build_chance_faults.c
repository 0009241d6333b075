/* Builds of games of chance that are stopped, meet damage, or lack memory or room on the disk: they go on to
 * the same tables, or say what is wrong; memory is kept to and given back. */
#include <math.h>
#include <unistd.h>

#include "solver/engines/chance/sweeps.h"
#include "solver/engines/engine.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy_chance_build.h"
#include "tests/support/toy_disk.h"

static bool has_checkpoint(void) {
  char command[400];
  snprintf(command, sizeof command, "find '%s' -name '*checkpoint*' | grep -q .", folder);
  return system(command) == 0;
}

/* --- stopping --- */

/* Question 1 is asked before a slice, then one before each sweep. */
static chance_build stop_after(int ranks, int threads, int sweeps) {
  chance_build a = chance_build_of(ranks, threads);
  a.stops_at = 2 + sweeps;
  return a;
}

/* Stopped after every sweep, or after every few, and gone on with by other threads and ranks. */
CASE(a_stopped_build_goes_on_to_the_same_tables) {
  static const struct {
    double width;
    int ranks, sweeps;
    uint64_t endless;
  } cases[] = {{1e-1, 1, 1, 0}, {1e-3, 3, 7, 0}, {1e-1, 2, 3, 3}};
  const double width = cases[_i].width;
  toy_chance_free(chance_toy);
  chance_toy = toy_chance_new(40, 9);
  chance_toy->endless = cases[_i].endless;
  const chance_build right = chance_build_to(1, 1, width);
  chance_build_empty_folder();
  int stopped = 0;
  uint64_t updates = 0;
  for (;;) {
    chance_build a = stop_after(1 + stopped % cases[_i].ranks, 1 + stopped % 2, cases[_i].sweeps);
    a.width = width;
    a.stopping_rank = stopped % a.ranks;
    const tauler_error error = chance_build_try(&a);
    updates += build_updates(a.cost.sweeps);
    if (!error) {
      chance_build_check_same(&a, &right);
      ck_assert(!has_checkpoint());
      break;
    }
    ck_assert_int_eq(error, TAULER_STOPPED);
    ck_assert_ptr_nonnull(strstr(a.messages[0].text, "run the same command again"));
    if (++stopped > 5000) ck_abort_msg("it comes to no end");
  }
  ck_assert_int_gt(stopped, 10);
  ck_assert_uint_eq(updates, build_updates(right.cost.sweeps)); /* none twice, none forgotten */
}

CASE(large_slices_are_kept_in_many_units) {
  toy_chance_free(chance_toy);
  chance_toy = toy_chance_new(50, 2);
  chance_toy->positions[0] = 3 * CHANCE_KEPT_POSITIONS - 5;
  const chance_build right = chance_build_to(1, 2, 1e-6);
  chance_build_empty_folder();
  chance_build a = stop_after(2, 1, 2);
  a.width = 1e-6;
  a.stopping_rank = 1;
  ck_assert_int_eq(chance_build_try(&a), TAULER_STOPPED);
  ck_assert_ptr_nonnull(strstr(a.messages[0].text, "0.chance.checkpoint"));
  a = chance_build_to(3, 1, 1e-6);
  chance_build_check_same(&a, &right);
}

CASE(checkpoints_are_taken_at_times) {
  const chance_build right = chance_build_to(1, 1, 1e-3);
  for (int i = 0; i < 2; i++) {
    chance_build_empty_folder();
    chance_build a = chance_build_of(2, 1);
    a.width = 1e-3;
    a.interval = i ? 1e6 : 1e-9;
    MUST(chance_build_try(&a));
    ck_assert_int_eq(a.kept > 0, i == 0);
    chance_build_check_same(&a, &right);
    ck_assert(!has_checkpoint());
  }
}

/* It is about other bounds. */
CASE(a_checkpoint_of_another_width_is_not_taken_up) {
  const chance_build right = chance_build_to(1, 1, 1e-6);
  chance_build_empty_folder();
  chance_build a = stop_after(1, 1, 15);
  ck_assert_int_eq(chance_build_try(&a), TAULER_STOPPED);
  a = chance_build_to(1, 1, 1e-6);
  chance_build_check_same(&a, &right);
  ck_assert(!has_checkpoint());
}

/* --- damage --- */

CASE(a_damaged_checkpoint_starts_anew) {
  const chance_build right = chance_build_well(1, 1);
  chance_build_empty_folder();
  chance_build a = stop_after(1, 1, 5);
  ck_assert_int_eq(chance_build_try(&a), TAULER_STOPPED);
  char command[400], found[512] = "";
  snprintf(command, sizeof command, "find '%s' -name '0.chance.checkpoint%s'", folder, _i ? ".*" : "");
  FILE *names = popen(command, "r");
  ck_assert_ptr_nonnull(fgets(found, sizeof found, names));
  pclose(names);
  found[strcspn(found, "\n")] = '\0';
  flip_bit(found, 40, 4);
  a = chance_build_well(_i + 1, 1);
  chance_build_check_same(&a, &right);
  ck_assert(!has_checkpoint());
}

static void rewrite(uint32_t slice, const char *stream, uint64_t at, double cell, double width) {
  char path[FOLDER_PATH_BYTES];
  chance_build_path(slice, stream, path);
  table_header header;
  double *cells = chance_build_read(slice, stream, &header);
  if (at < header.positions) cells[at] = cell;
  if (width > 0) header.width = width;
  suite_write_table(path, &header, cells, NULL);
}

/* Slice 1 is to be built on slice 0. */
static void expect_damage(const char *words) {
  char path[FOLDER_PATH_BYTES];
  chance_build_path(1, "lower", path);
  ck_assert_int_eq(unlink(path), 0);
  chance_build a = chance_build_of(2, 2);
  ck_assert_int_eq(chance_build_try(&a), TAULER_DAMAGED_FILE);
  ck_assert_msg(strstr(a.messages[0].text, words) != NULL, "the message is '%s'", a.messages[0].text);
}

CASE(cells_that_are_no_bounds_are_refused) {
  chance_build_well(1, 1);
  if (_i == 0) rewrite(0, "lower", 299, NAN, 0);
  if (_i == 1) rewrite(0, "upper", 0, NAN, 0);
  if (_i == 2) rewrite(0, "lower", 17, 2, 0);
  if (_i == 3) rewrite(0, "lower", 17, -INFINITY, 0);
  if (_i == 4) rewrite(0, "lower", 17, INFINITY, 0);
  expect_damage("contradict each other at position");
}

CASE(bounds_further_apart_than_they_say_are_refused) {
  chance_build_well(1, 1);
  rewrite(0, "upper", 123, 1.5, 0);
  expect_damage("further apart at position 123");
}

CASE(tables_of_something_else_are_refused) {
  chance_build_well(1, 1);
  char path[FOLDER_PATH_BYTES], other[FOLDER_PATH_BYTES];
  chance_build_path(0, "lower", path);
  chance_build_path(0, "upper", other);
  if (_i == 0) chance_build_copy(other, path);
  if (_i == 1) flip_bit(path, 1100, 4);
  if (_i == 2) {
    table_header header;
    const void *zeros = suite_zeros(chance_toy->positions[0], sizeof(int16_t));
    suite_table_path(&chance_toy->game, chance_toy->rules, 0, "lower", &header, path);
    header.cell = TABLE_I16;
    suite_write_table(path, &header, zeros, NULL);
  }
  expect_damage(_i == 0 ? "holds another table" : _i == 1 ? "" : "no doubles");
}

/* --- limits --- */

CASE(memory_is_as_planned_and_refused_before) {
  chance_build a = chance_build_well(1, 2);
  const uint64_t planned = a.plan.memory;
  ck_assert(a.plan.engine == &engine_chance && !a.plan.in_shards);
  chance_build_empty_folder();
  a = chance_build_of(1, 2);
  a.limit = planned;
  MUST(chance_build_try(&a));
  chance_build_empty_folder();
  a = chance_build_of(_i + 1, 2);
  a.limit = planned - 1;
  ck_assert_int_eq(chance_build_try(&a), TAULER_NO_MEMORY);
  ck_assert_uint_eq(a.used, 0);
}

/* Slices that nobody needs any more are given back, so that not all have to fit at once. */
CASE(finished_slices_are_given_back) {
  toy_chance_free(chance_toy);
  chance_toy = toy_chance_new(12000, 3);
  const chance_build first = chance_build_to(1, 1, 1e-1);
  uint64_t all = 0;
  for (uint32_t s = 0; s < 4; s++) all += 2 * sizeof(double) * chance_toy->positions[s];
  chance_build_empty_folder();
  chance_build a = chance_build_of(1, 1);
  a.width = 1e-1;
  a.limit = first.plan.memory;
  MUST(chance_build_try(&a));
  chance_build_check_same(&a, &first);
  chance_toy->game.needs = NULL;
  chance_build_empty_folder();
  a = chance_build_of(1, 1);
  a.width = 1e-1;
  a.limit = first.plan.memory;
  ck_assert_int_eq(chance_build_try(&a), TAULER_NO_MEMORY);
  ck_assert_uint_gt(a.plan.memory, first.plan.memory + all / 2);
  ck_assert_uint_le(a.plan.memory, first.plan.memory + all);
}

/* Some memory only makes it faster. */
CASE(any_memory_that_is_missing_is_reported) {
  enum { TAKES = 45, LEAST_FAILED = 4 };
  toy_chance_free(chance_toy);
  chance_toy = toy_chance_new(60, 5);
  const chance_build right = chance_build_to(1, 1, 1e-1);
  int failed = 0;
  for (uint64_t nth = 1; nth < TAKES; nth += _i ? 3 : suite_is_long() ? 1 : 2) {
    chance_build_empty_folder();
    chance_build a = chance_build_of(_i + 1, 1);
    a.width = 1e-1;
    a.fail_take = nth;
    const tauler_error error = chance_build_try(&a);
    if (!error) chance_build_check_same(&a, &right);
    ck_assert(!error || error == TAULER_NO_MEMORY);
    ck_assert(!error || a.messages[0].text[0]);
    failed += error != TAULER_OK;
  }
  ck_assert_int_ge(failed, LEAST_FAILED);
}

CASE(memory_that_is_missing_for_finished_slices_is_reported) {
  const chance_build right = chance_build_well(1, 1);
  for (uint64_t nth = 1; nth <= 4; nth++) { /* both bounds of 1 and 2 */
    char path[FOLDER_PATH_BYTES];
    chance_build_path(3, "lower", path);
    ck_assert_int_eq(unlink(path), 0);
    chance_build a = chance_build_of(_i + 1, 1);
    a.fail_take = nth;
    ck_assert_int_eq(chance_build_try(&a), TAULER_NO_MEMORY);
    ck_assert_ptr_nonnull(strstr(a.messages[0].text, "finished slice"));
    a = chance_build_well(1, 1);
    chance_build_check_same(&a, &right);
  }
}

CASE(a_full_disk_is_told_and_leaves_whole_tables) {
  const chance_build right = chance_build_well(1, 1);
  for (uint64_t bytes = 500; bytes < 6000; bytes += 1500) {
    chance_build_empty_folder();
    chance_build a = chance_build_of(_i + 1, 1);
    toy_limit_files(bytes);
    const tauler_error error = chance_build_try(&a);
    toy_limit_files(0);
    if (error) ck_assert_int_eq(error, TAULER_NO_SPACE);
    ck_assert(error || bytes > 2000);
    a = chance_build_of(1, 1);
    MUST(chance_build_try(&a));
    chance_build_check_same(&a, &right);
  }
}

CASE(a_checkpoint_that_has_no_room_is_reported) {
  const chance_build right = chance_build_well(1, 1);
  chance_build_empty_folder();
  chance_build a = stop_after(_i + 1, 1, 4);
  toy_limit_files(300);
  const tauler_error error = chance_build_try(&a);
  toy_limit_files(0);
  ck_assert_int_eq(error, TAULER_NO_SPACE);
  a = chance_build_well(1, 1);
  chance_build_check_same(&a, &right);
  ck_assert(!has_checkpoint());
}

SUITE("build_chance_faults") {
  FIXTURE(chance_build_set_up, chance_build_tear_down);
  LOOP(a_stopped_build_goes_on_to_the_same_tables, 3);
  TESTS(large_slices_are_kept_in_many_units, checkpoints_are_taken_at_times,
        a_checkpoint_of_another_width_is_not_taken_up);
  LOOP(a_damaged_checkpoint_starts_anew, 2);
  LOOP(cells_that_are_no_bounds_are_refused, 5);
  TEST(bounds_further_apart_than_they_say_are_refused);
  LOOP(tables_of_something_else_are_refused, 3);
  LOOP(memory_is_as_planned_and_refused_before, 2);
  TEST(finished_slices_are_given_back);
  LOOP(any_memory_that_is_missing_is_reported, 2);
  LOOP(memory_that_is_missing_for_finished_slices_is_reported, 2);
  LOOP(a_full_disk_is_told_and_leaves_whole_tables, 2);
  LOOP(a_checkpoint_that_has_no_room_is_reported, 2);
}
