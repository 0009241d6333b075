/* An `api` on the network, by libmicrohttpd: part of the program, not of the library.
 *
 * Event threads with a thousand connections each answer what is quick themselves; what is slow goes to
 * workers, of which searches never take all. Where the program was built without it, serving is
 * TAULER_UNAVAILABLE.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_H

#include <stdint.h>

#include "analysis/serve/api.h"

typedef struct {
  const char *address; /* "127.0.0.1", "::1" */
  uint16_t port;       /* 0: any that is free */
  int threads;
  unsigned connections; /* at once, at most */
  unsigned timeout;     /* seconds without a byte, and for a request to come in */
} daemon_settings;

/* True if the program can serve at all. Errors: TAULER_UNAVAILABLE. */
tauler_error daemon_is_built(tauler_message *message);

/* Serves until a signal is noted (base/command/signals.h), which the caller holds, then finishes what is
 * under way. One line on standard output says where, as soon as connections are taken. Errors:
 * TAULER_BAD_USAGE (an address that is none), TAULER_IO (one that cannot be had), TAULER_NO_MEMORY,
 * TAULER_UNAVAILABLE. */
tauler_error daemon_run(api *api, const daemon_settings *settings, tauler_message *message);

#endif
