/* Reports the progress of a long step. */
#include "base/progress.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/command/terminal.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_show.h"

enum { BAR_PERIOD = 100, JSON_PERIOD = 1000 }; /* milliseconds between updates */

static const char CLEAR_LINE[] = "\r\033[K";

progress_mode progress_choose(bool quiet, bool log_json) {
  return quiet ? PROGRESS_QUIET : log_json ? PROGRESS_JSON : PROGRESS_BAR;
}

static uint64_t now_milliseconds(void) {
  return (uint64_t)(clock_wall() * 1000);
}

void progress_open(progress *shown, FILE *out, progress_mode mode) {
  *shown = (progress){.out = out, .mode = mode, .drawing = ATOMIC_FLAG_INIT};
  int descriptor = fileno(out);
  shown->terminal = descriptor >= 0 && isatty(descriptor);
  atomic_init(&shown->done, 0);
  atomic_init(&shown->next_draw, UINT64_MAX);
}

typedef struct {
  uint64_t done;
  double seconds; /* seconds since the start of the step */
  double rate;    /* units per second, 0 if unknown */
  double left;    /* seconds, below 0 if unknown */
} measure;

static measure measure_progress(progress *shown) {
  measure now = {.done = atomic_load(&shown->done), .seconds = clock_wall() - shown->started, .left = -1};
  uint64_t since = now.done - shown->baseline;
  if (now.seconds > 0) now.rate = (double)since / now.seconds;
  if (now.rate > 0 && shown->total >= now.done) now.left = (double)(shown->total - now.done) / now.rate;
  return now;
}

static size_t columns_of_terminal(progress *shown) {
  struct winsize size;
  bool known = ioctl(fileno(shown->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/* Draws "slice 12  [#####.....]  50 %  12.3 M boards/s  3 min 05 s left", cut to the terminal's width. */
static void draw_bar(progress *shown) {
  enum { MOST_CELLS = 40 };
  measure now = measure_progress(shown);
  char line[512], bar[MOST_CELLS + 1] = "";
  size_t width = columns_of_terminal(shown), cells = width < 70 ? 10 : width < 100 ? 20 : MOST_CELLS;
  double part = shown->total == 0 ? 0 : (double)now.done / (double)shown->total;
  size_t full = part >= 1 ? cells : (size_t)(part * (double)cells);
  memset(bar, '#', full);
  memset(bar + full, '.', cells - full);
  bar[cells] = '\0';
  snprintf(line, sizeof line, "%.100s  ", text_shown(shown->step).text);
  if (shown->total > 0)
    text_add(line, sizeof line, "[%s] %3.0f %%  ", bar, part > 1 ? 100 : part * 100);
  else if (now.done > 0)
    text_add(line, sizeof line, "%s %.60s  ", text_count((double)now.done).text, shown->unit);
  if (now.rate > 0) text_add(line, sizeof line, "%s %.60s/s", text_count(now.rate).text, shown->unit);
  if (shown->total > 0 && now.left >= 0)
    text_add(line, sizeof line, "  %s left", text_duration(now.left).text);
  fprintf(shown->out, "%s%.*s", CLEAR_LINE, (int)(width - 1), line);
  fflush(shown->out);
  shown->drawn = true;
}

static double round_to_thousandths(double x) {
  return floor(x * 1000 + 0.5) / 1000;
}

static void write_json_event(progress *shown, const char *event, const char *note) {
  const measure now = measure_progress(shown);
  const json_field total = json_or_null(shown->total > 0, JSON_COUNT("total", shown->total));
  const json_field left = JSON_NUMBER("left", round_to_thousandths(now.left));
  json_writer json;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_field_string(&json, "event", event);
  if (shown->running)
    json_fields(
        &json, JSON_TEXT("step", shown->step), JSON_TEXT("unit", shown->unit), JSON_COUNT("done", now.done),
        total, JSON_NUMBER("seconds", round_to_thousandths(now.seconds)),
        JSON_NUMBER("rate", floor(now.rate)), json_or_nothing(shown->total > 0 && now.left >= 0, left));
  if (note != NULL) json_field_string(&json, "message", note);
  json_end_object(&json);
  size_t length;
  const char *text = json_text(&json, &length);
  fwrite(text, 1, length, shown->out); /* in one call, for readers of a shared stream */
  fflush(shown->out);
  (void)json_close(&json, NULL);
}

static bool shows_progress(const progress *shown) {
  return shown->mode == PROGRESS_JSON || (shown->mode == PROGRESS_BAR && shown->terminal);
}

static void lock_drawing(progress *shown) {
  while (atomic_flag_test_and_set(&shown->drawing)) {}
}

static void clear_bar(progress *shown) {
  if (shown->drawn) fputs(CLEAR_LINE, shown->out);
  shown->drawn = false;
}

static void report_step(progress *shown, const char *event) {
  if (shown->mode == PROGRESS_JSON)
    write_json_event(shown, event, NULL);
  else
    draw_bar(shown);
  const uint64_t period = shown->mode == PROGRESS_JSON ? JSON_PERIOD : BAR_PERIOD;
  atomic_store(&shown->next_draw, now_milliseconds() + period);
}

void progress_start(progress *shown, const char *step, const char *unit, uint64_t total, uint64_t already) {
  shown->step = step;
  shown->unit = unit;
  shown->total = total;
  shown->baseline = already;
  shown->started = clock_wall();
  shown->running = true;
  atomic_store(&shown->done, already);
  if (!shows_progress(shown)) return;
  lock_drawing(shown);
  report_step(shown, "start");
  atomic_flag_clear(&shown->drawing);
}

void progress_add(progress *shown, uint64_t n) {
  atomic_fetch_add_explicit(&shown->done, n, memory_order_relaxed);
  uint64_t next = atomic_load_explicit(&shown->next_draw, memory_order_relaxed);
  if (next == UINT64_MAX) return;
  uint64_t now = now_milliseconds();
  if (now < next || atomic_flag_test_and_set(&shown->drawing)) return;
  if (now >= atomic_load(&shown->next_draw))
    report_step(shown, "progress"); /* no thread has drawn meanwhile */
  atomic_flag_clear(&shown->drawing);
}

void progress_hide(progress *shown) {
  lock_drawing(shown);
  clear_bar(shown);
  fflush(shown->out);
  atomic_flag_clear(&shown->drawing);
}

void progress_note(progress *shown, const char *format, ...) {
  if (shown->mode == PROGRESS_QUIET) return;
  char note[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
  lock_drawing(shown);
  if (shown->mode == PROGRESS_JSON) {
    write_json_event(shown, "note", note);
  } else {
    clear_bar(shown);
    terminal_wrap(shown->out, note, 0, 2);
    fflush(shown->out);
  }
  atomic_flag_clear(&shown->drawing);
}

static void write_finish(progress *shown) {
  measure now = measure_progress(shown);
  clear_bar(shown);
  fprintf(shown->out, "%s: %s %s in %s", text_shown(shown->step).text, text_count((double)now.done).text,
          shown->unit, text_duration(now.seconds).text);
  if (now.done > shown->baseline) fprintf(shown->out, " (%s %s/s)", text_count(now.rate).text, shown->unit);
  fputc('\n', shown->out);
  fflush(shown->out);
}

static void end_step(progress *shown, bool finished) {
  if (!shown->running) return;
  atomic_store(&shown->next_draw, UINT64_MAX);
  lock_drawing(shown);
  if (finished && shown->mode == PROGRESS_JSON) write_json_event(shown, "finish", NULL);
  if (finished && shown->mode == PROGRESS_BAR) write_finish(shown);
  clear_bar(shown);
  fflush(shown->out);
  shown->running = false;
  atomic_flag_clear(&shown->drawing);
}

void progress_finish(progress *shown) {
  end_step(shown, true);
}

void progress_abandon(progress *shown) {
  end_step(shown, false);
}
