/* The program curl under control: what it reads from an address comes through a pipe, so that it writes no
 * file, and it ends with this process. Private to analysis/publish.
 *
 * It reads no configuration, and of the environment only the proxies (http_proxy, https_proxy, all_proxy,
 * no_proxy). Only http and https are read, and an answer cannot redirect https to http. One thread calls;
 * after a call nothing is left running.
 */
#ifndef ANALYSIS_PUBLISH_CURL_H
#define ANALYSIS_PUBLISH_CURL_H

#include <stdbool.h>

#include "analysis/publish/place.h"

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

#endif
