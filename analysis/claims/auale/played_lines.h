/* Values of boards right after a capture when the first repeated board ends play: every line of play is
 * played out by the moves of the rules. For two or three seeds. */
#ifndef ANALYSIS_CLAIMS_AUALE_PLAYED_LINES_H
#define ANALYSIS_CLAIMS_AUALE_PLAYED_LINES_H

#include "analysis/claims/report.h"
#include "games/game.h"

enum { PLAYED_LINES_MOST_SLICE = 3 };

/* The net result of the mover. Adds a line of best play to the last witness of `out` (or NULL), up to the
 * first converting move, the end, or the position that comes back. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL
 * (rules without `repeated`, a position without index), of moves. */
tauler_error played_lines_value(const game *game, const game_rules *rules, game_place place, report *out,
                                int *value, tauler_message *message);

#endif
