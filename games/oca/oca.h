/* The game of Oca.
 *
 * A slice is a number of players, 1 … 4, each playing alone. Its positions are seen from the seat to roll and
 * ordered by the sum of their statuses (rules.h, indexers/tuple_sums.h), so that a token that moves forward
 * leads to a greater index.
 */
#ifndef GAMES_OCA_OCA_H
#define GAMES_OCA_OCA_H

#include "games/game_chance.h"
#include "games/oca/rules.h"
#include "games/registry.h"

extern const game_chance oca_chance;

/* In place.c: slices, and the indexes of positions. */
GAME_MEMBER(slices) oca_slices;
GAME_MEMBER(slice_name) oca_slice_name;
GAME_MEMBER(slice_named) oca_slice_named;
GAME_MEMBER(alike) oca_alike;
GAME_MEMBER(positions) oca_positions, oca_stages;
GAME_MEMBER(slice_of) oca_slice_of;
GAME_MEMBER(locate) oca_locate;
GAME_MEMBER(position_at) oca_position_at;
GAME_MEMBER(numbers) oca_numbers;
GAME_MEMBER(copies) oca_copies;
uint64_t oca_stage_first(const game_rules *rules, uint32_t slice, uint64_t stage);

/* In draw.c. */
GAME_MEMBER(draw) oca_draw;

#endif
