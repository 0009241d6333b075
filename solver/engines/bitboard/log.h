/* The bitboards of a slice on the disk: which cells each wave decided, and sets of cells that are not in
 * memory.
 *
 * It goes by units of blocks (bitboards_unit). The decisions of waves are added at the end of a hidden file;
 * each piece says where the one before of its unit stands. A set has a place for each unit. All is
 * compressed, with a checksum. A log owns its file and the room of `threads` callers at a time; any of them
 * may work on units of their own. Errors: TAULER_NO_SPACE, TAULER_IO.
 */
#ifndef SOLVER_ENGINES_BITBOARD_LOG_H
#define SOLVER_ENGINES_BITBOARD_LOG_H

#include <zstd.h>

#include "games/game.h"
#include "parallel/workspace.h"

enum { LOG_WON, LOG_LOST, LOG_SETS };

typedef struct bitboard_log bitboard_log;

/* In work->spill_folder; `codes`: bytes of a block's depths. */
tauler_error bitboard_log_open(const workspace *work, uint64_t blocks, size_t codes, bitboard_log **out,
                               tauler_message *message);
void bitboard_log_close(bitboard_log *log); /* NULL is allowed */
/* Bytes that the log takes from the budget. */
uint64_t bitboard_log_bytes(uint64_t blocks, size_t codes, int threads);

/* Blocks of a unit: the last may have fewer. */
uint64_t bitboard_log_blocks(const bitboard_log *log, uint64_t unit);

/* A set's words of a unit; zeros where nothing was put. */
tauler_error bitboard_log_put(bitboard_log *log, int set, uint64_t unit, const uint64_t *words,
                              tauler_message *message);
tauler_error bitboard_log_get(bitboard_log *log, int set, uint64_t unit, uint64_t *words,
                              tauler_message *message);

/* Cells of a unit that get a code, or all its codes at once. `copy` (or NULL) gets the cells as they are
 * compressed, *n bytes, at most bitboard_log_piece_bytes. */
tauler_error bitboard_log_add_cells(bitboard_log *log, uint64_t unit, const uint64_t *cells, uint8_t code,
                                    uint8_t *copy, size_t *n, tauler_message *message);
size_t bitboard_log_piece_bytes(uint64_t blocks);
/* Compresses as logs do; NULL: no memory. */
ZSTD_CCtx *bitboard_log_compressor(void);
/* Such a copy from another log: its cells are added here and to a set. Any callers at once, also of one unit.
 * Errors: also TAULER_IO where the bytes are none. */
tauler_error bitboard_log_take_cells(bitboard_log *log, uint64_t unit, const uint8_t *bytes, size_t n,
                                     uint8_t code, int set, tauler_message *message);
/* Adds cells to a set, uncompressed; those that it has already are taken out of `cells`. */
tauler_error bitboard_log_join(bitboard_log *log, int set, uint64_t unit, uint64_t *cells,
                               tauler_message *message);
tauler_error bitboard_log_add_codes(bitboard_log *log, uint64_t unit, const uint8_t *depth,
                                    tauler_message *message);

/* The codes of a unit: state->depth, of blocks from state->depth_from on, points to room of the log until
 * they are left. */
tauler_error bitboard_log_read_codes(bitboard_log *log, const game_bitboards_parts *parts, const void *tables,
                                     uint64_t unit, game_bitboards_state *state, tauler_message *message);
void bitboard_log_leave_codes(bitboard_log *log, game_bitboards_state *state);

#endif
