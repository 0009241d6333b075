/* Private to la oca asesina: rolls and choices as games/game_chance.h asks for them.
 *
 * A row of gains is a set of winners, a bit for each seat. Positions whose mover has turns to lose have no
 * index: edges lead to what stands behind the passes.
 */
#ifndef GAMES_OCA_ASESINA_CHANCE_H
#define GAMES_OCA_ASESINA_CHANCE_H

#include "games/game_chance.h"
#include "games/game_strips.h"

extern const game_chance ase_chance;

/* strips.c: slices of two players. */
extern const game_strips ase_strips;

/* policies.c: simple ways to choose.
 *
 * random: any move, with even odds; furthest-first and rearmost-first: the token that stands furthest from
 * the start, or nearest to it; capture-first: the move that captures the most advanced enemy token;
 * home-first: a move that brings a token home, which one to N under a forced mark does not. Without a
 * capture, or a token to bring home, the furthest token moves. Among equal moves it takes the first in the
 * order of moves.
 *
 * And what a move does: home (it brings a token home), capture, pair (the token comes to stand with another
 * one of its own between start and home).
 */
extern const chance_policies ase_policies;
extern const chance_traits ase_traits;

/* features/: positions of two players in numbers, by what squares do to a token that is alone
 * (features/sketch.h). */
extern const chance_features ase_features;

#endif
