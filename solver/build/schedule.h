/* Goes through the slices of a build: each is solved once its needs are, loaded if its tables are there and
 * something that is missing needs it, and dropped when nothing needs it any more.
 *
 * Engines that solve together get the slices in the solving order, one at a time. Engines that solve side by
 * side get them level by level: the slices of a level are dealt to the ranks, and each rank has its workers
 * take them, large ones all workers together. Collective over the ranks of the build.
 */
#ifndef SOLVER_BUILD_SCHEDULE_H
#define SOLVER_BUILD_SCHEDULE_H

#include "solver/engines/engine.h"

/* run->levels and run->state are there. Errors: those of the engine, the same on all ranks; TAULER_STOPPED on
 * request. */
tauler_error schedule_run(engine_run *run, tauler_message *message);

#endif
