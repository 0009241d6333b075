/* One build of a game's tables from an empty folder, by the path that users take, and what came of it.
 *
 * A bench_trial says what to build and how to check its counts: every table of the build must have the size
 * and the counts of the game. At last a check of the benchmark compares with a formula or a published figure.
 * A bench_result owns nothing; tables stay in the folder.
 */
#ifndef ANALYSIS_BENCH_BENCH_TRIAL_H
#define ANALYSIS_BENCH_BENCH_TRIAL_H

#include "analysis/bench/bench.h"
#include "databases/table.h"
#include "games/game.h"
#include "solver/run/build.h"

typedef struct bench_trial bench_trial;

/* The tables that were built, while they are checked. `counted`: by the values that headers list, bounds
 * once; headers of dice list none. */
typedef struct {
  const game *game;
  const game_rules *rules;
  const game_slices *slices;
  const char *folder;
  uint64_t counted;
} bench_built;

struct bench_trial {
  const game *game;
  const char *rules;  /* as on the command line */
  const char *cycles; /* as on the command line, or NULL if there is no choice */
  uint64_t size;      /* number for the game's own option: seeds, pieces, players, tokens */
  const char *board;  /* or this one, of games that have boards */
  double width;       /* largest width of bounds, in games of dice */
  int level, threads;
  bool depths; /* outcomes always have them */
  tauler_error (*check)(const bench_trial *trial, const bench_built *built, tauler_message *message);
};

typedef struct {
  const bench *bench;
  const game *game;
  build_cost cost;
  double cpu;     /* processor seconds of the whole build */
  double opening; /* processor seconds for the rules and what follows from them, before anything is built */
  double wall;
  double logical;                 /* seconds of the build by the clock of the bench */
  uint64_t positions;             /* positions in the tables of all slices */
  uint64_t largest;               /* positions of the largest slice */
  uint64_t tables;                /* number of table files */
  uint64_t table_bytes;           /* size of all files in bytes */
  uint64_t streams;               /* streams per slice, at most */
  uint64_t asked_bytes;           /* bytes of the files of slices that the trial names */
  char digest[TABLE_DIGEST_TEXT]; /* digest of the last table of values or bounds */
  char digest_of_all[TABLE_DIGEST_TEXT];
} bench_result;

/* Builds into an emptied folder and checks. With ranks this is collective; rank 0 checks, and has what came
 * of the tables. Errors: those of build_tables; TAULER_NOT_PROVEN for a count that is not as it must be. */
tauler_error bench_build(const bench *bench, const char *folder, const bench_trial *trial,
                         bench_result *result, tauler_message *message);

/* Values of awari by one thread, up to the bench's number of seeds or else `seeds`. */
bench_trial bench_awari_trial(const bench *bench, uint64_t seeds);

/* The same in the bench's own folder, and reports it. */
tauler_error bench_build_and_report(const bench *bench, const bench_trial *trial, bench_result *result,
                                    tauler_message *message);

/* As many independent builds at the same time, each in a process of its own, of one thread. *rate: of all
 * together, positions per second by the clock. The caller has started no threads. */
tauler_error bench_build_copies(const bench *bench, const bench_trial *trial, int copies, double *rate,
                                tauler_message *message);

/* Positions that the cells of a slice stand for. */
uint64_t bench_count_copies(const bench_built *built, const game_slice *slice);

/* Processor seconds of set-up and solving. */
double bench_solving(const bench_result *result);

/* A field of six digits, more than any of these measurements has. */
void bench_number(const bench *bench, const char *key, double value);

/* A size from the command line, or a benchmark's own. */
uint64_t bench_size_or(uint64_t given, uint64_t own);

/* True if a stop was asked for. */
bool bench_is_stopped(const bench *bench);

#endif
