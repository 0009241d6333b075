/* A published folder of tables: the tables, their list, offsets of large ones, a card that describes them,
 * and the SHA-256 of every file. Private to analysis/publish; README.md describes the layout. */
#ifndef ANALYSIS_PUBLISH_PUBLISH_H
#define ANALYSIS_PUBLISH_PUBLISH_H

#include "analysis/probe/tauler.h"
#include "analysis/publish/catalogue.h"
#include "analysis/publish/sums.h"
#include "analysis/serve/api.h"
#include "databases/folder.h"

/* The card of a published folder: what it contains, by which rules, and how to read it. Private to
 * analysis/publish. */

#define CARD_NAME "README.md"

typedef struct {
  const char *title, *licence;
  const tauler_contents *contents;
  const catalogue *files;
  bool page; /* the page is published too, with the rules in three languages */
} card;

/* Writes the card into the folder. Errors: those of durable_file_commit. */
tauler_error card_write(const card *of, const char *folder, tauler_message *message);

/* The page in a published folder, which reads the tables there by itself. Private to analysis/publish. */

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
