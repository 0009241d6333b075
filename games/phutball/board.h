/* A board of Phutball as its table numbers it: the ball's point × the set of men on the others, as the mover
 * sees them, attacking the last row, up to the left–right mirror.
 *
 * A set is written in bits, a bit per point, in an order that kernels find useful: first `low_bits` points of
 * the goal lines (six on boards with a middle column, eight elsewhere, none on boards of one or two columns),
 * then the rest of the middle column, then the columns left of it, then those right of it as mirror images of
 * the left ones, bit by bit. The ball's own bit is left out: the bits above it move down by one.
 *
 * The ball stands left of the middle or on the middle column. Left of it, a position's number is the ball's
 * first number plus the set. On it, sets come in mirror images: the one counts whose right part r (its bits
 * as a number) is at most its left part l, and the number is the ball's first number + (l (l + 1) / 2 + r) ·
 * 2^(bits below) + the bits below. Where both parts are equal, both images have a number.
 *
 * A phb_board is filled once and only read; nothing is owned.
 */
#ifndef GAMES_PHUTBALL_BOARD_H
#define GAMES_PHUTBALL_BOARD_H

#include "games/phutball/rules.h"

enum { PHB_TABLE_POINTS = 48 };

typedef struct {
  int rows, columns, points;
  bool has_middle;
  int low_bits;                         /* 0, 6 or 8 */
  int middle_bits, side_bits;           /* points of the middle column above the low bits; of either side */
  uint8_t bit_of[PHB_TABLE_POINTS];     /* of a point, among all of them */
  uint8_t point_of[PHB_TABLE_POINTS];   /* of a bit */
  uint8_t mirror_bit[PHB_TABLE_POINTS]; /* bit of the mirror image of the point of a bit */
  uint8_t flip_bit[PHB_TABLE_POINTS];   /* the same with rows reversed: turned round and mirrored */
  uint64_t flipped[PHB_TABLE_POINTS / 4][16]; /* of four bits of a set at a time */
  int balls;                                  /* points of the ball that are numbered */
  uint8_t ball[PHB_TABLE_POINTS];             /* points, by rising row, then column */
  uint8_t ball_of[PHB_TABLE_POINTS];          /* place of a point in `ball`; 0xFF: none */
  uint64_t first[PHB_TABLE_POINTS + 1];       /* number of each ball's first position; the last: all */
} phb_board;

/* False if the board is no board of 3 rows or more, or too large for a table. */
bool phb_board_open(int rows, int columns, phb_board *out);

/* A slice is a board: rows · 32 + columns. */
static inline uint32_t phb_slice(int rows, int columns) {
  return (uint32_t)rows * 32 + (uint32_t)columns;
}

/* Sets of men as bits of all points, the ball's own 0, to the bits without it and back. */
static inline uint64_t phb_squeeze(uint64_t set, int ball_bit) {
  const uint64_t below = (UINT64_C(1) << ball_bit) - 1;
  return (set & below) | (set >> 1 & ~below);
}
static inline uint64_t phb_insert_bit(uint64_t squeezed, int ball_bit) {
  const uint64_t below = (UINT64_C(1) << ball_bit) - 1;
  return (squeezed & below) | (squeezed & ~below) << 1;
}

/* The bits of the mirror image, and of the board turned round and mirrored. */
uint64_t phb_mirror_set(const phb_board *board, uint64_t set);
uint64_t phb_flip_set(const phb_board *board, uint64_t set);

/* True if this image of a set counts, the ball on the middle column. */
bool phb_is_first_image(const phb_board *board, uint64_t set);

/* True if both images of a position have a number; one and the same if it is its own mirror image. */
bool phb_has_both_images(const phb_board *board, int ball, uint64_t set);

/* The number of a position as the mover sees it, or of its mirror image; `set` has the bits of all points.
 * And back. */
uint64_t phb_rank(const phb_board *board, int ball, uint64_t set);
void phb_unrank(const phb_board *board, uint64_t number, int *ball, uint64_t *set);

/* place.c: the number of a live position of the board, and the position of a number, Ohs to move. */
uint64_t phb_number_of(const phb_board *board, const phb_position *position);
phb_position phb_position_of(const phb_board *board, uint64_t number);

/* The end of the run of numbers from `number` on of which either all or none stand for one image alone:
 * *both says whether the other has a number too. */
uint64_t phb_images_run(const phb_board *board, uint64_t number, bool *both);

/* place.c; for game.h. locate is false for boards that no table holds. */
tauler_error phb_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message);
void phb_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
bool phb_slice_named(const game_rules *rules, const char *name, uint32_t *slice);
uint32_t phb_alike(const game_rules *rules, uint32_t slice);
uint64_t phb_positions(const game_rules *rules, uint32_t slice);
uint32_t phb_slice_of(const game_rules *rules, const game_position *position);
void phb_position_slice(const game_rules *rules, const game_position *position, char name[GAME_TEXT_BYTES]);
bool phb_locate(const game_rules *rules, const game_position *position, game_place *out);
void phb_position_at(const game_rules *rules, game_place place, game_position *out);
size_t phb_numbers(const game_rules *rules, const game_position *position, int8_t *out);
void phb_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);

/* batch.c; for game.h. */
tauler_error phb_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                       int16_t *value);
tauler_error phb_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        game_sink *sink);
tauler_error phb_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         game_sink *sink);

extern const game_bitboards phb_bitboards; /* bitboards.c */

#endif
