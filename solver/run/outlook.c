/* Compares the memory and disk that a build needs with those available, and prints the estimate. */
#include "solver/run/run.h"

#include <stdarg.h>
#include <string.h>

#include "base/available.h"
#include "base/command/terminal.h"
#include "base/text.h"

/* Returns the bytes of the tables, and of the arrays that are spilled until the tables are complete. */
static uint64_t needed_disk_bytes(const build_outlook *ahead) {
  return ahead->tables + ahead->plan.waiting;
}

bool build_memory_fits(const build_outlook *ahead) {
  return ahead->plan.memory <= ahead->memory_available;
}

bool build_disk_fits(const build_outlook *ahead) {
  return needed_disk_bytes(ahead) <= ahead->disk_available;
}

void build_estimate(const build_job *job, const build_plan *plan, const game_slices *missing, uint64_t tables,
                    build_outlook *ahead) {
  *ahead = (build_outlook){.job = job,
                           .plan = *plan,
                           .positions = game_slices_positions(missing),
                           .tables = tables,
                           .memory_available = memory_left(job->work.memory),
                           .disk_available = disk_available(job->folder)};
}

static const char *fit_text(bool fits) {
  return fits ? "fits" : "does not fit";
}

/* Prints a row such as "  disk       about 2.18 MiB (fits)". */
static void print_row(FILE *out, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void print_row(FILE *out, const char *name, const char *format, ...) {
  enum { LEFT_COLUMN = 13 };
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(out, "  %-*s", LEFT_COLUMN - 2, name);
  terminal_wrap(out, text, LEFT_COLUMN, LEFT_COLUMN);
}

static void print_memory(FILE *out, const build_outlook *ahead) {
  const build_plan *plan = &ahead->plan;
  if (plan->ranks > 1 && !plan->engine->cells)
    print_row(out, "ranks", "share the work; each holds %s",
              plan->shared ? "whole slices, and its share of large ones" : "whole slices");
  print_row(out, "memory", "%s%s (%s)", text_size(plan->memory).text, plan->ranks > 1 ? " per rank" : "",
            fit_text(build_memory_fits(ahead)));
  if (plan->shards_per_rank > 1 && plan->engine->cells && plan->engine->cells->pages)
    print_row(out, "pages", "of 1/%u of a slice in memory at a time", plan->shards_per_rank);
  else if (plan->shards_per_rank > 1)
    print_row(out, "shards", "%u per rank, one at a time in memory", plan->shards_per_rank);
}

static void print_disk(FILE *out, const build_outlook *ahead) {
  char parts[192] = "", fits[32] = "";
  if (ahead->plan.waiting > 0)
    snprintf(parts, sizeof parts, ": %s of tables, and until they are built %s of %s",
             text_size(ahead->tables).text, text_size(ahead->plan.waiting).text,
             ahead->plan.shared ? "bitboards, by all ranks" : "slices that do not fit into memory");
  if (ahead->disk_available < UINT64_MAX)
    snprintf(fits, sizeof fits, " (%s)", fit_text(build_disk_fits(ahead)));
  print_row(out, "disk", "about %s%s%s", text_size(needed_disk_bytes(ahead)).text, parts, fits);
}

static void print_time(FILE *out, const build_outlook *ahead) {
  const build_plan *plan = &ahead->plan;
  char ranks[32] = "";
  if (ahead->brief) {
    print_row(out, "time", "less than a minute of solving");
    return;
  }
  if (!(ahead->seconds > 0)) {
    print_row(out, "time", "not known: this memory does not hold a small slice to measure by");
    return;
  }
  if (plan->ranks > 1) snprintf(ranks, sizeof ranks, "%d ranks of ", plan->ranks);
  print_row(out, "time", "about %s of solving with %s%d thread%s, at the rate of %s",
            text_duration(ahead->seconds).text, ranks, ahead->job->work.threads,
            ahead->job->work.threads == 1 ? "" : "s",
            ahead->sampled ? "a small slice here and now" : "earlier builds elsewhere");
  if (ahead->ample_seconds > 0)
    print_row(out, "faster", "about %s with %s of memory%s, and nothing that waits on the disk",
              text_duration(ahead->ample_seconds).text, text_size(ahead->ample_memory).text,
              plan->ranks > 1 ? " per rank" : "");
}

static void print_shortage(FILE *out, const build_outlook *ahead) {
  const build_plan *plan = &ahead->plan;
  if (!build_memory_fits(ahead))
    print_row(out, "available", "%s of memory%s: ask for fewer slices, %sor raise --memory",
              text_size(ahead->memory_available).text, plan->ranks > 1 ? " per rank" : "",
              plan->ranks > 1 && plan->engine->cells ? "take more ranks, " : "");
  if (!build_disk_fits(ahead))
    print_row(out, "available",
              "%s of disk in %.300s: ask for fewer slices, make room, %sor choose another folder",
              text_size(ahead->disk_available).text, ahead->job->folder,
              plan->waiting > 0 ? "raise --memory, " : "");
}

void build_outlook_print(FILE *out, const build_outlook *ahead) {
  const build_job *job = ahead->job;
  const build_plan *plan = &ahead->plan;
  const char *cycles = job->problem.game->cycles_text(job->problem.rules);
  fprintf(out, "%s %s%s%s%s\n", job->problem.game->name, job->problem.game->rules_text(job->problem.rules),
          *cycles ? ", cycles " : "", cycles, job->depths ? ", with depths" : "");
  print_row(out, "positions", "%llu %s, %llu in the largest slice", (unsigned long long)ahead->positions,
            ahead->positions < plan->positions ? "to build" : "stored", (unsigned long long)plan->largest);
  print_memory(out, ahead);
  print_disk(out, ahead);
  if (plan->network > 0)
    print_row(out, "network", "about %s between ranks, %.2f bytes a position", text_size(plan->network).text,
              (double)plan->network / (double)plan->positions);
  print_time(out, ahead);
  print_shortage(out, ahead);
}

static json_field seconds_field(const char *key, double seconds) {
  return json_or_null(seconds > 0, JSON_NUMBER(key, seconds));
}

void build_outlook_fields(json_writer *json, const build_outlook *ahead) {
  const build_job *job = ahead->job;
  const build_plan *plan = &ahead->plan;
  const bool memory = build_memory_fits(ahead), disk = build_disk_fits(ahead);
  json_fields(
      json, JSON_TEXT("game", job->problem.game->name),
      JSON_TEXT("rules", job->problem.game->rules_text(job->problem.rules)),
      JSON_COUNT("positions", ahead->positions), JSON_COUNT("largest_slice", plan->largest),
      JSON_INTEGER("ranks", plan->ranks), JSON_INTEGER("threads", job->work.threads),
      JSON_COUNT("shares_per_rank", plan->shards_per_rank), JSON_COUNT("memory", plan->memory),
      JSON_COUNT("memory_available", ahead->memory_available), JSON_COUNT("disk", ahead->tables),
      JSON_COUNT("on_disk", plan->waiting),
      json_or_null(ahead->disk_available < UINT64_MAX, JSON_COUNT("disk_available", ahead->disk_available)),
      JSON_COUNT("network", plan->network), seconds_field("seconds", ahead->seconds),
      json_or_nothing(plan->waiting > 0, seconds_field("seconds_in_memory", ahead->ample_seconds)),
      JSON_FLAG("memory_fits", memory), JSON_FLAG("disk_fits", disk), JSON_FLAG("fits", memory && disk));
}

tauler_error build_outlook_check(const build_outlook *ahead, tauler_message *message) {
  if (!build_memory_fits(ahead))
    return memory_plan(ahead->job->work.memory, ahead->plan.memory, "solving these slices", message);
  if (build_disk_fits(ahead)) return TAULER_OK;
  char waiting[128] = "";
  if (ahead->plan.waiting > 0)
    snprintf(waiting, sizeof waiting, ", %s of it for what does not fit into %s of memory",
             text_size(ahead->plan.waiting).text, text_size(ahead->memory_available).text);
  return tauler_fail(
      message, TAULER_NO_SPACE,
      "the build needs about %s of disk in %.300s, which has %s free%s; make room, choose another "
      "folder with --db%s or ask for fewer slices",
      text_size(needed_disk_bytes(ahead)).text, ahead->job->folder, text_size(ahead->disk_available).text,
      waiting, *waiting ? ", raise --memory" : "");
}
