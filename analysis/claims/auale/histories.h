/* Histories of the boards with n seeds: the boards that can stand right after a capture, the worths of boards
 * after the histories that were looked at, and two short histories after which one board has different
 * worths.
 *
 * A history begins on the board right after a capture and goes on by quiet moves, none to a position met
 * before. Owns what it allocates; marks in the slice are as before after every call. One thread at a time.
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

/* Histories of boards with that many seeds. auale_histories_close after success. Errors: TAULER_NO_MEMORY, of
 * moves. */
tauler_error auale_histories_open(auale_lines *lines, int seeds, auale_histories *out,
                                  tauler_message *message);
void auale_histories_close(auale_histories *histories);

/* Lines of play at random, the same ones every time, until every board has been seen at both ends of what its
 * worth can be, or about `effort` nodes have been looked at. */
enum { HISTORY_EFFORT = 300000000, HISTORY_EFFORT_LIMITED = 8000000 };
void auale_histories_walk(auale_histories *histories, uint64_t effort);

/* The first board found, histories by their length, whose worths lie `gap` or more apart after two histories
 * of up to `longest` moves. Errors: TAULER_NO_MEMORY. */
tauler_error auale_histories_find(auale_histories *histories, int gap, int longest, history_pair *out,
                                  bool *found, tauler_message *message);

/* Marks the nodes that a history has met, except the last one, which it returns; or takes the marks away. */
uint32_t auale_history_mark(lines_slice *slice, const auale_history *history, bool mark);

#endif
