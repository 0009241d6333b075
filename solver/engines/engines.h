/* Private to the solver: the engines behind solve.h, by grid and in general. */
#ifndef SOLVER_ENGINES_ENGINES_H
#define SOLVER_ENGINES_ENGINES_H

#include "solver/engines/solve.h"

/* See solve.h. `shares_per_rank` ≥ 1. */
tauler_error grid_spread_open(const solve_job *job, uint32_t slice, uint32_t shares_per_rank,
                              spread_slice *out, tauler_message *message);
tauler_error grid_spread(const solve_job *job, spread_slice *slice, solve_effort *effort,
                         tauler_message *message);
tauler_error grid_spread_depths(const solve_job *job, spread_slice *slice, solve_effort *effort,
                                tauler_message *message);
tauler_error grid_spread_looks(const solve_job *job, spread_slice *slice, tauler_message *message);
tauler_error grid_spread_recover(const solve_job *job, spread_slice *slice, const int8_t *reserved,
                                 tauler_message *message);
uint64_t grid_spread_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                           uint32_t shares_per_rank, uint64_t *waiting);

tauler_error general_spread_open(const solve_job *job, uint32_t slice, uint32_t shares_per_rank,
                                 spread_slice *out, tauler_message *message);
tauler_error general_spread(const solve_job *job, bool depths, spread_slice *slice, solve_effort *effort,
                            tauler_message *message);
tauler_error general_spread_looks(const solve_job *job, spread_slice *slice, tauler_message *message);
tauler_error general_spread_recover(const solve_job *job, spread_slice *slice, const int8_t *reserved,
                                    tauler_message *message);
uint64_t general_spread_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                              uint32_t shares_per_rank, uint64_t *waiting);

/* What is held while tables are written: cells and looks, or cells and depths, and what moves windows. */
uint64_t solve_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                             uint32_t shares_per_rank);

#endif
