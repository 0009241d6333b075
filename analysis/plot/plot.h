/* Pictures of figures: lines with points, bars, stacked bars, as SVG or PNG, drawn by gnuplot (gnuplot.h).
 *
 * A plot is the caller's and is only read. The same plot gives the same bytes on the same gnuplot and fonts.
 * Texts may hold anything: nothing in them is markup, and bytes that are not UTF-8 become question marks. No
 * file bears its final name before it is whole. Any thread may draw.
 */
#ifndef ANALYSIS_PLOT_PLOT_H
#define ANALYSIS_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/tauler_error.h"

typedef enum { PLOT_LINES, PLOT_BARS, PLOT_STACKED_BARS } plot_kind;
typedef enum { PLOT_SVG, PLOT_PNG } plot_format;
/* Colours of won, drawn and lost are those of the explorer page; by sign: x above, at and below 0. */
typedef enum { PLOT_BY_PLACE, PLOT_WON, PLOT_DRAWN, PLOT_LOST, PLOT_OPEN, PLOT_BY_SIGN } plot_colour;
enum { PLOT_FORMATS = 2, PLOT_WIDTH = 900, PLOT_HEIGHT = 500, PLOT_MOST_SERIES = 8 };

typedef struct {
  const char *title;
  const double *values; /* one for each point; NaN: none, which leaves a gap */
} plot_series;

typedef struct {
  const char *title;
  const char *x_label, *y_label; /* or NULL */
  plot_kind kind;
  size_t points;
  const char *const *labels; /* of each point along the x axis; or NULL: */
  const double *x;           /* its number; stacked bars stand side by side whatever it is */
  const plot_series *series;
  size_t series_used;         /* 1 … PLOT_MOST_SERIES */
  const plot_colour *colours; /* of each series; or NULL: all by their place. PLOT_BY_SIGN: bars alone */
  bool logarithmic;           /* the y axis; what is not above 0 is left out */
} plot;

/* True if there is nothing to be seen: no value, or none above 0 on a logarithmic axis. */
bool plot_is_empty(const plot *p);

/* "svg", "png" */
const char *plot_format_name(plot_format format);

/* Draws into a file; its folder must exist. Errors: TAULER_BAD_USAGE (an empty plot, too many series), those
 * of gnuplot_run, TAULER_NO_SPACE and TAULER_IO of writing. */
tauler_error plot_draw(const plot *p, plot_format format, const char *path, tauler_message *message);

/* True if plot_draw would work at all, before long work: there is a gnuplot and it draws both formats.
 * Errors: as above. */
tauler_error plot_check(tauler_message *message);

#endif
