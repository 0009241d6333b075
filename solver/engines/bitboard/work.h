/* Declares the data that threads share while they work on the tiles of a slice, and the slice's arrays, file
 * and log. Private to the bitboard engine. */
#ifndef SOLVER_ENGINES_BITBOARD_WORK_H
#define SOLVER_ENGINES_BITBOARD_WORK_H

#include <zstd.h>

#include "parallel/failure.h"
#include "parallel/workspace.h"
#include "solver/engines/bitboard/bitboard.h"

/* Fewest blocks for which more than one thread is used. In a smaller slice a wave takes less time than a
 * barrier. */
enum { BITBOARDS_WORTH_THREADS = 1 << 12 };

typedef struct {
  const solve_job *job;
  const bitboard_slice *slice;
  game_bitboards_state state;
  int threads;
  uint64_t item_tiles;  /* tiles, or changes to follow, that a worker gets at once */
  char *scratch;        /* [threads × scratch_bytes] working space of kernels */
  size_t scratch_bytes; /* bytes per thread */
  failure failed;
} bitboard_work;

/* Opens the game's tables of a slice, its arrays won and lost, and its array depth or a log instead. All are
 * empty. If `cuts`, the slice is cut as job->ranks or, with a spill_folder, job->room requires, and the call
 * is collective if ranks share the slice; otherwise the slice is whole. After an error *out is empty. */
tauler_error bitboard_slice_open(const solve_job *job, uint32_t slice, bool cuts, bitboard_slice *out,
                                 tauler_message *message);

static inline uint64_t bitboards_units(uint64_t blocks) {
  return (blocks + bitboards_unit(blocks) - 1) / bitboards_unit(blocks);
}

/* Returns the first error, or TAULER_OK. An error always has a message. */
tauler_error bitboard_work_outcome(const bitboard_work *work, tauler_message *message);

int bitboard_threads(const workspace *work, const game_bitboards_plan *plan);

/* Returns the bytes of a whole slice while it is solved or loaded. */
uint64_t bitboard_whole_bytes(const workspace *work, const game_bitboards_plan *plan);
uint64_t bitboard_scratch_bytes(const game_bitboards_plan *plan, int threads);

/* Returns the bytes that waves (waves.c) need in addition to a finished slice, without the kernels' working
 * space. */
uint64_t bitboard_waves_bytes(const game_bitboards_plan *plan);

/* Returns how many changes of a wave can be listed for the next wave to follow, or 0 if the slice has several
 * parts. */
static inline uint64_t bitboard_changes_room(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  return cut->parts <= 1 ? plan->most_changes : 0;
}
static inline uint64_t bitboard_changes_bytes(const game_bitboards_plan *plan,
                                              const game_bitboards_cut *cut) {
  return 2 * bitboard_changes_room(plan, cut) * sizeof(game_bitboards_change);
}

/* A reader of the cells of a solved slice. After bitboard_reader_move, gather can read the cells first … end
 * − 1 from `state`, among them `cell`. Each thread has its own reader, which starts as zeros except for
 * `depths`, and closes it. */
typedef struct {
  game_bitboards_state state;
  uint64_t first, end;
  bool depths;                           /* true if depths are read, too */
  uint64_t sets[2][BITBOARDS_MOST_UNIT]; /* sets of the unit that was read, if the log has them */
} bitboard_reader;
tauler_error bitboard_reader_move(const bitboard_slice *slice, uint64_t cell, bitboard_reader *reader,
                                  tauler_message *message);
void bitboard_reader_close(const bitboard_slice *slice, bitboard_reader *reader);

game_bitboards_state bitboard_slice_state(const game_bitboards_finished *finished,
                                          const bitboard_slice *slice);

/* The arrays of a slice, in their order in checkpoints. After the solve, only those before ARRAYS_KEPT
 * remain. */
typedef enum {
  ARRAY_WON,
  ARRAY_LOST,
  ARRAY_DEPTH,
  ARRAYS_KEPT,
  ARRAY_HELD = ARRAYS_KEPT,
  ARRAY_GAINING,
  ARRAY_DUE,
  ARRAY_MARKED_EVEN,
  ARRAY_MARKED_ODD,
  ARRAYS
} bitboard_array;

/* Returns the bytes per block of an array, or 0 if a slice of that plan has no such array. */
size_t bitboard_block_bytes(const game_bitboards_plan *plan, int array);
/* Returns the address of the member of `state` that points to an array. */
void *bitboard_array_slot(game_bitboards_state *state, int array);
uint64_t bitboard_arrays_bytes(const game_bitboards_plan *plan, int first, int end);
/* Opens or closes the arrays [first, end), in memory or in the file of slice->disk. After an error the caller
 * closes them. */
tauler_error bitboard_arrays_open(memory_budget *memory, const bitboard_slice *slice, int first, int end,
                                  game_bitboards_state *state, tauler_message *message);
void bitboard_arrays_close(memory_budget *memory, const bitboard_slice *slice, int first, int end,
                           game_bitboards_state *state);

/* A slice whose arrays are on the disk, because its waves go by marks and memory does not hold all blocks.
 *
 * The arrays are mapped whole from a file without a name, so kernels use them like arrays in memory. After
 * each part of the game's cut its pages are freed, and their changes stay in the file. The budget is charged
 * for the blocks that a part writes, reads or marks. */
/* Returns the bytes in memory of the arrays before `end`, without the kernels' working space. */
uint64_t bitboard_disk_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut, int end);
uint64_t bitboard_disk_waiting_bytes(const game_bitboards_plan *plan);

/* Opens the file for the arrays of a slice. After an error the caller calls bitboard_disk_close. */
tauler_error bitboard_disk_open(const workspace *work, bitboard_slice *slice, tauler_message *message);
void bitboard_disk_close(bitboard_slice *slice);

/* `disk` is slice->disk. Several threads may call it at once. */
void bitboard_disk_drop_pages(void *disk);
/* Counts blocks that are read or written outside kernels, and frees all pages whenever they amount to a
 * quarter of a part. Does nothing if the slice is not on the disk. Several threads may call it at once. */
void bitboard_disk_note_read(const bitboard_slice *slice, uint64_t blocks);

/* The log of a slice whose waves sweep, on the disk: the cells that each wave decided, and sets of cells that
 * are not in memory.
 *
 * Waves that sweep read no depths. The cells of a wave are therefore appended to a file without a name, unit
 * by unit (bitboards_unit), and depths are computed from them after the last wave or for a checkpoint. Each
 * piece says where the previous piece of its unit is. A set has a fixed place for each unit. A log owns its
 * file and buffers for `threads` callers, which may work on different units at once. Errors: TAULER_NO_SPACE,
 * TAULER_IO, TAULER_NO_MEMORY, TAULER_INTERNAL. */
enum { LOG_WON, LOG_LOST, LOG_SETS };

typedef struct bitboard_log bitboard_log;

/* Opens a log in work->spill_folder. `codes` is the number of bytes of codes per block. */
tauler_error bitboard_log_open(const workspace *work, uint64_t blocks, size_t codes, bitboard_log **out,
                               tauler_message *message);
void bitboard_log_close(bitboard_log *log);

uint64_t bitboard_log_bytes(uint64_t blocks, size_t codes, int threads);

/* The last unit may have fewer blocks than the others. */
uint64_t bitboard_log_blocks(const bitboard_log *log, uint64_t unit);

/* Words that were never written are zeros. */
tauler_error bitboard_log_put(bitboard_log *log, int set, uint64_t unit, const uint64_t *words,
                              tauler_message *message);
tauler_error bitboard_log_get(bitboard_log *log, int set, uint64_t unit, uint64_t *words,
                              tauler_message *message);

/* Adds the cells of a unit that have this code. If `copy` is not NULL, also copies the compressed cells to it
 * and sets *n to their bytes, at most bitboard_log_piece_bytes. */
tauler_error bitboard_log_add_cells(bitboard_log *log, uint64_t unit, const uint64_t *cells, uint8_t code,
                                    uint8_t *copy, size_t *n, tauler_message *message);
size_t bitboard_log_piece_bytes(uint64_t blocks);
/* Returns a compressor with the settings of logs, or NULL if memory is missing. */
ZSTD_CCtx *bitboard_log_compressor(void);
/* Adds compressed cells from another rank to the log, and the cells to a set. Several threads may call it at
 * once, even for the same unit. If the bytes are damaged, the error is TAULER_IO. */
tauler_error bitboard_log_receive_cells(bitboard_log *log, uint64_t unit, const uint8_t *bytes, size_t n,
                                        uint8_t code, int set, tauler_message *message);
/* Removes from `cells` those that the set already has, and adds the others to the unit of the set. */
tauler_error bitboard_log_join(bitboard_log *log, int set, uint64_t unit, uint64_t *cells,
                               tauler_message *message);
tauler_error bitboard_log_add_codes(bitboard_log *log, uint64_t unit, const uint8_t *depth,
                                    tauler_message *message);

/* Reads the codes of a unit into a buffer of the log. Until bitboard_log_leave_codes, state->depth points to
 * it, and state->depth_from is the first block of the unit. */
tauler_error bitboard_log_read_codes(bitboard_log *log, const game_bitboards_parts *parts, const void *tables,
                                     uint64_t unit, game_bitboards_state *state, tauler_message *message);
void bitboard_log_leave_codes(bitboard_log *log, game_bitboards_state *state);

#endif
