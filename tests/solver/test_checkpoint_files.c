/* Checkpoints count when they are whole, for any ranks that write and read them; whatever is wrong with one
 * is found before anything is taken, and a failure leaves the one before. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solver/checkpoint/units.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { UNITS = 40, BIG_UNIT = 33, BIG = 3 * (1 << 20) + 17, RANKS = 4, RUN_BYTES = 24, NAME_BYTES = 480 };

/* A checkpoint to be written and read, and what came back of it. */
typedef struct {
  char path[NAME_BYTES];
  const char *identity;
  uint64_t units;
  size_t run_bytes;
  bool small;    /* units of a few bytes */
  size_t longer; /* units are expected to have so many bytes more than they had */
  unsigned salt; /* tells contents apart */
  int failing;   /* this rank fails before it commits, if it is one */
  tauler_error failure;
  _Atomic int result[RANKS];
  tauler_message said[RANKS];
  _Atomic int taken[UNITS];
  _Atomic int wrong, in_take;
  unsigned char run[RANKS][RUN_BYTES];
} fixture;

static fixture *make_fixture(void) {
  fixture *f = calloc(1, sizeof *f);
  make_folder();
  snprintf(f->path, sizeof f->path, "%s/12.values.checkpoint", folder);
  f->identity = "auale awari even slice 12 values";
  f->units = UNITS;
  f->run_bytes = RUN_BYTES;
  f->failing = -1;
  return f;
}

static void free_fixture(fixture *f) {
  remove_folder();
  free(f);
}

static size_t unit_bytes(const fixture *f, uint64_t unit) {
  if (f->small) return unit % 3;
  return unit == BIG_UNIT ? BIG : unit * unit * 37 % 5000;
}

static unsigned char byte_of(const fixture *f, uint64_t unit, size_t i) {
  return (unsigned char)(i * 31 + i / 1000 + unit * 7 + f->salt);
}

static checkpoint_plan plan_of(const fixture *f, comm *comm, void *run) {
  return (checkpoint_plan){.comm = comm,
                           .path = f->path,
                           .identity = f->identity,
                           .units = f->units,
                           .unit_room = BIG,
                           .run = run,
                           .run_bytes = f->run_bytes,
                           .threads = 3};
}

static tauler_error store(const fixture *f, checkpoint_file *file, uint64_t unit, tauler_message *message) {
  const size_t n = unit_bytes(f, unit);
  unsigned char *bytes = n ? malloc(n) : NULL;
  for (size_t i = 0; i < n; i++) bytes[i] = byte_of(f, unit, i);
  const tauler_error error = checkpoint_store(file, unit, bytes, n, message);
  free(bytes);
  return error;
}

static void save_rank(comm *comm, void *user) {
  fixture *f = user;
  const int rank = comm_rank(comm), ranks = comm_ranks(comm);
  unsigned char run[RUN_BYTES];
  memset(run, (int)f->salt + 1, sizeof run);
  const checkpoint_plan plan = plan_of(f, comm, run);
  checkpoint_file *file;
  tauler_error error = checkpoint_begin(&plan, &file, &f->said[rank]);
  if (!error) {
    _Atomic int failed = TAULER_OK;
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int unit = (int)f->units - 1; unit >= 0; unit--) {
      tauler_message message = {""};
      if (unit % ranks != rank) continue;
      const tauler_error stored = store(f, file, (uint64_t)unit, &message);
      if (stored && !atomic_exchange(&failed, (int)stored)) f->said[rank] = message;
    }
    if (rank == f->failing) {
      failed = (int)f->failure;
      strcpy(f->said[rank].text, "this rank failed");
    }
    error = checkpoint_commit(file, (tauler_error)failed, &f->said[rank]);
  }
  f->result[rank] = (int)error;
}

/* Other owners than those who stored it. */
static int owner(uint64_t unit, int ranks) {
  return (int)(unit * 5 / 3) % ranks;
}

typedef struct {
  fixture *f;
  comm *comm;
  uint32_t turn;
} receiver;

static bool wants(void *user, uint64_t unit, size_t *n, uint32_t *turn) {
  const receiver *r = user;
  if (owner(unit, comm_ranks(r->comm)) != comm_rank(r->comm)) return false;
  *n = unit_bytes(r->f, unit) + r->f->longer;
  *turn = (uint32_t)(unit / 2 % 3);
  return true;
}

static tauler_error take(void *user, uint64_t unit, const void *bytes, size_t n, tauler_message *message) {
  receiver *r = user;
  fixture *f = r->f;
  (void)message;
  f->taken[unit]++;
  const uint32_t turn = (uint32_t)(unit / 2 % 3);
  if (turn < r->turn || n != unit_bytes(f, unit)) f->wrong++;
  r->turn = turn;
  const unsigned char *got = bytes;
  for (size_t i = 0; i < n; i++)
    if (got[i] != byte_of(f, unit, i)) f->wrong++;
  return TAULER_OK;
}

static void load_rank(comm *comm, void *user) {
  fixture *f = user;
  const int rank = comm_rank(comm);
  const checkpoint_plan plan = plan_of(f, comm, f->run[rank]);
  receiver r = {f, comm, 0};
  const checkpoint_reader reader = {wants, take, &r, 3};
  f->result[rank] = (int)checkpoint_load(&plan, &reader, &f->said[rank]);
}

/* All ranks must say the same. */
static tauler_error run_ranks(fixture *f, int ranks, void (*work)(comm *comm, void *user)) {
  memset(f->said, 0, sizeof f->said);
  if (ranks == 0) {
    work(NULL, f);
    ranks = 1;
  } else {
    toy_comm_run(ranks, work, f);
  }
  for (int rank = 0; rank < ranks; rank++) {
    ck_assert_int_eq(f->result[rank], f->result[0]);
    ck_assert_str_eq(f->said[rank].text, f->said[0].text);
    ck_assert_int_eq(!f->result[rank], !f->said[rank].text[0]);
  }
  return (tauler_error)f->result[0];
}

static tauler_error save(fixture *f, int ranks, unsigned salt) {
  f->salt = salt;
  return run_ranks(f, ranks, save_rank);
}

static tauler_error load(fixture *f, int ranks) {
  memset(f->run, 0, sizeof f->run);
  memset(f->taken, 0, sizeof f->taken);
  f->wrong = 0;
  const tauler_error error = run_ranks(f, ranks, load_rank);
  for (int unit = 0; unit < UNITS; unit++) {
    ck_assert_int_eq(f->taken[unit], error ? 0 : unit < (int)f->units);
  }
  for (int rank = 0; rank < (ranks ? ranks : 1); rank++) {
    ck_assert_int_eq(f->run[rank][0], error ? 0 : (int)f->salt + 1);
    ck_assert_int_eq(f->run[rank][f->run_bytes - 1], error ? 0 : (int)f->salt + 1);
  }
  ck_assert_int_eq(f->wrong, 0);
  return error;
}

/* Whether what is there is what f says. */
static bool loads_quietly(fixture *f) {
  f->wrong = 0;
  return !run_ranks(f, 1, load_rank) && f->wrong == 0;
}

/* Files in the folder, hidden ones too. */
static int files(void) {
  DIR *listing = opendir(folder);
  int n = 0;
  while (readdir(listing)) n++;
  closedir(listing);
  return n - 2;
}

START_TEST(what_was_saved_comes_back) {
  fixture *f = make_fixture();
  ck_assert_int_eq(load(f, 3), TAULER_TABLE_MISSING);
  unsigned salt = 0;
  for (int from = 0; from <= RANKS; from++) {
    ck_assert_int_eq(save(f, from, ++salt), TAULER_OK);
    ck_assert_int_eq(files(), from ? from + 1 : 2);
    for (int to = 0; to <= RANKS; to++) ck_assert_int_eq(load(f, to), TAULER_OK);
  }
  checkpoint_remove(f->path);
  checkpoint_remove(f->path);
  ck_assert_int_eq(files(), 0);
  ck_assert_int_eq(load(f, 2), TAULER_TABLE_MISSING);
  free_fixture(f);
}
END_TEST

START_TEST(another_solve_is_refused) {
  fixture *f = make_fixture();
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  f->identity = "auale abapa even slice 12 values";
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  ck_assert_ptr_nonnull(strstr(f->said[0].text, "is of another solve (auale awari even slice 12 values)"));
  f->identity = "auale awari even slice 12 value";
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  f->identity = "auale awari even slice 12 values";
  f->units--;
  ck_assert_int_eq(load(f, 3), TAULER_DAMAGED_FILE);
  f->units++;
  f->run_bytes--;
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  f->run_bytes++;
  f->longer = 1;
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  f->longer = 0;
  ck_assert_int_eq(load(f, 2), TAULER_OK);
  free_fixture(f);
}
END_TEST

START_TEST(a_rank_that_fails_leaves_the_one_before) {
  fixture *f = make_fixture();
  ck_assert_int_eq(save(f, 3, 1), TAULER_OK);
  f->failure = TAULER_NO_MEMORY;
  for (f->failing = 0; f->failing < RANKS; f->failing++) {
    ck_assert_int_eq(save(f, RANKS, 2), TAULER_NO_MEMORY);
    ck_assert_str_eq(f->said[0].text, "this rank failed");
    ck_assert_int_eq(files(), 4);
    f->salt = 1;
    ck_assert_int_eq(load(f, 2), TAULER_OK);
  }
  free_fixture(f);
}
END_TEST

static void store_twice(comm *comm, void *user) {
  fixture *f = user;
  unsigned char run[RUN_BYTES] = {0};
  const checkpoint_plan plan = plan_of(f, comm, run);
  checkpoint_file *file;
  ck_assert_int_eq(checkpoint_begin(&plan, &file, NULL), TAULER_OK);
  ck_assert_int_eq(store(f, file, f->units, NULL), TAULER_INTERNAL);
  for (uint64_t unit = 0; unit < f->units; unit++)
    ck_assert_int_eq(store(f, file, unit == 7 ? 8 : unit, NULL), TAULER_OK);
  ck_assert_int_eq(checkpoint_commit(file, TAULER_OK, NULL), TAULER_OK);
}

static void leave_one_out(comm *comm, void *user) {
  fixture *f = user;
  unsigned char run[RUN_BYTES] = {0};
  const checkpoint_plan plan = plan_of(f, comm, run);
  checkpoint_file *file;
  ck_assert_int_eq(checkpoint_begin(&plan, &file, NULL), TAULER_OK);
  for (uint64_t unit = 1; unit < f->units; unit++) ck_assert_int_eq(store(f, file, unit, NULL), TAULER_OK);
  ck_assert_int_eq(checkpoint_commit(file, TAULER_OK, NULL), TAULER_OK);
}

START_TEST(every_unit_is_there_once) {
  fixture *f = make_fixture();
  store_twice(NULL, f);
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  leave_one_out(NULL, f);
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  free_fixture(f);
}
END_TEST

/* The files of a checkpoint by name: the marker, then the data files. */
static int list_files(char names[8][NAME_BYTES]) {
  DIR *listing = opendir(folder);
  const struct dirent *entry;
  int n = 0;
  while ((entry = readdir(listing))) {
    if (entry->d_name[0] == '.') continue;
    ck_assert_int_lt(n, 8);
    snprintf(names[n++], NAME_BYTES, "%s/%.200s", folder, entry->d_name);
  }
  closedir(listing);
  for (int i = 1; i < n; i++) {
    char name[NAME_BYTES];
    for (int k = i; k > 0 && strcmp(names[k], names[k - 1]) < 0; k--) {
      memcpy(name, names[k], sizeof name);
      memcpy(names[k], names[k - 1], sizeof name);
      memcpy(names[k - 1], name, sizeof name);
    }
  }
  return n;
}

static void flip(const char *path, off_t at, int bit) {
  const int file = open(path, O_RDWR);
  unsigned char byte;
  ck_assert_int_eq(pread(file, &byte, 1, at), 1);
  byte ^= (unsigned char)(1 << bit);
  ck_assert_int_eq(pwrite(file, &byte, 1, at), 1);
  close(file);
}

static off_t size_of(const char *path) {
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  return about.st_size;
}

static char *read_file(const char *path, size_t *n) {
  *n = (size_t)size_of(path);
  char *bytes = malloc(*n + 1);
  const int file = open(path, O_RDONLY);
  ck_assert_int_eq(read(file, bytes, *n), (ssize_t)*n);
  close(file);
  return bytes;
}

static void write_file(const char *path, const char *bytes, size_t n) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ck_assert_int_eq(write(file, bytes, n), (ssize_t)n);
  close(file);
}

START_TEST(every_flipped_and_missing_byte_is_found) {
  fixture *f = make_fixture();
  f->small = true;
  f->units = 6;
  char names[8][NAME_BYTES];
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  const int n = list_files(names);
  ck_assert_int_eq(n, 3);
  for (int i = 0; i < n; i++) {
    const off_t size = size_of(names[i]);
    for (off_t at = 0; at < size; at++) {
      flip(names[i], at, (int)at % 8);
      ck_assert_msg(load(f, (int)at % 3) == TAULER_DAMAGED_FILE, "byte %ld of %s", (long)at, names[i]);
      flip(names[i], at, (int)at % 8);
    }
    size_t whole;
    char *bytes = read_file(names[i], &whole);
    bytes[whole] = 0;
    for (size_t left = 0; left <= whole + 1; left++) {
      if (left == whole) continue;
      write_file(names[i], bytes, left);
      ck_assert_msg(load(f, 1 + (int)left % 3) == TAULER_DAMAGED_FILE, "%zu bytes of %s", left, names[i]);
    }
    write_file(names[i], bytes, whole);
    free(bytes);
    ck_assert_int_eq(load(f, 2), TAULER_OK);
  }
  free_fixture(f);
}
END_TEST

START_TEST(files_of_another_generation_are_refused) {
  fixture *f = make_fixture();
  char before[8][NAME_BYTES], after[8][NAME_BYTES];
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  list_files(before);
  size_t n, other;
  char *old = read_file(before[1], &n);
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  list_files(after);
  for (int i = 1; i < 3; i++) ck_assert_str_ne(before[i], after[i]);
  /* The same units in another order or with other contents, and the same number of bytes. */
  char *now = read_file(after[1], &other);
  flip(after[1], (off_t)other / 2, 0);
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  write_file(after[1], now, other);
  ck_assert_int_eq(load(f, 3), TAULER_OK);
  ck_assert_int_eq(rename(after[2], after[1]), 0);
  ck_assert_int_eq(load(f, 3), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  ck_assert_int_eq(list_files(after), 3);
  ck_assert_int_eq(save(f, 2, 2), TAULER_OK);
  list_files(after);
  write_file(after[1], old, n);
  ck_assert_int_eq(load(f, 1), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(unlink(after[1]), 0);
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  free(old);
  free(now);
  free_fixture(f);
}
END_TEST

static const char *const orphans[] = {".5-0", ".1-17", ".18446744073709551614-3"};
static const char *const strangers[] = {".5-0.zst", ".05-0", ".5-",   ".-5",
                                        ".5-0-1",   ".+5-0", "x.5-0", ".5- 1"};

static void put_files(const char *path, const char *const *ends, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    write_file(name, "left", 4);
  }
}

/* Of the generation that counts, and yet not named by its marker. */
static void put_file_of_another_rank(const fixture *f) {
  char command[NAME_BYTES + 100];
  snprintf(command, sizeof command, "for f in %s.??????????*-1; do cp \"$f\" \"${f%%-1}-2\"; done", f->path);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(files_that_no_marker_names_are_removed) {
  enum { ORPHANS = sizeof orphans / sizeof *orphans, STRANGERS = sizeof strangers / sizeof *strangers };
  fixture *f = make_fixture();
  char other[NAME_BYTES];
  snprintf(other, sizeof other, "%s/2.values.checkpoint", folder);
  put_files(other, orphans, ORPHANS);
  put_files(f->path, strangers, STRANGERS);
  const int kept = ORPHANS + STRANGERS;
  put_files(f->path, orphans, ORPHANS);
  ck_assert_int_eq(load(f, 2), TAULER_TABLE_MISSING);
  ck_assert_int_eq(files(), kept);
  put_files(f->path, orphans, ORPHANS);
  f->failing = 1;
  f->failure = TAULER_IO;
  ck_assert_int_eq(save(f, 2, 1), TAULER_IO);
  ck_assert_int_eq(files(), kept);
  f->failing = -1;
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  ck_assert_int_eq(files(), kept + 3);
  put_files(f->path, orphans, ORPHANS);
  put_file_of_another_rank(f);
  ck_assert_int_eq(load(f, 2), TAULER_OK);
  ck_assert_int_eq(files(), kept + 3);
  put_files(f->path, orphans, ORPHANS);
  checkpoint_remove(f->path);
  ck_assert_int_eq(files(), kept);
  free_fixture(f);
}
END_TEST

/* With a damaged marker nobody knows what counts, so nothing goes until a new one is there. */
START_TEST(nothing_is_removed_for_a_damaged_marker) {
  fixture *f = make_fixture();
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  flip(f->path, 20, 3);
  ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(files(), 3);
  flip(f->path, 20, 3);
  ck_assert_int_eq(load(f, 2), TAULER_OK);
  flip(f->path, 20, 3);
  ck_assert_int_eq(save(f, 3, 2), TAULER_OK);
  ck_assert_int_eq(files(), 4);
  free_fixture(f);
}
END_TEST

/* The limit of file sizes stands for a full disk: it meets data files, and the marker where it is larger. */
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
START_TEST(what_is_no_file_is_damage) {
  static void (*const puts[])(const char *path) = {put_pipe, put_folder, put_ring};
  char names[8][NAME_BYTES];
  for (size_t i = 0; i < sizeof puts / sizeof *puts; i++) {
    fixture *f = make_fixture();
    ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
    remove_any(f->path);
    puts[i](f->path);
    for (int ranks = 0; ranks < 3; ranks++) ck_assert_int_eq(load(f, ranks), TAULER_DAMAGED_FILE);
    checkpoint_remove(f->path);
    ck_assert_int_eq(save(f, 2, 3), TAULER_OK);
    ck_assert_int_eq(load(f, 2), TAULER_OK);
    const int n = list_files(names);
    for (int file = 0; file < n; file++) {
      if (strcmp(names[file], f->path) == 0) continue;
      remove_any(names[file]);
      puts[i](names[file]);
      ck_assert_int_eq(load(f, 2), TAULER_DAMAGED_FILE);
      break;
    }
    free_fixture(f);
  }
}
END_TEST

START_TEST(a_full_disk_leaves_the_one_before) {
  fixture *f = make_fixture();
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit whole, tight;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &whole), 0);
  for (int small = 0; small < 2; small++) {
    f->small = small;
    f->units = small ? 2 : UNITS;
    ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
    tight = whole;
    tight.rlim_cur = small ? 150 : 1000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &tight), 0);
    ck_assert_int_eq(save(f, 2, 2), TAULER_NO_SPACE);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &whole), 0);
    ck_assert_int_eq(files(), 3);
    f->salt = 1;
    ck_assert_int_eq(load(f, 2), TAULER_OK);
  }
  free_fixture(f);
}
END_TEST

static void lose_folder(comm *comm, void *user) {
  fixture *f = user;
  const int rank = comm_rank(comm);
  unsigned char run[RUN_BYTES] = {0};
  const checkpoint_plan plan = plan_of(f, comm, run);
  checkpoint_file *file;
  char moved[NAME_BYTES];
  snprintf(moved, sizeof moved, "%s.moved", folder);
  tauler_error error = checkpoint_begin(&plan, &file, &f->said[rank]);
  ck_assert_int_eq(error, TAULER_OK);
  if (rank == 0) ck_assert_int_eq(rename(folder, moved), 0);
  error = checkpoint_commit(file, comm_agree(comm, TAULER_OK, NULL), &f->said[rank]);
  f->result[rank] = (int)error;
  ck_assert_int_eq(comm_agree(comm, TAULER_OK, NULL), TAULER_OK);
  if (rank == 0) ck_assert_int_eq(rename(moved, folder), 0);
}

START_TEST(a_folder_that_cannot_be_written_leaves_the_one_before) {
  fixture *f = make_fixture();
  char name[sizeof f->path];
  ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
  ck_assert_int_eq(run_ranks(f, 2, lose_folder), TAULER_IO);
  ck_assert_int_eq(load(f, 2), TAULER_OK);
  memcpy(name, f->path, sizeof name);
  snprintf(f->path, sizeof f->path, "%s/missing/12.values.checkpoint", folder);
  ck_assert_int_eq(save(f, 2, 2), TAULER_IO);
  memcpy(f->path, name, sizeof name);
  f->salt = 1;
  ck_assert_int_eq(load(f, 2), TAULER_OK);
  free_fixture(f);
}
END_TEST

/* Whatever call comes to grief, there is a checkpoint afterwards, and nobody waits. */
START_TEST(ranks_that_lose_each_other_leave_one) {
  enum { CALLS = 30 };
  fixture *f = make_fixture();
  f->small = true;
  f->units = 9;
  int saved = 0, old = 0;
  for (uint64_t call = 0; call < CALLS; call++) {
    ck_assert_int_eq(save(f, 2, 1), TAULER_OK);
    f->salt = 2;
    toy_comm_run_failing(3, (int)call % 3, call, save_rank, f);
    if (!f->result[0] && !f->result[1] && !f->result[2]) saved++;
    f->salt = 1;
    /* Contents tell which it is, and load wants those of the salt. */
    const bool is_old = loads_quietly(f);
    if (!is_old) f->salt = 2;
    old += is_old;
    ck_assert_int_eq(load(f, 2), TAULER_OK);
  }
  ck_assert_int_gt(saved, 3);
  ck_assert_int_gt(old, 3);
  ck_assert_int_lt(old + saved, CALLS);
  for (uint64_t call = 0; call < CALLS; call++) {
    toy_comm_run_failing(3, (int)call % 3, call, load_rank, f);
    for (int rank = 0; rank < 3; rank++)
      ck_assert(f->result[rank] == TAULER_OK || f->result[rank] == TAULER_IO);
    if (call == 0) ck_assert_int_eq(f->result[0], TAULER_IO);
  }
  free_fixture(f);
}
END_TEST

SUITE("checkpoint_files") {
  TEST(what_was_saved_comes_back);
  TEST(another_solve_is_refused);
  TEST(a_rank_that_fails_leaves_the_one_before);
  TEST(every_unit_is_there_once);
  TEST(every_flipped_and_missing_byte_is_found);
  TEST(files_of_another_generation_are_refused);
  TEST(files_that_no_marker_names_are_removed);
  TEST(nothing_is_removed_for_a_damaged_marker);
  TEST(what_is_no_file_is_damage);
  TEST(a_full_disk_leaves_the_one_before);
  TEST(a_folder_that_cannot_be_written_leaves_the_one_before);
  TEST(ranks_that_lose_each_other_leave_one);
}
