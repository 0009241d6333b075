/* The list of the files of tables in a published folder: path, size and the head of each, so that one request
 * says what is there. Private to analysis/publish; README.md gives the bytes.
 *
 * A catalogue owns its entries; freed with catalogue_free. One thread at a time.
 */
#ifndef ANALYSIS_PUBLISH_CATALOGUE_H
#define ANALYSIS_PUBLISH_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

#define CATALOGUE_FOLDER "tables"
#define CATALOGUE_NAME CATALOGUE_FOLDER "/catalogue"

typedef struct {
  char *path; /* below CATALOGUE_FOLDER */
  uint64_t bytes;
  unsigned char *head; /* the first bytes of the file; NULL: none */
  size_t head_bytes;
} catalogue_entry;

typedef struct {
  catalogue_entry *list;
  size_t used, room;
} catalogue;

/* Reads the head out of the file at `from`. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error catalogue_add(catalogue *all, const char *path, const char *from, size_t head_bytes,
                           tauler_message *message);

/* Writes it below the published folder. Errors: as durable_file_commit. */
tauler_error catalogue_write(const catalogue *all, const char *folder, tauler_message *message);

/* Reads one; `name` is for messages. Only paths of plain names are taken, so that none leads elsewhere.
 * Errors: TAULER_DAMAGED_FILE, TAULER_NO_MEMORY. */
tauler_error catalogue_read(catalogue *all, const char *name, const void *bytes, size_t n,
                            tauler_message *message);

/* Decompresses the bytes of one as they lie in the file; the caller frees *out. */
tauler_error catalogue_decompress(const char *name, const void *bytes, size_t n, unsigned char **out,
                                  size_t *out_n, tauler_message *message);
void catalogue_free(catalogue *all);

#endif
