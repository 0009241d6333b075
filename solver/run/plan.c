/* Plans a build: the engine, the number of shards, memory, disk, traffic and effort. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/exchange.h"
#include "solver/engines/cells.h"
#include "solver/engines/engine.h"
#include "solver/run/run.h"
#include "solver/tables/slice_tables.h"

/* Bytes that are allocated outside the budget, measured with Open MPI 4.1. */
enum {
  PROGRAM = 6000 << 10,          /* program, its libraries and working space */
  MESSAGE_PASSING = 13500 << 10, /* MPI */
  PEER = 100 << 10,              /* each peer, if ranks measure their links */
  MOST_PEERS = 128,              /* number of peers that are counted at most */
  UNFILLED = 8300 << 10,         /* part of MESSAGE_PASSING that engines of cells count as buffers */
  THREAD = 1500 << 10,           /* stack of each further thread, and its state of zstd */
  MAPPING_PART = 10,     /* if slices are mapped, a tenth of the memory is resident without being counted */
  BESIDE_PAGES = 4 << 20 /* least bytes of this memory if pages may fill the rest of the budget */
};
static const double stored_bits = 3.4; /* bits of a compressed finished cell of one byte */

/* Returns the number of planes of finished slices and tables. If bounds may meet, they do so in nearly all
 * slices, so one plane is counted. */
static uint64_t kept_planes(const build_job *job) {
  const bool exact = game_may_be_exact(job->problem.game, job->problem.rules);
  return (uint64_t)slice_streams_of(&job->problem, exact).planes;
}

/* Computes with the bits per position of the larger tables at level 9, rounded up, since a build that has
 * begun should not fail because the disk is full. In Dou Shou Qi, whose tables leave out up to half of the
 * cells, values and depths take 0.37 and 0.84 bits with three pieces, 0.19 to 0.29 and 0.44 to 0.64 with
 * four. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths) {
  const engine *engine = engine_of(job);
  const whole_engine *whole = engine->whole;
  if (whole && whole->table_bytes) return values ? whole->table_bytes(job, slice->slice) : 0;
  const uint64_t planes = kept_planes(job);
  const uint64_t depth_planes = (uint64_t)slice_streams_of(&job->problem, false).depth_planes;
  const bool outcomes = job->problem.game->kind(job->problem.rules) == SOLVE_OUTCOMES;
  const double value = outcomes ? 0.4 : 2.0, depth = outcomes ? 0.9 : 4.5;
  const uint64_t rules = build_has_fallback(&job->problem) ? 2 : 1;
  const double bits = (values ? value * (double)planes : 0) + (depths ? depth * (double)depth_planes : 0);
  const uint64_t files = values * planes + depths * depth_planes;
  return rules * ((uint64_t)((double)slice->positions * bits / 8) + files * 4096);
}

static uint64_t finished_cell_bytes(const build_job *job) {
  const uint64_t planes = kept_planes(job);
  return planes + (engine_keeps_depths(&job->problem) ? sizeof(uint16_t) : 0);
}

solve_job build_planned_solve(const build_job *job, const engine *engine, const void *grid_tables) {
  static const int marker = 0;
  const bool prepares = engine_has_move_tables(engine, job->problem.game);
  return (solve_job){.problem = {job->problem.game, job->problem.rules, engine},
                     .work = job->work,
                     .grid_tables = !prepares     ? NULL
                                    : grid_tables ? grid_tables
                                                  : &marker,
                     .planning = grid_tables ? NULL : &build_costs_of(engine, job->problem.game)->halo};
}

uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks) {
  const uint64_t peers = ranks < MOST_PEERS ? (uint64_t)ranks : MOST_PEERS;
  uint64_t bytes = PROGRAM + (uint64_t)(job->work.threads - 1) * THREAD;
  if (ranks > 1) {
    const engine *engine = engine_of(job);
    bytes += (uint64_t)(MESSAGE_PASSING - (engine->cells ? UNFILLED : 0));
    if (build_costs_of(engine, job->problem.game)->measures_links) bytes += peers * PEER;
  }
  if (engine_uses_move_tables(job, ranks))
    bytes += job->problem.game->grid->prepared_bytes(job->problem.rules, game_slices_largest(slices));
  return bytes;
}

/* Returns the bytes of a build in one process that holds all finished slices uncompressed. */
static uint64_t plain_bytes(const build_job *job, const engine *engine, const game_slices *slices) {
  const solve_job solving = build_planned_solve(job, engine, NULL);
  uint64_t finished = 0, most = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const uint64_t need =
        finished + solve_bytes(&solving, slices->slices[i].slice, engine_wants_depths(job), 1, 1, NULL);
    if (need > most) most = need;
    finished += finished_cell_bytes(job) * slices->slices[i].positions;
  }
  return most + build_overhead_bytes(job, slices, 1);
}

static uint64_t store_slice_bytes(const build_job *job, const game_slice *slice) {
  return (uint64_t)((double)(finished_cell_bytes(job) * slice->positions) * stored_bits / 8);
}

/* Plans the memory and the spilled bytes of slices in shards. Looks only at slices that have at least 7/8 of
 * the largest slice's positions, since smaller ones need less memory. */
static void plan_memory(const build_job *job, const game_slices *slices, const void *grid_tables,
                        build_plan *plan) {
  solve_job solving = build_planned_solve(job, plan->engine, grid_tables);
  solving.plans_compressed = true;
  const uint32_t shards = (uint32_t)plan->ranks * plan->shards_per_rank;
  uint64_t compressed = 0, most = 0, waits = 0, store_all = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const game_slice *slice = &slices->slices[i];
    if (slice->positions >= plan->largest - plan->largest / 8) {
      uint64_t waiting = 0;
      const uint64_t solve = solve_bytes(&solving, slice->slice, engine_wants_depths(job), shards,
                                         plan->shards_per_rank, &waiting);
      /* The values of a slice are compressed when they are written, which is before its depths are solved. */
      const uint64_t own = plan->store_on_disk ? 0 : store_slice_bytes(job, slice) / (uint64_t)plan->ranks;
      const uint64_t solved = solve + (engine_wants_depths(job) ? own : 0);
      const uint64_t written = own + solve_writing_bytes(&solving, slice->slice, engine_wants_depths(job),
                                                         shards, plan->shards_per_rank);
      const uint64_t need = compressed + (solved > written ? solved : written);
      if (need > most) most = need;
      if (plan->shards_per_rank > 1 && shards * waiting > waits) waits = shards * waiting;
    }
    store_all += store_slice_bytes(job, slice);
    if (!plan->store_on_disk) compressed += store_slice_bytes(job, slice) / (uint64_t)plan->ranks;
  }
  plan->waiting = waits + (plan->store_on_disk ? store_all : 0);
  plan->memory = most + build_overhead_bytes(job, slices, plan->ranks);
  if (plan->shards_per_rank > 1) {
    plan->mapping = plan->memory / MAPPING_PART;
    if (plan->engine->cells->pages && plan->mapping < BESIDE_PAGES) plan->mapping = BESIDE_PAGES;
  }
  plan->memory += plan->mapping;
}

/* Tries growing numbers of shards or pages per rank. Chooses the first that fits or, if none does, about the
 * one that needs least memory. Spills finished slices before it takes more than one shard or page. */
static void plan_shards(const build_job *job, const game_slices *slices, const void *grid_tables,
                        build_plan *plan) {
  enum { MOST_SHARDS = 4096, MOST_VAIN = 6 };
  const uint64_t limit = job->work.memory->limit;
  plan->in_shards = true;
  plan_memory(job, slices, grid_tables, plan);
  if (plan->memory <= limit) return;
  build_plan next = *plan;
  next.store_on_disk = true;
  const uint32_t most = plan->engine->cells->spills ? MOST_SHARDS : 1;
  for (uint32_t shards = 1, vain = 0; shards <= most && vain < MOST_VAIN;
       shards += shards < 4 ? 1 : shards / 3, vain++) {
    next.shards_per_rank = shards;
    plan_memory(job, slices, grid_tables, &next);
    /* More parts must save more than a hundredth of the memory. */
    const uint64_t less = shards > 1 ? plan->memory / 100 : 0;
    if (next.memory + less >= plan->memory) continue;
    *plan = next;
    if (plan->memory <= limit) return;
    vain = 0;
  }
}

double build_effort(const build_job *job, const engine *engine, uint64_t positions) {
  return build_slowing(build_costs_of(engine, job->problem.game), positions, UINT64_C(1) << 20);
}

/* Returns the number of doublings from one shard to `shards`. With tables of moves, counts only those up to
 * the square root of the number of tiles, since more shards do not enlarge halos. */
static double doublings_of_shards(const solve_problem *problem, const build_plan *plan, uint32_t slice,
                                  double shards) {
  if (!engine_has_move_tables(plan->engine, problem->game)) return log2(shards);
  game_grid_plan grid;
  problem->game->grid->plan(problem->rules, slice, &grid);
  const double apart = sqrt((double)grid.tiles);
  return log2(shards < apart ? shards : apart);
}

/* Bytes sent for each position and each further rank, for slices that every rank solves alone: ranks then
 * send parts of tables. Measured with 9 to 12 seeds on 2 and 4 ranks: 0.10 to 0.17, and 0.12 with 11 seeds on
 * 4 ranks. */
static const double sent_closed = 0.12;

/* Plans the traffic and the effort of an engine with cells. If a shard sends its changes to all shards that
 * read them (sent_to_others), traffic grows with the halos, otherwise with the ranks. */
static void plan_traffic(const build_job *job, const game_slices *slices, build_plan *plan) {
  const build_costs *costs = build_costs_of(plan->engine, job->problem.game);
  const double ranks = plan->ranks, shards = ranks * plan->shards_per_rank;
  /* If a repetition ends play, cells change when regions are found and again when attractors grow. */
  const double planes = slice_streams_of(&job->problem, false).planes *
                        (game_may_be_exact(job->problem.game, job->problem.rules) ? 2 : 1);
  const double value =
      costs->sent_value * (1 + costs->sent_growth * (costs->sent_to_others ? 0 : log2(ranks))) +
      (build_has_fallback(&job->problem) ? costs->sent_fallback : 0);
  double sent = 0, closed = 0, worked = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const double doublings = doublings_of_shards(&job->problem, plan, slices->slices[i].slice, shards);
    const double n = (double)slices->slices[i].positions;
    const double depth = engine_wants_depths(job) ? costs->sent_depth : 0;
    if (slice_is_small(&job->problem, slices->slices[i].slice))
      closed += n * sent_closed * (ranks - 1);
    else
      sent += costs->sent_to_others ? (n + costs->sent_rim * sqrt(n)) * (value + depth) *
                                          (1 + costs->sent_growth * doublings) * (ranks - 1) / ranks
                                    : n * value * (1 + depth / costs->sent_value);
    worked += n * (costs->shards_base + costs->shards_more * doublings);
  }
  if (plan->ranks > 1) plan->network = (uint64_t)(planes * sent + closed);
  if (plan->ranks > 1 && costs->measures_links && sent > 0)
    plan->network += exchange_measure_bytes(&job->work, (uint64_t)plan->ranks);
  plan->effort = build_effort(job, plan->engine, plan->positions);
  if (plan->in_shards && worked > (double)plan->positions) plan->effort *= worked / (double)plan->positions;
}

/* --- slices that are whole on a rank ---
 *
 * The plan follows the rules of the schedule. If all ranks solve each slice together, each slice is a level.
 */

typedef struct {
  const build_job *job;
  const engine *engine;
  const game_slices *slices;
  slice_levels levels;
  arena lists;
  uint32_t *last_use;      /* [slice] highest level at which the planned rank needs the slice, or 0 */
  uint64_t *finished;      /* [slice] bytes of the finished slice */
  level_task *tasks, *own; /* all tasks of a level, and those of them that are counted together */
  slice_state *states;     /* [slice] states on the planned rank */
  uint64_t shared_positions;
  int ranks;
  uint64_t base;
} levels_plan;

static solve_job job_with_room(const levels_plan *p, uint64_t held) {
  const uint64_t limit = p->job->work.memory->limit;
  solve_job solving = build_planned_solve(p->job, p->engine, NULL);
  solving.room = limit > held ? limit - held : 1;
  return solving;
}

/* Returns the bytes of finished slices that are kept while a level is solved: slices of lower levels that
 * this or a higher level needs, and slices of this level that a higher level needs. */
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

/* The bytes that a rank has on the disk for the slice that spills most. */
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

/* The bytes of a shared slice are those of all its ranks, so they are added once. */
static void add_waiting_bytes(const levels_waiting *of, build_plan *plan) {
  if (of->bytes == 0 || (of->shared && plan->shared)) return;
  plan->waiting += of->bytes;
  plan->shared = plan->shared || of->shared;
  if (of->parts > plan->shards_per_rank) plan->shards_per_rank = of->parts;
  plan->store_on_disk = true;
}

static uint64_t level_bytes(levels_plan *p, uint32_t level, levels_waiting *waiting) {
  const uint64_t held = p->base + kept_bytes(p, level), limit = p->job->work.memory->limit;
  const solve_job solving = job_with_room(p, held);
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

/* Sets for each slice whether a rank solves it, and the highest level at which the rank needs it. */
static void find_uses(levels_plan *p, int rank) {
  const size_t n = p->slices->used;
  memset(p->last_use, 0, n * sizeof *p->last_use);
  for (size_t i = 0; i < n; i++) {
    p->states[i].solved = p->states[i].shared || p->states[i].owner == rank;
    p->states[i].uses = 0;
  }
  slice_levels_count_uses(&p->levels, engine_loads_needs(p->engine), p->states);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = p->levels.first_need[i];
         k < p->levels.first_need[i + 1] && (p->states[i].solved || p->states[i].uses); k++) {
      uint32_t *last = &p->last_use[p->levels.need[k]];
      if (p->levels.level[i] > *last) *last = p->levels.level[i];
    }
  }
}

static void list_plan_arrays(arena *a, void *of) {
  levels_plan *p = of;
  const size_t n = p->slices->used;
  p->last_use = arena_allocate(a, n, sizeof *p->last_use);
  p->finished = arena_allocate(a, n, sizeof *p->finished);
  p->tasks = arena_allocate(a, n, sizeof *p->tasks);
  p->own = arena_allocate(a, n, sizeof *p->own);
  p->states = arena_allocate(a, n, sizeof *p->states);
}

static tauler_error open_levels_plan(levels_plan *p, tauler_message *message) {
  const size_t n = p->slices->used;
  tauler_error error =
      slice_levels_open(p->job->problem.game, p->job->problem.rules, p->slices, &p->levels, message);
  if (!error) error = arena_fill(&p->lists, NULL, "the list of slices", list_plan_arrays, p, message);
  if (error) return error;
  const solve_job solving = job_with_room(p, p->base);
  if (!p->engine->whole->side_by_side) p->levels.levels = (uint32_t)n;
  for (size_t i = 0; i < n; i++) {
    const uint32_t slice = p->slices->slices[i].slice;
    const bool outweighs = slice_levels_outweighs(&p->levels, p->slices, p->ranks, i);
    const solve_job by_all = engine_shared_job(p->engine, &solving, p->ranks, slice, outweighs);
    p->finished[i] = p->engine->whole->finished_bytes(&by_all, slice);
    p->states[i].shared = by_all.ranks > 1 || !p->engine->whole->side_by_side;
    p->shared_positions += by_all.ranks > 1 ? p->slices->slices[i].positions : 0;
    if (!p->engine->whole->side_by_side) p->levels.level[i] = (uint32_t)i + 1;
    p->states[i].solved = !p->states[i].shared;
  }
  error = slice_levels_assign(&p->levels, p->slices, p->ranks, p->states);
  return error ? tauler_fail(message, error, "no memory to deal slices to ranks") : TAULER_OK;
}

static tauler_error plan_levels(const build_job *job, const game_slices *slices, build_plan *plan,
                                tauler_message *message) {
  if (slices->used == 0) return TAULER_OK;
  levels_plan p = {.job = job,
                   .engine = plan->engine,
                   .slices = slices,
                   .ranks = plan->ranks,
                   .base = build_overhead_bytes(job, slices, plan->ranks) +
                           whole_list_bytes(plan->engine, slices)};
  enum { FIRST_RANKS = 16 }; /* most ranks that are planned, since the first ranks get the largest slices */
  const tauler_error error = open_levels_plan(&p, message);
  for (int rank = 0; !error && rank < p.ranks && rank < FIRST_RANKS; rank++) {
    levels_waiting waiting = {0};
    find_uses(&p, rank);
    for (uint32_t level = 1; level <= p.levels.levels; level++) {
      const uint64_t bytes = level_bytes(&p, level, &waiting);
      if (bytes > plan->memory) plan->memory = bytes;
    }
    add_waiting_bytes(&waiting, plan);
  }
  plan->shared_positions = p.shared_positions;
  slice_levels_close(&p.levels);
  arena_close(&p.lists);
  return error;
}

/* All ranks solve one slice after the other together, and each sends its results to all other ranks. */
static void plan_one_by_one(const build_job *job, const game_slices *slices, build_plan *plan) {
  const solve_job solving = build_planned_solve(job, plan->engine, NULL);
  double finished = 0;
  for (size_t i = 0; i < slices->used; i++)
    finished += (double)plan->engine->whole->finished_bytes(&solving, slices->slices[i].slice);
  plan->network = (uint64_t)(build_costs_of(plan->engine, job->problem.game)->sent_finished * finished *
                             (plan->ranks - 1));
  plan->effort = 1;
}

static void plan_cells(const build_job *job, const game_slices *slices, const void *grid_tables,
                       build_plan *plan) {
  plan->memory = plain_bytes(job, plan->engine, slices);
  const build_plan plain = *plan;
  if (plan->memory > job->work.memory->limit || plan->ranks > 1) plan_shards(job, slices, grid_tables, plan);
  if (plan->ranks == 1 && plan->memory >= plain.memory) *plan = plain;
  plan_traffic(job, slices, plan);
}

static tauler_error plan_engine(const build_job *job, const game_slices *slices, const void *grid_tables,
                                build_plan *plan, tauler_message *message) {
  const engine *engine = plan->engine;
  if (engine->cells) {
    plan_cells(job, slices, grid_tables, plan);
    return TAULER_OK;
  }
  const tauler_error error = plan_levels(job, slices, plan, message);
  if (!engine->whole->side_by_side) {
    plan_one_by_one(job, slices, plan);
    return error;
  }
  const build_costs *costs = build_costs_of(engine, job->problem.game);
  plan->effort = build_effort(job, engine, plan->largest);
  if (plan->shared_positions > 0)
    plan->effort *= 1 + costs->sharing * plan->ranks;
  else if (plan->waiting > 0)
    plan->effort *= costs->shards_base + costs->shards_more * log2(plan->shards_per_rank);
  plan->network = (uint64_t)(costs->sent_shared * (double)plan->shared_positions * (double)(plan->ranks - 1));
  return error;
}

/* If converting moves lead to fallback tables, raises the memory of the plan to what building these tables
 * needs. They are built before, in the same memory. */
static tauler_error plan_fallback(const build_job *job, const game_slices *slices, const void *grid_tables,
                                  build_plan *plan, tauler_message *message) {
  const game *game = job->problem.game;
  build_job below = *job;
  game_rules *rules;
  if (!build_has_fallback(&job->problem)) return TAULER_OK;
  tauler_error error = game->open(game->rules_text(job->problem.rules),
                                  game->fallback_cycles(job->problem.rules), &rules, message);
  if (error) return error;
  build_plan first;
  below.problem.rules = rules;
  error = build_plan_for(&below, slices, grid_tables, plan->ranks, &first, message);
  if (!error && first.memory > plan->memory) plan->memory = first.memory;
  game->close(rules);
  return error;
}

/* If the user named no engine, and the first one solves side by side but does not fit in memory, plans with
 * the next engine that serves if that needs less. */
tauler_error build_plan_for(const build_job *job, const game_slices *slices, const void *grid_tables,
                            int ranks, build_plan *plan, tauler_message *message) {
  *plan = (build_plan){.ranks = ranks, .shards_per_rank = 1, .engine = engine_of(job)};
  for (size_t i = 0; i < slices->used; i++) {
    const game_slice *slice = &slices->slices[i];
    if (slice->positions > plan->largest) plan->largest = slice->positions;
    plan->positions += slice->positions;
    plan->disk += build_table_bytes(job, slice, true, engine_wants_depths(job));
  }
  build_plan other = *plan;
  tauler_error error = plan_engine(job, slices, grid_tables, plan, message);
  if (!error) error = plan_fallback(job, slices, grid_tables, plan, message);
  if (error || job->problem.engine || !engine_is_side_by_side(plan->engine) ||
      plan->memory <= job->work.memory->limit)
    return error;
  other.engine = engine_after(plan->engine, &job->problem, job->depths);
  if (!other.engine) return TAULER_OK;
  error = plan_engine(job, slices, grid_tables, &other, message);
  if (!error && other.memory < plan->memory) *plan = other;
  return error;
}
