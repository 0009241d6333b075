/* Bounds of positions on a fresh history, found by lines of play. Private to the proof check.
 *
 * Nothing here is shared with lines/, by which tables are built, so that an error of one of the two shows.
 * One thread at a time.
 */
#ifndef ANALYSIS_VERIFY_LINES_SEARCH_H
#define ANALYSIS_VERIFY_LINES_SEARCH_H

#include "base/memory.h"

/* The moves of a slice, borrowed. */
typedef struct {
  uint32_t n;
  uint32_t *first, *child;       /* quiet moves of i: child[first[i]] … child[first[i + 1] − 1] */
  uint32_t *back_first, *parent; /* the same backwards */
  /* The mover's least and greatest gain by the best converting move, the value of an end, or INT8_MIN if
   * there is neither. */
  int8_t *gives[2];
  int8_t *pays; /* the mover, if the position comes back */
} lines_moves;

enum { LINES_BUDGET = 1 << 25 };

/* Tightens the bounds of movers. They must be bounds by play that needs no history, such as those of a nested
 * fixpoint, since lines end where they decide (docs/proofs.md). `budget` is the number of nodes that may be
 * looked at for one position and threshold, 0: LINES_BUDGET. Where it does not suffice bounds stay apart.
 * Errors: TAULER_NO_MEMORY. */
tauler_error lines_search(const lines_moves *moves, memory_budget *memory, uint64_t budget, int8_t *lower,
                          int8_t *upper, tauler_message *message);

/* --- a part of a slice, for one threshold: who wins where play enters it. Private to this folder ---
 *
 * One side reaches the threshold, the other one prevents that. A node is a position with the side that moves
 * there. If play comes to a node that was met before, it ends there, and the side that the node pays wins.
 * Ways out of the part lose for the side that takes them, or nothing is known about them. So the winner
 * depends on which nodes of the part the line has met, and on nothing else.
 *
 * A part owns nothing. One thread at a time.
 */

enum { NO_SIDE, SIDE_REACHES, SIDE_PREVENTS };

static inline uint8_t other_side(uint8_t side) {
  return side == SIDE_REACHES ? SIDE_PREVENTS : SIDE_REACHES;
}

typedef struct {
  uint32_t used;
  uint32_t *first, *child; /* moves within the part: child[first[i]] … child[first[i + 1] − 1] */
  uint8_t *mover;          /* [nodes] the side that moves */
  uint8_t *payee;          /* [nodes] the side that the node pays */
  uint8_t *doubt;          /* a way out of which nothing is known */
} lines_part;

/* Finds who wins if no node is met twice but by the choice of the side that it pays. winner[i] is known for
 * some nodes, and NO_SIDE for the others; these get their winners where they can be found. If the winner
 * moves, by[i] becomes the node to move to. */
void lines_settle(const lines_part *part, uint8_t *winner, uint32_t *by);

/* Finds who wins where play enters the part at node i, for all nodes, by following lines of play. Nothing in
 * the part can be settled before. A node stays NO_SIDE if its search looks at more than `budget` nodes.
 * Errors: those of the arena. */
tauler_error lines_enter(const lines_part *part, arena *a, uint64_t budget, uint8_t *winner);

#endif
