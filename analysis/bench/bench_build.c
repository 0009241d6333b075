/* Builds tables of a game in an empty folder, and measures the build, its threads, its proof and probes. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/bench/bench.h"
#include "analysis/dice/dice_random.h"
#include "analysis/probe/tauler.h"
#include "analysis/verify/verify.h"
#include "base/clock.h"
#include "base/command/signals.h"
#include "databases/names.h"
#include "databases/streams.h"
#include "games/game_chance.h"
#include "games/registry.h"

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about;
  (void)kind;
  (void)place;
  return remove(path);
}

void bench_remove_folder(const char *folder) {
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

tauler_error bench_make_scratch(const char *parent, char scratch[512], tauler_message *message) {
  const char *temporary = getenv("TMPDIR");
  if (!parent) parent = temporary && *temporary ? temporary : "/tmp";
  snprintf(scratch, 512, "%s/tauler-bench-XXXXXX", parent);
  if (mkdtemp(scratch)) return TAULER_OK;
  return tauler_fail(message, TAULER_IO, "cannot make a folder in %.300s; name another one with --scratch",
                     parent);
}

/* Returns the trial with the size or board of the command line, and with level 9 if it has the default. */
static bench_trial trial_asked(const bench *bench, const bench_trial *own) {
  bench_trial trial = *own;
  const char *option = game_find(own->game)->size_option;
  if (!trial.level) trial.level = 9;
  if (!own->board) trial.size = bench_size(bench, option, own->size);
  if (own->board && options_has(bench->parsed, option)) trial.board = options_get(bench->parsed, option);
  return trial;
}

static int trial_threads(const bench *bench, const bench_trial *trial) {
  return trial->all_threads ? bench->threads : 1;
}

typedef struct {
  const game *game;
  const game_rules *rules;
  game_slices slices;
  table_digester *all;
  bench_result *result;
} building;

static const game_slice *find_slice(const building *b, const char *name) {
  char own[GAME_TEXT_BYTES];
  for (size_t i = 0; i < b->slices.used; i++) {
    b->game->slice_name(b->rules, b->slices.slices[i].slice, own);
    if (strcmp(own, name) == 0) return &b->slices.slices[i];
  }
  return NULL;
}

static void note_table(void *user, const build_table *built) {
  const building *b = user;
  bench_result *result = b->result;
  const game_slice *slice = find_slice(b, built->slice);
  char digest[TABLE_DIGEST_TEXT];
  table_digest_text(built->digest, digest);
  table_digester_add(b->all, digest, strlen(digest));
  if (strncmp(built->stream, STREAM_DEPTH, strlen(STREAM_DEPTH)) != 0)
    memcpy(result->digest, digest, sizeof digest);
  result->tables++;
  result->table_bytes += built->file_bytes;
  if (slice && slice->asked) result->asked_bytes += built->file_bytes;
}

static tauler_error count_positions(const building *b, tauler_message *message) {
  bench_result *result = b->result;
  for (size_t i = 0; i < b->slices.used; i++) {
    const game_slice slice = b->slices.slices[i];
    const uint64_t positions = slice.positions;
    chance_quantities quantities = {.used = 0};
    if (b->game->chance) b->game->chance->quantities(b->rules, slice.slice, &quantities);
    result->quantities = (uint64_t)quantities.used;
    if (positions > result->largest) result->largest = positions;
    result->positions += positions;
  }
  if (result->cost.positions_solved == result->positions) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "%llu positions were solved instead of %llu",
                     (unsigned long long)result->cost.positions_solved,
                     (unsigned long long)result->positions);
}

tauler_error bench_build(const bench *bench, const char *folder, const bench_trial *trial,
                         bench_result *result, tauler_message *message) {
  *result = (bench_result){.tables = 0};
  building b = {.game = game_find(trial->game), .all = table_digester_new(), .result = result};
  char size[24];
  snprintf(size, sizeof size, "%llu", (unsigned long long)trial->size);
  const game_request request = {.largest = trial->board ? NULL : size, .board = trial->board};
  memory_budget memory;
  memory_budget_open(&memory, bench->memory);
  if (!bench->memory) memory.limit /= (uint64_t)comm_ranks_on_host(bench->comm);
  build_job job = {.problem.game = b.game,
                   .request = &request,
                   .folder = folder,
                   .depths = trial->depths,
                   .width = trial->width,
                   .level = trial->level,
                   .work.comm = bench->comm,
                   .work.threads = trial_threads(bench, trial),
                   .work.memory = &memory,
                   .work.shown = bench->shown,
                   .stop = signals_stop,
                   .report = note_table,
                   .user = &b};
  game_rules *rules = NULL;
  const double cpu = clock_process_cpu();
  tauler_error error = b.all ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a digest");
  if (!error) error = b.game->open(trial->rules, trial->cycles, &rules, message);
  result->opening = clock_process_cpu() - cpu;
  b.rules = job.problem.rules = rules;
  if (!error) error = b.game->slices(rules, &request, &b.slices, message);
  if (comm_is_root(bench->comm)) bench_remove_folder(folder);
  error = comm_agree(bench->comm, error, message);
  const double start = clock_wall(), logical = bench->clock ? logical_clock_now(bench->clock) : 0;
  if (!error) error = build_tables(&job, &result->cost, message);
  result->wall = clock_wall() - start;
  result->logical = bench->clock ? logical_clock_now(bench->clock) - logical : 0;
  result->cpu = clock_process_cpu() - cpu;
  if (!error) error = count_positions(&b, message);
  if (b.all) table_digest_text(table_digester_end(b.all), result->digest_of_all);
  error = comm_agree(bench->comm, error, message);
  free(b.slices.slices);
  if (rules) b.game->close(rules);
  return error;
}

/* Starts a build in a process of its own, which writes its positions per second to `answer`. Returns the
 * number of its process, or −1 if it cannot be started. */
static pid_t start_copy(const bench *bench, const bench_trial *trial, int number, int answer) {
  fflush(NULL);
  const pid_t copy = fork();
  if (copy != 0) return copy;
  char folder[FOLDER_PATH_BYTES];
  snprintf(folder, sizeof folder, "%s/copy-%d", bench->scratch, number);
  struct bench alone = *bench;
  progress quiet;
  progress_open(&quiet, stderr, PROGRESS_QUIET);
  alone.shown = &quiet;
  bench_result result;
  const tauler_error error = bench_build(&alone, folder, trial, &result, NULL);
  const double rate = (double)result.positions / result.cost.solving_wall;
  const bool sent = !error && write(answer, &rate, sizeof rate) == (ssize_t)sizeof rate;
  _exit(sent ? 0 : 1);
}

/* Runs `copies` independent builds at the same time, each in a process of its own with the threads of the
 * trial. *rate becomes the sum of the positions that each build solves per second of the wall clock. The
 * caller must not have started threads. Errors: TAULER_IO, TAULER_INTERNAL (a copy failed). */
static tauler_error build_copies(const bench *bench, const bench_trial *trial, int copies, double *rate,
                                 tauler_message *message) {
  int ends[2];
  if (pipe(ends) != 0) return tauler_fail(message, TAULER_IO, "no pipe for the copies of the benchmark");
  bench_remove_folder(bench->scratch);
  int started = 0, failed = 0;
  for (; started < copies; started++) {
    if (start_copy(bench, trial, started, ends[1]) < 0) break;
  }
  close(ends[1]);
  *rate = 0;
  double one;
  while (read(ends[0], &one, sizeof one) == (ssize_t)sizeof one) *rate += one;
  close(ends[0]);
  for (int i = 0, status; i < started; i++) failed += wait(&status) < 0 || status != 0;
  if (failed || started < copies)
    return tauler_fail(message, TAULER_INTERNAL, "a copy of the benchmark failed");
  return TAULER_OK;
}

void bench_write_number(const bench *bench, const char *key, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  json_field_number(bench->json, key, strtod(text, NULL));
}

typedef struct {
  char text[96];
} bench_key;

/* Returns a key with the game's word for a position in place of '#', as in "#s_per_cpu_second". */
static bench_key bench_key_of(const game *game, const char *pattern) {
  bench_key key;
  const char *unit = game->unit, *place = strchr(pattern, '#');
  snprintf(key.text, sizeof key.text, "%.*s%.*s%s", (int)(place - pattern), pattern, (int)strlen(unit) - 1,
           unit, place + 1);
  return key;
}

double bench_solving_seconds(const bench_result *result) {
  return result->opening + result->cost.setup + result->cost.solving;
}

static void report_result(const bench *bench, const bench_trial *trial, const bench_result *result) {
  const game *game = game_find(trial->game);
  json_writer *json = bench->json;
  const double positions = (double)result->positions;
  json_fields(json, JSON_TEXT("game", trial->game), JSON_TEXT("rules", trial->rules));
  if (trial->cycles) json_field_string(json, "cycles", trial->cycles);
  if (trial->board) json_field_string(json, game->size_option, trial->board);
  if (!trial->board) json_field_unsigned(json, game->size_option, trial->size);
  json_fields(json, JSON_INTEGER("threads", trial_threads(bench, trial)), JSON_INTEGER("level", trial->level),
              JSON_FLAG("depths", trial->depths),
              JSON_COUNT(bench_key_of(game, "#s").text, result->positions));
  bench_write_number(bench, "solve_cpu_seconds", bench_solving_seconds(result));
  bench_write_number(bench, bench_key_of(game, "#s_per_cpu_second").text,
                     positions / bench_solving_seconds(result));
  bench_write_number(bench, "setup_cpu_seconds", result->opening + result->cost.setup);
  bench_write_number(bench, "write_cpu_seconds", result->cost.writing);
  bench_write_number(bench, "cpu_seconds", result->cpu);
  bench_write_number(bench, "solve_wall_seconds", result->cost.solving_wall);
  bench_write_number(bench, "wall_seconds", result->wall);
  bench_write_number(bench, bench_key_of(game, "table_bits_per_#").text,
                     8 * (double)result->table_bytes / positions);
  bench_write_number(bench, bench_key_of(game, "solving_bytes_per_#_of_largest_slice").text,
                     (double)result->cost.solving_peak / (double)result->largest);
  json_fields(json, JSON_COUNT("budget_peak_bytes", result->cost.peak_memory),
              JSON_COUNT("process_peak_bytes", clock_peak_memory()), JSON_COUNT("tables", result->tables),
              JSON_TEXT("digest", result->digest), JSON_TEXT("digest_of_all", result->digest_of_all));
}

static tauler_error build_and_report(const bench *bench, const benchmark *one, const bench_trial *own,
                                     bench_result *result, tauler_message *message) {
  const bench_trial trial = trial_asked(bench, own);
  const tauler_error error = bench_build(bench, bench->scratch, &trial, result, message);
  if (error) return error;
  report_result(bench, &trial, result);
  return one->more ? one->more(bench, &trial, result, message) : TAULER_OK;
}

tauler_error bench_build_trials(const bench *bench, const benchmark *one, tauler_message *message) {
  const bench_trial *trials = one->trials;
  const size_t last = trials[1].game ? 1 : 0;
  bench_result result;
  tauler_error error = TAULER_OK;
  if (!one->listed) return build_and_report(bench, one, trials, &result, message);
  json_field_array(bench->json, "builds");
  for (size_t i = options_has(bench->parsed, game_find(trials->game)->size_option) ? last : 0;
       i <= last && !error; i++) {
    json_begin_object(bench->json);
    error = build_and_report(bench, one, &trials[i], &result, message);
    json_end_object(bench->json);
  }
  json_end_array(bench->json);
  return error;
}

/* --- threads, proof and probes of aualé --- */

/* Runs the copies first, before this process starts threads of its own. */
tauler_error bench_threads(const bench *bench, const benchmark *one, tauler_message *message) {
  bench_trial trial = trial_asked(bench, &one->trials[0]);
  bench_result result;
  double copies = 0;
  trial.all_threads = false; /* All copies together have the threads of the one build. */
  tauler_error error = build_copies(bench, &trial, bench->threads, &copies, message);
  if (!error) error = build_and_report(bench, one, &one->trials[0], &result, message);
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
    if (error || positions == 0) break;
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
  const bench_trial trial = trial_asked(bench, &one->trials[0]);
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
