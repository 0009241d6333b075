/* Reports how far a long step is on a stream (standard error).
 *
 * A progress goes through steps, one after the other. Worker threads report what they have done with
 * progress_add, which is one atomic addition; now and then one of them also draws, and never two at
 * once. The other functions belong to the thread that opened it. It owns its counters and borrows
 * stream and texts, which must last as long as the step. Nothing ever fails: a lost line of progress
 * is no reason to stop.
 *
 * PROGRESS_BAR shows a bar from the start of a step, redrawn at most ten times a second, but only when the
 * stream is a terminal; a finished step and a note leave one line either way. PROGRESS_JSON writes one object
 * per line: "start", "progress" (at most one a second), "finish", "note". PROGRESS_QUIET: nothing.
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
  bool running;      /* between start and finish */
  const char *step;  /* "slice 12" */
  const char *unit;  /* "boards" */
  uint64_t total;    /* 0: unknown */
  double started;    /* wall seconds */
  bool drawn;        /* a bar stands on the terminal */
  uint64_t baseline; /* done before this run, not counted in the rate */
  _Atomic uint64_t done;
  _Atomic uint64_t next_draw; /* wall milliseconds */
  atomic_flag drawing;
} progress;

/* The mode that --quiet and --log-json ask for; --quiet wins. */
progress_mode progress_choose(bool quiet, bool log_json);

void progress_open(progress *shown, FILE *out, progress_mode mode);

/* Starts a step of `total` units (0: not known), of which `already` are done, as on a resumed run:
 * they fill the bar but do not count for the rate. */
void progress_start(progress *shown, const char *step, const char *unit, uint64_t total, uint64_t already);

/* n more units are done. From any thread, a few thousand times a second at most: once per batch. */
void progress_add(progress *shown, uint64_t n);

/* Wipes the bar, so that standard output may write to the same terminal; it is drawn again later. */
void progress_hide(progress *shown);

/* A sentence for a person, without newline, above the bar. */
void progress_note(progress *shown, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the step and leaves one line with its time and rate. All threads must be done adding. */
void progress_finish(progress *shown);

/* Ends the step without a line, as after an error. Safe to call when no step is running. */
void progress_abandon(progress *shown);

#endif
