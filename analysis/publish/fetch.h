/* Reads files of a published folder, from a folder or by HTTP. Private to analysis/publish.
 *
 * The files may be hostile: no more bytes are passed on than were asked for, and no wait is longer than the
 * timeout. One thread calls.
 */
#ifndef ANALYSIS_PUBLISH_FETCH_H
#define ANALYSIS_PUBLISH_FETCH_H

#include <stdbool.h>

#include "analysis/publish/place.h"
#include "base/tauler_error.h"

/* The program curl under control: what it reads from an address comes through a pipe, so that it writes no
 * file, and it ends with this process. Private to analysis/publish.
 *
 * It reads no configuration, and of the environment only the proxies (http_proxy, https_proxy, all_proxy,
 * no_proxy). Only http and https are read, and an answer cannot redirect https to http. One thread calls;
 * after a call nothing is left running.
 */

/* The least number of bytes per second that counts as progress. */
enum { CURL_LEAST_SPEED = 1000 };

typedef struct {
  const char *address;
  uint64_t first;  /* first byte that is asked for */
  double *seconds; /* seconds for which little or nothing may arrive, reduced by those that a call uses */
  double timeout;  /* largest number of seconds left, however much arrives */
} curl_request;

/* Passes the bytes of the address from `first` on to `take`. *no_part: nothing was passed on, since the
 * server has no part that begins there. Errors: TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY,
 * those of take. */
tauler_error curl_read(const curl_request *request, place_use_part take, void *user, bool *no_part,
                       tauler_message *message);

typedef struct {
  const char *name; /* a folder or an address */
  double timeout;   /* seconds within which an address must send something */
} fetch_source;

/* Errors: TAULER_BAD_USAGE (an address that is neither http nor https). */
tauler_error fetch_check_source(const char *source, tauler_message *message);

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
} fetch_wish;
tauler_error fetch_file(const fetch_source *from, fetch_wish *wish, tauler_message *message);

#endif
