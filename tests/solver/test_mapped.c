/* Arrays that lie in a file: they come back as they were left, or as zeros, whatever their size and however
 * many there are; what is mapped is charged, and a full disk is reported before anything is written. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solver/shards/mapped.h"
#include "tests/support/suite.h"
#include "tests/support/toy_disk.h"

enum { PAGE = 4096, MIB = 1 << 20, SHARDS = 30 };

static memory_budget memory;
static int fallocate_fails; /* errno of the file system, or 0 if it works */

/* Stands before the one of the system, which file systems may not have. */
int fallocate(int descriptor, int mode, off_t offset, off_t n) {
  if (!fallocate_fails) return (int)syscall(SYS_fallocate, descriptor, mode, offset, n);
  errno = fallocate_fails;
  return -1;
}

static void open_budget(void) {
  make_folder();
  memory_budget_open(&memory, UINT64_C(1) << 30);
  fallocate_fails = 0;
}

static void tear_down(void) {
  ck_assert_uint_eq(memory_allocated(&memory), 0);
  remove_empty_folder();
}

static mapped_arrays *open_arrays(void) {
  mapped_arrays *made;
  MUST(mapped_open(folder, &memory, &made, hear()));
  return made;
}

static uint8_t *map_bytes(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t n) {
  uint8_t *bytes = NULL;
  MUST(mapped_map(mapped, shard, part, n, n, &bytes, hear()));
  ck_assert_ptr_nonnull(bytes);
  return bytes;
}

static uint8_t content(uint64_t seed, uint64_t i) {
  return (uint8_t)((seed * 131 + i * UINT64_C(0x9E3779B97F4A7C15)) >> 29);
}

static void write_array(uint8_t *bytes, uint64_t n, uint64_t seed) {
  for (uint64_t i = 0; i < n; i++) bytes[i] = content(seed, i);
}

static bool is_array(const uint8_t *bytes, uint64_t n, uint64_t seed) {
  for (uint64_t i = 0; i < n; i++)
    if (bytes[i] != content(seed, i)) return false;
  return true;
}

static bool is_zero(const uint8_t *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (bytes[i]) return false;
  return true;
}

static const uint64_t sizes[] = {0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * MIB + 5, 2 * PAGE};

enum { SIZES = sizeof sizes / sizeof *sizes };

static uint64_t seed_of(uint32_t shard, uint32_t part) {
  return shard * SIZES + part + 1;
}

/* More arrays than the list holds at first; each turn has those of one shard mapped. */
CASE(arrays_of_every_size_come_back) {
  mapped_arrays *mapped = open_arrays();
  uint8_t *bytes[SIZES];
  for (uint32_t shard = 0; shard < SHARDS; shard++) {
    for (uint32_t part = 0; part < SIZES; part++) {
      const uint64_t n = part == 5 && shard % 8 ? PAGE / 2 : sizes[part];
      bytes[part] = map_bytes(mapped, shard, part, n);
      ck_assert(is_zero(bytes[part], n));
      write_array(bytes[part], n, seed_of(shard, part));
    }
    for (uint32_t part = SIZES; part-- > 0;) mapped_unmap(mapped, shard, part);
  }
  for (int round = 0; round < 2; round++) {
    for (uint32_t shard = SHARDS; shard-- > 0;) {
      for (uint32_t part = 0; part < SIZES; part++) {
        const uint64_t n = part == 5 && shard % 8 ? PAGE / 2 : sizes[part];
        bytes[part] = map_bytes(mapped, shard, part, n);
        ck_assert_msg(is_array(bytes[part], n, seed_of(shard, part)), "part %u of shard %u", part, shard);
      }
      for (uint32_t part = 0; part < SIZES; part++) mapped_unmap(mapped, shard, part);
    }
  }
  mapped_close(mapped);
}

CASE(two_arrays_are_mapped_at_once_and_do_not_meet) {
  mapped_arrays *mapped = open_arrays();
  uint8_t *bytes[2][SIZES];
  for (uint32_t part = 0; part < SIZES; part++)
    for (uint32_t shard = 0; shard < 2; shard++)
      bytes[shard][part] = map_bytes(mapped, shard, part, sizes[part]);
  for (uint32_t part = SIZES; part-- > 0;)
    for (uint32_t shard = 0; shard < 2; shard++)
      write_array(bytes[shard][part], sizes[part], seed_of(shard, part));
  for (int again = 0; again < 2; again++) {
    for (uint32_t shard = 0; shard < 2; shard++) {
      for (uint32_t part = 0; part < SIZES; part++) {
        ck_assert(is_array(bytes[shard][part], sizes[part], seed_of(shard, part)));
        mapped_unmap(mapped, shard, part);
        bytes[shard][part] = map_bytes(mapped, shard, part, sizes[part]);
      }
    }
  }
  mapped_close(mapped);
}

CASE(what_is_mapped_is_charged) {
  mapped_arrays *mapped = open_arrays();
  void *bytes;
  MUST(mapped_map(mapped, 0, 0, PAGE, PAGE, &bytes, NULL));
  const uint64_t before = memory_allocated(&memory);
  MUST(mapped_map(mapped, 1, 0, 8 * MIB, 12345, &bytes, NULL));
  ck_assert_uint_eq(memory_allocated(&memory), before + 12345);
  mapped_unmap(mapped, 0, 0);
  ck_assert_uint_eq(memory_allocated(&memory), before + 12345 - PAGE);
  mapped_unmap(mapped, 0, 0);
  mapped_unmap(mapped, 7, 7);
  ck_assert_uint_eq(memory_allocated(&memory), before + 12345 - PAGE);
  mapped_unmap(mapped, 1, 0);
  /* Another turn may touch more. */
  MUST(mapped_map(mapped, 1, 0, 8 * MIB, 54321, &bytes, NULL));
  ck_assert_uint_eq(memory_allocated(&memory), before - PAGE + 54321);
  mapped_close(mapped);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
}

CASE(a_full_budget_is_reported) {
  mapped_arrays *mapped = open_arrays();
  map_bytes(mapped, 0, 0, PAGE);
  const uint64_t before = memory_allocated(&memory);
  void *bytes = hear();
  memory.limit = before + MIB - 1;
  REFUSED(TAULER_NO_MEMORY, "--memory", mapped_map(mapped, 0, 1, MIB, MIB, &bytes, hear()));
  ck_assert_ptr_null(bytes);
  ck_assert_uint_eq(memory_allocated(&memory), before);
  memory.limit++;
  uint8_t *fits = map_bytes(mapped, 0, 1, MIB);
  ck_assert_uint_eq(memory_left(&memory), 0);
  ck_assert(is_zero(fits, MIB));
  mapped_close(mapped);
}

CASE(what_contradicts_itself_is_refused) {
  mapped_arrays *mapped = open_arrays();
  void *bytes = &mapped;
  map_bytes(mapped, 3, 1, 10 * PAGE);
  const uint64_t before = memory_allocated(&memory);
  ck_assert_int_eq(mapped_map(mapped, 3, 1, 10 * PAGE, 1, &bytes, NULL), TAULER_INTERNAL);
  ck_assert_ptr_null(bytes);
  mapped_unmap(mapped, 3, 1);
  ck_assert_int_eq(mapped_map(mapped, 3, 1, 11 * PAGE, 1, &bytes, NULL), TAULER_INTERNAL);
  ck_assert_int_eq(mapped_map(mapped, 3, 1, 9 * PAGE, 1, &bytes, NULL), TAULER_INTERNAL);
  ck_assert_uint_eq(memory_allocated(&memory), before - 10 * PAGE);
  ck_assert_int_eq(mapped_reserve(mapped, 1, 3, 0, 1, NULL), TAULER_INTERNAL);
  mapped_close(mapped);
}

/* Once with holes in the file, once on a file system that cannot make any. */
CASE(what_is_cleared_is_zero) {
  mapped_arrays *mapped = open_arrays();
  for (uint32_t part = 0; part < SIZES; part++) {
    for (uint32_t shard = 0; shard < 3; shard++) {
      write_array(map_bytes(mapped, shard, part, sizes[part]), sizes[part], seed_of(shard, part));
      mapped_unmap(mapped, shard, part);
    }
  }
  fallocate_fails = _i ? EOPNOTSUPP : 0;
  for (uint32_t part = 0; part < SIZES; part++) mapped_clear(mapped, 1, part);
  mapped_clear(mapped, 9, 9);
  for (uint32_t part = 0; part < SIZES; part++) {
    ck_assert(is_array(map_bytes(mapped, 0, part, sizes[part]), sizes[part], seed_of(0, part)));
    ck_assert(is_array(map_bytes(mapped, 2, part, sizes[part]), sizes[part], seed_of(2, part)));
    uint8_t *bytes = map_bytes(mapped, 1, part, sizes[part]);
    ck_assert(is_zero(bytes, sizes[part]));
    write_array(bytes, sizes[part], 99);
    mapped_unmap(mapped, 1, part);
    ck_assert(is_array(map_bytes(mapped, 1, part, sizes[part]), sizes[part], 99));
  }
  /* Mapped memory is not cleared. */
  mapped_clear(mapped, 0, 5);
  mapped_unmap(mapped, 0, 5);
  ck_assert(is_array(map_bytes(mapped, 0, 5, sizes[5]), sizes[5], seed_of(0, 5)));
  mapped_close(mapped);
}

CASE(only_what_is_written_or_reserved_takes_room) {
  mapped_arrays *mapped = open_arrays();
  enum { SLACK = 8 * PAGE };
  map_bytes(mapped, 0, 0, 64 * MIB);
  map_bytes(mapped, 0, 1, 2 * MIB);
  ck_assert_uint_le(toy_hidden_bytes(folder), SLACK);
  MUST(mapped_reserve(mapped, 0, 0, 5 * MIB, MIB, NULL));
  ck_assert_uint_ge(toy_hidden_bytes(folder), MIB);
  ck_assert_uint_le(toy_hidden_bytes(folder), MIB + SLACK);
  MUST(mapped_reserve(mapped, 0, 1, 0, 2 * MIB, NULL));
  MUST(mapped_reserve(mapped, 0, 1, MIB, 0, NULL));
  ck_assert_uint_ge(toy_hidden_bytes(folder), 3 * MIB);
  mapped_unmap(mapped, 0, 0);
  mapped_clear(mapped, 0, 0);
  ck_assert_uint_ge(toy_hidden_bytes(folder), 2 * MIB);
  ck_assert_uint_le(toy_hidden_bytes(folder), 2 * MIB + SLACK);
  mapped_unmap(mapped, 0, 1);
  mapped_clear(mapped, 0, 1);
  ck_assert_uint_le(toy_hidden_bytes(folder), SLACK);
  mapped_close(mapped);
}

/* Clearing the array gives all of it back, so none of it lies outside. */
CASE(room_is_reserved_where_it_is_wanted) {
  mapped_arrays *mapped = open_arrays();
  map_bytes(mapped, 0, 0, MIB);
  map_bytes(mapped, 0, 1, MIB);
  MUST(mapped_reserve(mapped, 0, 1, MIB / 2, MIB / 4, NULL));
  mapped_unmap(mapped, 0, 1);
  mapped_clear(mapped, 0, 1);
  ck_assert_uint_le(toy_hidden_bytes(folder), 3 * PAGE);
  mapped_close(mapped);
}

CASE(a_full_disk_is_reported) {
  static const int causes[] = {ENOSPC, EDQUOT, EFBIG};
  mapped_arrays *mapped = open_arrays();
  write_array(map_bytes(mapped, 0, 0, MIB), MIB, 1);
  fallocate_fails = causes[_i];
  ck_assert_int_eq(mapped_reserve(mapped, 0, 0, 0, MIB, hear()), TAULER_NO_SPACE);
  ck_assert_msg(strstr(said.text, folder) && strstr(said.text, "free some space"), "%s", said.text);
  fallocate_fails = EIO;
  ck_assert_int_eq(mapped_reserve(mapped, 0, 0, 0, MIB, hear()), TAULER_IO);
  fallocate_fails = EOPNOTSUPP; /* file systems that cannot are asked for nothing */
  MUST(mapped_reserve(mapped, 0, 0, 0, MIB, hear()));
  fallocate_fails = 0;
  MUST(mapped_reserve(mapped, 0, 0, 0, MIB, hear()));
  toy_limit_files(2 * MIB);
  void *bytes = &memory;
  const uint64_t before = memory_allocated(&memory);
  ck_assert_int_eq(mapped_map(mapped, 1, 0, 2 * MIB, MIB, &bytes, hear()), TAULER_NO_SPACE);
  ck_assert_ptr_null(bytes);
  ck_assert_uint_eq(memory_allocated(&memory), before);
  toy_limit_files(0);
  ck_assert(is_zero(map_bytes(mapped, 1, 0, 2 * MIB), 2 * MIB));
  mapped_unmap(mapped, 0, 0);
  ck_assert(is_array(map_bytes(mapped, 0, 0, MIB), MIB, 1));
  mapped_close(mapped);
}

/* Whether a process may still read a byte: asked of another one, which may die. */
static bool is_mapped(const uint8_t *byte) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    _exit(*(volatile const uint8_t *)byte == 0);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

static uint64_t count_resident_bytes(void) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  ck_assert(file && fscanf(file, "%*u %llu", &pages) == 1);
  fclose(file);
  return pages * PAGE;
}

/* An array larger than the room that the budget leaves: no more of it is in memory at a time, and nothing of
 * what was written is lost when dirty pages are dropped. */
CASE(pages_stay_within_the_limit) {
  enum { N = 40 * MIB, ROOM = 12 * MIB, SPARE = 4 * MIB };
  mapped_arrays *mapped = open_arrays();
  uint8_t *bytes = NULL;
  uint64_t most = 0;
  MUST(mapped_map(mapped, 0, 0, N, 0, &bytes, hear()));
  memory.limit = count_resident_bytes() + ROOM;
  for (int pass = 0; pass < 3; pass++) {
    for (uint64_t at = 0; at < N; at += MIB) {
      mapped_limit_pages(mapped, SPARE);
      if (pass == 0) write_array(bytes + at, MIB, at);
      ck_assert(is_array(bytes + at, MIB, at));
      const uint64_t now = toy_resident_bytes(bytes);
      if (now > most) most = now;
    }
  }
  ck_assert_uint_le(most, ROOM - SPARE + 2 * MIB);
  ck_assert_uint_ge(most, (ROOM - SPARE) / 2);
  memory.limit = 1;
  mapped_limit_pages(mapped, SPARE);
  ck_assert_uint_eq(toy_resident_bytes(bytes), 0);
  mapped_close(mapped);
}

CASE(nothing_stays_mapped) {
  mapped_arrays *mapped = open_arrays();
  uint8_t *given = map_bytes(mapped, 0, 0, MIB), *closed = map_bytes(mapped, 0, 1, MIB);
  given[0] = given[MIB - 1] = closed[0] = closed[MIB - 1] = 1;
  ck_assert(is_mapped(given) && is_mapped(given + MIB - 1) && is_mapped(closed));
  mapped_unmap(mapped, 0, 0);
  ck_assert(!is_mapped(given) && !is_mapped(given + MIB - 1) && is_mapped(closed + MIB - 1));
  const int file = toy_hidden_file(folder);
  mapped_close(mapped);
  ck_assert(!is_mapped(closed) && !is_mapped(closed + MIB - 1));
  ck_assert_int_eq(fcntl(file, F_GETFD), -1);
  mapped_close(NULL);
}

static tauler_error map_some(void) {
  mapped_arrays *mapped = NULL;
  void *bytes;
  tauler_error error = mapped_open(folder, &memory, &mapped, NULL);
  for (uint32_t i = 0; i < 100 && !error; i++) error = mapped_map(mapped, i, 0, 1, 1, &bytes, NULL);
  if (!error) ck_assert_int_eq(mapped_map(mapped, 0, 0, 1, 1, &bytes, NULL), TAULER_INTERNAL);
  mapped_close(mapped);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
  return error;
}

CASE(errors_leave_nothing) {
  mapped_arrays *mapped = (mapped_arrays *)&memory;
  REFUSED(TAULER_IO, "tauler-mapped-missing", mapped_open("tauler-mapped-missing", &memory, &mapped, hear()));
  ck_assert_ptr_null(mapped);
  int failures = 0;
  for (tauler_error error = TAULER_NO_MEMORY; error; failures += error != TAULER_OK) {
    memory_fail_allocation(&memory, (uint64_t)failures + 1, false);
    error = map_some();
    ck_assert(!error || error == TAULER_NO_MEMORY);
  }
  ck_assert_int_eq(failures, 3);
}

SUITE("mapped") {
  FIXTURE(open_budget, tear_down);
  TESTS(arrays_of_every_size_come_back, two_arrays_are_mapped_at_once_and_do_not_meet,
        what_is_mapped_is_charged, a_full_budget_is_reported, what_contradicts_itself_is_refused);
  LOOP(what_is_cleared_is_zero, 2);
  TESTS(only_what_is_written_or_reserved_takes_room, room_is_reserved_where_it_is_wanted);
  LOOP(a_full_disk_is_reported, 3);
  TESTS(pages_stay_within_the_limit, nothing_stays_mapped, errors_leave_nothing);
}
