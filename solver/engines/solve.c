/* Solves a slice of cells with the engine of the job, in as few shards as memory allows. */
#include "solver/engines/solve.h"

#include "solver/engines/cells.h"
#include "solver/engines/engine.h"
#include "solver/tables/chunks.h"

/* Returns the functions of the job's engine, or else of the first engine with cells that solves the problem.
 * tiles is left out if the job has no tables of moves. */
static const cell_engine *find_cell_engine(const solve_job *job) {
  if (job->problem.engine) return job->problem.engine->cells;
  const engine *next = NULL;
  while ((next = engine_after(next, &job->problem, false))) {
    if (next->cells && (next != &engine_tiles || job->grid_tables)) return next->cells;
  }
  return NULL;
}

uint64_t solve_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                             uint32_t shards_per_rank) {
  const solve_kind kind = job->problem.game->kind(job->problem.rules);
  const uint64_t planes = kind == SOLVE_GUARANTEES ? 2 : 1,
                 positions = job->problem.game->positions(job->problem.rules, slice);
  const uint64_t each = positions / shards, shard = shards > 1 ? each + each / 16 + 4096 : positions;
  const bool stores_depths = depths || kind == SOLVE_OUTCOMES, pages = find_cell_engine(job)->pages;
  const uint64_t held = stores_depths ? 1 + sizeof(uint16_t) : job->problem.game->lookup ? 2 : 1;
  return planes * held * shard + chunks_bytes(job->work.threads, pages ? shards / shards_per_rank : shards,
                                              pages ? 1 : shards_per_rank, shard, stores_depths);
}

uint64_t solve_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                     uint32_t shards_per_rank, uint64_t *waiting) {
  const bool small = slice_is_small(&job->problem, slice); /* each rank solves a small slice in one shard */
  const uint64_t solve = find_cell_engine(job)->bytes(job, slice, depths, small ? 1 : shards,
                                                      small ? 1 : shards_per_rank, waiting);
  const uint64_t write = solve_writing_bytes(job, slice, depths, shards, shards_per_rank);
  return (solve > write ? solve : write) + small_slice_bytes(job, slice, depths);
}

/* Tries rising numbers of shards per rank and chooses the first that fits in memory or, if none fits, about
 * the one that needs least. Sets *shards_per_rank to the largest number that any rank has chosen. */
static tauler_error choose_shards(const solve_job *job, uint32_t slice, bool depths,
                                  uint32_t *shards_per_rank, tauler_message *message) {
  enum { MOST_SHARDS = 4096, MOST_VAIN = 6 };
  const uint32_t ranks = (uint32_t)comm_ranks(job->work.comm);
  const uint64_t left = memory_left(job->work.memory);
  uint64_t shards = 1, least = solve_bytes(job, slice, depths, ranks, 1, NULL);
  const bool may_wait = job->work.spill_folder && find_cell_engine(job)->spills;
  /* A single shard has no halo, so two shards may need more memory than one, although many need less. So the
   * search ends only after several numbers in a row that save no more than a hundredth. */
  for (uint64_t more = 2, vain = 0; may_wait && least > left && more < MOST_SHARDS && vain < MOST_VAIN;
       more += more < 4 ? 1 : more / 3, vain++) {
    const uint64_t bytes = solve_bytes(job, slice, depths, ranks * (uint32_t)more, (uint32_t)more, NULL);
    if (bytes > least - least / 100) continue;
    shards = more;
    least = bytes;
    vain = 0;
  }
  const tauler_error error = comm_allreduce(job->work.comm, COMM_MAX, &shards, 1, message);
  *shards_per_rank = (uint32_t)shards;
  return error;
}

static tauler_error open_slice(const solve_job *job, uint32_t slice, uint32_t shards_per_rank,
                               sharded_slice *out, tauler_message *message) {
  *out = (sharded_slice){0};
  const tauler_error error = comm_agree(
      job->work.comm, find_cell_engine(job)->open(job, slice, shards_per_rank, out, message), message);
  if (error) sharded_free(out);
  return error;
}

static void note_cut(progress *shown, const slice_layout *layout) {
  uint64_t largest = 0;
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    const uint64_t cells = layout_shard_size(layout, shard).cells;
    if (cells > largest) largest = cells;
  }
  progress_note(shown, "slice %u in %u shards, the largest %.3f times the mean", layout->slice,
                layout->shards, (double)largest * layout->shards / (double)layout->positions);
}

tauler_error solve_open(const solve_job *job, uint32_t slice, bool depths, sharded_slice *out,
                        tauler_message *message) {
  uint32_t shards;
  *out = (sharded_slice){0};
  tauler_error error = choose_shards(job, slice, depths, &shards, message);
  if (!error) error = open_slice(job, slice, shards, out, message);
  if (error) return error;
  progress *shown = job->work.shown;
  if (shown && shown->mode == PROGRESS_JSON && out->layout && out->layout->shards > 1 &&
      out->layout->positions)
    note_cut(shown, out->layout);
  return TAULER_OK;
}

tauler_error solve_slice(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                         tauler_message *message) {
  return find_cell_engine(job)->solve(job, depths, slice, effort, message);
}

tauler_error solve_depths(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                          tauler_message *message) {
  const cell_engine *cells = find_cell_engine(job);
  return cells->depths ? cells->depths(job, slice, effort, message)
                       : cells->solve(job, true, slice, effort, message);
}

tauler_error solve_lookups(const solve_job *job, sharded_slice *slice, tauler_message *message) {
  return job->problem.game->lookup ? find_cell_engine(job)->lookup(job, slice, NULL, message) : TAULER_OK;
}

tauler_error solve_recover(const solve_job *job, sharded_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message) {
  return find_cell_engine(job)->lookup(job, slice, reserved, message);
}

tauler_error solve_alone(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         tauler_message *message) {
  sharded_slice solved;
  solve_effort effort = {0};
  solve_job alone = *job;
  alone.work.comm = NULL;
  *out = (solved_slice){.slice = slice};
  tauler_error error = open_slice(&alone, slice, 1, &solved, message);
  if (error) return error;
  error = solve_slice(&alone, depths, &solved, &effort, message);
  if (error)
    sharded_free(&solved);
  else
    *out = sharded_release(&solved);
  return error;
}
