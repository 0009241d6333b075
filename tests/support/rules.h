/* Opens rules for the running test, which are closed when it ends. */
#ifndef TESTS_RULES_H
#define TESTS_RULES_H

#include "games/game.h"

/* A rule set that does not open ends the test. */
game_rules *suite_rules(const game *game, const char *rules, const char *cycles);

#endif
