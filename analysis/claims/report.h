/* The findings of a claim, in memory: figures, verdict, and witnesses with how they were checked. A claim
 * fills a report and prints nothing; print_report.h turns it into text, JSON or Markdown.
 *
 * A report owns copies of all texts. Nothing fails in between: want of memory, or a call out of place, is
 * kept and comes out of report_error. One thread at a time.
 */
#ifndef ANALYSIS_CLAIMS_REPORT_H
#define ANALYSIS_CLAIMS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/plot/plot.h"
#include "analysis/probe/text_pool.h"
#include "base/tauler_error.h"
#include "databases/table.h"

/* open: nothing looked at decides it. */
typedef enum { VERDICT_OPEN, VERDICT_HOLDS, VERDICT_HOLDS_FOR, VERDICT_FAILS } claim_verdict;
const char *claim_verdict_name(claim_verdict verdict); /* "holds for" */

typedef enum { FIGURE_NONE, FIGURE_NUMBER, FIGURE_TEXT, FIGURE_BOUNDS, FIGURE_MEAN } figure_kind;
typedef struct {
  figure_kind kind;
  int64_t number;
  const char *text;
  double lower, upper; /* certified bounds of a number; of a mean both are it, `number` its decimals */
} report_figure;

typedef struct {
  const char *key;   /* in JSON: "longest_win" */
  const char *title; /* "longest win" */
} report_column;

/* A picture of a table: its rows along the x axis, some of its columns as series. */
enum { REPORT_MOST_SERIES = PLOT_MOST_SERIES };
typedef struct {
  const char *key, *title; /* key: part of the file's name; small letters, digits and '-' */
  plot_kind kind;
  bool logarithmic;                       /* the y axis */
  const char *x, *x_label, *y_label;      /* x: key of a column */
  const char *series[REPORT_MOST_SERIES]; /* keys of columns, whose titles name them; NULL: no more */
} report_plot_layout;

/* The form of a table of figures, given by the Markdown beside a claim. */
typedef struct {
  const char *key, *title;
  const report_column *columns;
  size_t columns_used;
  const report_plot_layout *plots;
  size_t plots_used;
} report_layout;

typedef struct {
  const char *key, *title;
  const char *x_label, *y_label;
  plot_kind kind;
  size_t table;                      /* which of the report's tables */
  size_t x;                          /* column: text of numbers along an axis, or labels */
  size_t series[REPORT_MOST_SERIES]; /* columns, named by their titles */
  size_t series_used;
  bool logarithmic;                /* the y axis */
  const char *files[PLOT_FORMATS]; /* where it was drawn; NULL: nowhere */
} report_plot;

/* A table that figures were read from. */
typedef struct {
  const char *rules, *slice, *stream;
  table_digest digest; /* of its plain cells */
} report_source;

typedef struct {
  const char *key, *title;
  const report_column *columns;
  size_t columns_used;
  report_figure *figures; /* row by row */
  size_t figures_used, figures_room;
} report_table;

typedef struct {
  const char *turn, *move, *position; /* the position after it; NULL: the game is over */
  const char *remark;                 /* or NULL */
} report_step;

/* A check of a witness that does not rely on the tables. */
typedef struct {
  const char *method, *text; /* "replay", and what was done and found, in a sentence */
  bool done, holds;          /* holds means something if it was done */
} report_recheck;

enum { REPORT_MOST_RECHECKS = 4 };
typedef struct {
  const char *title, *position, *drawing;
  report_step *steps;
  size_t steps_used, steps_room;
  report_recheck rechecks[REPORT_MOST_RECHECKS];
  size_t rechecks_used;
} report_witness;

/* A sentence with places for figures: "Up to {seeds} seeds no board is open." */
typedef struct {
  const char *key, *text;
} report_sentence;

/* Findings at a larger size, from another machine (stored.h). */
typedef struct {
  const char *size, *date; /* "--seeds 24", "2026-11-23" */
  const report_sentence *items;
  size_t items_used;
} report_stored;

/* The stored rows, those found again, and whether a found row has the first figure of a stored one but other
 * figures. */
typedef struct {
  size_t rows, again;
  bool differs;
} stored_comparison;

typedef struct report {
  text_pool texts;
  const report_layout *layouts; /* of the tables that it can have */
  size_t layouts_used;
  const report_sentence *sentences; /* that it can say */
  size_t sentences_used;
  const char *rules;
  report_table *tables;
  size_t tables_used, tables_room;
  report_plot *plots;
  size_t plots_used, plots_room;
  report_witness *witnesses;
  size_t witnesses_used, witnesses_room;
  report_source *sources; /* those of a rule set stand together */
  size_t sources_used, sources_room;
  const char **notes;
  size_t notes_used, notes_room;
  claim_verdict verdict;
  const char *reason;
  const report_stored *stored; /* or NULL, and then kept is: */
  struct report *kept;         /* its tables, verdict and reason, */
  stored_comparison compared;  /* held against those found */
  tauler_error error;          /* the first one */
  tauler_message message;
} report;

/* A zeroed report is empty. */
void report_free(report *r);

/* The error met while the report was filled, with a message. */
tauler_error report_error(const report *r, tauler_message *message);

/* Keeps an error, unless there is one: true if there is one now. A call that says what is wrong in
 * &r->message is only made while there is none: if (REPORT_CATCH(r, f(x, &r->message))) return; */
bool report_keep(report *r, tauler_error error);
#define REPORT_CATCH(r, call) ((r)->error ? true : report_keep(r, call))
void report_fail(report *r, tauler_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed memory; NULL if there is none, which is kept. */
void *report_calloc(report *r, size_t n, size_t bytes);

void report_rules(report *r, const char *text); /* the rule set that was looked at, canonical */
void report_note(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_verdict(report *r, claim_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A sentence of the Markdown, its places taken by figures in their order; "" if it is not there or has
 * another number of places, which is kept as an error. */
const char *report_say(report *r, const char *key, const report_figure *figures, size_t used);
#define REPORT_SAY(r, key, ...)                                                                              \
  report_say(r, key, (const report_figure[]){{.kind = FIGURE_NONE}, __VA_ARGS__} + 1,                        \
             sizeof(const report_figure[]){{.kind = FIGURE_NONE}, __VA_ARGS__} / sizeof(report_figure) - 1)

/* Notes, verdicts and rechecks that are sentences of the Markdown, by key and figures. */
#define REPORT_NOTE(r, ...) report_note(r, "%s", REPORT_SAY(r, __VA_ARGS__))
#define REPORT_VERDICT(r, verdict, ...) report_verdict(r, verdict, "%s", REPORT_SAY(r, __VA_ARGS__))
#define REPORT_RECHECK(r, method, done, holds, ...)                                                          \
  report_add_recheck(r, method, done, holds, "%s", REPORT_SAY(r, __VA_ARGS__))

/* Begins a table and its plots as one of the layouts says, which outlive the report. Figures are added row by
 * row to the last table. In plots empty figures leave a gap, and text in a series is no figure; the x axis is
 * of numbers if all of its column are, also where they are text. */
void report_table_begin(report *r, const char *key);
void report_add(report *r, const report_figure *figures, size_t used);
#define REPORT_ADD(r, ...)                                                                                   \
  report_add(r, (const report_figure[]){__VA_ARGS__},                                                        \
             sizeof(const report_figure[]){__VA_ARGS__} / sizeof(report_figure))

void report_plot_drawn(report *r, size_t which, plot_format format, const char *file);

/* Figures; texts are copied when they are added, NULL is none. */
static inline report_figure fig_number(int64_t number) {
  return (report_figure){.kind = FIGURE_NUMBER, .number = number};
}
static inline report_figure fig_count(uint64_t count) {
  return (report_figure){.kind = FIGURE_NUMBER, .number = (int64_t)count};
}
static inline report_figure fig_text(const char *text) {
  return (report_figure){.kind = text ? FIGURE_TEXT : FIGURE_NONE, .text = text};
}
static inline report_figure fig_bounds(double lower, double upper) {
  return (report_figure){.kind = FIGURE_BOUNDS, .lower = lower, .upper = upper};
}
static inline report_figure fig_mean(double mean, int decimals) {
  return (report_figure){.kind = FIGURE_MEAN, .number = decimals, .lower = mean, .upper = mean};
}
static inline report_figure fig_if(bool known, report_figure figure) {
  return known ? figure : (report_figure){.kind = FIGURE_NONE};
}

/* So many of a hundred; 0 of none. */
static inline double percent(uint64_t part, uint64_t all) {
  return all ? 100.0 * (double)part / (double)all : 0;
}
static inline report_figure fig_share(uint64_t part, uint64_t all, int decimals) {
  return fig_mean(percent(part, all), decimals);
}

/* A table that figures were read from; one that is there already is not added again. */
void report_add_source(report *r, const char *rules, const char *slice, const char *stream,
                       table_digest digest);

/* Counts the sources of one rule set from `first` on and gives one digest for them: the table's own if it is
 * the only one, else that of lines "SLICE STREAM DIGEST". Errors: TAULER_NO_MEMORY. */
tauler_error report_sources_of(const report *r, size_t first, size_t *used, table_digest *digest);

/* A witness; steps and rechecks are added to the last one. */
void report_witness_begin(report *r, const char *title, const char *position, const char *drawing);
void report_add_step(report *r, const char *turn, const char *move, const char *position, const char *remark);
void report_add_recheck(report *r, const char *method, bool done, bool holds, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* True if no recheck that was done found anything wrong. */
bool report_is_sound(const report *r);

#endif
