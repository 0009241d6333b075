/* Two games of dice behind games/game.h whose worth is known from elsewhere: Pig, with choices, and Chutes
 * and Ladders on Milton Bradley's board, without. Batches only, one slice each. */
#ifndef TOY_DICE_H
#define TOY_DICE_H

#include "games/game_chance.h"

typedef struct {
  game game;
  game_rules *rules;
} toy_dice;

/* Two players take turns to throw a die until they hold what they have thrown, or throw a 1, which brings
 * nothing. The first player with `target` wins: score-1 is the probability that seat 1 does. It begins at
 * toy_pig_start, with nobody having anything. */
toy_dice toy_pig_open(int target);
uint64_t toy_pig_start(const toy_dice *pig);

/* One player; turns: moves still to be made from a square, 0 … 99. A move beyond 100 is not made. */
toy_dice toy_ladders_open(void);

void toy_dice_close(toy_dice *dice);

#endif
