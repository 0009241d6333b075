/* The arrays of a slice in shards: what was left is found again, in memory or by way of the disk, and no more
 * is in memory than was loaded. */
#include <stdatomic.h>
#include <unistd.h>

#include "games/registry.h"
#include "solver/shards/slice.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_disk.h"

enum { SLICE = 9, SHARDS = 3 };

static const game *auale;
static game_rules *rules;
static memory_budget memory;
static void open_auale(void) {
  auale = game_find("auale");
  rules = suite_rules(auale, "awari", "even");
  memory_budget_open(&memory, UINT64_C(1) << 30);
  make_folder();
}

static void tear_down(void) {
  ck_assert_uint_eq(memory_allocated(&memory), 0);
  remove_empty_folder();
}

static slice_layout *make_layout(uint32_t shards, uint32_t per_rank) {
  slice_layout *layout;
  MUST(layout_open(auale, rules, SLICE, false, shards, per_rank, &layout, NULL));
  return layout;
}

static void open_slice(sharded_slice *slice, const char *where) {
  MUST(sharded_open(slice, NULL, &memory, make_layout(SHARDS, SHARDS), 2, where, hear()));
}

static uint8_t content(uint32_t shard, int part, uint64_t i) {
  return (uint8_t)(shard * 50 + (uint32_t)part * 7 + (uint32_t)(i * i >> 3));
}

static void write_part(sharded_slice *slice, uint32_t i, int part) {
  uint8_t *bytes = slice->shards[i].parts[part];
  for (uint64_t k = 0; k < slice->shards[i].n * sharded_cell_bytes(part); k++) bytes[k] = content(i, part, k);
}

static bool is_part(const sharded_slice *slice, uint32_t i, int part) {
  const uint8_t *bytes = slice->shards[i].parts[part];
  for (uint64_t k = 0; k < slice->shards[i].n * sharded_cell_bytes(part); k++)
    if (bytes[k] != content(i, part, k)) return false;
  return true;
}

static bool is_zero(const sharded_slice *slice, uint32_t i, int part) {
  const uint8_t *bytes = slice->shards[i].parts[part];
  for (uint64_t k = 0; k < slice->shards[i].n * sharded_cell_bytes(part); k++)
    if (bytes[k]) return false;
  return true;
}

CASE(a_slice_knows_its_shards) {
  sharded_slice slice;
  open_slice(&slice, NULL);
  ck_assert_uint_eq(slice.slice, SLICE);
  ck_assert_uint_eq(slice.positions, auale->positions(rules, SLICE));
  ck_assert_uint_eq(slice.first_shard, 0);
  ck_assert_uint_eq(slice.shards_here, SHARDS);
  ck_assert_ptr_null(slice.mapped);
  uint64_t cells = 0;
  for (uint32_t i = 0; i < SHARDS; i++) {
    ck_assert_uint_eq(slice.shards[i].n, layout_shard_size(slice.layout, i).cells);
    cells += slice.shards[i].n;
  }
  ck_assert_uint_eq(cells, slice.positions);
  sharded_free(&slice);
}

CASE(arrays_are_zero_and_found_again) {
  sharded_slice slice;
  open_slice(&slice, _i ? folder : NULL);
  ck_assert(!slice.mapped == !_i);
  const uint64_t before = memory_allocated(&memory);
  for (uint32_t i = 0; i < SHARDS; i++) {
    for (int part = 0; part < SHARD_PARTS; part++) {
      ck_assert_int_eq(sharded_load(&slice, i, part, hear()), TAULER_INTERNAL);
      MUST(sharded_allocate(&slice, i, part, NULL));
      ck_assert(is_zero(&slice, i, part));
      write_part(&slice, i, part);
      sharded_unload(&slice, i);
      sharded_unload(&slice, i);
      ck_assert(!slice.shards[i].parts[part] == (_i == 1));
    }
  }
  /* The list of what is on the disk is little beside the arrays. */
  const uint64_t arrays = slice.positions * (4 * sizeof(int8_t) + 2 * sizeof(uint16_t));
  const uint64_t left = memory_allocated(&memory) - before;
  ck_assert_msg(_i ? left < 8192 : left == arrays, "%lu bytes are left in memory", (unsigned long)left);
  for (uint32_t i = SHARDS; i-- > 0;) {
    for (int part = SHARD_PARTS; part-- > 0;) {
      MUST(sharded_load(&slice, i, part, NULL));
      MUST(sharded_load(&slice, i, part, NULL));
      ck_assert(is_part(&slice, i, part));
      sharded_unload(&slice, i);
    }
  }
  sharded_free(&slice);
}

CASE(what_was_changed_is_kept) {
  sharded_slice slice;
  open_slice(&slice, folder);
  MUST(sharded_allocate(&slice, 1, SHARD_CELLS, NULL));
  write_part(&slice, 1, SHARD_CELLS);
  sharded_unload(&slice, 1);
  for (int times = 0; times < 4; times++) {
    MUST(sharded_load(&slice, 1, SHARD_CELLS, NULL));
    ck_assert(is_part(&slice, 1, SHARD_CELLS) == (times % 2 == 0));
    ((uint8_t *)slice.shards[1].parts[SHARD_CELLS])[5] ^= 1;
    sharded_unload(&slice, 1);
  }
  sharded_free(&slice);
}

CASE(what_is_loaded_is_charged) {
  sharded_slice slice;
  open_slice(&slice, folder);
  MUST(sharded_allocate(&slice, 2, SHARD_CELLS, NULL));
  MUST(sharded_allocate(&slice, 2, SHARD_DEPTHS, NULL));
  const uint64_t both = memory_allocated(&memory), n = slice.shards[2].n;
  sharded_unload(&slice, 2);
  ck_assert_uint_eq(memory_allocated(&memory), both - 3 * n);
  MUST(sharded_load(&slice, 2, SHARD_DEPTHS, NULL));
  ck_assert_uint_eq(memory_allocated(&memory), both - n);
  sharded_drop(&slice, 2, SHARD_DEPTHS);
  ck_assert_uint_eq(memory_allocated(&memory), both - 3 * n);
  sharded_free(&slice);
}

CASE(what_is_dropped_takes_no_room) {
  enum { SLACK = 8192 };
  sharded_slice slice;
  open_slice(&slice, folder);
  const uint64_t before = memory_allocated(&memory);
  ck_assert_uint_eq(toy_hidden_bytes(folder), 0);
  for (int part = 0; part <= SHARD_DEPTHS; part += SHARD_DEPTHS) {
    MUST(sharded_allocate(&slice, 0, part, NULL));
    write_part(&slice, 0, part);
    sharded_unload(&slice, 0);
  }
  const uint64_t n = slice.shards[0].n;
  ck_assert_uint_ge(toy_hidden_bytes(folder), 3 * n);
  sharded_drop(&slice, 0, SHARD_CELLS);
  ck_assert_uint_le(toy_hidden_bytes(folder), 2 * n + SLACK);
  ck_assert_int_eq(sharded_load(&slice, 0, SHARD_CELLS, NULL), TAULER_INTERNAL);
  MUST(sharded_load(&slice, 0, SHARD_DEPTHS, NULL));
  ck_assert(is_part(&slice, 0, SHARD_DEPTHS));
  /* Taken anew, an array is zero wherever the one before was, and has its room. */
  MUST(sharded_allocate(&slice, 0, SHARD_DEPTHS, NULL));
  ck_assert(is_zero(&slice, 0, SHARD_DEPTHS));
  ck_assert_uint_ge(toy_hidden_bytes(folder), 2 * n);
  sharded_unload(&slice, 0);
  MUST(sharded_load(&slice, 0, SHARD_DEPTHS, NULL));
  ck_assert(is_zero(&slice, 0, SHARD_DEPTHS));
  sharded_drop(&slice, 0, SHARD_DEPTHS);
  sharded_drop(&slice, 0, SHARD_DEPTHS);
  ck_assert_uint_le(memory_allocated(&memory), before + 8192);
  ck_assert_uint_le(toy_hidden_bytes(folder), SLACK);
  sharded_free(&slice);
}

CASE(a_full_disk_is_told_when_an_array_is_taken) {
  sharded_slice slice;
  open_slice(&slice, folder);
  const uint64_t before = memory_allocated(&memory);
  toy_limit_files(slice.shards[0].n / 2);
  ck_assert_int_eq(sharded_allocate(&slice, 0, SHARD_CELLS, hear()), TAULER_NO_SPACE);
  toy_limit_files(0);
  ck_assert_msg(strstr(said.text, "free some space") != NULL, "%s", said.text);
  ck_assert_int_eq(sharded_load(&slice, 0, SHARD_CELLS, NULL), TAULER_INTERNAL);
  ck_assert_uint_le(memory_allocated(&memory), before + 8192);
  MUST(sharded_allocate(&slice, 0, SHARD_CELLS, NULL));
  write_part(&slice, 0, SHARD_CELLS);
  ck_assert(is_part(&slice, 0, SHARD_CELLS));
  sharded_free(&slice);
}

CASE(without_a_folder_nothing_is_mapped) {
  sharded_slice slice;
  MUST(sharded_open(&slice, NULL, &memory, make_layout(1, 1), 1, NULL, NULL));
  ck_assert_ptr_null(slice.mapped);
  sharded_free(&slice);
}

/* Its pages are dropped while they are dirty; what was written is there still. */
CASE(one_shard_in_pages_is_not_charged) {
  sharded_slice slice;
  MUST(sharded_open(&slice, NULL, &memory, make_layout(1, 1), 1, folder, NULL));
  const uint64_t before = memory_allocated(&memory);
  MUST(sharded_allocate(&slice, 0, SHARD_DEPTHS, NULL));
  ck_assert_uint_lt(memory_allocated(&memory) - before, slice.positions);
  write_part(&slice, 0, SHARD_DEPTHS);
  sharded_drop_pages(&slice);
  ck_assert_uint_eq(toy_resident_bytes(slice.shards[0].parts[SHARD_DEPTHS]), 0);
  ck_assert(is_part(&slice, 0, SHARD_DEPTHS));
  sharded_free(&slice);
}

static void open_among_ranks(comm *comm, void *user) {
  atomic_int *right = user;
  sharded_slice slice;
  slice_layout *layout;
  memory_budget *own = suite_budget(UINT64_C(1) << 30);
  if (layout_open(auale, rules, SLICE, false, 6, 2, &layout, NULL)) return;
  if (sharded_open(&slice, comm, own, layout, 1, folder, NULL)) return;
  bool good = slice.first_shard == (uint32_t)comm_rank(comm) * 2 && slice.shards_here == 2 && slice.mapped;
  for (uint32_t i = 0; i < 2; i++)
    good = good && slice.shards[i].n == layout_shard_size(slice.layout, slice.first_shard + i).cells;
  sharded_free(&slice);
  atomic_fetch_add(right, good && memory_allocated(own) == 0);
}

CASE(every_rank_has_its_shards) {
  atomic_int right = 0;
  toy_comm_run(3, open_among_ranks, &right);
  ck_assert_int_eq(right, 3);
}

static tauler_error allocate_and_load(void) {
  sharded_slice slice;
  tauler_error error = sharded_open(&slice, NULL, &memory, make_layout(SHARDS, SHARDS), 1, folder, NULL);
  if (!error) error = sharded_allocate(&slice, 0, SHARD_CELLS, NULL);
  if (!error) sharded_unload(&slice, 0);
  if (!error) error = sharded_allocate(&slice, 1, SHARD_DEPTHS, NULL);
  if (!error) error = sharded_load(&slice, 0, SHARD_CELLS, NULL);
  ck_assert(!error || error == TAULER_NO_MEMORY);
  sharded_free(&slice);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
  return error;
}

CASE(errors_leave_nothing) {
  sharded_slice slice;
  int failures = 0;
  ck_assert_int_eq(
      sharded_open(&slice, NULL, &memory, make_layout(SHARDS, SHARDS), 1, "tauler-missing", NULL), TAULER_IO);
  sharded_free(&slice);
  for (tauler_error error = TAULER_NO_MEMORY; error; failures += error != TAULER_OK) {
    memory_fail_allocation(&memory, (uint64_t)failures + 1, false);
    error = allocate_and_load();
  }
  ck_assert_int_eq(failures, 3);
  memory_fail_allocation(&memory, 0, false);
  memory.limit = 0;
  for (; allocate_and_load() != TAULER_OK; memory.limit += 2000) failures++;
  /* The first shard's cells and the second's depths at once. */
  ck_assert_uint_ge(memory.limit, auale->positions(rules, SLICE) * 9 / 10);
}

SUITE("spread") {
  FIXTURE(open_auale, tear_down);
  TEST(a_slice_knows_its_shards);
  LOOP(arrays_are_zero_and_found_again, 2);
  TESTS(what_was_changed_is_kept, what_is_loaded_is_charged, what_is_dropped_takes_no_room,
        a_full_disk_is_told_when_an_array_is_taken, without_a_folder_nothing_is_mapped,
        one_shard_in_pages_is_not_charged, every_rank_has_its_shards, errors_leave_nothing);
}
