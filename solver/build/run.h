/* Functions that the files of the build share. Private to the build. */
#ifndef SOLVER_BUILD_RUN_H
#define SOLVER_BUILD_RUN_H

#include "solver/build/build.h"
#include "solver/tables/slice_tables.h"

/* True if fallback tables are built first: those of another cycle rule, to which converting moves lead. */
bool build_has_fallback(const solve_problem *problem);

/* True if all tables of a slice exist. */
static inline bool build_has_tables(const engine_run *run, size_t place) {
  return run->states[place].has_values && (run->states[place].has_depths || !run->wants_depths);
}

/* The solve of a slice for a plan. Without tables of moves it pretends that they exist, and halos are
 * guessed. */
solve_job build_planned_solve(const build_job *job, const engine *engine, const void *grid_tables);

/* Plans the memory of slices that are solved side by side, level by level, and the bytes and parts on the
 * disk meanwhile. Errors: TAULER_NO_MEMORY, those of the game. */
tauler_error build_plan_levels(const build_job *job, const game_slices *slices, build_plan *plan,
                               tauler_message *message);

/* Processor time per position in one shard, compared with a slice of a million positions. */
double build_effort(const build_job *job, const engine *engine, uint64_t positions);

/* About the bytes of a slice's tables: of values, depths or both. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths);
/* Bytes that any build needs besides its arrays. */
uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks);

/* In fallback.c: opens the rules of fallback tables if there are any, builds these tables, and closes the
 * rules. */
tauler_error build_fallback_open(engine_run *run, tauler_message *message);
tauler_error build_fallback_tables(engine_run *run, tauler_message *message);
void build_fallback_close(engine_run *run);

#endif
