/* Bounds of positions that a search has proven so far, in a fixed amount of memory. Private to
 * analysis/search/.
 *
 * Each entry holds all words of its state, so that no two positions are ever taken for one. Bounds in it are
 * proven whatever play led to the position, and only ever tighten; the rest of an entry is advice that may be
 * wrong. When it is full, entries that took less effort give way: forgetting costs time, never truth.
 * Owned by one search, one thread.
 */
#ifndef ANALYSIS_SEARCH_MEMO_H
#define ANALYSIS_SEARCH_MEMO_H

#include "base/memory.h"

typedef struct {
  int16_t lower, upper; /* proven, for the side to move */
  /* By prover_answer: in this pass "at least so much" could not be shown to be no, or yes, within so many
   * plies; 0: nothing was tried. */
  int16_t asked[2];
  uint8_t depth[2];
  uint16_t best;         /* the move, in the game's order, that mattered most */
  uint32_t pass : 8;     /* in which it was last of use; 0: the entry is free */
  uint32_t leaning : 24; /* 1 + place among the answers that lean on others (prover.c); 0: nowhere */
} memo_entry;

typedef struct memo memo;

/* Begins small and grows to at most `bytes` of the budget, both sizes counted while it does, for states of so
 * many words. Errors: TAULER_NO_MEMORY. */
tauler_error memo_open(memory_budget *budget, uint64_t bytes, size_t words, memo **out,
                       tauler_message *message);
void memo_close(memo *memo);

uint64_t memo_hash(const memo *memo, const uint64_t *state);

/* The entry of a state, or NULL. It stays where it is until the next memo_add. */
memo_entry *memo_find(memo *memo, uint64_t hash, const uint64_t *state);

/* The same, made if there is none, with bounds ±largest. */
memo_entry *memo_add(memo *memo, uint64_t hash, const uint64_t *state, int largest);

/* To be called now and then, while no entry is held: makes room if many entries are in use. Where there is no
 * memory for it things stay as they are. */
void memo_grow(memo *memo);

/* A memo_find or memo_add of the hash is about to follow. */
void memo_expect(const memo *memo, uint64_t hash);

/* Entries of earlier passes give way sooner. */
void memo_next_pass(memo *memo);

#endif
