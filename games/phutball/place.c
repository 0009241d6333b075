/* Converts positions of Phutball to indexes and back, and names boards as slices. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "games/phutball/board.h"

enum { NAME_BYTES = 16 };

/* Reads "6x4": 6 rows, 4 columns. */
static bool read_size(const char *text, uint64_t *rows, uint64_t *columns) {
  char first[NAME_BYTES];
  const char *cross = strchr(text, 'x');
  const size_t length = cross ? (size_t)(cross - text) : sizeof first;
  if (length >= sizeof first) return false;
  memcpy(first, text, length);
  first[length] = '\0';
  return text_read_unsigned(first, 0, UINT32_MAX, rows) &&
         text_read_unsigned(cross + 1, 0, UINT32_MAX, columns);
}

static tauler_error read_board_size(const char *text, uint32_t *slice, tauler_message *message) {
  uint64_t rows, columns;
  if (!text)
    return tauler_fail(message, TAULER_BAD_USAGE, "phutball needs --board with rows x columns, like 6x4");
  if (!read_size(text, &rows, &columns))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "phutball needs --board with rows x columns, like 6x4, not '%.40s'", text);
  if (rows < PHB_LEAST_ROWS)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the board %.40s has fewer than %d rows: the ball needs one between the goal lines",
                       text, PHB_LEAST_ROWS);
  if (columns < 1 || columns > PHB_MOST_COLUMNS)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the board %.40s has %s columns: there are 1 to %d, and rows are said first", text,
                       columns < 1 ? "no" : "too many", PHB_MOST_COLUMNS);
  if (rows > PHB_TABLE_POINTS || rows * columns > PHB_TABLE_POINTS)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the board %.40s has more than %d points: no table holds it", text, PHB_TABLE_POINTS);
  *slice = phb_slice((int)rows, (int)columns);
  return TAULER_OK;
}

tauler_error phb_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message) {
  *out = (game_slices){0};
  uint32_t slice = 0;
  const tauler_error error = read_board_size(request->board, &slice, message);
  return error ? error
               : game_slices_add(out, (game_slice){slice, true, phb_positions(rules, slice)}, message);
}

void phb_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%ux%u", slice / 32, slice % 32);
}

bool phb_slice_named(const game_rules *rules, const char *name, uint32_t *slice) {
  uint32_t found = 0;
  char right[GAME_TEXT_BYTES];
  if (read_board_size(name, &found, NULL)) return false;
  phb_slice_name(rules, found, right);
  if (strcmp(right, name) != 0) return false;
  *slice = found;
  return true;
}

/* Returns the board with one row less or, if it has only three rows, with two columns less, which keeps a
 * middle column. Returns the same board if there is no smaller one. */
uint32_t phb_alike(const game_rules *rules, uint32_t slice) {
  const int rows = (int)(slice / 32), columns = (int)(slice % 32);
  if (rows > PHB_LEAST_ROWS) return phb_slice(rows - 1, columns);
  return columns > 2 ? phb_slice(rows, columns - 2) : slice;
}

uint64_t phb_positions(const game_rules *rules, uint32_t slice) {
  phb_board board;
  return phb_board_of_slice(slice, &board) ? board.first[board.balls] : 0;
}

uint32_t phb_slice_of(const game_rules *rules, const game_position *game) {
  const phb_position position = phb_from_game(game);
  phb_board board;
  if (!phb_board_open(position.rows, position.columns, &board)) return GAME_NO_SLICE;
  return phb_slice(position.rows, position.columns);
}

void phb_position_slice(const game_rules *rules, const game_position *game, char name[GAME_TEXT_BYTES]) {
  const phb_position position = phb_from_game(game);
  phb_slice_name(rules, phb_slice(position.rows, position.columns), name);
}

/* Returns a point as the mover sees it, who attacks the last row. */
static int seen_point(const phb_board *board, const phb_position *position, int point) {
  return position->side == PHB_OHS ? point : board->points - 1 - point;
}

uint64_t phb_number_of(const phb_board *board, const phb_position *position) {
  uint64_t set = 0;
  for (int point = 0; point < board->points; point++) {
    if (phb_has_man(position, point)) set |= UINT64_C(1) << board->bit_of[seen_point(board, position, point)];
  }
  return phb_rank(board, seen_point(board, position, position->ball), set);
}

phb_position phb_position_of(const phb_board *board, uint64_t number) {
  phb_position position = {.side = PHB_OHS, .rows = (uint8_t)board->rows, .columns = (uint8_t)board->columns};
  int ball;
  uint64_t set;
  phb_unrank(board, number, &ball, &set);
  position.ball = (uint16_t)ball;
  for (; set; set &= set - 1) phb_set_man(&position, board->point_of[__builtin_ctzll(set)], true);
  return position;
}

bool phb_locate(const game_rules *rules, const game_position *game, game_place *out) {
  const phb_position position = phb_from_game(game);
  phb_board board;
  if (!phb_board_open(position.rows, position.columns, &board)) return false;
  const int row = position.ball / board.columns;
  if (row < 1 || row > board.rows - 2) return false;
  *out = (game_place){phb_slice(board.rows, board.columns), phb_number_of(&board, &position)};
  return true;
}

void phb_position_at(const game_rules *rules, game_place place, game_position *out) {
  phb_board board;
  const bool known = phb_board_of_slice(place.slice, &board);
  const phb_position position =
      known ? phb_position_of(&board, place.index) : (phb_position){.side = PHB_OHS};
  phb_to_game(&position, out);
}

size_t phb_numbers(const game_rules *rules, const game_position *game, int8_t *out) {
  const phb_position position = phb_from_game(game);
  const int points = position.rows * position.columns;
  for (int point = 0; out && point < points; point++) out[point] = phb_has_man(&position, point);
  if (out) out[position.ball] = 2;
  return (size_t)points;
}

void phb_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  phb_board board;
  memset(out, 0, count);
  if (!phb_board_of_slice(slice, &board)) return;
  while (count > 0) {
    bool both;
    const uint64_t length = phb_find_images_run_end(&board, first, &both) - first;
    const size_t taken = length < count ? (size_t)length : count;
    memset(out, both ? 1 : 2, taken);
    out += taken;
    first += taken;
    count -= taken;
  }
}
