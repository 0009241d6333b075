/* Bounds of positions that a search has proven so far, in a fixed amount of memory. Private to
 * analysis/search/.
 *
 * Each entry has all words of its state, so no two positions are ever mixed up. Its bounds are proven
 * whatever play led to the position, and only get tighter; the rest of an entry is advice that may be wrong.
 * If the memory is full, entries that cost less effort are replaced: that costs time, but never makes an
 * answer wrong. A memo belongs to one search and one thread.
 */
#ifndef ANALYSIS_SEARCH_MEMO_H
#define ANALYSIS_SEARCH_MEMO_H

#include "base/memory.h"

typedef struct {
  int16_t lower, upper; /* proven, for the side to move */
  /* By prover_answer: in this pass `asked` could not be shown to be no, or yes, within `depth` plies; 0:
   * nothing was tried. */
  int16_t asked[2];
  uint8_t depth[2];
  uint16_t best;         /* the most important move, as its ordinal in the game's order */
  uint32_t pass : 8;     /* pass in which it was last used, or 0 if the entry is free */
  uint32_t leaning : 24; /* 1 + place among the answers that lean on others (keep.c), or 0 */
} memo_entry;

typedef struct memo memo;

/* Makes a memo for states of `words` words that begins small and grows to at most `bytes` of the budget;
 * while it grows, both sizes are charged. Errors: TAULER_NO_MEMORY. */
tauler_error memo_open(memory_budget *budget, uint64_t bytes, size_t words, memo **out,
                       tauler_message *message);
void memo_close(memo *memo);

uint64_t memo_hash(const memo *memo, const uint64_t *state);

/* The entry of a state, or NULL. It is valid until the next memo_add. */
memo_entry *memo_find(memo *memo, uint64_t hash, const uint64_t *state);

/* The entry of a state. If there is none, it is made with the bounds ±largest. */
memo_entry *memo_add(memo *memo, uint64_t hash, const uint64_t *state, int largest);

/* Grows the memo if many entries are in use. The caller calls it now and then, while it holds no entry. If
 * there is no memory, nothing changes. */
void memo_grow(memo *memo);

/* Prefetches the bucket of a hash that memo_find or memo_add will soon use. */
void memo_expect(const memo *memo, uint64_t hash);

/* Begins a pass; entries of earlier passes are then replaced sooner. */
void memo_next_pass(memo *memo);

#endif
