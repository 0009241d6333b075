/* Private to Dou Shou Qi: kernels over words (games/game_bitboards.h), what they share.
 *
 * A slice in memory has two parts, White to move and Black to move, both seen from White's side of the board,
 * so that a quiet move changes one square and the part. A block is what the last piece makes of all others
 * standing still, a bit per square; the others are digits of a plain mixed radix, without regard to squares
 * that are taken: blocks whose pieces stand on each other are holes. The first piece stands on the middle
 * file or left of it, and if on the middle file, a second one that is not the last does, too: other
 * placements are looked for by their mirror image. A tile is what the last piece but one, the inner one,
 * makes of those before it, the fixed ones.
 *
 * words_slice.c opens tables and finds places, words_tile.c looks at a tile, words_begin.c judges what
 * converts, words_relax.c decides waves, words_table.c is the way to tables and back.
 */
#ifndef GAMES_DOUSHOUQI_BITBOARDS_H
#define GAMES_DOUSHOUQI_BITBOARDS_H

#include "games/doushouqi/moves.h"

enum {
  WORDS_FIXED = DSQ_MOST_PIECES - 2,
  WORDS_SHIFTS = 40,                         /* kinds of moves of the last piece */
  WORDS_ENTRIES = WORDS_FIXED * DSQ_TARGETS, /* moves of fixed pieces */
  WORDS_SOURCES = 12                         /* squares from which an animal may come to one */
};

/* Where things stand in a slice in memory. */
typedef struct {
  int pieces;
  uint64_t ground[DSQ_MOST_PIECES]; /* squares a piece is kept on */
  uint8_t count[DSQ_MOST_PIECES];
  uint8_t square[DSQ_MOST_PIECES][64], ordinal[DSQ_MOST_PIECES][64];
  uint64_t stride[DSQ_MOST_PIECES]; /* in blocks; not of the last piece */
  uint64_t part_blocks;
  uint32_t columns;
  uint8_t column[64]; /* of a square of the last piece, among its depths */
} words_layout;

/* Rank + file is even where the number of the square is. */
static const uint64_t DSQ_EVEN = UINT64_C(0x5555555555555555);

typedef struct {
  uint64_t block;
  int square; /* of the last piece */
} words_place;

/* Moves of the last piece that go the same way under the same conditions. */
typedef struct {
  int by;        /* squares, added to the square it leaves */
  uint64_t from; /* squares it may leave so */
  uint64_t no_rat, no_drinker;
} words_shift;

/* The slice that is left when a piece has been taken. */
typedef struct {
  words_layout layout;
  uint32_t slice;
  bool flipped;
  bool over;                     /* it was the last of its side */
  uint8_t from[DSQ_MOST_PIECES]; /* piece t there is piece from[t] here */
} words_capture;

typedef struct {
  const game_rules *rules;
  const dsq_slice *slice;
  words_layout layout;
  dsq_piece piece[DSQ_MOST_PIECES];
  words_shift shifts[WORDS_SHIFTS];
  int shifts_used;
  uint8_t sources_used[DSQ_MOST_PIECES][64];
  uint8_t sources[DSQ_MOST_PIECES][64][WORDS_SOURCES]; /* squares that piece i may have come from, at most */
  uint64_t before_den; /* squares from which the last piece enters the other den */
  words_capture captures[DSQ_MOST_PIECES];
  uint8_t twin[DSQ_MOST_PIECES]; /* of a slice with one part: piece t of the flipped board is piece twin[t] */
} words_tables;

/* A quiet move of a fixed piece, or one that led it to where it stands, for all squares of the inner piece.
 */
typedef struct {
  uint64_t first;     /* block there with the inner piece on its first square */
  uint64_t bar_inner; /* squares of the inner piece that do not allow it */
  uint64_t open_last; /* squares of the last piece that do */
  uint8_t mirrors;    /* MIRRORS_… */
} words_entry;

enum { MIRRORS_NEVER, MIRRORS_ALWAYS, MIRRORS_RIGHT /* where the inner piece stands right of the middle */ };

typedef struct {
  const words_tables *tables;
  int part;       /* and the side to move */
  uint64_t first; /* block with the inner piece on its first square */
  uint64_t other; /* the same in the other part */
  uint8_t square[DSQ_MOST_PIECES];
  uint64_t taken;          /* by the fixed pieces */
  uint64_t rats, drinkers; /* squares of fixed rats, and of other fixed animals */
  bool inner_left; /* the inner piece is kept on the middle file or left of it: others are looked for by their
                      mirror image */
  words_entry moves[WORDS_ENTRIES];
  int moves_used; /* −1: not listed yet */
  words_entry readers[2 * WORDS_FIXED * WORDS_SOURCES];
  int readers_used;
} words_tile;

/* The best of the moves of a block that convert, by squares of the last piece: those that win, or else draw,
 * or else lose, and of wins the least code, of losses the greatest. */
typedef struct {
  uint64_t gaining, drawing, losing;
  uint8_t code[64];
} words_conversions;

/* What a thread works with. */
typedef struct {
  words_tile tile;
  words_conversions conversions;
  int8_t cells[4096];
  uint16_t depths[4096];
} words_scratch;

/* words_slice.c */
tauler_error words_open(const game_rules *rules, uint32_t slice, void **out);
void words_close(void *tables);
void words_plan(const game_rules *rules, uint32_t slice, game_bitboards_plan *plan);
words_place words_find(const words_layout *layout, int part, const uint8_t square[]);

game_bitboards_kernel words_begin, words_relax, words_recover;
void words_gather(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                  int8_t *cells, uint16_t *depths);
tauler_error words_scatter(const void *tables, const game_bitboards_state *state, uint64_t tile,
                           void *scratch, int8_t reserved,
                           tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells,
                                                uint16_t *depths),
                           void *user);

/* Sets of squares. */
static inline uint64_t words_bit(int square) {
  return UINT64_C(1) << square;
}

static inline uint64_t words_mirror(uint64_t set) {
  const uint64_t a = UINT64_C(0x102040810204081), b = a << 1, c = a << 2;
  return (set & a) << 6 | (set >> 6 & a) | (set & b) << 4 | (set >> 4 & b) | (set & c) << 2 | (set >> 2 & c) |
         (set & a << 3);
}

#endif
