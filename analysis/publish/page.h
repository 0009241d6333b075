/* The page in a published folder, which asks the tables there by itself. Private to analysis/publish. */
#ifndef ANALYSIS_PUBLISH_PAGE_H
#define ANALYSIS_PUBLISH_PAGE_H

#include "analysis/serve/api.h"
#include "databases/folder.h"

typedef struct {
  const api_file *files; /* of the page as the server has it */
  size_t files_used;
  const char *module; /* the file tauler.wasm */
} page_source;

typedef tauler_error (*page_note)(void *user, const char *below);

/* Writes the page below the folder and calls `note` with the path of each file. Errors: TAULER_UNAVAILABLE
 * (no module), as durable_file_commit, what note returns. */
tauler_error page_write(const page_source *page, const char *folder, page_note note, void *user,
                        tauler_message *message);

/* Where the module stands that belongs to this program: beside it, or where it is installed. False: nowhere.
 */
bool page_find_module(char path[FOLDER_PATH_BYTES]);

#endif
