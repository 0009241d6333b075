/* Files of a published folder, from a folder or by HTTP. Private to analysis/publish. */
#ifndef ANALYSIS_PUBLISH_BRING_H
#define ANALYSIS_PUBLISH_BRING_H

#include "base/tauler_error.h"

/* Puts the file `below` of a source at `to`. If the source is an address, the program curl goes on with what
 * is there of `to`. Errors: TAULER_TABLE_MISSING (no such file), TAULER_UNAVAILABLE (no curl), TAULER_IO,
 * TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error bring_file(const char *source, const char *below, const char *to, tauler_message *message);

#endif
