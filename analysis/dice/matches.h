/* Matches between two policies in a game of chance and choice for two: their exact score, and how long they
 * take, as certified bounds.
 *
 * A match is solved as a game without choices (policy_game), slice by slice, in memory, and with the
 * solver's proof; nothing is written. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_MATCHES_H
#define ANALYSIS_DICE_MATCHES_H

#include "analysis/dice/simulate.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/slices/reached.h"

/* A game of chance and choice for two as it is when both choose by policies: there are no choices any more,
 * and two quantities, the game's own and the turns still to come. A turn is a chain of rolls of one seat, or
 * a pass.
 *
 * It has the slices, the index and the stages of the game it is made of, and is solved as any other. A policy
 * that takes any move with even odds has each roll cut into so many equal ones that every number of moves
 * divides them. Stored positions that are left out have no moves. A policy_game owns itself alone; several
 * threads may expand it at once. Private to analysis/.
 */
enum { POLICY_SCORE, POLICY_TURNS, POLICY_QUANTITIES };

typedef struct policy_game policy_game;

/* For a game with one quantity and with choices, in the positions of `among` alone, or in every stored one
 * (NULL). Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error policy_game_open(const game *of, const game_rules *rules, uint32_t slice, const reached *among,
                              const simulate_policy *raises, const simulate_policy *lowers, policy_game **out,
                              tauler_message *message);
void policy_game_close(policy_game *players);

/* For the solver. */
const game *policy_game_table(const policy_game *players);
const game_rules *policy_game_rules(const policy_game *players);

/* A slice may need more cuts of its rolls, which shows while it is solved: after an error this returns true
 * if rolls have been cut further and the slice must be solved again. Slices that are finished stay right. */
bool policy_game_cut(policy_game *players);

/* --- matches --- */

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
