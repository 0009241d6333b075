/* Private to Phutball: types and functions of its kernels over bitboards (games/game_bitboards.h).
 *
 * A wave is one sweep over all sets of men, those with fewer men first, or follows the changes of the wave
 * before it (bitboards_follow.c). A jump leads to another point of the ball with fewer men, where the turn
 * may end or continue. Such a point is an origin. The spare words have a bit for each origin and each set: it
 * is set if the mover, with the ball there and free to stop or to jump on, reaches a position that the wave
 * searches (one lost for the other side or, in even waves, one not won for it). The same sweep has already
 * computed the bits of sets with fewer men, so jump paths are never listed. Placements read the cells of
 * larger sets.
 *
 * In memory a set consists of low bits, whose cells are in one word or in the four words of a bundle, and of
 * high bits: those of the middle column, of the left side and of the right side, from low to high. Live cells
 * are in the order of the table's index: by rising set without the ball's own bit; if the ball is on the
 * middle column, by pairs of sides. The other side sees the board turned by 180°; if it is mirrored as well,
 * it is the board with its rows reversed, so that the ball stays in its column. Boards of one or two columns
 * have no low bits; they are swept cell by cell.
 *
 * A part of a wave is the tiles whose sides agree in their top bits, up to the mirror. These bits are points
 * of the last rows. By the few jumps over these points that do not win, a part reads origins of parts with
 * fewer men on them; those parts come before it.
 *
 * bitboards_board.c opens tables, bitboards_parts.c cuts waves, bitboards_ranks.c assigns parts to ranks,
 * bitboards_sweep.c, bitboards_plain.c and bitboards_follow.c compute waves, bitboards_table.c copies to
 * tables and back.
 */
#ifndef GAMES_PHUTBALL_BITBOARDS_H
#define GAMES_PHUTBALL_BITBOARDS_H

#include "games/phutball/board.h"

enum {
  PHB_RAY_POINTS = PHB_TABLE_POINTS,
  PHB_BUNDLE = 4,
  PHB_SIDE_BITS = PHB_TABLE_POINTS / 2,
  PHB_FINEST = 2, /* largest fineness of a cut for one process */
  PHB_FINEST_SHARED = 3,
  PHB_TOPS = 1 << 2 * PHB_FINEST_SHARED,
  PHB_PARTS = 36,
  PHB_NO_ORIGIN = 0xFF,
  PHB_WORDS_PER_CHANGE = 32 /* If a wave changes at most one word in this many, `follow` computes the next */
};

typedef enum { EXIT_NONE, EXIT_MOVER_SCORES, EXIT_OTHER_SCORES } phb_exit;

/* The points from the ball to the edge of the board in one direction, and the result of a jump beyond the
 * last one. */
typedef struct {
  uint8_t used, exit;
  uint8_t bit[PHB_RAY_POINTS], point[PHB_RAY_POINTS];
} phb_ray;

/* An origin of jumps: a point of the ball that is live, or on the near goal line in the middle of a turn. */
typedef struct {
  uint8_t point, bit;
  bool live, middle;
  bool squeezed;  /* true if sets omit the ball's own bit, as in all live origins */
  bool paired;    /* true if only one of two mirror images has a cell: live origins on the middle column */
  uint8_t flip;   /* number of the origin with rows reversed */
  uint64_t first; /* word of its first cell, if live */
  uint64_t spare; /* spare word of its first cell */
  phb_ray rays[PHB_DIRECTIONS];
} phb_origin;

typedef struct {
  phb_board board;
  bool goal_line_stop;
  int bundle;    /* words of a bundle, 1 or 4. 1 if the board is swept cell by cell */
  int high_bits; /* number of high bits, the ball's own included */
  int origins;
  phb_origin origin[PHB_TABLE_POINTS]; /* [origins] those on the near goal line first */
  uint8_t origin_of[PHB_TABLE_POINTS]; /* [point] number of its origin, or PHB_NO_ORIGIN, for example right of
                                          the middle */
  uint64_t words, spare_words;
  /* [set] high bits of a side, and of the middle column, with rows reversed. NULL if sets are swept cell by
   * cell */
  uint32_t *flip_side, *flip_middle;
  uint64_t tiles;
  uint64_t *sides; /* bits of both sides of each tile or, if sets are swept cell by cell, of each pair of
                    sides, in the order of the groups */
  int fineness;    /* number of top bits of each side that distinguish parts */
  uint64_t group_end[PHB_PARTS * (2 * PHB_SIDE_BITS + 1)];
  uint8_t part_of[PHB_TOPS];                    /* [right top << fineness | left top] */
  uint64_t readers[PHB_TABLE_POINTS][PHB_TOPS]; /* [origin][tops] a bit for each part that reads words of the
                                                   origin with these tops */
} phb_tables;

/* Lays out a slice in `t` without allocating memory. */
void phb_bits_measure(const game_rules *rules, uint32_t slice, phb_tables *t);
void phb_bits_order(void *tables, const game_bitboards_cut *cut);
extern const game_bitboards_parts phb_bits_parts;

/* Lists parts by the tops of both sides, those with fewer men first, and returns their number. */
uint32_t phb_list_parts(phb_tables *t, uint32_t fineness);
/* Visits, in rising order, the runs of words of an origin whose sides have one of these tops. `first` is the
 * first word of the origin. The tops of a paired origin may be in either order. */
void phb_visit_tops(const phb_tables *t, const phb_origin *origin, uint64_t first,
                    const bool wanted[PHB_TOPS], game_bitboards_visit *visit, void *user);
/* A count of units, as user data of phb_count_units, which adds the units of a run of blocks. */
typedef struct {
  uint64_t unit;        /* blocks per unit */
  uint64_t units, seen; /* number of units counted, and first unit that is neither counted nor skipped */
} phb_unit_count;
void phb_count_units(void *user, uint64_t first, uint64_t blocks);

/* Finds the parts that read words of each part. behind[part] receives the number of steps by which a part
 * comes later because it reads others. Returns the number of all steps. */
enum { PHB_SHARES_OF_STEPS = 4 };
uint32_t phb_find_readers(phb_tables *t, uint32_t parts, uint8_t behind[PHB_PARTS]);
/* Returns the step in which a part that reads no other part computes a tile with `men` men on the `bits` side
 * bits that do not choose the part. */
uint32_t phb_step_of(int bits, int men, uint32_t steps);
bool phb_bits_deal(const game_rules *rules, uint32_t slice, uint32_t ranks, game_bitboards_cut *cut);
void phb_visit_read(const void *tables, uint64_t tile, uint64_t parts, game_bitboards_visit *visit,
                    void *user);

game_bitboards_kernel phb_bits_sweep, phb_bits_sweep_cells;
void phb_bits_follow(const void *tables, const game_bitboards_state *state,
                     const game_bitboards_change *changes, uint64_t n, uint64_t *changed);
size_t phb_bits_scratch(void);
void phb_bits_gather(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                     int8_t *cells, uint16_t *depths);
tauler_error phb_bits_scatter(const void *tables, const game_bitboards_state *state, uint64_t tile,
                              void *scratch, int8_t reserved,
                              tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells,
                                                   uint16_t *depths),
                              void *user);

/* --- sets by their high bits --- */

static inline uint64_t phb_join_high(const phb_board *board, uint64_t middle, uint64_t left, uint64_t right) {
  return middle | left << board->middle_bits | right << (board->middle_bits + board->side_bits);
}
static inline uint64_t phb_middle_of(const phb_board *board, uint64_t high) {
  return high & ((UINT64_C(1) << board->middle_bits) - 1);
}

static inline uint64_t phb_mirror_high(const phb_board *board, uint64_t high) {
  return phb_join_high(board, phb_middle_of(board, high), phb_right_of(board, high),
                       phb_left_of(board, high));
}
static inline uint64_t phb_flip_high(const phb_tables *t, uint64_t high) {
  const phb_board *board = &t->board;
  return phb_join_high(board, t->flip_middle[phb_middle_of(board, high)],
                       t->flip_side[phb_left_of(board, high)], t->flip_side[phb_right_of(board, high)]);
}
static inline bool phb_is_second_image(const phb_board *board, uint64_t high) {
  return phb_right_of(board, high) > phb_left_of(board, high);
}

/* Returns the origin at a point, or at its mirror image if only that is stored. *mirrored becomes true for
 * the image. */
static inline const phb_origin *phb_origin_at(const phb_tables *t, int point, bool *mirrored) {
  const int columns = t->board.columns, column = point % columns;
  *mirrored = t->origin_of[point] == PHB_NO_ORIGIN;
  return &t->origin[t->origin_of[*mirrored ? point - column + columns - 1 - column : point]];
}

static inline uint64_t phb_high_index(const phb_tables *t, const phb_origin *origin, uint64_t high) {
  return origin->squeezed ? phb_remove_bit(high, origin->bit - t->board.low_bits) : high;
}

/* Both mirror images of a pair of sides have the same number. */
static inline uint64_t phb_pair_of(uint64_t left, uint64_t right) {
  const uint64_t more = left > right ? left : right, less = left ^ right ^ more;
  return more * (more + 1) / 2 + less;
}
static inline uint64_t phb_pair_index(const phb_tables *t, const phb_origin *origin, uint64_t high) {
  const phb_board *board = &t->board;
  return phb_pair_of(phb_left_of(board, high), phb_right_of(board, high)) << (board->middle_bits - 1) |
         phb_remove_bit(phb_middle_of(board, high), origin->bit - board->low_bits);
}

/* Codes have six bits. The codes of a word are first the low four bits of its 64 cells, two to a byte, then
 * the high two, four to a byte. Each code is stored once, over zeros. */
enum { PHB_CODES = 48, PHB_MOST_WAVES = 125 };

static inline void phb_keep_code(const game_bitboards_state *state, uint64_t word, int bit, uint8_t code) {
  uint8_t *codes = state->depth + (word - state->depth_from) * PHB_CODES;
  codes[bit / 2] |= (uint8_t)((code & 15) << (bit % 2 * 4));
  codes[32 + bit / 4] |= (uint8_t)(code >> 4 << (bit % 4 * 2));
}
/* Does what phb_keep_code does while other threads store codes of other cells. */
static inline void phb_keep_code_atomically(const game_bitboards_state *state, uint64_t word, int bit,
                                            uint8_t code) {
  uint8_t *codes = state->depth + (word - state->depth_from) * PHB_CODES;
  __atomic_fetch_or(&codes[bit / 2], (uint8_t)((code & 15) << (bit % 2 * 4)), __ATOMIC_RELAXED);
  __atomic_fetch_or(&codes[32 + bit / 4], (uint8_t)(code >> 4 << (bit % 4 * 2)), __ATOMIC_RELAXED);
}
static inline void phb_keep_codes(const game_bitboards_state *state, uint64_t word, uint64_t cells,
                                  uint8_t code) {
  for (; cells; cells &= cells - 1) phb_keep_code(state, word, __builtin_ctzll(cells), code);
}
static inline uint8_t phb_code_of(const game_bitboards_state *state, uint64_t word, int bit) {
  const uint8_t *codes = state->depth + (word - state->depth_from) * PHB_CODES;
  const int low = codes[bit / 2] >> (bit % 2 * 4) & 15, high = codes[32 + bit / 4] >> (bit % 4 * 2) & 3;
  return (uint8_t)(low | high << 4);
}

#endif
