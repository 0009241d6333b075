/* A claim whose table lies fails; draws of a board are proven; the first error is kept. */
/* Tier: make check */

#include "analysis/claims/claim_tables.h"
#include "databases/folder.h"
#include "databases/table.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

/* --- a table that lies --- */

static claim_job job_of(memory_budget *memory, const char *board) {
  memory_budget_open(memory, 256 << 20);
  return (claim_job){.folder = folder, .board = board, .threads = 2, .memory = memory};
}

/* Writes a table again with a 0 in one cell. */
static void clear_cell(const char *name, uint64_t index) {
  char path[FOLDER_PATH_BYTES];
  snprintf(path, sizeof path, "%s/phutball/base/%s.zst", folder, name);
  table_header header;
  uint8_t *cells = suite_read_table(path, &header);
  const size_t bytes = table_cell_bytes(header.cell);
  memset(cells + index * bytes, 0, bytes);
  suite_write_table(path, &header, cells, NULL);
}

static uint64_t index_of(const claim_job *job, const char *text) {
  claim_tables t;
  claim_error r = {.error = TAULER_OK};
  game_position position;
  game_place place;
  ck_assert(claim_tables_open(&t, job, &r, "phutball", NULL, NULL));
  ck_assert_int_eq(t.game->parse(t.rules, text, &position, &r.message), TAULER_OK);
  ck_assert(t.game->locate(t.rules, &position, &place));
  claim_tables_close(&t);
  return place.index;
}

static void run_boards(claim_job job, claim_verdict wanted, claim_found *out) {
  run_claim("phutball-small-boards", job, wanted, out);
}

CASE(a_table_that_lies_fails) {
  memory_budget memory;
  const claim_job job = job_of(&memory, "3x3");
  claim_found found;
  run_boards(job, VERDICT_OPEN, &found);
  ck_assert_uint_eq(found.witnesses_used, 0);
  const uint64_t index = index_of(&job, "3/1o1/3 O");
  clear_cell("3x3.value", index);
  clear_cell("3x3.depth", index);
  run_boards(job, VERDICT_FAILS, &found);
  ck_assert_uint_eq(found.witnesses_used, 1);
  ck_assert_uint_eq(found.witnesses[0].rechecks_used, 2);
  for (int i = 0; i < 2; i++) ck_assert(!found.witnesses[0].holds[i]);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
}

CASE(draws_of_a_board_are_proven) {
  memory_budget memory;
  const claim_job job = job_of(&memory, "7x3");
  claim_found found;
  run_boards(job, VERDICT_HOLDS_FOR, &found);
  ck_assert_uint_eq(found.witnesses_used, 1);
  const claim_witness *w = &found.witnesses[0];
  ck_assert_uint_eq(w->rechecks_used, 2);
  for (int i = 0; i < 2; i++) ck_assert(w->holds[i]);
}

/* --- errors --- */

static tauler_error call(int *calls, tauler_error error, tauler_message *message) {
  ++*calls;
  return error ? tauler_fail(message, error, "the disk is gone") : TAULER_OK;
}

CASE(the_first_error_is_kept) {
  claim_error e = {.error = TAULER_OK};
  int calls = 0;
  ck_assert(!CLAIM_CATCH(&e, call(&calls, TAULER_OK, &e.message)));
  ck_assert_int_eq(claim_error_of(&e, hear()), TAULER_OK);
  ck_assert(CLAIM_CATCH(&e, call(&calls, TAULER_IO, &e.message)));
  ck_assert(CLAIM_CATCH(&e, call(&calls, TAULER_OK, &e.message)));
  claim_fail(&e, TAULER_NO_MEMORY, "no memory");
  ck_assert_int_eq(calls, 2); /* nothing is called after an error */
  ck_assert(claim_calloc(&e, 1, 1) == NULL);
  ck_assert_int_eq(claim_error_of(&e, hear()), TAULER_IO);
  ck_assert_str_eq(said.text, "the disk is gone");
}

SUITE("claim_proof") {
  GROUP("errors");
  TEST(the_first_error_is_kept);
  GROUP("claims");
  FIXTURE(make_folder, remove_folder);
  TEST(a_table_that_lies_fails);
  TEST(draws_of_a_board_are_proven);
}
