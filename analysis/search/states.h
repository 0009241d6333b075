/* States of positions and the moves between them, for search: by the game's play level (game_play.h) or, if
 * it has none, by its text level. Private to analysis/.
 *
 * `states` owns nothing; any number of threads may use one.
 */
#ifndef ANALYSIS_SEARCH_STATES_H
#define ANALYSIS_SEARCH_STATES_H

#include "games/game_play.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  size_t words; /* words per state */
} states;

/* For this position and all that play leads to. */
states states_of(const game *game, const game_rules *rules, const game_position *position);

void states_read(const states *s, const game_position *position, uint64_t *state);
void states_write(const states *s, const uint64_t *state, game_position *position);
uint64_t states_hash(size_t words, const uint64_t *state);

/* Adds the moves of a state, which must not be in the list. Errors: those of game_play_add. */
tauler_error states_moves(const states *s, const uint64_t *state, game_play_list *list);

/* The value for the side to move of a state without moves. */
int states_ended(const states *s, const uint64_t *state);

#endif
