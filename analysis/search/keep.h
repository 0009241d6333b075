/* Keeps the answers of a prover: a proven answer goes to the memo; an answer that leans on an earlier
 * position of the same line is set aside until that position is answered. README.md says why both are true.
 * Private to analysis/search/; works on the prover's memo and list of set-aside answers, one thread.
 */
#ifndef ANALYSIS_SEARCH_KEEP_H
#define ANALYSIS_SEARCH_KEEP_H

#include "analysis/search/prover.h"

/* A position on the way to the one that is being looked at. */
struct prover_step {
  uint64_t hash, number;
  size_t first; /* the first step since a converting move */
  int at_least, largest;
  prover_answer wanted;
};

static inline const uint64_t *path_state(const prover *p, size_t ply) {
  return p->path_states + ply * p->words;
}

/* Infinite play being worth 0. */
static inline prover_answer if_it_repeats(int at_least) {
  return at_least <= 0 ? PROVER_YES : PROVER_NO;
}

/* In all of these `best` is the move that mattered most, in the game's order, or SIZE_MAX. */

/* `answer`, yes or no, is proven of a state. */
void keep_proven(prover *p, const prover_step *step, const uint64_t *state, prover_answer answer,
                 size_t best);

/* The question of `step` stayed open with `depth` plies. */
void keep_open(prover *p, const prover_step *step, const uint64_t *state, int depth, size_t best);

/* The position at `ply` has the answer that it has if it repeats, leaning on an earlier one of the line.
 * Errors: TAULER_NO_MEMORY. */
tauler_error keep_aside(prover *p, size_t ply, size_t best);

/* The position at `ply` has its answer, and with it those that leaned on it, set aside from `mark` on. */
void keep_with_aside(prover *p, size_t ply, size_t mark, prover_answer answer, size_t best);

/* True if the question of `step` has been set aside; *number: of that answer. */
bool keep_is_aside(const prover *p, const memo_entry *entry, const prover_step *step, const uint64_t *state,
                   uint64_t *number);

#endif
