/* Checkpoints come back for any ranks that write and read them, and a failure leaves the one before. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/solver/toy_saved.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

CASE(what_was_saved_comes_back) {
  toy_saved *f = toy_saved_new();
  ck_assert_int_eq(toy_saved_read(f, 3), TAULER_TABLE_MISSING);
  unsigned salt = 0;
  for (int from = 0; from <= TOY_SAVED_RANKS; from++) {
    MUST(toy_saved_write(f, from, ++salt));
    ck_assert_int_eq(toy_saved_files(), from ? from + 1 : 2);
    for (int to = 0; to <= TOY_SAVED_RANKS; to++) MUST(toy_saved_read(f, to));
  }
  checkpoint_remove(f->path);
  checkpoint_remove(f->path);
  ck_assert_int_eq(toy_saved_files(), 0);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_TABLE_MISSING);
}

CASE(a_rank_that_fails_leaves_the_one_before) {
  toy_saved *f = toy_saved_new();
  MUST(toy_saved_write(f, 3, 1));
  f->failure = TAULER_NO_MEMORY;
  for (f->failing = 0; f->failing < TOY_SAVED_RANKS; f->failing++) {
    ck_assert_int_eq(toy_saved_write(f, TOY_SAVED_RANKS, 2), TAULER_NO_MEMORY);
    ck_assert_str_eq(f->said[0].text, "this rank failed");
    ck_assert_int_eq(toy_saved_files(), 4);
    f->salt = 1;
    MUST(toy_saved_read(f, 2));
  }
}

static const char *const orphans[] = {".5-0", ".1-17", ".18446744073709551614-3"};
static const char *const strangers[] = {".5-0.zst", ".05-0", ".5-",   ".-5",
                                        ".5-0-1",   ".+5-0", "x.5-0", ".5- 1"};

static void put_files(const char *path, const char *const *ends, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char name[TOY_SAVED_NAME_BYTES];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    toy_saved_put(name, "left", 4);
  }
}

/* Of the generation that counts, and yet not named by its marker. */
static void put_file_of_another_rank(const toy_saved *f) {
  char command[TOY_SAVED_NAME_BYTES + 100];
  snprintf(command, sizeof command, "for f in %s.??????????*-1; do cp \"$f\" \"${f%%-1}-2\"; done", f->path);
  ck_assert_int_eq(system(command), 0);
}

CASE(files_that_no_marker_names_are_removed) {
  enum { ORPHANS = sizeof orphans / sizeof *orphans, STRANGERS = sizeof strangers / sizeof *strangers };
  toy_saved *f = toy_saved_new();
  char other[TOY_SAVED_NAME_BYTES];
  snprintf(other, sizeof other, "%s/2.values.checkpoint", folder);
  put_files(other, orphans, ORPHANS);
  put_files(f->path, strangers, STRANGERS);
  const int kept = ORPHANS + STRANGERS;
  put_files(f->path, orphans, ORPHANS);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_TABLE_MISSING);
  ck_assert_int_eq(toy_saved_files(), kept);
  put_files(f->path, orphans, ORPHANS);
  f->failing = 1;
  f->failure = TAULER_IO;
  ck_assert_int_eq(toy_saved_write(f, 2, 1), TAULER_IO);
  ck_assert_int_eq(toy_saved_files(), kept);
  f->failing = -1;
  MUST(toy_saved_write(f, 2, 1));
  ck_assert_int_eq(toy_saved_files(), kept + 3);
  put_files(f->path, orphans, ORPHANS);
  put_file_of_another_rank(f);
  MUST(toy_saved_read(f, 2));
  ck_assert_int_eq(toy_saved_files(), kept + 3);
  put_files(f->path, orphans, ORPHANS);
  checkpoint_remove(f->path);
  ck_assert_int_eq(toy_saved_files(), kept);
}

/* It may name any of the files: a disk that fails for a moment must not cost them. */
CASE(a_marker_that_cannot_be_read_costs_no_file) {
  toy_saved *f = toy_saved_new();
  char aside[TOY_SAVED_NAME_BYTES + 8];
  snprintf(aside, sizeof aside, "%s.aside", f->path);
  MUST(toy_saved_write(f, 2, 1));
  ck_assert_int_eq(rename(f->path, aside), 0);
  ck_assert_int_eq(mkdir(f->path, 0700), 0);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(rmdir(f->path), 0);
  ck_assert_int_eq(rename(aside, f->path), 0);
  MUST(toy_saved_read(f, 2));
  checkpoint_remove(f->path);
  ck_assert_int_eq(toy_saved_files(), 0);
}

/* The limit of file sizes stands for a full disk: it meets data files, and the marker where it is larger. */
CASE(a_full_disk_leaves_the_one_before) {
  toy_saved *f = toy_saved_new();
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit whole, tight;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &whole), 0);
  for (int small = 0; small < 2; small++) {
    f->small = small;
    f->units = small ? 2 : TOY_SAVED_UNITS;
    MUST(toy_saved_write(f, 2, 1));
    tight = whole;
    tight.rlim_cur = small ? 150 : 1000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &tight), 0);
    ck_assert_int_eq(toy_saved_write(f, 2, 2), TAULER_NO_SPACE);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &whole), 0);
    ck_assert_int_eq(toy_saved_files(), 3);
    f->salt = 1;
    MUST(toy_saved_read(f, 2));
  }
}

static void lose_folder(comm *comm, void *user) {
  toy_saved *f = user;
  const int rank = comm_rank(comm);
  unsigned char run[TOY_SAVED_RUN_BYTES] = {0};
  const checkpoint_plan plan = toy_saved_plan(f, comm, run);
  checkpoint_file *file;
  char moved[TOY_SAVED_NAME_BYTES];
  snprintf(moved, sizeof moved, "%s.moved", folder);
  tauler_error error = checkpoint_begin(&plan, &file, &f->said[rank]);
  ck_assert_int_eq(error, TAULER_OK);
  if (rank == 0) ck_assert_int_eq(rename(folder, moved), 0);
  error = checkpoint_commit(file, comm_agree(comm, TAULER_OK, NULL), &f->said[rank]);
  f->result[rank] = (int)error;
  MUST(comm_agree(comm, TAULER_OK, NULL));
  if (rank == 0) ck_assert_int_eq(rename(moved, folder), 0);
}

CASE(a_folder_that_cannot_be_written_leaves_the_one_before) {
  toy_saved *f = toy_saved_new();
  char name[sizeof f->path];
  MUST(toy_saved_write(f, 2, 1));
  ck_assert_int_eq(toy_saved_run(f, 2, lose_folder), TAULER_IO);
  MUST(toy_saved_read(f, 2));
  memcpy(name, f->path, sizeof name);
  snprintf(f->path, sizeof f->path, "%s/missing/12.values.checkpoint", folder);
  ck_assert_int_eq(toy_saved_write(f, 2, 2), TAULER_IO);
  memcpy(f->path, name, sizeof name);
  f->salt = 1;
  MUST(toy_saved_read(f, 2));
}

/* If any call fails, there is a checkpoint afterwards, and nobody waits. */
CASE(ranks_that_lose_each_other_leave_one) {
  enum { CALLS = 30 };
  toy_saved *f = toy_saved_new();
  f->small = true;
  f->units = 9;
  int saved = 0, old = 0;
  for (uint64_t call = 0; call < CALLS; call++) {
    MUST(toy_saved_write(f, 2, 1));
    f->salt = 2;
    toy_comm_run_failing(3, (int)call % 3, call, toy_saved_write_rank, f);
    if (!f->result[0] && !f->result[1] && !f->result[2]) saved++;
    f->salt = 1;
    /* Contents show which it is, and reading wants those of the salt. */
    const bool is_old = toy_saved_is(f);
    if (!is_old) f->salt = 2;
    old += is_old;
    MUST(toy_saved_read(f, 2));
  }
  ck_assert_int_gt(saved, 3);
  ck_assert_int_gt(old, 3);
  ck_assert_int_lt(old + saved, CALLS);
  for (uint64_t call = 0; call < CALLS; call++) {
    toy_comm_run_failing(3, (int)call % 3, call, toy_saved_read_rank, f);
    for (int rank = 0; rank < 3; rank++)
      ck_assert(f->result[rank] == TAULER_OK || f->result[rank] == TAULER_IO);
    if (call == 0) ck_assert_int_eq(f->result[0], TAULER_IO);
  }
}

SUITE("checkpoint_files") {
  TESTS(what_was_saved_comes_back, a_rank_that_fails_leaves_the_one_before,
        files_that_no_marker_names_are_removed, a_marker_that_cannot_be_read_costs_no_file,
        a_full_disk_leaves_the_one_before, a_folder_that_cannot_be_written_leaves_the_one_before,
        ranks_that_lose_each_other_leave_one);
}
