/* Reads files of a published folder, from a folder or by HTTP. The files may be hostile: a call passes on no
 * more bytes than were asked for, and waits no longer than the timeout without progress. */
#ifndef ANALYSIS_PUBLISH_FETCH_H
#define ANALYSIS_PUBLISH_FETCH_H

#include <stdbool.h>

#include "analysis/publish/place.h"
#include "base/tauler_error.h"

typedef struct {
  const char *name; /* a folder or an address */
  double timeout;   /* seconds for which an address may send less than 1 kB/s */
} fetch_source;

/* Refuses an address that is neither http nor https. Errors: TAULER_BAD_USAGE. */
tauler_error fetch_check_source(const char *source, tauler_message *message);

/* Passes the bytes of the file `below` to `take`, with their place in the file: those from `first` on, or all
 * of them if the server cannot begin there or a file in a folder is shorter. Errors: TAULER_TABLE_MISSING (no
 * such file in a folder), TAULER_DAMAGED_FILE (more than `most` bytes, or no regular file), TAULER_BAD_USAGE
 * (too long a path), TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY, those of take. */
typedef struct {
  const fetch_source *from;
  const char *below;    /* path of the file below the folder */
  uint64_t first, most; /* place of the first byte wanted, and largest size of the file */
  tauler_error (*take)(void *user, uint64_t at, const void *bytes, size_t n, tauler_message *message);
  void *user;
  uint64_t end; /* result: place after the last byte passed on */
} fetch_wish;
tauler_error fetch_file(fetch_wish *wish, tauler_message *message);

#endif
