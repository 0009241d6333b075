/* Numbers of Phutball's positions: against the header's words, point by point, on small boards exhaustively
 * and on larger ones by drawn positions; and boards as slices. */
#include "games/phutball/board.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball.h"

static bool fits(int rows, int columns) {
  return rows * columns <= PHB_TABLE_POINTS;
}

/* Calls `look` for every board that a table can hold, of at most so many points. */
static void for_boards(int points, void (*look)(const phb_board *board)) {
  phb_board board;
  int seen = 0;
  for (int rows = PHB_LEAST_ROWS; rows <= PHB_TABLE_POINTS; rows++) {
    for (int columns = 1; columns <= PHB_MOST_COLUMNS; columns++) {
      if (!fits(rows, columns) || rows * columns > points) continue;
      HOLDS(phb_board_open(rows, columns, &board));
      look(&board);
      seen++;
    }
  }
  HOLDS(seen > 5);
}

static int point_at(const phb_board *board, int row, int column) {
  return row * board->columns + column;
}

static int mirrored_point(const phb_board *board, int point) {
  return point_at(board, point / board->columns, board->columns - 1 - point % board->columns);
}

static int flipped_point(const phb_board *board, int point) {
  return point_at(board, board->rows - 1 - point / board->columns, point % board->columns);
}

/* --- bits --- */

static void look_at_bits(const phb_board *board) {
  const int columns = board->columns, middle = columns / 2;
  HOLDS(board->points == board->rows * columns && board->has_middle == (columns % 2 == 1));
  HOLDS(board->low_bits == (columns < 3 ? 0 : columns % 2 ? 6 : 8));
  HOLDS(board->low_bits + board->middle_bits + 2 * board->side_bits == board->points);
  const int left = board->low_bits + board->middle_bits, right = left + board->side_bits;
  for (int bit = 0; bit < board->points; bit++) {
    const int point = board->point_of[bit], column = point % columns;
    HOLDS(point < board->points && board->bit_of[point] == bit);
    HOLDS(board->mirror_bit[bit] == board->bit_of[mirrored_point(board, point)]);
    HOLDS(board->flip_bit[bit] == board->bit_of[flipped_point(board, point)]);
    if (bit >= board->low_bits && bit < left) HOLDS(board->has_middle && column == middle);
    if (bit >= left && bit < right)
      HOLDS(column < middle && board->mirror_bit[bit] == bit + board->side_bits);
    const bool follows = bit != board->low_bits && bit != left && bit != right && bit > board->low_bits;
    if (follows && bit < right) HOLDS(point > board->point_of[bit - 1]);
  }
}

CASE(orders_bits) {
  for_boards(PHB_TABLE_POINTS, look_at_bits);
}

static void expect_low_bits(int rows, int columns, const int (*place)[2], int n) {
  phb_board board;
  HOLDS(phb_board_open(rows, columns, &board) && board.low_bits == n);
  for (int bit = 0; bit < n; bit++) {
    const int row = place[bit][0] ? rows - 1 : 0;
    const int column = place[bit][1] < 0 ? columns + place[bit][1] : place[bit][1];
    ck_assert_int_eq(board.point_of[bit], row * columns + column);
  }
}

CASE(low_bits_are_points_of_the_goal_lines) {
  for (int rows = 3; rows <= 16; rows++) {
    for (int columns = 3; columns <= PHB_MOST_COLUMNS; columns++) {
      if (!fits(rows, columns)) continue;
      if (columns % 2) {
        const int m = columns / 2, places[6][2] = {{0, m}, {1, m}, {0, 0}, {0, -1}, {1, 0}, {1, -1}};
        expect_low_bits(rows, columns, places, 6);
      } else {
        const int places[8][2] = {{0, 0}, {0, -1}, {1, 0}, {1, -1}, {0, 1}, {0, -2}, {1, 1}, {1, -2}};
        expect_low_bits(rows, columns, places, 8);
      }
    }
  }
}

static uint64_t image_of(const phb_board *board, uint64_t set, int (*to)(const phb_board *, int)) {
  uint64_t image = 0;
  for (int bit = 0; bit < board->points; bit++) {
    if (set >> bit & 1) image |= UINT64_C(1) << board->bit_of[to(board, board->point_of[bit])];
  }
  return image;
}

static void look_at_images(const phb_board *board) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 100 + board->points; i++) {
    const uint64_t set =
        i < board->points ? UINT64_C(1) << i : draw_below(&state, UINT64_C(1) << board->points);
    HOLDS(phb_mirror_set(board, set) == image_of(board, set, mirrored_point));
    HOLDS(phb_flip_set(board, set) == image_of(board, set, flipped_point));
  }
}

CASE(mirrors_and_flips_sets) {
  for_boards(PHB_TABLE_POINTS, look_at_images);
}

/* --- numbers --- */

static bool is_middle(const phb_board *board, int point) {
  return mirrored_point(board, point) == point;
}

/* Of a number: 2, or 1 if the mirror image has a number too or is the same position. */
static uint64_t copies_of(const phb_board *board, int ball, uint64_t set, uint64_t number) {
  const uint64_t mirrored = phb_mirror_set(board, set);
  const int mirrored_ball = mirrored_point(board, ball);
  const uint64_t other = phb_rank(board, mirrored_ball, mirrored);
  const bool same = ball == mirrored_ball && set == mirrored;
  const bool both = phb_has_both_images(board, ball, set);
  HOLDS(both == (same || other != number));
  return both ? 1 : 2;
}

static uint64_t look_at_number(const phb_board *board, uint64_t number) {
  int ball;
  uint64_t set;
  phb_unrank(board, number, &ball, &set);
  HOLDS(ball / board->columns > 0 && ball / board->columns < board->rows - 1);
  HOLDS(ball % board->columns <= mirrored_point(board, ball) % board->columns);
  HOLDS(set >> board->points == 0 && !(set >> board->bit_of[ball] & 1));
  if (is_middle(board, ball)) HOLDS(phb_is_first_image(board, set));
  HOLDS(phb_rank(board, ball, set) == number);
  return copies_of(board, ball, set, number);
}

static uint64_t all_positions(const phb_board *board) {
  return (uint64_t)((board->rows - 2) * board->columns) << (board->points - 1);
}

static void number_all(const phb_board *board) {
  uint64_t copies = 0;
  for (uint64_t number = 0; number < board->first[board->balls]; number++)
    copies += look_at_number(board, number);
  HOLDS(copies == all_positions(board));
}

CASE(numbers_small_boards) {
  for_boards(15, number_all);
}

/* Every position has a number, and that number stands for it or its mirror image. */
static void rank_all(const phb_board *board) {
  for (int ball = board->columns; ball < board->points - board->columns; ball++) {
    for (uint64_t set = 0; set >> board->points == 0; set++) {
      if (set >> board->bit_of[ball] & 1) continue;
      const uint64_t number = phb_rank(board, ball, set);
      int found;
      uint64_t men;
      HOLDS(number < board->first[board->balls]);
      phb_unrank(board, number, &found, &men);
      const bool same = found == ball && men == set;
      if (!same) HOLDS(mirrored_point(board, found) == ball && phb_mirror_set(board, men) == set);
    }
  }
}

CASE(ranks_small_boards) {
  for_boards(12, rank_all);
}

/* Drawn numbers, and those at the ends of each ball's. */
static void number_some(const phb_board *board) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < board->balls; i++) {
    const uint64_t first = board->first[i], end = board->first[i + 1];
    for (uint64_t k = 0; k < 40 && first + k < end; k++) {
      look_at_number(board, first + k);
      look_at_number(board, end - 1 - k);
      look_at_number(board, first + draw_below(&state, end - first));
    }
  }
}

CASE(numbers_large_boards) {
  for_boards(PHB_TABLE_POINTS, number_some);
}

/* Pairs of parts, written out: (l, r) by rising l, then r. */
CASE(folds_the_middle_column) {
  phb_board board;
  HOLDS(phb_board_open(5, 3, &board));
  const int ball = 4, below = 6 + 3 - 1, left = 6 + 3, sides = 3;
  uint64_t number = board.first[board.ball_of[ball]];
  for (uint64_t l = 0; l < 8; l++) {
    for (uint64_t r = 0; r <= l; r++) {
      for (uint64_t low = 0; low < UINT64_C(1) << below; low++, number++) {
        const uint64_t set = phb_insert_bit(low | l << below | r << (below + sides), board.bit_of[ball]);
        HOLDS((set >> left & 7) == l && set >> (left + sides) == r);
        HOLDS(phb_rank(&board, ball, set) == number);
      }
    }
  }
  HOLDS(number == board.first[board.ball_of[ball] + 1]);
  /* Left of it, a set is its own number. */
  HOLDS(board.first[board.ball_of[3] + 1] - board.first[board.ball_of[3]] == UINT64_C(1) << 14);
  HOLDS(phb_rank(&board, 3, 1) == board.first[board.ball_of[3]] + 1);
}

CASE(counts_positions) {
  static const int64_t sizes[][3] = {{3, 1, 4},    {5, 1, 48},     {7, 1, 320},
                                     {9, 1, 1792}, {4, 4, 131072}, {6, 4, 67108864}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    phb_board board;
    HOLDS(phb_board_open((int)sizes[i][0], (int)sizes[i][1], &board));
    ck_assert_uint_eq(board.first[board.balls], (uint64_t)sizes[i][2]);
  }
}

CASE(refuses_other_boards) {
  static const int sizes[][2] = {{2, 5}, {0, 0},  {3, 0},  {-3, -3},      {3, 17},
                                 {7, 7}, {49, 1}, {3, 20}, {65536, 65536}};
  phb_board board;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    ck_assert(!phb_board_open(sizes[i][0], sizes[i][1], &board));
  ck_assert(phb_board_open(48, 1, &board) && phb_board_open(3, 16, &board) && phb_board_open(6, 8, &board));
}

/* --- positions and slices, as the rest of the program sees them --- */

static const game_rules *const base = NULL; /* numbering asks for no flags */

static game_position turned(const game_position *game) {
  const phb_position position = phb_from_game(game), round = toy_phb_turn_round(&position);
  game_position out;
  phb_to_game(&round, &out);
  return out;
}

static game_position mirrored(const game_position *game) {
  const phb_position position = phb_from_game(game), image = toy_phb_mirror(&position);
  game_position out;
  phb_to_game(&image, &out);
  return out;
}

static bool is_at(const game_position *position, game_place place) {
  game_place found;
  return phb_locate(base, position, &found) && found.slice == place.slice && found.index == place.index;
}

/* The position of a number as it is said point by point. */
static void expect_position(const phb_board *board, uint64_t number, const game_position *game) {
  const phb_position position = phb_from_game(game);
  int ball;
  uint64_t set;
  phb_unrank(board, number, &ball, &set);
  HOLDS(position.rows == board->rows && position.columns == board->columns);
  HOLDS(position.ball == ball && position.side == PHB_OHS);
  for (int point = 0; point < board->points; point++)
    HOLDS(phb_has_man(&position, point) == (set >> board->bit_of[point] & 1));
}

static void look_at_place(const phb_board *board, uint64_t number) {
  const game_place place = {phb_slice(board->rows, board->columns), number};
  game_position position;
  phb_position_at(base, place, &position);
  expect_position(board, number, &position);
  const game_position round = turned(&position), image = mirrored(&position);
  HOLDS(is_at(&position, place) && is_at(&round, place));
  HOLDS(phb_slice_of(base, &round) == place.slice);
  const bool itself = memcmp(&position, &image, sizeof image) == 0;
  uint8_t copies;
  phb_copies(base, place.slice, number, 1, &copies);
  HOLDS(copies == (itself || !is_at(&image, place) ? 1 : 2));
}

static void place_all(const phb_board *board) {
  for (uint64_t number = 0; number < board->first[board->balls]; number++) look_at_place(board, number);
}

static void place_some(const phb_board *board) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < board->balls; i++) {
    const uint64_t first = board->first[i], end = board->first[i + 1];
    look_at_place(board, first);
    look_at_place(board, end - 1);
    for (int k = 0; k < 40; k++) look_at_place(board, first + draw_below(&state, end - first));
  }
}

CASE(places_positions) {
  for_boards(12, place_all);
  for_boards(PHB_TABLE_POINTS, place_some);
}

static game_position position_of(int rows, int columns, int ball) {
  const phb_position position = {
      .ball = (uint16_t)ball, .rows = (uint8_t)rows, .columns = (uint8_t)columns, .side = PHB_OHS};
  game_position out;
  phb_to_game(&position, &out);
  return out;
}

CASE(places_no_other_positions) {
  game_place place;
  game_position position = position_of(7, 7, 24);
  ck_assert(!phb_locate(base, &position, &place));
  ck_assert_uint_eq(phb_slice_of(base, &position), GAME_NO_SLICE);
  position = position_of(19, 15, 24);
  ck_assert(!phb_locate(base, &position, &place));
  ck_assert_uint_eq(phb_slice_of(base, &position), GAME_NO_SLICE);
  /* A ball on a goal line has scored. */
  for (int ball = 0; ball < 20; ball++) {
    position = position_of(5, 4, ball);
    ck_assert_int_eq(phb_locate(base, &position, &place), ball >= 4 && ball < 16);
    ck_assert_uint_eq(phb_slice_of(base, &position), phb_slice(5, 4));
  }
}

/* Runs of copies are as one by one, and count all positions. */
CASE(streams_copies) {
  static const int sizes[][2] = {{3, 1}, {9, 1}, {8, 2}, {3, 3}, {5, 3},
                                 {4, 4}, {3, 5}, {3, 7}, {6, 4}, {5, 5}};
  enum { ROOM = 1 << 16, SHORT = 700 };
  static uint8_t copies[ROOM], part[SHORT];
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    phb_board board;
    HOLDS(phb_board_open(sizes[i][0], sizes[i][1], &board));
    const uint32_t slice = phb_slice(board.rows, board.columns);
    const uint64_t all = board.first[board.balls];
    HOLDS(phb_positions(base, slice) == all);
    uint64_t sum = 0;
    for (uint64_t first = 0; first < all; first += ROOM) {
      const size_t count = all - first < ROOM ? (size_t)(all - first) : ROOM;
      phb_copies(base, slice, first, count, copies);
      for (size_t k = 0; k < count; k++) sum += copies[k];
      const size_t from = (size_t)draw_below(&state, count);
      const size_t length = count - from < SHORT ? count - from : SHORT;
      phb_copies(base, slice, first + from, length, part);
      HOLDS(memcmp(part, copies + from, length) == 0);
    }
    HOLDS(sum == all_positions(&board));
  }
}

CASE(names_slices) {
  char name[GAME_TEXT_BYTES];
  uint32_t slice = 7;
  for (int rows = 3; rows <= PHB_TABLE_POINTS; rows++) {
    for (int columns = 1; columns <= PHB_MOST_COLUMNS; columns++) {
      if (!fits(rows, columns)) continue;
      phb_slice_name(base, phb_slice(rows, columns), name);
      ck_assert(phb_slice_named(base, name, &slice));
      ck_assert_uint_eq(slice, phb_slice(rows, columns));
    }
  }
  phb_slice_name(base, phb_slice(12, 4), name);
  ck_assert_str_eq(name, "12x4");
}

CASE(lists_the_slice) {
  const game_request request = {.board = "6x4"};
  const game_slices list = suite_slices(&phutball_game, base, &request);
  ck_assert_uint_eq(list.used, 1);
  ck_assert_uint_eq(list.slices[0].slice, phb_slice(6, 4));
  ck_assert_uint_eq(list.slices[0].positions, 67108864);
  ck_assert(list.slices[0].asked);
}

SUITE("phutball_board") {
  TESTS(orders_bits, low_bits_are_points_of_the_goal_lines, mirrors_and_flips_sets, refuses_other_boards,
        numbers_small_boards, ranks_small_boards, numbers_large_boards, folds_the_middle_column,
        counts_positions, places_positions, places_no_other_positions, streams_copies, names_slices,
        lists_the_slice);
}
