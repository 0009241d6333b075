/* Measures builds by 1, 2, 4, … ranks, by their logical clocks and by the wall clock. */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/bench/bench.h"
#include "base/clock.h"
#include "base/command/signals.h"
#include "base/command/threads.h"
#include "parallel/comm_mpi.h"
#include "parallel/launcher.h"
#include "solver/run/command_ranks.h"

enum { USUAL_RANKS = 8, MOST_RANKS = 1024, USUAL_SEEDS = 18 };

static const option own_options[] = {
    {"ranks", "N", "ranks: by 1, 2, 4, … up to N ranks (8; all that a launcher started)", NULL},
    {"latency", "MICROSECONDS", "ranks: of the network of the logical clock (20)", NULL},
    {"bandwidth", "GBITS", "ranks: of the network of the logical clock, in Gbit/s (10)", NULL}};
const option_group bench_ranks_group = OPTION_GROUP("Measuring ranks", own_options);

typedef struct {
  const bench *bench;
  ranks_run *run;
  int most;
  logical_network network;
  const char *scaling;
} rank_curve;

typedef struct {
  uint64_t seeds, exchanges;
  double cpu, working; /* processor seconds of all ranks in all, and between calls */
  bool has_processors; /* true if each rank has a processor */
  bench_result build;
} rank_point;

static double process_seconds(void *user) {
  (void)user;
  return clock_process_cpu();
}

/* Collective over the ranks that work. */
static tauler_error build_and_count(const rank_curve *curve, comm *working, rank_point *out,
                                    tauler_message *message) {
  bench now = *curve->bench;
  tauler_error error =
      comm_agree(working,
                 logical_clock_open(working, &curve->network, (logical_work){process_seconds, NULL},
                                    &now.clock, &now.comm, message),
                 message);
  const bench_trial trial = {"auale", "awari", "even", out->seeds, .level = 9};
  if (!error) error = bench_build(&now, now.scratch, &trial, &out->build, message);
  uint64_t nanoseconds[2] = {(uint64_t)(1e9 * out->build.cpu)};
  if (!error) nanoseconds[1] = (uint64_t)(1e9 * logical_clock_work_seconds(now.clock));
  if (!error) error = comm_allreduce(working, COMM_SUM, nanoseconds, 2, message);
  out->cpu = (double)nanoseconds[0] / 1e9;
  out->working = (double)nanoseconds[1] / 1e9;
  if (!error) out->exchanges = logical_clock_exchanges(now.clock);
  out->has_processors = comm_ranks_on_host(working) <= threads_available();
  comm_close(now.comm);
  return error;
}

/* Builds by the first `ranks` ranks while the others sleep. If one of the first is lost, they agree on
 * nothing more, and the launcher ends the other ranks when this rank ends. */
static tauler_error build_with_ranks(const rank_curve *curve, int ranks, rank_point *out,
                                     tauler_message *message) {
  enum { ENDED = 1 };
  comm *all = curve->run->all, *working = NULL;
  uint64_t heard = 0;
  tauler_error error = comm_split(all, comm_rank(all) < ranks ? 0 : -1, &working, message);
  error = comm_agree(all, error, message);
  if (error) return error;
  if (working) error = build_and_count(curve, working, out, message);
  if (comm_is_broken(working)) {
    curve->run->comm = working;
    return error;
  }
  comm_close(working);
  const tauler_error lost = comm_pulse(all, ENDED, true, &heard, error ? NULL : message);
  return comm_agree(all, error ? error : lost, message);
}

/* Returns the speed in boards per second, divided by `ranks` times the speed of one rank. */
static double parallel_efficiency(const rank_point *alone, double seconds_alone, const rank_point *point,
                                  int ranks, double seconds) {
  const double boards = (double)point->build.positions / (double)alone->build.positions;
  return boards * seconds_alone / (ranks * seconds);
}

static void report_point(const rank_curve *curve, bench *bench, int ranks, const rank_point *alone,
                         const rank_point *point) {
  const bench_result *build = &point->build;
  json_fields(bench->json, JSON_COUNT("seeds", point->seeds), JSON_COUNT("boards", build->positions));
  bench_write_number(bench, "latency_microseconds", 1e6 * curve->network.latency);
  bench_write_number(bench, "bandwidth_gbits", 8e-9 * curve->network.bandwidth);
  bench_write_number(bench, "cpu_seconds", point->cpu);
  bench_write_number(bench, "work_cpu_seconds", point->working);
  json_field_unsigned(bench->json, "bytes_sent", build->cost.bytes_sent);
  bench_write_number(bench, "bytes_per_board", (double)build->cost.bytes_sent / (double)build->positions);
  json_field_unsigned(bench->json, "exchanges", point->exchanges);
  bench_write_number(bench, "logical_seconds", build->logical);
  bench_write_number(bench, "efficiency",
                     parallel_efficiency(alone, alone->build.logical, point, ranks, build->logical));
  bench_write_number(bench, "wall_seconds", build->wall);
  if (point->has_processors)
    bench_write_number(bench, "wall_efficiency",
                       parallel_efficiency(alone, alone->build.wall, point, ranks, build->wall));
  json_field_string(bench->json, "digest_of_all", build->digest_of_all);
}

static tauler_error measure_point(const rank_curve *curve, int ranks, rank_point *alone, rank_point *point,
                                  tauler_message *message) {
  json_writer json;
  bench bench = *curve->bench;
  const tauler_error error = build_with_ranks(curve, ranks, point, message);
  if (!comm_is_root(curve->run->all)) return error;
  if (ranks == 1) *alone = *point;
  bench.json = &json;
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("benchmark", "ranks"), JSON_TEXT("scaling", curve->scaling),
              JSON_INTEGER("ranks", ranks));
  if (!error) report_point(curve, &bench, ranks, alone, point);
  json_field_bool(&json, "holds", error == TAULER_OK);
  json_close_line(&json);
  return error;
}

/* Returns the number of boards of up to `seeds` seeds whose opponent's row has an empty pit, the sum of
 * C(n+11, 11) − C(n+5, 11) for n = 0 … seeds. */
static uint64_t count_boards(uint64_t seeds) {
  uint64_t boards = 0;
  for (uint64_t n = 0; n <= seeds; n++) {
    uint64_t all = 1, unreached = n >= 6;
    for (uint64_t i = 1; i <= 11; i++) all = all * (n + i) / i;
    for (uint64_t i = 1; unreached && i <= 11; i++) unreached = unreached * (n - 6 + i) / i;
    boards += all - unreached;
  }
  return boards;
}

/* Returns the least number of seeds up to which the boards are at least the fraction `ranks` / `most` of
 * those of up to `largest` seeds. */
static uint64_t choose_seeds(uint64_t largest, int ranks, int most) {
  uint64_t seeds = 1;
  while (seeds < largest && (uint64_t)most * count_boards(seeds) < (uint64_t)ranks * count_boards(largest))
    seeds++;
  return seeds;
}

static tauler_error measure_curve(rank_curve *curve, bool grows, tauler_message *message) {
  const uint64_t largest = bench_size(curve->bench, "seeds", USUAL_SEEDS);
  rank_point alone = {0};
  tauler_error error = TAULER_OK;
  curve->scaling = grows ? "weak" : "strong";
  for (int ranks = 1, next; !error && ranks <= curve->most; ranks = next) {
    next = ranks < curve->most && 2 * ranks > curve->most ? curve->most : 2 * ranks;
    rank_point point = {.seeds = grows ? choose_seeds(largest, ranks, curve->most) : largest};
    error = measure_point(curve, ranks, &alone, &point, message);
  }
  return error;
}

static tauler_error make_folder(comm *all, const char *parent, char folder[512], tauler_message *message) {
  tauler_error error = TAULER_OK;
  snprintf(folder, 512, "%s", "");
  if (comm_is_root(all)) error = bench_make_scratch(parent, folder, message);
  error = comm_agree(all, error, message);
  return error ? error : comm_bcast(all, 0, folder, 512, message);
}

static tauler_error measure_ranks(const option_group *const *groups, const char *parent,
                                  const rank_curve *asked, tauler_message *message) {
  ranks_run run;
  char folder[512], tables[520];
  bench bench = *asked->bench;
  rank_curve curve = *asked;
  signals_hold();
  tauler_error error = ranks_open(NULL, 0, &run, message);
  if (!error) error = ranks_compare(run.all, asked->bench->parsed, groups, message);
  if (!error) error = make_folder(run.all, parent, folder, message);
  if (!error) {
    snprintf(tables, sizeof tables, "%s/tables", folder);
    bench.scratch = tables;
    curve.bench = &bench;
    curve.run = &run;
    if (curve.most == 0 || curve.most > comm_ranks(run.all)) curve.most = comm_ranks(run.all);
    error = measure_curve(&curve, false, message);
    if (!error) error = measure_curve(&curve, true, message);
    if (comm_is_root(run.all)) bench_remove_folder(folder);
  }
  ranks_close(&run, error);
  return error;
}

/* Sets options of Open MPI 4 and 5 for more ranks than processors, for root, and for containers where a
 * process may not read the memory of another. */
static void allow_more_ranks(void) {
  static const char *const settings[][2] = {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                            {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                            {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                            {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                                            {"PRTE_MCA_hwloc_default_binding_policy", "none"}};
  static const char *const for_root[] = {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                         "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) setenv(settings[i][0], settings[i][1], 0);
  for (size_t i = 0; geteuid() == 0 && i < sizeof for_root / sizeof *for_root; i++)
    setenv(for_root[i], "1", 0);
}

/* Binds this process, and so the ranks that it starts, to one processor if there are more ranks than
 * processors. Ranks that work at the same time share caches and memory and slow each other down, unlike ranks
 * on machines of their own. */
static void share_processor(int ranks) {
  cpu_set_t all, one;
  if (ranks <= threads_available() || sched_getaffinity(0, sizeof all, &all) != 0) return;
  CPU_ZERO(&one);
  for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  sched_setaffinity(0, sizeof one, &one);
}

enum { MOST_WORDS = 40, WORD_BYTES = 600 };

static void add_options(const options *parsed, const option_group *const *groups,
                        char texts[MOST_WORDS][WORD_BYTES], char *words[MOST_WORDS], size_t used) {
  for (; *groups; groups++) {
    for (size_t i = 0; i < (*groups)->n && used + 1 < MOST_WORDS; i++) {
      const char *name = (*groups)->options[i].name, *value = options_get(parsed, name);
      if (!value) continue;
      snprintf(texts[used], WORD_BYTES, "--%s%s%s", name, *value ? "=" : "", value);
      words[used] = texts[used];
      used++;
    }
  }
  words[used] = NULL;
}

static tauler_error start_ranks(const options *parsed, const option_group *const *groups, int ranks,
                                tauler_message *message) {
  const bool is_mpich = strstr(comm_mpi_implementation().text, "MPICH") != NULL;
  const char *const launchers[] = {is_mpich ? "mpirun.mpich" : "mpirun.openmpi",
                                   is_mpich ? "mpiexec.hydra" : "mpirun", NULL};
  char texts[MOST_WORDS][WORD_BYTES], path[PATH_MAX], number[16];
  char np[] = "-np", command[] = "bench", name[] = "ranks";
  char *words[MOST_WORDS] = {NULL, np, number, path, command, name};
  snprintf(number, sizeof number, "%d", ranks);
  if (!launcher_program(path))
    return tauler_fail(message, TAULER_IO, "cannot find the program that is to be started as ranks");
  add_options(parsed, groups, texts, words, 6);
  allow_more_ranks();
  share_processor(ranks);
  for (const char *const *one = launchers; *one; one++) {
    snprintf(texts[0], WORD_BYTES, "%s", *one);
    words[0] = texts[0];
    execvp(*one, words);
  }
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "there is no %s that could start %d ranks: install the launcher of %s, or start this "
                     "command as ranks yourself",
                     launchers[1], ranks, comm_mpi_implementation().text);
}

tauler_error bench_across_ranks(const option_group *const *groups, const char *parent, const bench *asked,
                                tauler_message *message) {
  const options *parsed = asked->parsed;
  uint64_t ranks = 0;
  double microseconds = 20, gbits = 10;
  tauler_error error = options_number(parsed, "ranks", 1, MOST_RANKS, &ranks, message);
  if (!error) error = options_real(parsed, "latency", 0, 1e6, &microseconds, message);
  if (!error) error = options_real(parsed, "bandwidth", 1e-3, 1e6, &gbits, message);
  if (error) return error;
  if (strcmp(comm_mpi_implementation().text, "none") == 0)
    return tauler_fail(
        message, TAULER_BAD_USAGE,
        "this tauler was built without MPI and has no ranks to measure; build it with make MPI=1");
  if (!launcher_find().is_there)
    return start_ranks(parsed, groups, ranks ? (int)ranks : USUAL_RANKS, message);
  rank_curve curve = {.bench = asked, .most = (int)ranks, .network = {1e-6 * microseconds, 1e9 / 8 * gbits}};
  return measure_ranks(groups, parent, &curve, message);
}
