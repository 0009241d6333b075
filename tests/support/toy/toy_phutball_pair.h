/* One rule set of Phutball as the game and as the slow definition have it, and boards by number and by
 * chance, for the suites that compare them. */
#ifndef TESTS_TOY_PHUTBALL_PAIR_H
#define TESTS_TOY_PHUTBALL_PAIR_H

#include "games/game.h"
#include "tests/naive/naive_phutball.h"

enum { PHB_PAIR_RULE_SETS = 4 };

typedef struct {
  const game *game;
  game_rules *rules;
  naive_phb_rules naive;
  const char *text;
} phb_pair;

/* number < PHB_PAIR_RULE_SETS. Ends the test if the game knows no such rules. */
phb_pair phb_pair_open(int number);

/* The board's slice and how many cells it has. */
game_slice phb_pair_slice(const phb_pair *pair, int rows, int columns);

/* The game's position for the board's text, and the text for a position. */
game_position phb_pair_parsed(const phb_pair *pair, const naive_phb_board *board);
naive_phb_board phb_pair_printed(const phb_pair *pair, const game_position *position);

bool phb_pair_same(const naive_phb_board *one, const naive_phb_board *other);

/* Ohs to move; the ball's point row by row from row 1, a bit of `set` per point in the same order. */
naive_phb_board phb_pair_board(int rows, int columns, int ball, unsigned long set);

/* *state is the generator's. */
int phb_pair_any(unsigned long *state, int below);
/* Any live board of the size with up to so many men, often near the ball. */
naive_phb_board phb_pair_random(unsigned long *state, int rows, int columns, int men);

#endif
