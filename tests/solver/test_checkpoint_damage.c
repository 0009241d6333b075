/* Checkpoints count when they are whole: whatever is wrong with the files of one is found before anything is
 * taken. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/solver/toy_saved.h"
#include "tests/support/suite.h"

CASE(another_solve_is_refused) {
  toy_saved *f = toy_saved_new();
  MUST(toy_saved_write(f, 2, 1));
  f->identity = "auale abapa even slice 12 values";
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  ck_assert_ptr_nonnull(strstr(f->said[0].text, "is of another solve (auale awari even slice 12 values)"));
  f->identity = "auale awari even slice 12 value";
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  f->identity = "auale awari even slice 12 values";
  f->units--;
  ck_assert_int_eq(toy_saved_read(f, 3), TAULER_DAMAGED_FILE);
  f->units++;
  f->run_bytes--;
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  f->run_bytes++;
  f->longer = 1;
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  f->longer = 0;
  MUST(toy_saved_read(f, 2));
}

static void store_twice(comm *comm, void *user) {
  toy_saved *f = user;
  unsigned char run[TOY_SAVED_RUN_BYTES] = {0};
  const checkpoint_plan plan = toy_saved_plan(f, comm, run);
  checkpoint_file *file;
  MUST(checkpoint_begin(&plan, &file, NULL));
  ck_assert_int_eq(toy_saved_store(f, file, f->units, NULL), TAULER_INTERNAL);
  for (uint64_t unit = 0; unit < f->units; unit++) MUST(toy_saved_store(f, file, unit == 7 ? 8 : unit, NULL));
  MUST(checkpoint_commit(file, TAULER_OK, NULL));
}

static void leave_one_out(comm *comm, void *user) {
  toy_saved *f = user;
  unsigned char run[TOY_SAVED_RUN_BYTES] = {0};
  const checkpoint_plan plan = toy_saved_plan(f, comm, run);
  checkpoint_file *file;
  MUST(checkpoint_begin(&plan, &file, NULL));
  for (uint64_t unit = 1; unit < f->units; unit++) MUST(toy_saved_store(f, file, unit, NULL));
  MUST(checkpoint_commit(file, TAULER_OK, NULL));
}

CASE(every_unit_is_there_once) {
  toy_saved *f = toy_saved_new();
  store_twice(NULL, f);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  leave_one_out(NULL, f);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
}

CASE(every_flipped_and_missing_byte_is_found) {
  toy_saved *f = toy_saved_new();
  f->small = true;
  f->units = 6;
  char names[8][TOY_SAVED_NAME_BYTES];
  MUST(toy_saved_write(f, 2, 1));
  const int n = toy_saved_list(names);
  ck_assert_int_eq(n, 3);
  for (int i = 0; i < n; i++) {
    const off_t size = toy_saved_size(names[i]);
    for (off_t at = 0; at < size; at++) {
      flip_bit(names[i], at, (int)at % 8);
      ck_assert_msg(toy_saved_read(f, (int)at % 3) == TAULER_DAMAGED_FILE, "byte %ld of %s", (long)at,
                    names[i]);
      flip_bit(names[i], at, (int)at % 8);
    }
    size_t whole;
    char *bytes = toy_saved_bytes(names[i], &whole);
    bytes[whole] = 0;
    for (size_t left = 0; left <= whole + 1; left++) {
      if (left == whole) continue;
      toy_saved_put(names[i], bytes, left);
      ck_assert_msg(toy_saved_read(f, 1 + (int)left % 3) == TAULER_DAMAGED_FILE, "%zu bytes of %s", left,
                    names[i]);
    }
    toy_saved_put(names[i], bytes, whole);
    MUST(toy_saved_read(f, 2));
  }
}

CASE(files_of_another_generation_are_refused) {
  toy_saved *f = toy_saved_new();
  char before[8][TOY_SAVED_NAME_BYTES], after[8][TOY_SAVED_NAME_BYTES];
  MUST(toy_saved_write(f, 2, 1));
  toy_saved_list(before);
  size_t n, other;
  char *old = toy_saved_bytes(before[1], &n);
  MUST(toy_saved_write(f, 2, 1));
  toy_saved_list(after);
  for (int i = 1; i < 3; i++) ck_assert_str_ne(before[i], after[i]);
  /* The same units in another order or with other contents, and the same number of bytes. */
  char *now = toy_saved_bytes(after[1], &other);
  flip_bit(after[1], (long)other / 2, 0);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  toy_saved_put(after[1], now, other);
  MUST(toy_saved_read(f, 3));
  ck_assert_int_eq(rename(after[2], after[1]), 0);
  ck_assert_int_eq(toy_saved_read(f, 3), TAULER_DAMAGED_FILE);
  MUST(toy_saved_write(f, 2, 1));
  ck_assert_int_eq(toy_saved_list(after), 3);
  MUST(toy_saved_write(f, 2, 2));
  toy_saved_list(after);
  toy_saved_put(after[1], old, n);
  ck_assert_int_eq(toy_saved_read(f, 1), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(unlink(after[1]), 0);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
}

/* With a damaged marker nobody knows what counts, so nothing goes until a new one is there. */
CASE(nothing_is_removed_for_a_damaged_marker) {
  toy_saved *f = toy_saved_new();
  MUST(toy_saved_write(f, 2, 1));
  flip_bit(f->path, 20, 3);
  ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(toy_saved_files(), 3);
  flip_bit(f->path, 20, 3);
  MUST(toy_saved_read(f, 2));
  flip_bit(f->path, 20, 3);
  MUST(toy_saved_write(f, 3, 2));
  ck_assert_int_eq(toy_saved_files(), 4);
}

static void remove_any(const char *path) {
  ck_assert_int_eq(remove(path), 0);
}

static void put_pipe(const char *path) {
  ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void put_folder(const char *path) {
  ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void put_ring(const char *path) {
  ck_assert_int_eq(symlink(strrchr(path, '/') + 1, path), 0);
}

/* Nothing is waited for, and the next checkpoint takes its place. */
CASE(what_is_no_file_is_damage) {
  static void (*const puts[])(const char *path) = {put_pipe, put_folder, put_ring};
  char names[8][TOY_SAVED_NAME_BYTES];
  for (size_t i = 0; i < sizeof puts / sizeof *puts; i++) {
    toy_saved *f = toy_saved_new();
    MUST(toy_saved_write(f, 2, 1));
    remove_any(f->path);
    puts[i](f->path);
    for (int ranks = 0; ranks < 3; ranks++) ck_assert_int_eq(toy_saved_read(f, ranks), TAULER_DAMAGED_FILE);
    checkpoint_remove(f->path);
    MUST(toy_saved_write(f, 2, 3));
    MUST(toy_saved_read(f, 2));
    const int n = toy_saved_list(names);
    for (int file = 0; file < n; file++) {
      if (strcmp(names[file], f->path) == 0) continue;
      remove_any(names[file]);
      puts[i](names[file]);
      ck_assert_int_eq(toy_saved_read(f, 2), TAULER_DAMAGED_FILE);
      break;
    }
  }
}

SUITE("checkpoint damage") {
  TESTS(another_solve_is_refused, every_unit_is_there_once, every_flipped_and_missing_byte_is_found,
        files_of_another_generation_are_refused, nothing_is_removed_for_a_damaged_marker,
        what_is_no_file_is_damage);
}
