/* The small boards of Phutball that claims look at: boards, their counts, and their drawn positions. */
#ifndef ANALYSIS_CLAIMS_PHUTBALL_BOARDS_H
#define ANALYSIS_CLAIMS_PHUTBALL_BOARDS_H

#include "analysis/claims/claim_tables.h"

enum { BOARD_NAME_BYTES = 16, BOARD_MOST_COLUMNS = 19 };

typedef struct {
  int rows, columns;
  char name[BOARD_NAME_BYTES]; /* "7x3" */
  uint32_t slice;
  uint64_t wins, losses, draws;  /* positions as the mover sees them, mirror images counted */
  int longest_win, longest_loss; /* plies, or 0 */
  /* The drawn position with the fewest men; of several the one with the least number. */
  int fewest_men;
  uint64_t smallest;
} phutball_board;

typedef struct {
  phutball_board *boards; /* by points, then columns */
  size_t used, room;
} phutball_boards;

/* Errors of all of these are kept with the tables.
 *
 * The board of job->board alone, its tables built; or else all small ones, likewise, and the larger ones
 * whose tables are there; with most_points all of three columns or more up to so many points. The caller
 * frees boards->boards. */
void phutball_boards_choose(claim_tables *t, int most_points, phutball_boards *boards);

/* Reads all cells of a board and fills in what was found. */
void phutball_board_count(claim_tables *t, phutball_board *board);

/* The empty board with the ball on a point, Ohs to move: its place, and what it is worth to Ohs. */
game_place phutball_board_start(const claim_tables *t, const phutball_board *board, int row, int column);
int phutball_board_ask(claim_tables *t, const phutball_board *board, int row, int column, int *depth);

#endif
