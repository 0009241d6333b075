/* What build, plan and bench read alike from a command line: threads, memory, engine, level. */
#ifndef SOLVER_BUILD_OPTIONS_H
#define SOLVER_BUILD_OPTIONS_H

#include "base/options.h"
#include "solver/build.h"

/* Fills folder, depths, general, level, threads and memory of the job; opens the budget that memory
 * then points to. Errors: TAULER_BAD_USAGE. */
tauler_error build_options_read(const options *parsed, build_job *job, memory_budget *memory,
                                tauler_message *message);

#endif
