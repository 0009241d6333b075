/* Lists the files of tables in a published folder, with the path and size of each and the head of each table,
 * so that a reader needs one request to know them. README.md describes the bytes. A catalogue owns its
 * entries; catalogue_free frees them. */
#ifndef ANALYSIS_PUBLISH_CATALOGUE_H
#define ANALYSIS_PUBLISH_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

#define CATALOGUE_FOLDER "tables"
#define CATALOGUE_NAME CATALOGUE_FOLDER "/catalogue"

typedef struct {
  char *path; /* path below CATALOGUE_FOLDER */
  uint64_t bytes;
  unsigned char *head; /* first bytes of the file, or NULL */
  size_t head_bytes;
} catalogue_entry;

typedef struct {
  catalogue_entry *list;
  size_t used, room;
} catalogue;

/* Adds a file with this path below CATALOGUE_FOLDER. Its size and its first head_bytes bytes are read from
 * the file at `from`. Errors: those of durable_read_open, durable_read_range, TAULER_NO_MEMORY. */
tauler_error catalogue_add(catalogue *all, const char *path, const char *from, size_t head_bytes,
                           tauler_message *message);

tauler_error catalogue_write(const catalogue *all, const char *folder, tauler_message *message);

/* Reads a catalogue of n bytes, at most CATALOGUE_MOST_BYTES, which may be hostile, and calls visit for each
 * entry, which is valid during the call; `name` is for messages. Accepts only paths of plain names, so that
 * none leads out of the folder. Needs 10 MiB for any number of entries. Errors: TAULER_DAMAGED_FILE (perhaps
 * after some entries), TAULER_NO_MEMORY, those of visit. */
enum { CATALOGUE_MOST_BYTES = 16 << 20 };
typedef tauler_error (*catalogue_visit)(void *user, const catalogue_entry *entry, tauler_message *message);
tauler_error catalogue_read(const char *name, const void *bytes, size_t n, catalogue_visit visit, void *user,
                            tauler_message *message);

/* Decompresses a whole catalogue to *out_n bytes, at most 256 MiB, and a NUL, for the page. The caller frees
 * *out after success. Errors: TAULER_DAMAGED_FILE, TAULER_NO_MEMORY. */
tauler_error catalogue_decompress(const char *name, const void *bytes, size_t n, unsigned char **out,
                                  size_t *out_n, tauler_message *message);
void catalogue_free(catalogue *all);

#endif
