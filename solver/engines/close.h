/* Private to the engines: values of slices whose bounds are those on a fresh history.
 *
 * Bounds of such a slice may meet everywhere: the slice is exact, and its values stand for both. What an
 * engine leaves open in a small slice is closed by lines of play (lines/lines.h), which read whole slices.
 * So every rank solves small slices alone and keeps them as they are, in run->small; its shards get their
 * part of the cells. Larger slices are solved by all ranks together, and what stays open there has bounds.
 * Tables do not depend on ranks or memory.
 */
#ifndef SOLVER_ENGINES_CLOSE_H
#define SOLVER_ENGINES_CLOSE_H

#include "solver/engines/engine.h"

/* True for slices that close_solve solves. */
bool close_is_small(const solve_problem *problem, uint32_t slice);
/* Bytes that this takes beside a solve in one shard. */
uint64_t close_bytes(const solve_job *job, uint32_t slice, bool depths);

/* Opens run->small behind run->store. Only for rules whose bounds may meet; else nothing. */
tauler_error close_open(engine_run *run, tauler_message *message);
void close_close(engine_run *run);

/* Solves a small slice into shards, which it opens. Stages are those of the guarantees that the engine
 * found. Collective. Errors: those of solving; TAULER_STOPPED. */
tauler_error close_solve(engine_run *run, const solve_job *solving, uint32_t number, bool depths,
                         sharded_slice *slice, tauler_message *message);
/* Keeps a whole slice that was read from tables, where run->store does not. */
void close_keep(engine_run *run, solved_slice *whole);

/* Says if the slice is exact, and how many positions have two bounds. Collective. */
tauler_error close_compare(const solve_job *solving, sharded_slice *slice, uint64_t *open,
                           tauler_message *message);

#endif
