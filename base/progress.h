/* Reports the progress of long steps on a stream (standard error).
 *
 * A progress has steps, one after the other. Worker threads report finished units with progress_add; from
 * time to time one of them also draws. Only the thread that opened the progress calls the other functions. A
 * progress borrows its stream, and the texts of a step until the step ends. No function fails, since a lost
 * line of progress is no reason to stop.
 *
 * PROGRESS_BAR shows a bar from the start of a step, redrawn at most ten times per second, but only if the
 * stream is a terminal; a finished step and a note print a line in any case. PROGRESS_JSON writes one object
 * per line: "start", "progress" (at most one per second), "finish", "note". PROGRESS_QUIET prints nothing.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { PROGRESS_BAR, PROGRESS_JSON, PROGRESS_QUIET } progress_mode;

typedef struct {
  FILE *out;
  progress_mode mode;
  bool terminal;
  bool running;
  const char *step;  /* "slice 12" */
  const char *unit;  /* "boards" */
  uint64_t total;    /* number of units, 0 if unknown */
  double started;    /* wall time in seconds */
  bool drawn;        /* true if a bar is on the terminal */
  uint64_t baseline; /* units done before this run, which the rate does not count */
  _Atomic uint64_t done;
  _Atomic uint64_t next_draw; /* wall time of the next drawing in milliseconds, UINT64_MAX if there is none */
  atomic_flag drawing;
} progress;

/* If both are given, --quiet holds. */
progress_mode progress_choose(bool quiet, bool log_json);

void progress_open(progress *shown, FILE *out, progress_mode mode);

/* Starts a step of `total` units (0 if unknown). `already` units were done before, in a resumed run: they
 * fill the bar but do not count for the rate. */
void progress_start(progress *shown, const char *step, const char *unit, uint64_t total, uint64_t already);

/* Reports n more units. Any thread may call it, at most a few thousand times per second. */
void progress_add(progress *shown, uint64_t n);

/* Removes the bar until progress_add draws it again, so that standard output may use the terminal. */
void progress_hide(progress *shown);

/* Prints a sentence, which has no newline, above the bar. */
void progress_note(progress *shown, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the step and reports its time and rate in one line. All threads must have stopped adding. */
void progress_finish(progress *shown);

/* Ends the step without a line. May be called if no step is running. */
void progress_abandon(progress *shown);

#endif
