/* Matches between two policies in a game of chance and choice: certified bounds of their score and their
 * length.
 *
 * A match is solved as a game without choices, slice by slice, in memory, and with the solver's proof; no
 * file is written. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_MATCHES_H
#define ANALYSIS_DICE_MATCHES_H

#include "analysis/dice/simulate.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/slices/reached.h"

enum { POLICY_SCORE, POLICY_TURNS, POLICY_QUANTITIES };

typedef struct {
  const game *game;
  const game_rules *rules;
  const game_slices *slices; /* slices in solving order, the last asked one with the start */
  const reached *reached;    /* positions to solve, or NULL for every stored one */
  simulate_policy raises;    /* policy of the players who raise quantity 0 */
  simulate_policy lowers;
  double width; /* largest width of the bounds of either quantity */
  int threads;
  memory_budget *memory;
  progress *shown; /* progress in positions, or NULL */
} match_job;

typedef struct {
  double lower[POLICY_QUANTITIES], upper[POLICY_QUANTITIES]; /* bounds of quantity 0, and of turns */
  uint64_t positions;
  uint64_t endless; /* number of positions in which play may stay in one slice for ever */
} match_result;

/* Solves a match. Errors: TAULER_BAD_USAGE (no slices; a game without choices; a policy of even odds that
 * needs too many cuts of a roll), TAULER_NO_MEMORY (before work starts if memory is too small for the plan),
 * those of the game, TAULER_INTERNAL (a policy names no move). */
tauler_error match_solve(const match_job *job, match_result *out, tauler_message *message);

/* One of the game's own policies. */
typedef struct {
  const chance_policies *policies;
  size_t number;
} match_simple;
simulate_policy match_policy(const match_simple *simple);

/* The policy of best moves by tables: the first move, in the order of the game, that no other one surely
 * beats. With tables of several rule sets, the first move whose mean worth is within 10^-7 of the largest.
 * Tables may have other rules than the match if they contain its positions. On an error `pick` names no move,
 * and the first error and its message are kept here. */
enum { MATCH_MOST_TABLES = 4 };
typedef struct {
  tauler_tables *tables[MATCH_MOST_TABLES];
  size_t used;
  _Atomic int error; /* a tauler_error */
  atomic_flag failed;
  tauler_message message;
} match_best;
void match_best_open(match_best *best, tauler_tables *tables);
void match_best_add(match_best *best, tauler_tables *tables); /* at most MATCH_MOST_TABLES in all */
simulate_policy match_policy_best(match_best *best);

#endif
