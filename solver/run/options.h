/* Reads the options that the commands build, plan and claims share. */
#ifndef SOLVER_RUN_OPTIONS_H
#define SOLVER_RUN_OPTIONS_H

#include "base/command/options.h"
#include "solver/run/build.h"

#define BUILD_WIDTH_OPTION                                                                                   \
  { "width", "W", "games of chance: how far lower and upper bounds may lie apart (1e-9)", NULL }

#define BUILD_ENGINE_OPTION                                                                                  \
  {                                                                                                          \
    "engine", "NAME", "solve by this engine, for comparison, instead of the first that serves and fits",     \
        "retrograde tiles bitboard repetition chance chance-edges"                                           \
  }

/* Fills folder, depths, engine, level, adaptive, width, lines_budget and threads of a job whose game and
 * rules are set. Opens the budget and sets job->work.memory to it. Errors: TAULER_BAD_USAGE. */
tauler_error build_options_read(const options *parsed, build_job *job, memory_budget *memory,
                                tauler_message *message);

#endif
