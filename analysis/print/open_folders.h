/* Opens folders of tables for commands. Private to analysis/. */
#ifndef ANALYSIS_PRINT_OPEN_FOLDERS_H
#define ANALYSIS_PRINT_OPEN_FOLDERS_H

#include "analysis/probe/tauler.h"
#include "base/command/options.h"

/* Opens the folders of game_options_folders_group; the caller closes *out with tauler_close. `cache_bytes` is
 * as in tauler_settings. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY; *out is then NULL. */
tauler_error open_folders(const options *parsed, size_t cache_bytes, tauler **out, tauler_message *message);

/* Runs tauler verify --digests: prints how the tables of the rule set that the options name differ from a
 * list of their digests. Only headers are read. So equal digests show that the headers agree, not that the
 * cells do. Errors: TAULER_BAD_USAGE (no game, or a wrong option), TAULER_NOT_PROVEN (some tables differ,
 * which is printed), TAULER_DAMAGED_FILE (the file is no such list, or a table is damaged),
 * TAULER_TABLE_MISSING (no such folder), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error command_digests(const options *parsed, tauler_message *message);

#endif
