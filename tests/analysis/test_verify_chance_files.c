/* The proof check of tables of games of chance: right files are proven, and what is wrong, missing, damaged
 * or only consistent is named so, with its figures. */
#include <math.h>
#include <unistd.h>

#include "tests/support/analysis/verified.h"
#include "tests/support/solver/tables.h"
#include "tests/support/toy/toy_bounds.h"

/* Words of headers; all 0: none. */
static table_header headed;

static void set_up(void) {
  headed = (table_header){.width = 0};
  make_folder();
}

static tauler_error verify_folder(toy_bounds *t, uint64_t memory) {
  const verify_job job = {.game = &t->toy->game, .rules = t->toy->rules, .memory = suite_budget(memory)};
  const tauler_error error = try_to_verify(job, NULL);
  if (!error) ck_assert_uint_eq(summary.proofs[VERIFY_SOUND_BOUNDS], summary.tables[VERIFY_PROVEN]);
  return error ? error : verify_outcome(&summary);
}

static const char *path_of(const char *file) {
  static char path[600];
  snprintf(path, sizeof path, "%s/toy/base/%s.zst", folder, file);
  return path;
}

static void write_stream(toy_bounds *t, uint32_t slice, const char *stream, double *cells) {
  table_header header = {.game = "toy",
                         .rules = "base",
                         .cell = TABLE_F64,
                         .index_version = 1,
                         .width = headed.width,
                         .asked_width = headed.asked_width,
                         .endless = headed.endless};
  header.positions = t->toy->positions[slice];
  snprintf(header.slice, sizeof header.slice, "%u", slice);
  snprintf(header.stream, sizeof header.stream, "%s", stream);
  char path[TABLE_NAME_BYTES * 2];
  snprintf(path, sizeof path, "%u.%s", slice, stream);
  suite_write_table(path_of(path), &header, cells, NULL);
}

static void write_all(toy_bounds *t) {
  for (uint32_t slice = 0; slice < t->toy->slices; slice++) {
    for (int b = 0; b < BOUND_KINDS * t->toy->quantities.used; b++) {
      char stream[TABLE_NAME_BYTES];
      const char *bound = b % BOUND_KINDS == BOUND_LOWER ? "lower" : "upper";
      const char *name = t->toy->quantities.list[b / BOUND_KINDS].name;
      snprintf(stream, sizeof stream, t->toy->quantities.used > 1 ? "%s-%s" : "%s", bound, name);
      write_stream(t, slice, stream, t->cells[slice].bound[b % BOUND_KINDS][b / BOUND_KINDS]);
    }
  }
}

static toy_bounds *right_trial(uint64_t seed, int seats) {
  const toy_ways_shape shape = {
      .nodes = 30, .seats = seats, .slices = 2, .leaves_percent = 20, .most_choices = 3, .forwards = true};
  toy_bounds *t = toy_bounds_new(toy_ways_random(&shape, seed));
  toy_bounds_set(t, 0, 1);
  ck_assert(toy_bounds_settle(t, false));
  return t;
}

CASE(right_files_are_proven) {
  toy_bounds *t = right_trial(3, _i);
  write_all(t);
  MUST(verify_folder(t, 0));
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 2u * BOUND_KINDS * (unsigned)t->toy->quantities.used);
  ck_assert_int_eq(verify_folder(t, 1000), TAULER_NO_MEMORY);
}

CASE(a_wrong_file_is_named_with_its_figures) {
  toy_bounds *t = right_trial(4, 0);
  const toy_node *node = &t->toy->node[t->toy->node_at[0][0]];
  double *lower = toy_bounds_cell(t, node, BOUND_LOWER, 0), *upper = toy_bounds_cell(t, node, BOUND_UPPER, 0);
  char text[200];
  const double below = *lower, above = *upper;
  ck_assert(below > 0 && above < 1);
  *lower = nextafter(below, 1);
  *upper = *lower > above ? *lower : above;
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  snprintf(text, sizeof text,
           "0.lower.zst does not follow: node %d has lower %.17g, but its moves make it %.17g at most",
           t->toy->node_at[0][0], *lower, below);
  expect_finding(text);
  expect_finding("0.upper.zst files only: it rests on the stream lower, which is not proven");
  expect_finding("1.lower.zst files only: it rests on slice 0, which is not proven");
  *lower = below;
  *upper = nextafter(above, 0);
  *lower = *upper < below ? *upper : below;
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  expect_finding("0.upper.zst does not follow: node ");
  expect_finding("at least");
  *lower = *upper = 1;
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  snprintf(
      text, sizeof text,
      "0.lower.zst wrong: node %d has lower 1, but by its moves and the other bounds it is %.17g at most",
      t->toy->node_at[0][0], above);
  expect_finding(text);
  *lower = 0.75;
  *upper = 0.5;
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  expect_finding("has lower 0.75, above the upper bound 0.5");
  *lower = NAN;
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  expect_finding("has lower nan, and values lie in 0 … 1");
}

CASE(a_missing_or_damaged_file_proves_nothing) {
  toy_bounds *t = right_trial(5, 2);
  write_all(t);
  ck_assert_int_eq(unlink(path_of("0.upper-win-2")), 0);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_TABLE_MISSING);
  ck_assert_uint_eq(summary.tables[VERIFY_FILES_ONLY], 11);
  expect_finding("0.lower-win-1.zst files only: it rests on the stream upper-win-2, which is missing");
  expect_finding("1.lower-win-1.zst files only: it rests on slice 0, which is damaged or incomplete");
  write_all(t);
  FILE *file = fopen(path_of("1.lower-all"), "r+b");
  fseek(file, -20, SEEK_END);
  fputc('x', file);
  fclose(file);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_DAMAGED_FILE);
  expect_finding("1.lower-all.zst no table: "); /* no game of the registry is called so */
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 6);
  write_stream(t, 1, "lower-all", t->cells[1].bound[BOUND_LOWER][2]);
  write_stream(t, 1, "lower-none", t->cells[1].bound[BOUND_LOWER][2]);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_TABLE_MISSING);
  expect_finding("1.lower-none.zst files only: the stream lower-none is unknown");
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 12);
}

/* One who wants more may stay or take 0, one who wants less may stay or give 1/2. */
static toy_ways *two_that_wait(void) {
  toy_ways *toy = toy_ways_new(1, 1, (uint32_t[]){1});
  for (int node = 0; node < 2; node++) toy_ways_node(toy, 0, true, node ? -1 : 1);
  for (int node = 0; node < 2; node++) {
    toy_ways_way(toy, node, (toy_way){.to = 1 - node});
    toy_ways_way(toy, node, (toy_way){.to = TOY_WAYS_OVER, .gain = 1 + node});
  }
  return toy;
}

CASE(what_headers_say_is_checked) {
  toy_ways *toy = two_that_wait();
  toy_bounds *t = toy_bounds_new(toy);
  toy_bounds_set(t, 0, 0.5);
  headed = (table_header){.width = 0.5, .asked_width = 1e-9, .endless = 2};
  write_all(t);
  MUST(verify_folder(t, 0));
  headed.width = 0.25;
  write_stream(t, 0, "upper", t->cells[0].bound[BOUND_UPPER][0]);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  expect_finding("0.upper.zst wrong: its header says that bounds are at most 0.25 apart, but some are 0.5");
  expect_finding("0.lower.zst files only: it rests on the stream upper, which is wrong");
  headed = (table_header){.width = 1, .asked_width = 1e-9, .endless = 1};
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  expect_finding(
      "0.lower.zst wrong: its header says that play may go on for ever from 1 positions, but it may from 2");
}

/* A node of slice 1 leads to them. */
CASE(consistent_files_are_not_called_proven) {
  toy_ways *toy = two_that_wait();
  toy_ways_way(toy, toy_ways_node(toy, 1, true, 0), (toy_way){.to = 0});
  toy_bounds *t = toy_bounds_new(toy);
  toy_bounds_set(t, 0.25, 0.5);
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  ck_assert_uint_eq(summary.tables[VERIFY_CONSISTENT], 3);
  expect_finding("0.lower.zst consistent, not proven: it agrees with its moves, but from 2 positions play "
                 "that keeps its "
                 "value need not end");
  expect_finding("0.upper.zst proven");
  expect_finding("1.upper.zst consistent, not proven: it rests on slice 0, which is consistent, not proven");
  *toy_bounds_cell(t, &toy->node[2], BOUND_LOWER, 0) = 0.375;
  write_all(t);
  ck_assert_int_eq(verify_folder(t, 0), TAULER_NOT_PROVEN);
  expect_finding("1.lower.zst does not follow: node 2 has lower 0.375, but its moves make it 0.25 at most");
}

SUITE("verify_chance_files") {
  FIXTURE(set_up, remove_folder);
  LOOP(right_files_are_proven, 3);
  TESTS(a_wrong_file_is_named_with_its_figures, a_missing_or_damaged_file_proves_nothing,
        what_headers_say_is_checked, consistent_files_are_not_called_proven);
}
