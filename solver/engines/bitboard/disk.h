/* Private to the bitboard engine: a slice whose arrays lie on the disk, since its waves go by marks and
 * memory does not hold it.
 *
 * The arrays are mapped whole from a hidden file, so kernels find blocks where they always are. Waves go
 * through the parts that the game cuts them into; after each part its pages leave memory, and what changed in
 * them stays in the file. Charged are the blocks that a part writes, reads or marks.
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

/* Bytes while a slice is solved, the working space of kernels left out; when it is; and on the disk. */
uint64_t bitboard_disk_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut);
uint64_t bitboard_disk_finished_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut);
uint64_t bitboard_disk_waiting(const game_bitboards_plan *plan);

/* The sets and depths of an empty slice. After an error bitboard_disk_close gives all back. */
tauler_error bitboard_disk_open(const workspace *work, bitboard_slice *slice, tauler_message *message);
void bitboard_disk_close(bitboard_slice *slice);

/* The arrays that are there only while a slice is solved. */
tauler_error bitboard_disk_take_state(const bitboard_slice *slice, game_bitboards_state *state,
                                      tauler_message *message);
void bitboard_disk_give_state(const bitboard_slice *slice, game_bitboards_state *state);

/* Lets all pages go from memory, `disk` being slice->disk; or, where blocks are read in the order of a table
 * or of a checkpoint, whenever as many have been read as a part has. By any threads at once. */
void bitboard_disk_forget(void *disk);
void bitboard_disk_note_read(const bitboard_slice *slice, uint64_t blocks);

#endif
