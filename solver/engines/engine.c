/* Lists the engines, chooses one, and calls its functions. */
#include "solver/engines/engine.h"

#include <string.h>

#include "base/clock.h"
#include "solver/engines/cells.h"

/* Returns the i-th engine in the order of preference, or NULL after the last. An earlier engine is faster
 * than later ones, or serves rules that they do not serve. */
static const engine *engine_at(size_t i) {
  static const engine *const engines[] = {
      &engine_chance,     &engine_bitboard,     &engine_tiles, &engine_repetition,
      &engine_retrograde, &engine_chance_edges, NULL};
  return engines[i];
}

const engine *engine_named(const char *name) {
  size_t i = 0;
  while (engine_at(i) && strcmp(engine_at(i)->name, name) != 0) i++;
  return engine_at(i);
}

static bool engine_solves(const engine *engine, const solve_problem *problem, bool depths) {
  return engine->serves(problem->game, problem->rules) &&
         ((engine->cells && engine->cells->stages) || !depths ||
          !game_ends_by_repetition(problem->game, problem->rules));
}

const engine *engine_after(const engine *before, const solve_problem *problem, bool depths) {
  size_t i = 0;
  while (before && engine_at(i++) != before) continue;
  while (engine_at(i) && !engine_solves(engine_at(i), problem, depths)) i++;
  return engine_at(i);
}

tauler_error engine_check(const build_job *job, tauler_message *message) {
  const engine *engine = job->problem.engine;
  if (!engine || engine_solves(engine, &job->problem, job->depths)) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "the engine %s does not solve %s under these rules%s: leave out --engine", engine->name,
                     job->problem.game->name, job->depths ? " with depths" : "");
}

const engine *engine_of(const build_job *job) {
  return job->problem.engine ? job->problem.engine : engine_after(NULL, &job->problem, job->depths);
}

bool engine_uses_move_tables(const build_job *job, int ranks) {
  const engine *engine = engine_of(job);
  return engine_has_move_tables(engine, job->problem.game) && (ranks == 1 || !engine->cells->moves_alone);
}

bool engine_wants_depths(const build_job *job) {
  const solve_kind kind = job->problem.game->kind(job->problem.rules);
  return kind == SOLVE_OUTCOMES || (job->depths && kind != SOLVE_CHANCE);
}

bool engine_keeps_depths(const solve_problem *problem) {
  return problem->game->kind(problem->rules) == SOLVE_OUTCOMES;
}

static uint64_t excess_bytes(uint64_t bytes, uint64_t kept) {
  return bytes > kept ? bytes - kept : 0;
}

solve_job engine_shared_job(const engine *engine, const solve_job *solving, int ranks, uint32_t slice,
                            bool outweighs) {
  solve_job shared = *solving;
  const whole_engine *whole = engine->whole;
  const bool all = whole && whole->is_shared && whole->is_shared(solving, slice, ranks, outweighs);
  shared.ranks = all ? ranks : 1;
  return shared;
}

level_task engine_size_task(const engine *engine, const solve_job *solving, int ranks,
                            const game_slice *slice, size_t place, bool kept) {
  solve_job by_all = *solving;
  by_all.ranks = ranks;
  solve_job by_one = by_all;
  by_one.work.threads = 1;
  const uint64_t finished = kept ? engine->whole->finished_bytes(&by_all, slice->slice) : 0;
  return (level_task){.place = place,
                      .positions = slice->positions,
                      .shared = by_all.ranks > 1,
                      .alone = excess_bytes(engine->whole->task_bytes(&by_all, slice->slice), finished),
                      .side = excess_bytes(engine->whole->task_bytes(&by_one, slice->slice), finished)};
}

static void list_slices(arena *a, void *of) {
  whole_slices *whole = of;
  whole->slices = arena_allocate(a, whole->room, whole->engine->slice_bytes);
  whole->views = arena_allocate(a, whole->room, whole->engine->view_bytes);
}

uint64_t whole_list_bytes(const engine *engine, const game_slices *slices) {
  whole_slices planned = {.engine = engine->whole, .room = game_slices_largest(slices) + 1};
  return arena_bytes(list_slices, &planned);
}

/* Sets run->solving.room to the least memory that any rank has left, so that all ranks make the same choices.
 * Collective. */
static tauler_error whole_open(engine_run *run, tauler_message *message) {
  const build_job *job = run->job;
  run->whole = (whole_slices){.engine = run->engine->whole, .room = game_slices_largest(&run->needed) + 1};
  const tauler_error error = arena_fill(&run->whole.lists, job->work.memory, "the list of finished slices",
                                        list_slices, &run->whole, message);
  uint64_t missing = ~memory_left(job->work.memory);
  const tauler_error lost = comm_allreduce(job->work.comm, COMM_MAX, &missing, 1, message);
  run->solving.room = ~missing;
  return lost ? lost : comm_agree(job->work.comm, error, message);
}

static char *entry_at(const engine_run *run, size_t place, void *list, size_t bytes) {
  return (char *)list + run->slices.slices[place].slice * bytes;
}

void *whole_at(const engine_run *run, size_t place) {
  return entry_at(run, place, run->whole.slices, run->whole.engine->slice_bytes);
}

void whole_free_slice(engine_run *run, size_t place) {
  const whole_engine *engine = run->whole.engine;
  engine->free(run->job->work.memory, whole_at(run, place));
  memset(entry_at(run, place, run->whole.views, engine->view_bytes), 0, engine->view_bytes);
}

tauler_error engine_open(engine_run *run, tauler_message *message) {
  return run->engine->cells ? cells_open(run, message) : whole_open(run, message);
}

void engine_close(engine_run *run) {
  if (run->engine && run->engine->cells) cells_close(run);
  for (size_t i = 0; run->whole.lists.block && i < run->needed.used; i++) whole_free_slice(run, i);
  arena_close(&run->whole.lists);
}

tauler_error engine_solve(engine_run *run, engine_task *task, tauler_message *message) {
  return run->engine->cells ? cells_solve(run, task, message)
                            : run->engine->whole->solve(run, task, whole_at(run, task->place), message);
}

double engine_task_time(const engine_task *task) {
  return task->alone ? clock_process_cpu() : clock_thread_cpu();
}

tauler_error engine_load(engine_run *run, engine_task *task, tauler_message *message) {
  const double start = engine_task_time(task);
  const tauler_error error = run->engine->cells
                                 ? cells_load(run, task->place, message)
                                 : run->engine->whole->load(run, task, whole_at(run, task->place), message);
  task->loaded = engine_task_time(task) - start;
  return error;
}

void engine_note_solving(engine_run *run, double cpu_start, double wall_start) {
  run->cost->solving += clock_process_cpu() - cpu_start;
  run->cost->solving_wall += clock_wall() - wall_start;
}

void engine_note_peak(engine_run *run, uint64_t before, uint64_t earlier) {
  const uint64_t peak = memory_peak(run->job->work.memory);
  if (peak > earlier && peak - before > run->cost->solving_peak) run->cost->solving_peak = peak - before;
}
