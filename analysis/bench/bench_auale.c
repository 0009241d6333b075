/* Measures builds, tables, proof, probes and moves of aualé. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench_moves.h"
#include "analysis/bench/bench_trial.h"
#include "analysis/probe/tauler.h"
#include "analysis/verify/verify.h"
#include "base/clock.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "games/registry.h"

/* The sum of C(n+11, 11) − C(n+5, 11). */
uint64_t bench_boards_of_auale(uint64_t seeds) {
  uint64_t boards = 0;
  for (uint64_t n = 0; n <= seeds; n++) {
    uint64_t all = 1, unreached = n >= 6;
    for (uint64_t i = 1; i <= 11; i++) all = all * (n + i) / i;
    for (uint64_t i = 1; unreached && i <= 11; i++) unreached = unreached * (n - 6 + i) / i;
    boards += all - unreached;
  }
  return boards;
}

static tauler_error check_boards(const bench_trial *trial, const bench_built *built,
                                 tauler_message *message) {
  const uint64_t expected = bench_boards_of_auale(trial->size);
  if (built->counted == expected) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "the tables count %llu boards instead of %llu",
                     (unsigned long long)built->counted, (unsigned long long)expected);
}

/* The others differ from it. */
bench_trial bench_awari_trial(const bench *bench, uint64_t seeds) {
  return (bench_trial){.game = game_find("auale"),
                       .rules = "awari",
                       .cycles = "even",
                       .size = bench_size_or(bench->seeds, seeds),
                       .level = 9,
                       .threads = 1,
                       .check = check_boards};
}

static tauler_error bench_awari(bench *bench, tauler_message *message) {
  const bench_trial trial = bench_awari_trial(bench, 18);
  bench_result result;
  return bench_build_and_report(bench, &trial, &result, message);
}

static tauler_error bench_forced(bench *bench, tauler_message *message) {
  bench_trial trial = bench_awari_trial(bench, 16);
  trial.rules = "abapa";
  trial.cycles = "forced";
  bench_result result;
  return bench_build_and_report(bench, &trial, &result, message);
}

static tauler_error bench_depths(bench *bench, tauler_message *message) {
  bench_trial trial = bench_awari_trial(bench, 16);
  trial.depths = true;
  bench_result result;
  return bench_build_and_report(bench, &trial, &result, message);
}

static tauler_error bench_size(bench *bench, tauler_message *message) {
  bench_trial trial = bench_awari_trial(bench, 16);
  trial.level = 19;
  trial.threads = bench->threads;
  bench_result result;
  return bench_build_and_report(bench, &trial, &result, message);
}

static tauler_error bench_large(bench *bench, tauler_message *message) {
  bench_trial trial = bench_awari_trial(bench, 24);
  trial.threads = bench->threads;
  bench_result result;
  return bench_build_and_report(bench, &trial, &result, message);
}

/* Threads of one build against as many independent builds at the same time. The copies run first,
 * while this process has started no threads of its own. */
static tauler_error bench_threads(bench *bench, tauler_message *message) {
  bench_trial trial = bench_awari_trial(bench, 18);
  double copies = 0;
  tauler_error error = bench_build_copies(bench, &trial, bench->threads, &copies, message);
  if (error) return error;
  trial.threads = bench->threads;
  bench_result result;
  error = bench_build_and_report(bench, &trial, &result, message);
  if (error) return error;
  const double together = (double)result.positions / result.cost.solving_wall;
  bench_number(bench, "boards_per_second", together);
  bench_number(bench, "boards_per_second_of_copies", copies);
  bench_number(bench, "threads_over_copies", together / copies);
  return TAULER_OK;
}

static tauler_error bench_verify(bench *bench, tauler_message *message) {
  const bench_trial trial = bench_awari_trial(bench, 16);
  bench_result result;
  tauler_error error = bench_build_and_report(bench, &trial, &result, message);
  if (error) return error;
  memory_budget memory;
  memory_budget_open(&memory, bench->memory);
  const verify_job job = {.folder = bench->scratch, .threads = 1, .memory = &memory, .shown = bench->shown};
  verify_summary summary = {.positions = 0};
  const double start = clock_process_cpu();
  error = verify_tables(&job, &summary, message);
  const double cpu = clock_process_cpu() - start, built = bench_solving(&result) + result.cost.writing;
  if (error) return error;
  bench_number(bench, "verify_cpu_seconds", cpu);
  bench_number(bench, "verify_over_build", cpu / built);
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
  tauler_error error = names_open(path, &opened, message);
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
  bench_number(bench, "cell_cached_microseconds", 1e6 * cached);
  bench_number(bench, "cell_decoded_microseconds", 1e6 * decoded);
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
  tauler_error error =
      tauler_open(bench->scratch, &(tauler_settings){.cache_bytes = CACHE_BYTES}, &db, message);
  if (!error) error = tauler_select(db, "auale", "awari", "even", &tables, message);
  uint64_t state = 7;
  tauler_worth worth;
  for (int i = 0; i < probes && !error; i++) {
    if (each) {
      tauler_close(db);
      error = tauler_open(bench->scratch, &(tauler_settings){.cache_bytes = CACHE_BYTES}, &db, message);
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
  bench_trial trial = bench_awari_trial(bench, 18);
  trial.threads = bench->threads;
  bench_result result;
  tauler_error error = bench_build(bench, bench->scratch, &trial, &result, message);
  if (error) return error;
  char path[FOLDER_PATH_BYTES];
  table_header header = {.game = "auale", .rules = "awari", .cycles = "even", .stream = "value"};
  snprintf(header.slice, sizeof header.slice, "%llu", (unsigned long long)trial.size);
  error = folder_table_path(bench->scratch, "", &header, path, message);
  json_field_unsigned(bench->json, "seeds", trial.size);
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
    error = time_boards(bench, trial.size, result.largest, kinds[i].each, times, kinds[i].probes, message);
    if (error) break;
    bench_number(bench, kinds[i].median, 1e6 * times[kinds[i].probes / 2]);
    bench_number(bench, kinds[i].most, 1e6 * times[kinds[i].probes * 99 / 100]);
  }
  free(times);
  return error;
}

static tauler_error bench_sowings(bench *bench, tauler_message *message) {
  static const uint64_t published[] = {6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872};
  const bench_walk walk = {game_find("auale"),
                           "awari",
                           "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
                           9,
                           published,
                           sizeof published / sizeof *published};
  return bench_count_lines(bench, &walk, message);
}

const benchmark bench_of_auale[] = {
    {"threads", "threads of one build against as many independent builds", false, bench_threads},
    {"awari", "awari, values, one thread", false, bench_awari},
    {"forced", "abapa, both bounds, one thread", false, bench_forced},
    {"depths", "awari, values and depths, one thread", false, bench_depths},
    {"verify", "proof of tables against the build", false, bench_verify},
    {"size", "table size at level 19", false, bench_size},
    {"probe", "one cell, and one board's value", false, bench_probe},
    {"sowings", "awari, lines of play from the start, one thread", false, bench_sowings},
    {"large", "awari of 24 seeds, all threads", true, bench_large},
    {"ranks", "awari by 1, 2, 4, … ranks of one thread", true, NULL},
    {NULL, NULL, false, NULL}};
