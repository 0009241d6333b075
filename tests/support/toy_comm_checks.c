#include "tests/support/toy_comm_checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GUARD = 16, GUARD_BYTE = 0xA5, UNTOUCHED = 0x5A };

typedef struct {
  comm *comm;
  int rank, ranks;
  comm_verdict verdict;
} comm_checks;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
expect(comm_checks *c, bool holds, const char *format, ...) {
  if (holds || c->verdict.text[0]) return holds;
  va_list arguments;
  const int used = snprintf(c->verdict.text, sizeof c->verdict.text, "rank %d of %d: ", c->rank, c->ranks);
  va_start(arguments, format);
  vsnprintf(c->verdict.text + used, sizeof c->verdict.text - (size_t)used, format, arguments);
  va_end(arguments);
  return false;
}

/* Ranks come to calls at different times. */
static void dawdle(const comm_checks *c, int round) {
  const long late = (c->rank * 7 + round * 3) % 5;
  if (late > 1) nanosleep(&(struct timespec){0, late * 200000}, NULL);
}

static uint8_t content(int from, int to, int round, size_t i) {
  return (uint8_t)(i * 31 + i / 251 + (size_t)(from * 7 + to * 13 + round * 101));
}

static size_t buffer_size(int from, int to, int round, size_t room) {
  switch ((from + 2 * to + round) % 5) {
  case 0:
    return 0;
  case 1:
    return room;
  case 2:
    return room > 0 ? 1 : 0;
  case 3:
    return room / 2;
  default:
    return room > 3 ? room - 3 : room;
  }
}

static void check_buffer(comm_checks *c, const comm_buffer *in, int from, int round, size_t room) {
  const size_t n = buffer_size(from, c->rank, round, room);
  const uint8_t *bytes = in->bytes;
  if (!expect(c, in->n == n, "%zu bytes from rank %d, not %zu", in->n, from, n)) return;
  for (size_t i = 0; i < n; i++) {
    if (!expect(c, bytes[i] == content(from, c->rank, round, i), "byte %zu of %zu from rank %d", i, n, from))
      return;
  }
  for (size_t i = room; i < room + GUARD; i++)
    if (!expect(c, bytes[i] == GUARD_BYTE, "written beyond the room")) return;
}

static void check_swap(comm_checks *c, size_t room, int rounds) {
  const size_t ranks = (size_t)c->ranks, stride = room + GUARD;
  comm_buffer *out = calloc(ranks, sizeof *out), *in = calloc(ranks, sizeof *in);
  uint8_t *sent = malloc(ranks * stride), *got = malloc(ranks * stride);
  for (int round = 0; round < rounds && sent && got && out && in; round++) {
    const uint64_t before = comm_bytes_sent(c->comm);
    uint64_t total = 0;
    memset(got, GUARD_BYTE, ranks * stride);
    for (int r = 0; r < c->ranks; r++) {
      out[r] = (comm_buffer){sent + (size_t)r * stride, buffer_size(c->rank, r, round, room)};
      in[r] = (comm_buffer){got + (size_t)r * stride, 77};
      for (size_t i = 0; i < out[r].n; i++) sent[(size_t)r * stride + i] = content(c->rank, r, round, i);
      if (r != c->rank) total += out[r].n;
    }
    out[c->rank] = (comm_buffer){NULL, SIZE_MAX}; /* is not looked at */
    dawdle(c, round);
    tauler_message message = {""};
    expect(c, comm_start_alltoallv(c->comm, out, in, room, &message) == TAULER_OK, "swap: %.100s",
           message.text);
    for (int i = 0; i < round; i++) comm_note_progress(c->comm);
    expect(c, comm_finish_alltoallv(c->comm, &message) == TAULER_OK, "swap: %.100s", message.text);
    expect(c, in[c->rank].n == 0, "something from itself");
    for (int r = 0; r < c->ranks; r++)
      if (r != c->rank) check_buffer(c, &in[r], r, round, room);
    expect(c, comm_bytes_sent(c->comm) - before == total, "%llu bytes counted, not %llu",
           (unsigned long long)(comm_bytes_sent(c->comm) - before), (unsigned long long)total);
  }
  free(out);
  free(in);
  free(sent);
  free(got);
}

static uint64_t number_of(int rank, size_t i) {
  return i % 3 == 2 ? UINT64_MAX - (uint64_t)rank - i
                    : ((uint64_t)1 << ((unsigned)(rank * 5) % 60)) + (uint64_t)rank * 1000003 + i;
}

static void check_combine(comm_checks *c, size_t n) {
  static const comm_operation operations[] = {COMM_SUM, COMM_MAX, COMM_OR};
  uint64_t *numbers = malloc((n + 1) * sizeof *numbers);
  for (size_t o = 0; numbers && o < 3; o++) {
    for (size_t i = 0; i < n; i++) numbers[i] = number_of(c->rank, i);
    numbers[n] = 4711;
    dawdle(c, (int)o);
    expect(c, comm_allreduce(c->comm, operations[o], numbers, n, NULL) == TAULER_OK, "combine");
    for (size_t i = 0; i < n; i++) {
      uint64_t sum = 0, most = 0, any = 0;
      for (int r = 0; r < c->ranks; r++) {
        const uint64_t number = number_of(r, i);
        sum += number;
        if (number > most) most = number;
        any |= number;
      }
      const uint64_t wanted = o == 0 ? sum : o == 1 ? most : any;
      if (!expect(c, numbers[i] == wanted, "operation %zu, number %zu of %zu", o, i, n)) break;
    }
    expect(c, numbers[n] == 4711, "a number too many");
  }
  free(numbers);
}

static void check_spread_from(comm_checks *c, int from, size_t n) {
  uint8_t *bytes = calloc(1, n + GUARD);
  if (!bytes) {
    expect(c, false, "no memory");
    return;
  }
  const uint64_t before = comm_bytes_sent(c->comm);
  memset(bytes, UNTOUCHED, n + GUARD);
  if (c->rank == from)
    for (size_t i = 0; i < n; i++) bytes[i] = content(from, 0, 1, i);
  dawdle(c, from);
  expect(c, comm_bcast(c->comm, from, bytes, n, NULL) == TAULER_OK, "spread");
  for (size_t i = 0; i < n; i++)
    if (!expect(c, bytes[i] == content(from, 0, 1, i), "byte %zu of %zu spread by %d", i, n, from)) break;
  for (size_t i = n; i < n + GUARD; i++)
    if (!expect(c, bytes[i] == UNTOUCHED, "spread beyond the end")) break;
  const uint64_t sent = c->rank == from ? (uint64_t)n * (uint64_t)(c->ranks - 1) : 0;
  expect(c, comm_bytes_sent(c->comm) - before == sent, "bytes spread are counted wrong");
  free(bytes);
}

/* `failing` has a bit for each rank that fails, each with its own error and words. */
static void check_agree(comm_checks *c, unsigned failing) {
  static const tauler_error kinds[] = {TAULER_NO_SPACE, TAULER_STOPPED, TAULER_DAMAGED_FILE,
                                       TAULER_NO_MEMORY};
  int first = 0;
  while (first < c->ranks && !(failing >> first & 1)) first++;
  const bool fails = failing >> c->rank & 1;
  tauler_message message = {""}, wanted = {""};
  if (first < c->ranks) snprintf(wanted.text, sizeof wanted.text, "rank %d has no disk", first);
  if (fails) snprintf(message.text, sizeof message.text, "rank %d has no disk", c->rank);
  dawdle(c, (int)failing);
  const tauler_error error = comm_agree(c->comm, fails ? kinds[c->rank % 4] : TAULER_OK, &message);
  expect(c, error == (first < c->ranks ? kinds[first % 4] : TAULER_OK), "agreed on error %d, failing %x",
         error, failing);
  expect(c, strcmp(message.text, wanted.text) == 0, "agreed on \"%.100s\", failing %x", message.text,
         failing);
}

comm_verdict comm_check_all(comm *comm) {
  comm_checks c = {.comm = comm, .rank = comm_rank(comm), .ranks = comm_ranks(comm)};
  expect(&c, comm_is_root(comm) == (c.rank == 0) && c.rank >= 0 && c.rank < c.ranks, "who is who");
  static const size_t rooms[] = {0, 1, 100, 4096, 300000};
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) check_swap(&c, rooms[i], 10);
  check_swap(&c, 24, 300); /* some are ahead of others */
  static const size_t counts[] = {0, 1, 3, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_combine(&c, counts[i]);
  for (int from = 0; from < c.ranks; from++) {
    check_spread_from(&c, from, 0);
    check_spread_from(&c, from, 1);
    check_spread_from(&c, from, 100003);
  }
  for (unsigned failing = 0; failing < 1u << c.ranks; failing++) check_agree(&c, failing);
  expect(&c,
         comm_agree(comm, c.rank > 0 ? TAULER_IO : TAULER_OK, NULL) == (c.ranks > 1 ? TAULER_IO : TAULER_OK),
         "agreed without words");
  return c.verdict;
}

comm_verdict comm_check_large(comm *comm) {
  comm_checks c = {.comm = comm, .rank = comm_rank(comm), .ranks = comm_ranks(comm)};
  check_spread_from(&c, c.ranks - 1, ((size_t)256 << 20) + 5);
  return c.verdict;
}
