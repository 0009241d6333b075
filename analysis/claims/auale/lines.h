/* Finds the value of a position of aualé with few seeds after any history, under rules in which a position
 * met again since the last capture ends the game. It uses game->moves alone and no tables.
 *
 * A position is a node of a slice: twice the index of the board, plus 1 if the turn is not that of the side
 * that moved first on this line. Worths are net results of the side to move. A repetition pays what
 * game->repeated says, and nothing where that is no rule of the game.
 *
 * auale_lines owns all moves of its slices, and in each slice the history: marks on the nodes that were met.
 * The caller sets and clears them. One thread at a time.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_LINES_H
#define ANALYSIS_CLAIMS_AUALE_LINES_H

#include "base/memory.h"
#include "games/game.h"

enum { LINES_MOST_MOVES = 6, LINES_MOST_SEEDS = 5, LINES_UNKNOWN = -1 };

typedef struct {
  uint8_t captured;
  uint32_t to; /* index of the board after the move, in the slice without the captured seeds */
} lines_move;

typedef struct {
  bool ended;
  int8_t net;    /* ended: its value */
  int8_t pays;   /* its value if it is met again */
  int8_t leaves; /* worth of the best way out of its part on whatever history, or INT8_MIN if there is none */
  uint8_t moves, inner; /* the first `inner` moves stay in the part */
  lines_move move[LINES_MOST_MOVES];
} lines_board;

typedef struct {
  int seeds;
  uint32_t boards;
  lines_board *board;
  int8_t *fresh;        /* value of each board on a fresh history (docs/proofs.md): nothing is met */
  int8_t *least, *most; /* bounds on its value on every history */
  uint32_t *part;       /* [nodes] the same number for nodes that quiet moves connect both ways */
  bool *met;            /* [nodes] */
  uint32_t *first_before, *before; /* boards from which a move inside the part leads to a board */
  bool *sure, *denied, *held, *ahead;
  uint32_t *list, *stack;
  size_t used;   /* items in the list */
  uint64_t work; /* nodes that were listed to answer questions */
  /* While parts are found: [nodes] in what order they were met, 0: not yet, the first that they lead back to,
   * and whether they wait on the stack. */
  uint32_t *number, *low;
  bool *waits;
  uint32_t numbers, height, parts;
  arena arrays; /* all of these */
} lines_slice;

typedef struct {
  const game *game;
  const game_rules *rules;
  int seeds; /* slices 0 … seeds */
  lines_slice slice[LINES_MOST_SEEDS + 1];
} auale_lines;

/* Boards with up to LINES_MOST_SEEDS seeds; auale_lines_close after success. Errors: TAULER_NO_MEMORY, of
 * moves. */
tauler_error auale_lines_open(const game *game, const game_rules *rules, int seeds, auale_lines *out,
                              tauler_message *message);
void auale_lines_close(auale_lines *lines);

/* True if the side to move at a node that has not been met gets `net` or more after the history that is
 * marked: 0, 1, or LINES_UNKNOWN when more than `budget` positions would have to be looked at. */
int auale_lines_gets(lines_slice *slice, uint32_t node, int net, long budget);

/* Its worth; false if that is not known within the budget for each question. */
bool auale_lines_worth(lines_slice *slice, uint32_t node, long budget, int *worth);

static inline uint32_t lines_node_after(uint32_t node, lines_move move) {
  return 2 * move.to + !(node & 1);
}

#endif
