/* Games of chance played out by the slow rules, with dice of a small generator: a check of tables that shares
 * nothing with how they came about.
 *
 * Each game goes from the start to its end; what it gains on the way is a sample of the quantities there, of
 * which the result has means and standard errors. The same seed gives the same games, whatever the number of
 * threads and ranks. Nothing is owned or printed. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_SIMULATE_H
#define ANALYSIS_DICE_SIMULATE_H

#include "analysis/dice/dice_random.h"
#include "analysis/verify/verify_chance.h"

/* Chooses among two or more moves under a roll. pick: a number of the list; −1: any of them, with even odds;
 * −1 − e: error e of tauler_error, which ends all. It is called by several threads at once. NULL: always any.
 */
typedef struct {
  int (*pick)(const void *user, const game_rules *rules, const game_position *position, size_t roll,
              const game_moves *moves);
  const void *user;
} simulate_policy;

/* A watcher. Each batch of games, which one thread plays, has notes that begin as zeros. `move` is called for
 * each move, with CHANCE_CERTAIN for a pass; `end` for each game that ends, with the quantities it gained;
 * `add` with the notes of each batch, in the order of batches for any number of threads. */
typedef struct {
  size_t bytes; /* size of notes */
  void (*move)(const void *user, void *notes, const game_position *position, size_t roll, size_t picked);
  void (*end)(const void *user, void *notes, const double *gained);
  tauler_error (*add)(void *user, const void *notes);
  void *user;
} simulate_watch;

typedef struct {
  const game *game;
  const game_rules *rules;
  const game_position *start;
  simulate_policy raises; /* policy of the players who raise quantity 0 */
  simulate_policy lowers; /* policy of the others */
  /* Each game is played twice with the same dice, the second time with raises and lowers exchanged; the
   * result is the mean of both for the policy that raises in the first. Only for one quantity with a greatest
   * value. */
  bool swapped;
  uint64_t games, seed;
  uint64_t most_moves; /* moves after which a game is given up, or 0 for a million */
  int threads;
  comm *ranks;                 /* the ranks that share the games, or NULL for one */
  const simulate_watch *watch; /* or NULL. Several ranks and swapped games cannot be watched */
  memory_budget *memory;
  progress *shown; /* progress by games, or NULL */
} simulate_job;

typedef struct {
  chance_quantities quantities; /* counted from the start's first seat */
  uint64_t games;               /* that came to an end, swapped ones both times: the means are over these */
  uint64_t given_up;
  uint64_t moves;                       /* rolls and passes of all */
  double mean[CHANCE_MOST_QUANTITIES];  /* NAN where no game came to an end */
  double error[CHANCE_MOST_QUANTITIES]; /* standard error of the mean, or 0 if fewer than two games ended */
} simulate_result;

/* Draws one of the rolls, whose weights have this sum. */
size_t simulate_roll(dice_random *dice, const chance_roll *rolls, uint64_t weights);

/* Makes the only move of a position in which the turn is lost, of which *gain is the row, and moves `at` on
 * unless the game is over. Errors: TAULER_INTERNAL (no single move), what the game returns. */
tauler_error simulate_pass(const game *game, const game_rules *rules, game_position *at, int *gain,
                           bool *over);

/* Errors: TAULER_BAD_USAGE (not a game of chance; swapped, and not of such a quantity), TAULER_NO_MEMORY,
 * what the game returns, TAULER_INTERNAL where the game contradicts itself. */
tauler_error simulate(const simulate_job *job, simulate_result *out, tauler_message *message);

#endif
