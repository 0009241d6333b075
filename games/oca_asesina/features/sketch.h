/* Private to la oca asesina: the effect of each square of a board on a token alone on the board, for
 * features.
 *
 * Time is the mean number of turns that such a token needs to get home, lost turns included. Times are
 * computed from a small linear system, by the same additions in the same order everywhere. A sketch is
 * filled once; afterwards it is only read.
 */
#ifndef GAMES_OCA_ASESINA_FEATURES_SKETCH_H
#define GAMES_OCA_ASESINA_FEATURES_SKETCH_H

#include "games/oca_asesina/rules.h"

/* A stand is the square of a token, or ASE_FORCED for a token on N that must move back. */
enum { ASE_FORCED = GOOSE_LONGEST + 1, ASE_STANDS };

typedef struct {
  uint8_t to;        /* stand after the roll */
  uint8_t landed[2]; /* squares on which it captures, or 0 */
  uint8_t lost;
  bool again;
  bool moves;
  bool dies;
} ase_step;

struct chance_sketch {
  const game_rules *rules;
  ase_step step[ASE_STANDS][ASE_DIE];
  float time[ASE_STANDS];          /* time as a share of that of the start */
  float gain[ASE_STANDS][ASE_DIE]; /* time gained by a roll, as a share of that of the start */
  float death[ASE_STANDS];         /* probability that the next roll sends the token to the start */
  float turns[ASE_STANDS];         /* mean number of turns that the next roll loses */
};

/* Makes the sketch of a rule set. Errors: TAULER_NO_MEMORY. */
tauler_error ase_sketch_open(const game_rules *rules, chance_sketch **out);

#endif
