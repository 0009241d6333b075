/* gnuplot as a child process: it gets a script on its standard input, and what it draws comes back from its
 * standard output. No shell is run and no file is written; the user's own settings of gnuplot, of the
 * language and of fonts for gnuplot do not count.
 *
 * The child is gone when the call is back. Any thread may call.
 */
#ifndef ANALYSIS_PLOT_GNUPLOT_H
#define ANALYSIS_PLOT_GNUPLOT_H

#include <stddef.h>

#include "base/tauler_error.h"

typedef struct {
  char *bytes; /* the caller's to free */
  size_t used;
} gnuplot_output;

/* Errors: TAULER_UNAVAILABLE (there is no gnuplot), TAULER_IO (it failed, with what it said; it took longer
 * than `seconds`; pipes), TAULER_NO_MEMORY. */
tauler_error gnuplot_run(const char *script, size_t length, double seconds, gnuplot_output *out,
                         tauler_message *message);

#endif
