/* What build, plan and bench read alike from a command line: threads, memory, engine, level, width. */
#ifndef SOLVER_BUILD_OPTIONS_H
#define SOLVER_BUILD_OPTIONS_H

#include "base/options.h"
#include "solver/build/build.h"

/* --width, for commands that know it. */
#define BUILD_WIDTH_OPTION                                                                                   \
  { "width", "W", "games of chance: how far lower and upper bounds may lie apart (1e-9)", NULL }

/* Fills folder, depths, general, level, width, threads and memory of the job, which has its game and rules;
 * opens the budget that memory then points to. Errors: TAULER_BAD_USAGE. */
tauler_error build_options_read(const options *parsed, build_job *job, memory_budget *memory,
                                tauler_message *message);

#endif
