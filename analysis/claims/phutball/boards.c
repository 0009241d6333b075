/* The small boards of Phutball: which there are, and what their tables say. */
#include "analysis/claims/phutball/boards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/tally.h"
#include "base/memory.h"

/* Boards that take seconds in all. Those of one or two columns have kernels of their own, which are slower.
 */
enum { LEAST_ROWS = 3, SMALL_POINTS = 21, NARROW = 2, NARROW_POINTS = 16, TABLE_POINTS = 48 };
enum { PIECE = 1 << 15 };

/* --- which boards --- */

static bool is_small(int rows, int columns) {
  return rows * columns <= (columns <= NARROW ? NARROW_POINTS : SMALL_POINTS);
}

static void add_board(claim_tables *t, const char *name, phutball_boards *boards) {
  const game_request request = {.board = name};
  claim_error *out = t->kept;
  game_slices slices = {0};
  if (!memory_make_room(&boards->boards, &boards->room, boards->used + 1, sizeof *boards->boards))
    claim_fail(out, TAULER_NO_MEMORY, "no memory for a list of boards");
  if (CLAIM_CATCH(out, t->game->slices(t->rules, &request, &slices, &out->message))) return;
  phutball_board board = {.slice = slices.slices[0].slice};
  free(slices.slices);
  char canonical[GAME_TEXT_BYTES];
  t->game->slice_name(t->rules, board.slice, canonical);
  snprintf(board.name, sizeof board.name, "%.15s", canonical);
  if (sscanf(board.name, "%dx%d", &board.rows, &board.columns) != 2)
    claim_fail(out, TAULER_INTERNAL, "'%s' is no board", board.name);
  boards->boards[boards->used++] = board;
}

/* Without most_points large boards are added only if their tables are there; with it narrow ones are left
 * out. */
static void add_all(claim_tables *t, int most_points, phutball_boards *boards) {
  const int most = most_points ? most_points : TABLE_POINTS;
  for (int columns = most_points ? NARROW + 1 : 1; columns <= BOARD_MOST_COLUMNS; columns++) {
    for (int rows = LEAST_ROWS; rows * columns <= most && !t->kept->error; rows++) {
      char name[BOARD_NAME_BYTES];
      snprintf(name, sizeof name, "%dx%d", rows, columns);
      add_board(t, name, boards);
      if (t->kept->error || most_points || is_small(rows, columns)) continue;
      if (!claim_tables_have(t, boards->boards[boards->used - 1].slice)) boards->used--;
    }
  }
}

static int by_size(const void *one, const void *other) {
  const phutball_board *a = one, *b = other;
  const int points = a->rows * a->columns - b->rows * b->columns;
  return points ? points : a->columns - b->columns;
}

void phutball_boards_choose(claim_tables *t, int most_points, phutball_boards *boards) {
  *boards = (phutball_boards){0};
  if (t->job->board) {
    add_board(t, t->job->board, boards);
  } else {
    add_all(t, most_points, boards);
  }
  if (boards->used) qsort(boards->boards, boards->used, sizeof *boards->boards, by_size);
  for (size_t i = 0; i < boards->used && !t->kept->error; i++)
    claim_tables_need(t, &(game_request){.board = boards->boards[i].name});
}

game_place phutball_board_start(const claim_tables *t, const phutball_board *board, int row, int column) {
  claim_position_text at;
  game_position position;
  game_place place = {0, 0};
  size_t used = 0;
  for (int r = board->rows; r >= 1; r--) {
    const int left = column, right = board->columns - 1 - column;
    if (r != row) {
      used += (size_t)snprintf(at.text + used, sizeof at.text - used, "%d", board->columns);
    } else {
      if (left) used += (size_t)snprintf(at.text + used, sizeof at.text - used, "%d", left);
      used += (size_t)snprintf(at.text + used, sizeof at.text - used, "o");
      if (right) used += (size_t)snprintf(at.text + used, sizeof at.text - used, "%d", right);
    }
    used += (size_t)snprintf(at.text + used, sizeof at.text - used, r > 1 ? "/" : " O");
  }
  if (claim_parse(t, at.text, &position) && !t->game->locate(t->rules, &position, &place))
    claim_fail(t->kept, TAULER_INTERNAL, "'%s' has no place in a table", at.text);
  return place;
}

int phutball_board_ask(claim_tables *t, const phutball_board *board, int row, int column, int *depth) {
  return claim_tables_ask(t, phutball_board_start(t, board, row, column), depth);
}

/* --- what the cells say --- */

static void add_counts(const tally *counted, phutball_board *board) {
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
  const game_position position = claim_position_at(t, place);
  const claim_position_text text = claim_print(t, &position);
  int men = 0;
  for (const char *at = text.text; *at; at++) men += *at == 'x';
  return men;
}

static void note_draw(phutball_board *board, int men, uint64_t index) {
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
  t->game->copies(t->rules, own->slice, first, count, copies);
  for (size_t i = 0; i < count; i++) {
    if (cells[i].lower == 0 && copies[i])
      note_draw(own, count_men(t, (game_place){own->slice, first + i}), first + i);
  }
  return TAULER_OK;
}

/* Threads take pieces in turn; which draw is the smallest does not depend on it. */
static void find_smallest(const claim_tables *t, phutball_board *board) {
  const uint64_t total = t->game->positions(t->rules, board->slice);
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
      if (own.fewest_men >= 0) note_draw(board, own.fewest_men, own.smallest);
      if (error) claim_fail(t->kept, error, "%s", why.text);
    }
    free(cells);
    free(copies);
  }
}

void phutball_board_count(claim_tables *t, phutball_board *board) {
  const tally_settings settings = {.with_depths = true, .threads = t->job->threads};
  tally counted = {0};
  if (!CLAIM_CATCH(t->kept,
                   tally_slice(t->tables, board->slice, NULL, &settings, &counted, &t->kept->message))) {
    tally_sort(&counted);
    add_counts(&counted, board);
  }
  tally_free(&counted);
  if (!t->kept->error && board->draws) find_smallest(t, board);
}
