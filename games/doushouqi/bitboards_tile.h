/* Private to Dou Shou Qi: a tile block by block, and the quiet moves of a block. */
#ifndef GAMES_DOUSHOUQI_BITBOARDS_TILE_H
#define GAMES_DOUSHOUQI_BITBOARDS_TILE_H

#include "games/doushouqi/bitboards.h"

/* A block of a tile, given by the square of the inner piece. */
typedef struct {
  uint64_t block;
  int inner;               /* square of the inner piece */
  uint64_t valid;          /* squares of the last piece that give a position; 0: the block is unused */
  uint64_t rats, drinkers; /* squares of rats and of other animals, without the last piece */
} dsq_bits_block;

/* Returns false if all blocks of the tile are unused. */
bool dsq_bits_tile_open(const dsq_bits_tables *tables, uint64_t tile, dsq_bits_tile *out);
void dsq_bits_tile_list_moves(dsq_bits_tile *tile);
dsq_bits_block dsq_bits_block_at(const dsq_bits_tile *tile, int ordinal);

/* Marks all blocks from which a quiet move may lead into this one. */
void dsq_bits_mark_readers(const game_bitboards_state *state, dsq_bits_tile *tile, const dsq_bits_block *at);

/* Judges the converting moves. Depths in smaller slices are at most BITBOARDS_MOST_WAVES − 1. */
void dsq_bits_convert(const dsq_bits_tile *tile, const dsq_bits_block *at, const game_bitboards_state *state,
                      dsq_bits_conversions *out);

/* Squares that bar this move if `piece` stands on them. */
static inline uint64_t dsq_bits_barred(const dsq_bits_tables *t, int piece, const dsq_target *target) {
  return t->piece[piece].animal == DSQ_RAT ? target->no_rat : target->no_drinker;
}

/* True if a rat, or another animal, stands on a square that bars this move. */
static inline bool dsq_bits_is_kept_away(const dsq_target *target, uint64_t rats, uint64_t drinkers) {
  return (target->no_rat & rats) || (target->no_drinker & drinkers);
}

/* True if fixed pieces forbid a quiet move to the target, or the target is the den, which no quiet move
 * enters. */
static inline bool dsq_bits_is_closed(const dsq_bits_tile *tile, const dsq_target *target) {
  return (tile->taken >> target->to & 1) || target->to == tile->tables->rules->den[!tile->part] ||
         dsq_bits_is_kept_away(target, tile->rats, tile->drinkers);
}

static inline bool dsq_bits_is_right(int square) {
  return square % DSQ_FILES > DSQ_FILES / 2;
}

static inline uint64_t dsq_bits_shifted(uint64_t set, int by) {
  return by >= 0 ? set << by : set >> -by;
}

static inline uint64_t dsq_bits_entry_block(const dsq_bits_layout *layout, const dsq_bits_entry *entry,
                                            int inner, bool *mirrored) {
  const int digit = layout->pieces - 2;
  *mirrored =
      entry->mirrors == MIRRORS_ALWAYS || (entry->mirrors == MIRRORS_RIGHT && dsq_bits_is_right(inner));
  const int at = *mirrored ? placement_mirror(DSQ_FILES, inner) : inner;
  return entry->first + layout->ordinal[digit][at];
}

/* The block after the inner piece moves to `to`. */
static inline uint64_t dsq_bits_inner_block(const dsq_bits_tile *tile, int to, bool *mirrored) {
  const dsq_bits_layout *layout = &tile->tables->layout;
  *mirrored = tile->inner_left && dsq_bits_is_right(to);
  return tile->other + layout->ordinal[layout->pieces - 2][*mirrored ? placement_mirror(DSQ_FILES, to) : to];
}

#endif
