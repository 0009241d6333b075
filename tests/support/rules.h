/* Rules and slices of games, which the running test owns. */
#ifndef TESTS_RULES_H
#define TESTS_RULES_H

#include "games/game.h"

/* A rule set that does not open ends the test. */
game_rules *suite_rules(const game *game, const char *rules, const char *cycles);

/* Lists that the running test owns. Any error ends it. */
game_slices suite_slices(const game *game, const game_rules *rules, const game_request *request);
game_slices suite_needs(const game *game, const game_rules *rules, uint32_t slice);

#endif
