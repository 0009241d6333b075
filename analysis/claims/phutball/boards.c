/* The boards of phutball-small-boards: which there are, and what their tables say. */
#include "analysis/claims/phutball/boards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/tally.h"

/* Boards that take seconds in all. Those of one or two columns have kernels of their own, which are slower.
 */
enum { LEAST_ROWS = 3, SMALL_POINTS = 21, NARROW = 2, NARROW_POINTS = 16, TABLE_POINTS = 48 };
enum { PIECE = 1 << 15 };

/* --- which boards --- */

static bool is_small(int rows, int columns) {
  return rows * columns <= (columns <= NARROW ? NARROW_POINTS : SMALL_POINTS);
}

static tauler_error add_board(claim_tables *t, const char *name, phutball_boards *boards,
                              tauler_message *message) {
  const game *g = t->tables->game;
  const game_request request = {.board = name};
  game_slices slices = {0};
  phutball_board *grown = realloc(boards->boards, (boards->used + 1) * sizeof *grown);
  if (!grown) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of boards");
  boards->boards = grown;
  const tauler_error error = g->slices(t->tables->rules, &request, &slices, message);
  if (error) return error;
  phutball_board board = {.slice = slices.slices[0].slice};
  free(slices.slices);
  char canonical[GAME_TEXT_BYTES];
  g->slice_name(t->tables->rules, board.slice, canonical);
  snprintf(board.name, sizeof board.name, "%.15s", canonical);
  if (sscanf(board.name, "%dx%d", &board.rows, &board.columns) != 2)
    return tauler_fail(message, TAULER_INTERNAL, "'%s' is no board", board.name);
  boards->boards[boards->used++] = board;
  return TAULER_OK;
}

static tauler_error add_if_there(claim_tables *t, const char *name, phutball_boards *boards,
                                 tauler_message *message) {
  bool have = false;
  tauler_error error = add_board(t, name, boards, message);
  if (!error) error = claim_tables_have(t, boards->boards[boards->used - 1].slice, &have, message);
  if (!error && !have) boards->used--;
  return error;
}

static tauler_error add_all(claim_tables *t, phutball_boards *boards, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int columns = 1; columns <= BOARD_MOST_COLUMNS; columns++) {
    for (int rows = LEAST_ROWS; rows * columns <= TABLE_POINTS && !error; rows++) {
      char name[BOARD_NAME_BYTES];
      snprintf(name, sizeof name, "%dx%d", rows, columns);
      error = is_small(rows, columns) ? add_board(t, name, boards, message)
                                      : add_if_there(t, name, boards, message);
    }
  }
  return error;
}

static int by_size(const void *one, const void *other) {
  const phutball_board *a = one, *b = other;
  const int points = a->rows * a->columns - b->rows * b->columns;
  return points ? points : a->columns - b->columns;
}

tauler_error phutball_boards_choose(claim_tables *t, phutball_boards *boards, tauler_message *message) {
  *boards = (phutball_boards){NULL, 0};
  tauler_error error =
      t->job->board ? add_board(t, t->job->board, boards, message) : add_all(t, boards, message);
  if (!error) qsort(boards->boards, boards->used, sizeof *boards->boards, by_size);
  for (size_t i = 0; i < boards->used && !error; i++)
    error = claim_tables_need(t, &(game_request){.board = boards->boards[i].name}, message);
  return error;
}

uint64_t phutball_board_positions(const phutball_board *board) {
  return (uint64_t)(board->rows - 2) * (uint64_t)board->columns << (board->rows * board->columns - 1);
}

tauler_error phutball_board_start(const claim_tables *t, const phutball_board *board, int row, int column,
                                  game_place *out, tauler_message *message) {
  const game *g = t->tables->game;
  char text[GAME_TEXT_BYTES];
  size_t used = 0;
  for (int r = board->rows; r >= 1; r--) {
    const int left = column, right = board->columns - 1 - column;
    if (r != row) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%d", board->columns);
    } else {
      if (left) used += (size_t)snprintf(text + used, sizeof text - used, "%d", left);
      used += (size_t)snprintf(text + used, sizeof text - used, "o");
      if (right) used += (size_t)snprintf(text + used, sizeof text - used, "%d", right);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, r > 1 ? "/" : " O");
  }
  game_position position;
  const tauler_error error = g->parse(t->tables->rules, text, &position, message);
  if (error) return error;
  if (g->locate(t->tables->rules, &position, out)) return TAULER_OK;
  return tauler_fail(message, TAULER_INTERNAL, "'%s' has no place in a table", text);
}

/* --- what the cells say --- */

static void take_counts(const tally *counted, phutball_board *board) {
  for (size_t i = 0; i < counted->used; i++) {
    const tally_row *row = &counted->slots[i];
    const int value = row->cell.lower, depth = row->cell.depth_lower;
    if (value == 0) board->draws += row->count;
    if (value > 0) board->wins += row->count;
    if (value < 0) board->losses += row->count;
    if (value > 0 && depth > board->longest_win) board->longest_win = depth;
    if (value < 0 && depth > board->longest_loss) board->longest_loss = depth;
  }
}

static int count_men(const claim_tables *t, game_place place) {
  char text[GAME_TEXT_BYTES];
  game_position position;
  int men = 0;
  t->tables->game->position_at(t->tables->rules, place, &position);
  t->tables->game->print(t->tables->rules, &position, text);
  for (const char *at = text; *at; at++) men += *at == 'x';
  return men;
}

static void take_draw(phutball_board *board, int men, uint64_t index) {
  if (board->fewest_men >= 0 &&
      (men > board->fewest_men || (men == board->fewest_men && index > board->smallest)))
    return;
  board->fewest_men = men;
  board->smallest = index;
}

static tauler_error find_in_piece(const claim_tables *t, uint64_t first, size_t count, plain_cell *cells,
                                  uint8_t *copies, phutball_board *own, tauler_message *message) {
  const tauler_error error = cells_read(t->tables, own->slice, NULL, first, count, false, cells, message);
  if (error) return error;
  t->tables->game->copies(t->tables->rules, own->slice, first, count, copies);
  for (size_t i = 0; i < count; i++) {
    if (cells[i].lower == 0 && copies[i])
      take_draw(own, count_men(t, (game_place){own->slice, first + i}), first + i);
  }
  return TAULER_OK;
}

/* Threads take pieces in turn; which draw is the smallest does not depend on it. */
static tauler_error find_smallest(const claim_tables *t, phutball_board *board, tauler_message *message) {
  const uint64_t total = t->tables->game->positions(t->tables->rules, board->slice);
  tauler_error result = TAULER_OK;
  board->fewest_men = -1;
#pragma omp parallel num_threads(t->job->threads)
  {
    phutball_board own = *board;
    tauler_message why = {""};
    plain_cell *cells = malloc(PIECE * sizeof *cells);
    uint8_t *copies = malloc(PIECE);
    tauler_error error =
        cells && copies ? TAULER_OK : tauler_fail(&why, TAULER_NO_MEMORY, "no memory to look for draws");
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t first = 0; first < total; first += PIECE) {
      const size_t count = (size_t)(total - first < PIECE ? total - first : PIECE);
      if (!error) error = find_in_piece(t, first, count, cells, copies, &own, &why);
    }
#pragma omp critical(claims_smallest_draw)
    {
      if (own.fewest_men >= 0) take_draw(board, own.fewest_men, own.smallest);
      if (error && !result) result = tauler_fail(message, error, "%s", why.text);
    }
    free(cells);
    free(copies);
  }
  return result;
}

tauler_error phutball_board_count(claim_tables *t, phutball_board *board, tauler_message *message) {
  const tally_settings settings = {.with_depths = true, .threads = t->job->threads};
  tally counted = {0};
  tauler_error error = tally_slice(t->tables, board->slice, NULL, &settings, &counted, message);
  if (!error) {
    tally_sort(&counted);
    take_counts(&counted, board);
  }
  tally_free(&counted);
  return !error && board->draws ? find_smallest(t, board, message) : error;
}
