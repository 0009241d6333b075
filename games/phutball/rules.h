/* Phutball: the flags of a rule set, and positions on boards of up to PHB_MOST_POINTS points.
 *
 * A point is row · columns + column. Row 0 is the goal line that Eks attacks (row 1 in texts), and the last
 * row is the one that Ohs attacks. After `open` a game_rules is only read.
 */
#ifndef GAMES_PHUTBALL_RULES_H
#define GAMES_PHUTBALL_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "games/defaults.h"

enum {
  PHB_MOST_POINTS = 361,
  PHB_MOST_COLUMNS = 19,
  PHB_LEAST_ROWS = 3,
  PHB_MOST_ROWS = 170, /* texts of more rows might not fit in GAME_TEXT_BYTES */
  PHB_SET_WORDS = 6
};

typedef enum { PHB_OHS, PHB_EKS } phb_side;

/* Directions as steps of rows and columns, clockwise from the row that Ohs attacks. Opposite ones differ
 * by 4. */
enum { PHB_DIRECTIONS = 8 };
static const int8_t PHB_STEPS[PHB_DIRECTIONS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                                    {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

struct game_rules {
  game_base base;
  bool corner_exit, goal_line_stop;
};

/* The words of a game_position. No man stands on the ball's point. */
typedef struct {
  uint64_t men[PHB_SET_WORDS];
  uint16_t ball;
  uint8_t rows, columns;
  uint8_t side; /* side to move */
  uint8_t unused[3];
} phb_position;

GAME_POSITION(phb_position, phb)

static inline bool phb_has_man(const phb_position *position, int point) {
  return position->men[point / 64] >> (point % 64) & 1;
}

static inline void phb_set_man(phb_position *position, int point, bool there) {
  const uint64_t bit = UINT64_C(1) << (point % 64);
  position->men[point / 64] = (position->men[point / 64] & ~bit) | (there ? bit : 0);
}

/* Members of game.h, in text.c. */
GAME_MEMBER(parse) phb_parse;
GAME_MEMBER(print) phb_print;
GAME_MEMBER(draw) phb_draw;

#endif
