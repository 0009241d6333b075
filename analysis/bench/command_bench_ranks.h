/* The benchmark "ranks": builds of awari by 1, 2, 4, … ranks, of one thread each, up to all that a launcher
 * started, or up to as many as are asked for, which it starts itself.
 *
 * Part of the program, not of the library. Nothing is owned between calls.
 */
#ifndef ANALYSIS_BENCH_COMMAND_BENCH_RANKS_H
#define ANALYSIS_BENCH_COMMAND_BENCH_RANKS_H

#include "analysis/bench/bench.h"
#include "base/command/options.h"

/* --ranks, --latency and --bandwidth. */
extern const option_group bench_ranks_group;

/* Prints one JSON object per scaling and number of ranks. Where no launcher started this process, that of the
 * MPI that the program is linked with takes its place, and this returns only with an error. `groups` are
 * those of the command. Makes bench->scratch, in `parent`, itself. Errors: those of the command. */
tauler_error bench_across_ranks(const options *parsed, const option_group *const *groups, const char *parent,
                                const bench *asked, tauler_message *message);

#endif
