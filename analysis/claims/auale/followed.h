/* Values of abapa, with infinite play worth 0, if one side always plays a move that awari's table calls best,
 * for the whole rest of the game, against best play. A board on which no such move is legal leaves that side
 * all its moves. Worked out in memory, set by set. */
#ifndef ANALYSIS_CLAIMS_AUALE_FOLLOWED_H
#define ANALYSIS_CLAIMS_AUALE_FOLLOWED_H

#include "analysis/claims/auale/pairs.h"

/* The choice among several best moves of awari: the best in abapa for the side that follows; those with the
 * earliest gain or the latest loss in awari; any. Remaining ties go to the move that is best for the other
 * side. */
typedef enum { FOLLOWED_WELL, FOLLOWED_IN_TIME, FOLLOWED_BADLY, FOLLOWED_WAYS } auale_ties;

/* Net seeds of the side that follows, on boards on which it moves and on which the other side does. */
typedef struct {
  int8_t *moves[AUALE_MOST_SEEDS + 1], *waits[AUALE_MOST_SEEDS + 1];
} auale_followed;

/* Depths of awari by slice, TAULER_NO_DEPTH where there is none. */
typedef struct {
  int32_t *of[AUALE_MOST_SEEDS + 1];
} auale_depths;

/* Those of slices 0 … seeds, whose tables are built where they are missing; auale_depths_free in any case.
 * Errors are kept in the report of the tables: of building and reading tables, TAULER_NO_MEMORY. */
void auale_depths_read(claim_tables *awari, int seeds, auale_depths *out);
void auale_depths_free(auale_depths *depths);

/* Slices 0 … seeds; auale_followed_free in any case. Errors: TAULER_NO_MEMORY, as auale_pairs_visit. */
tauler_error auale_followed_solve(const claim_tables sets[PAIR_RULES], const auale_depths *depths, int seeds,
                                  auale_ties ties, auale_followed *out, tauler_message *message);
void auale_followed_free(auale_followed *followed);

#endif
