/* Private to Dou Shou Qi: types and functions of its kernels over bitboards (games/game_bitboards.h).
 *
 * A slice in memory has two parts, White to move and Black to move, both seen from White's side of the board,
 * so that a quiet move changes one square and the part. A block has a bit per square of the last piece; all
 * other pieces stand still in it. Their squares are the digits of a plain mixed radix, which allows two
 * pieces on one square; such blocks are unused. The first piece stands on the middle file or left of it. If
 * it stands on the middle file, the second stands there or left of it, unless the second is the last; other
 * placements are found by their mirror image. A tile has a block per square of the last piece but one (the
 * inner piece). The pieces before it (the fixed pieces) stand still. If the first piece is a fixed one,
 * blocks with the same square of it are neighbours, those of part 0 before those of part 1.
 *
 * A part of a wave has the tiles whose first piece is on some consecutive squares. It reads and marks only
 * blocks of these squares and of the squares that the first piece moves to or came from. bitboards_slice.c
 * opens tables, finds places and cuts waves into parts; bitboards_tile.c opens tiles and marks blocks;
 * bitboards_begin.c judges converting moves; bitboards_relax.c decides the cells of a wave; bitboards_table.c
 * copies cells to tables and back.
 */
#ifndef GAMES_DOUSHOUQI_BITBOARDS_H
#define GAMES_DOUSHOUQI_BITBOARDS_H

#include "games/doushouqi/moves.h"

enum {
  DSQ_BITS_FIXED = DSQ_MOST_PIECES - 2,
  DSQ_BITS_SHIFTS = 40,                            /* bound on the shifts of the last piece */
  DSQ_BITS_ENTRIES = DSQ_BITS_FIXED * DSQ_TARGETS, /* bound on the moves of fixed pieces */
  DSQ_BITS_SOURCES = 12 /* bound on the squares from which an animal may come to one square */
};

typedef struct {
  int pieces;
  uint64_t ground[DSQ_MOST_PIECES]; /* squares that each piece may stand on in stored placements */
  uint8_t count[DSQ_MOST_PIECES];
  uint8_t square[DSQ_MOST_PIECES][64], ordinal[DSQ_MOST_PIECES][64];
  uint64_t stride[DSQ_MOST_PIECES]; /* distance in blocks between neighbouring squares of each piece but the
                                       last */
  uint64_t turn;                    /* distance in blocks from part 0 to part 1 */
  uint64_t blocks;
  uint32_t columns;
  uint8_t column[64]; /* [square of the last piece] column in the depths */
} dsq_bits_layout;

/* Squares with even numbers; on seven files these have an even sum of rank and file. */
static const uint64_t DSQ_EVEN = UINT64_C(0x5555555555555555);

typedef struct {
  uint64_t block;
  int square; /* square of the last piece */
} dsq_bits_place;

/* Moves of the last piece in the same direction under the same conditions. */
typedef struct {
  int by;        /* number added to the square that it leaves */
  uint64_t from; /* squares that it may leave by such a move */
  uint64_t no_rat, no_drinker;
} dsq_bits_shift;

/* The slice that remains after a piece is captured. */
typedef struct {
  dsq_bits_layout layout;
  uint32_t slice;
  bool flipped;
  bool over;                     /* true if the piece was the last of its side */
  uint8_t from[DSQ_MOST_PIECES]; /* piece t of that slice is piece from[t] of this one */
} dsq_bits_capture;

typedef struct {
  const game_rules *rules;
  const dsq_slice *slice;
  dsq_bits_layout layout;
  dsq_piece piece[DSQ_MOST_PIECES];
  dsq_bits_shift shifts[DSQ_BITS_SHIFTS];
  int shifts_used;
  uint64_t before_den; /* squares from which the last piece may enter the enemy's den */
  dsq_bits_capture captures[DSQ_MOST_PIECES];
  uint8_t twin[DSQ_MOST_PIECES]; /* if slice->parts is 1: piece that each piece becomes if colours are
                                    exchanged */
  uint32_t cut_parts;            /* parts of a wave */
} dsq_bits_tables;

/* A quiet move of a fixed piece from its square, or a quiet move that led it there, for all squares of the
 * inner piece. */
typedef struct {
  uint64_t first;     /* block in the other part with the inner piece on its first square */
  uint64_t bar_inner; /* squares of the inner piece that forbid the move */
  uint64_t open_last; /* squares of the last piece that allow it, unused in readers */
  uint8_t mirrors;    /* one of MIRRORS_… */
} dsq_bits_entry;

enum {
  MIRRORS_NEVER,
  MIRRORS_ALWAYS,
  MIRRORS_RIGHT /* if the inner piece stands right of the middle file */
};

typedef struct {
  const dsq_bits_tables *tables;
  int part;       /* number of the part, which is also the side to move */
  uint64_t first; /* block with the inner piece on its first square */
  uint64_t other; /* the same block of the other part */
  uint8_t square[DSQ_MOST_PIECES];
  uint64_t taken;          /* squares of the fixed pieces */
  uint64_t rats, drinkers; /* squares of fixed rats, and of other fixed animals */
  /* True if the inner piece is stored only on the middle file or left of it; other placements are found by
   * their mirror image. */
  bool inner_left;
  dsq_bits_entry moves[DSQ_BITS_ENTRIES];
  int moves_used; /* number of moves, −1 if they are not listed yet */
  dsq_bits_entry readers[2 * DSQ_BITS_FIXED * DSQ_BITS_SOURCES];
  int readers_used;
} dsq_bits_tile;

/* The best converting moves of a block, by square of the last piece. A square is in `gaining` if a conversion
 * wins, otherwise in `drawing` if one draws, otherwise in `losing` if there is any. Its code is the least one
 * of the wins or the greatest one of the losses, for a draw BITBOARDS_NEVER. */
typedef struct {
  uint64_t gaining, drawing, losing;
  uint8_t code[64];
} dsq_bits_conversions;

typedef struct {
  dsq_bits_tile tile;
  dsq_bits_conversions conversions;
  int8_t cells[4096];
  uint16_t depths[4096];
} dsq_bits_scratch;

/* --- tables of a slice: bitboards_slice.c --- */
tauler_error dsq_bits_open(const game_rules *rules, uint32_t slice, void **out);
void dsq_bits_plan(const game_rules *rules, uint32_t slice, game_bitboards_plan *plan);
dsq_bits_place dsq_bits_find(const dsq_bits_layout *layout, int part, const uint8_t square[]);

extern const game_bitboards_parts dsq_bits_parts;
void dsq_bits_keep_code(const void *tables, const game_bitboards_state *state, uint64_t block, uint64_t cells,
                        uint8_t code);
uint64_t dsq_bits_group_end(const void *tables, uint32_t group);
/* Calls visit for the runs of blocks that the tiles of a part read, mark or write, in rising order. */
void dsq_bits_visit_read(const dsq_bits_tables *tables, uint32_t part, game_bitboards_visit *visit,
                         void *user);

game_bitboards_kernel dsq_bits_begin, dsq_bits_relax, dsq_bits_recover;

static inline uint64_t dsq_bits_mirror(uint64_t set) {
  const uint64_t a = UINT64_C(0x102040810204081), b = a << 1, c = a << 2;
  return (set & a) << 6 | (set >> 6 & a) | (set & b) << 4 | (set >> 4 & b) | (set & c) << 2 | (set >> 2 & c) |
         (set & a << 3);
}

/* --- tiles and blocks: bitboards_tile.c --- */

/* A block of a tile, given by the square of the inner piece. */
typedef struct {
  uint64_t block;
  int inner;
  uint64_t valid;          /* squares of the last piece that give a position, or 0 if the block is unused */
  uint64_t rats, drinkers; /* squares of rats and of other animals, without the last piece */
} dsq_bits_block;

/* Returns false if all blocks of the tile are unused. */
bool dsq_bits_tile_open(const dsq_bits_tables *tables, uint64_t tile, dsq_bits_tile *out);
void dsq_bits_tile_list_moves(dsq_bits_tile *tile);
dsq_bits_block dsq_bits_block_at(const dsq_bits_tile *tile, int ordinal);

/* Marks for the next wave all blocks from which a quiet move may lead to this one. */
void dsq_bits_mark_readers(const game_bitboards_state *state, dsq_bits_tile *tile, const dsq_bits_block *at);

/* In bitboards_begin.c. Finds the best converting moves of a block. Losses in smaller slices have depths of
 * at most BITBOARDS_MOST_WAVES − 1, so that codes fit in a byte. */
void dsq_bits_find_conversions(const dsq_bits_tile *tile, const dsq_bits_block *at,
                               const game_bitboards_state *state, dsq_bits_conversions *out);

/* Returns the squares on which `piece` bars a move to the target. */
static inline uint64_t dsq_bits_barring(const dsq_bits_tables *t, int piece, const dsq_target *target) {
  return t->piece[piece].animal == DSQ_RAT ? target->no_rat : target->no_drinker;
}

/* True if fixed pieces forbid a quiet move to the target, or the target is the enemy's den, which no quiet
 * move enters. */
static inline bool dsq_bits_is_closed(const dsq_bits_tile *tile, const dsq_target *target) {
  return (tile->taken >> target->to & 1) || target->to == tile->tables->rules->den[!tile->part] ||
         !dsq_way_is_free(target, tile->rats, tile->drinkers);
}

static inline uint64_t dsq_bits_shifted(uint64_t set, int by) {
  return by >= 0 ? set << by : set >> -by;
}

/* Returns the block to which an entry leads if the inner piece stands on `inner`. *mirrored becomes true if
 * its cells are mirror images, otherwise false. */
static inline uint64_t dsq_bits_entry_block(const dsq_bits_layout *layout, const dsq_bits_entry *entry,
                                            int inner, bool *mirrored) {
  const int digit = layout->pieces - 2;
  *mirrored = entry->mirrors == MIRRORS_ALWAYS || (entry->mirrors == MIRRORS_RIGHT && dsq_is_right(inner));
  const int at = *mirrored ? placement_mirror(DSQ_FILES, inner) : inner;
  return entry->first + layout->ordinal[digit][at];
}

/* Returns the block of the other part with the inner piece on `to`. *mirrored is as above. */
static inline uint64_t dsq_bits_inner_block(const dsq_bits_tile *tile, int to, bool *mirrored) {
  const dsq_bits_layout *layout = &tile->tables->layout;
  *mirrored = tile->inner_left && dsq_is_right(to);
  return tile->other + layout->ordinal[layout->pieces - 2][*mirrored ? placement_mirror(DSQ_FILES, to) : to];
}

#endif
