/* Builds a game's tables from an empty folder, checks their counts and measures them. */
#include "analysis/bench/bench_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "databases/streams.h"
#include "games/game_chance.h"

bool bench_is_stopped(const bench *bench) {
  return bench->stop && bench->stop(bench->user);
}

static bool stop_build(void *user) {
  return bench_is_stopped(user);
}

uint64_t bench_size_or(uint64_t given, uint64_t own) {
  return given == BENCH_OWN ? own : given;
}

/* --- what was built --- */

enum { MOST_STREAMS = 2 * CHANCE_MOST_QUANTITIES };

/* The streams of a slice, those of values first. */
typedef struct {
  char names[MOST_STREAMS][CHANCE_STREAM_BYTES];
  size_t used;
} stream_list;

static void add_stream(stream_list *list, const char *name) {
  snprintf(list->names[list->used++], sizeof *list->names, "%s", name);
}

static void list_bounds_of_dice(const bench_built *built, uint32_t slice, stream_list *out) {
  chance_quantities quantities;
  built->game->chance->quantities(built->rules, slice, &quantities);
  for (int q = 0; q < quantities.used; q++) {
    chance_stream_name(&quantities, q, false, out->names[out->used++]);
    chance_stream_name(&quantities, q, true, out->names[out->used++]);
  }
}

static void list_streams(const bench_trial *trial, const bench_built *built, uint32_t slice,
                         stream_list *out) {
  out->used = 0;
  const solve_kind kind = built->game->kind(built->rules);
  if (kind == SOLVE_CHANCE) {
    list_bounds_of_dice(built, slice, out);
  } else if (kind == SOLVE_GUARANTEES) {
    add_stream(out, STREAM_LOWER);
    add_stream(out, STREAM_UPPER);
    if (trial->depths) add_stream(out, STREAM_DEPTH_LOWER);
    if (trial->depths) add_stream(out, STREAM_DEPTH_UPPER);
  } else {
    add_stream(out, STREAM_VALUE);
    if (trial->depths) add_stream(out, STREAM_DEPTH);
  }
}

static uint64_t counts_of(const table_header *header) {
  uint64_t counted = 0;
  for (size_t i = 0; i < header->counts_used; i++) counted += header->counts[i].count;
  return counted;
}

/* One table that the build owes. */
static tauler_error look_at_table(const bench_built *built, const game_slice *slice, const char *stream,
                                  bench_result *result, table_digester *all, uint64_t *counted,
                                  tauler_message *message) {
  table_header wanted;
  char path[FOLDER_PATH_BYTES];
  table *opened;
  names_header(built->game, built->rules, slice->slice, stream, &wanted);
  tauler_error error =
      names_path(built->game, built->rules, built->folder, slice->slice, &wanted, path, message);
  if (!error) error = table_open(path, &opened, message);
  if (error) return error;
  const table_header *header = table_get_header(opened);
  *counted = counts_of(header);
  const bool lists = built->game->kind(built->rules) != SOLVE_CHANCE;
  if (header->positions != slice->positions || (lists && *counted != slice->positions))
    error = tauler_fail(message, TAULER_NOT_PROVEN,
                        "%.40s %.40s has %llu positions and counts %llu instead of %llu", wanted.slice,
                        stream, (unsigned long long)header->positions, (unsigned long long)*counted,
                        (unsigned long long)slice->positions);
  result->tables++;
  result->table_bytes += header->stored_bytes;
  if (slice->asked) result->asked_bytes += header->stored_bytes;
  char digest[TABLE_DIGEST_TEXT];
  table_digest_text(header->plain_digest, digest);
  table_digester_add(all, digest, strlen(digest));
  if (strncmp(stream, STREAM_DEPTH, strlen(STREAM_DEPTH)) != 0) memcpy(result->digest, digest, sizeof digest);
  table_close(opened);
  return error;
}

static tauler_error look_at_tables(const bench_trial *trial, bench_built *built, bench_result *result,
                                   tauler_message *message) {
  table_digester *all = table_digester_new();
  if (!all) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a digest");
  stream_list streams;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < built->slices->used && !error; i++) {
    const game_slice *slice = &built->slices->slices[i];
    list_streams(trial, built, slice->slice, &streams);
    if (streams.used > result->streams) result->streams = streams.used;
    for (size_t s = 0; s < streams.used && !error; s++) {
      uint64_t counted = 0;
      error = look_at_table(built, slice, streams.names[s], result, all, &counted, message);
      if (s == 0) built->counted += counted;
    }
    if (slice->positions > result->largest) result->largest = slice->positions;
    result->positions += slice->positions;
  }
  table_digest_text(table_digester_end(all), result->digest_of_all);
  return error;
}

uint64_t bench_count_copies(const bench_built *built, const game_slice *slice) {
  enum { PIECE = 1 << 14 };
  uint8_t copies[PIECE];
  uint64_t counted = 0;
  for (uint64_t first = 0; first < slice->positions; first += PIECE) {
    const uint64_t left = slice->positions - first;
    const size_t n = left < PIECE ? (size_t)left : PIECE;
    built->game->copies(built->rules, slice->slice, first, n, copies);
    for (size_t i = 0; i < n; i++) counted += copies[i];
  }
  return counted;
}

static tauler_error check_positions(const bench_result *result, tauler_message *message) {
  if (result->cost.positions_solved == result->positions) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "%llu positions were solved, but the tables have %llu",
                     (unsigned long long)result->cost.positions_solved,
                     (unsigned long long)result->positions);
}

static tauler_error check_tables(const bench_trial *trial, const build_job *job, bench_result *result,
                                 tauler_message *message) {
  game_slices slices = {0};
  tauler_error error = job->problem.game->slices(job->problem.rules, job->request, &slices, message);
  bench_built built = {job->problem.game, job->problem.rules, &slices, job->folder, 0};
  if (!error) error = look_at_tables(trial, &built, result, message);
  if (!error) error = check_positions(result, message);
  if (!error) error = trial->check(trial, &built, message);
  free(slices.slices);
  return error;
}

/* --- building --- */

tauler_error bench_build(const bench *bench, const char *folder, const bench_trial *trial,
                         bench_result *result, tauler_message *message) {
  const game *game = trial->game;
  *result = (bench_result){.bench = bench, .game = game};
  char size[24];
  snprintf(size, sizeof size, "%llu", (unsigned long long)trial->size);
  const game_request request = {.largest = trial->board ? NULL : size, .board = trial->board};
  memory_budget memory;
  memory_budget_open(&memory, bench->memory);
  if (!bench->memory) memory.limit /= (uint64_t)comm_ranks_on_host(bench->comm);
  build_job job = {.problem.game = game,
                   .request = &request,
                   .folder = folder,
                   .depths = trial->depths,
                   .width = trial->width,
                   .level = trial->level,
                   .work.comm = bench->comm,
                   .work.threads = trial->threads,
                   .work.memory = &memory,
                   .work.shown = bench->shown,
                   .stop = stop_build,
                   .user = (void *)(uintptr_t)bench};
  game_rules *rules = NULL;
  const double cpu = clock_process_cpu();
  tauler_error error = game->open(trial->rules, trial->cycles, &rules, message);
  result->opening = clock_process_cpu() - cpu;
  job.problem.rules = rules;
  if (comm_is_root(bench->comm)) bench_remove_folder(folder);
  error = comm_agree(bench->comm, error, message);
  const double start = clock_wall(), logical = bench->clock ? logical_clock_now(bench->clock) : 0;
  if (!error) error = build_tables(&job, &result->cost, message);
  result->wall = clock_wall() - start;
  result->logical = bench->clock ? logical_clock_now(bench->clock) - logical : 0;
  result->cpu = clock_process_cpu() - cpu;
  if (!error && comm_is_root(bench->comm)) error = check_tables(trial, &job, result, message);
  error = comm_agree(bench->comm, error, message);
  if (rules) game->close(rules);
  return error;
}

/* Starts a copy of the process, which builds alone and writes its positions per second to `answer`. */
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

tauler_error bench_build_copies(const bench *bench, const bench_trial *trial, int copies, double *rate,
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

/* --- reporting --- */

void bench_number(const bench *bench, const char *key, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  json_field_number(bench->json, key, strtod(text, NULL));
}

typedef struct {
  char text[96];
} bench_key;

/* A key with the game's word for a position in place of '#': "#s_per_cpu_second". */
static bench_key bench_key_of(const bench_result *result, const char *pattern) {
  bench_key key;
  const char *unit = result->game->unit, *place = strchr(pattern, '#');
  snprintf(key.text, sizeof key.text, "%.*s%.*s%s", (int)(place - pattern), pattern, (int)strlen(unit) - 1,
           unit, place + 1);
  return key;
}

double bench_solving(const bench_result *result) {
  return result->opening + result->cost.setup + result->cost.solving;
}

static void report_result(const bench_trial *trial, const bench_result *result) {
  const bench *bench = result->bench;
  json_writer *json = bench->json;
  const double positions = (double)result->positions;
  json_field_string(json, "game", trial->game->name);
  json_field_string(json, "rules", trial->rules);
  if (trial->cycles) json_field_string(json, "cycles", trial->cycles);
  if (trial->board) {
    json_field_string(json, result->game->size_option, trial->board);
  } else {
    json_field_unsigned(json, result->game->size_option, trial->size);
  }
  json_field_integer(json, "threads", trial->threads);
  json_field_integer(json, "level", trial->level);
  json_field_bool(json, "depths", trial->depths);
  json_field_unsigned(json, bench_key_of(result, "#s").text, result->positions);
  bench_number(bench, "solve_cpu_seconds", bench_solving(result));
  bench_number(bench, bench_key_of(result, "#s_per_cpu_second").text, positions / bench_solving(result));
  bench_number(bench, "setup_cpu_seconds", result->opening + result->cost.setup);
  bench_number(bench, "write_cpu_seconds", result->cost.writing);
  bench_number(bench, "cpu_seconds", result->cpu);
  bench_number(bench, "solve_wall_seconds", result->cost.solving_wall);
  bench_number(bench, "wall_seconds", result->wall);
  bench_number(bench, bench_key_of(result, "table_bits_per_#").text,
               8 * (double)result->table_bytes / positions);
  bench_number(bench, bench_key_of(result, "solving_bytes_per_#_of_largest_slice").text,
               (double)result->cost.solving_peak / (double)result->largest);
  json_field_unsigned(json, "budget_peak_bytes", result->cost.peak_memory);
  json_field_unsigned(json, "process_peak_bytes", clock_peak_memory());
  json_field_unsigned(json, "tables", result->tables);
  json_field_string(json, "digest", result->digest);
  json_field_string(json, "digest_of_all", result->digest_of_all);
}

tauler_error bench_build_and_report(const bench *bench, const bench_trial *trial, bench_result *result,
                                    tauler_message *message) {
  const tauler_error error = bench_build(bench, bench->scratch, trial, result, message);
  if (!error) report_result(trial, result);
  return error;
}
