/* Goes through rounds, in which every shard of every rank has a turn, until nothing changes. */
#include <string.h>

#include "solver/engines/cells.h"
#include "solver/engines/tiles/tiles.h"

static uint32_t shares_here(const grid_spread_run *run) {
  return run->slice->shares_here;
}

static bool waits_on_disk(const grid_spread_run *run) {
  return run->slice->mapped != NULL;
}

/* What the leading member does between the turns of shares that wait on the disk. */
static void visit_next(void *user) {
  grid_spread_run *run = user;
  grid_visit(run, run->next++, run->beginning);
}

static void leave(void *user) {
  grid_leave(user);
}

/* Calls `turn` for each share here, all ranks in step. */
static void take_turns(grid_spread_run *run, crew_member *member, bool beginning,
                       void (*turn)(grid_spread_run *run, crew_member *member)) {
  if (member->number == 0) {
    run->next = 0;
    run->beginning = beginning;
  }
  for (uint32_t i = 0; i < shares_here(run); i++) {
    if (beginning || waits_on_disk(run)) crew_lead(member, visit_next, run);
    turn(run, member);
    if (waits_on_disk(run)) crew_lead(member, leave, run);
  }
}

/* A new turn has told nothing yet. */
static void forget_told(void *user) {
  grid_spread_run *run = user;
  const share_size own = layout_share_size(run->layout, grid_share_number(run));
  for (int plane = 0; plane < GRID_PLANES && run->told[plane] && !run->failed; plane++) {
    memset(run->told[plane], 0, own.news);
    memset(run->told_blocks[plane], 0, run->layout->blocks);
  }
  run->changed = 0;
}

static void mark_inbox(void *user) {
  grid_spread_run *run = user;
  exchange_mark(run->exchange, grid_share_number(run));
}

static void forget_inbox(void *user) {
  grid_spread_run *run = user;
  exchange_forget(run->exchange, grid_share_number(run));
}

static void take_in_kept(grid_spread_run *run, crew_member *member) {
  if (!waits_on_disk(run)) return;
  grid_take_in(run, member);
  crew_meet(member, forget_inbox, run);
}

static void count_changes(void *user) {
  grid_spread_run *run = user;
  run->in_turn = run->failed ? 0 : run->changed;
  run->in_round += run->changed;
  run->changed = 0;
}

/* Rounds of values at the share at work: children against which more is forced raise their parents, then
 * children that can force more make theirs doubtful. Where a turn costs a way to the disk, until there is
 * no news here, which then need not be kept. */
static void relax_values(grid_spread_run *run, crew_member *member) {
  do {
    grid_work_on_tiles(run, member, run->grid->relax_lower);
    grid_end_kernel(run, member, NEWS_OF_LOWER, TELL_CHANGES);
    grid_work_on_tiles(run, member, run->grid->relax_upper);
    grid_end_kernel(run, member, NEWS_OF_UPPER, TELL_CHANGES);
    crew_meet(member, count_changes, run);
  } while (waits_on_disk(run) && run->in_turn);
}

static void turn_values(grid_spread_run *run, crew_member *member) {
  if (waits_on_disk(run)) crew_meet(member, mark_inbox, run);
  crew_meet(member, forget_told, run);
  take_in_kept(run, member);
  relax_values(run, member);
  grid_tell(run, member, TELL_CHANGES);
}

static void turn_depths(grid_spread_run *run, crew_member *member) {
  crew_meet(member, forget_told, run);
  take_in_kept(run, member);
  grid_note_known(run, member);
  if (run->run.round == 1) {
    grid_work_with_finished(run, member, run->grid->relax_depths);
  } else {
    grid_work_on_tiles(run, member, run->grid->relax_depths);
  }
  grid_end_kernel(run, member, NEWS_OF_BOTH, TELL_DECISIONS);
  crew_meet(member, count_changes, run);
  grid_tell(run, member, TELL_DECISIONS);
}

static void begin_values(grid_spread_run *run, crew_member *member) {
  grid_work_with_finished(run, member, run->grid->begin);
  grid_tell_self(run, member, TELL_CHANGES);
  crew_meet(member, count_changes, run);
  if (waits_on_disk(run)) relax_values(run, member);
  grid_tell(run, member, TELL_CHANGES);
}

static void begin_depths(grid_spread_run *run, crew_member *member) {
  grid_tell_self(run, member, TELL_CELLS);
  grid_tell(run, member, TELL_CELLS);
  grid_work_with_finished(run, member, run->grid->begin_depths);
  grid_tell_self(run, member, TELL_DECISIONS);
  crew_meet(member, count_changes, run);
  grid_tell(run, member, TELL_DECISIONS);
}

static void mark_inboxes(void *user) {
  grid_spread_run *run = user;
  for (uint32_t i = 0; i < shares_here(run) && run->exchange; i++)
    exchange_mark(run->exchange, run->slice->first_share + i);
}

/* Depths take in what was told in the round before, and nothing of this one. */
static void start_round(void *user) {
  grid_spread_run *run = user;
  run->in_round = 0;
  run->state.wave = (uint16_t)run->run.round;
  if (run->purpose == RUN_DEPTHS && run->run.round > 0) mark_inboxes(run);
}

static bool is_unfinished(const grid_spread_run *run) {
  if (run->purpose == RUN_DEPTHS)
    return (run->run.round == 1 || run->run.changed_last) && run->run.round < SOLVE_NO_DEPTH;
  return run->run.changed_last != 0;
}

static void show_round(grid_spread_run *run) {
  const uint64_t step = (run->slice->positions - run->run.shown) / 32;
  run->run.shown += step;
  if (run->job->shown) progress_add(run->job->shown, step);
}

/* Every rank learns how many cells changed and whether all is well. */
static void end_round(void *user) {
  grid_spread_run *run = user;
  uint64_t sums[2] = {run->in_round, run->failed != 0};
  tauler_error error = team_combine(run->job->team, TEAM_SUM, sums, 2, &run->message);
  if (!error && sums[1]) error = team_agree(run->job->team, (tauler_error)run->failed, &run->message);
  grid_note_failure(run, error, NULL);
  run->run.changed_before = run->run.changed_last;
  run->run.changed_last = sums[0];
  run->run.round++;
  show_round(run);
  run->goes_on = !error && is_unfinished(run);
}

/* Every share's cells reach those who read them; only then is told again what was told last, whoever owns
 * what now: news is taken in once, and must not be before all that it is weighed against is there. */
static void tell_again(grid_spread_run *run, crew_member *member) {
  take_in_kept(run, member);
  grid_tell_self_again(run, member);
  if (waits_on_disk(run) && run->purpose == RUN_VALUES) relax_values(run, member);
  grid_tell(run, member, run->purpose == RUN_DEPTHS ? TELL_DECISIONS : TELL_CHANGES);
}

static void end_resumption(void *user) {
  grid_spread_run *run = user;
  const tauler_error error = team_agree(run->job->team, (tauler_error)run->failed, &run->message);
  grid_note_failure(run, error, NULL);
  run->goes_on = !error && is_unfinished(run);
}

static void work_in_rounds(void *user, crew_member *member) {
  grid_spread_run *run = user;
  const bool depths = run->purpose == RUN_DEPTHS;
  if (run->resumed) {
    take_turns(run, member, false, grid_tell_state);
    crew_meet(member, mark_inboxes, run);
    take_turns(run, member, false, tell_again);
    crew_lead(member, end_resumption, run);
  } else {
    crew_meet(member, start_round, run);
    take_turns(run, member, true, depths ? begin_depths : begin_values);
    crew_lead(member, end_round, run);
  }
  while (run->goes_on) {
    crew_meet(member, start_round, run);
    take_turns(run, member, false, depths ? turn_depths : turn_values);
    crew_lead(member, end_round, run);
    /* What a failure left is not what a checkpoint may hold. */
    if (run->failed || keeper_meet(&run->keeper, member, NULL, NULL)) return;
  }
}

static tauler_error visit_units(void *user, uint32_t share, bool fresh, tauler_message *message) {
  grid_spread_run *run = user;
  const tauler_error error = grid_visit(run, share - run->slice->first_share, fresh);
  if (error && message) *message = run->message;
  grid_name_arrays(run);
  return error;
}

static tauler_error leave_units(void *user, uint32_t share, bool changed, tauler_message *message) {
  grid_spread_run *run = user;
  (void)share;
  (void)changed;
  const tauler_error error = grid_leave(run);
  if (error && message) *message = run->message;
  return error;
}

static size_t unit_bytes(void *user, uint64_t tile) {
  return unit_arrays_bytes(&((grid_spread_run *)user)->kept, tile);
}

static void pack_unit(void *user, uint64_t tile, void *bytes) {
  unit_arrays_pack(&((grid_spread_run *)user)->kept, tile, bytes);
}

static void unpack_unit(void *user, uint64_t tile, const void *bytes) {
  unit_arrays_unpack(&((grid_spread_run *)user)->kept, tile, bytes);
}

/* Names arrays of the right kinds, so that the sizes of units are known before any share is in memory. */
static void name_kinds(grid_spread_run *run) {
  void *nothing = run;
  grid_state_arrays state = {.planes = run->plan.planes};
  if (run->purpose == RUN_DEPTHS) state.known = nothing;
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    state.own[plane] = state.bounds[plane] = nothing;
    state.depths[plane] = run->purpose == RUN_DEPTHS ? nothing : NULL;
    state.news[plane] = nothing;
  }
  grid_add_state(&run->kept, &state);
}

static tauler_error take_up(grid_spread_run *run, tauler_message *message) {
  name_kinds(run);
  run->units = (keeper_units){.user = run,
                              .layout = run->layout,
                              .first_share = run->slice->first_share,
                              .shares_here = shares_here(run),
                              .run = &run->run,
                              .run_bytes = sizeof run->run,
                              .visit = visit_units,
                              .leave = leave_units,
                              .unit_bytes = unit_bytes,
                              .pack = pack_unit,
                              .unpack = unpack_unit};
  keeper_open(&run->keeper, run->job, run->slice->slice, run->purpose == RUN_DEPTHS ? "depths" : "values",
              &run->units);
  const tauler_error error = keeper_resume(&run->keeper, &run->resumed, message);
  /* Rounds of one plane each, as checkpoints had before: one of the two may have changed nothing. */
  if (run->resumed && run->purpose == RUN_VALUES) run->run.changed_last |= run->run.changed_before;
  return error;
}

static tauler_error solve(const solve_job *job, spread_slice *slice, grid_purpose purpose,
                          solve_effort *effort, tauler_message *message) {
  grid_spread_run run;
  tauler_error error = grid_run_open(&run, job, slice, purpose, message);
  if (error) return error;
  run.run.shown = effort->shown;
  error = take_up(&run, message);
  if (!error) {
    crew_run(run.threads, work_in_rounds, &run);
    error = (tauler_error)run.failed;
    if (!error) error = keeper_outcome(&run.keeper, &run.message);
    if (error && message) *message = run.message;
    if (!error && purpose == RUN_DEPTHS && run.run.changed_last && run.run.round >= SOLVE_NO_DEPTH)
      error = tauler_fail(message, TAULER_INTERNAL, "slice %u needs more than %d waves", slice->slice,
                          SOLVE_NO_DEPTH - 1);
  }
  effort->shown = run.run.shown;
  grid_run_close(&run);
  return error;
}

static tauler_error tiles_open(const solve_job *job, uint32_t slice, uint32_t shares_per_rank,
                               spread_slice *out, tauler_message *message) {
  const uint32_t shares = (uint32_t)team_ranks(job->team) * shares_per_rank;
  game_grid_plan plan;
  slice_layout *layout;
  job->game->grid->plan(job->rules, slice, &plan);
  const tauler_error error =
      layout_open(job->game, job->rules, slice, true, shares, shares_per_rank, &layout, message);
  if (error) return error;
  return spread_open(out, job->team, job->memory, layout, plan.planes, job->spill_folder, message);
}

static tauler_error grid_spread(const solve_job *job, spread_slice *slice, solve_effort *effort,
                                tauler_message *message) {
  return solve(job, slice, RUN_VALUES, effort, message);
}

static tauler_error tiles_depths(const solve_job *job, spread_slice *slice, solve_effort *effort,
                                 tauler_message *message) {
  return solve(job, slice, RUN_DEPTHS, effort, message);
}

static tauler_error end_run(grid_spread_run *run, tauler_message *message) {
  const tauler_error error = team_agree(run->job->team, (tauler_error)run->failed, &run->message);
  if (error && message) *message = run->message;
  grid_run_close(run);
  return error;
}

static void look_in_turn(grid_spread_run *run, crew_member *member) {
  grid_work_with_finished(run, member, run->grid->look);
}

static void work_on_looks(void *user, crew_member *member) {
  take_turns(user, member, true, look_in_turn);
}

tauler_error tiles_looks(const solve_job *job, spread_slice *slice, tauler_message *message) {
  grid_spread_run run;
  const tauler_error error = grid_run_open(&run, job, slice, RUN_LOOKS, message);
  if (error) return error;
  crew_run(run.threads, work_on_looks, &run);
  return end_run(&run, message);
}

static void recover_first(grid_spread_run *run, crew_member *member) {
  grid_work_with_finished(run, member, NULL);
  grid_tell_self(run, member, TELL_CELLS);
  grid_tell(run, member, TELL_CELLS);
}

static void recover_rest(grid_spread_run *run, crew_member *member) {
  if (waits_on_disk(run)) {
    grid_tell_self(run, member, TELL_CELLS);
    take_in_kept(run, member);
  }
  grid_work_with_finished(run, member, NULL);
}

static void begin_second_pass(void *user) {
  grid_spread_run *run = user;
  run->pass = LOOK_ALL;
  mark_inboxes(run);
}

/* First what conversions give back; with that in the halo, what one look at all moves does. */
static void work_on_recovery(void *user, crew_member *member) {
  grid_spread_run *run = user;
  take_turns(run, member, true, recover_first);
  crew_meet(member, begin_second_pass, run);
  take_turns(run, member, false, recover_rest);
}

tauler_error tiles_recover(const solve_job *job, spread_slice *slice, const int8_t *reserved,
                           tauler_message *message) {
  grid_spread_run run;
  const tauler_error error = grid_run_open(&run, job, slice, RUN_RECOVERY, message);
  if (error) return error;
  run.pass = LOOK_CONVERTING;
  for (int plane = 0; plane < slice->planes; plane++) run.reserved[plane] = reserved[plane];
  crew_run(run.threads, work_on_recovery, &run);
  return end_run(&run, message);
}

static tauler_error solve_tiles(const solve_job *job, bool depths, spread_slice *slice, solve_effort *effort,
                                tauler_message *message) {
  const tauler_error error = grid_spread(job, slice, effort, message);
  return error || !depths ? error : tiles_depths(job, slice, effort, message);
}

static bool serves(const game *game, const game_rules *rules) {
  return game->grid && !engine_repetition.serves(game, rules);
}

static const cell_engine tiles_cells = {.waits = true,
                                        .open = tiles_open,
                                        .solve = solve_tiles,
                                        .depths = tiles_depths,
                                        .looks = tiles_looks,
                                        .recover = tiles_recover,
                                        .bytes = tiles_bytes};

const engine engine_tiles = {.name = "tiles",
                             .serves = serves,
                             .move_tables = true,
                             .open = cells_open,
                             .close = cells_close,
                             .solve = cells_solve,
                             .load = cells_load,
                             .cells = &tiles_cells};
