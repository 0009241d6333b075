/* The turns of a position of Phutball: placements and jumps.
 *
 * The number of jump paths has no useful bound (finding whether one of them wins is NP-complete: Demaine,
 * Demaine & Eppstein 2002), so a visitor receives them one by one. Each call of phb_each_turn frees the
 * memory that it allocates. Any threads may call at once.
 */
#ifndef GAMES_PHUTBALL_TURNS_H
#define GAMES_PHUTBALL_TURNS_H

#include "games/phutball/rules.h"

typedef enum { PHB_LIVE, PHB_MOVER_SCORES, PHB_OTHER_SCORES } phb_result;

/* The end of a jump: a point, or a place off the board in row −1 or `rows`, or in column −1 or `columns`.
 * Legal jumps leave the board beyond a goal line, over a corner only under corner=exit. */
typedef struct {
  int16_t row, column;
} phb_stop;

static inline bool phb_is_on_board(const phb_position *board, phb_stop stop) {
  return stop.row >= 0 && stop.row < board->rows && stop.column >= 0 && stop.column < board->columns;
}

/* A jump over `men` men in a direction. */
typedef struct {
  phb_stop to;
  uint8_t direction;
  uint8_t men; /* 0 if no man is beside the ball in this direction */
} phb_jump;

/* Finds the jump of the ball, which may be on a goal line in the middle of a turn. If the jump is illegal,
 * returns false, and `out` has the place where it would end. */
bool phb_find_jump(const game_rules *rules, const phb_position *position, int direction, phb_jump *out);

/* Removes the men and moves the ball to the end of the jump, if that is on the board. The side to move stays
 * the same. */
void phb_make_jump(phb_position *position, const phb_jump *jump);

/* phb_result_at returns the result of a turn that ends at a stop. phb_may_jump_on is true if the ball may
 * jump on from there instead. */
phb_result phb_result_at(const phb_position *position, phb_stop stop);
bool phb_may_jump_on(const game_rules *rules, const phb_position *position, phb_stop stop);

typedef struct {
  bool jumps; /* false if a man is placed on `placed` */
  uint16_t placed;
  const phb_stop *path; /* [path_used] stops of the ball, its start first */
  size_t path_used;
  phb_result result;
  /* position after the turn, with the other side to move. After a jump off the board the ball is still on the
   * last point where it stood */
  phb_position after;
} phb_turn;

/* Visits each turn: first placements by rising point, then jump paths, each before its continuations, with
 * directions clockwise from the row that the mover attacks. Stops at the first error and returns it. Errors:
 * those of the visitor, TAULER_NO_MEMORY. */
tauler_error phb_each_turn(const game_rules *rules, const phb_position *position,
                           tauler_error (*visit)(void *user, const phb_turn *turn), void *user);

/* Write the names of points, stops ("H10") and turns ("K6-G9-G11"). phb_stop_name returns the length;
 * phb_turn_name_bytes returns the bytes that suffice for the name of a turn, NUL included. Columns have no I.
 * A stop beyond a goal line is on row 0 or rows + 1. Over a corner its name is "exit-" or "exit+". */
#define PHB_COLUMN_LETTERS "ABCDEFGHJKLMNOPQRST"
enum { PHB_STOP_BYTES = 8 };
size_t phb_stop_name(const phb_position *board, phb_stop stop, char name[PHB_STOP_BYTES]);
void phb_point_name(const phb_position *board, int point, char name[PHB_STOP_BYTES]);
size_t phb_turn_name_bytes(const phb_turn *turn);
void phb_turn_name(const phb_turn *turn, char *name);

/* Members of game.h. A live position always has a turn: if no point is vacant, the ball can jump over the men
 * before a goal line and leave the board. `leaves` counts each jump path. */
GAME_MEMBER(moves) phb_moves;
GAME_MEMBER(leaves) phb_leaves;
GAME_MEMBER(position_ended) phb_position_ended;
extern const game_play phb_play_members;

#endif
