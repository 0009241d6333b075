/* Private to the bitboard engine: waves over a slice that memory does not hold whole.
 *
 * Waves go through the parts that the game cuts them into (game_bitboards_parts). Waves by marks have their
 * arrays on the disk (disk.h), or in memory if ranks share them. If waves sweep, memory holds the set that a
 * wave reads whole, and of the set that it writes (`won` in odd waves, `lost` in even ones) the blocks of one
 * part. Cells that a part decided are added to the log, and what it wrote is put back there. One part writes
 * all: then both sets stay in memory, and only depths leave it. Ranks that share the parts write their own
 * side by side (ranks.c). The log of each has both sets: what a part decided is what the log does not have
 * yet, and goes to the logs of all others.
 *
 * A slice with a cut has its log; with several parts `won` has room for either set, and of `lost` only blocks
 * of a part are touched. Functions with a worker are called by all workers; failures are noted in the work.
 */
#ifndef SOLVER_ENGINES_BITBOARD_CUT_H
#define SOLVER_ENGINES_BITBOARD_CUT_H

#include "parallel/exchange.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/log.h"
#include "solver/engines/bitboard/work.h"

typedef struct {
  bitboard_work *work;
  uint64_t parts; /* in memory, a bit for each; over ranks, of this one */
  uint32_t *units;
  uint64_t units_used;        /* of the parts */
  bool turned;                /* before an earlier wave of this run */
  const slice_layout *layout; /* of the checkpoint */

  /* Over ranks: */
  exchange *exchange;
  uint64_t *parts_of; /* [ranks] */
  uint8_t *packets;   /* one for each worker */
  size_t packet_bytes;
  uint64_t first_tile, end_tile, items; /* of what is sent */
  uint32_t first_part, end_part;        /* likewise, of waves by marks */
  uint64_t *ends;                       /* [parts] blocks; likewise */
  _Atomic uint64_t next;                /* item */
  bool more, lost;                      /* some rank has more to send; no rank can send any more */
} bitboard_cut;

/* Over job->ranks, if these share a slice, or the coarsest cut with which it fits into job->room. False: it
 * is held whole, since that fits, since the game does not cut it, or since nothing fits. */
bool bitboard_cut_choose(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                         game_bitboards_cut *cut);
/* Over ranks: takes the finest cut that any rank has chosen, on the disk if any has it there. Collective if
 * ranks share the slice. */
tauler_error bitboard_cut_agree(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                                game_bitboards_cut *cut, tauler_message *message);
/* Bytes while a slice is solved, the working space of kernels left out; and when it is. */
uint64_t bitboard_cut_bytes(const workspace *work, const game_bitboards_plan *plan,
                            const game_bitboards_cut *cut);
uint64_t bitboard_cut_finished_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut,
                                     int threads);
/* About what the log takes, or what arrays on the disk do. */
uint64_t bitboard_cut_waiting(const game_bitboards_plan *plan, const game_bitboards_cut *cut);

/* The sets and the log of an empty slice. */
tauler_error bitboard_cut_take(const workspace *work, bitboard_slice *slice, tauler_message *message);

/* For waves; gives nothing back on error: bitboard_cut_close does. */
tauler_error bitboard_cut_open(bitboard_cut *cut, bitboard_work *work, tauler_message *message);
void bitboard_cut_close(bitboard_cut *cut);

/* Before a wave: has the set in memory that it reads, and over ranks what this one writes of the other. */
void bitboard_cut_turn(bitboard_cut *cut, worker *self);
/* Before and after the tiles of a part. */
void bitboard_cut_load(bitboard_cut *cut, worker *self, uint32_t part);
void bitboard_cut_save(bitboard_cut *cut, worker *self);

/* ranks.c: where ranks share the parts. Opened after bitboard_cut_open; bitboard_cut_close gives all back.
 * Before the tiles of a step, from the one given up to the next, others get the hands that they read of them;
 * after the last step they get the cells of the wave. */
static inline bool bitboard_cut_is_shared(const game_bitboards_cut *cut) {
  return cut->ranks > 1;
}
uint64_t bitboard_ranks_bytes(const workspace *work, const game_bitboards_plan *plan,
                              const game_bitboards_cut *cut);
tauler_error bitboard_ranks_open(bitboard_cut *cut, tauler_message *message);
bool bitboard_ranks_owns(const bitboard_cut *cut, uint64_t tile);
void bitboard_ranks_send_hands(bitboard_cut *cut, worker *self, uint64_t first, uint64_t end);
void bitboard_ranks_send_cells(bitboard_cut *cut, worker *self);
/* Waves by marks: after the parts from the one given up to the next others get the cells that were decided
 * there, and after the last part of a wave the marks of their blocks. */
void bitboard_ranks_send_changes(bitboard_cut *cut, worker *self, uint32_t first, uint32_t end);
uint32_t bitboard_ranks_part_of(const bitboard_cut *cut, uint64_t block);
/* Adds numbers up over the ranks, or finds the largest; a rank that cannot fails. Between the calls of
 * workers. */
void bitboard_ranks_reduce(bitboard_cut *cut, comm_operation operation, uint64_t *numbers, size_t n);

/* Adds what this wave decided in one unit of the list to the log, with a copy if `copy` is not NULL; *n 0:
 * nothing was decided. By one worker. */
tauler_error bitboard_cut_save_unit(bitboard_cut *cut, uint64_t unit, uint8_t *copy, size_t *n,
                                    tauler_message *message);
int bitboard_cut_written_set(const bitboard_cut *cut); /* LOG_WON or LOG_LOST */
void bitboard_cut_list_units(void *cut);
/* After the last wave, and after bitboard_cut_close: gives sets back that the log has. */
void bitboard_cut_finish(const workspace *work, bitboard_slice *slice);

/* For the checkpointer: the same bytes as those of a slice in memory. */
checkpoint_units bitboard_cut_keep(bitboard_cut *cut, const slice_layout *layout, void *run,
                                   size_t run_bytes);

#endif
