/* Serves an `api` on the network with libmicrohttpd. Part of the program, not of the library.
 *
 * Event threads, each with up to a thousand connections, answer quick questions themselves. Slow ones go to
 * workers; searches never occupy all of them. If the program was built without libmicrohttpd, serving is
 * TAULER_UNAVAILABLE.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_H

#include <stdint.h>

#include "analysis/serve/api.h"

typedef struct {
  const char *address; /* "127.0.0.1", "::1" */
  uint16_t port;       /* 0: any free port */
  int threads;
  unsigned connections; /* largest number at once */
  unsigned timeout;     /* seconds without a byte, and for a request to arrive */
} daemon_settings;

/* TAULER_OK if the program can serve at all, otherwise TAULER_UNAVAILABLE. */
tauler_error daemon_is_built(tauler_message *message);

/* Serves until a signal is noted (base/command/signals.h), which the caller holds; then finishes requests in
 * progress. When connections are accepted, a line on standard output says where. Errors: TAULER_BAD_USAGE (a
 * wrong address), TAULER_IO (an address that is not available), TAULER_NO_MEMORY, TAULER_UNAVAILABLE. */
tauler_error daemon_run(api *api, const daemon_settings *settings, tauler_message *message);

#endif
