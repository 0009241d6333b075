/* A text file that appears under its name when it is complete. Private to analysis/export. A graph_file owns
 * the hidden file until it is closed; the first error stays with it, and later calls do nothing. One thread
 * at a time. */
#ifndef ANALYSIS_EXPORT_GRAPH_FILE_H
#define ANALYSIS_EXPORT_GRAPH_FILE_H

#include "base/durable_file.h"
#include "databases/folder.h"

enum { GRAPH_FILE_ROOM = 1 << 16, GRAPH_FILE_LINE = 1024 };

typedef struct {
  durable_file *file;
  char path[FOLDER_PATH_BYTES];
  uint64_t bytes;
  size_t used;
  tauler_error error;
  tauler_message *message;
  char text[GRAPH_FILE_ROOM];
} graph_file;

/* Errors: those of durable_file_create; nothing is open then. */
tauler_error graph_file_open(graph_file *f, const char *folder, const char *name, tauler_message *message);

/* At most GRAPH_FILE_LINE bytes. */
void graph_file_print(graph_file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps the file if there was no error, here or before in `error`. Errors: `error`, the file's first error,
 * those of durable_file_commit. */
tauler_error graph_file_close(graph_file *f, tauler_error error);

#endif
