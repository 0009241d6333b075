/* Small random games in which a repetition ends play, for suites of what solves them. */
#ifndef TESTS_TOY_REPETITION_H
#define TESTS_TOY_REPETITION_H

#include "tests/support/toy/toy_game.h"

/* As game->repeated: pays that differ from position to position, up to the largest value either way. */
bool toy_repetition_pays(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                         int8_t *value);

/* Two slices of so many positions; three shapes in turn, by number. toy_free afterwards. */
toy_game *toy_repetition_random(int number, uint64_t positions, int most_gain);

#endif
