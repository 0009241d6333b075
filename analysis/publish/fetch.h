/* Reads files of a published folder, from a folder or by HTTP. The files may be hostile: a call passes on no
 * more bytes than were asked for, and waits no longer than the timeout without progress. */
#ifndef ANALYSIS_PUBLISH_FETCH_H
#define ANALYSIS_PUBLISH_FETCH_H

#include <stdbool.h>

#include "analysis/publish/place.h"
#include "base/tauler_error.h"

/* The program curl runs as a child, sends the bytes of an address through a pipe, and ends with this process.
 * It reads no configuration, and of the environment only the proxies (http_proxy, https_proxy, all_proxy,
 * no_proxy). It reads only http and https, and no answer can redirect it from https to http. */

/* The least number of bytes per second that counts as progress. */
enum { CURL_LEAST_SPEED = 1000 };

typedef struct {
  const char *address;
  uint64_t first;
  double *seconds; /* seconds left for which too little may arrive, changed by the call */
  double timeout;  /* upper limit of `seconds` */
} curl_request;

/* Passes the bytes of the address from `first` on to `take`. *no_part becomes true if the server has no part
 * that begins there. Errors: TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY, those of take. */
tauler_error curl_read(const curl_request *request, place_use_part take, void *user, bool *no_part,
                       tauler_message *message);

typedef struct {
  const char *name; /* a folder or an address */
  double timeout;   /* seconds for which an address may send less than CURL_LEAST_SPEED */
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
