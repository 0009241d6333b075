/* Scores of small slices worked out by the moves alone, set by set until nothing changes: no table, no
 * kernel, nothing clever. For some hundred thousand positions in all. */
#ifndef ANALYSIS_CLAIMS_SLOW_SCORES_H
#define ANALYSIS_CLAIMS_SLOW_SCORES_H

#include "games/game.h"

/* What play in a slice finds in smaller ones: their values, or no more than what is forced there. */
typedef enum { SLOW_KNOWN_VALUES, SLOW_KNOWN_BOUNDS } slow_known;

typedef struct {
  uint32_t largest;
  uint64_t *positions;     /* by slice */
  int8_t **lower, **upper; /* what the mover can force by finite play, and can be held to */
  int8_t **value;          /* where infinite play is worth 0; of SLOW_KNOWN_VALUES alone */
} slow_scores;

/* Slices 0 … largest of a game in which every move leads to a position with an index; slow_scores_free after
 * success. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (a move to a position without index), of moves. */
tauler_error slow_scores_solve(const game *game, const game_rules *rules, uint32_t largest, slow_known known,
                               slow_scores *out, tauler_message *message);
void slow_scores_free(slow_scores *solved);

#endif
