/* Private to Dou Shou Qi: types and functions of its kernels over bitboards
 * (games/game_bitboards.h).
 *
 * A slice in memory has two parts, White to move and Black to move, both seen from White's side of the board,
 * so that a quiet move changes one square and the part. A block has a bit per square of the last piece, all
 * others standing still; the others are digits of a plain mixed radix that ignores occupied squares: blocks
 * with two pieces on one square are holes. The first piece stands on the middle file or left of it; if it
 * stands on the middle file, the second stands there or left of it, unless it is the last: other placements
 * are found by their mirror image. A tile has a block per square of the last piece but one (inner); the
 * pieces before it (fixed) stand still. Blocks with the same square of the first piece lie together if it is
 * a fixed one, those of part 0 before those of part 1.
 *
 * A part of a wave has the tiles with the first piece on some neighbouring squares. It reads and marks blocks
 * of these squares and of those that the piece moves to or came from, no others.
 *
 * bitboards_slice.c opens tables, finds places and cuts waves, bitboards_tile.c opens a tile,
 * bitboards_begin.c judges what converts, bitboards_relax.c decides waves, bitboards_table.c is the way to
 * tables and back.
 */
#ifndef GAMES_DOUSHOUQI_BITBOARDS_H
#define GAMES_DOUSHOUQI_BITBOARDS_H

#include "games/doushouqi/moves.h"

enum {
  DSQ_BITS_FIXED = DSQ_MOST_PIECES - 2,
  DSQ_BITS_SHIFTS = 40,                            /* kinds of moves of the last piece */
  DSQ_BITS_ENTRIES = DSQ_BITS_FIXED * DSQ_TARGETS, /* moves of fixed pieces */
  DSQ_BITS_SOURCES = 12                            /* squares from which an animal may come to one */
};

/* Where things stand in a slice in memory. */
typedef struct {
  int pieces;
  uint64_t ground[DSQ_MOST_PIECES]; /* squares a piece is kept on */
  uint8_t count[DSQ_MOST_PIECES];
  uint8_t square[DSQ_MOST_PIECES][64], ordinal[DSQ_MOST_PIECES][64];
  uint64_t stride[DSQ_MOST_PIECES]; /* in blocks; not of the last piece */
  uint64_t turn;                    /* in blocks, from part 0 to part 1 */
  uint64_t blocks;
  uint32_t columns;
  uint8_t column[64]; /* of a square of the last piece, among its depths */
} dsq_bits_layout;

/* Rank + file is even where the number of the square is. */
static const uint64_t DSQ_EVEN = UINT64_C(0x5555555555555555);

typedef struct {
  uint64_t block;
  int square; /* of the last piece */
} dsq_bits_place;

/* Moves of the last piece that go the same way under the same conditions. */
typedef struct {
  int by;        /* squares, added to the square it leaves */
  uint64_t from; /* squares it may leave so */
  uint64_t no_rat, no_drinker;
} dsq_bits_shift;

/* The slice that is left when a piece has been taken. */
typedef struct {
  dsq_bits_layout layout;
  uint32_t slice;
  bool flipped;
  bool over;                     /* it was the last of its side */
  uint8_t from[DSQ_MOST_PIECES]; /* piece t there is piece from[t] here */
} dsq_bits_capture;

typedef struct {
  const game_rules *rules;
  const dsq_slice *slice;
  dsq_bits_layout layout;
  dsq_piece piece[DSQ_MOST_PIECES];
  dsq_bits_shift shifts[DSQ_BITS_SHIFTS];
  int shifts_used;
  uint8_t sources_used[DSQ_MOST_PIECES][64];
  uint8_t sources[DSQ_MOST_PIECES][64]
                 [DSQ_BITS_SOURCES]; /* squares that piece i may have come from, at most */
  uint64_t before_den;               /* squares from which the last piece enters the other den */
  dsq_bits_capture captures[DSQ_MOST_PIECES];
  uint8_t twin[DSQ_MOST_PIECES]; /* of a slice with one part: piece t of the flipped board is piece twin[t] */
  uint32_t cut_parts;            /* of a wave */
} dsq_bits_tables;

/* A quiet move of a fixed piece, or one that led it to where it stands, for all squares of the inner piece.
 */
typedef struct {
  uint64_t first;     /* block there with the inner piece on its first square */
  uint64_t bar_inner; /* squares of the inner piece that do not allow it */
  uint64_t open_last; /* squares of the last piece that do */
  uint8_t mirrors;    /* MIRRORS_… */
} dsq_bits_entry;

enum { MIRRORS_NEVER, MIRRORS_ALWAYS, MIRRORS_RIGHT /* where the inner piece stands right of the middle */ };

typedef struct {
  const dsq_bits_tables *tables;
  int part;       /* and the side to move */
  uint64_t first; /* block with the inner piece on its first square */
  uint64_t other; /* the same in the other part */
  uint8_t square[DSQ_MOST_PIECES];
  uint64_t taken;          /* by the fixed pieces */
  uint64_t rats, drinkers; /* squares of fixed rats, and of other fixed animals */
  bool inner_left; /* the inner piece is kept on the middle file or left of it: others are found by their
                      mirror image */
  dsq_bits_entry moves[DSQ_BITS_ENTRIES];
  int moves_used; /* −1: not listed yet */
  dsq_bits_entry readers[2 * DSQ_BITS_FIXED * DSQ_BITS_SOURCES];
  int readers_used;
} dsq_bits_tile;

/* The best of the moves of a block that convert, by squares of the last piece: those that win, or else draw,
 * or else lose, and of wins the least code, of losses the greatest. */
typedef struct {
  uint64_t gaining, drawing, losing;
  uint8_t code[64];
} dsq_bits_conversions;

/* The state of a thread. */
typedef struct {
  dsq_bits_tile tile;
  dsq_bits_conversions conversions;
  int8_t cells[4096];
  uint16_t depths[4096];
} dsq_bits_scratch;

/* bitboards_slice.c */
tauler_error dsq_bits_open(const game_rules *rules, uint32_t slice, void **out);
void dsq_bits_close(void *tables);
void dsq_bits_plan(const game_rules *rules, uint32_t slice, game_bitboards_plan *plan);
dsq_bits_place dsq_bits_find(const dsq_bits_layout *layout, int part, const uint8_t square[]);

extern const game_bitboards_parts dsq_bits_parts;
void dsq_bits_keep_code(const void *tables, const game_bitboards_state *state, uint64_t block, uint64_t cells,
                        uint8_t code);
uint64_t dsq_bits_group_end(const void *tables, uint32_t group);
/* Runs of blocks that the tiles of a part read or mark, in rising order, those that they write included. */
void dsq_bits_visit_read(const dsq_bits_tables *tables, uint32_t part, game_bitboards_visit *visit,
                         void *user);

game_bitboards_kernel dsq_bits_begin, dsq_bits_relax, dsq_bits_recover;

/* Sets of squares. */
static inline uint64_t dsq_bits_bit(int square) {
  return UINT64_C(1) << square;
}

static inline uint64_t dsq_bits_mirror(uint64_t set) {
  const uint64_t a = UINT64_C(0x102040810204081), b = a << 1, c = a << 2;
  return (set & a) << 6 | (set >> 6 & a) | (set & b) << 4 | (set >> 4 & b) | (set & c) << 2 | (set >> 2 & c) |
         (set & a << 3);
}

#endif
