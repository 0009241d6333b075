/* Bounds of a position and of its moves, narrowed depth by depth. Private to analysis/search/. */
#ifndef ANALYSIS_SEARCH_BOUNDS_H
#define ANALYSIS_SEARCH_BOUNDS_H

#include "analysis/search/prover.h"

typedef struct {
  int lower, upper;
} bounds;

/* A move of the position that is searched. */
typedef struct {
  const game_move *move;
  bool settled; /* bounds will not change: the game is over, or tables know the child */
  bounds worth; /* for the mover, gain included */
  bounds child; /* for the side to move after it; meaningless if the move ends the game */
} searched_move;

/* Narrows *worth and those of the moves until they are exact or a limit is reached; *depth as in
 * tauler_searched. All hold what is known on entry. Errors: as slice_table, TAULER_NO_MEMORY; reaching a
 * limit is none. */
tauler_error bounds_narrow(prover *prover, const game_position *position, searched_move *moves, size_t n,
                           bounds *worth, int *depth);

#endif
