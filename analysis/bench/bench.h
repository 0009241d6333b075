/* Benchmarks whole commands: builds from an empty folder, proof, probes, moves. command_bench.c lists the
 * benchmarks. Most build tables as `tauler build` does, in an empty folder (bench_build), or count lines of
 * play. Each writes one JSON object, except that of ranks, which writes one per build. One benchmark runs at
 * a time; it starts threads and processes itself. */
#ifndef ANALYSIS_BENCH_BENCH_H
#define ANALYSIS_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/bench/logical_clock.h"
#include "base/command/options.h"
#include "base/json.h"
#include "base/progress.h"
#include "games/game.h"
#include "solver/run/build.h"

typedef struct bench {
  const char *scratch;   /* folder for tables, which each build empties first */
  const options *parsed; /* options, among which --seeds, --board … replace a benchmark's own size */
  int threads;
  uint64_t memory; /* bytes, or 0 for the default, which the ranks on a host share */
  comm *comm;      /* ranks of a build, or NULL for one */
  logical_clock *clock;
  progress *shown;
  json_writer *json; /* writer inside the benchmark's object */
} bench;

typedef struct {
  const char *game, *rules;
  const char *cycles; /* as on the command line, or NULL for the game's default */
  uint64_t size;      /* value of the game's size option: seeds, pieces, players, tokens */
  const char *board;  /* board in place of a size, or NULL */
  double width;
  int level;        /* level of compression, or 0 for the default of a build */
  bool all_threads; /* true for as many threads as the command line gives, false for one thread */
  bool depths;      /* true for tables of depths, which outcomes always have */
} bench_trial;

typedef struct {
  build_cost cost;
  double cpu;     /* processor seconds of the whole build */
  double opening; /* processor seconds of opening the rules */
  double wall;    /* seconds of build_tables */
  double logical; /* seconds of build_tables by the logical clock */
  uint64_t positions;
  uint64_t largest;
  uint64_t tables;
  uint64_t table_bytes;
  uint64_t asked_bytes; /* bytes of the files of slices that the trial names */
  uint64_t quantities;
  char digest[TABLE_DIGEST_TEXT]; /* digest of the last table of values or bounds */
  char digest_of_all[TABLE_DIGEST_TEXT];
} bench_result;

typedef struct {
  const char *game, *rules, *start;
  int plies;             /* length of the lines if the command line names none */
  uint64_t published[9]; /* published counts for 1, 2, … plies. 0 for unknown ones */
} bench_walk;

typedef struct benchmark benchmark;
struct benchmark {
  const char *name, *summary;
  bool long_one; /* true if it runs only by its name */
  bool listed;   /* true if each build is an object in a list */
  bool ranks;    /* true for the benchmark that the command starts by bench_across_ranks */
  /* NULL to build the trials or, if there are none, to count the lines of the walk. */
  tauler_error (*run)(const bench *bench, const benchmark *one, tauler_message *message);
  bench_trial trials[2];
  bench_walk walk;
  tauler_error (*more)(const bench *bench, const bench_trial *trial, const bench_result *result,
                       tauler_message *message);
};

uint64_t bench_size(const bench *bench, const char *option, uint64_t own);

/* Makes a new folder in `parent`, or, if that is NULL, in $TMPDIR or /tmp. Errors: TAULER_IO. */
tauler_error bench_make_scratch(const char *parent, char scratch[512], tauler_message *message);
void bench_remove_folder(const char *folder);

/* Empties the folder and builds into it. Collective over the ranks; rank 0 has the counts and digests of
 * tables. Errors: those of build_tables, TAULER_NOT_PROVEN (some positions were not solved). */
tauler_error bench_build(const bench *bench, const char *folder, const bench_trial *trial,
                         bench_result *result, tauler_message *message);

/* Builds and reports the first trial of a benchmark or, if it is listed, all its trials, but only the last
 * one if the command line has a size. */
tauler_error bench_build_trials(const bench *bench, const benchmark *one, tauler_message *message);

double bench_solving_seconds(const bench_result *result);

/* Writes six digits, since no measurement is more exact. */
void bench_write_number(const bench *bench, const char *key, double value);

/* Compares the speed of one build by several threads with that of as many independent builds. */
tauler_error bench_threads(const bench *bench, const benchmark *one, tauler_message *message);
tauler_error bench_probe(const bench *bench, const benchmark *one, tauler_message *message);
tauler_error bench_verify(const bench *bench, const bench_trial *trial, const bench_result *result,
                          tauler_message *message);

extern const option_group bench_ranks_group;

/* Runs the benchmark "ranks": builds awari by 1, 2, 4, … ranks of one thread each. If a launcher started this
 * process, uses up to all of its ranks; otherwise the launcher of the program's MPI replaces the process, and
 * the call returns only with an error. Prints one JSON object per scaling and number of ranks. `groups` are
 * those of the command. Makes the scratch folder in `parent`. Errors: those of the command. */
tauler_error bench_across_ranks(const option_group *const *groups, const char *parent, const bench *asked,
                                tauler_message *message);

#endif
