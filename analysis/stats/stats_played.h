/* Statistics of games of dice by playing: what games from the start of every slice asked for come to. Private
 * to analysis/. */
#ifndef ANALYSIS_STATS_STATS_PLAYED_H
#define ANALYSIS_STATS_STATS_PLAYED_H

#include "analysis/probe/probe_tables.h"
#include "analysis/stats/print_counts.h"
#include "base/progress.h"

typedef struct {
  tauler_tables *tables;
  const game_slices *slices;
  const game_request *request;
  int form;             /* FORM_TEXT, FORM_CSV, FORM_JSON */
  const char *policies; /* "best", "random", "lead", or two of them, such as "best,random". NULL: best */
  bool swapped;         /* each game twice with the same dice, the players' seats exchanged */
  bool regrets;         /* only the regrets of two players by the tables are printed */
  bool start;           /* only of the whole game */
  uint64_t games, seed;
  int threads;
  comm *ranks; /* the ranks that share the games, or NULL for one */
  memory_budget *memory;
  progress *shown;
} stats_played_job;

/* Plays and prints. Tables are needed where somebody chooses by them; elsewhere they are shown beside what
 * was played if they are there. Errors: TAULER_BAD_USAGE (no such policy), as slice_table and simulate. */
tauler_error stats_played(const stats_played_job *job, tauler_message *message);

#endif
