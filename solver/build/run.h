/* Private to the build: what its files share. */
#ifndef SOLVER_BUILD_RUN_H
#define SOLVER_BUILD_RUN_H

#include "solver/build/build.h"
#include "solver/tables/slice_tables.h"

/* True if tables of another cycle rule are built first, to which converting moves lead: the fallback tables.
 */
bool build_has_fallback(const solve_problem *problem);

/* True if a slice has all tables that the build makes. */
static inline bool build_has_tables(const engine_run *run, size_t place) {
  return run->has_values[place] && (run->has_depths[place] || !run->wants_depths);
}

/* The solve of a slice as plans see it: without tables of moves these count as prepared, and what shards read
 * is guessed. */
solve_job build_planned_solve(const build_job *job, const engine *engine, const void *grid_tables);

/* Memory of slices that are solved side by side, level by level, what waits on the disk meanwhile and in how
 * many parts. Errors: TAULER_NO_MEMORY, of the game. */
tauler_error build_plan_levels(const build_job *job, const game_slices *slices, build_plan *plan,
                               tauler_message *message);

/* Processor time per position of a build in one shard, against one of a million positions. */
double build_effort(const build_job *job, const engine *engine, uint64_t positions);

/* About what the tables of a slice take: values, depths or both. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths);
/* Bytes that any build takes beside its arrays. */
uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks);

/* fallback.c: opens the rules of fallback tables if there are such, builds these, and gives them back. */
tauler_error build_fallback_open(engine_run *run, tauler_message *message);
tauler_error build_fallback_tables(engine_run *run, tauler_message *message);
void build_fallback_close(engine_run *run);

#endif
