/* Updates on their way: every one arrives, in runs within the shard and in pieces for others, and in few
 * bytes. */
#include "solver/propagate/frontier.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

enum { MEMBERS = 2, SHARDS = 3, PIECE = 1024 };

static const uint64_t starts[SHARDS + 1] = {0, 5 * 4096, 5 * 4096, 200 * 4096 + 17};

typedef struct {
  memory_budget *memory;
  wave_updates updates;
  int32_t *due; /* per lane and position: updates still to come, times their worth */
} fixture;

static void open_fixture(fixture *f, uint32_t loaded, size_t piece) {
  f->memory = suite_budget(UINT64_C(1) << 30);
  MUST(wave_updates_open(&f->updates, f->memory, starts, SHARDS, MEMBERS, piece, hear()));
  wave_updates_select(&f->updates, loaded);
  f->due = suite_zeros(WAVE_LANES * starts[SHARDS], sizeof *f->due);
}

static void check_all_heard(const fixture *f) {
  for (uint64_t i = 0; i < WAVE_LANES * starts[SHARDS]; i++) {
    if (f->due[i] != 0) ck_abort_msg("position %llu", (unsigned long long)(i / WAVE_LANES));
  }
}

static void close_fixture(fixture *f) {
  check_all_heard(f);
  wave_updates_close(&f->updates);
}

static void push_updates(fixture *f, uint64_t n, uint64_t seed) {
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t index = toy_draw(&seed) % starts[SHARDS];
    const int lane = (int)(toy_draw(&seed) % WAVE_LANES), member = (int)(i % MEMBERS);
    const int8_t worth = toy_draw(&seed) % 5000 == 0 ? 9 : lane ? 5 : -5;
    if (wave_updates_push(&f->updates, member, lane, worth, index)) ck_abort_msg("no memory");
    f->due[WAVE_LANES * index + (uint64_t)lane] += worth;
  }
}

static void receive(fixture *f, const wave_run *run, uint64_t shard_start) {
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t index = shard_start + run->base + run->offsets[k];
    if (index >= starts[SHARDS]) ck_abort_msg("index %llu", (unsigned long long)index);
    f->due[WAVE_LANES * index + (uint64_t)run->lane] -= run->worth;
  }
}

/* Returns how many came. */
static uint64_t pull_all(fixture *f) {
  uint64_t n = 0;
  for (uint32_t bucket = 0; bucket < f->updates.buckets; bucket++) {
    wave_puller puller = {0};
    wave_run run;
    while (wave_updates_pull(&f->updates, (int)bucket % MEMBERS, bucket, &puller, &run)) {
      receive(f, &run, starts[f->updates.loaded]);
      n += run.n;
      for (size_t k = 0; k < run.n; k++) {
        const uint64_t own = run.base + run.offsets[k];
        if (own >> f->updates.bucket_bits != bucket)
          ck_abort_msg("position %llu in bucket %u", (unsigned long long)own, bucket);
      }
    }
  }
  return n;
}

/* As if each piece came to another engine in which its shard is at work. */
static uint64_t pack_all(fixture *f, fixture *other, uint64_t *bytes) {
  uint64_t n = 0;
  const size_t packet_bytes = f->updates.packet_bytes;
  uint8_t *piece = suite_zeros(packet_bytes, 1);
  for (uint32_t target = 0; target < f->updates.used; target++) {
    uint32_t shard;
    for (size_t used; (used = wave_updates_pack(&f->updates, 1, target, piece, &shard)) > 0; *bytes += used) {
      wave_run run;
      ck_assert_uint_le(used, packet_bytes);
      ck_assert_uint_ne(shard, f->updates.loaded);
      ck_assert_uint_eq(shard, other->updates.loaded);
      MUST(wave_updates_unpack(&other->updates, 0, piece, used, &run));
      for (size_t k = 1; k < run.n; k++) {
        if (run.offsets[k - 1] > run.offsets[k]) ck_abort_msg("not sorted");
      }
      receive(f, &run, starts[shard]);
      n += run.n;
    }
  }
  return n;
}

CASE(every_update_arrives) {
  fixture f, other;
  open_fixture(&f, _i ? 2 : 0, PIECE);
  open_fixture(&other, _i ? 0 : 2, PIECE);
  for (uint64_t round = 0; round < 6; round++) {
    const uint64_t n = round == 3 ? 1 : 30000 * round;
    uint64_t bytes = 0;
    push_updates(&f, n, 100 * round + (uint64_t)_i);
    const uint64_t pulled = pull_all(&f), packed = pack_all(&f, &other, &bytes);
    ck_assert_uint_eq(pulled + packed, n);
    check_all_heard(&f);
    ck_assert_uint_eq(f.updates.blocks_in_use, 0);
    if (n > 30000) ck_assert(pulled > 1000 && packed > 1000);
  }
  close_fixture(&f);
  close_fixture(&other);
}

/* A wave that updates every tenth position costs little more than a byte each; a sparse one, two. */
CASE(an_update_takes_few_bytes) {
  fixture f, other;
  open_fixture(&f, 0, 64 * 1024);
  open_fixture(&other, 2, 64 * 1024);
  static const uint64_t due[] = {80000, 4000};
  static const double most[] = {1.6, 3};
  uint64_t bytes = 0;
  push_updates(&f, due[_i], 7);
  pull_all(&f);
  const uint64_t n = pack_all(&f, &other, &bytes);
  ck_assert_uint_gt(n, due[_i] / 2);
  ck_assert_msg((double)bytes < most[_i] * (double)n, "%llu bytes for %llu", (unsigned long long)bytes,
                (unsigned long long)n);
  close_fixture(&f);
  close_fixture(&other);
}

/* Waiting updates are bounded: workers stop long before memory grows with a wave. */
CASE(many_updates_are_noticed) {
  fixture f;
  open_fixture(&f, 2, PIECE);
  uint64_t pushed = 0, seed = 5;
  while (!wave_updates_are_many(&f.updates)) {
    if (wave_updates_push(&f.updates, 0, 0, 1, starts[2] + toy_draw(&seed) % 790000))
      ck_abort_msg("no memory");
    pushed++;
  }
  ck_assert_uint_gt(pushed, 100000);
  ck_assert_uint_le(memory_peak(f.memory), wave_updates_bytes(starts[3] - starts[2], SHARDS, MEMBERS, PIECE));
  wave_updates_close(&f.updates);
}

CASE(what_is_no_piece_is_refused) {
  fixture f;
  open_fixture(&f, 0, PIECE);
  wave_run run;
  const uint8_t good[] = {1, 5, 0, 0, 0xFF, 0x9F, 0x01};
  MUST(wave_updates_unpack(&f.updates, 0, good, sizeof good, &run));
  ck_assert_uint_eq(run.offsets[0], 5 * 4096 - 1);
  const uint8_t beyond[] = {1, 5, 0, 0, 0x80, 0xA0, 0x01}, lane[] = {2, 5, 0, 0, 1}, part[] = {1, 5, 1, 0, 1};
  ck_assert_int_eq(wave_updates_unpack(&f.updates, 0, beyond, sizeof beyond, &run), TAULER_INTERNAL);
  ck_assert_int_eq(wave_updates_unpack(&f.updates, 0, lane, sizeof lane, &run), TAULER_INTERNAL);
  ck_assert_int_eq(wave_updates_unpack(&f.updates, 0, part, sizeof part, &run), TAULER_INTERNAL);
  ck_assert_int_eq(wave_updates_unpack(&f.updates, 0, good, 3, &run), TAULER_INTERNAL);
  uint8_t long_one[PIECE] = {0};
  ck_assert_int_eq(wave_updates_unpack(&f.updates, 0, long_one, PIECE, &run), TAULER_INTERNAL);
  close_fixture(&f);
}

SUITE("wave_updates") {
  LOOP(every_update_arrives, 2);
  LOOP(an_update_takes_few_bytes, 2);
  TESTS(many_updates_are_noticed, what_is_no_piece_is_refused);
}
