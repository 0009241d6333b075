#include "analysis/bench.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/tauler.h"
#include "analysis/verify.h"
#include "base/clock.h"
#include "databases/folder.h"
#include "games/registry.h"
#include "solver/build.h"

/* One build from an empty folder, and what came of it. */
typedef struct {
  const char *rules, *cycles;
  uint64_t seeds;
  int level, threads;
  bool depths;
} trial;

typedef struct {
  const bench *bench;
  build_cost cost;
  double wall;
  uint64_t positions;             /* of the table boards of all slices */
  uint64_t largest;               /* of the largest slice */
  uint64_t table_bytes;           /* of all files */
  char digest[TABLE_DIGEST_TEXT]; /* of the last table */
} trial_result;

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about;
  (void)kind;
  (void)place;
  return remove(path);
}

void bench_remove_folder(const char *folder) {
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void note_table(void *user, const build_table *table) {
  trial_result *result = user;
  result->table_bytes += table->file_bytes;
  if (strncmp(table->stream, "depth", 5) == 0) return;
  table_digest_text(table->digest, result->digest);
}

static bool stop_trial(void *user) {
  const trial_result *result = user;
  return result->bench->stop && result->bench->stop(result->bench->user);
}

typedef struct {
  uint64_t counted;
  tauler_message *message;
} count_check;

static tauler_error count_table(void *user, const char *path) {
  count_check *check = user;
  table *opened;
  const tauler_error error = table_open(path, &opened, check->message);
  if (error) return error;
  const table_header *header = table_get_header(opened);
  const bool counts = strcmp(header->stream, "value") == 0 || strcmp(header->stream, "lower") == 0;
  for (size_t i = 0; counts && i < header->counts_used; i++) check->counted += header->counts[i].count;
  table_close(opened);
  return TAULER_OK;
}

/* Boards of up to `seeds` seeds with an empty pit opposite: the sum of C(n+11, 11) − C(n+5, 11). */
static uint64_t expected_boards(uint64_t seeds) {
  uint64_t boards = 0;
  for (uint64_t n = 0; n <= seeds; n++) {
    uint64_t all = 1, unreached = n >= 6;
    for (uint64_t i = 1; i <= 11; i++) all = all * (n + i) / i;
    for (uint64_t i = 1; unreached && i <= 11; i++) unreached = unreached * (n - 6 + i) / i;
    boards += all - unreached;
  }
  return boards;
}

static tauler_error check_counts(const char *folder, const trial *what, tauler_message *message) {
  count_check check = {0, message};
  const tauler_error error = folder_walk(folder, count_table, &check, message);
  if (error) return error;
  if (check.counted == expected_boards(what->seeds)) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "the tables count %llu boards instead of %llu",
                     (unsigned long long)check.counted, (unsigned long long)expected_boards(what->seeds));
}

static tauler_error run_trial(const bench *bench, const char *folder, const trial *what, trial_result *result,
                              tauler_message *message) {
  *result = (trial_result){.bench = bench};
  char seeds[24];
  snprintf(seeds, sizeof seeds, "%llu", (unsigned long long)what->seeds);
  const game_request request = {.largest = seeds};
  memory_budget memory;
  memory_budget_open(&memory, bench->memory);
  build_job job = {.game = game_find("auale"),
                   .request = &request,
                   .folder = folder,
                   .depths = what->depths,
                   .level = what->level,
                   .threads = what->threads,
                   .memory = &memory,
                   .shown = bench->shown,
                   .stop = stop_trial,
                   .report = note_table,
                   .user = result};
  game_rules *rules;
  tauler_error error = job.game->open(what->rules, what->cycles, &rules, message);
  if (error) return error;
  job.rules = rules;
  bench_remove_folder(folder);
  const double start = clock_wall();
  error = build_tables(&job, &result->cost, message);
  result->wall = clock_wall() - start;
  result->positions = result->cost.positions_solved;
  result->largest = job.game->positions(rules, (uint32_t)what->seeds);
  job.game->close(rules);
  return error ? error : check_counts(folder, what, message);
}

/* Six digits are more than any of these measurements has. */
static void report_number(const bench *bench, const char *key, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  json_field_number(bench->json, key, strtod(text, NULL));
}

static double solve_cpu(const trial_result *result) {
  return result->cost.setup + result->cost.solving;
}

static void report_trial(const bench *bench, const trial *what, const trial_result *result) {
  json_writer *json = bench->json;
  json_field_string(json, "rules", what->rules);
  json_field_string(json, "cycles", what->cycles);
  json_field_unsigned(json, "seeds", what->seeds);
  json_field_integer(json, "threads", what->threads);
  json_field_integer(json, "level", what->level);
  json_field_bool(json, "depths", what->depths);
  json_field_unsigned(json, "boards", result->positions);
  report_number(bench, "solve_cpu_seconds", solve_cpu(result));
  report_number(bench, "boards_per_cpu_second", (double)result->positions / solve_cpu(result));
  report_number(bench, "setup_cpu_seconds", result->cost.setup);
  report_number(bench, "write_cpu_seconds", result->cost.writing);
  report_number(bench, "solve_wall_seconds", result->cost.solving_wall);
  report_number(bench, "wall_seconds", result->wall);
  report_number(bench, "table_bits_per_board", 8 * (double)result->table_bytes / (double)result->positions);
  report_number(bench, "solving_bytes_per_board_of_largest_slice",
                (double)result->cost.solving_peak / (double)result->largest);
  json_field_unsigned(json, "budget_peak_bytes", result->cost.peak_memory);
  json_field_unsigned(json, "process_peak_bytes", clock_peak_memory());
  json_field_string(json, "digest", result->digest);
}

static uint64_t size_or(const bench *bench, uint64_t seeds) {
  return bench->seeds == UINT64_MAX ? seeds : bench->seeds;
}

static tauler_error run_plainly(bench *bench, const trial *what, tauler_message *message) {
  trial_result result;
  const tauler_error error = run_trial(bench, bench->scratch, what, &result, message);
  if (!error) report_trial(bench, what, &result);
  return error;
}

static tauler_error bench_awari(bench *bench, tauler_message *message) {
  return run_plainly(bench, &(trial){"awari", "even", size_or(bench, 18), 9, 1, false}, message);
}

static tauler_error bench_forced(bench *bench, tauler_message *message) {
  return run_plainly(bench, &(trial){"abapa", "forced", size_or(bench, 16), 9, 1, false}, message);
}

static tauler_error bench_depths(bench *bench, tauler_message *message) {
  return run_plainly(bench, &(trial){"awari", "even", size_or(bench, 16), 9, 1, true}, message);
}

static tauler_error bench_size(bench *bench, tauler_message *message) {
  return run_plainly(bench, &(trial){"awari", "even", size_or(bench, 16), 19, bench->threads, false},
                     message);
}

static tauler_error bench_large(bench *bench, tauler_message *message) {
  return run_plainly(bench, &(trial){"awari", "even", size_or(bench, 24), 9, bench->threads, false}, message);
}

/* Seconds of set-up and solving, sent home by a copy of the process. */
static pid_t start_copy(const bench *bench, const trial *what, int number, int answer) {
  fflush(NULL);
  const pid_t copy = fork();
  if (copy != 0) return copy;
  char folder[FOLDER_PATH_BYTES];
  snprintf(folder, sizeof folder, "%s/copy-%d", bench->scratch, number);
  struct bench alone = *bench;
  progress quiet;
  progress_open(&quiet, stderr, PROGRESS_QUIET);
  alone.shown = &quiet;
  trial_result result;
  const tauler_error error = run_trial(&alone, folder, what, &result, NULL);
  const double seconds = result.cost.solving_wall;
  const bool sent = !error && write(answer, &seconds, sizeof seconds) == (ssize_t)sizeof seconds;
  _exit(sent ? 0 : 1);
}

static tauler_error run_copies(const bench *bench, const trial *what, int copies, double *rate,
                               tauler_message *message) {
  int ends[2];
  if (pipe(ends) != 0) return tauler_fail(message, TAULER_IO, "no pipe for the copies of the benchmark");
  bench_remove_folder(bench->scratch);
  int started = 0, failed = 0;
  for (; started < copies; started++) {
    if (start_copy(bench, what, started, ends[1]) < 0) break;
  }
  close(ends[1]);
  *rate = 0;
  double seconds;
  while (read(ends[0], &seconds, sizeof seconds) == (ssize_t)sizeof seconds) {
    *rate += (double)expected_boards(what->seeds) / seconds;
  }
  close(ends[0]);
  for (int i = 0, status; i < started; i++) failed += wait(&status) < 0 || status != 0;
  if (failed || started < copies)
    return tauler_fail(message, TAULER_INTERNAL, "a copy of the benchmark failed");
  return TAULER_OK;
}

/* Threads of one build against as many independent builds at the same time. The copies run first,
 * while this process has started no threads of its own. */
static tauler_error bench_threads(bench *bench, tauler_message *message) {
  trial what = {"awari", "even", size_or(bench, 18), 9, 1, false};
  double copies = 0;
  tauler_error error = run_copies(bench, &what, bench->threads, &copies, message);
  if (error) return error;
  what.threads = bench->threads;
  trial_result result;
  error = run_trial(bench, bench->scratch, &what, &result, message);
  if (error) return error;
  report_trial(bench, &what, &result);
  const double together = (double)result.positions / result.cost.solving_wall;
  report_number(bench, "boards_per_second", together);
  report_number(bench, "boards_per_second_of_copies", copies);
  report_number(bench, "threads_over_copies", together / copies);
  return TAULER_OK;
}

static tauler_error bench_verify(bench *bench, tauler_message *message) {
  const trial what = {"awari", "even", size_or(bench, 16), 9, 1, false};
  trial_result result;
  tauler_error error = run_trial(bench, bench->scratch, &what, &result, message);
  if (error) return error;
  report_trial(bench, &what, &result);
  memory_budget memory;
  memory_budget_open(&memory, bench->memory);
  const verify_job job = {.folder = bench->scratch, .threads = 1, .memory = &memory, .shown = bench->shown};
  verify_summary summary = {{0}, 0};
  const double start = clock_process_cpu();
  error = verify_tables(&job, &summary, message);
  const double cpu = clock_process_cpu() - start, built = solve_cpu(&result) + result.cost.writing;
  if (error) return error;
  report_number(bench, "verify_cpu_seconds", cpu);
  report_number(bench, "verify_over_build", cpu / built);
  json_field_unsigned(bench->json, "tables_proven", summary.tables[VERIFY_PROVEN]);
  if (verify_outcome(&summary) == TAULER_OK) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "the tables just built are not proven");
}

enum { PROBES = 20000, CACHED_PROBES = 200000, CACHE_BYTES = 64 << 20 };

/* Splitmix64: the same probes in every run. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static tauler_error time_cells(const bench *bench, const char *path, tauler_message *message) {
  table *opened;
  tauler_error error = table_open(path, &opened, message);
  if (error) return error;
  frame_cache *cache = frame_cache_new(CACHE_BYTES);
  if (!cache) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a cache of frames");
  const uint64_t positions = table_get_header(opened)->positions;
  uint64_t state = 1, some = 0;
  int64_t cell;
  double start = clock_wall();
  for (int i = 0; i < PROBES && !error; i++) {
    error = table_get(opened, NULL, next_random(&state) % positions, &cell, message);
  }
  const double decoded = (clock_wall() - start) / PROBES;
  /* All frames of a part of the table that fits the cache. */
  const uint64_t part = positions < CACHE_BYTES / 4 ? positions : CACHE_BYTES / 4;
  for (uint64_t i = 0; i < part && !error; i += 4096) error = table_get(opened, cache, i, &cell, message);
  start = clock_wall();
  for (int i = 0; i < CACHED_PROBES && !error; i++) {
    error = table_get(opened, cache, next_random(&state) % part, &cell, message);
    some += (uint64_t)cell;
  }
  const double cached = (clock_wall() - start) / CACHED_PROBES;
  report_number(bench, "cell_cached_microseconds", 1e6 * cached);
  report_number(bench, "cell_decoded_microseconds", 1e6 * decoded);
  json_field_unsigned(bench->json, "cells_summed", some);
  frame_cache_free(cache);
  table_close(opened);
  return error;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Values of random boards of the largest slice. `each`: a new cache for every board. */
static tauler_error time_boards(const bench *bench, uint64_t seeds, uint64_t positions, bool each,
                                double times[PROBES], int probes, tauler_message *message) {
  tauler *db = NULL;
  tauler_tables *tables = NULL;
  tauler_error error = tauler_open(bench->scratch, &(tauler_settings){CACHE_BYTES}, &db, message);
  if (!error) error = tauler_select(db, "auale", "awari", "even", &tables, message);
  uint64_t state = 7;
  tauler_worth worth;
  for (int i = 0; i < probes && !error; i++) {
    if (each) {
      tauler_close(db);
      error = tauler_open(bench->scratch, &(tauler_settings){CACHE_BYTES}, &db, message);
      if (!error) error = tauler_select(db, "auale", "awari", "even", &tables, message);
      /* Tables are opened by a first probe of the smallest slice of each size; frames stay cold. */
      for (uint64_t n = 0; n <= seeds && !error; n++)
        error = tauler_value_at(tables, (uint32_t)n, 0, &worth, message);
    }
    if (error) break;
    const uint64_t index = next_random(&state) % positions;
    const double start = clock_wall();
    error = tauler_value_at(tables, (uint32_t)seeds, index, &worth, message);
    times[i] = clock_wall() - start;
  }
  tauler_close(db);
  if (!error) qsort(times, (size_t)probes, sizeof *times, by_size);
  return error;
}

static tauler_error bench_probe(bench *bench, tauler_message *message) {
  const trial what = {"awari", "even", size_or(bench, 18), 9, bench->threads, false};
  trial_result result;
  tauler_error error = run_trial(bench, bench->scratch, &what, &result, message);
  if (error) return error;
  char path[FOLDER_PATH_BYTES];
  table_header header = {.game = "auale", .rules = "awari", .cycles = "even", .stream = "value"};
  snprintf(header.slice, sizeof header.slice, "%llu", (unsigned long long)what.seeds);
  error = folder_table_path(bench->scratch, "", &header, path, message);
  json_field_unsigned(bench->json, "seeds", what.seeds);
  json_field_string(bench->json, "digest", result.digest);
  if (!error) error = time_cells(bench, path, message);
  double *times = malloc(PROBES * sizeof *times);
  if (!times) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the times of probes");
  static const struct {
    const char *median, *most;
    bool each;
    int probes;
  } kinds[] = {{"board_median_microseconds", "board_99_percent_microseconds", false, PROBES},
               {"board_cold_median_microseconds", "board_cold_99_percent_microseconds", true, PROBES / 20}};
  for (int i = 0; i < 2 && !error; i++) {
    error = time_boards(bench, what.seeds, result.largest, kinds[i].each, times, kinds[i].probes, message);
    if (error) break;
    report_number(bench, kinds[i].median, 1e6 * times[kinds[i].probes / 2]);
    report_number(bench, kinds[i].most, 1e6 * times[kinds[i].probes * 99 / 100]);
  }
  free(times);
  return error;
}

const benchmark *bench_list(void) {
  static const benchmark all[] = {
      {"threads", "threads of one build against as many independent builds", false, bench_threads},
      {"awari", "awari, values, one thread", false, bench_awari},
      {"forced", "abapa, both bounds, one thread", false, bench_forced},
      {"depths", "awari, values and depths, one thread", false, bench_depths},
      {"verify", "proof of tables against the build", false, bench_verify},
      {"size", "table size at level 19", false, bench_size},
      {"probe", "one cell, and one board's value", false, bench_probe},
      {"large", "awari of 24 seeds, all threads", true, bench_large},
      {NULL, NULL, false, NULL}};
  return all;
}
