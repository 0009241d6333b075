/* Mail that ranks send each other outside an exchange arrives whole, whatever the size of packets; an array
 * that ranks compute in parts becomes the same on all ranks; a rank that fails ends the call on all. */
#include "parallel/mail.h"

#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { MOST_RANKS = 5, PACKET = 64, BYTES = 1000 };

/* The length of the stream from one rank to another, and its bytes. */
static size_t length_of(int from, int to) {
  return from == 1 ? 0 : (size_t)(PACKET * from + 61 * to + (to == from));
}

static uint8_t byte_of(int from, int to, size_t i) {
  return (uint8_t)(from * 100 + to * 10 + (int)i * 7);
}

static void post_all(mail *m) {
  for (int to = 0; to < m->ranks; to++) {
    for (size_t i = 0; i < length_of(m->rank, to); i++) {
      const uint8_t byte = byte_of(m->rank, to, i);
      MUST(mail_append(m, &m->out[to], &byte, 1, NULL));
    }
  }
}

static void add_up(void *user, const void *bytes, size_t n) {
  uint64_t *sum = user;
  ck_assert_uint_le(n, PACKET);
  for (size_t i = 0; i < n; i++) *sum += ((const uint8_t *)bytes)[i];
}

static void send_twice(comm *comm, void *user) {
  mail m;
  uint64_t sum = 0, expected = 0;
  memory_budget *memory = suite_budget(0);
  MUST(mail_open(&m, comm, memory, PACKET, NULL));
  post_all(&m);
  MUST(mail_send(&m, TAULER_OK, NULL, NULL, NULL));
  for (int from = 0; from < m.ranks; from++) {
    ck_assert_uint_eq(m.out[from].n, 0);
    ck_assert_uint_eq(m.in[from].n, length_of(from, m.rank));
    for (size_t i = 0; i < m.in[from].n; i++) {
      ck_assert_uint_eq(m.in[from].bytes[i], byte_of(from, m.rank, i));
      expected += from == m.rank ? 0 : m.in[from].bytes[i];
    }
  }
  post_all(&m);
  MUST(mail_send(&m, TAULER_OK, add_up, &sum, NULL));
  ck_assert_uint_eq(sum, expected);
  ck_assert_uint_eq(m.in[m.rank].n, length_of(m.rank, m.rank));
  mail_close(&m);
}

CASE(streams_arrive_whole_or_packet_by_packet) {
  toy_comm_run(_i, send_twice, NULL);
}

static uint64_t first_of(const void *of, int rank) {
  return (uint64_t)rank * (uint64_t)rank * *(const uint64_t *)of;
}

/* Each rank writes its parts of two arrays: items in turns, and a range. */
static void share_arrays(comm *comm, void *user) {
  memory_budget memory;
  mail m;
  uint8_t turns[BYTES] = {0}, ranges[BYTES] = {0};
  const int rank = comm_rank(comm), ranks = comm_ranks(comm);
  const uint64_t size = *(uint64_t *)user, each = BYTES / size / (uint64_t)(ranks * ranks);
  for (size_t i = 0; i < BYTES; i++) {
    if ((int)(i / size % (uint64_t)ranks) == rank) turns[i] = (uint8_t)(i * 3 + 1);
    if (i >= first_of(&each, rank) * size && i < first_of(&each, rank + 1) * size)
      ranges[i] = (uint8_t)(i + 1);
  }
  memory_budget_open(&memory, 0);
  MUST(mail_open(&m, comm, &memory, PACKET, NULL));
  const mail_part parts[] = {{.array = turns, .item_bytes = size, .bytes = BYTES},
                             {.array = ranges, .item_bytes = size, .first = first_of, .of = &each}};
  MUST(mail_share(&m, parts, 2, NULL));
  ck_assert_uint_le(memory_peak(&memory), mail_bytes(ranks, PACKET));
  for (size_t i = 0; i < BYTES; i++) {
    ck_assert_uint_eq(turns[i], (uint8_t)(i * 3 + 1));
    ck_assert_uint_eq(ranges[i], i < first_of(&each, ranks) * size ? (uint8_t)(i + 1) : 0);
  }
  mail_close(&m);
}

CASE(arrays_become_the_same_on_all_ranks) {
  uint64_t sizes[] = {1, 7, 48, 300};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) toy_comm_run(_i, share_arrays, &sizes[i]);
}

static void fail_at_last(comm *comm, void *user) {
  mail m;
  tauler_message message = {"no room at the last"};
  const bool fails = comm_rank(comm) == comm_ranks(comm) - 1;
  memory_budget *memory = suite_budget(0);
  MUST(mail_open(&m, comm, memory, PACKET, NULL));
  post_all(&m);
  ck_assert_int_eq(mail_send(&m, fails ? TAULER_NO_SPACE : TAULER_OK, NULL, NULL, &message), TAULER_NO_SPACE);
  ck_assert_str_eq(message.text, "no room at the last");
  if (fails) memory_fail_allocation(memory, 1, true);
  ck_assert_int_eq(mail_send(&m, TAULER_OK, NULL, NULL, &message), TAULER_NO_MEMORY);
  if (fails) memory_fail_allocation(memory, 0, false);
  post_all(&m);
  MUST(mail_send(&m, TAULER_OK, NULL, NULL, &message));
  mail_close(&m);
}

CASE(a_rank_that_fails_ends_the_call_on_all) {
  toy_comm_run(_i, fail_at_last, NULL);
}

SUITE("mail") {
  LOOP_FROM(streams_arrive_whole_or_packet_by_packet, 1, MOST_RANKS + 1);
  LOOP_FROM(arrays_become_the_same_on_all_ranks, 1, MOST_RANKS + 1);
  LOOP_FROM(a_rank_that_fails_ends_the_call_on_all, 2, MOST_RANKS + 1);
}
