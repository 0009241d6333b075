/* The positions that a line of moves passed. They count if the first repetition since the last converting
 * move ends play. Private to analysis/.
 *
 * A line_past owns its positions until line_past_free; it uses no tables.
 */
#ifndef ANALYSIS_PROBE_LINE_PAST_H
#define ANALYSIS_PROBE_LINE_PAST_H

#include "games/game.h"

typedef struct {
  bool counts;   /* under these rules positions met count. If not, all else is empty */
  bool given;    /* and there is a line */
  bool over;     /* the position reached was met before */
  game_past met; /* positions met since the last converting move, without the position reached */
} line_past;

/* Reads a position and the line that leads to it. `past` may be freed after an error too. Errors:
 * TAULER_BAD_POSITION, also for a line that continues after a repetition; TAULER_NO_MEMORY. */
tauler_error line_past_read(const game *game, const game_rules *rules, const char *text, game_position *out,
                            line_past *past, tauler_message *message);
void line_past_free(line_past *past);

bool line_past_has(const line_past *past, const game_position *position);

#endif
