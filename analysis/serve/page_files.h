/* The files of the page, which tools/embed.sh writes as C. The program contains them, the library does
 * not. */
#ifndef ANALYSIS_SERVE_PAGE_FILES_H
#define ANALYSIS_SERVE_PAGE_FILES_H

#include "analysis/serve/api.h"

extern const api_file page_files[];
extern const size_t page_files_used;

#endif
