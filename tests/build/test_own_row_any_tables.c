/* Tables of what can be had whatever boards were met, from the slow definition: what the probe library and
 * the proof check make of them, and of those of own-row that they rest on. */
#include <unistd.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/slices/cells.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/analysis/verified.h"
#include "tests/support/naive_tables.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { SEEDS = 5, OUTSIDE_SEEDS = 7, PIECE = 4096 };

static naive_tables *any;

static void write_tables(int seeds) {
  any = naive_tables_new("abapa", "own-row-any", seeds);
  MUST(naive_tables_write(any, folder, TABLE_I8, hear()));
}

static const char *path_of(const char *file) {
  static char path[512];
  snprintf(path, sizeof path, "%s/auale/abapa/%s", folder, file);
  return path;
}

/* --- the proof check --- */

static uint64_t lines_budget;

static tauler_error verify_cycles(const char *cycles, const char *seeds) {
  const game_request request = {.largest = seeds};
  return verify((verify_job){.game = cycles ? any->game : NULL,
                             .rules = cycles ? suite_rules(any->game, "abapa", cycles) : NULL,
                             .request = &request,
                             .lines_budget = lines_budget});
}

CASE(right_tables_are_proven_with_what_they_rest_on) {
  write_tables(SEEDS);
  ck_assert_msg(verify_cycles(NULL, NULL) == TAULER_OK, "%s", findings);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 4 * (SEEDS + 1));
  ck_assert_msg(verify_cycles("own-row-any", "3") == TAULER_OK, "%s", findings);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 4 * 4);
  ck_assert_msg(verify_cycles("own-row", "3") == TAULER_OK, "%s", findings);
  ck_assert_uint_eq(summary.tables[VERIFY_PROVEN], 2 * 4);
}

CASE(nothing_is_proven_on_what_is_missing) {
  write_tables(4);
  ck_assert_int_eq(unlink(path_of("own-row/2.upper.zst")), 0);
  ck_assert_int_eq(verify_cycles("own-row-any", NULL), TAULER_TABLE_MISSING);
  expect_finding(
      "own-row-any/4.lower.zst files only: it rests on slice 2 of own-row, which is damaged or incomplete");
  ck_assert_int_eq(unlink(path_of("own-row/2.lower.zst")), 0);
  ck_assert_int_eq(verify_cycles(NULL, NULL), TAULER_TABLE_MISSING);
  expect_finding("own-row-any/4.lower.zst files only: it rests on slice 2 of own-row, which is missing");
  expect_finding("own-row-any/2.lower.zst proven");
  for (int seeds = 0; seeds <= 4; seeds++) {
    for (int upper = 0; upper < 2; upper++) {
      char file[64];
      snprintf(file, sizeof file, "own-row/%d.%s.zst", seeds, upper ? "upper" : "lower");
      unlink(path_of(file));
    }
  }
  ck_assert_int_eq(verify_cycles(NULL, NULL), TAULER_TABLE_MISSING);
  expect_finding("own-row-any/4.lower.zst files only: it rests on slice 0 of own-row, which is missing");
  expect_finding("own-row-any/0.lower.zst proven");
}

/* A cell that is stored as it is, one too high. */
static void raise_cell(naive_tables *tables, int seeds) {
  naive_slice *slice = &tables->slices[seeds];
  for (int i = 0; i < slice->positions; i++) {
    if (slice->stored[0][i] == NAIVE_RESERVED || slice->stored[0][i] >= seeds) continue;
    slice->stored[0][i]++;
    slice->plain[0][i]++;
    break;
  }
  MUST(naive_tables_write_slice(tables, folder, seeds, TABLE_I8, hear()));
}

CASE(wrong_cells_are_refused) {
  write_tables(4);
  raise_cell(any, 3);
  ck_assert_int_eq(verify_cycles("own-row-any", NULL), TAULER_NOT_PROVEN);
  expect_finding("own-row-any/3.lower.zst does not follow");
  expect_finding("own-row-any/4.lower.zst proven"); /* which does not rest on it */
  raise_cell(any->fallback, 2);
  ck_assert_int_eq(verify_cycles("own-row-any", NULL), TAULER_NOT_PROVEN);
  expect_finding("own-row/2.lower.zst does not follow");
  expect_finding("own-row-any/4.lower.zst files only: it rests on slice 2 of own-row");
}

/* Values of every line of play. With 4 and 6 seeds some are closed by lines alone. */
static void write_exact_tables(int seeds) {
  any = naive_tables_new("abapa", "own-row", seeds);
  naive_tables_make_exact(any);
  MUST(naive_tables_write(any, folder, TABLE_I8, hear()));
}

CASE(exact_values_are_proven) {
  write_exact_tables(6);
  ck_assert_msg(verify_cycles(NULL, NULL) == TAULER_OK, "%s", findings);
  ck_assert_uint_eq(summary.proofs[VERIFY_SEARCHED], 7);
}

/* Each board in turn is worth a little more and a little less: by one, and by two as seeds change hands. */
CASE(wrong_exact_values_are_refused) {
  enum { SEEDS_OF_ALL = 4 };
  write_exact_tables(SEEDS_OF_ALL);
  naive_slice *slice = &any->slices[SEEDS_OF_ALL];
  for (int i = _i; i < slice->positions; i += SOME(80, 40)) {
    const int8_t right = slice->plain[0][i];
    for (int wrong = right - 2; wrong <= right + 2; wrong++) {
      if (wrong == right || abs(wrong) > SEEDS_OF_ALL) continue;
      slice->plain[0][i] = slice->stored[0][i] = (int8_t)wrong;
      MUST(naive_tables_write_slice(any, folder, SEEDS_OF_ALL, TABLE_I8, hear()));
      ck_assert_int_eq(verify_cycles(NULL, NULL), TAULER_NOT_PROVEN);
      expect_finding("own-row/4.value.zst wrong");
    }
    slice->plain[0][i] = slice->stored[0][i] = right;
  }
}

/* With a budget of one position lines of play end before they decide anything. */
CASE(exact_values_beyond_the_budget_are_not_wrong) {
  enum { SEEDS_OF_ALL = 4 };
  write_exact_tables(SEEDS_OF_ALL);
  lines_budget = 1;
  ck_assert_int_eq(verify_cycles(NULL, NULL), TAULER_TABLE_MISSING);
  ck_assert_uint_eq(summary.tables[VERIFY_WRONG], 0);
  ck_assert_uint_eq(summary.tables[VERIFY_CONSISTENT], 1);
  expect_finding("own-row/2.value.zst consistent, not proven: ");
  expect_finding("own-row/4.value.zst files only: it rests on slice 2, which is not proven");
  naive_slice *slice = &any->slices[2];
  int lost = 0;
  while (slice->plain[0][lost] != -2) lost++;
  slice->plain[0][lost] = slice->stored[0][lost] = 2;
  MUST(naive_tables_write_slice(any, folder, 2, TABLE_I8, hear()));
  ck_assert_int_eq(verify_cycles(NULL, NULL), TAULER_NOT_PROVEN);
  expect_finding("own-row/2.value.zst wrong");
  expect_finding("own-row/4.value.zst files only: it rests on slice 2, which is wrong or damaged");
  lines_budget = 0;
}

CASE(there_are_no_depths) {
  any = naive_tables_new("abapa", "own-row-any", 2);
  MUST(naive_tables_write(any, folder, TABLE_U8, hear()));
  ck_assert_int_eq(verify_cycles("own-row-any", NULL), TAULER_NOT_PROVEN); /* own-row's stages are all 0 */
  expect_finding("own-row-any/2.depth-lower.zst files only: the stream depth-lower is unknown");
  expect_finding("own-row-any/2.lower.zst proven");
  expect_finding("own-row/2.lower.zst proven");
}

/* --- the probe library --- */

static tauler *db;

static tauler_tables *select_any(void) {
  tauler_tables *tables;
  db = asked_folder();
  MUST(tauler_select(db, "auale", "abapa", "own-row-any", &tables, hear()));
  return tables;
}

static naive_bounds *fresh_bounds, *any_bounds;

static void check_board(tauler_tables *tables, int seeds, int rank) {
  const naive_layer *layer = &any->naive->layers[seeds];
  char text[64];
  tauler_answer *answer;
  ck_assert_msg(tauler_probe(tables, naive_write(&layer->boards[rank], text), &answer, hear()) == TAULER_OK,
                "%s: %s", text, said.text);
  if (answer->worth.lower != naive_lower(layer, any_bounds, rank) ||
      answer->worth.upper != naive_upper(layer, any_bounds, rank))
    ck_abort_msg("%s: %g to %g", text, answer->worth.lower, answer->worth.upper);
  double lower = -99, upper = -99;
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_worth worth = answer->moves[i].worth;
    if (worth.lower > lower) lower = worth.lower;
    if (worth.upper > upper) upper = worth.upper;
    if (worth.depth_lower != TAULER_NO_DEPTH) ck_abort_msg("%s: a move has a depth", text);
  }
  if (answer->moves_used && (lower != answer->worth.lower || upper != answer->worth.upper))
    ck_abort_msg("%s: its moves are worth %g to %g", text, lower, upper);
  tauler_answer_free(answer);
}

CASE(boards_are_worth_what_the_slow_definition_says) {
  const int most = SOME(OUTSIDE_SEEDS - 1, OUTSIDE_SEEDS);
  write_tables(most);
  tauler_tables *tables = select_any();
  fresh_bounds = naive_solve_own_row(any->naive);
  any_bounds = naive_solve_own_row_any(any->naive, fresh_bounds);
  for (int seeds = 0; seeds <= most; seeds++) {
    const naive_layer *layer = &any->naive->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      const bool outside = !naive_is_table_board(&layer->boards[rank]);
      if (seeds <= 4 || (outside && rank % 3 == 0) || rank % 29 == 0) check_board(tables, seeds, rank);
    }
  }
}

CASE(whole_slices_come_back) {
  write_tables(SEEDS);
  tauler_tables *tables = select_any();
  const naive_slice *slice = &any->slices[SEEDS];
  static plain_cell cells[PIECE];
  for (int first = 0; first < slice->positions; first += PIECE) {
    const int left = slice->positions - first, n = left < PIECE ? left : PIECE;
    MUST(cells_read(tables, SEEDS, NULL, (uint64_t)first, (size_t)n, false, cells, hear()));
    for (int i = 0; i < n; i++) {
      if (cells[i].lower != slice->plain[0][first + i] || cells[i].upper != slice->plain[1][first + i])
        ck_abort_msg("%d: %d to %d", first + i, cells[i].lower, cells[i].upper);
    }
  }
}

CASE(a_missing_slice_is_named_by_its_cycle_rule) {
  write_tables(4);
  ck_assert_int_eq(unlink(path_of("own-row/2.lower.zst")), 0);
  tauler_tables *tables = select_any();
  tauler_answer *answer;
  REFUSED(TAULER_TABLE_MISSING, "--cycles own-row ",
          tauler_probe(tables, "0-0-0-0-0-1-1-1-0-0-0-1-0-0-S", &answer, hear()));
  tauler_answer_free(answer);
}

SUITE("own row any tables") {
  FIXTURE(make_folder, remove_folder);
  TESTS(right_tables_are_proven_with_what_they_rest_on, nothing_is_proven_on_what_is_missing,
        wrong_cells_are_refused, exact_values_are_proven);
  LOOP(wrong_exact_values_are_refused, 4);
  TESTS(exact_values_beyond_the_budget_are_not_wrong, there_are_no_depths,
        boards_are_worth_what_the_slow_definition_says, whole_slices_come_back,
        a_missing_slice_is_named_by_its_cycle_rule);
}
