/* Reads and writes lists of files by path and SHA-256, as `sha256sum` writes and checks them. A sums owns its
 * paths; sums_free frees them. */
#ifndef ANALYSIS_PUBLISH_SUMS_H
#define ANALYSIS_PUBLISH_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

#define SUMS_NAME "SHA256SUMS"

enum { SUM_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

typedef struct {
  char *path;
  char digest[SUM_TEXT];
} sum;

typedef struct {
  sum *list;
  size_t used, room;
} sums;

/* Write the digest of a whole file, of the first n bytes of an open file, or of n bytes in memory. After an
 * error no digest is written. Errors: those of place_read_file. */
tauler_error digest_file(const char *path, char digest[SUM_TEXT], tauler_message *message);
tauler_error digest_parts(int descriptor, const char *path, uint64_t n, char digest[SUM_TEXT],
                          tauler_message *message);
void digest_bytes(const void *bytes, size_t n, char digest[SUM_TEXT]);

/* Writes the digest of the joined digests, in the order of the list. */
void sums_digest(const sums *all, char digest[SUM_TEXT]);

tauler_error sums_add(sums *all, const char *path, const char digest[SUM_TEXT], tauler_message *message);

/* The list must be sorted. Returns NULL if the path is not listed. */
const sum *sums_find(const sums *all, const char *path);

/* Reads a whole list of at most SUMS_MOST_BYTES and sorts it by path; `name` is for messages. Errors:
 * TAULER_DAMAGED_FILE (a longer list, a wrong line, a path listed twice), TAULER_NO_MEMORY. */
enum { SUMS_MOST_BYTES = 8 << 20 };
tauler_error sums_read(sums *all, const char *name, const char *text, size_t n, tauler_message *message);

/* Sorts the list by path and writes it under SUMS_NAME into the folder. Errors: those of place_bytes. */
tauler_error sums_write(sums *all, const char *folder, tauler_message *message);
void sums_free(sums *all);

#endif
