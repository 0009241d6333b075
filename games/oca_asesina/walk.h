/* Roads of la oca asesina: barriers, the temporary wormholes between them, and walks and jumps along them.
 *
 * An ase_road is the board without one token, which is about to move. It is made for that move and owns
 * nothing.
 */
#ifndef GAMES_OCA_ASESINA_WALK_H
#define GAMES_OCA_ASESINA_WALK_H

#include "games/oca_asesina/rules.h"

enum { ASE_NOWHERE = 0xFF, ASE_FORWARD = 1, ASE_BACK = -1 };

typedef struct {
  const game_rules *rules;
  uint8_t tokens[GOOSE_LONGEST + 1]; /* tokens of all players on each square, 0 if nothing interacts */
  bool barrier[GOOSE_LONGEST + 1];
} ase_road;

/* Makes the road without the token of that seat and place in its squares. */
void ase_road_open(const game_rules *rules, const ase_position *position, int seat, int token, ase_road *out);

/* Rule 4: the square `steps` further, turning back at N (or stopping there). ASE_NOWHERE if a lone barrier is
 * in the way, if the walk would lead back below 1, or if the square reached is not free. */
int ase_walk(const ase_road *road, int from, int steps, int direction, bool stops_at_home);

/* Rule 5: where the jump of a goose, bridge or dice square leads; ASE_NOWHERE if it is not possible. */
int ase_goose_jump(const ase_road *road, int from);
int ase_bridge_jump(const ase_road *road, int from);
int ase_dice_jump(const ase_road *road, int from);

/* Rule 3: where a token leaves the labyrinth for; ASE_NOWHERE if it may not stand there. */
int ase_labyrinth_exit(const ase_road *road, int from);

#endif
