/* Measures threads, proof and probes of aualé. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/bench/bench.h"
#include "analysis/dice/dice_random.h"
#include "analysis/probe/tauler.h"
#include "analysis/verify/verify.h"
#include "base/clock.h"
#include "databases/names.h"

/* Runs the copies first, before this process starts threads of its own. */
tauler_error bench_threads(const bench *bench, const benchmark *one, tauler_message *message) {
  bench_trial trial = bench_trial_asked(bench, &one->trials[0]);
  bench_result result;
  double copies = 0;
  trial.all_threads = false; /* All copies together have the threads of the one build. */
  tauler_error error = bench_build_copies(bench, &trial, bench->threads, &copies, message);
  if (!error) error = bench_build_and_report(bench, one, &one->trials[0], &result, message);
  if (error) return error;
  const double together = (double)result.positions / result.cost.solving_wall;
  bench_write_number(bench, "boards_per_second", together);
  bench_write_number(bench, "boards_per_second_of_copies", copies);
  bench_write_number(bench, "threads_over_copies", together / copies);
  return TAULER_OK;
}

tauler_error bench_verify(const bench *bench, const bench_trial *trial, const bench_result *result,
                          tauler_message *message) {
  (void)trial;
  memory_budget memory;
  memory_budget_open(&memory, bench->memory);
  const verify_job job = {.folder = bench->scratch, .threads = 1, .memory = &memory, .shown = bench->shown};
  verify_summary summary = {.positions = 0};
  const double start = clock_process_cpu();
  const tauler_error error = verify_tables(&job, &summary, message);
  const double cpu = clock_process_cpu() - start,
               built = bench_solving_seconds(result) + result->cost.writing;
  if (error) return error;
  bench_write_number(bench, "verify_cpu_seconds", cpu);
  bench_write_number(bench, "verify_over_build", cpu / built);
  json_field_unsigned(bench->json, "tables_proven", summary.tables[VERIFY_PROVEN]);
  if (verify_outcome(&summary) == TAULER_OK) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "the tables just built are not proven");
}

enum { PROBES = 20000, CACHED_PROBES = 200000, CACHE_BYTES = 64 << 20 };

static tauler_error time_cells(const bench *bench, const char *path, tauler_message *message) {
  table *opened;
  tauler_error error = names_open(path, false, &opened, message);
  if (error) return error;
  frame_cache *cache = frame_cache_new(CACHE_BYTES);
  if (!cache) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a cache of frames");
  const uint64_t positions = table_get_header(opened)->positions;
  uint64_t state = 1, some = 0;
  int64_t cell;
  double start = clock_wall();
  for (int i = 0; i < PROBES && !error; i++) {
    error = table_get(opened, NULL, dice_random_mix(&state) % positions, &cell, message);
  }
  const double decoded = (clock_wall() - start) / PROBES;
  /* Reads all frames of a part of the table that fits into the cache. */
  const uint64_t part = positions < CACHE_BYTES / 4 ? positions : CACHE_BYTES / 4;
  for (uint64_t i = 0; i < part && !error; i += 4096) error = table_get(opened, cache, i, &cell, message);
  start = clock_wall();
  for (int i = 0; i < CACHED_PROBES && !error; i++) {
    error = table_get(opened, cache, dice_random_mix(&state) % part, &cell, message);
    some += (uint64_t)cell;
  }
  const double cached = (clock_wall() - start) / CACHED_PROBES;
  bench_write_number(bench, "cell_cached_microseconds", 1e6 * cached);
  bench_write_number(bench, "cell_decoded_microseconds", 1e6 * decoded);
  json_field_unsigned(bench->json, "cells_summed", some);
  frame_cache_free(cache);
  table_close(opened);
  return error;
}

static int compare_times(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Measures the times to read values of random boards of the largest slice, and sorts them. If `each`, opens a
 * new cache for every board. */
static tauler_error time_boards(const bench *bench, uint64_t seeds, uint64_t positions, bool each,
                                double times[PROBES], int probes, tauler_message *message) {
  tauler *db = NULL;
  tauler_tables *tables = NULL;
  tauler_error error = TAULER_OK;
  uint64_t state = 7;
  tauler_worth worth;
  for (int i = 0; i < probes && !error; i++) {
    if (each || !db) {
      tauler_close(db);
      error = tauler_open(bench->scratch, &(tauler_settings){.cache_bytes = CACHE_BYTES}, &db, message);
      if (!error) error = tauler_select(db, "auale", "awari", "even", &tables, message);
      /* A first probe opens the table of each slice. It mostly reads no frame that the board needs. */
      for (uint64_t n = 0; each && n <= seeds && !error; n++)
        error = tauler_value_at(tables, (uint32_t)n, 0, &worth, message);
    }
    if (error) break;
    const uint64_t index = dice_random_mix(&state) % positions;
    const double start = clock_wall();
    error = tauler_value_at(tables, (uint32_t)seeds, index, &worth, message);
    times[i] = clock_wall() - start;
  }
  tauler_close(db);
  if (!error) qsort(times, (size_t)probes, sizeof *times, compare_times);
  return error;
}

tauler_error bench_probe(const bench *bench, const benchmark *one, tauler_message *message) {
  const bench_trial trial = bench_trial_asked(bench, &one->trials[0]);
  bench_result result;
  tauler_error error = bench_build(bench, bench->scratch, &trial, &result, message);
  if (error) return error;
  char path[FOLDER_PATH_BYTES];
  table_header header = {.game = "auale", .rules = "awari", .cycles = "even", .stream = "value"};
  snprintf(header.slice, sizeof header.slice, "%llu", (unsigned long long)trial.size);
  error = folder_table_path(bench->scratch, "", &header, path, message);
  json_fields(bench->json, JSON_COUNT("seeds", trial.size), JSON_TEXT("digest", result.digest));
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
    bench_write_number(bench, kinds[i].median, 1e6 * times[kinds[i].probes / 2]);
    bench_write_number(bench, kinds[i].most, 1e6 * times[kinds[i].probes * 99 / 100]);
  }
  free(times);
  return error;
}
