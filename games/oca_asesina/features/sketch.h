/* Private to la oca asesina: what each square of a board does to a token alone on the board, for features.
 *
 * Time is the mean number of turns that such a token takes to get home, lost ones counted. It is the solution
 * of a small linear system, found by the same additions in the same order everywhere. A sketch is filled once
 * and only read from then on.
 */
#ifndef GAMES_OCA_ASESINA_FEATURES_SKETCH_H
#define GAMES_OCA_ASESINA_FEATURES_SKETCH_H

#include "games/oca_asesina/rules.h"

/* Where a token stands after a roll; FORCED: on N, and it must move back. */
enum { ASE_FORCED = GOOSE_LONGEST + 1, ASE_STANDS };

typedef struct {
  uint8_t to;        /* a stand */
  uint8_t landed[2]; /* squares on which it captures; 0: none */
  uint8_t lost;      /* turns */
  bool again, moves; /* it rolls again; it can move at all */
  bool dies;         /* it goes back to the start */
} ase_step;

struct chance_sketch {
  const game_rules *rules;
  ase_step step[ASE_STANDS][ASE_DIE];
  float time[ASE_STANDS];          /* in that of the start */
  float gain[ASE_STANDS][ASE_DIE]; /* of time, by a roll */
  float death[ASE_STANDS];         /* chance that the next roll does it */
  float turns[ASE_STANDS];         /* that the next roll loses, in the mean */
};

/* Errors: TAULER_NO_MEMORY. */
tauler_error ase_sketch_open(const game_rules *rules, chance_sketch **out);

#endif
