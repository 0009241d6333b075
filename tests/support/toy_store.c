#include "tests/support/toy_store.h"

#include "solver/tables/chunks.h"
#include "tests/support/suite.h"

solve_job toy_job(const game *game, const game_rules *rules, int threads, memory_budget *memory) {
  return (solve_job){
      .problem.game = game, .problem.rules = rules, .work.threads = threads, .work.memory = memory};
}

static void close_store(void *store) {
  store_close(store);
}

slice_store *toy_store_open(memory_budget *memory, uint32_t room, solved_slice **list) {
  const store_settings settings = {.plain = true, .room = room};
  slice_store *store;
  MUST(store_open(&settings, memory, &store, hear()));
  suite_own(store, close_store);
  *list = store_plain(store).list;
  return store;
}

/* As a slice of one shard, which has the arrays for a while. */
static void adopt(const solve_job *job, const solved_slice *solved, sharded_slice *out) {
  solve_job alone = *job;
  alone.work.spill_folder = NULL;
  MUST(solve_open(&alone, solved->slice, solved->depths[0] != NULL, out, hear()));
  ck_assert_uint_eq(out->layout->shards, 1);
  void **parts = out->shards[0].parts;
  for (int plane = 0; plane < out->planes; plane++) {
    parts[SHARD_CELLS + plane] = solved->cells[plane];
    parts[SHARD_DEPTHS + plane] = solved->depths[plane];
  }
}

void toy_lookups(const solve_job *job, const solved_slice *solved, int8_t *lookups[SOLVE_PLANES]) {
  sharded_slice slice;
  adopt(job, solved, &slice);
  MUST(solve_lookups(job, &slice, hear()));
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
  adopt(job, solved, &slice);
  MUST(solve_lookups(job, &slice, hear()));
  MUST(chunks_write(build, &slice, false, NULL, hear()));
  sharded_release(&slice);
}

void toy_write_depths(const build_job *build, const solve_job *job, const solved_slice *solved) {
  sharded_slice slice;
  adopt(job, solved, &slice);
  MUST(chunks_write(build, &slice, true, NULL, hear()));
  sharded_release(&slice);
}
