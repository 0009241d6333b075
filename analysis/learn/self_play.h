/* Learns what positions of a game of dice and choice are worth by playing it against itself: TD(λ) with
 * errors that are means over the dice.
 *
 * A network says what a position is worth to the player who rolls. In a game played out, a position's error
 * is the mean over its rolls under the best moves less the network's estimate, so no error contains luck. A
 * position's target is the network's estimate plus its error, plus λ times the next error, λ² times the one
 * after, and so on; an exploratory move ends the sum. After each game targets go to the network, oldest
 * position last, and it takes a step for every LEARN_BATCH of them, or fewer in the end. Tables of smaller
 * games are exact ends (chance_features.reduce).
 *
 * A self_play is one thread's. The same settings and seed give the same weights bit by bit.
 */
#ifndef ANALYSIS_LEARN_SELF_PLAY_H
#define ANALYSIS_LEARN_SELF_PLAY_H

#include "analysis/learn/network.h"
#include "analysis/probe/probe_tables.h"
#include "games/game_chance.h"

typedef struct {
  uint64_t seed;
  uint64_t games; /* games in all, over which the rate falls to 2 % */
  double lambda, rate;
  double tried; /* share of moves that are taken at random */
  uint32_t hidden;
} learn_settings;

/* The state that goes into a file, and is resumed from it. */
typedef struct {
  learn_settings settings;
  uint64_t played; /* games */
  dice_random dice;
  network net;
} learned;

enum { LEARN_BATCH = 64, LEARN_BOARDS = 16 };

/* A game that is played: its rules with their board, and where it starts. */
typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  tauler_tables *ends; /* tables of smaller games, or NULL */
} learn_field;

/* Errors: TAULER_BAD_USAGE (nobody chooses, or positions have no numbers), TAULER_NO_MEMORY. */
tauler_error learned_begin(const game *game, const learn_settings *settings, learned *out,
                           tauler_message *message);
void learned_close(learned *l);

typedef struct self_play self_play;
/* Takes nothing over. Games go round the fields. Errors: of features->open, TAULER_NO_MEMORY. */
tauler_error self_play_open(learned *l, const learn_field *fields, size_t used, self_play **out,
                            tauler_message *message);
void self_play_close(self_play *p);

/* One game. Errors: what the game returns, of tables of ends, TAULER_NO_MEMORY, TAULER_INTERNAL. */
tauler_error self_play_game(self_play *p, tauler_message *message);

#endif
