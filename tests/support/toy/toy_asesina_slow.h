/* La oca asesina between its two writings: rule sets and positions of the one as those of the other. */
#ifndef TESTS_TOY_ASESINA_SLOW_H
#define TESTS_TOY_ASESINA_SLOW_H

#include "tests/naive/naive_asesina.h"
#include "tests/support/toy/toy_asesina.h"

/* As flags: 12 squares with one of all kinds but a well; 7 with an inn, a prison, a labyrinth and death; 6
 * with geese from which a token jumps home, so that there are extra rolls and forced tokens. */
#define TOY_ASE_BOARD_12                                                                                     \
  "board=length-12_geese-3-7-12_bridges-2-5_dice-4-9_inn-6-1_prison-10-2_well-none_labyrinth-8-to-3_"        \
  "death-11-to-0"
#define TOY_ASE_BOARD_7                                                                                      \
  "board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-4-2_well-none_labyrinth-5-to-1_death-6-to-0"
#define TOY_ASE_BOARD_6                                                                                      \
  "board=length-6_geese-2-4-6_bridges-none_dice-none_inn-1-1_prison-none_well-none_labyrinth-5-to-3_"        \
  "death-none"

/* "base" and every flag of two players, alone and some together. */
extern const char *const toy_ase_flags[];
extern const int toy_ase_flag_sets;

naive_ase_game toy_ase_slow_game(const game_rules *rules, int players, int tokens);
naive_ase_position toy_ase_slow_position(const game_rules *rules, const ase_position *position);

/* The other way round. */
ase_position toy_ase_fast_position(const game_rules *rules, const naive_ase_game *game,
                                   const naive_ase_position *slow);

#endif
