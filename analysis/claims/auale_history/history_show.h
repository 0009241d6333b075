/* Two histories of one board as witnesses of a report: two games of 48 seeds, each from a capture over quiet
 * moves to the board, and by best play of both to the end, replayed and reckoned again by every line. */
#ifndef ANALYSIS_CLAIMS_AUALE_HISTORY_HISTORY_SHOW_H
#define ANALYSIS_CLAIMS_AUALE_HISTORY_HISTORY_SHOW_H

#include "analysis/claims/auale_history/histories.h"
#include "analysis/claims/report.h"

/* The first board found whose worths lie `gap` or more apart after two short histories; false: there is none.
 * South is to move on the board, and the stores are the same both times; they make as much of a difference of
 * the winner as they can. `ending` says what a repetition does ("met before, each side takes its own row").
 * Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (a line cannot be played). */
bool auale_history_show(auale_histories *histories, int gap, const char *ending, report *out);

#endif
