/* A board of Phutball as its table numbers it: by the ball's point and the set of men on the other points, up
 * to the left–right mirror, as seen by the mover, who attacks the last row.
 *
 * A set has a bit per point, in an order that suits kernels: first `low_bits` points of the goal lines (six
 * on boards with a middle column, eight elsewhere, none on boards of one or two columns), then the rest of
 * the middle column, then the columns left of it, then those right of it as mirror images of the left ones,
 * bit by bit. The ball's own bit is omitted: the bits above it move down by one.
 *
 * The ball is left of the middle or on the middle column. If it is left of the middle, a position's number is
 * the ball's first number plus the set. If it is on the middle column, only one of two mirror images of a set
 * is numbered: the one whose right part r (its bits as a number) is at most its left part l. The number is
 * the ball's first number + (l (l + 1) / 2 + r) · 2^(bits below) + the bits below. If both parts are equal,
 * both images have a number.
 *
 * A phb_board is filled once and then only read; it owns nothing.
 */
#ifndef GAMES_PHUTBALL_BOARD_H
#define GAMES_PHUTBALL_BOARD_H

#include "games/phutball/rules.h"

enum { PHB_TABLE_POINTS = 48 };

typedef struct {
  int rows, columns, points;
  bool has_middle;
  int low_bits;                         /* 0, 6 or 8 */
  int middle_bits;                      /* number of points of the middle column above the low bits */
  int side_bits;                        /* number of points of each side above the low bits */
  uint8_t bit_of[PHB_TABLE_POINTS];     /* [point] bit */
  uint8_t point_of[PHB_TABLE_POINTS];   /* [bit] point */
  uint8_t mirror_bit[PHB_TABLE_POINTS]; /* [bit] bit of the mirror image */
  uint8_t flip_bit[PHB_TABLE_POINTS];   /* [bit] bit of the same point with rows reversed, that is, turned by
                                           180° and mirrored */
  uint64_t flipped[PHB_TABLE_POINTS / 4][16]; /* [four bits][value of these bits] set with rows reversed */
  int balls;                                  /* number of points of the ball that are numbered */
  uint8_t ball[PHB_TABLE_POINTS];             /* points of the ball, by rising row, then column */
  uint8_t ball_of[PHB_TABLE_POINTS];          /* [point] place in `ball`, or 0xFF */
  uint64_t first[PHB_TABLE_POINTS +
                 1]; /* [balls + 1] first number of each ball, then the number of all positions */
} phb_board;

/* Lays out a board. Returns false if it has fewer than 3 rows or no column, or is too large for a table. */
bool phb_board_open(int rows, int columns, phb_board *out);
bool phb_board_of_slice(uint32_t slice, phb_board *out);

static inline uint32_t phb_slice(int rows, int columns) {
  return (uint32_t)rows * 32 + (uint32_t)columns;
}

/* Remove the ball's own bit, which is 0, from a set of men, and insert it again. */
static inline uint64_t phb_remove_bit(uint64_t set, int ball_bit) {
  const uint64_t below = (UINT64_C(1) << ball_bit) - 1;
  return (set & below) | (set >> 1 & ~below);
}
static inline uint64_t phb_insert_bit(uint64_t squeezed, int ball_bit) {
  const uint64_t below = (UINT64_C(1) << ball_bit) - 1;
  return (squeezed & below) | (squeezed & ~below) << 1;
}

/* Return the part of a set left or right of the middle column, from its bits above the low ones. */
static inline uint64_t phb_left_of(const phb_board *board, uint64_t high) {
  return high >> board->middle_bits & ((UINT64_C(1) << board->side_bits) - 1);
}
static inline uint64_t phb_right_of(const phb_board *board, uint64_t high) {
  return high >> (board->middle_bits + board->side_bits);
}

/* phb_mirror_set returns the bits of the mirror image. phb_flip_set returns the bits with rows reversed, that
 * is, turned by 180° and mirrored. */
uint64_t phb_mirror_set(const phb_board *board, uint64_t set);
uint64_t phb_flip_set(const phb_board *board, uint64_t set);

/* True if this image of a set is numbered when the ball is on the middle column. */
bool phb_is_first_image(const phb_board *board, uint64_t set);

/* True if both images of a position have a number. It is the same number if the position is its own image. */
bool phb_has_both_images(const phb_board *board, int ball, uint64_t set);

/* phb_rank returns the number of a position as the mover sees it, or of its mirror image. phb_unrank does the
 * reverse. `set` has the bits of all points. */
uint64_t phb_rank(const phb_board *board, int ball, uint64_t set);
void phb_unrank(const phb_board *board, uint64_t number, int *ball, uint64_t *set);

/* phb_number_of returns the number of a live position, phb_position_of the position of a number with Ohs to
 * move (place.c). */
uint64_t phb_number_of(const phb_board *board, const phb_position *position);
phb_position phb_position_of(const phb_board *board, uint64_t number);

/* Sets *both to phb_has_both_images of position `number`. Returns the end of the run of numbers, from there
 * on, for which it is the same. */
uint64_t phb_find_images_run_end(const phb_board *board, uint64_t number, bool *both);

/* Members of game.h, in place.c. `locate` returns false for boards that no table has, and if the ball is on a
 * goal line. */
GAME_MEMBER(slices) phb_slices;
GAME_MEMBER(slice_name) phb_slice_name;
GAME_MEMBER(slice_named) phb_slice_named;
GAME_MEMBER(alike) phb_alike;
GAME_MEMBER(positions) phb_positions;
GAME_MEMBER(slice_of) phb_slice_of;
GAME_MEMBER(position_slice) phb_position_slice;
GAME_MEMBER(locate) phb_locate;
GAME_MEMBER(position_at) phb_position_at;
GAME_MEMBER(numbers) phb_numbers;
GAME_MEMBER(copies) phb_copies;

/* Members of game.h, in batch.c. */
GAME_MEMBER(ended) phb_ended;
GAME_MEMBER(expand) phb_expand, phb_retract;

extern const game_bitboards phb_bitboards;

#endif
