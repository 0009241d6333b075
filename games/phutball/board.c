/* Numbers the positions of a board of Phutball. */
#include "games/phutball/board.h"

#include <math.h>
#include <string.h>

enum { NONE = 0xFF };

static void add_point(phb_board *board, int *used, int row, int column) {
  const int point = row * board->columns + column;
  board->bit_of[point] = (uint8_t)*used;
  board->point_of[(*used)++] = (uint8_t)point;
}

static void add_goal_pair(phb_board *board, int *used, int row, int column) {
  add_point(board, used, row, column);
  add_point(board, used, row, board->columns - 1 - column);
}

static void order_low_bits(phb_board *board, int *used) {
  const int last = board->rows - 1, middle = board->columns / 2;
  if (board->columns < 3) return;
  if (board->has_middle) {
    add_point(board, used, 0, middle);
    add_point(board, used, last, middle);
  }
  add_goal_pair(board, used, 0, 0);
  add_goal_pair(board, used, last, 0);
  if (board->has_middle) return;
  add_goal_pair(board, used, 0, 1);
  add_goal_pair(board, used, last, 1);
}

static bool is_numbered(const phb_board *board, int row, int column) {
  return board->bit_of[row * board->columns + column] != NONE;
}

static void order_bits(phb_board *board) {
  const int columns = board->columns;
  int used = 0;
  memset(board->bit_of, NONE, sizeof board->bit_of);
  order_low_bits(board, &used);
  board->low_bits = used;
  for (int row = 0; board->has_middle && row < board->rows; row++) {
    if (!is_numbered(board, row, columns / 2)) add_point(board, &used, row, columns / 2);
  }
  board->middle_bits = used - board->low_bits;
  const int left = used;
  for (int row = 0; row < board->rows; row++) {
    for (int column = 0; column < columns / 2; column++) {
      if (!is_numbered(board, row, column)) add_point(board, &used, row, column);
    }
  }
  board->side_bits = used - left;
  for (int bit = left; bit < left + board->side_bits; bit++) {
    const int point = board->point_of[bit];
    add_point(board, &used, point / columns, columns - 1 - point % columns);
  }
}

static void fill_image_tables(phb_board *board) {
  const int columns = board->columns;
  for (int bit = 0; bit < board->points; bit++) {
    const int row = board->point_of[bit] / columns, column = board->point_of[bit] % columns;
    board->mirror_bit[bit] = board->bit_of[row * columns + columns - 1 - column];
    board->flip_bit[bit] = board->bit_of[(board->rows - 1 - row) * columns + column];
  }
  for (int part = 0; part < PHB_TABLE_POINTS / 4; part++) {
    for (int set = 1; set < 16; set++) {
      const int bit = 4 * part + __builtin_ctz((unsigned)set);
      const uint64_t image = bit < board->points ? UINT64_C(1) << board->flip_bit[bit] : 0;
      board->flipped[part][set] = board->flipped[part][set & (set - 1)] | image;
    }
  }
}

static bool is_middle(const phb_board *board, int ball) {
  return board->has_middle && ball % board->columns == board->columns / 2;
}

/* Returns the number of bits below the side bits, without the ball's own, if the ball is on the middle
 * column. */
static int count_bits_below(const phb_board *board) {
  return board->low_bits + board->middle_bits - 1;
}

/* Returns the number of pairs l', r with r ≤ l' < l. */
static uint64_t count_pairs_below(uint64_t l) {
  return l * (l + 1) / 2;
}

static void number_balls(phb_board *board) {
  const int columns = board->columns;
  memset(board->ball_of, NONE, sizeof board->ball_of);
  uint64_t first = 0;
  for (int row = 1; row < board->rows - 1; row++) {
    for (int column = 0; column < (columns + 1) / 2; column++) {
      const int point = row * columns + column;
      board->ball_of[point] = (uint8_t)board->balls;
      board->ball[board->balls] = (uint8_t)point;
      board->first[board->balls++] = first;
      first += is_middle(board, point)
                   ? count_pairs_below(UINT64_C(1) << board->side_bits) << count_bits_below(board)
                   : UINT64_C(1) << (board->points - 1);
    }
  }
  board->first[board->balls] = first;
}

bool phb_board_open(int rows, int columns, phb_board *out) {
  if (rows < PHB_LEAST_ROWS || rows > PHB_TABLE_POINTS) return false;
  if (columns < 1 || columns > PHB_MOST_COLUMNS || rows * columns > PHB_TABLE_POINTS) return false;
  memset(out, 0, sizeof *out);
  out->rows = rows;
  out->columns = columns;
  out->points = rows * columns;
  out->has_middle = columns % 2 == 1;
  order_bits(out);
  fill_image_tables(out);
  number_balls(out);
  return true;
}

bool phb_board_of_slice(uint32_t slice, phb_board *out) {
  return phb_board_open((int)(slice / 32), (int)(slice % 32), out);
}

/* Exchanges bits i and i + 1 for even i, if `pairs` has them. */
static uint64_t exchange_pairs(uint64_t set, uint64_t pairs) {
  return (set & ~pairs) | (set << 1 & pairs & UINT64_C(0xAAAAAAAAAAAAAAAA)) |
         (set >> 1 & pairs & UINT64_C(0x5555555555555555));
}

uint64_t phb_mirror_set(const phb_board *board, uint64_t set) {
  const int left = board->low_bits + board->middle_bits, right = left + board->side_bits;
  const uint64_t below = (UINT64_C(1) << left) - 1, side = (UINT64_C(1) << board->side_bits) - 1;
  /* If the board has low bits and a middle column, the first two low bits are on that column. */
  const uint64_t pairs =
      ((UINT64_C(1) << board->low_bits) - 1) & (board->has_middle ? ~UINT64_C(3) : ~UINT64_C(0));
  return exchange_pairs(set & below, pairs) | set >> right << left | (set >> left & side) << right;
}

uint64_t phb_flip_set(const phb_board *board, uint64_t set) {
  uint64_t flipped = 0;
  for (int part = 0; part < PHB_TABLE_POINTS / 4; part++)
    flipped |= board->flipped[part][set >> (4 * part) & 0xF];
  return flipped;
}

bool phb_is_first_image(const phb_board *board, uint64_t set) {
  return phb_right_of(board, set >> board->low_bits) <= phb_left_of(board, set >> board->low_bits);
}

bool phb_has_both_images(const phb_board *board, int ball, uint64_t set) {
  return is_middle(board, ball) &&
         phb_right_of(board, set >> board->low_bits) == phb_left_of(board, set >> board->low_bits);
}

uint64_t phb_rank(const phb_board *board, int ball, uint64_t set) {
  const int column = ball % board->columns, mirrored = board->columns - 1 - column;
  if (column > mirrored || (column == mirrored && !phb_is_first_image(board, set))) {
    ball += mirrored - column;
    set = phb_mirror_set(board, set);
  }
  const uint64_t first = board->first[board->ball_of[ball]];
  const uint64_t squeezed = phb_remove_bit(set, board->bit_of[ball]);
  if (column != mirrored) return first + squeezed;
  const int below = count_bits_below(board);
  const uint64_t pair = count_pairs_below(phb_left_of(board, set >> board->low_bits)) +
                        phb_right_of(board, set >> board->low_bits);
  return first + (pair << below) + (squeezed & ((UINT64_C(1) << below) - 1));
}

static uint64_t find_left_of_pair(uint64_t pair) {
  uint64_t l = (uint64_t)((sqrt(8 * (double)pair + 1) - 1) / 2);
  while (count_pairs_below(l) > pair) l--;
  while (count_pairs_below(l + 1) <= pair) l++;
  return l;
}

static int ball_of_number(const phb_board *board, uint64_t number) {
  int i = 0;
  while (number >= board->first[i + 1]) i++;
  return i;
}

void phb_unrank(const phb_board *board, uint64_t number, int *ball, uint64_t *set) {
  const int i = ball_of_number(board, number);
  *ball = board->ball[i];
  uint64_t squeezed = number - board->first[i];
  if (is_middle(board, *ball)) {
    const int below = count_bits_below(board);
    const uint64_t pair = squeezed >> below, l = find_left_of_pair(pair), r = pair - count_pairs_below(l);
    squeezed &= (UINT64_C(1) << below) - 1;
    squeezed |= l << below | r << (below + board->side_bits);
  }
  *set = phb_insert_bit(squeezed, board->bit_of[*ball]);
}

uint64_t phb_find_images_run_end(const phb_board *board, uint64_t number, bool *both) {
  const int i = ball_of_number(board, number);
  *both = false;
  if (!is_middle(board, board->ball[i])) return board->first[i + 1];
  /* Of all pairs with the same left part, the last has a right part that is equal to it. */
  const int below = count_bits_below(board);
  const uint64_t pair = (number - board->first[i]) >> below, l = find_left_of_pair(pair);
  const uint64_t last = count_pairs_below(l + 1) - 1;
  *both = pair == last;
  return board->first[i] + ((*both ? last + 1 : last) << below);
}
