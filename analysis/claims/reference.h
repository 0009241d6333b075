/* Slices solved by the moves alone, set by set until nothing changes: no table, no kernel,
 * nothing clever. Claims hold tables against it, for some hundred thousand positions in all.
 */
#ifndef ANALYSIS_CLAIMS_REFERENCE_H
#define ANALYSIS_CLAIMS_REFERENCE_H

#include "games/game.h"

/* The knowledge that play takes from smaller slices: their values, or only what is forced there. */
typedef enum { REFERENCE_VALUES, REFERENCE_BOUNDS } reference_known;

typedef struct {
  uint32_t largest;
  uint64_t *positions;     /* by slice */
  int8_t **lower, **upper; /* what the mover can force by finite play, and can be held to */
  int8_t **value;          /* where infinite play is worth 0; of REFERENCE_VALUES alone */
} reference_scores;

/* Slices 0 … largest of a game in which every move leads to a position with an index; reference_scores_free
 * after success. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (a move to a position without index), of moves. */
tauler_error reference_scores_solve(const game *game, const game_rules *rules, uint32_t largest,
                                    reference_known known, reference_scores *out, tauler_message *message);
void reference_scores_free(reference_scores *solved);

#endif
