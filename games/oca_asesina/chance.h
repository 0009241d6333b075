/* Private to la oca asesina: its members of games/game_chance.h.
 *
 * A row of gains is a set of winners, a bit for each seat. Positions whose mover has turns to lose have no
 * index, so edges lead to the position after the passes.
 */
#ifndef GAMES_OCA_ASESINA_CHANCE_H
#define GAMES_OCA_ASESINA_CHANCE_H

#include "games/game_chance.h"
#include "games/game_strips.h"

extern const game_chance ase_chance;

/* In strips.c: slices of two players. The kinds of plays are PLAY_AGAIN: the same player rolls again.
 * PLAY_HOME: a token is home, and the turn ends. PLAY_END + n: the turn ends, and the player has n turns to
 * lose. */
enum { PLAY_AGAIN, PLAY_HOME, PLAY_END, PLAY_KINDS = PLAY_END + STRIP_PLANES };
extern const game_strips ase_strips;

/* In policies.c: simple policies.
 *
 * random: any move, with equal probability. furthest-first and rearmost-first: the token furthest from the
 * start, or nearest to it. capture-first: the move that captures the most advanced enemy token. home-first: a
 * move that brings a token home; a move to N under a forced mark does not. If there is no capture, or no
 * token to bring home, the furthest token moves. Among equal moves a policy chooses the first in the order of
 * moves.
 *
 * Traits of a move: home (it brings a token home), capture, pair (the token joins another one of the same
 * player between start and home).
 */
extern const chance_policies ase_policies;
extern const chance_traits ase_traits;

/* In features.c: positions of two players as numbers for a program that learns. */
extern const chance_features ase_features;

#endif
