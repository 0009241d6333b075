/* Opens the folders that a command's options name (game_options_folders_group). Private to analysis/.
 *
 * The caller closes *out with tauler_close. One thread calls.
 */
#ifndef ANALYSIS_PRINT_OPEN_FOLDERS_H
#define ANALYSIS_PRINT_OPEN_FOLDERS_H

#include "analysis/probe/tauler.h"
#include "base/command/options.h"

/* `cache_bytes` is as in tauler_settings. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY; *out is then NULL. */
tauler_error open_folders(const options *parsed, size_t cache_bytes, tauler **out, tauler_message *message);

#endif
