/* Statistics of games of dice in exact rationals: the expectations from the start of every slice that is
 * asked for. No table is read. Private to analysis/. */
#ifndef ANALYSIS_STATS_STATS_EXACT_H
#define ANALYSIS_STATS_STATS_EXACT_H

#include "analysis/stats/print_counts.h"
#include "base/memory.h"
#include "games/game.h"

/* `form`: FORM_TEXT, FORM_CSV (slice,quantity,exact) or FORM_JSON. Errors: those of exact_chain_solve. */
tauler_error stats_exact(const game *game, const game_rules *rules, const game_slices *slices, int form,
                         memory_budget *memory, progress *shown, tauler_message *message);

#endif
