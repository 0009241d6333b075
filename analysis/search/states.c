/* Reads, writes and hashes states, and lists their moves. */
#include "analysis/search/search.h"

#include <string.h>

states states_of(const game *game, const game_rules *rules, const game_position *position) {
  return (states){game, rules, game->play ? game->play->words(rules, position) : GAME_PLAY_MOST_WORDS};
}

void states_read(const states *s, const game_position *position, uint64_t *state) {
  if (s->game->play) {
    s->game->play->read(s->rules, position, state);
  } else {
    memcpy(state, position->words, sizeof position->words);
  }
}

void states_write(const states *s, const uint64_t *state, game_position *position) {
  if (s->game->play) {
    s->game->play->write(s->rules, state, position);
  } else {
    memcpy(position->words, state, sizeof position->words);
  }
}

uint64_t states_hash(size_t words, const uint64_t *state) {
  uint64_t hash = 0;
  for (size_t i = 0; i < words; i++) {
    hash = (hash ^ state[i]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  return hash * UINT64_C(0xD6E8FEB86659FD93);
}

static tauler_error add_plain_moves(const game_moves *moves, game_play_list *list) {
  for (size_t i = 0; i < moves->used; i++) {
    const game_move *move = &moves->moves[i];
    const game_play_move plain = {
        .gain = (int16_t)move->gain, .over = move->over, .converts = move->converts};
    const tauler_error error = game_play_add(list, &plain, move->child.words);
    if (error) return error;
  }
  return TAULER_OK;
}

tauler_error states_add_moves(const states *s, const uint64_t *state, game_play_list *list) {
  if (s->game->play) return s->game->play->moves(s->rules, state, list);
  game_position position;
  game_moves moves = {0};
  states_write(s, state, &position);
  tauler_error error = s->game->moves(s->rules, &position, &moves);
  if (!error) error = add_plain_moves(&moves, list);
  game_moves_free(&moves);
  return error;
}

int states_end_value(const states *s, const uint64_t *state) {
  game_position position;
  int value = 0;
  if (s->game->play) return s->game->play->ended(s->rules, state);
  states_write(s, state, &position);
  s->game->position_ended(s->rules, &position, &value);
  return value;
}
