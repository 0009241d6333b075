/* The view of a player by the rules alone, without tables: how a move looks at once, and how many plies of
 * captures and ends tell one move from the others. Private to analysis/serve. */
#ifndef ANALYSIS_SERVE_SIGHT_H
#define ANALYSIS_SERVE_SIGHT_H

#include "analysis/probe/probe_tables.h"
#include "games/game_play.h"

enum { SIGHT_MOST_PLIES = 7, SIGHT_NONE = -1 };

/* The moves of a position as the game's page for search has them. A sight may be closed after an error too.
 */
typedef struct {
  const tauler_tables *tables;
  size_t words;
  game_play_list list;
  size_t n;
  size_t *found; /* of each move of the answer its place in the list, or n */
  uint64_t nodes;
} sight;

/* `looks` gets a number for each move of the answer: the more, the better it looks. All are 0 where the game
 * has no page for search. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL. */
tauler_error sight_open(const tauler_tables *tables, const tauler_answer *answer, sight *out, int *looks,
                        tauler_message *message);
void sight_close(sight *sight);

/* The least number of plies at which the move's captures are more than any other's, all sides taking what
 * they can; SIGHT_NONE: not within SIGHT_MOST_PLIES, or within a fixed effort. Errors: TAULER_NO_MEMORY. */
tauler_error sight_plies(sight *sight, size_t move, int *plies);

#endif
