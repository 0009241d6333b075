/* Solves values, then depths, in rounds until nothing changes. Also fills lookups and recovers the cells that
 * tables leave out.
 *
 *    first round:   begin_values or begin_depths
 *    after resume:  send all cells, then relax all tiles (values) or send the last decisions again (depths)
 *    more rounds:   relax_values or run_depths_round
 *    end_round:     gets the number of cells that all ranks changed. If it is 0, the round was the last; only
 *                   wave 0 of depths is always followed by another
 *    phases:        if a repetition ends play, another phase may follow, with a first round of its own
 *
 * To relax a tile is to compute its cells from their moves. A round of depths is a wave: it decides the cells
 * of one depth, and these decisions are sent to their readers for the next wave. Phases find safe regions and
 * attractors in turn (regions.c).
 *
 * Whether another round follows is decided from sums over all ranks, so that no rank leaves the loop alone.
 */
#include <string.h>

#include "solver/engines/cells.h"
#include "solver/engines/tiles/tiles.h"

static void begin_run(void *user) {
  (void)tiles_begin(user);
}

tiles_totals tiles_own_totals(const tiles_run *run) {
  return (tiles_totals){run->in_round, run->failed.error != 0, run->request};
}

static void count_changes(void *user) {
  tiles_run *run = user;
  run->changed_now = run->failed.error ? 0 : run->n_changed;
  run->in_round += run->n_changed;
  run->n_changed = 0;
}

/* Calls tiles_relax once and sends the changes. Further calls, until the shard is stable, would not pay:
 * cells that also depend on other shards would be computed again and again from old cells of those shards. */
static void relax_values(tiles_run *run, worker *self) {
  tiles_relax(run, self);
  worker_barrier(self, count_changes, run);
  if (!run->joined) return;
  tiles_send(run, self, SEND_CHANGES);
  tiles_clear_changed(run, self);
}

static void run_depths_round(tiles_run *run, worker *self) {
  tiles_clear_sent(run, self);
  tiles_note_known(run, self);
  if (run->run.round == 1) {
    tiles_work_with_finished(run, self, run->grid->relax_depths);
  } else {
    tiles_work_on_tiles(run, self, run->grid->relax_depths);
  }
  tiles_clear_changed(run, self);
  tiles_send_self(run, self, SEND_DECISIONS);
  worker_barrier(self, count_changes, run);
  tiles_send(run, self, SEND_DECISIONS);
}

static void begin_values(tiles_run *run, worker *self) {
  if (run->run.phase) tiles_enter_phase(run, self);
  if (tiles_is_joined(run))
    tiles_begin_with_lookups(run, self);
  else
    tiles_work_with_finished(run, self, run->grid->begin);
  tiles_make_all_stale(run, self);
  relax_values(run, self);
}

static void begin_depths(tiles_run *run, worker *self) {
  tiles_send_self(run, self, SEND_CELLS);
  tiles_send(run, self, SEND_CELLS);
  tiles_work_with_finished(run, self, run->grid->begin_depths);
  tiles_send_self(run, self, SEND_DECISIONS);
  worker_barrier(self, count_changes, run);
  tiles_send(run, self, SEND_DECISIONS);
}

static void start_round(void *user) {
  tiles_run *run = user;
  run->in_round = 0;
  if (run->exchange && run->run.round > 0) run->request = checkpointer_request(&run->checkpointer);
  run->state.wave = (uint16_t)run->run.round;
}

/* True if another round follows. Depths always have a wave 1, which reads finished cells, even if wave 0
 * decided nothing. */
static bool is_unfinished(const tiles_run *run) {
  if (run->purpose == RUN_DEPTHS)
    return (run->run.round == 1 || run->run.changed_last) && run->run.round < SOLVE_NO_DEPTH;
  return run->run.changed_last != 0;
}

/* The number of rounds is not known before the last one, so each round shows a part of the rest. */
static void show_round_progress(tiles_run *run) {
  const uint64_t step = (run->slice->positions - run->run.shown) / 32;
  run->run.shown += step;
  if (run->job->work.shown) progress_add(run->job->work.shown, step);
}

/* Decides from the sums of a round whether another follows. If a rank fails after it sent its last packets of
 * the round, the sums do not count this failure. The rank then takes part in further rounds until their sums
 * count it. */
static void end_round(void *user) {
  tiles_run *run = user;
  tauler_error error = TAULER_OK;
  if (run->exchange) checkpointer_set_requests(&run->checkpointer, run->of_ranks.requests);
  if (!run->exchange) run->of_ranks = tiles_own_totals(run);
  run->run.changed_last = run->of_ranks.changed;
  run->run.round++;
  show_round_progress(run);
  if (run->of_ranks.failed || run->of_ranks.requests || !is_unfinished(run))
    error = comm_agree(run->job->work.comm, (tauler_error)run->failed.error, &run->failed.message);
  failure_note(&run->failed, error, NULL);
  run->goes_on = !error && is_unfinished(run);
}

/* Continues a resumed run. All shards send their cells. If values are solved, relaxes all tiles. If
 * depths are solved, the owners of the last decisions send them again. Decisions come after the cells because
 * a kernel uses a decision in one wave only, and then also reads the cells in the halo. */
static void continue_resumed(tiles_run *run, worker *self) {
  tiles_send_state(run, self);
  if (run->purpose == RUN_VALUES) {
    tiles_make_all_stale(run, self);
    relax_values(run, self);
    return;
  }
  tiles_send_self_again(run, self);
  tiles_send(run, self, SEND_DECISIONS);
}

static void end_resumption(void *user) {
  tiles_run *run = user;
  const tauler_error error =
      comm_agree(run->job->work.comm, (tauler_error)run->failed.error, &run->failed.message);
  failure_note(&run->failed, error, NULL);
  run->goes_on = !error && is_unfinished(run);
}

/* Decides whether another phase follows. Attractors always follow regions. Regions follow attractors if
 * bounds are apart somewhere, and if the last two phases brought some of them closer or were the first two.
 */
static void end_phase(void *user) {
  tiles_run *run = user;
  uint64_t apart = run->n_changed;
  run->n_changed = 0;
  const tauler_error error = comm_allreduce(run->job->work.comm, COMM_SUM, &apart, 1, &run->failed.message);
  failure_note(&run->failed, error, NULL);
  const bool narrowed = run->run.phase == 2 || apart < run->run.apart;
  run->goes_on = !error && (tiles_finds_regions(run) || (apart > 0 && narrowed));
  if (!tiles_finds_regions(run)) run->run.apart = apart;
  run->run.phase++;
}

/* Ends a phase. Returns true if another follows. */
static bool choose_next_phase(tiles_run *run, worker *self) {
  if (!run->run.phase || run->failed.error) return false;
  if (!tiles_finds_regions(run)) tiles_add_differences(run, self);
  worker_barrier_main(self, end_phase, run);
  return run->goes_on;
}

/* Runs rounds until nothing changes. Returns false if the run failed or must stop. */
static bool run_rounds(tiles_run *run, worker *self) {
  while (run->goes_on) {
    worker_barrier(self, start_round, run);
    (run->purpose == RUN_DEPTHS ? run_depths_round : relax_values)(run, self);
    worker_barrier_main(self, end_round, run);
    /* After a failure the state may be incomplete, so no checkpoint is saved. */
    if ((run->failed.error && !run->goes_on) || checkpointer_barrier(&run->checkpointer, self, NULL, NULL))
      return false;
  }
  return true;
}

static void run_first_round(tiles_run *run, worker *self) {
  worker_barrier(self, start_round, run);
  (run->purpose == RUN_DEPTHS ? begin_depths : begin_values)(run, self);
  worker_barrier_main(self, end_round, run);
}

static void work_in_rounds(void *user, worker *self) {
  tiles_run *run = user;
  if (run->resumed) {
    continue_resumed(run, self);
    worker_barrier_main(self, end_resumption, run);
  } else {
    worker_barrier_main(self, begin_run, run);
    run_first_round(run, self);
  }
  while (run_rounds(run, self) && choose_next_phase(run, self)) run_first_round(run, self);
}

/* The arrays that a checkpoint contains are listed anew each time, since waves swap some of them. */
static tauler_error load_shard(void *user, uint32_t shard, bool is_new, tauler_message *message) {
  tiles_run *run = ((unit_arrays *)user)->owner;
  (void)shard;
  const tauler_error error = is_new ? tiles_begin(run) : TAULER_OK;
  if (error && message) *message = run->failed.message;
  tiles_list_arrays(run);
  return error;
}

static void pack_unit(void *user, uint64_t tile, void *bytes) {
  tiles_limit_pages(((unit_arrays *)user)->owner);
  unit_arrays_pack(user, tile, bytes);
}

static void unpack_unit(void *user, uint64_t tile, const void *bytes) {
  tiles_limit_pages(((unit_arrays *)user)->owner);
  unit_arrays_unpack(user, tile, bytes);
}

static tauler_error resume_run(tiles_run *run, tauler_message *message) {
  run->kept.owner = run;
  tiles_list_arrays(run);
  run->units = unit_arrays_checkpoint_units(
      &run->kept, &run->run, run->run.phase ? sizeof run->run : offsetof(tiles_progress, phase));
  run->units.first_shard = run->slice->first_shard;
  run->units.done = &run->run.shown;
  run->units.load = load_shard;
  run->units.pack = pack_unit;
  run->units.unpack = unpack_unit;
  checkpointer_open(&run->checkpointer, run->job, run->slice->slice,
                    run->purpose == RUN_DEPTHS ? "depths" : "values", &run->units);
  /* Earlier programs packed units in another way. Since their identities lack this word, their checkpoints
   * are refused. */
  char *identity = run->checkpointer.identity;
  const size_t used = strlen(identity);
  snprintf(identity + used, CHECKPOINT_IDENTITY_BYTES - used, " strips");
  return checkpointer_resume(&run->checkpointer, &run->resumed, message);
}

static void copy_own_plane(const tiles_run *run, const int8_t *cells, int8_t *own) {
  uint64_t copied = 0;
  for (size_t g = 0; g < run->layout->groups_n; g++) {
    const game_grid_slab *slab = &run->joined[g];
    for (uint64_t row = 0; row < run->layout->groups[g].blocks; row++, own += slab->columns) {
      memcpy(own, cells + slab->first_cell + row * slab->width, slab->columns);
      if ((copied += slab->columns) < SHARDED_PIECE) continue;
      tiles_limit_pages(run);
      copied = 0;
    }
  }
}

/* Requires tiles_is_joined. Frees the bounds unless they are mapped, then copies the shard's own cells out of
 * the halo to the arrays of the slice. Collective. */
static tauler_error copy_own_cells(tiles_run *run) {
  sharded_slice *slice = run->slice;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !slice->mapped; plane++) {
    memory_free(run->job->work.memory, run->bounds[plane]);
    run->bounds[plane] = NULL;
  }
  for (int plane = 0; plane < run->plan.planes && !error; plane++)
    error = sharded_allocate(slice, 0, SHARD_CELLS + plane, &run->failed.message);
  for (int plane = 0; plane < run->plan.planes && !error; plane++)
    copy_own_plane(run, run->halo[plane], slice->shards[0].parts[SHARD_CELLS + plane]);
  return comm_agree(run->job->work.comm, error, &run->failed.message);
}

static tauler_error solve_values_or_depths(const solve_job *job, sharded_slice *slice, tiles_purpose purpose,
                                           solve_effort *effort, tauler_message *message) {
  tiles_run run;
  tauler_error error = tiles_run_open(&run, job, slice, purpose, message);
  if (error) return error;
  run.run.shown = effort->shown;
  if (purpose == RUN_VALUES) run.run.phase = game_ends_by_repetition(job->problem.game, job->problem.rules);
  error = resume_run(&run, message);
  if (!error) {
    workers_run(run.threads, work_in_rounds, &run);
    error = (tauler_error)run.failed.error;
    if (!error) error = checkpointer_outcome(&run.checkpointer, &run.failed.message);
    if (!error && tiles_is_joined(&run)) error = copy_own_cells(&run);
    if (error && message) *message = run.failed.message;
    if (!error && purpose == RUN_DEPTHS && run.run.changed_last && run.run.round >= SOLVE_NO_DEPTH)
      error = tauler_fail(message, TAULER_INTERNAL, "slice %u needs more than %d waves", slice->slice,
                          SOLVE_NO_DEPTH - 1);
  }
  effort->shown = run.run.shown;
  tiles_run_close(&run);
  return error;
}

static tauler_error tiles_open(const solve_job *job, uint32_t slice, uint32_t parts, sharded_slice *out,
                               tauler_message *message) {
  game_grid_plan plan;
  slice_layout *layout;
  job->problem.game->grid->plan(job->problem.rules, slice, &plan);
  const tauler_error error = layout_open(job->problem.game, job->problem.rules, slice, true,
                                         (uint32_t)comm_ranks(job->work.comm), 1, &layout, message);
  if (error) return error;
  return sharded_open(out, job->work.comm, job->work.memory, layout, plan.planes,
                      parts > 1 ? job->work.spill_folder : NULL, message);
}

static void work_on_lookups(void *user, worker *self) {
  tiles_run *run = user;
  worker_barrier_main(self, begin_run, run);
  tiles_work_with_finished(run, self, run->grid->lookup);
}

static void begin_second_pass(void *user) {
  tiles_run *run = user;
  run->pass = LOOKUP_ALL;
}

/* Recovers cells in two passes. The first recovers cells from converting moves. When these cells are in the
 * halo, the second recovers the other cells from all moves. */
static void work_on_recovery(void *user, worker *self) {
  tiles_run *run = user;
  worker_barrier_main(self, begin_run, run);
  tiles_work_with_finished(run, self, NULL);
  tiles_send_self(run, self, SEND_CELLS);
  tiles_send(run, self, SEND_CELLS);
  worker_barrier(self, begin_second_pass, run);
  tiles_work_with_finished(run, self, NULL);
}

tauler_error tiles_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                          tauler_message *message) {
  tiles_run run;
  const slice_shard *shard = &slice->shards[0];
  if (!reserved && (shard->parts[SHARD_LOOKUPS] || shard->stored[SHARD_LOOKUPS])) return TAULER_OK;
  tauler_error error = tiles_run_open(&run, job, slice, reserved ? RUN_RECOVERY : RUN_LOOKUPS, message);
  if (error) return error;
  run.pass = LOOKUP_CONVERTING;
  for (int plane = 0; plane < slice->planes && reserved; plane++) run.reserved[plane] = reserved[plane];
  workers_run(run.threads, reserved ? work_on_recovery : work_on_lookups, &run);
  error = comm_agree(job->work.comm, (tauler_error)run.failed.error, &run.failed.message);
  if (error && message) *message = run.failed.message;
  tiles_run_close(&run);
  return error;
}

static tauler_error tiles_depths(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                                 tauler_message *message) {
  return solve_values_or_depths(job, slice, RUN_DEPTHS, effort, message);
}

static tauler_error solve_tiles(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                                tauler_message *message) {
  const tauler_error error = solve_values_or_depths(job, slice, RUN_VALUES, effort, message);
  return error || !depths ? error : tiles_depths(job, slice, effort, message);
}

/* True if the game has kernels and the rules have no fallback cycle rule. If they have one (own-row-any),
 * guarantees must hold on every history, and the engine `repetition` finds them by another fixpoint. */
static bool serves(const game *game, const game_rules *rules) {
  return game->grid && !(game->fallback_cycles && game->fallback_cycles(rules));
}

static const cell_engine tiles_cells = {.spills = true,
                                        .pages = true,
                                        .move_tables = true,
                                        .open = tiles_open,
                                        .solve = solve_tiles,
                                        .depths = tiles_depths,
                                        .lookup = tiles_lookup,
                                        .bytes = tiles_bytes};

const engine engine_tiles = {.name = "tiles", .serves = serves, .cells = &tiles_cells};
