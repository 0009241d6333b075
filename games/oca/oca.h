/* The game of Oca.
 *
 * A slice is a number of players, 1 … 4, each playing alone. Its positions are seen from the seat to roll and
 * numbered by the sum of their statuses (statuses.h, indexers/tuple_sums.h), so that play that moves tokens
 * forward leads to greater indexes.
 */
#ifndef GAMES_OCA_OCA_H
#define GAMES_OCA_OCA_H

#include "games/game_chance.h"
#include "games/oca/rules.h"

extern const game oca_game;
extern const game_chance oca_chance;

/* In place.c: slices, and the indexes of positions. */
tauler_error oca_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message);
void oca_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
bool oca_slice_named(const game_rules *rules, const char *name, uint32_t *slice);
uint32_t oca_alike(const game_rules *rules, uint32_t slice);
uint64_t oca_positions(const game_rules *rules, uint32_t slice);
uint32_t oca_slice_of(const game_rules *rules, const game_position *position);
bool oca_locate(const game_rules *rules, const game_position *position, game_place *out);
void oca_position_at(const game_rules *rules, game_place place, game_position *out);
size_t oca_numbers(const game_rules *rules, const game_position *position, int8_t *out);
void oca_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);
uint64_t oca_stages(const game_rules *rules, uint32_t slice);
uint64_t oca_stage_first(const game_rules *rules, uint32_t slice, uint64_t stage);

/* In draw.c. */
void oca_draw(const game_rules *rules, const game_position *position, char text[GAME_DRAWING_BYTES]);

#endif
