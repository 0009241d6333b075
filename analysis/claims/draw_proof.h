/* Proves that a position is drawn, by the moves that a game gives and without believing anybody.
 *
 * The caller says of each position of a slice whether it is won, drawn or lost, and how soon: hints, true or
 * not. What is said need only agree with itself along the moves. A drawn position has a move to a drawn one,
 * and every other move of it gives the other side a won one; a won one scores at once, or has a move to a
 * lost one of less depth; of a lost one every move leads to a won one of less depth, or scores for the other
 * side. Depths cannot fall for ever, so what is called won is won; and then from what is called drawn either
 * side can hold the draw, and neither can do better.
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
  uint64_t most; /* positions to look at; a proof that needs more is given up */
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
