/* Writes the script by which gnuplot draws a plot. */
#include "analysis/plot/plot_script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
  LABEL_CHARACTERS = 34, /* longer ones are cut off */
  AXIS_PIXELS = 780,
  CHARACTER_PIXELS = 8,
  SLANTED_PIXELS = 26, /* that a slanted label takes at least */
  UPRIGHT_PIXELS = 16,
  LONG_TITLE = 85,
  MOST_ROWS_ABOVE = 2,
  KEY_CHARACTERS = 12,  /* that a colour takes beside its name */
  MOST_WHOLE_STEPS = 24 /* along the x axis */
};

/* Okabe and Ito's colours, which colour-blind people tell apart, those of most contrast first. */
static const char *const colours[PLOT_MOST_SERIES] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                      "#56b4e9", "#d55e00", "#000000", "#999999"};
static const char *const meant[] = {
    [PLOT_WON] = "#006b50", [PLOT_DRAWN] = "#f0b32c", [PLOT_LOST] = "#a93226", [PLOT_OPEN] = "#6b6b66"};
static const int points[PLOT_MOST_SERIES] = {7, 5, 9, 13, 11, 4, 6, 8};

/* --- texts --- */

/* Bytes of the character that a text begins with; 0: none that may stand in a picture. */
static size_t character_bytes(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80) return c[0] >= ' ' && c[0] != 0x7F;
  const size_t n = c[0] >= 0xC2 && c[0] < 0xE0   ? 2
                   : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
                   : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                                 : 0;
  for (size_t i = 1; i < n; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  const bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
  const bool outside = (c[0] == 0xED && c[1] >= 0xA0) || (c[0] == 0xF4 && c[1] >= 0x90) ||
                       (c[0] == 0xC2 && c[1] < 0xA0) || (c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE);
  return overlong || outside ? 0 : n;
}

/* Characters that gnuplot would misread are written as numbers: commands in backquotes are run also within
 * quotes, and labels along an axis are formats. */
static void write_character(FILE *out, const char *text, size_t bytes, bool label) {
  if (bytes == 0) {
    fputc((unsigned char)*text < ' ' ? ' ' : '?', out);
  } else if (strchr("\"\\`@$'", *text)) {
    fprintf(out, "\\%03o", (unsigned)*text);
  } else {
    if (label && *text == '%') fputc('%', out);
    fwrite(text, 1, bytes, out);
  }
}

static void write_text(FILE *out, const char *text) {
  fputc('"', out);
  while (*text) {
    const size_t bytes = character_bytes(text);
    write_character(out, text, bytes, false);
    text += bytes ? bytes : 1;
  }
  fputc('"', out);
}

static void write_label(FILE *out, const char *text) {
  fputc('"', out);
  for (int written = 0; *text && written < LABEL_CHARACTERS; written++) {
    const size_t bytes = character_bytes(text);
    write_character(out, text, bytes, true);
    text += bytes ? bytes : 1;
  }
  fputs(*text ? "…\"" : "\"", out);
}

static size_t characters(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

static void set_text(FILE *out, const char *what, const char *text, const char *more) {
  if (!text || !*text) return;
  fprintf(out, "set %s ", what);
  write_text(out, text);
  fprintf(out, " noenhanced %s\n", more);
}

/* --- axes --- */

static bool is_bars(const plot *p) {
  return p->kind != PLOT_LINES;
}

static bool is_by_number(const plot *p) {
  return p->kind != PLOT_STACKED_BARS && !p->labels;
}

/* The least and the greatest value that will be seen; of stacked bars those of the sums. */
static void find_range(const plot *p, double *least, double *most) {
  *least = INFINITY;
  *most = -INFINITY;
  for (size_t i = 0; i < p->points; i++) {
    double sum = 0;
    for (size_t s = 0; s < p->series_used; s++) {
      const double value = p->series[s].values[i];
      if (!isfinite(value) || (p->logarithmic && value <= 0)) continue;
      sum += value;
      const double top = p->kind == PLOT_STACKED_BARS ? sum : value;
      *least = fmin(*least, value);
      *most = fmax(*most, top);
    }
  }
}

static void write_y_axis(FILE *out, const plot *p) {
  double least, most;
  find_range(p, &least, &most);
  const bool percent = p->kind == PLOT_STACKED_BARS && fabs(most - 100) < 0.5;
  const char *format = most < 1e6 ? "%.10g" : p->logarithmic ? "%.0s%c" : "%.1s%c";
  fprintf(out, "set format y '%s'\n", format);
  if (p->logarithmic) {
    fprintf(out, "set logscale y 10\nset yrange [%s:%s]\n", text_real(least / 2).text,
            text_real(most * 2).text);
  } else if (least >= 0 && (is_bars(p) || least < most / 2)) {
    fprintf(out, "set yrange [0:%s]\n", percent ? "100" : most > 0 ? "*" : "1");
    if (percent)
      fputs("set arrow from graph 0, first 50 to graph 1, first 50 nohead front dashtype 2 "
            "linecolor rgb '#444444'\n",
            out);
  } else if (least < 0) {
    fprintf(out, "set xzeroaxis linetype 1 linewidth 1 linecolor rgb '#444444'\n");
    if (most <= 0 && is_bars(p)) fprintf(out, "set yrange [*:0]\n");
  }
}

/* The smallest distance of two numbers along the x axis, which rise; 1 if there are not two. */
static double step_of(const plot *p) {
  double step = INFINITY;
  for (size_t i = 1; i < p->points; i++)
    if (p->x[i] > p->x[i - 1]) step = fmin(step, p->x[i] - p->x[i - 1]);
  return isfinite(step) ? step : 1;
}

static void write_number_axis(FILE *out, const plot *p) {
  double least = INFINITY, most = -INFINITY;
  bool whole = true;
  for (size_t i = 0; i < p->points; i++) {
    if (!isfinite(p->x[i])) continue;
    least = fmin(least, p->x[i]);
    most = fmax(most, p->x[i]);
    whole = whole && p->x[i] == floor(p->x[i]);
  }
  const double slack = is_bars(p) ? 0.7 * step_of(p) : most > least ? (most - least) / 40 : 1;
  fprintf(out, "set xrange [%s:%s]\n", text_real(least - slack).text, text_real(most + slack).text);
  if (whole && most - least <= MOST_WHOLE_STEPS) fprintf(out, "set xtics 1\n");
}

static void write_place(FILE *out, const plot *p, size_t i) {
  if (p->labels) {
    write_label(out, p->labels[i]);
  } else {
    fprintf(out, "\"%.10g\"", p->x[i]);
  }
}

static void write_place_axis(FILE *out, const plot *p) {
  size_t longest = p->labels ? 0 : 4;
  for (size_t i = 0; i < p->points && p->labels; i++) {
    const size_t length = characters(p->labels[i]);
    if (length > longest) longest = length;
  }
  const size_t room = AXIS_PIXELS / p->points, every = 1 + (UPRIGHT_PIXELS * p->points - 1) / AXIS_PIXELS;
  const bool flat = (longest + 1) * CHARACTER_PIXELS <= room;
  fprintf(out, "set xrange [-0.7:%s]\n", text_real((double)p->points - 0.3).text);
  fprintf(out, "set xtics scale 0 %s (",
          flat                     ? "norotate"
          : room >= SLANTED_PIXELS ? "rotate by 35 right"
                                   : "rotate by 90 right");
  for (size_t i = 0; i < p->points; i += every) {
    fputs(i ? ", " : "", out);
    write_place(out, p, i);
    fprintf(out, " %zu", i);
  }
  fputs(")\n", out);
}

/* --- the picture --- */

/* Rows of the key between title and picture, whose columns are as wide as the longest name; 0: it stands
 * beside the picture. */
static size_t rows_above(const plot *p) {
  size_t longest = 0;
  for (size_t s = 0; s < p->series_used; s++) {
    const size_t length = characters(p->series[s].title);
    if (length > longest) longest = length;
  }
  const size_t abreast = AXIS_PIXELS / (CHARACTER_PIXELS * (longest + KEY_CHARACTERS));
  if (p->series_used < 2 || abreast == 0) return 0;
  const size_t rows = (p->series_used + abreast - 1) / abreast;
  return rows <= MOST_ROWS_ABOVE ? rows : 0;
}

static void write_head(FILE *out, const plot *p, plot_format format) {
  fputs("set encoding utf8\n", out);
  fprintf(out, "set terminal %s noenhanced size %d,%d font '%s' background rgb '#ffffff'\n",
          format == PLOT_SVG ? "svg" : "pngcairo", PLOT_WIDTH, PLOT_HEIGHT,
          format == PLOT_SVG ? "sans-serif,14" : "DejaVu Sans,11");
  const char *font = characters(p->title) > LONG_TITLE ? "12" : format == PLOT_SVG ? "17" : "13";
  char more[64];
  const size_t rows = rows_above(p);
  snprintf(more, sizeof more, "font ',%s' offset 0,%.1f", font, 1.2 * (double)rows);
  set_text(out, "title", p->title, more);
  set_text(out, "xlabel", p->x_label, "");
  set_text(out, "ylabel",
           p->y_label && *p->y_label ? p->y_label
           : p->series_used == 1     ? p->series[0].title
                                     : NULL,
           "");
  fputs("set border 3 linecolor rgb '#444444'\nset tics nomirror\n"
        "set grid ytics linetype 1 linewidth 1 linecolor rgb '#dddddd'\nset rmargin 4\n",
        out);
  if (rows > 0) {
    fprintf(out,
            "set tmargin %.1f\nset key at graph 0.5,1.03 center bottom horizontal Left reverse width 1\n",
            3.8 + 1.2 * (double)rows);
  } else {
    fputs(p->series_used > 1 ? "set key outside right top vertical Left reverse width 1\n" : "unset key\n",
          out);
  }
  if (p->kind == PLOT_BARS && p->labels)
    fputs("set style histogram clustered gap 1\nset boxwidth 0.9\n", out);
  if (p->kind == PLOT_STACKED_BARS) fputs("set style histogram rowstacked\nset boxwidth 0.7\n", out);
  if (is_bars(p)) fputs("set style fill solid 1.0 noborder\n", out);
}

static void write_data(FILE *out, const plot *p) {
  fputs("$data << END\n", out);
  for (size_t i = 0; i < p->points; i++) {
    const double x = is_by_number(p) ? p->x[i] : (double)i;
    fputs(isfinite(x) ? text_real(x).text : "NaN", out);
    for (size_t s = 0; s < p->series_used; s++) {
      const double value = p->series[s].values[i];
      fprintf(out, " %s", isfinite(value) && (!p->logarithmic || value > 0) ? text_real(value).text : "NaN");
    }
    fputc('\n', out);
  }
  fputs("END\n", out);
}

static void write_colour(FILE *out, const plot *p, size_t series) {
  const plot_colour colour = p->colours ? p->colours[series] : PLOT_BY_PLACE;
  if (colour == PLOT_BY_SIGN) {
    fputs(" linecolor rgb variable", out);
  } else {
    fprintf(out, " linecolor rgb '%s'", colour == PLOT_BY_PLACE ? colours[series] : meant[colour]);
  }
}

/* Bars of one number stand beside each other around it. */
static void write_boxes(FILE *out, const plot *p, size_t series) {
  const double width = 0.8 * step_of(p) / (double)p->series_used;
  const double place = width * ((double)series - (double)(p->series_used - 1) / 2);
  fprintf(out, "$data using ($1+(%s)):%zu:(%s)", text_real(place).text, series + 2, text_real(width).text);
  if (p->colours && p->colours[series] == PLOT_BY_SIGN)
    fprintf(out, ":($1>0?0x%s:$1<0?0x%s:0x%s)", meant[PLOT_WON] + 1, meant[PLOT_LOST] + 1,
            meant[PLOT_DRAWN] + 1);
  fputs(" with boxes", out);
}

static void write_series(FILE *out, const plot *p) {
  for (size_t s = 0; s < p->series_used; s++) {
    fputs(s ? ", " : "plot ", out);
    if (p->kind == PLOT_BARS && !p->labels) {
      write_boxes(out, p, s);
    } else if (is_bars(p)) {
      fprintf(out, "$data using %zu with histograms", s + 2);
    } else {
      fprintf(out, "$data using 1:%zu with linespoints linetype 1 linewidth 2 pointtype %d pointsize 0.9",
              s + 2, points[s]);
    }
    write_colour(out, p, s);
    fputs(" title ", out);
    write_text(out, p->series[s].title);
    fputs(" noenhanced", out);
  }
  fputc('\n', out);
}

tauler_error plot_script_write(const plot *p, plot_format format, char **script, size_t *length,
                               tauler_message *message) {
  FILE *out = open_memstream(script, length);
  if (out) {
    write_head(out, p, format);
    write_y_axis(out, p);
    (is_by_number(p) ? write_number_axis : write_place_axis)(out, p);
    write_data(out, p);
    write_series(out, p);
    if (fclose(out) == 0) return TAULER_OK;
    free(*script);
  }
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a plot of %zu points", p->points);
}
