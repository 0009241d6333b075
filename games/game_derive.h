/* Derives batches of any game from its rules, one position at a time (defaults.c). They are slow. They share
 * no code with the solver of the game, so a check may rely on them. */
#ifndef GAMES_GAME_DERIVE_H
#define GAMES_GAME_DERIVE_H

#include "games/game.h"

/* Do what the game's own ended, expand and retract do. */
tauler_error game_derive_ended(const game *game, const game_rules *rules, uint32_t slice,
                               const uint64_t *index, size_t n, int16_t *value);
tauler_error game_derive_expand(const game *game, const game_rules *rules, uint32_t slice,
                                const uint64_t *index, size_t n, game_sink *sink);
tauler_error game_derive_retract(const game *game, const game_rules *rules, uint32_t slice,
                                 const uint64_t *index, size_t n, game_sink *sink);

#endif
