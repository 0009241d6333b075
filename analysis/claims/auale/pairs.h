/* The moves of boards of aualé under two rule sets at once, pit by pit. One thread at a time. */
#ifndef ANALYSIS_CLAIMS_AUALE_PAIRS_H
#define ANALYSIS_CLAIMS_AUALE_PAIRS_H

#include "analysis/claims/auale/boards.h"

enum { AUALE_PITS_OF_MOVER = 6 };
enum { PAIR_AWARI, PAIR_ABAPA, PAIR_RULES };

/* The effect of a pit under each of the rule sets. */
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

/* Calls `visit` for every board of a slice. Errors: of the rules, TAULER_NO_MEMORY, those of `visit`. */
tauler_error auale_pairs_visit(const claim_tables sets[PAIR_RULES], uint32_t slice,
                               tauler_error (*visit)(void *user, uint64_t index, const auale_pair *pair),
                               void *user, tauler_message *message);

/* Returns the worth of a move by the tables of its rule set, with infinite play worth 0. */
static inline int auale_pair_worth(const claim_tables sets[PAIR_RULES], const auale_pit *pit, int rules) {
  return pit->gain[rules] - sets[rules].layers[pit->to[rules].slice].lower[pit->to[rules].index];
}

/* Returns the worth of the best move of a board, INT8_MIN if there is no move. */
int auale_pair_best(const claim_tables sets[PAIR_RULES], const auale_pair *pair, int rules);

#endif
