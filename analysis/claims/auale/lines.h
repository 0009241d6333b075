/* Finds the value of a position of aualé with few seeds after any history, under rules in which a position
 * met again since the last capture ends the game. It uses the rules alone and no tables.
 *
 * A position is a node of a slice: twice the index of the board, plus 1 if it is not the turn of the side
 * that moved first on the line. Worths are net results of the side to move. A repetition pays the result of
 * game->repeated, or 0 if the game has no such rule.
 *
 * An auale_lines owns its slices. In each of them the history is marked: the caller sets and clears `met` of
 * the nodes that were met. One thread at a time uses it.
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
  int8_t net;    /* value of an ended board */
  int8_t pays;   /* value if the board is met again */
  int8_t leaves; /* worth of the best move out of the part, the same after any history, INT8_MIN if there is
                    none, or `net` if `ended` */
  uint8_t moves, inner; /* numbers of all moves, and of those in the part, which are first */
  lines_move move[LINES_MOST_MOVES];
} lines_board;

typedef struct {
  int seeds;
  uint32_t boards;
  lines_board *board;
  int8_t *fresh;        /* [boards] value on a fresh history (docs/proofs.md) */
  int8_t *least, *most; /* [boards] bounds of the value after every history */
  uint32_t *part;       /* [nodes] number of the part: a strongly connected component by quiet moves */
  bool *met;            /* [nodes] true if the node is in the history */
  /* Predecessors of each board by moves inside its part: those of board b are before[first_before[b]] to
   * before[first_before[b + 1] − 1]. */
  uint32_t *first_before, *before;
  /* [nodes] flags of a question: the side surely gets the threshold, the other side surely denies it, the
   * side may keep play, and the node is in `list` */
  bool *sure, *denied, *held, *ahead;
  uint32_t *list, *stack;
  size_t used;
  uint64_t work; /* number of nodes listed or met so far, a measure of time */
  /* [nodes] While parts are numbered: number in the order of visits, from 1 on, the least number that the
   * node leads back to, and true if the node is on the stack. */
  uint32_t *number, *low;
  bool *waits;
  uint32_t numbers, height, parts;
  arena arrays;
} lines_slice;

typedef struct {
  const game *game;
  const game_rules *rules;
  int seeds;
  lines_slice slice[LINES_MOST_SEEDS + 1];
} auale_lines;

/* Opens the boards with up to `seeds` seeds, LINES_MOST_SEEDS at most. After success the caller calls
 * auale_lines_close. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL, those of the game's moves. */
tauler_error auale_lines_open(const game *game, const game_rules *rules, int seeds, auale_lines *out,
                              tauler_message *message);
void auale_lines_close(auale_lines *lines);

/* Returns 1 if the side to move at a node that was not met gets `net` or more after the marked history, 0 if
 * it does not, or LINES_UNKNOWN if more than `budget` positions must be searched. */
int auale_lines_gets(lines_slice *slice, uint32_t node, int net, long budget);

/* Sets *worth to the worth of a node after the marked history. If one of its questions exceeds the budget,
 * returns false, and *worth means nothing. */
bool auale_lines_worth(lines_slice *slice, uint32_t node, long budget, int *worth);

static inline uint32_t lines_node_after(uint32_t node, lines_move move) {
  return 2 * move.to + !(node & 1);
}

#endif
