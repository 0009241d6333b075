/* Private to the build: what games of chance take. */
#ifndef SOLVER_BUILD_CHANCE_H
#define SOLVER_BUILD_CHANCE_H

#include "solver/build/run.h"

/* Per rank, from an empty folder; 0 if it cannot be said. */
uint64_t build_chance_bytes(const build_job *job, const game_slices *slices, int ranks);

/* Bytes between ranks. */
uint64_t build_chance_network(const build_job *job, const game_slices *slices, int ranks);

/* Processor seconds for those of the slices that are missing, from small ones that are solved here and now.
 */
double build_chance_seconds(const build_job *job, const game_slices *slices, const game_slices *missing);
/* Whether that is less than a minute for certain. */
bool build_chance_is_brief(const build_job *job, const game_slices *missing);

#endif
