/* Converts positions of la oca asesina to indexes and back. */
#include "games/oca_asesina/slices.h"

#include <string.h>

#include "games/oca_asesina/layout.h"

/* --- two players --- */

static ase_arrangement arrangement_of(const game_rules *rules, const ase_position *position, int seat) {
  ase_arrangement arrangement = {.forced = seat == position->seat ? position->forced : 0};
  memcpy(arrangement.square, position->square[seat], (size_t)ase_tokens(rules, position));
  return arrangement;
}

static bool may_have_lost(const game_rules *rules, const ase_position *position, int seat) {
  const int square = position->culprit[seat];
  if (!rules->flags.lost_turns_die || position->lost[seat] == 0) return true;
  return memchr(position->square[seat], square, (size_t)ase_tokens(rules, position)) != NULL;
}

static bool rank_two_players(const game_rules *rules, const ase_layout *layout, const ase_position *position,
                             uint64_t *index) {
  const int seat = position->seat, other = !seat;
  const int plane = ase_layout_plane(layout, position->lost[other], position->culprit[other]);
  if (!layout->rolls[seat] || position->lost[seat] || plane < 0 || !may_have_lost(rules, position, other))
    return false;
  const ase_arrangements *rows = layout->arrangements[seat], *lanes = layout->arrangements[other];
  const ase_arrangement own = arrangement_of(rules, position, seat),
                        others = arrangement_of(rules, position, other);
  const uint32_t row = ase_arrangements_find(rules, rows, &own),
                 lane = ase_arrangements_find(rules, lanes, &others);
  if (row == ARRANGEMENTS_NONE || lane == ARRANGEMENTS_NONE) return false;
  const uint32_t row_strip = rows->strip_of[row], lane_strip = lanes->strip_of[lane];
  const uint32_t in_row_strip = row - rows->strip_first[row_strip],
                 in_lane_strip = lane - lanes->strip_first[lane_strip];
  const strip_pairs *pairs = &layout->pairs[seat];
  if (!strip_pairs_has(pairs, row_strip, in_row_strip, lane_strip, in_lane_strip)) return false;
  *index = ase_layout_index(layout, seat, plane,
                            strip_pairs_rank(pairs, row_strip, in_row_strip, lane_strip, in_lane_strip));
  return true;
}

static int seat_of_two_players(const ase_layout *layout, uint64_t index) {
  return index < layout->first[1] ? 0 : 1;
}

static bool unrank_two_players(const game_rules *rules, const ase_layout *layout, uint64_t index,
                               ase_position *out) {
  const int seat = seat_of_two_players(layout, index), other = !seat;
  const strip_pairs *pairs = &layout->pairs[seat];
  const uint64_t in_section = index - layout->first[seat];
  const ase_lost lost = layout->lost[in_section / pairs->pairs];
  uint32_t row_strip, row, lane_strip, lane;
  strip_pairs_unrank(pairs, in_section % pairs->pairs, &row_strip, &row, &lane_strip, &lane);
  const ase_arrangement *own =
      &layout->arrangements[seat]->list[layout->arrangements[seat]->strip_first[row_strip] + row];
  const ase_arrangement *others =
      &layout->arrangements[other]->list[layout->arrangements[other]->strip_first[lane_strip] + lane];
  *out = (ase_position){
      .seats = 2, .tokens = (uint8_t)layout->tokens, .seat = (uint8_t)seat, .forced = own->forced};
  memcpy(out->square[seat], own->square, sizeof own->square);
  memcpy(out->square[other], others->square, sizeof others->square);
  out->lost[other] = lost.turns;
  out->culprit[other] = lost.culprit;
  return may_have_lost(rules, out, other);
}

/* --- any number of players --- */

uint64_t ase_positions(const game_rules *rules, uint32_t number) {
  if (rules->flags.players == 2) return ase_layout_positions(rules, number);
  ase_slice slice;
  return ase_slice_open(rules, number, &slice) ? ase_many_positions(rules, &slice) : 0;
}

tauler_error ase_find(const game_rules *rules, const ase_position *position, game_place *out) {
  game_position game;
  ase_to_game(position, &game);
  const uint32_t number = ase_slice_of(rules, &game);
  *out = (game_place){GAME_NO_SLICE, 0};
  if (number == GAME_NO_SLICE) return TAULER_OK;
  bool there;
  if (rules->flags.players == 2) {
    const ase_layout *layout;
    const tauler_error error = ase_layout_of(rules, number, &layout);
    if (error) return error;
    there = rank_two_players(rules, layout, position, &out->index);
  } else {
    ase_slice slice;
    ase_slice_open(rules, number, &slice);
    there = ase_many_rank(rules, &slice, position, &out->index);
  }
  if (there) out->slice = number;
  return TAULER_OK;
}

tauler_error ase_read_place(const game_rules *rules, game_place place, ase_position *out, bool *there) {
  *there = false;
  *out = (ase_position){0};
  if (rules->flags.players == 2) {
    const ase_layout *layout;
    const tauler_error error = ase_layout_of(rules, place.slice, &layout);
    if (!error) *there = unrank_two_players(rules, layout, place.index, out);
    return error;
  }
  ase_slice slice;
  if (!ase_slice_open(rules, place.slice, &slice)) return TAULER_BAD_USAGE;
  *there = ase_many_unrank(rules, &slice, place.index, out);
  return TAULER_OK;
}

int ase_seat_at(const game_rules *rules, game_place place) {
  if (rules->flags.players == 2) {
    const ase_layout *layout;
    return ase_layout_of(rules, place.slice, &layout) ? 0 : seat_of_two_players(layout, place.index);
  }
  ase_slice slice;
  return ase_slice_open(rules, place.slice, &slice) ? ase_many_seat(rules, &slice, place.index) : 0;
}

bool ase_locate(const game_rules *rules, const game_position *game, game_place *out) {
  const ase_position position = ase_from_game(game);
  return ase_find(rules, &position, out) == TAULER_OK && out->slice != GAME_NO_SLICE;
}

void ase_position_at(const game_rules *rules, game_place place, game_position *out) {
  ase_position position;
  bool there;
  (void)ase_read_place(rules, place, &position, &there);
  ase_to_game(&position, out);
}

size_t ase_numbers(const game_rules *rules, const game_position *game, int8_t *out) {
  const ase_position position = ase_from_game(game);
  const int tokens = ase_tokens(rules, &position);
  for (int seat = 0; out && seat < position.seats; seat++) {
    for (int i = 0; i < tokens; i++) *out++ = (int8_t)position.square[seat][i];
    *out++ = (int8_t)position.lost[seat];
  }
  if (out) {
    *out++ = (int8_t)position.seat;
    *out = (int8_t)position.forced;
  }
  return (size_t)position.seats * ((size_t)tokens + 1) + 2;
}

void ase_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  memset(out, 1, count);
  for (size_t i = 0; rules->flags.lost_turns_die && i < count; i++) {
    ase_position position;
    bool there;
    (void)ase_read_place(rules, (game_place){slice, first + i}, &position, &there);
    out[i] = there;
  }
}
