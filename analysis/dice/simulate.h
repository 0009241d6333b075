/* Games of chance played to their ends by the readable rules with random dice: a check of tables that uses no
 * code of the solver.
 *
 * The gains of each game from the start to the end are a sample of the start's quantities; the result has
 * their means and standard errors. The same seed leads to the same games for any number of threads and ranks.
 * Private to analysis/. */
#ifndef ANALYSIS_DICE_SIMULATE_H
#define ANALYSIS_DICE_SIMULATE_H

#include "analysis/dice/dice_random.h"
#include "analysis/verify/verify_chance.h"

/* A policy, which chooses among two or more moves under a roll. `pick` returns the number of a move in the
 * list, −1 for a random move, each with even odds, or −1 − e for the error e, which ends the simulation.
 * Several threads may call it at once. If it is NULL, every choice is random. */
typedef struct {
  int (*pick)(const void *user, const game_rules *rules, const game_position *position, size_t roll,
              const game_moves *moves);
  const void *user;
} simulate_policy;

/* A watcher. Each batch of games, which one thread plays, has notes that begin as zeros. A simulation calls
 * `move` for each move, with CHANCE_CERTAIN for a pass; `end` for each game that ends, with its gains; and
 * `add` for the notes of each batch, in the order of batches. */
typedef struct {
  size_t bytes; /* bytes of the notes of a batch */
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
  simulate_policy lowers;
  /* True if each game is played twice with the same dice, the second time with raises and lowers exchanged.
   * Its result is the mean of both for the policy that raises in the first one. The game must have choices,
   * and a quantity with a greatest value. */
  bool swapped;
  uint64_t games, seed;
  uint64_t most_moves; /* moves after which a game is given up, or 0 for a million */
  int threads;
  comm *ranks;                 /* ranks that share the games, or NULL for one */
  const simulate_watch *watch; /* watcher of games of one rank that are not swapped, or NULL */
  memory_budget *memory;
  progress *shown; /* progress in games, or NULL */
} simulate_job;

typedef struct {
  chance_quantities quantities;        /* quantities in the order of seats from the start's first_seat on */
  uint64_t games;                      /* games that ended, both times if swapped. The means are over these */
  uint64_t given_up;                   /* games that did not end within most_moves */
  uint64_t moves;                      /* rolls and passes of all games */
  double mean[CHANCE_MOST_QUANTITIES]; /* means of the gains, or NAN if no game ended */
  double error[CHANCE_MOST_QUANTITIES]; /* standard error of the mean, or 0 if fewer than two games ended */
} simulate_result;

/* Draws one of the rolls; `weights` is the sum of their weights. Returns its number. */
size_t simulate_roll(dice_random *dice, const chance_roll *rolls, uint64_t weights);

/* Makes the only move of a position in which the turn is lost. *gain becomes its row of gains; if the game is
 * not over, *at becomes the position after it. Errors: TAULER_INTERNAL (no single move), those of the game.
 */
tauler_error simulate_pass(const game *game, const game_rules *rules, game_position *at, int *gain,
                           bool *over);

/* Plays all games of a job. Errors: TAULER_BAD_USAGE (no game of chance, or one that cannot be swapped),
 * TAULER_NO_MEMORY, those of the game, of the policies and of the watcher, TAULER_IO (between ranks),
 * TAULER_INTERNAL (the game contradicts itself, or a policy names no move). */
tauler_error simulate(const simulate_job *job, simulate_result *out, tauler_message *message);

#endif
