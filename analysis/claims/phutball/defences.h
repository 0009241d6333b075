/* Threats of Phutball: chains of jumps that win at once, and the turns that stop them. Shared by
 * phutball-spoil and phutball-edge-block. */
#ifndef ANALYSIS_CLAIMS_PHUTBALL_DEFENCES_H
#define ANALYSIS_CLAIMS_PHUTBALL_DEFENCES_H

#include "analysis/claims/phutball/survey.h"

/* A man that makes a row longer stops a jump over it; the jump may be longer then, or have no vacant point
 * left before the side line. */
typedef enum { DEFENCE_LONGER, DEFENCE_EDGE, DEFENCE_JUMP, DEFENCES } phutball_defence;

/* The counts of a survey. A position is threatened if the mover cannot win at once and the other side could,
 * were it to move; a threatened position is saved if it is not lost. In saved positions, turns are counted
 * that stop all threats, and among these the turns that keep the value. */
enum {
  THREATENED,
  SPOILT, /* some placement stops all threats */
  SAVED,
  STOPS,                      /* by kind */
  KEPT = STOPS + DEFENCES,    /* by kind */
  ONLY_MEN = KEPT + DEFENCES, /* saved positions in which placements alone keep the value */
  ONLY_EDGE,                  /* only such at the edge */
  ONLY_JUMPS,
  EDGE_JUMPS,  /* single jumps that end on the left or right edge, coming from the side */
  EDGE_BLOCKED /* that a man on the point where they end makes impossible */
};

/* Counts a position; of those in which only turns of the kind `only` keep the value, one with the fewest men
 * is shown. */
void phutball_count_defences(const phutball_surveyed *at, int only, phutball_counts *counts);

#endif
