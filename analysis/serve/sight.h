/* A player's view by the rules alone, without tables: how a move looks at once, and how many plies of
 * captures and endings distinguish one move from the others. Private to analysis/serve. */
#ifndef ANALYSIS_SERVE_SIGHT_H
#define ANALYSIS_SERVE_SIGHT_H

#include "analysis/probe/probe_tables.h"
#include "games/game_play.h"

enum { SIGHT_MOST_PLIES = 7, SIGHT_NONE = -1 };

/* The moves of a position by game_play.h. A sight may be closed after an error too. */
typedef struct {
  const tauler_tables *tables;
  size_t words;
  game_play_list list;
  size_t n;
  size_t *found; /* for each move of the answer its place in the list, or n */
  uint64_t nodes;
} sight;

/* Sets `looks` to a number for each move of the answer; a larger one looks better. If the game has no
 * game_play, all are 0. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL. */
tauler_error sight_open(const tauler_tables *tables, const tauler_answer *answer, sight *out, int *looks,
                        tauler_message *message);
void sight_close(sight *sight);

/* The least number of plies at which the move's captures exceed those of all others, if all sides capture
 * what they can. SIGHT_NONE: not within SIGHT_MOST_PLIES, or not within a fixed effort. Errors:
 * TAULER_NO_MEMORY. */
tauler_error sight_plies(sight *sight, size_t move, int *plies);

#endif
