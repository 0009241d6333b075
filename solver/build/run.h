/* Private to the build: what its files share. */
#ifndef SOLVER_BUILD_RUN_H
#define SOLVER_BUILD_RUN_H

#include "solver/build/build.h"
#include "solver/tables/slice_tables.h"

/* Slices of cells, in shards over ranks or with the disk. */
extern const engine build_shares;

/* Bitboards, level by level: per rank, from an empty folder; less, if that is what fits, where fewer slices
 * are in work at once. 0 if it cannot be said: the build then says why. */
uint64_t build_words_bytes(const build_job *job, const game_slices *slices, int ranks);

bool build_is_chance(const build_job *job);
bool build_wants_depths(const build_job *job);

/* Whether what converts counts on with the depth of where it leads. */
bool build_keeps_depths(const build_job *job);
bool build_uses_grid(const build_job *job);
/* Whether values and depths of a slice are worked out together. */
bool build_solves_at_once(const build_job *job);

/* Processor time per position of a build in whole slices, against one of a million positions. */
double build_effort(const build_job *job, uint64_t positions);

/* About what the tables of a slice take: values, depths or both. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths);
/* Bytes with which one process holds all finished slices as they are, and what any build takes beside its
 * arrays. */
uint64_t build_whole_bytes(const build_job *job, const game_slices *slices);
uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks);

/* fallback.c: opens the rules of tables that others rest on if there are such, builds these,
 * and gives them back. */
tauler_error build_fresh_open(engine_run *run, tauler_message *message);
tauler_error build_fresh_tables(engine_run *run, tauler_message *message);
void build_fresh_close(engine_run *run);

#endif
