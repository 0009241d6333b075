/* The moves of boards of aualé under two rule sets at once, pit by pit. One thread at a time. */
#ifndef ANALYSIS_CLAIMS_AUALE_PAIRS_H
#define ANALYSIS_CLAIMS_AUALE_PAIRS_H

#include "analysis/claims/auale/tables.h"

enum { AUALE_PITS_OF_MOVER = 6, AUALE_PAIRS_PIECE = 1 << 12 };
enum { PAIR_AWARI, PAIR_ABAPA, PAIR_RULES };

/* What a pit does under each of the rule sets. */
typedef struct {
  bool legal[PAIR_RULES];
  int gain[PAIR_RULES];
  game_place to[PAIR_RULES];
} auale_pit;

/* In no order. */
typedef struct {
  int used;
  int legal[PAIR_RULES]; /* how many; 0: the game is over */
  auale_pit pits[AUALE_PITS_OF_MOVER];
} auale_pair;

/* Those of boards first … first + count − 1 of a slice, at most a piece. Errors: of the rules,
 * TAULER_NO_MEMORY. */
tauler_error auale_pairs_read(const auale_tables sets[PAIR_RULES], uint32_t slice, uint64_t first,
                              size_t count, auale_pair *out, tauler_message *message);

/* What a move is worth by the tables of its rule set, infinite play being worth 0. */
static inline int auale_pair_worth(const auale_tables sets[PAIR_RULES], const auale_pit *pit, int rules) {
  return pit->gain[rules] - sets[rules].layers[pit->to[rules].slice].lower[pit->to[rules].index];
}

#endif
