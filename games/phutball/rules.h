/* Phutball: the flags of a rule set, and positions on boards of up to PHB_MOST_POINTS points.
 *
 * A point is row · columns + column. Row 0 is the goal line that Eks attacks (row 1 in texts), and the last
 * row is the one that Ohs attacks. All functions are pure. phb_open makes a game_rules; afterwards it is only
 * read.
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

struct game_rules {
  game_base base;
  bool corner_exit, goal_line_stop;
};

/* The words of a game_position; the ball's bit is never set. */
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

/* Members of game.h, in rules.c and text.c. */
GAME_MEMBER(open) phb_open;
GAME_MEMBER(parse) phb_parse;
GAME_MEMBER(print) phb_print;
GAME_MEMBER(draw) phb_draw;

#endif
