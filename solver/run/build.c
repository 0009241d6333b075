/* Builds the tables of a request and resumes a build that was stopped. */
#include "solver/run/build.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/durable_file.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/run/run.h"
#include "solver/tables/slice_tables.h"

enum { FOLDER_TRIES = 30 /* tries, a tenth of a second each */ };

/* Sets *there to true if all tables of values (`first` is 0) or of depths (`first` is SOLVE_PLANES) of a
 * slice exist, otherwise to false. Reports them if all exist, so that a resumed build lists all tables. */
static tauler_error find_streams(const engine_run *b, size_t i, bool exact, int first, bool *there,
                                 tauler_message *message) {
  const uint32_t slice = b->slices.slices[i].slice;
  const slice_streams streams = slice_streams_of(&b->job->problem, exact);
  const int planes = first ? streams.depth_planes : streams.planes;
  table *found[SOLVE_PLANES] = {NULL};
  tauler_error error = TAULER_OK;
  *there = true;
  for (int plane = 0; plane < planes && !error; plane++) {
    error = slice_table_find(b->job, slice, streams.names[first + plane], &found[plane], message);
    *there = *there && found[plane];
  }
  for (int plane = 0; plane < planes; plane++) {
    if (!error && *there) slice_table_report(b->job, table_get_header(found[plane]), false);
    table_close(found[plane]);
  }
  return error;
}

/* Sets has_values of a slice if its tables of values exist, whether they have one value or two bounds. If
 * bounds may meet, the first slice is exact. If it has tables of bounds, an earlier version built all tables
 * without lines of play. Tables built on them would have looser bounds than possible, so they are refused. */
static tauler_error find_values(engine_run *b, size_t i, tauler_message *message) {
  const solve_problem *problem = &b->job->problem;
  const bool may_be_exact = game_may_be_exact(problem->game, problem->rules);
  bool bounds = false;
  tauler_error error = TAULER_OK;
  if (may_be_exact) error = find_streams(b, i, true, 0, &b->states[i].has_values, message);
  if (!error && !b->states[i].has_values) error = find_streams(b, i, false, 0, &bounds, message);
  if (!error && bounds && may_be_exact && i == 0)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s holds bounds of an earlier version, which are read but not built on: "
                       "build in another folder (--db)",
                       b->tables_folder);
  b->states[i].has_values = b->states[i].has_values || bounds;
  return error;
}

/* Locks the folder of the rule set, creates the folders of tables below it, and removes files that dead
 * writers left in them. Neighbouring slices mostly have the same folder, which is then created only once. */
static tauler_error prepare_subfolders(engine_run *b, tauler_message *message) {
  const build_job *job = b->job;
  char last[GAME_TEXT_BYTES] = "", below[GAME_TEXT_BYTES], path[FOLDER_PATH_BYTES + GAME_TEXT_BYTES];
  tauler_error error = durable_folder_create(b->tables_folder, message);
  if (!error) error = folder_lock_acquire(b->tables_folder, &b->lock, message);
  if (!error) error = durable_folder_clean(b->tables_folder, message);
  for (size_t i = 0; i < b->slices.used && !error; i++) {
    names_subfolder(job->problem.game, job->problem.rules, b->slices.slices[i].slice, below);
    if (strcmp(below, last) == 0) continue;
    snprintf(path, sizeof path, "%s/%s", b->tables_folder, below);
    error = durable_folder_create(path, message);
    if (!error) error = durable_folder_clean(path, message);
    memcpy(last, below, sizeof last);
  }
  return error;
}

/* Refuses the folder if a rank does not see the lock of rank 0 in it. Tries several times, since file systems
 * that remember missing files may show the lock some seconds late. */
static tauler_error check_folder(const engine_run *b, tauler_message *message) {
  comm *comm = b->job->work.comm;
  char held[FOLDER_LOCK_TEXT] = "", seen[FOLDER_LOCK_TEXT] = "", host[64] = "";
  if (comm_ranks(comm) == 1) return TAULER_OK;
  if (comm_is_root(comm) && b->lock) folder_lock_read(b->tables_folder, held);
  tauler_error error = comm_bcast(comm, 0, held, sizeof held, message);
  if (error) return error;
  for (int tries = 0; held[0] && tries < FOLDER_TRIES; tries++) {
    if (tries > 0) nanosleep(&(struct timespec){0, 100000000}, NULL);
    folder_lock_read(b->tables_folder, seen);
    if (strcmp(held, seen) == 0) break;
  }
  gethostname(host, sizeof host - 1);
  if (strcmp(held, seen) != 0)
    error =
        tauler_fail(message, TAULER_BAD_USAGE,
                    "rank %d on host %s does not see the folder of rank 0 as %.300s: start all ranks with "
                    "the same --db, on a file system that they share",
                    comm_rank(comm), host, b->tables_folder);
  return comm_agree(comm, error, message);
}

static tauler_error prepare_folder(engine_run *b, tauler_message *message) {
  const build_job *job = b->job;
  table_header header;
  if (strlen(job->problem.game->rules_text(job->problem.rules)) >= sizeof header.rules) {
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the rule set's name is too long for a table (%zu bytes at most)",
                       sizeof header.rules - 1);
  }
  names_header(job->problem.game, job->problem.rules, b->slices.slices[0].slice, "value", &header);
  tauler_error error = folder_table_path(job->folder, "", &header, b->tables_folder, message);
  if (error) return error;
  *strrchr(b->tables_folder, '/') = '\0';
  b->checkpoints = (solve_checkpoints){
      .folder = b->tables_folder, .interval = job->checkpoint_interval, .stop = job->stop, .user = job->user};
  b->solving.checkpoints = &b->checkpoints;
  if (comm_is_root(job->work.comm)) error = prepare_subfolders(b, message);
  error = comm_agree(job->work.comm, error, message);
  return error ? error : check_folder(b, message);
}

static tauler_error prepare_grid(engine_run *b, tauler_message *message) {
  if (!engine_uses_move_tables(b->job, comm_ranks(b->job->work.comm))) return TAULER_OK;
  const double start = clock_process_cpu(), wall = clock_wall();
  tauler_error error = b->job->problem.game->grid->prepare(b->job->problem.rules,
                                                           game_slices_largest(&b->slices), &b->grid_tables);
  if (error)
    error =
        tauler_fail(message, error, "no memory for the tables of moves of %s", b->job->problem.game->name);
  b->solving.grid_tables = b->grid_tables;
  b->cost->setup += clock_process_cpu() - start;
  b->cost->solving_wall += clock_wall() - wall;
  return error;
}

/* Finds out which tables of a slice exist. If all exist, removes the checkpoint, which is left if the process
 * was killed after the last table got its name. */
static tauler_error find_tables(engine_run *b, size_t i, tauler_message *message) {
  const whole_engine *whole = engine_of(b->job)->whole;
  const uint32_t slice = b->slices.slices[i].slice;
  const bool finds = whole && whole->find;
  tauler_error error =
      finds ? whole->find(b->job, slice, &b->states[i].has_values, message) : find_values(b, i, message);
  if (!error && b->wants_depths && !finds)
    error = find_streams(b, i, false, SOLVE_PLANES, &b->states[i].has_depths, message);
  if (!error && build_has_tables(b, i)) checkpointer_remove(&b->solving, slice, b->wants_depths);
  return error;
}

/* The leading rank looks for tables and sends the result to all ranks, so that all decide the same. */
static tauler_error find_all_tables(engine_run *b, tauler_message *message) {
  comm *comm = b->job->work.comm;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < b->slices.used && comm_is_root(comm) && !error; i++)
    error = find_tables(b, i, message);
  error = comm_agree(comm, error, message);
  if (!error) error = comm_bcast(comm, 0, b->states, b->slices.used * sizeof *b->states, message);
  return error;
}

static tauler_error charge_overhead(engine_run *b, const build_plan *plan, tauler_message *message) {
  const uint64_t bytes = build_overhead_bytes(b->job, &b->needed, plan->ranks) + plan->mapping;
  const tauler_error error =
      memory_charge(b->job->work.memory, bytes, "the program and its tables of moves", message);
  if (!error) b->overhead = bytes;
  return error;
}

/* Lists the slices that lack a table, adds the bytes of the missing tables to *tables, and sets b->needed. */
static tauler_error list_missing(engine_run *b, game_slices *missing, uint64_t *tables,
                                 tauler_message *message) {
  missing->slices = calloc(b->slices.used, sizeof *missing->slices);
  if (!missing->slices) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  for (size_t i = 0; i < b->slices.used; i++) {
    const game_slice *slice = &b->slices.slices[i];
    *tables += build_table_bytes(b->job, slice, !b->states[i].has_values,
                                 b->wants_depths && !b->states[i].has_depths);
    if (build_has_tables(b, i)) continue;
    missing->slices[missing->used++] = *slice;
    b->needed = (game_slices){b->slices.slices, i + 1};
  }
  return TAULER_OK;
}

/* Refuses a plan that does not fit. On the leading rank, first lets the caller approve the estimate. */
static tauler_error approve_plan(engine_run *b, const build_plan *plan, const game_slices *missing,
                                 uint64_t tables, tauler_message *message) {
  const build_job *job = b->job;
  if (!comm_is_root(job->work.comm))
    return memory_plan(job->work.memory, plan->memory, "solving these slices", message);
  build_outlook ahead;
  build_estimate(job, plan, missing, tables, &ahead);
  if (job->approve) {
    build_estimate_time(&b->needed, missing, b->grid_tables, true, &ahead);
    const tauler_error error = job->approve(job->user, &ahead, message);
    if (error) return error;
  }
  return build_outlook_check(&ahead, message);
}

/* Prepares the tables of moves first, so that the plan knows the halos exactly, unless these tables alone are
 * too large or fallback tables must be built first. */
static tauler_error plan_build(engine_run *b, build_plan *plan, tauler_message *message) {
  const build_job *job = b->job;
  const int ranks = comm_ranks(job->work.comm);
  tauler_error error = TAULER_OK;
  if (!b->fallback_rules && build_overhead_bytes(job, &b->needed, ranks) <= memory_left(job->work.memory))
    error = prepare_grid(b, message);
  if (!error) error = build_plan_for(job, &b->needed, b->grid_tables, ranks, plan, message);
  return comm_agree(job->work.comm, error, message);
}

/* Sets the engine to that of the plan. Charges the memory that is allocated outside the budget, so that all
 * of the remaining budget may be used. If the plan of any rank spills slices, sets the spill folder. */
static tauler_error choose_engine(engine_run *b, const build_plan *plan, tauler_message *message) {
  const build_job *job = b->job;
  assert(plan->engine); /* each game has an engine */
  b->keeps_plain = !plan->in_shards;
  b->engine = b->solving.problem.engine = plan->engine;
  tauler_error error = comm_agree(job->work.comm, charge_overhead(b, plan, message), message);
  if (error || (!plan->in_shards && !engine_is_side_by_side(plan->engine))) return error;
  uint64_t spills = plan->store_on_disk;
  error = comm_allreduce(job->work.comm, COMM_MAX, &spills, 1, message);
  if (spills) b->solving.work.spill_folder = b->tables_folder;
  return error;
}

/* --- fallback tables ---
 *
 * These are tables of another cycle rule, to which converting moves lead. Guarantees for every history are
 * computed from them. They are built first, in the same folder, and are read instead of finished slices.
 */

bool build_has_fallback(const solve_problem *problem) {
  return problem->game->fallback_cycles && problem->game->fallback_cycles(problem->rules);
}

tauler_error build_fallback_open(engine_run *run, tauler_message *message) {
  const game *game = run->job->problem.game;
  if (!build_has_fallback(&run->job->problem)) return TAULER_OK;
  return game->open(game->rules_text(run->job->problem.rules), game->fallback_cycles(run->job->problem.rules),
                    &run->fallback_rules, message);
}

static tauler_error build_fallback_tables(engine_run *run, tauler_message *message) {
  run->fallback = *run->job;
  run->fallback.problem.rules = run->fallback_rules;
  run->fallback.report = NULL;
  if (run->needed.used > 0)
    run->fallback.approve = NULL; /* the plan that was approved before counts these tables, too */
  return build_tables(&run->fallback, &run->fallback_cost, message);
}

static void add_cost(build_cost *to, const build_cost *of) {
  to->setup += of->setup;
  to->solving += of->solving;
  to->writing += of->writing;
  to->loading += of->loading;
  to->solving_wall += of->solving_wall;
  to->positions_solved += of->positions_solved;
}

void build_fallback_close(engine_run *run) {
  if (!run->fallback_rules) return;
  add_cost(run->cost, &run->fallback_cost);
  run->job->problem.game->close(run->fallback_rules);
}

static tauler_error begin_build(engine_run *b, tauler_message *message) {
  game_slices missing = {0};
  build_plan plan = {0};
  uint64_t tables = 0;
  tauler_error error = comm_agree(b->job->work.comm, list_missing(b, &missing, &tables, message), message);
  if (!error && b->needed.used > 0) error = plan_build(b, &plan, message);
  if (!error && b->needed.used > 0)
    error = comm_agree(b->job->work.comm, approve_plan(b, &plan, &missing, tables, message), message);
  free(missing.slices);
  if (!error && b->fallback_rules) {
    error = build_fallback_tables(b, message);
    if (!error && b->needed.used > 0)
      error = comm_agree(b->job->work.comm, prepare_grid(b, message), message);
  }
  return error || b->needed.used == 0 ? error : choose_engine(b, &plan, message);
}

static tauler_error build_missing(engine_run *b, tauler_message *message) {
  const build_job *job = b->job;
  tauler_error error = find_all_tables(b, message);
  if (!error) error = begin_build(b, message);
  if (!error && b->needed.used > 0) {
    error = comm_agree(
        job->work.comm,
        slice_levels_open(job->problem.game, job->problem.rules, &b->needed, &b->levels, message), message);
    if (!error) error = engine_open(b, message);
    if (!error) error = schedule_run(b, message);
  }
  engine_close(b);
  slice_levels_close(&b->levels);
  memory_discharge(job->work.memory, b->overhead);
  return error;
}

uint64_t build_updates(const build_sweeps sweeps[BUILD_SWEEPS]) {
  uint64_t updates = 0;
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) updates += sweeps[kind].updates;
  return updates;
}

tauler_error build_check_depths(const solve_problem *problem, bool depths, tauler_message *message) {
  if (!depths) return TAULER_OK;
  if (problem->game->kind(problem->rules) == SOLVE_CHANCE)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s is a game of chance and has no --depth",
                       problem->game->name);
  if (!build_has_fallback(problem)) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "tables have no depths under cycles %s: leave out --depth",
                     problem->game->cycles_text(problem->rules));
}

tauler_error build_tables(const build_job *asked, build_cost *cost, tauler_message *message) {
  build_job whole = *asked;
  if (!(whole.width > 0)) whole.width = BUILD_USUAL_WIDTH;
  const build_job *job = &whole;
  engine_run b = {.job = job, .cost = cost};
  b.wants_depths = engine_wants_depths(job);
  *cost = (build_cost){0};
  tauler_error error = engine_check(job, message);
  if (!error) error = build_check_depths(&job->problem, job->depths, message);
  if (!error) error = build_fallback_open(&b, message);
  if (!error) error = job->problem.game->slices(job->problem.rules, job->request, &b.slices, message);
  if (error) {
    build_fallback_close(&b);
    return error;
  }
  b.states = calloc(b.slices.used, sizeof *b.states);
  if (!b.states) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  error = comm_agree(job->work.comm, error, message);
  b.solving =
      (solve_job){.problem = {job->problem.game, job->problem.rules, engine_of(job)}, .work = job->work};
  if (!error) error = prepare_folder(&b, message);
  if (!error) error = build_missing(&b, message);
  cost->peak_memory = memory_peak(job->work.memory);
  cost->bytes_sent = comm_bytes_sent(job->work.comm);
  build_fallback_close(&b);
  folder_lock_release(b.lock);
  if (!error) error = comm_allreduce(job->work.comm, COMM_SUM, &cost->bytes_sent, 1, message);
  if (b.grid_tables) job->problem.game->grid->release(b.grid_tables);
  free(b.states);
  free(b.slices.slices);
  return error;
}
