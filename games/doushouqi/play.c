/* Plays positions for search. A state has the squares of the animals and the side to move. */
#include <stdlib.h>
#include <string.h>

#include "games/doushouqi/moves.h"
#include "games/game_play.h"

enum { WORDS = 2 };

_Static_assert(2 * DSQ_ANIMALS == WORDS * sizeof(uint64_t), "all squares must fit");

static size_t state_words(const game_rules *rules, const game_position *position) {
  return WORDS;
}

/* The side is stored in a bit that no square uses. */
enum { SIDE_BIT = 7 };

static void write_state(const dsq_position *position, uint64_t *state) {
  memcpy(state, position->square, sizeof position->square);
  state[0] |= (uint64_t)position->side << SIDE_BIT;
}

static dsq_position position_of_state(const uint64_t *state) {
  const uint64_t squares[WORDS] = {state[0] & ~(UINT64_C(1) << SIDE_BIT), state[1]};
  dsq_position position = {.side = state[0] >> SIDE_BIT & 1};
  memcpy(position.square, squares, sizeof position.square);
  return position;
}

static void pack_position(const game_rules *rules, const game_position *game, uint64_t *state) {
  const dsq_position position = dsq_from_game(game);
  write_state(&position, state);
}

static void unpack_position(const game_rules *rules, const uint64_t *state, game_position *game) {
  const dsq_position position = position_of_state(state);
  dsq_to_game(&position, game);
}

/* Returns how early search tries a move: captures come first, then moves towards the other den. */
static int16_t eagerness(const game_rules *rules, const dsq_move *move, int side) {
  const int den = rules->den[!side] / DSQ_FILES;
  const int nearer = move->to / DSQ_FILES - move->from / DSQ_FILES;
  const int taken = move->taken == DSQ_NOBODY ? 0 : 100 + rules->strength[move->taken];
  return (int16_t)(taken + (den > 0 ? nearer : -nearer));
}

static tauler_error play_moves(const game_rules *rules, const uint64_t *state, game_play_list *list) {
  const dsq_position position = position_of_state(state);
  dsq_move all[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, &position, all);
  for (size_t i = 0; i < n; i++) {
    dsq_position child = position;
    uint64_t after[WORDS];
    dsq_play(&child, &all[i]);
    write_state(&child, after);
    const game_play_move move = {.gain = all[i].wins,
                                 .eager = eagerness(rules, &all[i], position.side),
                                 .key = (uint16_t)(1 + (all[i].from << 6 | all[i].to)),
                                 .over = all[i].wins,
                                 .converts = all[i].wins || all[i].taken != DSQ_NOBODY};
    const tauler_error error = game_play_add(list, &move, after);
    if (error) return error;
  }
  return TAULER_OK;
}

static int find_end_value(const game_rules *rules, const uint64_t *state) {
  game_position position;
  int value = 0;
  unpack_position(rules, state, &position);
  dsq_position_ended(rules, &position, &value);
  return value;
}

/* Parts of the guess: per point of an animal's strength, for a rat (elephants fear it), and per rank nearer
 * to the other den. */
enum { STRENGTH = 100, RAT = 350, RANK = 8 };

static int guess_for_side(const game_rules *rules, const dsq_position *position, int side) {
  const int den = rules->den[!side] / DSQ_FILES;
  int worth = 0;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    const int square = position->square[side][animal];
    if (square == DSQ_NOWHERE) continue;
    const int far = abs(den - square / DSQ_FILES);
    worth += STRENGTH * rules->strength[animal] + (animal == DSQ_RAT ? RAT : 0) + RANK * (DSQ_RANKS - far);
  }
  return worth;
}

static int guess_result(const game_rules *rules, const uint64_t *state) {
  const dsq_position position = position_of_state(state);
  return guess_for_side(rules, &position, position.side) - guess_for_side(rules, &position, !position.side);
}

const game_play dsq_play_page = {state_words, pack_position,  unpack_position,
                                 play_moves,  find_end_value, guess_result};
