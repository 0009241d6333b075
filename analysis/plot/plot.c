/* Draws figures as SVG and PNG. */
#include "analysis/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/plot_script.h"
#include "base/durable_file.h"

/* A picture takes a tenth of a second; a busy machine may take fifty times as long for a large one. */
enum { SECONDS = 1200 };

static bool is_seen(const plot *p, double value) {
  return isfinite(value) && (!p->logarithmic || value > 0);
}

bool plot_is_empty(const plot *p) {
  for (size_t s = 0; s < p->series_used; s++)
    for (size_t i = 0; i < p->points; i++)
      if (is_seen(p, p->series[s].values[i]) && (p->labels || isfinite(p->x[i]))) return false;
  return true;
}

const char *plot_format_name(plot_format format) {
  return format == PLOT_SVG ? "svg" : "png";
}

static bool ends_with(const gnuplot_output *drawn, const char *end) {
  const size_t length = strlen(end);
  size_t used = drawn->used;
  while (used && drawn->bytes[used - 1] == '\n') used--;
  return used >= length && memcmp(drawn->bytes + used - length, end, length) == 0;
}

static bool is_whole(const gnuplot_output *drawn, plot_format format) {
  const char *first = format == PLOT_SVG ? "<?xml" : "\x89PNG\r\n\x1a\n";
  if (drawn->used < strlen(first) || memcmp(drawn->bytes, first, strlen(first)) != 0) return false;
  return ends_with(drawn, format == PLOT_SVG ? "</svg>" : "IEND\xae\x42\x60\x82");
}

static tauler_error draw(const plot *p, plot_format format, gnuplot_output *drawn, tauler_message *message) {
  char *script = NULL;
  size_t length = 0;
  tauler_error error = plot_script_write(p, format, &script, &length, message);
  if (error) return error;
  error = gnuplot_run(script, length, SECONDS, drawn, message);
  free(script);
  if (error || is_whole(drawn, format)) return error;
  free(drawn->bytes);
  return tauler_fail(message, TAULER_IO, "gnuplot drew no whole picture of '%.100s' as %s", p->title,
                     plot_format_name(format));
}

tauler_error plot_draw(const plot *p, plot_format format, const char *path, tauler_message *message) {
  gnuplot_output drawn;
  if (p->series_used > PLOT_MOST_SERIES || plot_is_empty(p))
    return tauler_fail(message, TAULER_BAD_USAGE, "the plot '%.100s' has nothing to show, or too much",
                       p->title);
  tauler_error error = draw(p, format, &drawn, message);
  if (error) return error;
  error = durable_file_put(path, drawn.bytes, drawn.used, message);
  free(drawn.bytes);
  return error;
}

tauler_error plot_check(tauler_message *message) {
  static const double one[] = {1, 2};
  const plot smallest = {.title = "try",
                         .kind = PLOT_LINES,
                         .points = 2,
                         .x = one,
                         .series = &(plot_series){"one", one},
                         .series_used = 1};
  tauler_error error = TAULER_OK;
  for (int format = 0; format < PLOT_FORMATS && !error; format++) {
    gnuplot_output drawn;
    error = draw(&smallest, (plot_format)format, &drawn, message);
    if (!error) free(drawn.bytes);
  }
  return error;
}
