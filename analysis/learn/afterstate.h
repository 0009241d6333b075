/* The worth of a move by a network: the position after it, passes followed. Private to analysis/. */
#ifndef ANALYSIS_LEARN_AFTERSTATE_H
#define ANALYSIS_LEARN_AFTERSTATE_H

#include "analysis/learn/network.h"
#include "analysis/probe/probe_tables.h"
#include "games/game_chance.h"

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

#endif
