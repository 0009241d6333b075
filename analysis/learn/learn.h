/* How a player of a game of dice learns by self-play. Private to analysis/learn. */
#ifndef ANALYSIS_LEARN_LEARN_H
#define ANALYSIS_LEARN_LEARN_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/dice/dice_random.h"
#include "analysis/probe/probe_tables.h"
#include "base/tauler_error.h"
#include "games/game_chance.h"

/* A small network that says what a position is worth to the player who rolls: one hidden layer of rectified
 * sums, and a logistic one. Private to analysis/.
 *
 * Every figure is the same bit by bit on every processor with IEEE arithmetic: sums are in a fixed order,
 * nothing is contracted, and the exponential is written here. A network owns one block of numbers; one
 * thread changes it; between changes any number of threads ask it.
 */

enum { NETWORK_MOST_INPUTS = 128, NETWORK_MOST_HIDDEN = 256, NETWORK_LANES = 8 };

typedef struct {
  uint32_t inputs, hidden; /* hidden: a multiple of NETWORK_LANES */
  size_t used;             /* weights */
  float *weight;           /* [input][hidden], hidden's own, [hidden] of the output, the output's own */
  float *slope;            /* as many: summed up for the next step */
  float *mean;             /* running mean of the slopes (Adam) */
  float *square;           /* running mean of their squares */
  double mean_power;       /* power of the rate of `mean` */
  double square_power;     /* power of the rate of `square` */
} network;

/* Weights drawn at random. Errors: TAULER_NO_MEMORY. */
tauler_error network_open(uint32_t inputs, uint32_t hidden, dice_random *from, network *out);
void network_close(network *n);

/* 0 … 1. */
double network_ask(const network *n, const float *input);

/* Adds the slopes of −t log p − (1 − t) log(1 − p) for what is asked, p, and the target t, times `share`. */
void network_add_slopes(network *n, const float *input, double target, double share);

/* A step against the slopes that were added since the last one, which are forgotten. */
void network_step(network *n, double rate);

/* e^x, for −700 … 700: within 10^-14 of it, and the same everywhere. */
double network_exp(double x);

/* The worth of a move by a network: the position after it, passes followed. Private to analysis/. */

/* The source of worths of positions; borrows all. */
typedef struct {
  const game *game;
  const game_rules *rules;
  const chance_sketch *sketch;
  const network *net;
  tauler_tables *ends; /* or NULL */
} afterstate_judge;

typedef struct {
  bool over;              /* the game is over, or the rest of play is known */
  double raised;          /* quantity 0: what is gained on the way and expected from there on */
  game_position position; /* position in which the next player rolls */
} afterstate;

/* Errors: what the game and tables return. */
tauler_error afterstate_of(const afterstate_judge *judge, const game_move *move, afterstate *out,
                           tauler_message *message);

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
tauler_error learned_open(const game *game, const learn_settings *settings, learned *out,
                          tauler_message *message);
void learned_close(learned *l);

typedef struct self_play self_play;
/* Takes nothing over. Games go round the fields. Errors: of features->open, TAULER_NO_MEMORY. */
tauler_error self_play_open(learned *l, const learn_field *fields, size_t used, self_play **out,
                            tauler_message *message);
void self_play_close(self_play *p);

/* One game. Errors: what the game returns, of tables of ends, TAULER_NO_MEMORY, TAULER_INTERNAL. */
tauler_error self_play_game(self_play *p, tauler_message *message);

/* Files of what was learned: whole or absent, the same bytes for the same weights. Private to analysis/.
 *
 * A head of fixed length (version, game, what was learned from and how, the dice), weights and what the steps
 * keep of their slopes, and the XXH3-128 digest of all that.
 */

enum { LEARNED_FROM_BYTES = 1024 };

/* The games that it was learned from, "base,board=20 tokens 2": a line for each field. */
typedef struct {
  char text[LEARNED_FROM_BYTES];
} learned_from;

/* Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error learned_save(const char *path, const game *game, const learned_from *from, const learned *l,
                          tauler_message *message);

/* Errors: TAULER_IO (it cannot be read), TAULER_DAMAGED_FILE (its bytes are not what was written; it is no
 * such file; its numbers are none that learning comes to), TAULER_BAD_USAGE (of another game, or of numbers
 * that this program does not use), TAULER_NO_MEMORY. */
tauler_error learned_load(const char *path, const game *game, learned *out, learned_from *from,
                          tauler_message *message);

#endif
