/* Histories of the boards with n seeds.
 *
 * A history begins on the board right after a capture and continues by quiet moves, none of which leads to a
 * position met before. This module finds the boards that a capture leads to, the least and the largest worth
 * of each board after random histories, and two short histories after which a board has different worths.
 *
 * An auale_histories owns its arrays until auale_histories_close. Marks in the slice are the same after a
 * call as before it, except after auale_history_set_marks. One thread at a time uses it.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_HISTORIES_H
#define ANALYSIS_CLAIMS_AUALE_HISTORIES_H

#include "analysis/claims/auale/lines.h"

enum { HISTORY_MOST_MOVES = 40 };

typedef struct {
  uint32_t entry; /* board right after the capture, whose node is 2 · entry */
  int moves;
  uint8_t move[HISTORY_MOST_MOVES]; /* [moves] number of each move in its lines_board */
  int worth;                        /* worth to the side to move after the history */
} auale_history;

typedef struct {
  uint32_t board;
  auale_history low, high;
} history_pair;

typedef struct {
  auale_lines *lines;
  lines_slice *slice;
  /* [boards] A position from which a capture leads to the board, or slice 0 if there is none. */
  game_place *before;
  bool *reached;      /* [boards] true if a history leads to the board */
  int8_t *low, *high; /* [boards] least and largest worth found, low > high if none is */
  uint32_t *line;     /* [2 × boards] nodes of a random line */
  arena arrays;
} auale_histories;

/* Opens the histories of the boards with `seeds` seeds. After success the caller calls auale_histories_close.
 * Errors: TAULER_NO_MEMORY, those of the game's moves. */
tauler_error auale_histories_open(auale_lines *lines, int seeds, auale_histories *out,
                                  tauler_message *message);
void auale_histories_close(auale_histories *histories);

/* Plays random lines, always the same ones, and notes worths, until worths at both bounds are found for every
 * reached board, or the slice's `work` has grown by about `effort`. */
enum { HISTORY_EFFORT = 300000000, HISTORY_EFFORT_LIMITED = 8000000 };
void auale_histories_walk(auale_histories *histories, uint64_t effort);

/* Looks for two histories of one board after which its worths differ by `gap` or more. If there are such,
 * sets *found to true and *out to them. Tries short histories first, up to `longest` moves,
 * HISTORY_MOST_MOVES at most; skips worths that take too long. Errors: TAULER_NO_MEMORY. */
tauler_error auale_histories_find(auale_histories *histories, int gap, int longest, history_pair *out,
                                  bool *found, tauler_message *message);

/* Sets the marks of all nodes of a history, except the last one, to `mark`. Returns the last node. */
uint32_t auale_history_set_marks(lines_slice *slice, const auale_history *history, bool mark);

#endif
