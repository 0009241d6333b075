/* Proves that a position is drawn, from the moves of the game alone.
 *
 * A hint, true or not, gives the value and the depth of each position of a slice. The hints need only be
 * consistent along the moves. A drawn position has a move to a drawn one, and its other moves lead to drawn
 * positions or to positions won for the other side; a won position scores at once or has a move to a lost one
 * of less depth; every move of a lost position leads to a won one of less depth, or scores for the other
 * side. Depths cannot fall for ever, so positions hinted as won are won; then either side can hold the draw
 * from positions hinted as drawn, and neither can do better.
 */
#ifndef ANALYSIS_CLAIMS_DRAW_PROOF_H
#define ANALYSIS_CLAIMS_DRAW_PROOF_H

#include "base/memory.h"
#include "games/game.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice; /* that no quiet move leaves */
  /* Value, and depth in plies where that is not 0. */
  void (*hint)(void *user, uint64_t index, int8_t *value, uint16_t *depth);
  void *user;
  memory_budget *memory;
  uint64_t most; /* positions to look at before the proof is given up */
} draw_proof;

typedef struct {
  bool done;  /* else it was given up */
  bool holds; /* false: `wrong` says where */
  uint64_t drawn, won,
      lost; /* positions looked at, one for both of mirror images where they share a number */
  uint64_t wrong;
} draw_proven;

/* Errors: TAULER_NO_MEMORY, of expand. */
tauler_error draw_prove(const draw_proof *proof, uint64_t index, draw_proven *out, tauler_message *message);

#endif
