/* Compresses answers for clients that accept gzip. Private to analysis/serve/daemon; any thread may call
 * it. */
#ifndef ANALYSIS_SERVE_DAEMON_GZIP_H
#define ANALYSIS_SERVE_DAEMON_GZIP_H

#include "analysis/serve/api.h"

/* True if a header Accept-Encoding (NULL: none) accepts gzip. */
bool gzip_is_taken(const char *accepted);

/* Compresses the body of a long answer and makes its tag a weak one. A body that cannot be compressed is
 * unchanged. */
void gzip_response(api_response *response);

#endif
