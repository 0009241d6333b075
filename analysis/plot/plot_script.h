/* The commands with which gnuplot draws a plot. Owns nothing; any thread may call. */
#ifndef ANALYSIS_PLOT_PLOT_SCRIPT_H
#define ANALYSIS_PLOT_PLOT_SCRIPT_H

#include "analysis/plot/plot.h"

/* The script is the caller's to free. The plot is not empty. Errors: TAULER_NO_MEMORY. */
tauler_error plot_script_write(const plot *p, plot_format format, char **script, size_t *length,
                               tauler_message *message);

#endif
