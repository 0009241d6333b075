/* Declares the functions, the figures and the data that the files of this folder share. */
#ifndef SOLVER_RUN_RUN_H
#define SOLVER_RUN_RUN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/json.h"
#include "solver/engines/engine.h"
#include "solver/run/build.h"
#include "solver/tables/slice_tables.h"

/* True if converting moves lead to fallback tables, those of another cycle rule, which are built first. */
bool build_has_fallback(const solve_problem *problem);

static inline bool build_has_tables(const engine_run *run, size_t place) {
  return run->states[place].has_values && (run->states[place].has_depths || !run->wants_depths);
}

/* Returns a job with which a plan computes bytes. If grid_tables is NULL, halos are estimated, and an engine
 * that uses tables of moves is planned as if they existed. */
solve_job build_planned_solve(const build_job *job, const engine *engine, const void *grid_tables);

/* Returns the processor time per position of a slice in one shard, divided by that of a slice of 2^20
 * positions, and at least 1. */
double build_effort(const build_job *job, const engine *engine, uint64_t positions);

/* Estimates the bytes of a slice's tables of values, of depths, or of both, fallback tables included. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths);
/* Returns the bytes that a rank allocates outside the budget, tables of moves included. */
uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks);

/* Opens run->fallback_rules if converting moves lead to fallback tables. build_fallback_close closes the
 * rules and adds the cost of the fallback tables to run->cost. */
tauler_error build_fallback_open(engine_run *run, tauler_message *message);
void build_fallback_close(engine_run *run);

/* Solves the missing slices of a build, each after the slices that it needs. Loads a slice whose tables exist
 * if it is needed to solve or to load another. Frees a slice of a whole engine when no slice needs it any
 * more.
 *
 * If the engine solves with all ranks together, slices are solved one at a time, in the solving order. If it
 * solves side by side, they are solved level by level: all ranks solve the shared slices of a level together,
 * and the others are assigned to ranks, whose workers solve small slices side by side and large ones
 * together.
 *
 * run->levels and run->states must be filled. Collective over the ranks of the build. Errors: those of the
 * engine, the same on all ranks; TAULER_STOPPED on request. */
tauler_error schedule_run(engine_run *run, tauler_message *message);

/* The figures with which plans compute, measured once for each engine or for an engine with one game.
 *
 * costs.c says how they were measured. A member that was not measured is 0.
 */
typedef struct {
  const char *engine, *game; /* a NULL game means all other games */
  /* Bytes between ranks for a position's value and depth, per plane, and the fraction by which each doubling
   * raises them: of shards if sent_to_others, otherwise of ranks. */
  double sent_value, sent_depth, sent_growth;
  double sent_rim; /* further positions sent, as a multiple of the square root of the slice's positions */
  double sent_fallback; /* further bytes for a value if converting moves lead to fallback tables */
  bool measures_links;  /* true if ranks measure their links (exchange_measure) */
  bool sent_to_others;  /* true if a shard sends values to its readers, which cost nothing within a rank */
  double sent_shared;   /* bytes per position of a shared slice, to each other rank */
  double sharing;       /* fraction of processor time that each rank adds to a shared slice */
  double sent_finished; /* bytes to each other rank for each byte of a finished slice */
  double sweeps;        /* sweeps over each position in which sent_finished was measured */
  /* Each doubling of positions beyond a million multiplies the processor time per position by 1 + slowing. R
   * shards need shards_base + shards_more × log2 R times the time of one. */
  double slowing, shards_base, shards_more;
  double shards_wait; /* seconds that a build of several ranks waits between rounds */
  halo_guess halo;    /* largest halo of a shard, relative to the cells that it owns */
  /* For engines whose work is in proportion to finished bytes: seconds for a byte at the usual width, used if
   * no small slice is measured, and the fraction of them that a ten times larger width saves. */
  double seconds_each, decade;
} build_costs;

/* Returns the figures of an engine with a game. If there are none, returns those of the engine with all other
 * games or, if there are none either, zeros with shards_base 1. */
const build_costs *build_costs_of(const engine *engine, const game *game);

/* Returns the factor by which a position takes longer than in a slice of `against` positions. */
double build_slowing(const build_costs *costs, uint64_t positions, uint64_t against);

/* Fills an estimate except what build_estimate_time fills. `missing` lists the slices to be built, and
 * `tables` is the number of bytes of their tables. */
void build_estimate(const build_job *job, const build_plan *plan, const game_slices *missing, uint64_t tables,
                    build_outlook *ahead);
/* Fills the time and the network bytes of an estimate from small slices that are solved now. If `quickly` and
 * the build takes less than a minute, only sets `brief`. grid_tables is the same as in build_plan_for. */
void build_estimate_time(const game_slices *slices, const game_slices *missing, const void *grid_tables,
                         bool quickly, build_outlook *ahead);

bool build_memory_fits(const build_outlook *ahead);
bool build_disk_fits(const build_outlook *ahead);

/* Refuses a build that does not fit. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE. */
tauler_error build_outlook_check(const build_outlook *ahead, tauler_message *message);

void build_outlook_print(FILE *out, const build_outlook *ahead);
void build_outlook_fields(json_writer *json, const build_outlook *ahead);

/* --- data that the schedule shares with the threads of a rank --- */

/* A table that a rank has written. All members are numbers of 64 bits, so that ranks can add them up. */
typedef struct {
  uint64_t bytes; /* bytes of the table, or 0 if it is not written */
  uint64_t digest_low, digest_high;
} written_table;

typedef struct {
  written_table tables[ENGINE_TABLES];
} written_tables;

typedef struct {
  engine_run *run;
  game_slices slices; /* slices up to the last missing one */
  arena lists;
  slice_state *states;       /* [slice] states of the run */
  written_tables *written;   /* [slice] */
  written_tables *collected; /* written tables of a level's missing slices, while ranks exchange them */
  /* `tasks` has the sorted tasks of a level: missing slices, and slices to be loaded here. `own` has those
   * that this rank does next. */
  level_task *tasks, *own;
  solve_checkpoints checkpoints;
  uint64_t room; /* bytes for solving a slice of this level */

  /* The members below are shared by the threads of a rank. */
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool done;
  _Atomic bool halt; /* true if no task may begin, and solves with a checkpoint must stop */
  /* Error of the slice that failed here and is first in the solving order. */
  _Atomic(tauler_error) failed;
  size_t failed_place;
  tauler_message failure;
  _Atomic size_t left;
  uint64_t others_shown; /* positions of other ranks that this rank's progress has counted */
} schedule;

/* Does sorted tasks. Every rank must call it, even if it has no tasks. `reserve` is the number of bytes that
 * finished slices of this level will need. *complete becomes true if all tasks of all ranks are done, and
 * false if the build was stopped. Errors are the same on all ranks. */
tauler_error schedule_do_tasks(schedule *s, const level_task *tasks, size_t n, uint64_t reserve,
                               bool *complete, tauler_message *message);

/* Ends a task: adds its cost, notes its tables, and frees the slices of a whole engine that no other slice
 * needs any more. Called while the lock is held, or by a single thread. */
void schedule_end_task(schedule *s, const engine_task *task);

#endif
