/* The picture of statistics: who wins in every slice, or how many positions of the last one have which value
 * or bounds, or how many of all have which depth. Private to analysis/.
 *
 * A stats_plot owns what it was given until stats_plot_close; one thread at a time. Python draws by
 * matplotlib, as for claims. The file is whole or absent.
 */
#ifndef ANALYSIS_STATS_STATS_PLOT_H
#define ANALYSIS_STATS_STATS_PLOT_H

#include "analysis/stats/tally.h"

typedef struct stats_plot stats_plot;

typedef enum { PLOT_WINNERS, PLOT_VALUES, PLOT_DEPTHS } plot_subject;

/* Before anything is counted: whether the name ends with .svg or .png, Python can draw, and a file can be
 * made there. `path` must outlive the plot. Errors: TAULER_BAD_USAGE (another ending), those of run_python,
 * TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error stats_plot_open(const char *path, plot_subject subject, stats_plot **out,
                             tauler_message *message);
void stats_plot_close(stats_plot *p);

/* Takes the counts of a slice or part of one. Errors: TAULER_NO_MEMORY. */
tauler_error stats_plot_add(stats_plot *p, const char *slice, const tally *counted, tauler_message *message);

/* Errors: TAULER_BAD_USAGE (there is nothing to show), those of run_python, TAULER_IO. */
tauler_error stats_plot_draw(stats_plot *p, const tauler_tables *tables, tauler_message *message);

#endif
