/* Histories of the boards with n seeds.
 *
 * A history begins on the board right after a capture and goes on by quiet moves, none of which leads to a
 * position met before. This module finds the boards that a capture leads to, the least and the most that each
 * board was worth after the histories looked at, and two short histories after which one board is worth
 * different numbers of seeds.
 *
 * An auale_histories owns its arrays until auale_histories_close. Marks in the slice are the same after a
 * call as before it, except those that auale_history_set_marks makes. One thread at a time.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_HISTORIES_H
#define ANALYSIS_CLAIMS_AUALE_HISTORIES_H

#include "analysis/claims/auale/lines.h"

enum { HISTORY_MOST_MOVES = 40 };

typedef struct {
  uint32_t entry; /* board right after the capture, whose node is 2 · entry */
  int moves;
  uint8_t move[HISTORY_MOST_MOVES]; /* in the order of the board's moves, as lines_board has them */
  int worth;                        /* to the side that moves after it */
} auale_history;

typedef struct {
  uint32_t board;
  auale_history low, high;
} history_pair;

typedef struct {
  auale_lines *lines;
  lines_slice *slice;
  game_place *before; /* [boards] a position with a capture to the board, slice 0 if there is none */
  bool *reached;      /* [boards] true if quiet moves lead to the board from one after a capture */
  int8_t *low, *high; /* worths seen, low > high if there are none */
  uint32_t *line;
  arena arrays; /* all of these */
} auale_histories;

/* Opens the histories of the boards with so many seeds. After success the caller calls auale_histories_close.
 * Errors: TAULER_NO_MEMORY, those of the game's moves. */
tauler_error auale_histories_open(auale_lines *lines, int seeds, auale_histories *out,
                                  tauler_message *message);
void auale_histories_close(auale_histories *histories);

/* Plays lines at random, the same ones every time, until every board has had the least and the most that it
 * can be worth, or until about `effort` nodes have been looked at. */
enum { HISTORY_EFFORT = 300000000, HISTORY_EFFORT_LIMITED = 8000000 };
void auale_histories_walk(auale_histories *histories, uint64_t effort);

/* Finds a board whose worths after two histories lie `gap` or more apart. Short histories are tried first,
 * and none has more than `longest` moves. Errors: TAULER_NO_MEMORY. */
tauler_error auale_histories_find(auale_histories *histories, int gap, int longest, history_pair *out,
                                  bool *found, tauler_message *message);

/* Sets the marks of all nodes that a history has met, except the last one, to `mark`. Returns the last
 * node. */
uint32_t auale_history_set_marks(lines_slice *slice, const auale_history *history, bool mark);

#endif
