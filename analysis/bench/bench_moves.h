/* How fast a game lists legal moves: all lines of play of so many plies from its start, on one core. */
#ifndef ANALYSIS_BENCH_BENCH_MOVES_H
#define ANALYSIS_BENCH_BENCH_MOVES_H

#include "analysis/bench/bench.h"
#include "games/game.h"

typedef struct {
  const game *game;
  const char *rules;         /* as on the command line */
  const char *start;         /* a position */
  int plies;                 /* unless the command line says otherwise */
  const uint64_t *published; /* lines of 1, 2, … plies */
  size_t published_used;
} bench_walk;

/* Counts with every leaf made and with the moves of the last ply only counted, and reports both rates. Both
 * counts must agree, and the counts of all plies up to this number must agree with the published ones.
 * Errors: TAULER_NOT_PROVEN, TAULER_STOPPED, those of reading rules and position. */
tauler_error bench_count_lines(bench *bench, const bench_walk *walk, tauler_message *message);

#endif
