/* What the claims about small boards of Phutball look at: boards, their counts, and their drawn positions.
 * Shared by the files of phutball-small-boards. */
#ifndef ANALYSIS_CLAIMS_PHUTBALL_BOARDS_H
#define ANALYSIS_CLAIMS_PHUTBALL_BOARDS_H

#include "analysis/claims/claim_tables.h"

enum { BOARD_NAME_BYTES = 16, BOARD_MOST_COLUMNS = 19 };

typedef struct {
  int rows, columns;
  char name[BOARD_NAME_BYTES]; /* "7x3" */
  uint32_t slice;
  uint64_t wins, losses, draws;  /* positions as the mover sees them, mirror images counted */
  int longest_win, longest_loss; /* plies; 0: none */
  /* Of the drawn positions the one with the fewest men, and of those the one with the least number. */
  int fewest_men;
  uint64_t smallest;
} phutball_board;

typedef struct {
  phutball_board *boards; /* by points, then columns */
  size_t used;
} phutball_boards;

/* The board of job->board alone, its tables built; or else all small ones, likewise, and the larger ones
 * whose tables are there. The caller frees boards->boards. */
tauler_error phutball_boards_choose(claim_tables *t, phutball_boards *boards, tauler_message *message);

/* Reads all cells of a board and fills in what was found. */
tauler_error phutball_board_count(claim_tables *t, phutball_board *board, tauler_message *message);

/* How many positions there are by the rules: (R − 2) · C · 2^(RC − 1). */
uint64_t phutball_board_positions(const phutball_board *board);

/* The empty board with the ball on a point, Ohs to move. */
tauler_error phutball_board_start(const claim_tables *t, const phutball_board *board, int row, int column,
                                  game_place *out, tauler_message *message);

/* Shows a drawn position, play that comes back to a position, and how that was checked again. */
tauler_error phutball_draw_witness(claim_tables *t, const phutball_board *board, report *out,
                                   tauler_message *message);

#endif
