/* Measurements of the whole path that users take: builds from an empty folder, proof, probes, moves.
 *
 * Each game has a list of benchmarks in a file of its own. A benchmark builds its tables by build_tables in
 * a folder of its own (bench_trial.h) or counts lines of play (bench_moves.h), checks the counts, and writes
 * one JSON object. A bench owns its temporary folder, which is removed at the end. One benchmark runs at a
 * time; it starts threads and processes itself.
 */
#ifndef ANALYSIS_BENCH_BENCH_H
#define ANALYSIS_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/bench/logical_clock.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/tauler_error.h"

#define BENCH_OWN UINT64_MAX /* a size that was not given: each benchmark has its own */

typedef struct bench {
  const char *scratch;  /* folder for tables, empty */
  uint64_t seeds;       /* seeds of aualé's builds */
  uint64_t pieces;      /* pieces in builds of Dou Shou Qi */
  uint64_t players;     /* players in builds of Oca */
  uint64_t tokens;      /* tokens in builds of la oca asesina */
  const char *board;    /* board for Phutball, or NULL if each benchmark has its own */
  uint64_t plies;       /* length of lines of play */
  int threads;          /* threads, for benchmarks that can use several */
  uint64_t memory;      /* limit in bytes, or 0 for all that the machine has */
  comm *comm;           /* the ranks of a build, or NULL for one */
  logical_clock *clock; /* clock of comm, or NULL */
  progress *shown;
  bool (*stop)(void *user); /* asked between rounds of a build, or NULL */
  void *user;
  json_writer *json; /* inside an object */
} bench;

typedef struct {
  const char *name, *summary;
  bool long_one;                                              /* only when named */
  tauler_error (*run)(bench *bench, tauler_message *message); /* NULL: the command starts ranks for it */
} benchmark;

/* A new folder in `parent`, or, if that is NULL, in $TMPDIR or /tmp. Errors: TAULER_IO. */
tauler_error bench_make_scratch(const char *parent, char scratch[512], tauler_message *message);
/* Removes a folder and all that is in it. */
void bench_remove_folder(const char *folder);

/* The benchmarks of each game, ended by a NULL name. */
extern const benchmark bench_of_auale[], bench_of_doushouqi[], bench_of_phutball[], bench_of_dice[];

/* True if there are tables of a board of Phutball. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error bench_check_board(const char *text, tauler_message *message);

/* Boards of up to `seeds` seeds with an empty pit opposite. */
uint64_t bench_boards_of_auale(uint64_t seeds);

/* How many positions a slice of la oca asesina has on a board of this length: by the rule book, for one
 * colour and two players with so many tokens home, of whom the second has not finished. */
uint64_t bench_positions_of_asesina(uint64_t length, uint64_t tokens, const uint64_t home[2]);

/* The i-th of all games' benchmarks, NULL beyond the last. */
const benchmark *bench_at(size_t i);

#endif
