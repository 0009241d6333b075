/* The proof check over ranks: any number of them find the same as one, wherever a cell is wrong; they end
 * alike where one fails. The tables come from the slow definition (naive_tables.h), ranks are threads. */
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/verify/verify.h"
#include "analysis/verify/verify_parts.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { FAMILIES = 5, OWN_ROW = 3, SEEDS = 7, MOST_RANKS = 5, COUNTS = 3, TEXT = 1 << 15 };

static const struct {
  const char *rules, *cycles;
} families[FAMILIES] = {
    {"awari", "even"}, {"abapa", "even"}, {"abapa", "forced"}, {"abapa", "own-row"}, {"awari", "forced"}};
static const int counts[COUNTS] = {3, 2, 5};

static char folders[2][SUITE_FOLDER_BYTES];

static void make_folders(void) {
  for (int i = 0; i < 2; i++) make_folder_at(folders[i]);
}

static void remove_folders(void) {
  for (int i = 0; i < 2; i++) remove_folder_at(folders[i]);
}

/* The outcome of one rank. */
typedef struct {
  tauler_error error;
  tauler_message message;
  verify_summary summary;
  char findings[TEXT];
} outcome;

static void note(void *user, const verify_finding *found) {
  char *findings = user;
  const size_t used = strlen(findings);
  snprintf(findings + used, TEXT - used, "%s %s: %s (%s, %llu, %g, %g)\n", strrchr(found->path, '/') + 1,
           verify_verdict_name(found->verdict), found->reason, found->position ? found->position : "",
           (unsigned long long)found->index, found->stored, found->expected);
}

/* The settings of the ranks of a trial: rank `odd` has another folder, memory, or a take that fails. */
typedef struct {
  int threads, odd;
  const char *odd_folder;
  uint64_t odd_memory, odd_take;
  outcome found[MOST_RANKS];
} trial;

static void run_rank(comm *comm, void *user) {
  trial *t = user;
  const bool odd = comm_rank(comm) == t->odd;
  outcome *own = &t->found[comm_rank(comm)];
  memory_budget *budget = suite_budget(odd ? t->odd_memory : 0);
  if (odd) memory_fail_allocation(budget, t->odd_take, false);
  memset(own, 0, sizeof *own);
  const verify_job job = {.folder = odd && t->odd_folder ? t->odd_folder : folders[0],
                          .threads = t->threads,
                          .ranks = comm,
                          .memory = budget,
                          .report = note,
                          .user = own->findings};
  own->error = verify_tables(&job, &own->summary, &own->message);
  if (memory_allocated(budget)) abort();
}

static void expect_alike(const trial *t, int ranks, const outcome *right) {
  for (int rank = 0; rank < ranks; rank++) {
    ck_assert_int_eq(t->found[rank].error, right->error);
    ck_assert_str_eq(t->found[rank].message.text, right->message.text);
    ck_assert_str_eq(t->found[rank].findings, right->findings);
    ck_assert_int_eq(memcmp(&t->found[rank].summary, &right->summary, sizeof right->summary), 0);
  }
}

/* Any number of ranks finds what one finds, which is returned. */
static outcome *expect_same_over_ranks(void) {
  static trial alone, shared;
  alone = (trial){.threads = 1, .odd = -1};
  toy_comm_run(1, run_rank, &alone);
  for (int i = 0; i < SOME(1, COUNTS); i++) {
    shared = (trial){.threads = 1 + i % 2, .odd = -1};
    toy_comm_run(counts[i], run_rank, &shared);
    expect_alike(&shared, counts[i], &alone.found[0]);
  }
  return &alone.found[0];
}

static naive_tables *solve_tables(int family, int seeds) {
  return naive_tables_new(families[family].rules, families[family].cycles, seeds);
}

/* Of SEEDS, once for all tests: who changes cells puts them back. */
static naive_tables *solved[FAMILIES];

static void solve_all(void) {
  for (int family = 0; family < FAMILIES; family++) solved[family] = solve_tables(family, SEEDS);
}

static void write_all(const naive_tables *tables, int folder, table_cell depths) {
  MUST(naive_tables_write(tables, folders[folder], depths, NULL));
}

static void write_slice(const naive_tables *tables, int seeds, table_cell depths) {
  MUST(naive_tables_write_slice(tables, folders[0], seeds, depths, NULL));
}

/* --- parts --- */

CASE(every_chunk_has_one_rank) {
  static const uint64_t sizes[] = {0, 1, 2, 7, 8, 31, 63, 1000, 4097, 100003};
  const uint64_t chunks = sizes[_i];
  for (int ranks = 1; ranks <= 7; ranks++) {
    uint8_t *seen = suite_zeros(chunks + 1, 1);
    uint64_t least = UINT64_MAX, most = 0;
    for (int rank = 0; rank < ranks; rank++) {
      comm *comm = NULL;
      MUST(comm_open(&(comm_link){.rank = rank, .ranks = ranks}, &comm, NULL));
      const parts p = parts_of(comm, chunks);
      uint64_t own = 0;
      for (uint64_t slot = 0; slot < p.slots; slot++) {
        const uint64_t chunk = parts_chunk(&p, slot);
        if (chunk >= chunks) continue;
        ck_assert_int_eq(parts_owner(&p, chunk), rank);
        ck_assert_uint_eq(seen[chunk]++, 0);
        own++;
      }
      comm_close(comm);
      least = own < least ? own : least;
      most = own > most ? own : most;
    }
    for (uint64_t chunk = 0; chunk < chunks; chunk++) ck_assert_uint_eq(seen[chunk], 1);
    ck_assert_uint_le(most - least, chunks / 8 / (unsigned)ranks + 1);
  }
}

/* --- findings --- */

CASE(right_tables_are_proven) {
  naive_tables *tables = solved[_i / 2];
  const bool depths = _i % 2 && _i / 2 != OWN_ROW; /* which are no stages */
  write_all(tables, 0, depths ? TABLE_U8 : TABLE_I8);
  const outcome *found = expect_same_over_ranks();
  MUST(verify_outcome(&found->summary));
  ck_assert_uint_ge(found->summary.tables[VERIFY_PROVEN], SEEDS + 1);
}

/* A cell in each of several parts of two slices; then two at once, of which the first is found. */
CASE(a_wrong_cell_is_found_in_any_part) {
  enum { PLACES = 9 };
  naive_tables *tables = solved[_i];
  write_all(tables, 0, TABLE_U8);
  for (int n = 0; n < 2 * PLACES; n += SOME(5, 1)) {
    const int seeds = n % 2 ? SEEDS : SEEDS - 1;
    naive_slice *slice = &tables->slices[seeds];
    const int at = (int)((long)(slice->positions - 1) * (n / 2) / (PLACES - 1));
    int8_t *cell = &slice->stored[tables->planes - 1][at], *last = &slice->stored[0][slice->positions - 1];
    const int8_t before = *cell, last_before = *last;
    *cell = (int8_t)(slice->plain[tables->planes - 1][at] == seeds ? seeds - 2 : seeds);
    if (n % 3 == 0) *last = (int8_t)(*last == 1 ? 0 : 1);
    naive_tables_decode(tables, seeds);
    write_slice(tables, seeds, n % 4 < 2 ? TABLE_U8 : TABLE_I8);
    const outcome *found = expect_same_over_ranks();
    ck_assert_int_eq(verify_outcome(&found->summary), TAULER_NOT_PROVEN);
    *cell = before;
    *last = last_before;
    naive_tables_decode(tables, seeds);
    write_slice(tables, seeds, TABLE_U8);
  }
}

CASE(wrong_depths_are_found_in_any_part) {
  naive_tables *tables = solved[_i];
  write_all(tables, 0, TABLE_U8);
  naive_slice *slice = &tables->slices[SEEDS];
  for (int at = slice->positions / 5; at < slice->positions; at += slice->positions / SOME(2, 4)) {
    while (slice->stored_depths[0][at] == UINT16_MAX) at++;
    slice->stored_depths[0][at] += 1;
    naive_tables_decode(tables, SEEDS);
    write_slice(tables, SEEDS, TABLE_U8);
    const outcome *found = expect_same_over_ranks();
    if (_i != OWN_ROW) ck_assert_int_eq(verify_outcome(&found->summary), TAULER_NOT_PROVEN);
    slice->stored_depths[0][at] -= 1;
    naive_tables_decode(tables, SEEDS);
  }
}

CASE(values_that_only_agree_are_not_proven) {
  naive_tables *tables = solve_tables(_i, 4);
  naive_tables_believe(tables, 2);
  write_all(tables, 0, TABLE_I8);
  const outcome *found = expect_same_over_ranks();
  ck_assert_int_eq(verify_outcome(&found->summary), TAULER_NOT_PROVEN);
  ck_assert_ptr_nonnull(strstr(found->findings, "no play that ends can force it"));
}

/* --- a rank that fails --- */

static trial odd;

CASE(what_one_rank_lacks_ends_all) {
  naive_tables *tables = solve_tables(2, 3);
  write_all(tables, 0, TABLE_U8);
  tauler_error error = TAULER_NO_MEMORY;
  uint64_t nth = 1;
  for (; error == TAULER_NO_MEMORY && nth < 2000; nth++) {
    odd = (trial){.threads = 1, .odd = _i, .odd_take = nth};
    toy_comm_run(3, run_rank, &odd);
    error = odd.found[0].error;
    const outcome first = odd.found[0];
    expect_alike(&odd, 3, &first);
    ck_assert((error != TAULER_OK) == (first.message.text[0] != '\0'));
  }
  ck_assert_int_eq(error, TAULER_OK);
  ck_assert_uint_gt(nth, 35);
}

CASE(memory_of_one_rank_is_refused_before_any_work) {
  naive_tables *tables = solved[0];
  write_all(tables, 0, TABLE_U8);
  odd = (trial){.threads = 1, .odd = 1, .odd_memory = 100000};
  toy_comm_run(3, run_rank, &odd);
  const outcome first = odd.found[0];
  ck_assert_int_eq(first.error, TAULER_NO_MEMORY);
  ck_assert_str_eq(first.findings, "");
  expect_alike(&odd, 3, &first);
}

static void damage(const char *folder, const char *name) {
  char path[512];
  struct stat about;
  snprintf(path, sizeof path, "%s/auale/awari/even/%s", folder, name);
  ck_assert_int_eq(stat(path, &about), 0);
  flip_bit(path, about.st_size / 2, 0);
}

/* A file that one rank cannot read is damaged for all; ranks that see other tables are refused. */
CASE(a_file_that_one_rank_finds_damaged_is_damaged) {
  naive_tables *tables = solved[0];
  for (int folder = 0; folder < 2; folder++) write_all(tables, folder, TABLE_U8);
  damage(folders[1], _i % 2 ? "7.depth.zst" : "7.value.zst");
  odd = (trial){.threads = 1, .odd = _i / 2, .odd_folder = folders[1]};
  toy_comm_run(3, run_rank, &odd);
  const outcome first = odd.found[0];
  ck_assert_int_eq(first.error, TAULER_OK);
  ck_assert_int_eq(verify_outcome(&first.summary), TAULER_DAMAGED_FILE);
  expect_alike(&odd, 3, &first);
  char path[512];
  snprintf(path, sizeof path, "%s/auale/awari/even/2.value.zst", folders[1]);
  ck_assert_int_eq(remove(path), 0);
  toy_comm_run(3, run_rank, &odd);
  ck_assert_int_eq(odd.found[0].error, TAULER_BAD_USAGE);
  ck_assert_ptr_nonnull(strstr(odd.found[0].message.text, "do not see the same tables"));
}

/* Ranks that lose each other end with an error, wherever that happens, and prove nothing more. */
CASE(ranks_that_lose_each_other_end) {
  naive_tables *tables = solve_tables(_i, 3);
  write_all(tables, 0, TABLE_I8);
  bool lost = true;
  for (uint64_t call = 0; lost && call < 5000; call += 1 + call / SOME(4, 8)) {
    odd = (trial){.threads = 1, .odd = -1};
    toy_comm_run_failing(3, 1, call, run_rank, &odd);
    lost = false;
    for (int rank = 0; rank < 3; rank++) lost = lost || odd.found[rank].error;
    for (int rank = 0; rank < 3 && lost; rank++) ck_assert_int_eq(odd.found[rank].error, TAULER_IO);
  }
  ck_assert(!lost);
}

SUITE("verify over ranks") {
  FIXTURE_ONCE(solve_all, NULL);
  FIXTURE(make_folders, remove_folders);
  LOOP(every_chunk_has_one_rank, 10);
  LOOP(right_tables_are_proven, 2 * FAMILIES);
  LOOP(a_wrong_cell_is_found_in_any_part, FAMILIES);
  LOOP(wrong_depths_are_found_in_any_part, FAMILIES);
  LOOP(values_that_only_agree_are_not_proven, OWN_ROW);
  LOOP(what_one_rank_lacks_ends_all, 3);
  TEST(memory_of_one_rank_is_refused_before_any_work);
  LOOP(a_file_that_one_rank_finds_damaged_is_damaged, 6);
  LOOP_FROM(ranks_that_lose_each_other_end, 2, OWN_ROW + 1);
}
