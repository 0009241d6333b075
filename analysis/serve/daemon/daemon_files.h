/* The files of the explorer inside the program; tools/embed.sh writes them as C. */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_FILES_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_FILES_H

#include "analysis/serve/api.h"

extern const api_file daemon_files[];
extern const size_t daemon_files_used;

#endif
