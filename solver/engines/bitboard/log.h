/* The bitboards of a slice on the disk: the cells that each wave decided, and sets of cells that are not in
 * memory.
 *
 * Waves that sweep read no depths, so depths are needed only after the last wave or for a checkpoint. The
 * cells of a wave are therefore appended to a file without a name, unit by unit (bitboards_unit), and depths
 * are computed from them later. Each piece says where the previous piece of its unit is. A set has a fixed
 * place for each unit. Everything is compressed, with a checksum. A log owns its file and the buffers of
 * `threads` callers at a time, any of which may work on different units at once. Errors: TAULER_NO_SPACE,
 * TAULER_IO.
 */
#ifndef SOLVER_ENGINES_BITBOARD_LOG_H
#define SOLVER_ENGINES_BITBOARD_LOG_H

#include <zstd.h>

#include "games/game.h"
#include "parallel/workspace.h"

enum { LOG_WON, LOG_LOST, LOG_SETS };

typedef struct bitboard_log bitboard_log;

/* Opens a log in work->spill_folder. `codes` is the number of bytes of a block's depths. */
tauler_error bitboard_log_open(const workspace *work, uint64_t blocks, size_t codes, bitboard_log **out,
                               tauler_message *message);
void bitboard_log_close(bitboard_log *log); /* log may be NULL */
/* Bytes that the log takes from the budget. */
uint64_t bitboard_log_bytes(uint64_t blocks, size_t codes, int threads);

/* Blocks of a unit; the last may have fewer than the others. */
uint64_t bitboard_log_blocks(const bitboard_log *log, uint64_t unit);

/* Writes or reads the words of a set in one unit. They are zeros if nothing was written. */
tauler_error bitboard_log_put(bitboard_log *log, int set, uint64_t unit, const uint64_t *words,
                              tauler_message *message);
tauler_error bitboard_log_get(bitboard_log *log, int set, uint64_t unit, uint64_t *words,
                              tauler_message *message);

/* Adds the cells of a unit that get a code. `copy`, if not NULL, gets the compressed cells: *n bytes, at most
 * bitboard_log_piece_bytes. */
tauler_error bitboard_log_add_cells(bitboard_log *log, uint64_t unit, const uint64_t *cells, uint8_t code,
                                    uint8_t *copy, size_t *n, tauler_message *message);
size_t bitboard_log_piece_bytes(uint64_t blocks);
/* A compressor with the settings of logs; NULL without memory. */
ZSTD_CCtx *bitboard_log_compressor(void);
/* Adds such a copy from another log to this log, and its cells to a set. Any callers at once, also for the
 * same unit. Errors: also TAULER_IO if the bytes are damaged. */
tauler_error bitboard_log_take_cells(bitboard_log *log, uint64_t unit, const uint8_t *bytes, size_t n,
                                     uint8_t code, int set, tauler_message *message);
/* Adds cells to a set, which is not compressed again. Removes from `cells` those that the set already has. */
tauler_error bitboard_log_join(bitboard_log *log, int set, uint64_t unit, uint64_t *cells,
                               tauler_message *message);
/* Adds all codes of a unit at once. */
tauler_error bitboard_log_add_codes(bitboard_log *log, uint64_t unit, const uint8_t *depth,
                                    tauler_message *message);

/* Reads the codes of a unit. Until bitboard_log_leave_codes, state->depth points to a buffer of the log with
 * the depths of the blocks from state->depth_from on. */
tauler_error bitboard_log_read_codes(bitboard_log *log, const game_bitboards_parts *parts, const void *tables,
                                     uint64_t unit, game_bitboards_state *state, tauler_message *message);
void bitboard_log_leave_codes(bitboard_log *log, game_bitboards_state *state);

#endif
