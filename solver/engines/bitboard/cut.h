/* Declares waves over a slice that one process does not hold whole, or that ranks share. Private to the
 * bitboard engine.
 *
 * A wave computes the parts of the game's cut (game_bitboards_parts) one after the other. If waves go by
 * marks, the arrays are on the disk, with pages of one part in memory (disk.c); ranks that share a slice may
 * hold all arrays in memory instead. If waves sweep, memory holds the whole set that a wave reads, and of the
 * set that it writes (`won` in odd waves, `lost` in even ones) the blocks of one part. The cells that a part
 * decided and its part of the set go to the log. If one part writes everything, both sets stay in memory, and
 * only depths are in the log.
 *
 * Ranks that share the parts write their own parts side by side (ranks.c). If waves sweep, the log of each
 * rank has both sets. The cells that a part decided are those of the written set that the log does not have
 * yet; they are sent to the logs of all other ranks.
 *
 * A swept slice with a cut has a log. If it has several parts, slice->won has the set that a wave reads, and
 * slice->lost the blocks of the written set that belong to a part or, over ranks, to this rank. All workers
 * call the functions that have a worker as argument. Failures are noted in the work. */
#ifndef SOLVER_ENGINES_BITBOARD_CUT_H
#define SOLVER_ENGINES_BITBOARD_CUT_H

#include "parallel/exchange.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/work.h"

typedef struct {
  bitboard_work *work;
  uint64_t parts;  /* a bit for each part in memory or, over ranks, for each part of this rank */
  uint32_t *units; /* [units_used] units to be loaded or saved */
  uint64_t units_used;
  bool has_begun; /* true if a wave after wave 0 has begun in this run */
  const slice_layout *layout;

  /* The members below are used only if ranks share the slice. */
  exchange *exchange;
  uint64_t *parts_of; /* [ranks] bits of the parts of each rank */
  uint8_t *packets;   /* [threads] packet that each worker fills */
  size_t packet_bytes;
  /* first_tile, end_tile: tiles whose outgoing words are sent. items: number of items to send. */
  uint64_t first_tile, end_tile, items;
  uint32_t first_part, end_part; /* parts whose changes are sent, for waves by marks */
  uint64_t *ends;                /* [parts] end of each part, in blocks, for waves by marks */
  _Atomic uint64_t next;
  /* more: true if any rank has more to send. broken: true if the exchange failed. */
  bool more, broken;
} bitboard_cut;

/* Chooses a cut: for job->ranks ranks if these share the slice, otherwise the coarsest with which the slice
 * fits into job->room or, if none fits, the one that needs least memory. Returns false if the slice is to be
 * held whole: it fits, the game cannot cut it, or no cut needs less memory. */
bool bitboard_cut_choose(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                         game_bitboards_cut *cut);
/* If ranks share a slice with waves by marks, sets the finest cut that any rank has chosen, on the disk if
 * any rank with a spill_folder has it there. Otherwise does nothing. Collective. */
tauler_error bitboard_cut_agree(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                                game_bitboards_cut *cut, tauler_message *message);
/* Returns the bytes in memory while a cut slice is solved, without the kernels' working space. */
uint64_t bitboard_cut_bytes(const workspace *work, const game_bitboards_plan *plan,
                            const game_bitboards_cut *cut);
uint64_t bitboard_cut_finished_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut,
                                     int threads);
/* Estimates the bytes of the logs or of the arrays on the disks of all ranks that solve the slice. */
uint64_t bitboard_cut_waiting_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut);

tauler_error bitboard_cut_allocate(const workspace *work, bitboard_slice *slice, tauler_message *message);

/* After an error the caller calls bitboard_cut_close. */
tauler_error bitboard_cut_open(bitboard_cut *cut, bitboard_work *work, tauler_message *message);
void bitboard_cut_close(bitboard_cut *cut);

/* Loads the set that the next wave reads and, over ranks, the parts of the other set that this rank writes.
 */
void bitboard_cut_begin_wave(bitboard_cut *cut, worker *self);
/* Lists the units of a part before its tiles are computed and, if there are several parts, loads them. */
void bitboard_cut_load(bitboard_cut *cut, worker *self, uint32_t part);
/* Lists for bitboard_cut_save the units in which a wave that followed changes decided cells, or all units if
 * the list of changes overflowed. */
void bitboard_cut_list_changed(void *cut);
/* Saves the cells that this wave decided in the listed units. */
void bitboard_cut_save(bitboard_cut *cut, worker *self);

/* ranks.c has the next functions, for ranks that share the parts. bitboard_ranks_open requires cut->work.
 * bitboard_cut_close frees what it opens. Outgoing words are the spare words of a tile that other parts read
 * in a later step of a wave. After a step, bitboard_ranks_send_outgoing sends the outgoing words of its tiles
 * [first, end) to the ranks that read them. After the last step, bitboard_ranks_send_cells sends the cells of
 * the wave to all ranks. */
static inline bool bitboard_cut_is_shared(const game_bitboards_cut *cut) {
  return cut->ranks > 1;
}
uint64_t bitboard_ranks_bytes(const workspace *work, const game_bitboards_plan *plan,
                              const game_bitboards_cut *cut);
tauler_error bitboard_ranks_open(bitboard_cut *cut, tauler_message *message);
bool bitboard_ranks_owns(const bitboard_cut *cut, uint64_t tile);
void bitboard_ranks_send_outgoing(bitboard_cut *cut, worker *self, uint64_t first, uint64_t end);
void bitboard_ranks_send_cells(bitboard_cut *cut, worker *self);
/* Sends, in waves by marks, the cells that were decided in parts [first, end) and, after the last part of a
 * wave, the marks of other ranks' blocks. */
void bitboard_ranks_send_changes(bitboard_cut *cut, worker *self, uint32_t first, uint32_t end);
uint32_t bitboard_ranks_part_of(const bitboard_cut *cut, uint64_t block);
/* Replaces each number by its sum over the ranks (COMM_SUM) or by the largest (COMM_MAX). An error is noted
 * in the work. The main thread calls it while the other workers wait. */
void bitboard_ranks_reduce(bitboard_cut *cut, comm_operation operation, uint64_t *numbers, size_t n);

/* Adds the cells that this wave decided in a unit to the log and, if there are several parts, to the log's
 * set. If `copy` is not NULL, copies the compressed cells to it and sets *n to their bytes, 0 if no cell was
 * decided. One worker calls it for each unit. */
tauler_error bitboard_cut_save_unit(bitboard_cut *cut, uint64_t unit, uint8_t *copy, size_t *n,
                                    tauler_message *message);
int bitboard_cut_written_set(const bitboard_cut *cut);
void bitboard_cut_list_units(void *cut);
/* Frees slice->won and slice->lost if the log has both sets. Called after bitboard_cut_close. */
void bitboard_cut_finish(const workspace *work, bitboard_slice *slice);

/* Returns the units for the checkpointer. Their bytes are the same as those of a slice in memory. */
checkpoint_units bitboard_cut_checkpoint_units(bitboard_cut *cut, const slice_layout *layout, void *run,
                                               size_t run_bytes);

#endif
