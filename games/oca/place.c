/* Converts positions to indexes and back: the slice is the number of players, the digits are statuses. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "games/oca/rules.h"

_Static_assert((int)OCA_MOST_PLAYERS == (int)TUPLE_MOST_PLACES, "a digit for each player");

enum { USUAL_PLAYERS = 2 };

/* --- slices --- */

tauler_error oca_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message) {
  *out = (game_slices){0};
  uint64_t players = USUAL_PLAYERS;
  if (request->largest && !text_read_unsigned(request->largest, 1, OCA_MOST_PLAYERS, &players))
    return tauler_fail(message, TAULER_BAD_USAGE, "--players must be 1 to %d, not '%.40s'", OCA_MOST_PLAYERS,
                       request->largest);
  const uint32_t slice = (uint32_t)players;
  return game_slices_add(out, (game_slice){slice, true, oca_positions(rules, slice)}, message);
}

void oca_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

bool oca_slice_named(const game_rules *rules, const char *name, uint32_t *slice) {
  if (strlen(name) != 1 || name[0] < '1' || name[0] > '0' + OCA_MOST_PLAYERS) return false;
  *slice = (uint32_t)(name[0] - '0');
  return true;
}

uint32_t oca_alike(const game_rules *rules, uint32_t slice) {
  return slice < USUAL_PLAYERS ? slice : USUAL_PLAYERS;
}

uint64_t oca_positions(const game_rules *rules, uint32_t slice) {
  if (slice < 1 || slice > OCA_MOST_PLAYERS) return 0;
  return tuple_sums_count(&rules->statuses.sums, (int)slice);
}

uint64_t oca_stages(const game_rules *rules, uint32_t slice) {
  return tuple_sums_ranges(&rules->statuses.sums, (int)slice);
}

uint64_t oca_stage_first(const game_rules *rules, uint32_t slice, uint64_t stage) {
  return tuple_sums_range_first(&rules->statuses.sums, (int)slice, stage);
}

/* --- positions --- */

uint32_t oca_slice_of(const game_rules *rules, const game_position *game) {
  return oca_from_game(game).players;
}

bool oca_locate(const game_rules *rules, const game_position *game, game_place *out) {
  const oca_position position = oca_from_game(game);
  uint8_t status[OCA_MOST_PLAYERS];
  for (int place = 0; place < position.players; place++) {
    const oca_token token = position.token[(position.seat + place) % position.players];
    if (!oca_may_stand(rules, token, place == 0)) return false;
    status[place] = oca_status_of(rules, token);
  }
  if (!oca_statuses_stand(&rules->statuses, position.players, status)) return false;
  *out = (game_place){position.players, tuple_sums_rank(&rules->statuses.sums, position.players, status)};
  return true;
}

void oca_position_at(const game_rules *rules, game_place place, game_position *out) {
  oca_position position = {.players = (uint8_t)place.slice};
  uint8_t status[OCA_MOST_PLAYERS];
  tuple_sums_unrank(&rules->statuses.sums, position.players, place.index, status);
  for (int i = 0; i < position.players; i++) position.token[i] = rules->statuses.token[status[i]];
  oca_to_game(&position, out);
}

size_t oca_numbers(const game_rules *rules, const game_position *game, int8_t *out) {
  const oca_position position = oca_from_game(game);
  for (int i = 0; out && i < position.players; i++) {
    const oca_token token = position.token[(position.seat + i) % position.players];
    out[2 * i] = (int8_t)token.square;
    out[2 * i + 1] = (int8_t)token.lost;
  }
  return 2 * (size_t)position.players;
}

void oca_count_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  const oca_statuses *statuses = &rules->statuses;
  const int players = (int)slice;
  uint8_t status[OCA_MOST_PLAYERS];
  if (count > 0) tuple_sums_unrank(&statuses->sums, players, first, status);
  for (size_t i = 0; i < count; i++) {
    out[i] = oca_statuses_stand(statuses, players, status);
    tuple_sums_next(&statuses->sums, players, status);
  }
}
