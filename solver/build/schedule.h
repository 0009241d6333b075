/* Runs through the slices of a build. A missing slice is solved once its needs are finished. A slice whose
 * tables exist is loaded if a missing slice needs it. A slice is freed when nothing needs it any more.
 *
 * Engines that solve with all ranks together get the slices one at a time, in the solving order. Engines that
 * solve side by side get them level by level: the slices of a level are assigned to ranks, and the workers of
 * each rank solve them, large ones together. Collective over the ranks of the build.
 */
#ifndef SOLVER_BUILD_SCHEDULE_H
#define SOLVER_BUILD_SCHEDULE_H

#include "solver/engines/engine.h"

/* run->levels and run->state must be open. Errors: those of the engine, the same on all ranks; TAULER_STOPPED
 * on request. */
tauler_error schedule_run(engine_run *run, tauler_message *message);

#endif
