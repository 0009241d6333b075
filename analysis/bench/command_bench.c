/* Runs the command bench. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench.h"
#include "base/clock.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/command/threads.h"
#include "base/text.h"
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

/* --- Dou Shou Qi --- */

/* SWIMMERS and WALKERS are the numbers of squares for rats and for other animals by the base rules. */
enum { SWIMMERS = 61, WALKERS = 49, ANIMALS = 8, LEAST_PIECES = 2 };
enum { RATS = 1 | 1 << ANIMALS, ONE_SIDE = (1 << ANIMALS) - 1, MATERIALS = 1 << 2 * ANIMALS };

/* Returns the number of positions with White to move over all materials of `pieces` pieces, mirror images
 * included, as publications count. A material has a bit for each animal of either side. */
static uint64_t count_ordered_positions(uint64_t pieces) {
  uint64_t positions = 0;
  for (unsigned bits = 0; bits < MATERIALS; bits++) {
    if ((uint64_t)__builtin_popcount(bits) != pieces || !(bits & ONE_SIDE) || !(bits >> ANIMALS)) continue;
    const uint64_t walkers = pieces - (uint64_t)__builtin_popcount(bits & RATS);
    uint64_t ways = 1;
    for (uint64_t i = 0; i < pieces; i++) ways *= (i < walkers ? WALKERS : SWIMMERS) - i;
    positions += ways;
  }
  return positions;
}

static double bits_per_ordered_position(const bench_trial *trial, const bench_result *result) {
  return 8 * (double)result->asked_bytes / (double)count_ordered_positions(trial->size);
}

static tauler_error report_ordered_positions(const bench *bench, const bench_trial *trial,
                                             const bench_result *result, tauler_message *message) {
  (void)message;
  uint64_t solved = 0;
  for (uint64_t pieces = LEAST_PIECES; pieces <= trial->size; pieces++)
    solved += count_ordered_positions(pieces);
  json_fields(bench->json, JSON_COUNT("ordered_positions", count_ordered_positions(trial->size)),
              JSON_COUNT("ordered_positions_solved", solved));
  bench_write_number(bench, "ordered_positions_per_cpu_second",
                     (double)solved / bench_solving_seconds(result));
  bench_write_number(bench, "table_bits_per_ordered_position", bits_per_ordered_position(trial, result));
  return TAULER_OK;
}

/* Reports the first build, and builds again at level 19. Both must have the same cells. */
static tauler_error report_levels(const bench *bench, const bench_trial *trial, const bench_result *result,
                                  tauler_message *message) {
  bench_trial small = *trial;
  bench_result smaller;
  (void)report_ordered_positions(bench, trial, result, message);
  small.level = 19;
  small.all_threads = true;
  const tauler_error error = bench_build(bench, bench->scratch, &small, &smaller, message);
  if (error) return error;
  bench_write_number(bench, "table_bits_per_ordered_position_at_level_19",
                     bits_per_ordered_position(&small, &smaller));
  if (strcmp(result->digest_of_all, smaller.digest_of_all) == 0) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "the tables differ from those of another compression level");
}

/* --- Phutball --- */

/* Reports figures per position with mirror images included: the ball on a row between the goal lines, and men
 * on any other points. */
static tauler_error report_mirrored_positions(const bench *bench, const bench_trial *trial,
                                              const bench_result *result, tauler_message *message) {
  (void)message;
  char *end;
  const uint64_t rows = strtoull(trial->board, &end, 10), columns = strtoull(end + 1, NULL, 10);
  const uint64_t all = (rows - 2) * columns << (rows * columns - 1);
  json_field_unsigned(bench->json, "mirrored_positions", all);
  bench_write_number(bench, "mirrored_positions_per_cpu_second", (double)all / bench_solving_seconds(result));
  bench_write_number(bench, "table_bits_per_mirrored_position",
                     8 * (double)result->table_bytes / (double)all);
  return TAULER_OK;
}

/* --- dice --- */

static void report_sweeps(const bench *bench, const char *key, const build_sweeps sweeps[BUILD_SWEEPS]) {
  static const char *const names[] = {
      [BUILD_POTENTIALS] = "potentials", [BUILD_VALUES] = "values", [BUILD_BOUNDS] = "bounds"};
  json_field_object(bench->json, key);
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
    json_field_object(bench->json, names[kind]);
    json_fields(bench->json, JSON_COUNT("sweeps", sweeps[kind].sweeps),
                JSON_COUNT("updates", sweeps[kind].updates));
    bench_write_number(bench, "cpu_seconds", sweeps[kind].seconds);
    json_end_object(bench->json);
  }
  json_end_object(bench->json);
}

/* Reports sweeps and updates. Fails if bounds are wider than asked. */
static tauler_error report_dice(const bench *bench, const bench_trial *trial, const bench_result *result,
                                tauler_message *message) {
  const build_cost *cost = &result->cost;
  const build_sweeps *bounds = &cost->sweeps[BUILD_BOUNDS];
  const uint64_t updates = build_updates(cost->sweeps);
  bench_write_number(bench, "width_asked", trial->width);
  bench_write_number(bench, "width", cost->width);
  json_fields(bench->json, JSON_COUNT("quantities", result->quantities), JSON_COUNT("updates", updates));
  bench_write_number(bench, "updates_per_cpu_second", (double)updates / bench_solving_seconds(result));
  json_field_unsigned(bench->json, "interval_updates", bounds->updates);
  bench_write_number(bench, "interval_updates_per_cpu_second",
                     (double)bounds->updates / bench_solving_seconds(result));
  bench_write_number(bench, "interval_updates_per_cpu_second_of_sweeps",
                     (double)bounds->updates / bounds->seconds);
  bench_write_number(bench, "solving_bytes_per_position_and_quantity",
                     (double)cost->solving_peak / (double)(result->largest * result->quantities));
  report_sweeps(bench, "all_slices", cost->sweeps);
  report_sweeps(bench, "largest_slice", cost->sweeps_of_largest);
  if (cost->width <= trial->width) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "bounds lie up to %.3g apart instead of %.3g", cost->width,
                     trial->width);
}

/* --- moves --- */

enum { PLIES_BETWEEN_STOPS = 5, MOST_PUBLISHED = sizeof((bench_walk *)0)->published / sizeof(uint64_t) };

typedef struct {
  const bench *bench;
  const game *game;
  game_rules *rules;
  bool made; /* true if the moves of the last ply are made */
} counting;

/* Adds the number of lines to *n. Counts long lines move by move, so that the count can be stopped. */
static tauler_error count_lines(const counting *c, const game_position *position, int plies, uint64_t *n,
                                tauler_message *message) {
  if (plies <= PLIES_BETWEEN_STOPS) {
    *n += c->game->leaves(c->rules, position, plies, c->made);
    return TAULER_OK;
  }
  if (signals_asked()) return tauler_fail(message, TAULER_STOPPED, "stopped on request");
  game_moves moves = {0};
  tauler_error error = c->game->moves(c->rules, position, &moves);
  if (error) error = tauler_fail(message, error, "no memory for moves");
  for (size_t i = 0; i < moves.used && !error; i++) {
    if (!moves.moves[i].over) error = count_lines(c, &moves.moves[i].child, plies - 1, n, message);
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error check_lines(int plies, uint64_t found, uint64_t expected, tauler_message *message) {
  if (found == expected) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "there are %llu lines of %d plies instead of %llu",
                     (unsigned long long)found, plies, (unsigned long long)expected);
}

static tauler_error check_published(const counting *c, const bench_walk *walk, const game_position *start,
                                    int plies, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int ply = 1; ply <= plies && !error; ply++) {
    uint64_t found = 0;
    error = count_lines(c, start, ply, &found, message);
    if (!error) error = check_lines(ply, found, walk->published[ply - 1], message);
  }
  return error;
}

static tauler_error time_lines(counting *c, const game_position *start, int plies, bool made, uint64_t *n,
                               const char *key, tauler_message *message) {
  c->made = made;
  *n = 0;
  const double begin = clock_thread_cpu();
  const tauler_error error = count_lines(c, start, plies, n, message);
  if (!error) bench_write_number(c->bench, key, (double)*n / (clock_thread_cpu() - begin));
  return error;
}

static tauler_error count_and_report_lines(counting *c, const bench_walk *walk, const game_position *start,
                                           int plies, tauler_message *message) {
  json_writer *json = c->bench->json;
  int known = 0;
  while (known < plies && known < MOST_PUBLISHED && walk->published[known]) known++;
  json_fields(json, JSON_TEXT("game", walk->game), JSON_TEXT("rules", walk->rules),
              JSON_TEXT("start", walk->start), JSON_INTEGER("plies", plies));
  uint64_t made, counted;
  tauler_error error = time_lines(c, start, plies, true, &made, "made_per_cpu_second", message);
  if (!error) error = time_lines(c, start, plies, false, &counted, "counted_per_cpu_second", message);
  if (error) return error;
  json_fields(json, JSON_COUNT("leaves", made), JSON_INTEGER("plies_checked", known));
  error = check_lines(plies, counted, made, message);
  return error ? error : check_published(c, walk, start, known, message);
}

/* Counts lines of play with one thread in two ways, by making every move, and without making the moves of the
 * last ply. The counts must agree, also with those that are published. */
static tauler_error time_moves(const bench *bench, const benchmark *one, tauler_message *message) {
  const bench_walk *walk = &one->walk;
  counting c = {.bench = bench, .game = game_find(walk->game)};
  tauler_error error = c.game->open(walk->rules, NULL, &c.rules, message);
  if (error) return error;
  game_position start;
  error = c.game->parse(c.rules, walk->start, &start, message);
  const int plies = (int)bench_size(bench, "plies", (uint64_t)walk->plies);
  if (!error) error = count_and_report_lines(&c, walk, &start, plies, message);
  c.game->close(c.rules);
  return error;
}

/* --- list of benchmarks --- */

#define AWARI(n) .game = "auale", .rules = "awari", .cycles = "even", .size = n
#define ABAPA(n) .game = "auale", .rules = "abapa", .cycles = "forced", .size = n
#define ANIMALS_OF(k) .game = "doushouqi", .rules = "base", .size = k
#define BOARD(text) .game = "phutball", .rules = "base", .board = text

static const benchmark benchmarks[] = {
    {.name = "threads",
     .summary = "threads of one build against as many independent builds",
     .run = bench_threads,
     .trials = {{AWARI(18), .all_threads = true}}},
    {.name = "awari", .summary = "awari, values, one thread", .trials = {{AWARI(18)}}},
    {.name = "forced", .summary = "abapa, both bounds, one thread", .trials = {{ABAPA(16)}}},
    {.name = "depths",
     .summary = "awari, values and depths, one thread",
     .trials = {{AWARI(16), .depths = true}}},
    {.name = "verify",
     .summary = "proof of tables against the build",
     .trials = {{AWARI(16)}},
     .more = bench_verify},
    {.name = "size",
     .summary = "table size at level 19",
     .trials = {{AWARI(16), .level = 19, .all_threads = true}}},
    {.name = "probe",
     .summary = "one cell, and one board's value",
     .run = bench_probe,
     .trials = {{AWARI(18), .all_threads = true}}},
    {.name = "sowings",
     .summary = "awari, lines of play from the start, one thread",
     .walk = {"auale",
              "awari",
              "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
              9,
              {6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872}}},
    {.name = "large",
     .summary = "awari of 24 seeds, all threads",
     .long_one = true,
     .trials = {{AWARI(24), .all_threads = true}}},
    {.name = "ranks", .summary = "awari by 1, 2, 4, … ranks of one thread", .long_one = true, .ranks = true},
    {.name = "animals",
     .summary = "dou shou qi, values and depths of all materials, one thread",
     .trials = {{ANIMALS_OF(3), .depths = true}},
     .more = report_levels},
    {.name = "moves",
     .summary = "dou shou qi, lines of play from the start, one thread",
     .walk = {"doushouqi",
              "base",
              "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w",
              7,
              {24, 576, 12240, 260099, 5112638}}},
    {.name = "animals-four",
     .summary = "dou shou qi, materials of up to 4 pieces, one thread",
     .long_one = true,
     .trials = {{ANIMALS_OF(4), .depths = true}},
     .more = report_ordered_positions},
    {.name = "animals-large",
     .summary = "dou shou qi, materials of up to 4 pieces, all threads",
     .long_one = true,
     .trials = {{ANIMALS_OF(4), .depths = true, .all_threads = true}},
     .more = report_ordered_positions},
    {.name = "boards",
     .summary = "phutball, values and depths of two boards, one thread",
     .listed = true,
     .trials = {{BOARD("6x4"), .depths = true}, {BOARD("8x3"), .depths = true}},
     .more = report_mirrored_positions},
    {.name = "turns",
     .summary = "phutball, lines of play on an empty board, one thread",
     .walk = {"phutball", "base", "5/5/2o2/5/5 O", 5, {24, 560, 12596}}},
    {.name = "boards-large",
     .summary = "phutball, two boards of 30 points, all threads",
     .long_one = true,
     .listed = true,
     .trials = {{BOARD("6x5"), .depths = true, .all_threads = true},
                {BOARD("5x6"), .depths = true, .all_threads = true}},
     .more = report_mirrored_positions},
    {.name = "oca",
     .summary = "oca, bounds for 2 and 3 players, one thread",
     .listed = true,
     .trials = {{"oca", "base", NULL, 2, .width = 1e-9}, {"oca", "base", NULL, 3, .width = 1e-9}},
     .more = report_dice},
    {.name = "oca-asesina",
     .summary = "la oca asesina, bounds for 1 token on board 63 and 2 on board 20, one thread",
     .listed = true,
     .trials = {{"oca-asesina", "base", NULL, 1, .width = 1e-9},
                {"oca-asesina", "base,board=20", NULL, 2, .width = 1e-9}},
     .more = report_dice},
    {.name = "oca-large",
     .summary = "oca, bounds for 4 players, all threads",
     .long_one = true,
     .listed = true,
     .trials = {{"oca", "base", NULL, 4, .width = 1e-9, .all_threads = true}},
     .more = report_dice},
    {.name = "oca-asesina-large",
     .summary = "la oca asesina, bounds for 2 tokens on board 63, all threads",
     .long_one = true,
     .listed = true,
     .trials = {{"oca-asesina", "base", NULL, 2, .width = 1e-8, .all_threads = true}},
     .more = report_dice},
};

enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

uint64_t bench_size(const bench *bench, const char *option, uint64_t own) {
  (void)options_number(bench->parsed, option, 0, UINT64_MAX, &own, NULL); /* The command checks the number. */
  return own;
}

/* --- command --- */

static bool is_asked(const options *parsed, const benchmark *one) {
  for (size_t i = 0; i < options_arguments(parsed); i++) {
    if (strcmp(options_argument(parsed, i), one->name) == 0) return true;
  }
  return options_arguments(parsed) == 0 && !one->long_one;
}

static tauler_error refuse_name(const char *name, tauler_message *message) {
  char known[256] = "";
  for (size_t i = 0; i < BENCHMARKS; i++)
    text_add(known, sizeof known, "%s%s", i ? ", " : "", benchmarks[i].name);
  return tauler_fail(message, TAULER_BAD_USAGE, "there is no benchmark '%.40s': choose from %s", name, known);
}

static tauler_error check_names(const options *parsed, tauler_message *message) {
  for (size_t i = 0; i < options_arguments(parsed); i++) {
    size_t one = 0;
    while (one < BENCHMARKS && strcmp(benchmarks[one].name, options_argument(parsed, i)) != 0) one++;
    if (one == BENCHMARKS) return refuse_name(options_argument(parsed, i), message);
    if (benchmarks[one].ranks && options_arguments(parsed) > 1)
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "the benchmark '%s' starts processes of its own: name no other one with it",
                         benchmarks[one].name);
  }
  return TAULER_OK;
}

static bool wants_ranks(const options *parsed) {
  for (size_t i = 0; i < BENCHMARKS; i++)
    if (benchmarks[i].ranks && is_asked(parsed, &benchmarks[i])) return true;
  return false;
}

static tauler_error run_benchmark(const bench *asked, const benchmark *one, tauler_message *message) {
  json_writer json;
  json_open_file(&json, stdout);
  bench now = *asked;
  now.json = &json;
  json_begin_object(&json);
  json_fields(&json, JSON_TEXT("benchmark", one->name), JSON_TEXT("summary", one->summary));
  progress_start(now.shown, one->name, "steps", 0, 0);
  tauler_error (*const usual)(const bench *, const benchmark *, tauler_message *) =
      one->walk.game ? time_moves : bench_build_trials;
  const tauler_error error = (one->run ? one->run : usual)(&now, one, message);
  progress_abandon(now.shown);
  json_field_bool(&json, "holds", error == TAULER_OK);
  json_end_object(&json);
  const tauler_error closed = json_close(&json, error ? NULL : message);
  return error ? error : closed;
}

/* Holds signals, so that a stop still removes the folder. */
static tauler_error run_in_process(const options *parsed, const char *parent, const bench *asked,
                                   tauler_message *message) {
  char scratch[512], tables[520];
  bench bench = *asked;
  tauler_error error = bench_make_scratch(parent, scratch, message);
  if (error) return error;
  snprintf(tables, sizeof tables, "%s/tables", scratch);
  bench.scratch = tables;
  signals_hold();
  for (size_t i = 0; i < BENCHMARKS && !error; i++)
    if (is_asked(parsed, &benchmarks[i])) error = run_benchmark(&bench, &benchmarks[i], message);
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
                              : run_in_process(parsed, parent, &bench, message);
  if (error == TAULER_STOPPED)
    return tauler_fail(message, error, "stopped on request; a benchmark keeps nothing");
  return error;
}

const command command_bench = {
    .name = "bench",
    .arguments = "[NAME…]",
    .most_arguments = 20,
    .arguments_completion =
        "threads awari forced depths verify size probe sowings large animals moves animals-four "
        "animals-large boards turns boards-large oca oca-asesina oca-large oca-asesina-large ranks",
    .groups = groups,
    .run = run_bench,
    .refused = ranks_refuse,
    .waits_to_speak = ranks_wait_to_speak};
