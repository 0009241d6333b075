/* Statistics of games of dice and choice: what comes of matches between simple ways to choose, each in either
 * seat, and the best one by tables. Private to analysis/. */
#ifndef ANALYSIS_STATS_STATS_MATCHES_H
#define ANALYSIS_STATS_STATS_MATCHES_H

#include "analysis/dice/matches.h"
#include "analysis/learn/learned_player.h"
#include "analysis/stats/stats_dice.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  const stats_dice_job *dice; /* tables: NULL where they are not needed */
  memory_budget *memory;
  const char *first;  /* policy of seat 1, or NULL for each of them */
  const char *second; /* policy of seat 2, or NULL for each of them */
  double width;       /* width of scores and turns */
} stats_matches_job;

/* True if a seat plays the best moves. */
bool stats_matches_need_tables(const char *first, const char *second);

/* Prints all matches asked for. Errors: TAULER_BAD_USAGE (no such policy; nobody chooses), as slice_table,
 * TAULER_NO_MEMORY; nothing is printed when a table is missing. */
tauler_error stats_matches(const stats_matches_job *job, tauler_message *message);

#endif
