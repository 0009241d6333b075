/* Runs tauler verify --digests. Private to analysis/. */
#ifndef ANALYSIS_PRINT_COMMAND_DIGESTS_H
#define ANALYSIS_PRINT_COMMAND_DIGESTS_H

#include "base/command/options.h"

/* Prints how the tables of the rule set that the options name differ from the list of --digests. Errors:
 * TAULER_BAD_USAGE (no game), TAULER_NOT_PROVEN (a difference, which is printed), those of
 * digests_compare. */
tauler_error command_digests(const options *parsed, tauler_message *message);

#endif
