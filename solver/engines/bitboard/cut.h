/* Private to the bitboard engine: waves over a slice that memory does not hold whole.
 *
 * Waves go through the parts that the game cuts them into (game_bitboards_parts). Of `won` in odd waves, of
 * `lost` in even ones, the blocks that a part writes are in memory; all of the other set is. Cells that a
 * part decided are added to the log, and what it wrote is put back there. One part writes all: then both sets
 * stay in memory, and only depths leave it.
 *
 * A slice with a cut has its log; with several parts `won` has room for either set, and of `lost` only blocks
 * of a part are touched. Functions with a worker are called by all workers; failures are noted in the work.
 */
#ifndef SOLVER_ENGINES_BITBOARD_CUT_H
#define SOLVER_ENGINES_BITBOARD_CUT_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/log.h"
#include "solver/engines/bitboard/work.h"

typedef struct {
  bitboard_work *work;
  uint32_t part; /* in memory */
  uint32_t *units;
  uint64_t units_used;        /* of the part */
  const slice_layout *layout; /* of the checkpoint */
} bitboard_cut;

/* The coarsest cut with which a slice fits into job->room. False: it is held whole, since that fits, since
 * the game does not cut it, or since nothing fits. */
bool bitboard_cut_choose(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                         game_bitboards_cut *cut, uint32_t *fineness);
/* Bytes while a slice is solved, the working space of kernels left out; and when it is. */
uint64_t bitboard_cut_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut, int threads);
uint64_t bitboard_cut_finished_bytes(const game_bitboards_plan *plan, int threads);
/* About what the log takes. */
uint64_t bitboard_cut_waiting(const game_bitboards_plan *plan, const game_bitboards_cut *cut);

/* The sets and the log of an empty slice. */
tauler_error bitboard_cut_take(const workspace *work, bitboard_slice *slice, tauler_message *message);

/* For waves; gives nothing back on error: bitboard_cut_close does. */
tauler_error bitboard_cut_open(bitboard_cut *cut, bitboard_work *work, tauler_message *message);
void bitboard_cut_close(bitboard_cut *cut);

/* Before a wave: has the set in memory that it reads. */
void bitboard_cut_turn(bitboard_cut *cut, worker *self);
/* Before and after the tiles of a part. */
void bitboard_cut_load(bitboard_cut *cut, worker *self, uint32_t part);
void bitboard_cut_save(bitboard_cut *cut, worker *self);
/* After the last wave, and after bitboard_cut_close: has both sets in memory. */
tauler_error bitboard_cut_finish(const workspace *work, bitboard_slice *slice, tauler_message *message);

/* For the checkpointer: the same bytes as those of a slice in memory. */
checkpoint_units bitboard_cut_keep(bitboard_cut *cut, const slice_layout *layout, void *run,
                                   size_t run_bytes);

#endif
