/* Writes positions and moves in a notation of another program. Private to analysis/.
 *
 * Only texts change. Those of an answer belong to it, and it must be freed after its line; others belong to
 * the pool. One thread calls.
 */
#ifndef ANALYSIS_PRINT_NOTATE_H
#define ANALYSIS_PRINT_NOTATE_H

#include "analysis/probe/tauler.h"
#include "analysis/probe/text_pool.h"

/* `notation` is a name of the game's (game_record.h); NULL: nothing changes. `line` may be NULL. Errors:
 * TAULER_BAD_USAGE (no such notation), TAULER_NO_MEMORY. */
tauler_error notate(const tauler_tables *tables, const char *notation, tauler_answer *answer,
                    tauler_line *line, tauler_message *message);

/* The same of a canonical position, "" if there is none, and of moves of one, joined by blanks. */
tauler_error notate_position(const tauler_tables *tables, const char *notation, text_pool *pool,
                             const char **position, tauler_message *message);
tauler_error notate_moves(const tauler_tables *tables, const char *notation, text_pool *pool,
                          const char *position, const char **moves, tauler_message *message);

#endif
