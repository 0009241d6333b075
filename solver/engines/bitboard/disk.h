/* A slice whose arrays are on the disk, because its waves go by marks and memory does not hold it. Private to
 * the bitboard engine.
 *
 * The arrays are mapped whole from a file without a name, so that kernels find blocks at their usual
 * addresses. Waves run through the parts of the game's cut. After each part its pages are freed, and what
 * changed in them stays in the file. The budget is charged for the blocks that a part writes, reads or marks.
 */
#ifndef SOLVER_ENGINES_BITBOARD_DISK_H
#define SOLVER_ENGINES_BITBOARD_DISK_H

#include "solver/engines/bitboard/work.h"

typedef enum {
  DISK_WON,
  DISK_LOST,
  DISK_DEPTH,
  DISK_MARKED_EVEN,
  DISK_MARKED_ODD,
  DISK_HELD,
  DISK_GAINING,
  DISK_DUE,
  DISK_ARRAYS
} disk_array;

/* Bytes in memory while a slice is solved, without the kernels' working space. */
uint64_t bitboard_disk_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut);
/* Bytes in memory when it is finished. */
uint64_t bitboard_disk_finished_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut);
/* Bytes on the disk. */
uint64_t bitboard_disk_waiting(const game_bitboards_plan *plan);

/* Opens the sets and depths of an empty slice. After an error the caller calls bitboard_disk_close. */
tauler_error bitboard_disk_open(const workspace *work, bitboard_slice *slice, tauler_message *message);
void bitboard_disk_close(bitboard_slice *slice);

/* Opens or closes the arrays that exist only while a slice is solved. */
tauler_error bitboard_disk_take_state(const bitboard_slice *slice, game_bitboards_state *state,
                                      tauler_message *message);
void bitboard_disk_give_state(const bitboard_slice *slice, game_bitboards_state *state);

/* Frees all pages; `disk` is slice->disk. Any threads may call it at once. */
void bitboard_disk_forget(void *disk);
/* For blocks that are read in the order of a table or checkpoint: frees all pages whenever as many blocks
 * have been read as a quarter of a part has. Any threads may call it at once. */
void bitboard_disk_note_read(const bitboard_slice *slice, uint64_t blocks);

#endif
