/* Checkpoints of units that are written and read back by ranks (threads), and their files. */
#include "tests/support/solver/toy_saved.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { BIG_UNIT = 33, BIG = 3 * (1 << 20) + 17 };

toy_saved *toy_saved_new(void) {
  toy_saved *f = suite_zeros(1, sizeof *f);
  make_folder();
  snprintf(f->path, sizeof f->path, "%s/12.values.checkpoint", folder);
  f->identity = "auale awari even slice 12 values";
  f->units = TOY_SAVED_UNITS;
  f->run_bytes = TOY_SAVED_RUN_BYTES;
  f->failing = -1;
  return f;
}

static size_t unit_bytes(const toy_saved *f, uint64_t unit) {
  if (f->small) return unit % 3;
  return unit == BIG_UNIT ? BIG : unit * unit * 37 % 5000;
}

static unsigned char byte_of(const toy_saved *f, uint64_t unit, size_t i) {
  return (unsigned char)(i * 31 + i / 1000 + unit * 7 + f->salt);
}

checkpoint_plan toy_saved_plan(const toy_saved *f, comm *comm, void *run) {
  return (checkpoint_plan){.comm = comm,
                           .path = f->path,
                           .identity = f->identity,
                           .units = f->units,
                           .unit_room = BIG,
                           .run = run,
                           .run_bytes = f->run_bytes,
                           .threads = 3};
}

tauler_error toy_saved_store(const toy_saved *f, checkpoint_file *file, uint64_t unit,
                             tauler_message *message) {
  const size_t n = unit_bytes(f, unit);
  unsigned char *bytes = n ? malloc(n) : NULL;
  for (size_t i = 0; i < n; i++) bytes[i] = byte_of(f, unit, i);
  const tauler_error error = checkpoint_store(file, unit, bytes, n, message);
  free(bytes);
  return error;
}

void toy_saved_write_rank(comm *comm, void *user) {
  toy_saved *f = user;
  const int rank = comm_rank(comm), ranks = comm_ranks(comm);
  unsigned char run[TOY_SAVED_RUN_BYTES];
  memset(run, (int)f->salt + 1, sizeof run);
  const checkpoint_plan plan = toy_saved_plan(f, comm, run);
  checkpoint_file *file;
  tauler_error error = checkpoint_begin(&plan, &file, &f->said[rank]);
  if (!error) {
    _Atomic int failed = TAULER_OK;
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int unit = (int)f->units - 1; unit >= 0; unit--) {
      tauler_message message = {""};
      if (unit % ranks != rank) continue;
      const tauler_error stored = toy_saved_store(f, file, (uint64_t)unit, &message);
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
  toy_saved *f;
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

static tauler_error receive_unit(void *user, uint64_t unit, const void *bytes, size_t n,
                                 tauler_message *message) {
  receiver *r = user;
  toy_saved *f = r->f;
  f->taken[unit]++;
  const uint32_t turn = (uint32_t)(unit / 2 % 3);
  if (turn < r->turn || n != unit_bytes(f, unit)) f->wrong++;
  r->turn = turn;
  const unsigned char *got = bytes;
  for (size_t i = 0; i < n; i++)
    if (got[i] != byte_of(f, unit, i)) f->wrong++;
  return TAULER_OK;
}

void toy_saved_read_rank(comm *comm, void *user) {
  toy_saved *f = user;
  const int rank = comm_rank(comm);
  const checkpoint_plan plan = toy_saved_plan(f, comm, f->run[rank]);
  receiver r = {f, comm, 0};
  const checkpoint_reader reader = {wants, receive_unit, &r, 3};
  f->result[rank] = (int)checkpoint_load(&plan, &reader, &f->said[rank]);
}

/* All ranks must say the same. */
tauler_error toy_saved_run(toy_saved *f, int ranks, void (*work)(comm *comm, void *user)) {
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

tauler_error toy_saved_write(toy_saved *f, int ranks, unsigned salt) {
  f->salt = salt;
  return toy_saved_run(f, ranks, toy_saved_write_rank);
}

tauler_error toy_saved_read(toy_saved *f, int ranks) {
  memset(f->run, 0, sizeof f->run);
  memset(f->taken, 0, sizeof f->taken);
  f->wrong = 0;
  const tauler_error error = toy_saved_run(f, ranks, toy_saved_read_rank);
  for (int unit = 0; unit < TOY_SAVED_UNITS; unit++) {
    ck_assert_int_eq(f->taken[unit], error ? 0 : unit < (int)f->units);
  }
  for (int rank = 0; rank < (ranks ? ranks : 1); rank++) {
    ck_assert_int_eq(f->run[rank][0], error ? 0 : (int)f->salt + 1);
    ck_assert_int_eq(f->run[rank][f->run_bytes - 1], error ? 0 : (int)f->salt + 1);
  }
  ck_assert_int_eq(f->wrong, 0);
  return error;
}

bool toy_saved_is(toy_saved *f) {
  f->wrong = 0;
  return !toy_saved_run(f, 1, toy_saved_read_rank) && f->wrong == 0;
}

int toy_saved_files(void) {
  DIR *listing = opendir(folder);
  int n = 0;
  while (readdir(listing)) n++;
  closedir(listing);
  return n - 2;
}

int toy_saved_list(char names[8][TOY_SAVED_NAME_BYTES]) {
  DIR *listing = opendir(folder);
  const struct dirent *entry;
  int n = 0;
  while ((entry = readdir(listing))) {
    if (entry->d_name[0] == '.') continue;
    ck_assert_int_lt(n, 8);
    snprintf(names[n++], TOY_SAVED_NAME_BYTES, "%s/%.200s", folder, entry->d_name);
  }
  closedir(listing);
  qsort(names, (size_t)n, sizeof names[0], (int (*)(const void *, const void *))strcmp);
  return n;
}

off_t toy_saved_size(const char *path) {
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  return about.st_size;
}

char *toy_saved_bytes(const char *path, size_t *n) {
  *n = (size_t)toy_saved_size(path);
  char *bytes = suite_zeros(*n + 1, 1);
  const int file = open(path, O_RDONLY);
  ck_assert_int_eq(read(file, bytes, *n), (ssize_t)*n);
  close(file);
  return bytes;
}

void toy_saved_put(const char *path, const char *bytes, size_t n) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ck_assert_int_eq(write(file, bytes, n), (ssize_t)n);
  close(file);
}
