/* Plans the memory of slices that are whole on a rank, by the rules of the schedule. */
#include <string.h>

#include "solver/engines/engine.h"
#include "solver/run/run.h"

typedef struct {
  const build_job *job;
  const engine *engine;
  const game_slices *slices;
  slice_levels levels;
  arena lists;
  uint32_t *last_use;      /* [slice] highest level at which that rank needs it, or 0 */
  uint64_t *finished;      /* [slice] bytes of the finished slice */
  level_task *tasks, *own; /* [slices of a level] */
  slice_state *states;     /* [slice] as the rank that is planned has them */
  uint64_t shared_positions;
  int ranks;
  uint64_t base;
} levels_plan;

/* The solve of a slice while `held` bytes are in use. */
static solve_job solving_for(const levels_plan *p, uint64_t held) {
  const uint64_t limit = p->job->work.memory->limit;
  solve_job solving = build_planned_solve(p->job, p->engine, NULL);
  solving.room = limit > held ? limit - held : 1;
  return solving;
}

/* Bytes of finished slices at a level: those below it that the level or a higher one needs, and those of the
 * level that a higher one needs. */
static uint64_t kept_bytes(const levels_plan *p, uint32_t level) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < p->slices->used; i++) {
    const uint32_t own = p->levels.level[i];
    if (own <= level && p->last_use[i] >= level && p->last_use[i] > 0) bytes += p->finished[i];
  }
  return bytes;
}

static uint64_t own_tasks_bytes(levels_plan *p, size_t n, bool solved, uint64_t room) {
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t place = p->tasks[i].place;
    if (!p->tasks[i].shared && p->states[place].solved == solved && (solved || p->last_use[place] > 0))
      p->own[used++] = p->tasks[i];
  }
  return level_tasks_bytes(p->own, used, p->job->work.threads, room);
}

/* Bytes that a rank has on the disk for the slice that spills most. */
typedef struct {
  uint64_t bytes;
  uint32_t parts;
  bool shared;
} levels_waiting;

static void add_waiting(const levels_plan *p, const solve_job *solving, size_t place, levels_waiting *most) {
  uint32_t parts = 1;
  const uint32_t slice = p->slices->slices[place].slice;
  solve_job by_all = *solving;
  by_all.ranks = p->states[place].shared ? p->ranks : 1;
  const uint64_t bytes =
      p->engine->whole->waiting_bytes ? p->engine->whole->waiting_bytes(&by_all, slice, &parts) : 0;
  if (bytes > most->bytes) *most = (levels_waiting){bytes, parts, by_all.ranks > 1};
}

/* Adds a rank's bytes. The bytes of a shared slice are those of all its ranks, so they are added once. */
static void add_rank_waiting(const levels_waiting *of, build_plan *plan) {
  if (of->bytes == 0 || (of->shared && plan->shared)) return;
  plan->waiting += of->bytes;
  plan->shared = plan->shared || of->shared;
  if (of->parts > plan->shards_per_rank) plan->shards_per_rank = of->parts;
  plan->store_on_disk = true;
}

static uint64_t level_bytes(levels_plan *p, uint32_t level, levels_waiting *waiting) {
  const uint64_t held = p->base + kept_bytes(p, level), limit = p->job->work.memory->limit;
  const solve_job solving = solving_for(p, held);
  const uint64_t room = limit > held ? limit - held : 0;
  uint64_t most = 0;
  size_t n = 0;
  for (size_t i = 0; i < p->slices->used; i++) {
    if (p->levels.level[i] != level || (!p->states[i].solved && !p->last_use[i])) continue;
    level_task *task = &p->tasks[n++];
    *task = engine_size_task(p->engine, &solving, p->states[i].shared ? p->ranks : 1, &p->slices->slices[i],
                             i, p->last_use[i] > 0);
    if (p->states[i].solved) add_waiting(p, &solving, i, waiting);
    task->shared = p->states[i].shared;
    if (task->shared && task->alone > most) most = task->alone;
  }
  level_tasks_sort(p->tasks, n);
  for (int solved = 0; solved < 2; solved++) {
    const uint64_t bytes = own_tasks_bytes(p, n, solved, room);
    if (bytes > most) most = bytes;
  }
  return held + most;
}

/* Finds what a rank solves, and how long it needs which slices. */
static void find_uses(levels_plan *p, int rank) {
  const size_t n = p->slices->used;
  memset(p->last_use, 0, n * sizeof *p->last_use);
  for (size_t i = 0; i < n; i++) {
    p->states[i].solved = p->states[i].shared || p->states[i].owner == rank;
    p->states[i].uses = 0;
  }
  slice_levels_use(&p->levels, engine_loads_needs(p->engine), p->states);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = p->levels.first_need[i];
         k < p->levels.first_need[i + 1] && (p->states[i].solved || p->states[i].uses); k++) {
      uint32_t *last = &p->last_use[p->levels.need[k]];
      if (p->levels.level[i] > *last) *last = p->levels.level[i];
    }
  }
}

static void list_slices(arena *a, void *of) {
  levels_plan *p = of;
  const size_t n = p->slices->used;
  p->last_use = arena_allocate(a, n, sizeof *p->last_use);
  p->finished = arena_allocate(a, n, sizeof *p->finished);
  p->tasks = arena_allocate(a, n, sizeof *p->tasks);
  p->own = arena_allocate(a, n, sizeof *p->own);
  p->states = arena_allocate(a, n, sizeof *p->states);
}

static tauler_error open_plan(levels_plan *p, tauler_message *message) {
  const size_t n = p->slices->used;
  tauler_error error =
      slice_levels_open(p->job->problem.game, p->job->problem.rules, p->slices, &p->levels, message);
  if (!error) error = arena_fill(&p->lists, NULL, "the list of slices", list_slices, p, message);
  if (error) return error;
  const solve_job solving = solving_for(p, p->base);
  if (!p->engine->whole->side_by_side) p->levels.levels = (uint32_t)n;
  for (size_t i = 0; i < n; i++) {
    const uint32_t slice = p->slices->slices[i].slice;
    const bool outweighs = slice_levels_outweighs(&p->levels, p->slices, p->ranks, i);
    const solve_job by_all = engine_share(p->engine, &solving, p->ranks, slice, outweighs);
    p->finished[i] = p->engine->whole->finished_bytes(&by_all, slice);
    p->states[i].shared = by_all.ranks > 1 || !p->engine->whole->side_by_side;
    p->shared_positions += by_all.ranks > 1 ? p->slices->slices[i].positions : 0;
    if (!p->engine->whole->side_by_side) p->levels.level[i] = (uint32_t)i + 1;
    p->states[i].solved = !p->states[i].shared;
  }
  error = slice_levels_deal(&p->levels, p->slices, p->ranks, p->states);
  return error ? tauler_fail(message, error, "no memory to deal slices to ranks") : TAULER_OK;
}

tauler_error build_plan_levels(const build_job *job, const game_slices *slices, build_plan *plan,
                               tauler_message *message) {
  if (slices->used == 0) return TAULER_OK;
  levels_plan p = {.job = job,
                   .engine = plan->engine,
                   .slices = slices,
                   .ranks = plan->ranks,
                   .base = build_overhead_bytes(job, slices, plan->ranks) +
                           whole_list_bytes(plan->engine, slices)};
  enum { FIRST_RANKS = 16 }; /* these ranks get the largest slices */
  const tauler_error error = open_plan(&p, message);
  for (int rank = 0; !error && rank < p.ranks && rank < FIRST_RANKS; rank++) {
    levels_waiting waiting = {0};
    find_uses(&p, rank);
    for (uint32_t level = 1; level <= p.levels.levels; level++) {
      const uint64_t bytes = level_bytes(&p, level, &waiting);
      if (bytes > plan->memory) plan->memory = bytes;
    }
    add_rank_waiting(&waiting, plan);
  }
  plan->shared_positions = p.shared_positions;
  slice_levels_close(&p.levels);
  arena_close(&p.lists);
  return error;
}
