/* Values of a position and its moves after the line of moves that led to it, where the first repetition ends
 * play: by analysis/history/history.h, within a fixed effort. Private to analysis/.
 *
 * Smaller slices are solved here, once, and their bounds tightened by lines of play; no table is read. They
 * are kept with the tauler_tables, and the moves of the slice asked about last. Any number of threads may
 * ask; of one tauler_tables they take turns.
 */
#ifndef ANALYSIS_PROBE_AFTER_LINE_H
#define ANALYSIS_PROBE_AFTER_LINE_H

#include "analysis/probe/line_past.h"
#include "analysis/probe/worth.h"

/* One for each move, in the game's order. A worth is the mover's, gain included. */
typedef struct {
  bool repeats;
  tauler_worth worth;
} move_after_line;

/* Fills what is known after a line that was given. `ranked` is what tables say of the moves, and *worth
 * may be known before: nothing is left looser. Errors: TAULER_NO_MEMORY, of the game. */
tauler_error after_line_find(tauler_tables *tables, const game_position *position, const line_past *past,
                             const game_moves *moves, const ranked_move *ranked, move_after_line *of_moves,
                             tauler_worth *worth, tauler_message *message);

/* Called when the tauler_tables is closed; NULL is ignored. */
void after_line_close(after_line *after);

#endif
