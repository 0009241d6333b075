/* Functions that the files of the build share. Private to the build. */
#ifndef SOLVER_RUN_RUN_H
#define SOLVER_RUN_RUN_H

#include <stdio.h>

#include "base/json.h"
#include "solver/engines/engine.h"
#include "solver/run/build.h"
#include "solver/tables/slice_tables.h"

/* True if fallback tables are built first: those of another cycle rule, to which converting moves lead. */
bool build_has_fallback(const solve_problem *problem);

/* True if all tables of a slice exist. */
static inline bool build_has_tables(const engine_run *run, size_t place) {
  return run->states[place].has_values && (run->states[place].has_depths || !run->wants_depths);
}

/* The solve of a slice for a plan. If grid_tables is NULL, the job is planned as if they existed, with
 * estimated halos. */
solve_job build_planned_solve(const build_job *job, const engine *engine, const void *grid_tables);

/* Processor time per position in one shard, compared with a slice of a million positions. */
double build_effort(const build_job *job, const engine *engine, uint64_t positions);

/* About the bytes of a slice's tables: of values, depths or both. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths);
/* Bytes that any build needs besides its arrays. */
uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks);

/* Opens the rules of fallback tables if there are any; closes them. */
tauler_error build_fallback_open(engine_run *run, tauler_message *message);
void build_fallback_close(engine_run *run);

/* Runs through the slices of a build. A missing slice is solved once its needs are finished. A slice whose
 * tables exist is loaded if a missing slice needs it. A slice is freed when nothing needs it any more.
 *
 * Engines that solve with all ranks together get the slices one at a time, in the solving order. Engines that
 * solve side by side get them level by level: the slices of a level are assigned to ranks, and the workers of
 * each rank solve them, large ones together. Collective over the ranks of the build.
 */

/* run->levels and run->states must be filled. Errors: those of the engine, the same on all ranks;
 * TAULER_STOPPED on request. */
tauler_error schedule_run(engine_run *run, tauler_message *message);

/* The figures with which plans compute, measured once for each engine.
 *
 * The figures are from the builds that docs/experiments.md names. A game without measured costs under an
 * engine gets the figures of the engine.
 */
typedef struct {
  const char *engine, *game; /* game: NULL for all other games */
  /* Bytes between ranks for a position's value and depth, per plane, and their growth with each doubling of
   * shards. */
  double sent_value, sent_depth, sent_growth;
  double sent_rim; /* further positions sent, as a multiple of the square root of the slice's positions */
  double sent_fallback; /* bytes more for a value if converting moves lead to fallback tables */
  bool measures_links;  /* ranks measure their links with full packets */
  bool sent_to_others;  /* values are sent to all readers. Readers of the same rank cost nothing */
  double sent_shared;   /* bytes per position of a shared slice, to each other rank */
  double sharing;       /* fraction of processor time that each rank adds to a shared slice */
  double sent_finished; /* bytes to each other rank for each byte of a finished slice */
  double sweeps;        /* sweeps over each position in which these were sent */
  /* Each doubling of positions beyond a million multiplies the processor time per position by 1 + slowing. R
   * shards need shards_base + shards_more × log2 R times the time of one. */
  double slowing, shards_base, shards_more;
  double shards_wait; /* further seconds of each rank for the rounds of a build */
  /* Largest halo of a shard, as a multiple of the cells that it owns: base + more × log2 R. 0: not measured.
   */
  halo_guess halo;
  /* For engines whose work is in proportion to finished bytes. Seconds for a byte at the usual width, used if
   * no small slice can be measured, and the fraction of them that a ten times larger width saves. */
  double seconds_each, decade;
} build_costs;

const build_costs *build_costs_of(const engine *engine, const game *game);

/* The factor by which a position takes longer than in a slice of `against` positions. */
double build_slowing(const build_costs *costs, uint64_t positions, uint64_t against);

/* The estimate of a build: needed and available memory and disk, and time. Printed as text or JSON. */

/* Fills an estimate except its time. `missing` are the slices to be built, `tables` the bytes of their
 * tables. */
void build_estimate(const build_job *job, const build_plan *plan, const game_slices *missing, uint64_t tables,
                    build_outlook *ahead);
/* Fills the time, from small slices that are solved now. If `quickly`, nothing is solved for a build of less
 * than a minute. grid_tables as in build_plan_for. */
void build_estimate_time(const game_slices *slices, const game_slices *missing, const void *grid_tables,
                         bool quickly, build_outlook *ahead);

bool build_memory_fits(const build_outlook *ahead);
bool build_disk_fits(const build_outlook *ahead);

/* Refuses a build that does not fit. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE. */
tauler_error build_outlook_check(const build_outlook *ahead, tauler_message *message);

void build_outlook_print(FILE *out, const build_outlook *ahead);
/* Writes the estimate as fields of an object. */
void build_outlook_fields(json_writer *json, const build_outlook *ahead);

#endif
