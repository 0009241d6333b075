/* Measurements of the whole path that users take: builds from an empty folder, proof, probes, moves.
 *
 * command_bench.c lists the benchmarks. Most build tables as `tauler build` does, in an empty folder of their
 * own (bench_build), or count lines of play (bench_count_lines); each writes one JSON object. Tests compare
 * the figures with rule books and publications. A bench owns its temporary folder, which is removed at the
 * end. One benchmark runs at a time; it starts threads and processes itself.
 */
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
  const char *scratch;   /* folder for tables, empty */
  const options *parsed; /* may have --seeds, --board and the like in place of a benchmark's own size */
  int threads;           /* threads, for benchmarks that can use several */
  uint64_t memory;       /* limit in bytes, or 0 for all that the machine has */
  comm *comm;            /* the ranks of a build, or NULL for one */
  logical_clock *clock;  /* clock of comm, or NULL */
  progress *shown;
  json_writer *json; /* inside an object */
} bench;

/* The tables that a benchmark builds. */
typedef struct {
  const char *game, *rules; /* as on the command line */
  const char *cycles;       /* the same, or NULL if there is no choice */
  uint64_t size;            /* number for the game's own option: seeds, pieces, players, tokens */
  const char *board;        /* the board in place of a size, or NULL */
  double width;             /* largest width of bounds, in games of dice */
  int level;                /* level of compression, or 0 for the default of a build */
  bool all_threads;         /* true for as many threads as the command line gives, false for one thread */
  bool depths;              /* with tables of depths. Outcomes always have them */
} bench_trial;

/* Costs and counts of the build. */
typedef struct {
  build_cost cost;
  double cpu;     /* processor seconds of the whole build */
  double opening; /* processor seconds for the rules and what follows from them, before anything is built */
  double wall;
  double logical;                 /* seconds of the build by the clock of the bench */
  uint64_t positions;             /* positions in the tables of all slices */
  uint64_t largest;               /* positions of the largest slice */
  uint64_t tables;                /* number of table files */
  uint64_t table_bytes;           /* size of all files in bytes */
  uint64_t asked_bytes;           /* bytes of the files of slices that the trial names */
  uint64_t quantities;            /* quantities of a slice, in games of dice */
  char digest[TABLE_DIGEST_TEXT]; /* digest of the last table of values or bounds */
  char digest_of_all[TABLE_DIGEST_TEXT];
} bench_result;

/* Lines of play of so many plies from a start. */
typedef struct {
  const char *game, *rules, *start;
  int plies;             /* unless the command line says otherwise */
  uint64_t published[9]; /* lines of 1, 2, … plies, up to 0 */
} bench_walk;

typedef struct benchmark benchmark;
struct benchmark {
  const char *name, *summary;
  bool long_one; /* runs only if it is named */
  bool listed;   /* each build is an object in a list */
  /* NULL: the command starts ranks for it. */
  tauler_error (*run)(const bench *bench, const benchmark *one, tauler_message *message);
  bench_trial trials[2];
  bench_walk walk; /* or this one */
  /* Reports more about a build, or NULL. */
  tauler_error (*more)(const bench *bench, const bench_trial *trial, const bench_result *result,
                       tauler_message *message);
};

/* The number that the command line gives an option, or a benchmark's own. */
uint64_t bench_size(const bench *bench, const char *option, uint64_t own);

/* --- building ---------------------------------------------------------------------------------------------
 */

/* A new folder in `parent`, or, if that is NULL, in $TMPDIR or /tmp. Errors: TAULER_IO. */
tauler_error bench_make_scratch(const char *parent, char scratch[512], tauler_message *message);
/* Removes a folder and all that is in it. */
void bench_remove_folder(const char *folder);

/* The trial with the size or board that the command line says. */
bench_trial bench_trial_asked(const bench *bench, const bench_trial *own);

/* Builds into an emptied folder. With ranks this is collective, and rank 0 has what came of the tables.
 * Errors: those of build_tables; TAULER_NOT_PROVEN if not all positions were solved. */
tauler_error bench_build(const bench *bench, const char *folder, const bench_trial *trial,
                         bench_result *result, tauler_message *message);

/* The same in the bench's own folder, with the size that the command line says, and reports it. */
tauler_error bench_build_and_report(const bench *bench, const benchmark *one, const bench_trial *own,
                                    bench_result *result, tauler_message *message);

/* Does this with all trials of a benchmark. If the command line says a size, only with the last one. */
tauler_error bench_builds(const bench *bench, const benchmark *one, tauler_message *message);

/* Runs so many independent builds at the same time, each with one thread in a process of its own. *rate
 * becomes the positions per second, by the clock, of all builds together. The caller has started no
 * threads. */
tauler_error bench_build_copies(const bench *bench, const bench_trial *trial, int copies, double *rate,
                                tauler_message *message);

/* Processor seconds of set-up and solving. */
double bench_solving(const bench_result *result);

/* Writes a field with six digits; no measurement here is more exact. */
void bench_number(const bench *bench, const char *key, double value);

/* --- moves ------------------------------------------------------------------------------------------------
 */

/* Counts lines of play in two ways, on one core: by making every move, and without making the moves of the
 * last ply. Reports both rates. Both counts must agree, and the counts of all plies up to this number must
 * agree with the published ones. Errors: TAULER_NOT_PROVEN, TAULER_STOPPED, those of reading rules and
 * position. */
tauler_error bench_count_lines(const bench *bench, const benchmark *one, tauler_message *message);

/* --- answers ----------------------------------------------------------------------------------------------
 */

/* Threads of one build against as many copies. */
tauler_error bench_threads(const bench *bench, const benchmark *one, tauler_message *message);
/* Times of stored cells and of the values of boards. */
tauler_error bench_probe(const bench *bench, const benchmark *one, tauler_message *message);
/* The proof of tables just built. */
tauler_error bench_verify(const bench *bench, const bench_trial *trial, const bench_result *result,
                          tauler_message *message);

/* --- ranks ------------------------------------------------------------------------------------------------
 */

/* --ranks, --latency and --bandwidth. */
extern const option_group bench_ranks_group;

/* The benchmark "ranks": builds of awari by 1, 2, 4, … ranks, of one thread each, up to all that a launcher
 * started, or up to as many as are asked for, which it starts itself. Prints one JSON object per scaling and
 * number of ranks. If no launcher started this process, that of the MPI that the program is linked with takes
 * its place, and this returns only with an error. `groups` are those of the command. Makes the scratch folder
 * in `parent`, itself. Errors: those of the command. */
tauler_error bench_across_ranks(const option_group *const *groups, const char *parent, const bench *asked,
                                tauler_message *message);

#endif
