/* Results of a player's search about positions, for all of its threads. Private to analysis/uci/.
 *
 * A fixed number of entries is shared without locks: an entry that two threads write at once is found by
 * none. Positions are told apart by 64 bits of a hash, so an entry is advice, which may be wrong; a move that
 * it names must be looked for among the moves. All functions but seen_open, seen_close and seen_clear may be
 * called by any threads at once.
 */
#ifndef ANALYSIS_UCI_SEEN_H
#define ANALYSIS_UCI_SEEN_H

#include "base/memory.h"

typedef enum { SEEN_NOTHING, SEEN_AT_LEAST, SEEN_AT_MOST, SEEN_EXACT } seen_bound;

typedef struct {
  int value;
  int depth; /* plies that were looked ahead, 0 … 255 */
  seen_bound bound;
  size_t best; /* ordinal of the best move in the game's order, or SEEN_NO_MOVE */
} seen_position;

enum { SEEN_NO_MOVE = 0xFFFF };

typedef struct seen seen;

/* Errors: TAULER_NO_MEMORY. */
tauler_error seen_open(uint64_t bytes, seen **out, tauler_message *message);
void seen_close(seen *seen);
void seen_clear(seen *seen);

/* Entries of earlier searches are then replaced first. */
void seen_next_search(seen *seen);

bool seen_find(const seen *seen, uint64_t hash, seen_position *out);
void seen_add(seen *seen, uint64_t hash, const seen_position *position);

#endif
