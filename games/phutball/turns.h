/* The turns of a position of Phutball: placements and jumps, on boards of any size.
 *
 * How many jump paths there are has no useful bound (finding whether one of them wins is NP-complete:
 * Demaine, Demaine & Eppstein 2002), so they are handed to a visitor one by one. A call allocates what it
 * needs and gives it back; it may be made by any number of threads at once.
 */
#ifndef GAMES_PHUTBALL_TURNS_H
#define GAMES_PHUTBALL_TURNS_H

#include "games/phutball/rules.h"

/* How a turn leaves the ball. */
typedef enum { PHB_LIVE, PHB_MOVER_SCORES, PHB_OTHER_SCORES } phb_result;

/* Where a jump ends: a point, or beyond a goal line. */
typedef struct {
  int16_t row,
      column; /* row −1 or `rows` beyond a goal line; then column may be −1 or `columns` (corner=exit) */
} phb_stop;

/* One jump in a direction, clockwise from the row that Ohs attacks, over so many men. */
enum { PHB_DIRECTIONS = 8 };
typedef struct {
  phb_stop to;
  uint8_t direction;
  uint8_t men; /* 0: no man stands beside the ball */
} phb_jump;

/* The jump of a ball, which may stand on a goal line in the middle of a turn. False if it is illegal; `out`
 * then says where it would end. */
bool phb_find_jump(const game_rules *rules, const phb_position *position, int direction, phb_jump *out);

/* Takes the men away and puts the ball where the jump ends, if that is on the board; the side to move stays.
 */
void phb_make_jump(phb_position *position, const phb_jump *jump);

/* The result of a turn that ends there, and whether the ball may jump on instead. */
phb_result phb_result_at(const phb_position *position, phb_stop stop);
bool phb_may_jump_on(const game_rules *rules, const phb_position *position, phb_stop stop);

typedef struct {
  bool jumps; /* else a man is placed on `placed` */
  uint16_t placed;
  const phb_stop *path; /* the ball's, its starting point first */
  size_t path_used;
  phb_result result;
  phb_position after; /* with the other side to move; unless PHB_LIVE, only its size is meant */
} phb_turn;

/* Calls visit for each turn: placements by rising point, then jump paths depth first, each followed by its
 * continuations, directions clockwise from the row that the mover attacks. Stops at the first error, which it
 * returns. Errors: of the visitor, TAULER_NO_MEMORY. */
tauler_error phb_each_turn(const game_rules *rules, const phb_position *position,
                           tauler_error (*visit)(void *user, const phb_turn *turn), void *user);

/* "H10" for a point or stop, whose length is returned; "K6-G9-G11" for a turn, whose name takes at most so
 * many bytes. Columns have no I; what is beyond a goal line is on row 0 or rows + 1, or "exit-" or "exit+"
 * over a corner. */
#define PHB_COLUMN_LETTERS "ABCDEFGHJKLMNOPQRST"
enum { PHB_STOP_BYTES = 8 };
size_t phb_stop_name(const phb_position *board, phb_stop stop, char name[PHB_STOP_BYTES]);
void phb_point_name(const phb_position *board, int point, char name[PHB_STOP_BYTES]);
size_t phb_turn_name_bytes(const phb_turn *turn);
void phb_turn_name(const phb_turn *turn, char *name);

/* Leaves of all lines of so many turns, jump paths counted one by one; `made`: placements of the last ply are
 * made, else only counted. */
uint64_t phb_count_leaves(const game_rules *rules, const phb_position *position, int plies, bool made);

/* For game.h. A live position always has a turn: where no point is vacant, men stand between the ball and
 * the goal lines, and it can leave the board over them. */
tauler_error phb_moves(const game_rules *rules, const game_position *position, game_moves *out);
extern const game_play phb_play_page; /* play.c */
bool phb_position_ended(const game_rules *rules, const game_position *position, int *value);

#endif
