/* The arrays of a slice in shares: what was left is found again, in memory or by way of the disk, and no more
 * is in memory than was loaded. */
#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/registry.h"
#include "solver/shards/slice.h"
#include "tests/toy_disk.h"
#include "tests/toy_team.h"

enum { SLICE = 9, SHARES = 3 };

static const game *auale;
static game_rules *rules;
static memory_budget memory;
static char folder[64];

static void set_up(void) {
  auale = game_find("auale");
  ck_assert_int_eq(auale->open("awari", "even", &rules, NULL), TAULER_OK);
  memory_budget_open(&memory, UINT64_C(1) << 30);
  strcpy(folder, "tauler-spread-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void) {
  auale->close(rules);
  ck_assert_uint_eq(memory_taken(&memory), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static slice_layout *make_layout(uint32_t shares, uint32_t per_rank) {
  slice_layout *layout;
  ck_assert_int_eq(layout_open(auale, rules, SLICE, false, shares, per_rank, &layout, NULL), TAULER_OK);
  return layout;
}

static void open_slice(spread_slice *slice, const char *where) {
  tauler_message message = {""};
  ck_assert_msg(spread_open(slice, NULL, &memory, make_layout(SHARES, SHARES), 2, where, &message) ==
                    TAULER_OK,
                "%s", message.text);
}

static uint8_t content(uint32_t share, int part, uint64_t i) {
  return (uint8_t)(share * 50 + (uint32_t)part * 7 + (uint32_t)(i * i >> 3));
}

static void write_part(spread_slice *slice, uint32_t i, int part) {
  uint8_t *bytes = slice->shares[i].parts[part];
  for (uint64_t k = 0; k < slice->shares[i].n * spread_cell_bytes(part); k++) bytes[k] = content(i, part, k);
}

static bool is_part(const spread_slice *slice, uint32_t i, int part) {
  const uint8_t *bytes = slice->shares[i].parts[part];
  for (uint64_t k = 0; k < slice->shares[i].n * spread_cell_bytes(part); k++)
    if (bytes[k] != content(i, part, k)) return false;
  return true;
}

static bool is_zero(const spread_slice *slice, uint32_t i, int part) {
  const uint8_t *bytes = slice->shares[i].parts[part];
  for (uint64_t k = 0; k < slice->shares[i].n * spread_cell_bytes(part); k++)
    if (bytes[k]) return false;
  return true;
}

START_TEST(a_slice_knows_its_shares) {
  spread_slice slice;
  open_slice(&slice, NULL);
  ck_assert_uint_eq(slice.slice, SLICE);
  ck_assert_uint_eq(slice.positions, auale->positions(rules, SLICE));
  ck_assert_uint_eq(slice.first_share, 0);
  ck_assert_uint_eq(slice.shares_here, SHARES);
  ck_assert_ptr_null(slice.mapped);
  uint64_t cells = 0;
  for (uint32_t i = 0; i < SHARES; i++) {
    ck_assert_uint_eq(slice.shares[i].n, layout_share_size(slice.layout, i).cells);
    cells += slice.shares[i].n;
  }
  ck_assert_uint_eq(cells, slice.positions);
  spread_free(&slice);
}
END_TEST

START_TEST(arrays_are_zero_and_found_again) {
  spread_slice slice;
  tauler_message message = {""};
  open_slice(&slice, _i ? folder : NULL);
  ck_assert(!slice.mapped == !_i);
  const uint64_t before = memory_taken(&memory);
  for (uint32_t i = 0; i < SHARES; i++) {
    for (int part = 0; part < SPREAD_PARTS; part++) {
      ck_assert_int_eq(spread_load(&slice, i, part, &message), TAULER_INTERNAL);
      ck_assert_int_eq(spread_take(&slice, i, part, NULL), TAULER_OK);
      ck_assert(is_zero(&slice, i, part));
      write_part(&slice, i, part);
      ck_assert_int_eq(spread_unload(&slice, i, part, NULL), TAULER_OK);
      ck_assert_int_eq(spread_unload(&slice, i, part, NULL), TAULER_OK);
      ck_assert(!slice.shares[i].parts[part] == (_i == 1));
    }
  }
  /* The list of what is on the disk is little beside the arrays. */
  const uint64_t arrays = slice.positions * (4 * sizeof(int8_t) + 2 * sizeof(uint16_t));
  const uint64_t left = memory_taken(&memory) - before;
  ck_assert_msg(_i ? left < 8192 : left == arrays, "%lu bytes are left in memory", (unsigned long)left);
  for (uint32_t i = SHARES; i-- > 0;) {
    for (int part = SPREAD_PARTS; part-- > 0;) {
      ck_assert_int_eq(spread_load(&slice, i, part, NULL), TAULER_OK);
      ck_assert_int_eq(spread_load(&slice, i, part, NULL), TAULER_OK);
      ck_assert(is_part(&slice, i, part));
      ck_assert_int_eq(spread_unload(&slice, i, part, NULL), TAULER_OK);
    }
  }
  spread_free(&slice);
}
END_TEST

START_TEST(what_was_changed_is_kept) {
  spread_slice slice;
  open_slice(&slice, folder);
  ck_assert_int_eq(spread_take(&slice, 1, SPREAD_CELLS, NULL), TAULER_OK);
  write_part(&slice, 1, SPREAD_CELLS);
  ck_assert_int_eq(spread_unload(&slice, 1, SPREAD_CELLS, NULL), TAULER_OK);
  for (int times = 0; times < 4; times++) {
    ck_assert_int_eq(spread_load(&slice, 1, SPREAD_CELLS, NULL), TAULER_OK);
    ck_assert(is_part(&slice, 1, SPREAD_CELLS) == (times % 2 == 0));
    ((uint8_t *)slice.shares[1].parts[SPREAD_CELLS])[5] ^= 1;
    ck_assert_int_eq(spread_unload(&slice, 1, SPREAD_CELLS, NULL), TAULER_OK);
  }
  spread_free(&slice);
}
END_TEST

START_TEST(what_is_loaded_is_charged) {
  spread_slice slice;
  open_slice(&slice, folder);
  ck_assert_int_eq(spread_take(&slice, 2, SPREAD_CELLS, NULL), TAULER_OK);
  ck_assert_int_eq(spread_take(&slice, 2, SPREAD_DEPTHS, NULL), TAULER_OK);
  const uint64_t both = memory_taken(&memory), n = slice.shares[2].n;
  ck_assert_int_eq(spread_unload(&slice, 2, SPREAD_DEPTHS, NULL), TAULER_OK);
  ck_assert_uint_eq(memory_taken(&memory), both - 2 * n);
  ck_assert_int_eq(spread_unload(&slice, 2, SPREAD_CELLS, NULL), TAULER_OK);
  ck_assert_uint_eq(memory_taken(&memory), both - 3 * n);
  ck_assert_int_eq(spread_load(&slice, 2, SPREAD_DEPTHS, NULL), TAULER_OK);
  ck_assert_uint_eq(memory_taken(&memory), both - n);
  spread_drop(&slice, 2, SPREAD_DEPTHS);
  ck_assert_uint_eq(memory_taken(&memory), both - 3 * n);
  spread_free(&slice);
}
END_TEST

START_TEST(what_is_dropped_takes_no_room) {
  enum { SLACK = 8192 };
  spread_slice slice;
  open_slice(&slice, folder);
  const uint64_t before = memory_taken(&memory);
  ck_assert_uint_eq(toy_hidden_bytes(folder), 0);
  for (int part = 0; part <= SPREAD_DEPTHS; part += SPREAD_DEPTHS) {
    ck_assert_int_eq(spread_take(&slice, 0, part, NULL), TAULER_OK);
    write_part(&slice, 0, part);
    ck_assert_int_eq(spread_unload(&slice, 0, part, NULL), TAULER_OK);
  }
  const uint64_t n = slice.shares[0].n;
  ck_assert_uint_ge(toy_hidden_bytes(folder), 3 * n);
  spread_drop(&slice, 0, SPREAD_CELLS);
  ck_assert_uint_le(toy_hidden_bytes(folder), 2 * n + SLACK);
  ck_assert_int_eq(spread_load(&slice, 0, SPREAD_CELLS, NULL), TAULER_INTERNAL);
  ck_assert_int_eq(spread_load(&slice, 0, SPREAD_DEPTHS, NULL), TAULER_OK);
  ck_assert(is_part(&slice, 0, SPREAD_DEPTHS));
  /* Taken anew, an array is zero wherever the one before was, and has its room. */
  ck_assert_int_eq(spread_take(&slice, 0, SPREAD_DEPTHS, NULL), TAULER_OK);
  ck_assert(is_zero(&slice, 0, SPREAD_DEPTHS));
  ck_assert_uint_ge(toy_hidden_bytes(folder), 2 * n);
  ck_assert_int_eq(spread_unload(&slice, 0, SPREAD_DEPTHS, NULL), TAULER_OK);
  ck_assert_int_eq(spread_load(&slice, 0, SPREAD_DEPTHS, NULL), TAULER_OK);
  ck_assert(is_zero(&slice, 0, SPREAD_DEPTHS));
  spread_drop(&slice, 0, SPREAD_DEPTHS);
  spread_drop(&slice, 0, SPREAD_DEPTHS);
  ck_assert_uint_le(memory_taken(&memory), before + 8192);
  ck_assert_uint_le(toy_hidden_bytes(folder), SLACK);
  spread_free(&slice);
}
END_TEST

START_TEST(a_full_disk_is_told_when_an_array_is_taken) {
  spread_slice slice;
  tauler_message message = {""};
  open_slice(&slice, folder);
  const uint64_t before = memory_taken(&memory);
  toy_limit_files(slice.shares[0].n / 2);
  ck_assert_int_eq(spread_take(&slice, 0, SPREAD_CELLS, &message), TAULER_NO_SPACE);
  toy_limit_files(0);
  ck_assert_msg(strstr(message.text, "free some space") != NULL, "%s", message.text);
  ck_assert_int_eq(spread_load(&slice, 0, SPREAD_CELLS, NULL), TAULER_INTERNAL);
  ck_assert_uint_le(memory_taken(&memory), before + 8192);
  ck_assert_int_eq(spread_take(&slice, 0, SPREAD_CELLS, NULL), TAULER_OK);
  write_part(&slice, 0, SPREAD_CELLS);
  ck_assert(is_part(&slice, 0, SPREAD_CELLS));
  spread_free(&slice);
}
END_TEST

START_TEST(one_share_per_rank_needs_no_disk) {
  spread_slice slice;
  ck_assert_int_eq(spread_open(&slice, NULL, &memory, make_layout(1, 1), 1, folder, NULL), TAULER_OK);
  ck_assert_ptr_null(slice.mapped);
  spread_free(&slice);
}
END_TEST

static void open_among_ranks(team *team, void *user) {
  atomic_int *right = user;
  memory_budget own;
  spread_slice slice;
  slice_layout *layout;
  memory_budget_open(&own, UINT64_C(1) << 30);
  if (layout_open(auale, rules, SLICE, false, 6, 2, &layout, NULL)) return;
  if (spread_open(&slice, team, &own, layout, 1, folder, NULL)) return;
  bool good = slice.first_share == (uint32_t)team_rank(team) * 2 && slice.shares_here == 2 && slice.mapped;
  for (uint32_t i = 0; i < 2; i++)
    good = good && slice.shares[i].n == layout_share_size(slice.layout, slice.first_share + i).cells;
  spread_free(&slice);
  atomic_fetch_add(right, good && memory_taken(&own) == 0);
}

START_TEST(every_rank_has_its_shares) {
  atomic_int right = 0;
  toy_team_run(3, open_among_ranks, &right);
  ck_assert_int_eq(right, 3);
}
END_TEST

static tauler_error take_and_load(void) {
  spread_slice slice;
  tauler_error error = spread_open(&slice, NULL, &memory, make_layout(SHARES, SHARES), 1, folder, NULL);
  if (!error) error = spread_take(&slice, 0, SPREAD_CELLS, NULL);
  if (!error) error = spread_unload(&slice, 0, SPREAD_CELLS, NULL);
  if (!error) error = spread_take(&slice, 1, SPREAD_DEPTHS, NULL);
  if (!error) error = spread_load(&slice, 0, SPREAD_CELLS, NULL);
  ck_assert(!error || error == TAULER_NO_MEMORY);
  spread_free(&slice);
  ck_assert_uint_eq(memory_taken(&memory), 0);
  return error;
}

START_TEST(errors_leave_nothing) {
  spread_slice slice;
  int failures = 0;
  ck_assert_int_eq(spread_open(&slice, NULL, &memory, make_layout(SHARES, SHARES), 1, "tauler-missing", NULL),
                   TAULER_IO);
  spread_free(&slice);
  for (tauler_error error = TAULER_NO_MEMORY; error; failures += error != TAULER_OK) {
    memory_fail_take(&memory, (uint64_t)failures + 1, false);
    error = take_and_load();
  }
  ck_assert_int_eq(failures, 3);
  memory_fail_take(&memory, 0, false);
  memory.limit = 0;
  for (; take_and_load() != TAULER_OK; memory.limit += 2000) failures++;
  /* The first share's cells and the second's depths at once. */
  ck_assert_uint_ge(memory.limit, auale->positions(rules, SLICE) * 9 / 10);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("spread");
  TCase *c = tcase_create("spread");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, a_slice_knows_its_shares);
  tcase_add_loop_test(c, arrays_are_zero_and_found_again, 0, 2);
  tcase_add_test(c, what_was_changed_is_kept);
  tcase_add_test(c, what_is_loaded_is_charged);
  tcase_add_test(c, what_is_dropped_takes_no_room);
  tcase_add_test(c, a_full_disk_is_told_when_an_array_is_taken);
  tcase_add_test(c, one_share_per_rank_needs_no_disk);
  tcase_add_test(c, every_rank_has_its_shares);
  tcase_add_test(c, errors_leave_nothing);
  suite_add_tcase(suite, c);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
