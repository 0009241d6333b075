/* Writes the positions and moves of an answer in a notation of another program. Private to analysis/.
 *
 * Only the texts of the answer and the line change; the new ones belong to the answer, which must be freed
 * after the line. One thread calls.
 */
#ifndef ANALYSIS_PRINT_NOTATE_H
#define ANALYSIS_PRINT_NOTATE_H

#include "analysis/probe/tauler.h"

/* `notation` is a name of the game's (game_record.h); NULL: nothing changes. `line` may be NULL. Errors:
 * TAULER_BAD_USAGE (no such notation), TAULER_NO_MEMORY. */
tauler_error notate(const tauler_tables *tables, const char *notation, tauler_answer *answer,
                    tauler_line *line, tauler_message *message);

#endif
