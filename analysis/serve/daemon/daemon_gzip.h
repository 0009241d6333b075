/* Compresses answers for clients that accept gzip. Private to analysis/serve/daemon; any thread may call it.
 */
#ifndef ANALYSIS_SERVE_DAEMON_GZIP_H
#define ANALYSIS_SERVE_DAEMON_GZIP_H

#include "analysis/serve/api.h"

/* True if a header Accept-Encoding (NULL: there is none) takes gzip. */
bool gzip_is_taken(const char *accepted);

/* Compresses a whole answer of some length; its tag becomes a weak one. A body that cannot be compressed
 * stays. */
void gzip_response(api_response *response);

#endif
