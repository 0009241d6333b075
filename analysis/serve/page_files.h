/* The files of the page inside the program; tools/embed.sh writes them as C. Only the program has them. */
#ifndef ANALYSIS_SERVE_PAGE_FILES_H
#define ANALYSIS_SERVE_PAGE_FILES_H

#include "analysis/serve/api.h"

extern const api_file page_files[];
extern const size_t page_files_used;

#endif
