/* Matches between two policies in a game of chance and choice for two: their exact score, and how long they
 * take, as certified bounds.
 *
 * A match is solved as a game without choices (policy_game.h), slice by slice, in memory, and with the
 * solver's proof; nothing is written. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_MATCHES_H
#define ANALYSIS_DICE_MATCHES_H

#include "analysis/dice/policy_game.h"
#include "analysis/probe/probe_tables.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  const game_slices *slices; /* slices in solving order. The match starts in the last one that is asked for */
  const reached *reached;    /* the positions that are solved, or NULL for every stored one */
  simulate_policy raises;    /* policy of seat 1, which raises quantity 0 */
  simulate_policy lowers;    /* policy of seat 2 */
  double width;              /* largest width of the bounds of either quantity */
  int threads;
  memory_budget *memory;
  progress *shown; /* progress by positions, or NULL */
} match_job;

typedef struct {
  double lower[POLICY_QUANTITIES], upper[POLICY_QUANTITIES]; /* seat 1's score, and turns */
  uint64_t positions;                                        /* positions solved */
  uint64_t endless; /* positions in which play goes on for ever in one slice */
} match_result;

/* Errors: TAULER_BAD_USAGE (nobody chooses; a policy of even odds among so many moves that no roll can be cut
 * so), TAULER_NO_MEMORY, said before work starts if it can be known, and what the game returns. */
tauler_error match_solve(const match_job *job, match_result *out, tauler_message *message);

/* The bytes that it takes. */
uint64_t match_bytes(const match_job *job);

/* One of the game's own policies. */
typedef struct {
  const chance_policies *policies;
  size_t number;
} match_simple;
simulate_policy match_policy(const match_simple *simple);

/* The best move by tables: the first, in the order of moves, that no other is surely better than. Tables
 * may be of other rules than are played by, as long as these know the positions. With tables of several rule
 * sets: the first of the moves that are worth most in their mean, up to 10^-7. `error` is set where tables
 * cannot be read, and `pick` names no move then. */
enum { MATCH_MOST_TABLES = 4 };
typedef struct {
  tauler_tables *tables[MATCH_MOST_TABLES];
  size_t used;
  _Atomic int error; /* a tauler_error */
  atomic_flag failed;
  tauler_message message;
} match_best;
void match_best_open(match_best *best, tauler_tables *tables);
void match_best_add(match_best *best, tauler_tables *tables); /* MATCH_MOST_TABLES in all */
simulate_policy match_policy_best(match_best *best);

#endif
