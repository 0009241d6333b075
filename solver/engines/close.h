/* Exact values of slices whose bounds are those on a fresh history. Private to the engines.
 *
 * The bounds of such a slice may be equal everywhere. Then the slice is exact, and one value stands for both.
 * If an engine leaves positions of a small slice open, lines of play close them (lines/lines.h). Lines read
 * whole slices, so every rank solves small slices alone and has them uncompressed in run->small; its shards
 * get their part of the cells. All ranks together solve larger slices, in which open positions have bounds.
 * Tables do not depend on ranks or memory.
 */
#ifndef SOLVER_ENGINES_CLOSE_H
#define SOLVER_ENGINES_CLOSE_H

#include "solver/engines/engine.h"

/* True for the slices that close_solve solves. */
bool close_is_small(const solve_problem *problem, uint32_t slice);
/* Bytes that this takes in addition to a solve in one shard. */
uint64_t close_bytes(const solve_job *job, uint32_t slice, bool depths);

/* Opens run->small after run->store. Does nothing for rules whose bounds never meet. */
tauler_error close_open(engine_run *run, tauler_message *message);
void close_close(engine_run *run);

/* Opens the shards of a small slice and solves it. Stages are those of the guarantees that the engine found.
 * Collective. Errors: those of solving; TAULER_STOPPED. */
tauler_error close_solve(engine_run *run, const solve_job *solving, uint32_t number, bool depths,
                         sharded_slice *slice, tauler_message *message);
/* Stores a whole slice that was read from tables in run->small, unless this is run->store. */
void close_keep(engine_run *run, solved_slice *whole);

/* Marks the slice as exact if it is, and counts the positions whose bounds differ. Collective. */
tauler_error close_compare(const solve_job *solving, sharded_slice *slice, uint64_t *open,
                           tauler_message *message);

#endif
