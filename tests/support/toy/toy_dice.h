/* Two games of dice whose worth is published: Pig, with choices, and Chutes and Ladders, without. */
#ifndef TOY_DICE_H
#define TOY_DICE_H

#include "tests/support/toy/toy_odds.h"

/* Two players take turns to throw a die until they hold what they have thrown, or throw a 1, which brings
 * nothing. The first player with `target` wins: score-1 is the probability that seat 1 does. Position 0 is
 * the start, with nobody having anything. */
toy_odds *toy_pig_new(int target);

/* One player on Milton Bradley's board; turns: moves still to be made from a square, 0 … 99. A move beyond
 * 100 is not made. */
toy_odds *toy_ladders_new(void);

#endif
