/* A turn of la oca asesina as a state machine: the choices under a roll, and the state after each.
 *
 * A state is an ase_position that is not over. The seat to roll has turns to lose and passes (ase_pass), or
 * it rolls (ase_list_moves). All functions are pure; nothing is owned or allocated.
 */
#ifndef GAMES_OCA_ASESINA_TURN_H
#define GAMES_OCA_ASESINA_TURN_H

#include "games/oca_asesina/rules.h"

enum { ASE_NOWHERE = 0xFF, ASE_FORWARD = 1, ASE_BACK = -1 };

/* The result of a token's move, a pass, or a forced token that stays. */
typedef struct {
  uint8_t token; /* place in the mover's squares before the move, or ASE_NOWHERE for a pass */
  uint8_t colour;
  uint8_t from, to; /* squares, or ASE_NOWHERE for a pass */
  bool roll_again;  /* the same seat rolls next */
  bool over;
  uint8_t landed[2]; /* squares on which a lone enemy token would be captured, or 0 */
  uint8_t winners;   /* if `over`, a bit per winning seat. m winners score 1/m each, the others 0 */
  ase_position next; /* the state afterwards. If `over`, it is the last one and no seat rolls */
} ase_move;

typedef struct {
  ase_move move[ASE_MOST_TOKENS];
  int used;
} ase_moves;

static inline bool ase_must_pass(const ase_position *position) {
  return position->lost[position->seat] > 0;
}

/* Returns the result of a pass (rule 1). */
ase_move ase_pass(const game_rules *rules, const ase_position *position);

/* Lists the moves of rules 2 to 5 for a roll of 1 … 6, one at least. Equal tokens (of one colour, on one
 * square) are one choice. Choices are ordered by colour, then by rising square. */
void ase_list_moves(const game_rules *rules, const ase_position *position, int roll, ase_moves *out);

/* True if a seat has all tokens home, or as many as home=one-left demands. A seat that plays while another
 * one has finished has its last turn. */
bool ase_has_finished(const game_rules *rules, const ase_position *position, int seat);

/* --- walk.c: barriers, the temporary wormholes between them, and walks and jumps along them ---
 *
 * An ase_road is the board without one token, which is about to move. It is made for that move and owns
 * nothing. */
typedef struct {
  const game_rules *rules;
  uint8_t tokens[GOOSE_LONGEST + 1]; /* tokens of all players on each square, 0 if nothing interacts */
  bool barrier[GOOSE_LONGEST + 1];
} ase_road;

/* Makes the road without the mover's token at place `token` in the mover's squares. */
void ase_road_open(const game_rules *rules, const ase_position *position, int token, ase_road *out);

/* Returns the square `steps` further by rule 4. The walk turns back at N or, if `stops_at_home`, ends there.
 * Returns ASE_NOWHERE if a lone barrier is in the way, if the walk would lead back below 1, or if the square
 * reached is not free. */
int ase_walk(const ase_road *road, int from, int steps, int direction, bool stops_at_home);

/* Return the square to which the jump of a goose or bridge leads by rule 5, or ASE_NOWHERE if the jump is not
 * possible. */
int ase_goose_jump(const ase_road *road, int from);
int ase_bridge_jump(const ase_road *road, int from);

/* Returns the square to which a dice square or the labyrinth leads by rules 5 and 3, or ASE_NOWHERE if that
 * square is not free. */
int ase_way_out(const ase_road *road, int from);

#endif
