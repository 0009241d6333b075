/* The program curl, on a leash: what it reads from an address comes through a pipe, so that it writes to no
 * file, and it ends with this process. Private to analysis/publish.
 *
 * It reads no configuration, and of the environment the proxies alone (http_proxy, https_proxy, all_proxy,
 * no_proxy). Only http and https are read, and https stays https where an answer leads on. One thread calls;
 * nothing stays when a call returns.
 */
#ifndef ANALYSIS_PUBLISH_CURL_H
#define ANALYSIS_PUBLISH_CURL_H

#include <stdbool.h>

#include "analysis/publish/place.h"

/* The least bytes a second that count as coming. */
enum { CURL_LEAST_SPEED = 1000 };

typedef struct {
  const char *address;
  uint64_t first;  /* byte that is asked for */
  double *seconds; /* how long little or nothing may come; a call leaves what is left of it */
  double timeout;  /* seconds that are left at most, however much comes */
} curl_request;

/* Gives `take` the bytes of the address from `first` on. *no_part: nothing was given, since the server gives
 * no part that begins there. Errors: TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY, those of
 * take. */
tauler_error curl_read(const curl_request *request, place_take_part take, void *user, bool *no_part,
                       tauler_message *message);

#endif
