/* Levels of slices that do not need each other, and how the slices of a level are dealt. */
#include "solver/engines/levels.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_levels.h"

static toy_game *toy;

static void make_levels(void) {
  toy = toy_levels_random(400, 11);
}

static void close_levels(void) {
  toy_levels_free(toy);
}

static slice_levels open_levels(void) {
  slice_levels levels;
  const game_slices slices = suite_slices(&toy->game, toy->rules, NULL);
  MUST(slice_levels_open(&toy->game, toy->rules, &slices, &levels, NULL));
  return levels;
}

CASE(levels_stand_one_above_what_they_need) {
  slice_levels levels = open_levels();
  static const uint32_t right[TOY_LEVELS_SLICES] = {1, 1, 2, 1, 3, 2, 4, 1, 3, 2};
  ck_assert_uint_eq(levels.levels, 4);
  for (uint32_t s = 0; s < TOY_LEVELS_SLICES; s++) {
    ck_assert_uint_eq(levels.level[s], right[s]);
    size_t needed = 0;
    for (uint32_t other = 0; other < s; other++) needed += toy_levels_needs(toy, s, other);
    ck_assert_uint_eq(levels.first_need[s + 1] - levels.first_need[s], needed);
  }
  slice_levels_close(&levels);
}

CASE(what_is_wanted_is_missing_or_needed) {
  slice_levels levels = open_levels();
  for (uint32_t s = 0; s < TOY_LEVELS_SLICES; s++) {
    slice_state states[TOY_LEVELS_SLICES] = {0};
    bool right[TOY_LEVELS_SLICES] = {false};
    states[s].missing = right[s] = true;
    toy_levels_need_all(toy, s, right);
    slice_levels_mark_wanted(&levels, true, states);
    for (uint32_t i = 0; i < TOY_LEVELS_SLICES; i++) ck_assert_int_eq(states[i].wanted, right[i]);
  }
  slice_levels_close(&levels);
}

CASE(without_needs_slices_follow_each_other) {
  toy->game.needs = NULL;
  slice_levels levels = open_levels();
  ck_assert_uint_eq(levels.levels, TOY_LEVELS_SLICES);
  slice_levels_close(&levels);
}

static level_task task_of(size_t place, uint64_t positions) {
  return (level_task){place, positions, positions + 10, positions, false};
}

CASE(large_slices_are_done_by_all_threads) {
  const uint64_t large = UINT64_C(1) << 20, room = UINT64_MAX;
  level_task tasks[20];
  for (size_t i = 0; i < 20; i++) tasks[i] = task_of(19 - i, large);
  level_tasks_sort(tasks, 20);
  for (size_t i = 0; i < 20; i++) ck_assert_uint_eq(tasks[i].place, i);
  ck_assert_uint_eq(level_tasks_alone(tasks, 20, 2, room), 0); /* ten each */
  ck_assert_uint_eq(level_tasks_alone(tasks, 4, 4, room), 0);
  ck_assert_uint_eq(level_tasks_alone(tasks, 1, 2, room), 1);
  ck_assert_uint_eq(level_tasks_alone(tasks, 3, 2, room), 1); /* then one each */
  ck_assert_uint_eq(level_tasks_alone(tasks, 20, 1, room), 20);
  tasks[0].positions = 40 * large; /* would keep the others waiting */
  ck_assert_uint_eq(level_tasks_alone(tasks, 20, 2, room), 1);
  for (size_t i = 0; i < 3; i++) tasks[i].positions = 100; /* not worth it */
  ck_assert_uint_eq(level_tasks_alone(tasks, 1, 2, room), 0);
}

CASE(what_does_not_fit_side_by_side_is_done_alone) {
  level_task tasks[5];
  for (size_t i = 0; i < 5; i++) tasks[i] = task_of(i, 500 - 100 * i); /* 500, 400, 300, 200, 100 */
  ck_assert_uint_eq(level_tasks_alone(tasks, 5, 2, 900), 0);
  ck_assert_uint_eq(level_tasks_alone(tasks, 5, 2, 899), 1);
  ck_assert_uint_eq(level_tasks_alone(tasks, 5, 2, 510), 2);
  ck_assert_uint_eq(level_tasks_alone(tasks, 5, 3, 1200), 0);
  ck_assert_uint_eq(level_tasks_alone(tasks, 5, 3, 1199), 1);
  ck_assert_uint_eq(level_tasks_bytes(tasks, 5, 2, 900), 900);
  ck_assert_uint_eq(level_tasks_bytes(tasks, 5, 2, 899), 700);
  ck_assert_uint_eq(level_tasks_bytes(tasks, 5, 2, 510), 510); /* the largest by all */
  ck_assert_uint_eq(level_tasks_bytes(tasks, 0, 2, 0), 0);
}

CASE(slices_are_dealt_largest_first) {
  uint32_t level[] = {1, 1, 1, 1, 1, 1, 2};
  game_slice list[] = {{.positions = 10}, {.positions = 20}, {.positions = 30}, {.positions = 45},
                       {.positions = 50}, {.positions = 90}, {.positions = 5}};
  static const int right[] = {1, 1, 0, 1, 1, 0, 0};
  slice_state states[7] = {{0}};
  const slice_levels levels = {.used = 7, .levels = 2, .level = level};
  const game_slices slices = {list, 7};
  for (size_t i = 0; i < 7; i++) states[i].solved = true;
  MUST(slice_levels_assign(&levels, &slices, 2, states));
  for (size_t i = 0; i < 7; i++) ck_assert_int_eq(states[i].owner, right[i]);
}

/* A slice of seven of the ten positions of its level, and three of one. */
CASE(a_slice_outweighs_its_level) {
  uint32_t level[] = {1, 2, 2, 2, 2};
  game_slice list[] = {
      {.positions = 100}, {.positions = 7}, {.positions = 1}, {.positions = 1}, {.positions = 1}};
  const slice_levels levels = {.level = level};
  const game_slices slices = {list, 5};
  ck_assert(!slice_levels_outweighs(&levels, &slices, 1, 1));
  ck_assert(slice_levels_outweighs(&levels, &slices, 2, 1));
  ck_assert(slice_levels_outweighs(&levels, &slices, 2, 0));
  ck_assert(!slice_levels_outweighs(&levels, &slices, 2, 2));
  ck_assert(!slice_levels_outweighs(&levels, &slices, 8, 3));
  list[1].positions = 6; /* six of nine, so that no third has more than half of them */
  ck_assert(!slice_levels_outweighs(&levels, &slices, 2, 1));
}

SUITE("levels") {
  FIXTURE(make_levels, close_levels);
  TESTS(levels_stand_one_above_what_they_need, what_is_wanted_is_missing_or_needed,
        without_needs_slices_follow_each_other, large_slices_are_done_by_all_threads,
        what_does_not_fit_side_by_side_is_done_alone, slices_are_dealt_largest_first,
        a_slice_outweighs_its_level);
}
