/* Reads files of a published folder, from a folder or by HTTP. Private to analysis/publish.
 *
 * The files may be hostile: no more bytes are passed on than were asked for, and no wait is longer than the
 * timeout.
 */
#ifndef ANALYSIS_PUBLISH_BRING_H
#define ANALYSIS_PUBLISH_BRING_H

#include "analysis/publish/place.h"

typedef struct {
  const char *source; /* a folder or an address */
  double timeout;     /* seconds within which an address must send something */
} bring_source;

/* Errors: TAULER_BAD_USAGE (an address that is neither http nor https). */
tauler_error bring_check_source(const char *source, tauler_message *message);

/* Passes the bytes of the file `below` to `take`, each with its place in the file: those from `first` on, or
 * all of them if the server cannot begin there. Errors: TAULER_TABLE_MISSING (no such file),
 * TAULER_DAMAGED_FILE (it has more than `most` bytes, of which only so many are passed on; or it is no
 * regular file), TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY, those of take. */
typedef struct {
  const char *below;
  uint64_t first, most; /* bytes */
  tauler_error (*take)(void *user, uint64_t at, const void *bytes, size_t n, tauler_message *message);
  void *user;
  uint64_t end; /* result: place after the last byte passed on */
} bring_wish;
tauler_error bring_file(const bring_source *from, bring_wish *wish, tauler_message *message);

#endif
