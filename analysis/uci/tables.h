/* The move that tables alone give. Private to analysis/uci/. */
#ifndef ANALYSIS_UCI_TABLES_H
#define ANALYSIS_UCI_TABLES_H

#include "analysis/uci/root.h"

/* Chooses by tables if they say enough, says what they do, and sets *chosen. If a repetition ends play, the
 * tables' values of quiet moves do not know that the present position was met: then a converting move worth
 * as much as the position is chosen, or, in small slices, the best move after the line; otherwise r->known
 * receives what they say of the position. `slips` asks for the second best move. Errors: TAULER_NO_MEMORY. */
tauler_error tables_choose(player *p, root *r, bool slips, player_choice *choice, bool *chosen,
                           tauler_message *message);

/* Says why tables are not used, unless `trouble` is "". */
void tables_say_trouble(const player *p, const char *trouble);

#endif
