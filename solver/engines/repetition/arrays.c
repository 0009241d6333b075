/* Opens the arrays of a shard, computes their sizes, and packs them for checkpoints.
 *
 * Between thresholds nothing is marked, and positions that may stay are found again, so neither is packed.
 */
#include "solver/engines/cells.h"
#include "solver/engines/repetition/work.h"
#include "solver/shards/store_talk.h"

static const char *const what = "the own-row solver";

static tauler_error open_cells(own_row *all, int plane, tauler_message *message) {
  const slice_shard *shard = &all->sharded->shards[0];
  tauler_error error = sharded_allocate(all->sharded, 0, SHARD_CELLS + plane, message);
  if (!error && all->with_stages) error = sharded_allocate(all->sharded, 0, SHARD_DEPTHS + plane, message);
  all->cells[plane] = shard->parts[SHARD_CELLS + plane];
  all->stages[plane] = all->with_stages ? shard->parts[SHARD_DEPTHS + plane] : NULL;
  return error;
}

/* An update says only that a child in the other plane was marked. */
static void send(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates) {
  (void)user;
  (void)index;
  for (size_t k = 0; k < n; k++) updates[k] = (frontier_update){(int8_t)!plane, 0};
}

static void list_arrays(arena *a, void *of) {
  own_row *all = of;
  all->next = arena_allocate(a, frontier_set_bytes(all->n, SOLVE_PLANES), 1);
  all->pays = arena_allocate(a, all->n, sizeof *all->pays);
  all->members = arena_allocate(a, (uint64_t)all->job->work.threads, sizeof *all->members);
  for (int plane = 0; plane < SOLVE_PLANES; plane++)
    all->states[plane] = arena_allocate(a, all->n, sizeof *all->states[plane]);
}

static tauler_error open_frontier(own_row *all, tauler_message *message) {
  frontier *f = &all->frontier;
  *f = (frontier){.job = all->job,
                  .comm = all->comm,
                  .slice = all->slice,
                  .planes = SOLVE_PLANES,
                  .send = send,
                  .use_sums = own_row_receive_sums,
                  .user = all};
  tauler_error error = frontier_open(f, all->layout, message);
  if (error) return error;
  all->n = f->starts[all->shard + 1] - f->starts[all->shard];
  error = arena_fill(&all->lists, all->job->work.memory, what, list_arrays, all, message);
  if (error) return error;
  frontier_select(f, all->shard, all->next);
  all->first = f->first;
  return TAULER_OK;
}

static tauler_error open_arrays(own_row *all, tauler_message *message) {
  const solve_job *job = all->job;
  tauler_error error = open_frontier(all, message);
  for (int plane = 0; plane < SOLVE_PLANES && !error; plane++) error = open_cells(all, plane, message);
  if (error) return error;
  return remote_lookup_open(&all->lookup, job, all->slice, SOLVE_PLANES, false, message);
}

tauler_error own_row_open(own_row *all, tauler_message *message) {
  tauler_error error = comm_agree(all->comm, open_arrays(all, message), message);
  if (error) return error;
  all->arrays = (unit_arrays){.layout = all->layout};
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    unit_arrays_add(&all->arrays, UNIT_CELLS, all->cells[plane], sizeof *all->cells[plane]);
    unit_arrays_add(&all->arrays, UNIT_CELLS, all->states[plane], sizeof *all->states[plane]);
    unit_arrays_add(&all->arrays, UNIT_CELLS, all->stages[plane], sizeof *all->stages[plane]);
  }
  all->units = unit_arrays_checkpoint_units(&all->arrays, &all->run, sizeof all->run);
  all->units.first_shard = all->shard;
  const char *stage = all->program == OWN_ROW_ANY ? "own-row-any"
                      : all->with_stages          ? "own-row-stages"
                                                  : "own-row";
  checkpointer_open(&all->checkpointer, all->job, all->slice, stage, &all->units);
  error = checkpointer_resume(&all->checkpointer, &all->resumed, message);
  if (error || !all->resumed) return error;
  all->job->problem.game->repeated(all->job->problem.rules, all->slice, all->first, all->n, all->pays);
  return TAULER_OK;
}

void own_row_close(own_row *all) {
  frontier_close(&all->frontier);
  remote_lookup_close(&all->lookup);
  arena_close(&all->lists);
}

uint64_t own_row_bytes(const solve_job *job, uint32_t slice, bool stages, uint32_t shards,
                       uint32_t shards_per_rank, uint64_t *waiting) {
  (void)waiting;
  const uint64_t n = frontier_largest_shard(&job->problem, slice, shards, shards_per_rank);
  own_row planned = {.job = job, .n = n};
  const uint64_t cells = SOLVE_PLANES * (n + (stages ? sizeof(uint16_t) * n : 0));
  return cells + arena_bytes(list_arrays, &planned) +
         frontier_bytes(job, n, SOLVE_PLANES, shards, shards_per_rank) +
         remote_lookup_bytes(!solve_has_local(job), SOLVE_PLANES, job->work.threads) + sizeof(slice_shard) +
         (shards == 1 ? 0 : store_talk_bytes((int)shards, UINT64_MAX));
}
