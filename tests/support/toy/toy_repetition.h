/* Small random games in which a repetition ends play, for suites of what solves them. */
#ifndef TESTS_TOY_REPETITION_H
#define TESTS_TOY_REPETITION_H

#include "databases/plain_slice.h"
#include "tests/support/toy/toy_game.h"

enum { TOY_MET = 12 }; /* most positions of a line's slice */

/* As game->repeated: pays that differ from position to position, up to the largest value either way. */
bool toy_repetition_pays(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                         int8_t *value);

/* Two slices of so many positions; three shapes in turn, by number. toy_free afterwards. */
toy_game *toy_repetition_random(int number, uint64_t positions, int most_gain);

/* A line of play within a slice. `list` has a lower and an upper value for each position of the smaller
 * slices: the upper one counts if the player to move there is `favoured`, which is 0 for the first player. */
typedef struct {
  const toy_game *toy;
  const solved_slice *list;
  uint32_t slice;
  int favoured;
  bool met[2][TOY_MET]; /* [player to move][position] */
} toy_line;

/* Returns the value of a position for the player to move, by all lines of play. */
int toy_line_value(toy_line *line, uint64_t index, int turn);

#endif
