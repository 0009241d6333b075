/* Finds bounds of positions on a fresh history by lines of play. Private to the proof check.
 *
 * It shares no code with lines/, by which tables are built, so that an error in one of the two shows. One
 * thread at a time.
 */
#ifndef ANALYSIS_VERIFY_LINES_SEARCH_H
#define ANALYSIS_VERIFY_LINES_SEARCH_H

#include "base/memory.h"

/* The moves of a slice. The caller owns the arrays. */
typedef struct {
  uint32_t n;
  uint32_t *first, *child;       /* [n + 1] first quiet move of a position, [moves] child of a move */
  uint32_t *back_first, *parent; /* [n + 1] first quiet move to a position, [moves] its parent */
  /* [n] The mover's least and greatest gain by its best converting move, or its value if play has ended, or
   * INT8_MIN if it has no such move. */
  int8_t *gives[2];
  int8_t *pays; /* [n] worth for the mover if the position repeats */
} lines_moves;

enum { LINES_BUDGET = 1 << 25 };

/* Tightens the movers' bounds `lower` and `upper`, which have n items. These must be bounds that play without
 * a history can keep, such as those of a nested fixpoint, since lines end at positions that they decide
 * (docs/proofs.md). `budget` is the number of nodes that one search may look at, or 0 for LINES_BUDGET. If it
 * is too small, bounds stay apart. Errors: TAULER_NO_MEMORY. */
tauler_error lines_search(const lines_moves *moves, memory_budget *memory, uint64_t budget, int8_t *lower,
                          int8_t *upper, tauler_message *message);

/* --- winners in a part of a slice, for one threshold. Private to this folder ---
 *
 * One side is to reach the threshold, and the other side to prevent that. A node is a position and the side
 * that moves there. If play reaches a node that was met before, it ends, and the side that the node pays
 * wins. A move out of the part loses for its mover, or its result is unknown. So the winner depends only on
 * the nodes of the part that the line has met.
 *
 * A part owns no memory. One thread at a time.
 */

enum { NO_SIDE, SIDE_REACHES, SIDE_PREVENTS };

static inline uint8_t other_side(uint8_t side) {
  return side == SIDE_REACHES ? SIDE_PREVENTS : SIDE_REACHES;
}

typedef struct {
  uint32_t used;
  uint32_t *first, *child; /* [nodes + 1] first move of a node in the part, [moves] child of a move */
  uint8_t *mover;          /* [nodes] side that moves */
  uint8_t *payee;          /* [nodes] side that the node pays */
  uint8_t *doubt;          /* [nodes] 1 if the result of a move out of the part is unknown */
} lines_part;

/* Finds winners without following lines: from known winners, and where a side can keep play among nodes that
 * pay it. If winner[i] is NO_SIDE and the winner can be found, winner[i] becomes the winner. If the winner
 * moves there, by[i] becomes the node to move to. */
void lines_settle(const lines_part *part, uint8_t *winner, uint32_t *by);

/* Finds winner[i], the side that wins if play enters the part at node i, for all nodes, by following lines of
 * play. No node of the part may be settled. If the search for a node looks at more than `budget` nodes, or
 * moves of unknown result decide, its winner is NO_SIDE. Errors: those of the arena. */
tauler_error lines_follow(const lines_part *part, arena *a, uint64_t budget, uint8_t *winner);

#endif
