/* Learns a player of a game of dice by self-play. */
#ifndef ANALYSIS_LEARN_LEARN_H
#define ANALYSIS_LEARN_LEARN_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/dice/dice_random.h"
#include "analysis/dice/simulate.h"
#include "analysis/probe/probe_tables.h"
#include "base/tauler_error.h"
#include "games/game_chance.h"

/* A network estimates the worth of a position to the player who rolls, by a hidden layer of rectified sums
 * and a logistic output. Every figure is the same bit by bit on every processor with IEEE arithmetic: sums
 * have a fixed order, no product and sum are contracted, and network_exp replaces exp. One thread changes a
 * network; between changes any number of threads may ask it. */

enum { NETWORK_MOST_INPUTS = 128, NETWORK_MOST_HIDDEN = 256, NETWORK_LANES = 8 };

typedef struct {
  uint32_t inputs, hidden; /* sizes of the layers, the second a multiple of NETWORK_LANES */
  size_t used;
  float *weight;       /* [input][hidden], [hidden] thresholds, [hidden] to the output, its threshold */
  float *slope;        /* [used] sums of slopes for the next step */
  float *mean;         /* [used] running means of the slopes (Adam) */
  float *square;       /* [used] running means of their squares */
  double mean_power;   /* decay of `mean` to the power of the number of steps */
  double square_power; /* decay of `square` to the power of the number of steps */
} network;

/* Opens a network with random weights. Errors: TAULER_NO_MEMORY. */
tauler_error network_open(uint32_t inputs, uint32_t hidden, dice_random *from, network *out);
void network_close(network *n);

/* Returns the estimate for an input, 0 … 1. */
double network_ask(const network *n, const float *input);

/* Adds the slopes of −t log p − (1 − t) log(1 − p), times `share`, for the estimate p and the target t. */
void network_add_slopes(network *n, const float *input, double target, double share);

/* Changes the weights against the slopes added since the last step, then sets these to 0. */
void network_step(network *n, double rate);

/* Returns e^x for −700 … 700 with a relative error below 10^-14, the same bits on every processor. */
double network_exp(double x);

/* Borrows all members. */
typedef struct {
  const game *game;
  const game_rules *rules;
  const chance_sketch *sketch;
  const network *net;
  tauler_tables *ends; /* tables of smaller games, or NULL */
} afterstate_judge;

typedef struct {
  bool over;              /* true if the game is over, or a table knows the rest of play */
  double raised;          /* quantity 0: gains of the move and of its passes, and expected gains after them */
  game_position position; /* position in which the next player rolls */
} afterstate;

/* Finds the state after a move and its passes. Errors: those of the game and of tables. */
tauler_error afterstate_of(const afterstate_judge *judge, const game_move *move, afterstate *out,
                           tauler_message *message);

/* The network learns from games against itself, by TD(λ) with errors that are means over the dice. After a
 * game, the error of a position is the mean over its rolls under the best moves less the network's estimate,
 * so no error contains luck. The target of a position is the network's estimate plus its error, plus λ times
 * the next error, λ² times the one after, and so on; an exploratory move ends the sum. After each game the
 * network learns its targets, oldest position last, in steps of LEARN_BATCH, the first step perhaps of fewer.
 * Tables of smaller games are exact ends (chance_features.reduce). The same settings and seed lead to the
 * same weights bit by bit. */

typedef struct {
  uint64_t seed;
  uint64_t games; /* number of games, over which the rate falls to 2 % */
  double lambda, rate;
  double tried; /* share of moves that are random */
  uint32_t hidden;
} learn_settings;

/* The state of learning, which a file keeps. */
typedef struct {
  learn_settings settings;
  uint64_t played;
  dice_random dice;
  network net;
} learned;

enum { LEARN_BATCH = 64, LEARN_BOARDS = 16 };

/* A game to learn from: its rules with their board, and the slice in which it starts. */
typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  tauler_tables *ends; /* tables of smaller games, or NULL */
} learn_field;

/* Opens the state before the first game. Errors: TAULER_BAD_USAGE (a game without features),
 * TAULER_NO_MEMORY. */
tauler_error learned_open(const game *game, const learn_settings *settings, learned *out,
                          tauler_message *message);
void learned_close(learned *l);

typedef struct self_play self_play;
/* Opens play on `used` fields in turn, LEARN_BOARDS at most; borrows `l` and all that the fields name.
 * Errors: those of features->open, TAULER_NO_MEMORY. */
tauler_error self_play_open(learned *l, const learn_field *fields, size_t used, self_play **out,
                            tauler_message *message);
void self_play_close(self_play *p);

/* Plays one game and learns from it. Errors: those of the game and of tables of ends, TAULER_NO_MEMORY,
 * TAULER_INTERNAL. */
tauler_error self_play_game(self_play *p, tauler_message *message);

/* A file of a `learned` is whole or absent, and has the same bytes for the same weights: a head of fixed
 * length (version, game, fields and settings, the dice), the weights, the running means of their slopes and
 * squares, and the XXH3-128 digest of the bytes before it. */

enum { LEARNED_FROM_BYTES = 1024 };

/* A text with a line for each field, such as "base,board=20 tokens 2". */
typedef struct {
  char text[LEARNED_FROM_BYTES];
} learned_from;

/* Writes a file. Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error learned_save(const char *path, const game *game, const learned_from *from, const learned *l,
                          tauler_message *message);

/* Reads a file. Errors: TAULER_IO (it is missing or cannot be read), TAULER_DAMAGED_FILE (learned_save did
 * not write it; other bytes than were written; numbers that learning never reaches), TAULER_BAD_USAGE
 * (another game, format or features), TAULER_NO_MEMORY. */
tauler_error learned_load(const char *path, const game *game, learned *out, learned_from *from,
                          tauler_message *message);

/* A learned player plays the move under a roll that is best by its network. */
typedef struct {
  learned learned;
  chance_sketch *sketch;
  afterstate_judge judge;
} learned_player;

/* Returns FILE if an option's text is "learned:FILE", otherwise NULL. */
const char *learned_path(const char *name);

/* Opens a player from a file; borrows game and rules. The caller must not move *out before it is closed.
 * Errors: those of learned_load and features->open. */
tauler_error learned_player_open(const char *path, const game *game, const game_rules *rules,
                                 learned_player *out, tauler_message *message);
void learned_player_close(learned_player *player);

simulate_policy learned_player_policy(const learned_player *player);

#endif
