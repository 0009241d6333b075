/* The page in a published folder, which reads the tables there by itself. Private to analysis/publish. */
#ifndef ANALYSIS_PUBLISH_PAGE_H
#define ANALYSIS_PUBLISH_PAGE_H

#include "analysis/serve/api.h"
#include "databases/folder.h"

typedef struct {
  const api_file *files; /* files of the page as the server has it */
  size_t files_used;
  const char *module; /* path of the file tauler.wasm */
} page_source;

typedef tauler_error (*page_note)(void *user, const char *below);

/* Writes the page into the folder and calls `note` with the path of each file. Errors: TAULER_UNAVAILABLE (no
 * module), those of durable_file_commit and of note. */
tauler_error page_write(const page_source *page, const char *folder, page_note note, void *user,
                        tauler_message *message);

/* Finds the module that belongs to this program: beside it, or where it is installed. Returns false if there
 * is none. */
bool page_find_module(char path[FOLDER_PATH_BYTES]);

#endif
