/* A tiny game of chance behind games/game.h, for engines: batches of a graph, made by a seed or edge by edge.
 *
 * A toy has up to TOY_ODDS_SLICES slices; an edge stays in its slice, goes to a smaller one or ends the game.
 * tests/naive/naive_chance.h gives its worth; it knows no seats that turn, so a position is there once for
 * each seat that it may count from. */
#ifndef TOY_ODDS_H
#define TOY_ODDS_H

#include "games/game_chance.h"

enum { TOY_ODDS_SLICES = 4, TOY_ODDS_ROLLS = 6, TOY_ODDS_ROWS = 5 };

/* ENDS: gains of a half or 1 at the end. WAYS: thirds on the way as well, so nobody knows the most. SEATS:
 * nobody chooses; who wins, of three seats that turn, and in how many turns. */
typedef enum { TOY_ODDS_ENDS, TOY_ODDS_WAYS, TOY_ODDS_SEATS } toy_odds_kind;

typedef struct {
  uint64_t positions;
  int8_t *aim;
  uint64_t *first; /* the edges of position i are edges[first[i]] … edges[first[i + 1] − 1] */
  chance_edge *edges;
  uint64_t used, room; /* edges */
  uint64_t open;       /* the position that is added to */
} toy_odds_slice;

typedef struct {
  game game;
  game_chance chance;
  game_rules *rules;
  toy_odds_kind kind;
  chance_quantities quantities;
  size_t rolls;
  chance_roll roll[TOY_ODDS_ROLLS];
  chance_gain rows[TOY_ODDS_ROWS][CHANCE_MOST_QUANTITIES];
  uint32_t slices;
  toy_odds_slice slice[TOY_ODDS_SLICES];
  uint64_t stage; /* positions of each stage, or 0 if the game has no stages */
} toy_odds;

toy_odds *toy_odds_new(toy_odds_kind kind, size_t rolls, uint32_t slices, const uint64_t positions[]);

/* By rising slice, position, roll; `from` is not used. Then sealed. */
void toy_odds_add(toy_odds *toy, uint32_t slice, uint64_t from, chance_edge edge);
void toy_odds_seal(toy_odds *toy);

/* Play ends for certain: the first roll leads on to later positions, out of the slice or to the end. */
toy_odds *toy_odds_random(toy_odds_kind kind, size_t rolls, uint32_t slices, const uint64_t positions[],
                          int leaves_percent, uint64_t seed);

/* values[slice][position · quantities + quantity], counted from the position's first seat. `from`: where the
 * sweeps start. */
void toy_odds_settle(const toy_odds *toy, long double from, long double *values[TOY_ODDS_SLICES]);

#endif
