/* Finished slices in memory, and what is done to slices of one shard, for tests. Failures end the test. */
#ifndef TESTS_TOY_STORE_H
#define TESTS_TOY_STORE_H

#include "solver/engines/solve.h"
#include "solver/tables/job.h"

/* The members that most jobs set. */
solve_job toy_job(const game *game, const game_rules *rules, int threads, memory_budget *memory);

/* A plain store of the running test; `list` becomes that of its slices, all empty. */
slice_store *toy_store_open(memory_budget *memory, uint32_t room, solved_slice **list);

/* The results of solve_lookups for a slice that one process holds, in memory of the job. */
void toy_lookups(const solve_job *job, const solved_slice *solved, int8_t *lookups[SOLVE_PLANES]);

/* Puts back the cells that tables leave out of such a slice. */
tauler_error toy_recover(const solve_job *job, const solved_slice *stored,
                         const int8_t reserved[SOLVE_PLANES]);

/* Writes the tables of values, or of depths, of a slice that one process holds. */
void toy_write_values(const build_job *build, const solve_job *job, const solved_slice *solved);
void toy_write_depths(const build_job *build, const solve_job *job, const solved_slice *solved);

#endif
