/* The exchange of packets in trouble: what a peer or the disk gives wrong, full disks, missing memory. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parallel/exchange.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_disk.h"

/* An exchange of one rank that holds all shards. */
static exchange *open_alone(memory_budget *memory, uint32_t shards, size_t packet_bytes) {
  exchange *x;
  memory_budget_open(memory, UINT64_C(1) << 30);
  const workspace work = {
      .threads = 1, .memory = memory, .packet_bytes = packet_bytes, .spill_folder = folder};
  MUST(exchange_open(&work, shards, shards, &x, hear()));
  return x;
}

static void push_numbers(exchange *x, uint32_t *next, uint32_t n) {
  uint32_t numbers[256] = {0};
  for (uint32_t i = 0; i < n; i++) {
    numbers[0] = numbers[255] = (*next)++;
    MUST(exchange_push(x, 0, 1, numbers, sizeof numbers));
  }
}

/* One thread takes packets of one shard in the order they came in. */
static void expect_numbers(exchange *x, uint32_t from, uint32_t to) {
  exchange_cursor cursor = {0};
  exchange_packet packet;
  failure failed = {0};
  for (uint32_t i = from; i < to; i++) {
    uint32_t numbers[256];
    ck_assert(exchange_receive(x, 1, &cursor, &packet, &failed));
    ck_assert_uint_eq(packet.n, sizeof numbers);
    memcpy(numbers, packet.bytes, sizeof numbers);
    ck_assert_msg(numbers[0] == i && numbers[255] == i, "%u instead of %u", numbers[0], i);
  }
  ck_assert(!exchange_receive(x, 1, &cursor, &packet, &failed));
  ck_assert_int_eq(failed.error, TAULER_OK);
}

/* The chunk that goes to the disk holds 252 of these packets. */
static const uint32_t amounts[] = {0, 1, 3, 251, 252, 253, 600};

enum { AMOUNTS = sizeof amounts / sizeof *amounts };

CASE(a_turn_has_what_came_before_its_mark) {
  memory_budget memory;
  exchange *x = open_alone(&memory, 3, 1024);
  uint32_t next = 0, forgotten = 0, marked = 0;
  for (int i = 0; i < AMOUNTS; i++) {
    for (int k = 0; k < AMOUNTS; k++) {
      for (int taken = 0; taken < 2; taken++) {
        push_numbers(x, &next, amounts[i]);
        exchange_mark_received(x, 1);
        marked = next;
        push_numbers(x, &next, amounts[k]);
        if (taken) expect_numbers(x, forgotten, marked);
        if (taken) expect_numbers(x, marked, marked);
        exchange_drop_received(x, 1);
        forgotten = marked;
        expect_numbers(x, forgotten, forgotten); /* not before the next mark */
      }
    }
  }
  exchange_mark_received(x, 1);
  push_numbers(x, &next, 5);
  expect_numbers(x, forgotten, next - 5);
  exchange_mark_received(x, 1); /* a mark may move on before anything is forgotten */
  expect_numbers(x, next - 5, next);
  exchange_close(x);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
}

CASE(the_file_does_not_grow) {
  memory_budget memory;
  exchange *x = open_alone(&memory, 2, 1024);
  const uint64_t open = memory_allocated(&memory);
  struct stat about;
  uint32_t next = 0, forgotten = 0;
  for (int round = 0; round < 60; round++) {
    push_numbers(x, &next, 1000 + (uint32_t)round % 7 * 300);
    exchange_mark_received(x, 1);
    if (round % 3) expect_numbers(x, forgotten, next);
    ck_assert_int_eq(fstat(toy_hidden_file(folder), &about), 0);
    ck_assert_int_gt(about.st_size, 0);
    ck_assert_int_le(about.st_size, 4 << 20);
    exchange_drop_received(x, 1);
    forgotten = next;
    ck_assert_int_eq(fstat(toy_hidden_file(folder), &about), 0);
    ck_assert_int_le(about.st_blocks * 512, 64 * 1024);
  }
  ck_assert_uint_eq(memory_peak(&memory), open);
  /* Small rounds stay in memory. */
  ck_assert_int_eq(ftruncate(toy_hidden_file(folder), 0), 0);
  for (int round = 0; round < 50; round++) {
    push_numbers(x, &next, 200);
    exchange_mark_received(x, 1);
    expect_numbers(x, forgotten, next);
    exchange_drop_received(x, 1);
    forgotten = next;
  }
  ck_assert_int_eq(fstat(toy_hidden_file(folder), &about), 0);
  ck_assert_int_eq(about.st_size, 0);
  exchange_close(x);
}

CASE(many_chunks_wait_in_little_memory) {
  memory_budget memory;
  exchange *x = open_alone(&memory, 2, 0);
  const uint64_t open = memory_allocated(&memory);
  ck_assert_uint_eq(exchange_packet_bytes(x), EXCHANGE_PACKET / 2);
  uint32_t next = 0;
  push_numbers(x, &next, 600 * 253); /* 600 chunks */
  ck_assert_uint_le(memory_allocated(&memory), open + 600 * (EXCHANGE_PACKET / 8192));
  exchange_mark_received(x, 1);
  expect_numbers(x, 0, next);
  exchange_close(x);
}

CASE(a_damaged_chunk_is_refused) {
  memory_budget memory;
  exchange *x = open_alone(&memory, 2, 1024);
  uint32_t next = 0;
  push_numbers(x, &next, 300);
  exchange_mark_received(x, 1);
  uint8_t byte;
  const int file = toy_hidden_file(folder);
  ck_assert_int_eq(pread(file, &byte, 1, 5000), 1);
  byte ^= 1;
  ck_assert_int_eq(pwrite(file, &byte, 1, 5000), 1);
  exchange_cursor cursor = {0};
  exchange_packet packet;
  failure failed = {0};
  bool more = false;
  ck_assert(!exchange_receive(x, 1, &cursor, &packet, &failed));
  ck_assert_int_eq(failed.error, TAULER_IO);
  ck_assert(exchange_is_full(x));
  REFUSED(TAULER_IO, folder, exchange_advance(x, &more, NULL, 0, hear()));
  exchange_close(x);
}

/* A peer, rank 1 of 2, that sends whatever it is asked to. */
typedef struct {
  uint8_t bytes[8192];
  size_t n;
  uint64_t heard; /* the head of what came last */
} peer;

static tauler_error peer_swap(void *link, const comm_buffer *out, comm_buffer *in, size_t room, bool wait) {
  peer *p = link;
  p->heard = out[1].n >= sizeof p->heard ? *(const uint64_t *)out[1].bytes : UINT64_MAX;
  memcpy(in[1].bytes, p->bytes, p->n < room ? p->n : room);
  in[1].n = p->n;
  return TAULER_OK;
}

static tauler_error peer_combine(void *link, comm_operation operation, uint64_t *numbers, size_t n) {
  return TAULER_OK;
}

static tauler_error peer_spread(void *link, int from, void *bytes, size_t n) {
  return TAULER_OK;
}

static comm *open_with_peer(peer *p, uint32_t per_rank, int threads, memory_budget *memory, exchange **x) {
  comm *made;
  const comm_link link = {
      .link = p, .ranks = 2, .finish = peer_swap, .allreduce = peer_combine, .bcast = peer_spread};
  MUST(comm_open(&link, &made, NULL));
  memory_budget_open(memory, UINT64_C(1) << 30);
  const workspace work = {
      .threads = threads, .memory = memory, .comm = made, .packet_bytes = 1024, .spill_folder = folder};
  MUST(exchange_open(&work, 2 * per_rank, per_rank, x, NULL));
  return made;
}

/* More and failed are bits of a number before the packets, which says how many sums follow it. */
static void peer_begins(peer *p, uint64_t flags, const uint64_t *sums, size_t n) {
  flags |= n << 8;
  memcpy(p->bytes, &flags, sizeof flags);
  if (n) memcpy(p->bytes + sizeof flags, sums, n * sizeof *sums);
  p->n = (1 + n) * sizeof flags;
}

static void peer_says(peer *p, uint32_t from, uint32_t to, uint32_t n, uint32_t mark, size_t sent) {
  const uint32_t head[] = {from, to, n, mark};
  memcpy(p->bytes + p->n, head, sizeof head);
  p->n += sent;
}

enum { MARK = 0x65636570 };

/* With two shards per rank 0 and 1 are here, 2 and 3 there. Good ones are needed to believe the bad. */
static const struct {
  uint32_t from, to, n, mark;
  size_t sent;
  bool good;
} packets[] = {
    {2, 0, 24, MARK, 40, true},  {3, 1, 0, MARK, 16, true},           {2, 1, 1024, MARK, 1040, true},
    {2, 0, 25, MARK, 40, false}, {2, 0, 1025, MARK, 1048, false},     {2, 0, 24, MARK + 1, 40, false},
    {2, 2, 24, MARK, 40, false}, {2, 7, 24, MARK, 40, false},         {1, 0, 24, MARK, 40, false},
    {0, 1, 24, MARK, 40, false}, {9, 0, 24, MARK, 40, false},         {2, 0, 24, MARK, 15, false},
    {2, 0, 0, MARK, 8, false},   {2, 0, UINT32_MAX, MARK, 40, false}, {2, 0, UINT32_MAX - 6, MARK, 40, false},
};

/* A cursor gets the error at once, all ranks with the next packets. */
static void expect_refusal(const peer *p, exchange *x, const failure *failed, bool good) {
  bool more = false;
  ck_assert_int_eq(failed->error, good ? TAULER_OK : TAULER_IO);
  ck_assert((strstr(failed->message.text, "rank 1") == NULL) == good);
  ck_assert_int_eq(exchange_advance(x, &more, NULL, 0, hear()), good ? TAULER_OK : TAULER_IO);
  ck_assert_uint_eq(p->heard, good ? 0 : 2);
  ck_assert_str_eq(said.text, failed->message.text);
}

CASE(what_is_no_packet_is_refused) {
  for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
    for (uint32_t per_rank = 1; per_rank <= 2; per_rank++) {
      if (per_rank == 1 && (packets[i].to == 1 || packets[i].from == 1 || packets[i].from == 3)) continue;
      peer *p = suite_zeros(1, sizeof *p);
      memory_budget memory;
      exchange *x;
      const uint32_t first = per_rank;
      comm *two = open_with_peer(p, per_rank, 1, &memory, &x);
      peer_begins(p, 0, NULL, 0);
      peer_says(p, first, 0, 5, MARK, 24);
      const uint32_t from = packets[i].from == 2 ? first : packets[i].from,
                     to = packets[i].to == 2 ? first : packets[i].to;
      peer_says(p, from, to, packets[i].n, packets[i].mark, packets[i].sent);
      bool more = false;
      exchange_cursor cursor = {0};
      exchange_packet packet;
      failure failed = {0};
      MUST(exchange_advance(x, &more, NULL, 0, hear()));
      exchange_mark_received(x, 0);
      ck_assert(exchange_receive(x, 0, &cursor, &packet, &failed) == packets[i].good);
      expect_refusal(p, x, &failed, packets[i].good);
      exchange_cursor_free(&cursor);
      exchange_close(x);
      comm_close(two);
    }
  }
}

CASE(what_is_too_long_for_a_swap_is_refused) {
  peer *p = suite_zeros(1, sizeof *p);
  memory_budget memory;
  exchange *x;
  comm *two = open_with_peer(p, 1, 1, &memory, &x);
  peer_begins(p, 0, NULL, 0);
  for (int i = 0; i < 100; i++) peer_says(p, 1, 0, 24, MARK, 40);
  bool more = false;
  MUST(exchange_advance(x, &more, NULL, 0, hear()));
  ck_assert_int_eq(exchange_advance(x, &more, NULL, 0, hear()), TAULER_IO);
  exchange_close(x);
  comm_close(two);
}

CASE(what_has_no_head_is_refused) {
  static const struct {
    size_t n;
    uint64_t flags;
    bool good;
  } cases[] = {{0, 0, false},  {8, 0, false}, {16, 0, true},      {15, 0, false},
               {16, 4, false}, {16, 1, true}, {64, 7 << 8, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    peer *p = suite_zeros(1, sizeof *p);
    memory_budget memory;
    exchange *x;
    failure failed = {0};
    exchange_cursor cursor = {0};
    exchange_packet packet;
    bool more = false;
    uint64_t sum = 5;
    comm *two = open_with_peer(p, 1, 1, &memory, &x);
    peer_begins(p, cases[i].flags, &(uint64_t){7}, 1);
    p->n = cases[i].n;
    MUST(exchange_advance(x, &more, &sum, 1, NULL));
    ck_assert(!exchange_receive(x, 0, &cursor, &packet, &failed));
    ck_assert_int_eq(failed.error, cases[i].good ? TAULER_OK : TAULER_IO);
    if (cases[i].good) ck_assert_uint_eq(sum, 12);
    if (cases[i].good) ck_assert(more == (cases[i].flags == 1));
    exchange_close(x);
    comm_close(two);
  }
}

CASE(a_packet_after_not_full_always_fits) {
  enum { PUSHERS = 3, SMALL = 42 }; /* records of 24 bytes, 1008 of 1024 */
  peer *p = suite_zeros(1, sizeof *p);
  memory_budget memory;
  exchange *x;
  uint8_t bytes[1024] = {0};
  comm *two = open_with_peer(p, 1, PUSHERS, &memory, &x);
  bool more = false;
  peer_begins(p, 0, NULL, 0);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < SMALL; i++) {
      ck_assert(!exchange_is_full(x));
      MUST(exchange_push(x, 0, 1, bytes, 8));
    }
    ck_assert(!exchange_is_full(x));
    for (int i = 0; i < PUSHERS; i++) {
      MUST(exchange_push(x, 0, 1, bytes, sizeof bytes));
      ck_assert(exchange_is_full(x));
    }
    if (round == 0) MUST(exchange_advance(x, &more, NULL, 0, NULL));
  }
  ck_assert_int_eq(exchange_push(x, 0, 1, bytes, sizeof bytes), TAULER_INTERNAL);
  exchange_close(x);
  comm_close(two);
}

CASE(what_cannot_be_pushed_is_reported) {
  static const struct {
    uint32_t from, to;
    size_t n;
  } cases[] = {{1, 1, 5}, {1, 3, 5}, {3, 1, 5}, {0, 1, 1025}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memory_budget memory;
    exchange *x = open_alone(&memory, 3, 1);
    static const uint8_t bytes[2000];
    bool more = false;
    MUST(exchange_push(x, 0, 1, bytes, 1024));
    MUST(exchange_advance(x, &more, NULL, 0, NULL));
    ck_assert_int_eq(exchange_push(x, cases[i].from, cases[i].to, bytes, cases[i].n), TAULER_INTERNAL);
    ck_assert_int_eq(exchange_advance(x, &more, NULL, 0, NULL), TAULER_INTERNAL);
    exchange_close(x);
  }
}

CASE(packet_sizes_follow_the_peers) {
  static const struct {
    uint32_t shards;
    size_t asked, packet;
  } cases[] = {{1, 0, 128 * 1024}, {32, 0, 128 * 1024},      {64, 0, 64 * 1024}, {1000, 0, 16 * 1024},
               {4, 1, 1024},       {4, 1 << 20, 256 * 1024}, {4, 5000, 5000}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    peer *p = suite_zeros(1, sizeof *p);
    comm *many;
    exchange *x;
    memory_budget memory;
    const comm_link link = {.link = p, .ranks = (int)cases[i].shards};
    MUST(comm_open(&link, &many, NULL));
    const workspace work = {.threads = 2, .memory = &memory, .comm = many, .packet_bytes = cases[i].asked};
    memory_budget_open(&memory, UINT64_C(1) << 32);
    MUST(exchange_open(&work, cases[i].shards, 1, &x, NULL));
    ck_assert_uint_eq(exchange_packet_bytes(x), cases[i].packet);
    ck_assert_uint_eq(memory_allocated(&memory), exchange_bytes(&work, cases[i].shards, 1));
    exchange_close(x);
    comm_close(many);
  }
}

static void limit_files(rlim_t bytes, rlim_t *before) {
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  if (before) *before = limit.rlim_cur;
  limit.rlim_cur = bytes;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The disk of rank 0 fills as it takes what rank 1 sends; before, in that swap, beside it or never rank 2
 * fails as well or alone has more. */
typedef struct {
  int at_step;
  bool fails;
  tauler_error errors[3];
  atomic_int right;
} filling;

static void fill_rank_0(comm *comm, void *user) {
  filling *f = user;
  exchange *x;
  memory_budget *memory = suite_budget(UINT64_C(1) << 30);
  const workspace work = {.threads = 1, .memory = memory, .comm = comm, .spill_folder = folder};
  if (exchange_open(&work, 6, 2, &x, NULL)) return;
  static const uint8_t bytes[100000];
  const int rank = comm_rank(comm);
  tauler_error error = TAULER_OK;
  for (int step = 0; step < 20 && !error; step++) {
    bool more = !f->fails && rank == 2 && step == f->at_step;
    if (f->fails && rank == 2 && step == f->at_step) (void)exchange_push(x, 4, 4, bytes, 10);
    for (bool again = true; again && !error; more = false) {
      if (rank == 1) (void)exchange_push(x, 2, 0, bytes, sizeof bytes);
      error = exchange_advance(x, &more, NULL, 0, hear());
      again = more;
    }
    if (!error) error = comm_agree(comm, TAULER_OK, hear());
  }
  f->errors[rank] = error;
  exchange_close(x);
  atomic_fetch_add(&f->right, said.text[0] && memory_allocated(memory) == 0);
}

CASE(all_ranks_know_who_fails_and_who_has_more) {
  rlim_t before;
  signal(SIGXFSZ, SIG_IGN);
  limit_files(1000000, &before);
  static const int steps[] = {2, 8, 9, 10, 11, 12, 100};
  for (size_t i = 0; i < 2 * sizeof steps / sizeof *steps; i++) {
    filling f = {.at_step = steps[i / 2], .fails = i % 2};
    toy_comm_run(3, fill_rank_0, &f);
    ck_assert(f.errors[1] == f.errors[0] && f.errors[2] == f.errors[0] && f.right == 3);
    if (f.at_step == 2 && f.fails)
      ck_assert_int_eq(f.errors[0], TAULER_INTERNAL);
    else if (!f.fails || f.at_step == 100)
      ck_assert_int_eq(f.errors[0], TAULER_NO_SPACE);
    else
      ck_assert_int_ne(f.errors[0], TAULER_OK);
  }
  limit_files(before, NULL);
}

CASE(missing_memory_is_told_and_leaves_nothing) {
  tauler_error error = TAULER_NO_MEMORY;
  int failures = 0;
  memory_budget *memory = suite_budget(UINT64_C(1) << 30);
  const workspace work = {.threads = 2, .memory = memory, .spill_folder = folder};
  for (uint64_t nth = 1; error; nth++) {
    exchange *x = NULL;
    memory_fail_allocation(memory, nth, false);
    error = exchange_open(&work, 3, 3, &x, NULL);
    ck_assert(!error || (error == TAULER_NO_MEMORY && !x));
    failures += error != TAULER_OK;
    exchange_close(x);
  }
  ck_assert_int_ge(failures, 5);
}

SUITE("exchange") {
  FIXTURE(make_folder, remove_empty_folder);
  TESTS(a_turn_has_what_came_before_its_mark, the_file_does_not_grow, many_chunks_wait_in_little_memory,
        a_damaged_chunk_is_refused, what_is_no_packet_is_refused, what_is_too_long_for_a_swap_is_refused,
        what_has_no_head_is_refused, a_packet_after_not_full_always_fits, what_cannot_be_pushed_is_reported,
        packet_sizes_follow_the_peers, all_ranks_know_who_fails_and_who_has_more,
        missing_memory_is_told_and_leaves_nothing);
}
