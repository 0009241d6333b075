/* Fills a slice in bitboards from its tables of values and depths.
 *
 * The caller owns the arrays, which are all zeros at first, and the game's tables of the slice. One thread
 * calls recover_bitboards, which starts the others. */
#ifndef RECOVER_BITBOARDS_H
#define RECOVER_BITBOARDS_H

#include "base/memory.h"
#include "databases/table.h"
#include "games/game.h"

/* Allocates an array with block_bytes bytes for each block. bitboard_array_bytes returns the bytes that are
 * charged for it. */
tauler_error bitboard_array_allocate(memory_budget *memory, const game_bitboards_plan *plan,
                                     uint64_t block_bytes, const char *what, void *slot,
                                     tauler_message *message);
uint64_t bitboard_array_bytes(const game_bitboards_plan *plan, uint64_t block_bytes);

typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  const game_bitboards_plan *plan;
  void *tables;               /* tables of game->bitboards->open */
  game_bitboards_state state; /* arrays, and the finished slices to which converting moves lead */
  const table *values, *depths;
  const char *folder; /* for messages */
  int threads;
  memory_budget *memory;
  void (*note)(void *user); /* called now and then by any thread as a sign of progress, or NULL */
  void *user;
} recover_bitboards_job;

/* Fills the slice and sets *deepest to the greatest depth of a cell. Errors: TAULER_NO_MEMORY, those of
 * table_read and of the kernels; TAULER_DAMAGED_FILE if a cell or the type of the cells is impossible. */
tauler_error recover_bitboards(const recover_bitboards_job *job, uint32_t *deepest, tauler_message *message);

uint64_t recover_bitboards_bytes(const game_bitboards_plan *plan, int threads);

#endif
