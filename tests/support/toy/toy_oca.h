/* Shared by the suites of Oca: rule sets by their text, other boards, the gains of rolls. */
#ifndef TOY_OCA_H
#define TOY_OCA_H

#include "games/oca/rules.h"

#define TOY_OCA_BOARD_20                                                                                     \
  "board=length-20_geese-4-8-13-17-20_bridges-3-7_dice-9-15_inn-6-1_prison-12-3_well-10-2_"                  \
  "labyrinth-14-to-11_death-16-to-0"
/* A roll back from the last square leads to the well. */
#define TOY_OCA_BOARD_12                                                                                     \
  "goose-59=bounce,board=length-12_geese-3-7-12_bridges-none_dice-none_inn-none_prison-5-2_well-8_"          \
  "labyrinth-none_death-11-to-1"
#define TOY_OCA_BOARD_7                                                                                      \
  "board=length-7_geese-none_bridges-none_dice-none_inn-1-9_prison-2-9_well-6_labyrinth-3-loses-9_death-"    \
  "none"
#define TOY_OCA_BOARD_99                                                                                     \
  "goose-59=bounce,dice=2,board=length-99_geese-1-5-99_bridges-3-7_dice-9-15_inn-6-9_prison-12-9_well-10-9_" \
  "labyrinth-14-loses-9_death-16-to-0"

/* Rows of gains, in the words of games/game_chance.h and their order. */
enum { NOTHING, PASSES, ROLLS_ON, ROLL_ENDS, WON, GAINS };

#endif
