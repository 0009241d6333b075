/* Runs the command bench: reads its options, measures, and prints JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/command/threads.h"
#include "games/registry.h"
#include "solver/run/command_ranks.h"

static const option own_options[] = {
    {"seeds", "N", "build aualé up to N seeds instead of each benchmark's own size", NULL},
    {"pieces", "K", "build Dou Shou Qi up to K pieces instead of each benchmark's own size", NULL},
    {"players", "P", "build Oca for P players instead of each benchmark's own number", NULL},
    {"tokens", "K", "build la oca asesina with K tokens instead of each benchmark's own number", NULL},
    {"board", "RxC", "build this board of Phutball instead of each benchmark's own", NULL},
    {"plies", "N", "count lines of play of N plies instead of each benchmark's own length", NULL},
    {"json", NULL, "one JSON object per benchmark, as always", NULL},
    {"scratch", "DIR", "where to build; a new folder in $TMPDIR or /tmp otherwise", "@dir"}};
static const option_group own_group = OPTION_GROUP("Measuring", own_options);
static const option_group *const groups[] = {&own_group, &bench_ranks_group, &options_running, NULL};

static bool is_asked(const options *parsed, const benchmark *one) {
  for (size_t i = 0; i < options_arguments(parsed); i++) {
    if (strcmp(options_argument(parsed, i), one->name) == 0) return true;
  }
  return options_arguments(parsed) == 0 && !one->long_one;
}

static tauler_error refuse_name(const char *name, tauler_message *message) {
  char known[256] = "";
  size_t used = 0;
  for (size_t i = 0; bench_at(i) && used < sizeof known; i++)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", bench_at(i)->name);
  return tauler_fail(message, TAULER_BAD_USAGE, "there is no benchmark '%.40s': choose from %s", name, known);
}

static tauler_error check_names(const options *parsed, tauler_message *message) {
  for (size_t i = 0; i < options_arguments(parsed); i++) {
    size_t one = 0;
    while (bench_at(one) && strcmp(bench_at(one)->name, options_argument(parsed, i)) != 0) one++;
    if (!bench_at(one)) return refuse_name(options_argument(parsed, i), message);
    if (!bench_at(one)->run && options_arguments(parsed) > 1)
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "the benchmark '%s' starts processes of its own: name no other one with it",
                         bench_at(one)->name);
  }
  return TAULER_OK;
}

/* True if the one that is asked for is measured by ranks. */
static bool wants_ranks(const options *parsed) {
  for (size_t i = 0; bench_at(i); i++)
    if (!bench_at(i)->run && is_asked(parsed, bench_at(i))) return true;
  return false;
}

static tauler_error run_one(const bench *asked, const benchmark *one, tauler_message *message) {
  json_writer json;
  json_open_file(&json, stdout);
  bench now = *asked;
  now.json = &json;
  json_begin_object(&json);
  json_fields(&json, JSON_TEXT("benchmark", one->name), JSON_TEXT("summary", one->summary));
  progress_start(now.shown, one->name, "steps", 0, 0);
  const tauler_error error = one->run(&now, one, message);
  progress_abandon(now.shown);
  json_field_bool(&json, "holds", error == TAULER_OK);
  json_end_object(&json);
  const tauler_error closed = json_close(&json, error ? NULL : message);
  return error ? error : closed;
}

/* A bench that is stopped between rounds can still remove what it built. */
static tauler_error run_here(const options *parsed, const char *parent, const bench *asked,
                             tauler_message *message) {
  char scratch[512], tables[520];
  bench bench = *asked;
  tauler_error error = bench_make_scratch(parent, scratch, message);
  if (error) return error;
  snprintf(tables, sizeof tables, "%s/tables", scratch);
  bench.scratch = tables;
  signals_hold();
  for (size_t i = 0; bench_at(i) && !error; i++) {
    if (is_asked(parsed, bench_at(i))) error = run_one(&bench, bench_at(i), message);
  }
  bench_remove_folder(scratch);
  return error;
}

static tauler_error check_board(const char *text, tauler_message *message) {
  const game *game = game_find("phutball");
  const game_request request = {.board = text};
  game_rules *rules;
  game_slices slices = {NULL, 0};
  tauler_error error = game->open("base", NULL, &rules, message);
  if (error) return error;
  error = game->slices(rules, &request, &slices, message);
  free(slices.slices);
  game->close(rules);
  return error;
}

static tauler_error check_sizes(const options *parsed, tauler_message *message) {
  static const struct {
    const char *option;
    uint64_t least, most;
  } sizes[] = {{"seeds", 1, 48}, {"pieces", 2, 6}, {"players", 1, 4}, {"tokens", 1, 3}, {"plies", 1, 12}};
  tauler_error error = TAULER_OK;
  uint64_t size;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !error; i++)
    error = options_number(parsed, sizes[i].option, sizes[i].least, sizes[i].most, &size, message);
  const char *board = options_get(parsed, "board");
  return error || !board ? error : check_board(board, message);
}

static tauler_error run_bench(const options *parsed, tauler_message *message) {
  bench bench = {.parsed = parsed};
  progress shown;
  const char *parent = options_get(parsed, "scratch");
  tauler_error error = check_names(parsed, message);
  if (!error) error = check_sizes(parsed, message);
  if (!error) error = threads_option(parsed, &bench.threads, message);
  if (!error) error = options_size(parsed, "memory", &bench.memory, message);
  if (error) return error;
  progress_open(&shown, stderr,
                progress_choose(options_has(parsed, "quiet"), options_has(parsed, "log-json")));
  bench.shown = &shown;
  error = wants_ranks(parsed) ? bench_across_ranks(groups, parent, &bench, message)
                              : run_here(parsed, parent, &bench, message);
  if (error == TAULER_STOPPED)
    return tauler_fail(message, error, "stopped on request; a benchmark keeps nothing");
  return error;
}

const command command_bench = {
    .name = "bench",
    .arguments = "[NAME…]",
    .least_arguments = 0,
    .most_arguments = 20,
    .arguments_completion =
        "threads awari forced depths verify size probe sowings large animals moves animals-four "
        "animals-large boards turns boards-large oca oca-asesina oca-large oca-asesina-large ranks",
    .groups = groups,
    .run = run_bench,
    .refused = ranks_refuse,
    .waits_to_speak = ranks_wait_to_speak};
