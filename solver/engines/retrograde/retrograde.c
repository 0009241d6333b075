/* Solves slices with no other functions of the game than batches of moves. Settles values from the largest to
 * the least, wave by wave.
 *
 * At a threshold t, a position settles at t if its mover can force t (best ≥ t), or at −t if all its moves
 * are known and none is worth more (open = 0, best = −t). For scores both bounds settle at once; t falls from
 * the largest value to 1, and positions that are still open then are worth 0. Outcomes are the case t = 1.
 * For guarantees the two bounds settle separately; t falls to 1 − the largest value, and a bound that is
 * still open then guarantees nothing. The wave in which a position settles is its depth.
 *
 * If the game has no function for predecessors, all open positions are evaluated again in every wave.
 */
#include "solver/engines/retrograde/retrograde.h"

#include "solver/engines/cells.h"
#include "solver/shards/store_talk.h"
#include <string.h>

static const char *const what = "the general solver";

/* --- shards ---
 *
 * A rank's only shard is always in memory. Of several, the loaded one stays in memory until another is
 * needed, so a wave that concerns only one shard does not use the disk. */

/* Numbers of parts for mapped.h, after those of the slice. */
enum { PART_STATE = SHARD_PARTS, PART_HIGH };

static uint64_t bit_bytes(uint64_t n) {
  return (n + 63) / 64 * 8;
}

/* The state has a word and bits, then the frontier's set, then counters. In this order all are aligned. */
static uint64_t state_bytes(uint64_t n, int planes) {
  return sizeof(uint64_t) + bit_bytes(n) * (1 + (uint64_t)planes) + frontier_bytes_of_sets(n, planes) + n;
}

static void lay_out_state(wave_shard *shard, uint64_t first, uint64_t n) {
  const uint64_t words = (n + 63) / 64;
  uint64_t *at = shard->state;
  shard->first = first;
  shard->n = n;
  shard->wide = at;
  shard->ended = ++at;
  for (int plane = 0; plane < shard->planes; plane++) shard->settled[plane] = at += words;
  shard->next = at + words;
  shard->open = (uint8_t *)shard->next + frontier_bytes_of_sets(n, shard->planes);
}

/* Addresses are valid only while the shard is loaded. `marked` is the frontier's next set. */
static void list_saved_arrays(const wave_shard *shard, const changed_set *marked, unit_arrays *kept) {
  kept->n = 0;
  unit_arrays_append(kept, UNIT_BITS, shard->ended, 0);
  for (int plane = 0; plane < shard->planes; plane++) {
    unit_arrays_append(kept, UNIT_BITS, shard->settled[plane], 0);
    unit_arrays_append(kept, UNIT_BITS, marked->bits[plane], 0);
  }
  unit_arrays_append(kept, UNIT_COUNTS, shard->open, 0)->high = shard->open_high;
  for (int plane = 0; plane < shard->planes; plane++) {
    unit_arrays_append(kept, UNIT_CELLS, shard->best[plane], sizeof *shard->best[plane]);
    if (shard->with_depths)
      unit_arrays_append(kept, UNIT_CELLS, shard->depth[plane], sizeof *shard->depth[plane]);
  }
}

static bool is_packed_wide(const wave_shard *shard, uint64_t n, const void *bytes) {
  const uint8_t *open = (const uint8_t *)bytes + bit_bytes(n) * (1 + 2 * (uint64_t)shard->planes);
  uint8_t high = 0;
  for (uint64_t i = 0; i < n; i++) high |= open[2 * i + 1];
  return high != 0;
}

static void select_shard(retrograde *r, uint32_t local) {
  const uint64_t *starts = r->frontier.starts + r->first_shard + local;
  lay_out_state(&r->shard, starts[0], starts[1] - starts[0]);
  const slice_shard *shard = &r->sharded->shards[local];
  for (int plane = 0; plane < r->planes; plane++) {
    r->shard.best[plane] = shard->parts[SHARD_CELLS + plane];
    r->shard.depth[plane] = shard->parts[SHARD_DEPTHS + plane];
  }
  frontier_select(&r->frontier, r->first_shard + local, r->shard.next);
}

typedef tauler_error open_part(sharded_slice *slice, uint32_t i, int part, tauler_message *message);

static tauler_error open_arrays(retrograde *r, uint32_t local, open_part *open, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < r->planes && !error; plane++) {
    error = open(r->sharded, local, SHARD_CELLS + plane, message);
    if (!error && r->with_depths) error = open(r->sharded, local, SHARD_DEPTHS + plane, message);
  }
  return error;
}

static void clear_shard(retrograde *r) {
  const wave_shard *shard = &r->shard;
  memset(shard->state, 0, state_bytes(shard->n, r->planes));
  for (int plane = 0; plane < r->planes && r->with_depths; plane++) {
    memset(shard->depth[plane], 0xFF, shard->n * sizeof *shard->depth[plane]);
  }
}

static void unload_shard(retrograde *r) {
  const uint32_t local = r->local_shard, shard = r->first_shard + local;
  if (local == r->shards_here || !r->frontier.waits) return;
  frontier_write_back(&r->frontier);
  r->local_shard = r->shards_here;
  mapped_unmap(r->sharded->mapped, shard, PART_STATE);
  mapped_unmap(r->sharded->mapped, shard, PART_HIGH);
  sharded_unload(r->sharded, local);
}

/* If is_new, reserves disk for the state; disk for the high bytes is reserved when they are first used. */
static tauler_error map_state(retrograde *r, uint32_t local, bool is_new, tauler_message *message) {
  const uint32_t shard = r->first_shard + local;
  const uint64_t n = r->frontier.starts[shard + 1] - r->frontier.starts[shard];
  const uint64_t bytes = state_bytes(n, r->planes);
  mapped_arrays *mapped = r->sharded->mapped;
  tauler_error error = mapped_map(mapped, shard, PART_STATE, bytes, bytes, &r->shard.state, message);
  if (!error && is_new) error = mapped_reserve(mapped, shard, PART_STATE, 0, bytes, message);
  return error ? error : mapped_map(mapped, shard, PART_HIGH, n, 0, &r->shard.open_high, message);
}

tauler_error retrograde_load(retrograde *r, uint32_t local, bool is_new, tauler_message *message) {
  if (r->local_shard == local && !is_new) return TAULER_OK;
  unload_shard(r);
  tauler_error error = open_arrays(r, local, is_new ? sharded_allocate : sharded_load, message);
  if (!error && r->frontier.waits) error = map_state(r, local, is_new, message);
  if (error) return error;
  select_shard(r, local);
  r->local_shard = local;
  if (!is_new) return TAULER_OK;
  clear_shard(r);
  r->marks[local] = 0;
  return TAULER_OK;
}

tauler_error retrograde_use_high_bytes(retrograde *r) {
  const uint64_t n = r->shard.n;
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&r->widening);
  if (!*r->shard.wide && r->high_bytes < n) {
    error = memory_charge(r->job->work.memory, n - r->high_bytes, "positions of many moves", NULL);
    if (!error) r->high_bytes = n;
  }
  if (!error && !*r->shard.wide && r->frontier.waits)
    error = mapped_reserve(r->sharded->mapped, r->frontier.shard, PART_HIGH, 0, n, NULL);
  if (!error) *r->shard.wide = 1;
  pthread_mutex_unlock(&r->widening);
  return error;
}

static void free_state(retrograde *r) {
  memory_budget *memory = r->job->work.memory;
  memory_discharge(memory, r->high_bytes);
  if (!r->frontier.waits) {
    memory_free(memory, r->shard.state);
    memory_free(memory, r->shard.open_high);
    return;
  }
  for (uint32_t shard = r->first_shard; shard < r->first_shard + r->shards_here; shard++) {
    for (uint32_t part = PART_STATE; part <= PART_HIGH; part++) {
      mapped_unmap(r->sharded->mapped, shard, part);
      mapped_clear(r->sharded->mapped, shard, part);
    }
  }
}

/* --- thresholds and waves --- */

static void load_shard(const retrograde_shard *now, bool is_new) {
  retrograde *r = now->r;
  tauler_message message = {""};
  if (!r->frontier.failed.error)
    failure_note(&r->frontier.failed, retrograde_load(r, now->local, is_new, &message), &message);
}

static void begin_first_pass(void *user) {
  retrograde *r = ((const retrograde_shard *)user)->r;
  load_shard(user, true);
  r->first_pass = (lookup_round){.lookup = &r->lookup,
                                 .first = r->shard.first,
                                 .positions = r->shard.n,
                                 .begin = retrograde_begin_positions,
                                 .visit = retrograde_count_move,
                                 .user = r,
                                 .failed = &r->frontier.failed};
}

static void run_first_pass(retrograde *r, worker *self) {
  for (uint32_t local = 0; local < r->shards_here; local++) {
    retrograde_shard now = {r, local};
    worker_barrier_main(self, begin_first_pass, &now);
    lookup_round_run(&r->first_pass, self);
  }
}

static void begin_waves(void *user) {
  retrograde *r = user;
  uint64_t latest = r->run.latest_due;
  tauler_message message = r->frontier.failed.message;
  tauler_error error = comm_agree(r->comm, (tauler_error)r->frontier.failed.error, &message);
  if (!error) error = comm_allreduce(r->comm, COMM_MAX, &latest, 1, &message);
  failure_note(&r->frontier.failed, error, &message);
  r->any_failed = error != TAULER_OK;
  r->run.latest_due = (uint32_t)latest;
}

static bool wants_wave(const retrograde *r) {
  if (r->run.wave == 0) return true;
  return r->run.wave < SOLVE_NO_DEPTH && (r->run.active || retrograde_conversions_fall_due(r));
}

static void count_active(retrograde *r) {
  retrograde_empty_receive_queues(r);
  uint64_t marks = 0;
  for (uint32_t local = 0; local < r->shards_here; local++) marks += r->marks[local];
  tauler_message message = {""};
  failure_note(&r->frontier.failed, comm_allreduce(r->comm, COMM_SUM, &marks, 1, &message), &message);
  r->run.active = marks;
}

static void start_threshold(void *user) {
  retrograde *r = user;
  if (r->run.wave == SOLVE_NO_DEPTH) {
    count_active(r);
    const bool too_deep = r->run.active || retrograde_conversions_fall_due(r);
    if (too_deep) failure_note(&r->frontier.failed, TAULER_INTERNAL, NULL);
    tauler_message message = r->frontier.failed.message;
    const tauler_error error = comm_agree(r->comm, (tauler_error)r->frontier.failed.error, &message);
    failure_note(&r->frontier.failed, error, &message);
    r->any_failed = r->any_failed || error;
  }
  r->run.threshold--;
  r->run.wave = 0;
}

static void prepare_saving(void *user) {
  retrograde *r = user;
  retrograde_empty_receive_queues(r);
  /* If this rank failed after the ranks last agreed, its state must not be saved. */
  failure_note(&r->checkpointer.failed, (tauler_error)r->frontier.failed.error, &r->frontier.failed.message);
}

static void load_for_filling(void *user) {
  load_shard(user, false);
}

static void finish_open_positions(retrograde *r, worker *self) {
  for (uint32_t local = 0; local < r->shards_here; local++) {
    retrograde_shard now = {r, local};
    worker_barrier_main(self, load_for_filling, &now);
    retrograde_visit_blocks(r, self, retrograde_fill_open);
    worker_barrier(self, NULL, NULL);
  }
}

static void run_solve(void *user, worker *self) {
  retrograde *r = user;
  if (!r->resumed) run_first_pass(r, self);
  worker_barrier_main(self, begin_waves, r);
  while (!r->any_failed && r->run.threshold >= r->least_threshold) {
    while (!r->any_failed && wants_wave(r)) {
      retrograde_run_wave(r, self);
      if (checkpointer_barrier(&r->checkpointer, self, prepare_saving, r)) return;
    }
    worker_barrier_main(self, start_threshold, r);
  }
  if (!r->frontier.failed.error) finish_open_positions(r, self);
}

static tauler_error load_checkpoint_shard(void *user, uint32_t shard, bool is_new, tauler_message *message) {
  retrograde *r = ((unit_arrays *)user)->owner;
  const tauler_error error = retrograde_load(r, shard - r->first_shard, is_new, message);
  list_saved_arrays(&r->shard, &r->frontier.next, user);
  return error;
}

static void count_unpacked_marks(retrograde *r, uint64_t from, uint64_t n) {
  const changed_set *marked = &r->frontier.next;
  for (int plane = 0; plane < r->planes; plane++) {
    for (uint64_t w = from / 64; w < (from + n + 63) / 64; w++) {
      if (!marked->bits[plane][w]) continue;
      marked->dirty[plane][w / FRONTIER_BLOCK_WORDS] = 1;
      r->marks[r->local_shard] += (uint64_t)__builtin_popcountll(marked->bits[plane][w]);
    }
  }
}

static void unpack_unit(void *user, uint64_t tile, const void *bytes) {
  retrograde *r = ((unit_arrays *)user)->owner;
  const uint64_t size = r->layout->groups[0].tile_columns, rest = r->layout->positions - tile * size;
  const uint64_t n = rest < size ? rest : size;
  if (is_packed_wide(&r->shard, n, bytes))
    failure_note(&r->frontier.failed, retrograde_use_high_bytes(r), NULL);
  if (r->frontier.failed.error) return;
  unit_arrays_unpack(user, tile, bytes);
  count_unpacked_marks(r, tile * size - r->shard.first, n);
}

static tauler_error resume_run(retrograde *r, bool depths, tauler_message *message) {
  r->kept_arrays = (unit_arrays){.layout = r->layout, .owner = r};
  list_saved_arrays(&r->shard, &r->frontier.next, &r->kept_arrays);
  r->units = unit_arrays_checkpoint_units(&r->kept_arrays, &r->run, sizeof r->run);
  r->units.first_shard = r->first_shard;
  r->units.shards_here = r->shards_here;
  r->units.load = load_checkpoint_shard;
  r->units.unpack = unpack_unit;
  checkpointer_open(&r->checkpointer, r->job, r->slice, depths ? "waves-depths" : "waves", &r->units);
  return checkpointer_resume(&r->checkpointer, &r->resumed, message);
}

static tauler_error allocate_state(retrograde *r, tauler_message *message) {
  memory_budget *memory = r->job->work.memory;
  const uint64_t *starts = r->frontier.starts + r->first_shard, n = starts[1] - starts[0];
  const tauler_error error =
      memory_allocate(memory, state_bytes(n, r->planes), what, &r->shard.state, message);
  return error ? error : memory_allocate_sparse(memory, n, 0, what, &r->shard.open_high, message);
}

static tauler_error open_retrograde(retrograde *r, tauler_message *message) {
  memory_budget *memory = r->job->work.memory;
  frontier *f = &r->frontier;
  *f = (frontier){.job = r->job,
                  .slice = r->slice,
                  .planes = r->planes,
                  .send = retrograde_settle,
                  .use_sums = retrograde_receive_sums,
                  .user = r};
  pthread_mutex_init(&r->widening, NULL);
  tauler_error error = frontier_open(f, r->layout, message);
  if (!error)
    error = memory_allocate_array(memory, r->shards_here, sizeof *r->marks, what, &r->marks, message);
  r->shard.planes = r->planes;
  r->shard.with_depths = r->with_depths;
  if (!error && !f->waits) error = allocate_state(r, message);
  if (!error) error = remote_lookup_open(&r->lookup, r->job, r->slice, r->planes, r->outcomes, message);
  return error;
}

static void close_retrograde(retrograde *r) {
  memory_budget *memory = r->job->work.memory;
  remote_lookup_close(&r->lookup);
  free_state(r);
  frontier_close(&r->frontier);
  pthread_mutex_destroy(&r->widening);
  memory_free(memory, r->marks);
}

static retrograde make_retrograde(const solve_job *job, uint32_t slice, bool depths) {
  const solve_kind kind = job->problem.game->kind(job->problem.rules);
  const int largest = job->problem.game->largest_value(job->problem.rules, slice),
            planes = kind == SOLVE_GUARANTEES ? 2 : 1;
  const bool outcomes = kind == SOLVE_OUTCOMES;
  return (retrograde){.job = job,
                      .slice = slice,
                      .planes = planes,
                      .threads = job->work.threads,
                      .largest = largest,
                      .outcomes = outcomes,
                      .with_depths = depths || outcomes,
                      .shards_here = 1,
                      .run.threshold = largest,
                      .least_threshold = planes == 2 ? 1 - largest : 1};
}

static tauler_error run_retrograde(retrograde *r, bool depths, tauler_message *message) {
  tauler_error error = comm_agree(r->comm, open_retrograde(r, message), message);
  r->local_shard = r->shards_here;
  if (!error) error = resume_run(r, depths, message);
  if (!error) {
    workers_run(r->threads, run_solve, r);
    error = frontier_outcome(&r->frontier, message);
  }
  if (!error) error = checkpointer_outcome(&r->checkpointer, message);
  return error;
}

tauler_error ranges_open(const solve_job *job, uint32_t slice, uint32_t shards_per_rank, sharded_slice *out,
                         tauler_message *message) {
  const uint32_t shards = (uint32_t)comm_ranks(job->work.comm) * shards_per_rank;
  slice_layout *layout;
  tauler_error error = layout_open(job->problem.game, job->problem.rules, slice, false, shards,
                                   shards_per_rank, &layout, message);
  if (!error) {
    const retrograde r = make_retrograde(job, slice, false);
    error = sharded_open(out, job->work.comm, job->work.memory, layout, r.planes,
                         shards_per_rank > 1 ? job->work.spill_folder : NULL, message);
  }
  return comm_agree(job->work.comm, error, message);
}

static tauler_error retrograde_solve(const solve_job *job, bool depths, sharded_slice *slice,
                                     solve_effort *effort, tauler_message *message) {
  retrograde r = make_retrograde(job, slice->slice, depths);
  r.comm = job->work.comm;
  r.sharded = slice;
  r.layout = slice->layout;
  r.first_shard = slice->first_shard;
  r.shards_here = slice->shards_here;
  if (!job->problem.game->retract && slice->layout->shards > 1)
    return tauler_fail(
        message, TAULER_INTERNAL,
        "slice %u: a game without predecessors cannot be solved in shards; one rank with enough "
        "memory for the slice can",
        slice->slice);
  const tauler_error error = run_retrograde(&r, depths, message);
  unload_shard(&r);
  close_retrograde(&r);
  return error;
}

static uint64_t solving_bytes(const solve_job *job, const retrograde *r, uint64_t n, uint32_t shards,
                              uint32_t shards_per_rank) {
  const uint64_t depth_bytes = r->with_depths ? 2 * n : 0;
  return (uint64_t)r->planes * (n + depth_bytes) + state_bytes(n, r->planes) +
         frontier_bytes(job, n, r->planes, shards, shards_per_rank) + remote_lookup_bytes(job, r->planes) +
         shards_per_rank * sizeof(uint64_t);
}

static uint64_t retrograde_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                                 uint32_t shards_per_rank, uint64_t *waiting) {
  const retrograde r = make_retrograde(job, slice, depths);
  const uint64_t n = frontier_largest_shard(&job->problem, slice, shards, shards_per_rank);
  uint64_t bytes = solving_bytes(job, &r, n, shards, shards_per_rank);
  if (waiting) *waiting = (uint64_t)r.planes * (n + (r.with_depths ? 2 * n : 0)) + state_bytes(n, r.planes);
  if (shards > shards_per_rank) bytes += store_talk_bytes((int)(shards / shards_per_rank), UINT64_MAX);
  return bytes + shards_per_rank * sizeof(slice_shard);
}

static bool retrograde_serves(const game *game, const game_rules *rules) {
  return game->kind(rules) != SOLVE_CHANCE && !engine_repetition.serves(game, rules);
}

static const cell_engine retrograde_cells = {.spills = true,
                                             .open = ranges_open,
                                             .solve = retrograde_solve,
                                             .lookup = ranges_lookup,
                                             .bytes = retrograde_bytes};

const engine engine_retrograde = {
    .name = "retrograde", .serves = retrograde_serves, .cells = &retrograde_cells};
