#include "tests/support/toy_store.h"

#include <check.h>

#include "solver/tables/chunks.h"

static void must(tauler_error error, const tauler_message *message) {
  ck_assert_msg(error == TAULER_OK, "%s", message->text);
}

slice_store *toy_store_open(memory_budget *memory, uint32_t room, solved_slice **list) {
  const store_settings settings = {.plain = true, .room = room};
  slice_store *store;
  tauler_message message = {""};
  must(store_open(&settings, memory, &store, &message), &message);
  *list = store_plain(store).list;
  return store;
}

/* As a slice of one shard, which has the arrays for a while. */
static void adopt(const solve_job *job, const solved_slice *solved, sharded_slice *out) {
  tauler_message message = {""};
  solve_job alone = *job;
  alone.work.spill_folder = NULL;
  must(solve_open(&alone, solved->slice, solved->depths[0] != NULL, out, &message), &message);
  ck_assert_uint_eq(out->layout->shards, 1);
  void **parts = out->shards[0].parts;
  for (int plane = 0; plane < out->planes; plane++) {
    parts[SHARD_CELLS + plane] = solved->cells[plane];
    parts[SHARD_DEPTHS + plane] = solved->depths[plane];
  }
}

void toy_lookups(const solve_job *job, const solved_slice *solved, int8_t *lookups[SOLVE_PLANES]) {
  sharded_slice slice;
  tauler_message message = {""};
  adopt(job, solved, &slice);
  must(solve_lookups(job, &slice, &message), &message);
  for (int plane = 0; plane < slice.planes; plane++) {
    lookups[plane] = slice.shards[0].parts[SHARD_LOOKUPS + plane];
    slice.shards[0].parts[SHARD_LOOKUPS + plane] = NULL;
  }
  sharded_release(&slice);
}

tauler_error toy_recover(const solve_job *job, const solved_slice *stored,
                         const int8_t reserved[SOLVE_PLANES]) {
  sharded_slice slice;
  adopt(job, stored, &slice);
  const tauler_error error = solve_recover(job, &slice, reserved, NULL);
  sharded_release(&slice);
  return error;
}

void toy_write_values(const build_job *build, const solve_job *job, const solved_slice *solved) {
  sharded_slice slice;
  tauler_message message = {""};
  adopt(job, solved, &slice);
  must(solve_lookups(job, &slice, &message), &message);
  must(chunks_write(build, &slice, false, NULL, &message), &message);
  sharded_release(&slice);
}

void toy_write_depths(const build_job *build, const solve_job *job, const solved_slice *solved) {
  sharded_slice slice;
  tauler_message message = {""};
  adopt(job, solved, &slice);
  must(chunks_write(build, &slice, true, NULL, &message), &message);
  sharded_release(&slice);
}
