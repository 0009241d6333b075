/* The proof check: what is right is proven, with depths and without, and everything else is refused. The
 * tables come from the slow definition (naive_tables.h). */
#include <unistd.h>

#include "tests/support/analysis/verified.h"
#include "tests/support/naive_tables.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { FAMILIES = 6, SEEDS = 6 };

static const struct {
  const char *rules, *cycles;
} families[FAMILIES] = {{"awari", "even"},   {"awari,grand-slam=captures", "even"},   {"abapa", "even"},
                        {"awari", "forced"}, {"awari,grand-slam=captures", "forced"}, {"abapa", "forced"}};

/* --- folders --- */

static tauler_error outcome(void) {
  return verify((verify_job){.threads = 1});
}

static naive_tables *solve_family(int family, int seeds) {
  return naive_tables_new(families[family].rules, families[family].cycles, seeds);
}

static void write_all(const naive_tables *tables, table_cell depths) {
  MUST(naive_tables_write(tables, folder, depths, hear()));
}

static void write_slice(const naive_tables *tables, int seeds, table_cell depths) {
  MUST(naive_tables_write_slice(tables, folder, seeds, depths, hear()));
}

static const char *path_of(int family, const char *file) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/auale/%s/%s/%s", folder, families[family].rules, families[family].cycles,
           file);
  return path;
}

/* --- what is right --- */

static const table_cell depth_cells[] = {TABLE_I8, TABLE_U8, TABLE_U16};

CASE(right_tables_are_proven) {
  const int family = SOME(_i, _i / 3);
  const table_cell depths = depth_cells[_i % 3];
  naive_tables *tables = solve_family(family, SEEDS);
  write_all(tables, depths);
  ck_assert_msg(outcome() == TAULER_OK, "%s", findings);
  const uint64_t streams = (uint64_t)tables->planes * (depths == TABLE_I8 ? 1 : 2);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], streams * (SEEDS + 1));
}

CASE(several_rule_sets_share_a_folder) {
  for (int family = 0; family < FAMILIES; family++) {
    naive_tables *tables = solve_family(family, 3);
    write_all(tables, family % 2 ? TABLE_U8 : TABLE_I8);
  }
  ck_assert_msg(outcome() == TAULER_OK, "%s", findings);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 4 * (1 + 2 + 1 + 4 + 2 + 4));
}

CASE(what_is_proven_is_said) {
  for (int family = 0; family < FAMILIES; family += 5) {
    naive_tables *tables = solve_family(family, 3);
    write_all(tables, TABLE_U8);
  }
  MUST(outcome());
  const uint64_t expected[VERIFY_PROOFS] = {
      [VERIFY_VALUES] = 4, [VERIFY_BEST_BOUNDS] = 8, [VERIFY_DEPTHS] = 12};
  for (int proof = 0; proof < VERIFY_PROOFS; proof++)
    ck_assert_uint_eq(summary.proofs[proof], expected[proof]);
}

/* Play that ends forces no more than play in which a repetition ends the game; there a side may force more.
 */
CASE(weaker_bounds_are_proven_to_be_sound_alone) {
  naive_tables *best = naive_tables_new("abapa", "own-row", 4), *weaker = solve_family(5, 4);
  weaker->rules = suite_rules(weaker->game, "abapa", "own-row");
  const naive_slice *a = &best->slices[4], *b = &weaker->slices[4];
  ck_assert_int_ne(memcmp(a->plain[0], b->plain[0], (size_t)a->positions), 0);
  write_all(weaker, TABLE_I8);
  ck_assert_msg(outcome() == TAULER_OK, "%s", findings);
  ck_assert_uint_eq(summary.proofs[VERIFY_SOUND_BOUNDS], 10);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 10);
}

static uint64_t proven(const verify_job *job) {
  MUST(try_to_verify(*job, hear()));
  return summary.tables[VERIFY_PROVEN];
}

CASE(a_job_leaves_rules_and_cycles_open) {
  static const int sizes[FAMILIES] = {2, 3, 1, 4, 2, 3};
  for (int family = 0; family < FAMILIES; family++) {
    naive_tables *tables = solve_family(family, sizes[family]);
    write_all(tables, TABLE_I8);
  }
  naive_tables *asked = solve_family(0, 1);
  const game_request slices = {.largest = "3"}, more = {.largest = "4"}, most = {.largest = "5"};
  verify_job job = {.game = asked->game, .rules = asked->rules};
  ck_assert_uint_eq(proven(&job), 3);
  job.any = VERIFY_ANY_CYCLES;
  ck_assert_uint_eq(proven(&job), 3 + 10);
  job.any = VERIFY_ANY_RULES;
  ck_assert_uint_eq(proven(&job), 3 + 4 + 2);
  job.any = VERIFY_ANY_RULES | VERIFY_ANY_CYCLES;
  ck_assert_uint_eq(proven(&job), 3 + 4 + 2 + 10 + 6 + 8);
  job.request = &slices;
  ck_assert_uint_eq(proven(&job), 3 + 4 + 2 + 8 + 6 + 8);
  ck_assert_str_eq(summary.missing, "");
  job.request = &more;
  ck_assert_uint_eq(proven(&job), 3 + 4 + 2 + 10 + 6 + 8);
  ck_assert_str_eq(summary.missing, "");
  job.request = &most;
  proven(&job);
  ck_assert_str_ne(summary.missing, "");
  job.any = 0;
  job.request = &slices;
  ck_assert_uint_eq(proven(&job), 3);
  ck_assert_str_eq(summary.missing, "3");
}

CASE(a_job_chooses_rules_and_slices) {
  naive_tables *chosen = solve_family(2, 4), *other = solve_family(0, 4);
  write_all(chosen, TABLE_I8);
  write_all(other, TABLE_I8);
  verify_job job = {.game = chosen->game, .rules = chosen->rules};
  ck_assert_uint_eq(proven(&job), 5);
  const game_request request = {.largest = "2"};
  job.request = &request;
  ck_assert_uint_eq(proven(&job), 3);
  const game_request too_many = {.largest = "49"};
  job.request = &too_many;
  ck_assert_int_eq(try_to_verify(job, NULL), TAULER_BAD_USAGE);
}

/* --- files --- */

/* Changes whose tables are written again, whole and with the right digests. */
CASE(a_changed_file_is_wrong) {
  naive_tables *tables = solve_family(_i, 3);
  write_all(tables, TABLE_U8);
  naive_slice *slice = &tables->slices[3];
  for (int i = 0; i < slice->positions; i += SOME(21, 9)) {
    int8_t *cell = &slice->stored[tables->planes - 1][i];
    const int8_t before = *cell;
    *cell = (int8_t)(slice->plain[tables->planes - 1][i] == 3 ? 1 : 3);
    naive_tables_decode(tables, 3);
    write_slice(tables, 3, TABLE_U8);
    ck_assert_int_eq(outcome(), TAULER_NOT_PROVEN);
    expect_finding(" wrong: ");
    *cell = before;
    naive_tables_decode(tables, 3);
  }
  write_slice(tables, 3, TABLE_U8);
  MUST(outcome());
}

CASE(values_that_only_agree_are_not_proven) {
  naive_tables *tables = solve_family(_i, 3);
  naive_tables_believe(tables, 2);
  write_all(tables, TABLE_I8);
  ck_assert_int_eq(outcome(), TAULER_NOT_PROVEN);
  expect_finding(", but no play that ends can force it");
  expect_finding("it rests on slice 2, which is wrong");
}

CASE(the_first_wrong_position_is_shown) {
  naive_tables *tables = solve_family(0, 3);
  write_all(tables, TABLE_I8);
  /* the last board: every seed is the mover's, in the first pit */
  naive_slice *slice = &tables->slices[3];
  const int last = slice->positions - 1;
  ck_assert_int_eq(slice->plain[0][last], 3);
  slice->stored[0][last] = 1;
  naive_tables_decode(tables, 3);
  write_slice(tables, 3, TABLE_I8);
  ck_assert_int_eq(outcome(), TAULER_NOT_PROVEN);
  expect_finding("3.value.zst wrong: 3-0-0-0-0-0-0-0-0-0-0-0");
  expect_finding("has value 1, but its moves make it 3");
}

CASE(wrong_depths_leave_the_values_proven) {
  naive_tables *tables = solve_family(_i, 4);
  write_all(tables, TABLE_U8);
  naive_slice *slice = &tables->slices[4];
  slice->stored_depths[0][slice->positions / 2 + 77] += 1;
  naive_tables_decode(tables, 4);
  write_slice(tables, 4, TABLE_U8);
  ck_assert_int_eq(outcome(), TAULER_NOT_PROVEN);
  ck_assert_uint_eq(summary.tables[VERIFY_WRONG], 1);
  expect_finding(" wrong: ");
  expect_finding(tables->planes == 2 ? "4.depth-" : "4.depth.zst wrong: ");
  expect_finding(tables->planes == 2 ? "4.lower.zst proven" : "4.value.zst proven");
}

CASE(left_out_cells_are_covered_by_the_digest) {
  naive_tables *tables = solve_family(0, 4);
  write_all(tables, TABLE_U8);
  naive_slice *slice = &tables->slices[4];
  ck_assert_int_eq(slice->stored[0][5], NAIVE_RESERVED);
  slice->plain[0][5] ^= 1;
  write_slice(tables, 4, TABLE_U8);
  ck_assert_int_eq(outcome(), TAULER_DAMAGED_FILE);
  expect_finding("4.value.zst damaged: its cells");
  slice->plain[0][5] ^= 1;
  slice->plain_depths[0][5] += 1;
  write_slice(tables, 4, TABLE_U8);
  ck_assert_int_eq(outcome(), TAULER_DAMAGED_FILE);
  expect_finding("4.depth.zst damaged: its cells");
  expect_finding("4.value.zst proven");
}

static void rename_file(int family, const char *from, const char *to) {
  char source[1024];
  snprintf(source, sizeof source, "%s", path_of(family, from));
  ck_assert_int_eq(rename(source, path_of(family, to)), 0);
}

CASE(swapped_tables_are_refused) {
  naive_tables *tables = solve_family(5, 4);
  write_all(tables, TABLE_I8);
  rename_file(5, "3.lower.zst", "x.zst");
  rename_file(5, "3.upper.zst", "3.lower.zst");
  rename_file(5, "x.zst", "3.upper.zst");
  ck_assert_int_eq(outcome(), TAULER_DAMAGED_FILE);
  expect_finding("3.lower.zst misplaced: it stands in the wrong place");
  expect_finding("3.upper.zst misplaced: it stands in the wrong place");
  expect_finding("4.lower.zst files only: it rests on slice 3, which is missing");
  int8_t *lower = tables->slices[3].stored[0];
  tables->slices[3].stored[0] = tables->slices[3].stored[1];
  tables->slices[3].stored[1] = lower;
  naive_tables_decode(tables, 3);
  write_slice(tables, 3, TABLE_I8);
  ck_assert_int_eq(outcome(), TAULER_NOT_PROVEN);
}

CASE(a_missing_table_is_said) {
  naive_tables *tables = solve_family(0, 4);
  write_all(tables, TABLE_U8);
  ck_assert_int_eq(unlink(path_of(0, "2.value.zst")), 0);
  ck_assert_int_eq(outcome(), TAULER_TABLE_MISSING);
  expect_finding("1.value.zst proven");
  expect_finding("2.depth.zst files only: it rests on the stream value, which is missing");
  expect_finding("3.value.zst files only: it rests on slice 2, which is ");
  ck_assert_uint_eq(summary.tables[VERIFY_FILES_ONLY], 5);
}

CASE(one_of_two_bounds_is_not_enough) {
  naive_tables *tables = solve_family(5, 3);
  write_all(tables, TABLE_U8);
  ck_assert_int_eq(unlink(path_of(5, "3.depth-upper.zst")), 0);
  ck_assert_int_eq(outcome(), TAULER_TABLE_MISSING);
  expect_finding("3.lower.zst proven");
  expect_finding("3.depth-lower.zst files only: it rests on the stream depth-upper, which is missing");
  ck_assert_int_eq(unlink(path_of(5, "3.upper.zst")), 0);
  ck_assert_int_eq(outcome(), TAULER_TABLE_MISSING);
  expect_finding("3.lower.zst files only: it rests on the stream upper, which is missing");
}

CASE(a_flipped_byte_is_damage) {
  naive_tables *tables = solve_family(0, 3);
  write_all(tables, TABLE_U8);
  for (int which = 0; which < 2; which++) {
    char path[1024];
    snprintf(path, sizeof path, "%s", path_of(0, which ? "3.depth.zst" : "3.value.zst"));
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    fclose(file);
    for (long at = 0; at < bytes; at += 5) {
      flip_bit(path, at, 4);
      if (outcome() != TAULER_DAMAGED_FILE) ck_abort_msg("byte %ld: %s", at, findings);
      ck_assert_uint_eq(summary.tables[VERIFY_DAMAGED], 1);
      flip_bit(path, at, 4);
    }
  }
  MUST(outcome());
}

CASE(nothing_to_check_is_an_error) {
  REFUSED(TAULER_TABLE_MISSING, folder, try_to_verify((verify_job){.threads = 1}, hear()));
  rmdir(folder);
  ck_assert_int_eq(try_to_verify((verify_job){.threads = 1}, NULL), TAULER_TABLE_MISSING);
}

/* Under any limit either all is proven, or nothing was begun. */
CASE(memory_is_refused_before_any_work) {
  naive_tables *tables = solve_family(5, 5);
  write_all(tables, TABLE_U8);
  tauler_error error = TAULER_NO_MEMORY;
  int refused = 0;
  for (uint64_t limit = 50000; error == TAULER_NO_MEMORY; limit += limit < 650000 ? 100000 : 3000) {
    error = try_to_verify((verify_job){.threads = 1, .memory = suite_budget(limit)}, hear());
    if (!error) break;
    refused++;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    ck_assert_str_eq(findings, "");
    ck_assert_str_ne(said.text, "");
  }
  ck_assert_int_gt(refused, 20);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 24);
}

/* If any allocation fails, nothing is leaked and the error is returned. */
CASE(every_allocation_may_fail) {
  naive_tables *tables = solve_family(5, 2);
  write_all(tables, TABLE_U8);
  tauler_error error = TAULER_NO_MEMORY;
  for (uint64_t nth = 1; error == TAULER_NO_MEMORY && nth < 1000; nth++) {
    memory_budget *budget = suite_budget(0);
    memory_fail_allocation(budget, nth, true);
    error = try_to_verify((verify_job){.memory = budget}, hear());
    ck_assert((error != TAULER_OK) == (said.text[0] != '\0'));
  }
  ck_assert_int_eq(error, TAULER_OK);
}

/* --- threads --- */

static void expect_same_with_threads(void) {
  static char alone[FINDINGS_BYTES];
  MUST(try_to_verify((verify_job){.threads = 1}, hear()));
  memcpy(alone, findings, sizeof alone);
  for (int threads = 2; threads <= 3; threads++) {
    for (int again = 0; again < 2; again++) {
      MUST(try_to_verify((verify_job){.threads = threads}, hear()));
      ck_assert_str_eq(findings, alone);
    }
  }
}

CASE(threads_find_the_same) {
  enum { MANY = 8 }; /* so many that each of three threads gets some */
  naive_tables *tables = solve_family(5, MANY);
  naive_slice *slice = &tables->slices[MANY];
  write_all(tables, TABLE_I8);
  expect_same_with_threads();
  write_all(tables, TABLE_U8);
  for (int i = slice->positions * 2 / 3; i < slice->positions; i++) slice->stored_depths[0][i] += 1;
  naive_tables_decode(tables, MANY);
  write_slice(tables, MANY, TABLE_U8);
  expect_same_with_threads();
  expect_finding("wrong");
  for (int i = slice->positions * 2 / 3; i < slice->positions; i++)
    slice->stored[0][i] = slice->plain[0][i] == 0 ? 2 : 0;
  naive_tables_decode(tables, MANY);
  write_slice(tables, MANY, TABLE_I8);
  expect_same_with_threads();
  expect_finding("wrong");
}

SUITE("verify") {
  FIXTURE(make_folder, remove_folder);
  GROUP("right");
  LOOP(right_tables_are_proven, SOME(1, 3) * FAMILIES);
  TESTS(several_rule_sets_share_a_folder, a_job_chooses_rules_and_slices, a_job_leaves_rules_and_cycles_open,
        what_is_proven_is_said, weaker_bounds_are_proven_to_be_sound_alone);
  GROUP("files");
  LOOP(a_changed_file_is_wrong, FAMILIES);
  LOOP(values_that_only_agree_are_not_proven, FAMILIES);
  TEST(the_first_wrong_position_is_shown);
  LOOP(wrong_depths_leave_the_values_proven, FAMILIES);
  TESTS(left_out_cells_are_covered_by_the_digest, swapped_tables_are_refused, a_missing_table_is_said,
        one_of_two_bounds_is_not_enough, a_flipped_byte_is_damage, nothing_to_check_is_an_error,
        memory_is_refused_before_any_work, every_allocation_may_fail, threads_find_the_same);
}
