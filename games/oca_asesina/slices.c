/* Numbers and names the slices of la oca asesina. */
#include "games/oca_asesina/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* --- numbers --- */

/* Returns the number of tokens at home with which a player has finished. */
static int finishing_tokens(const game_rules *rules, int tokens) {
  return tokens * rules->flags.colours - (rules->flags.home_one_left ? 1 : 0);
}

static bool tokens_fit(const game_rules *rules, int tokens) {
  if (tokens < 1 || tokens > ASE_MOST_TOKENS / rules->flags.colours) return false;
  if (rules->flags.players == 2) return finishing_tokens(rules, tokens) > 0;
  return tokens == 1 || (tokens == 2 && rules->flags.alone && !rules->flags.lost_turns_die);
}

static bool check_homes(const game_rules *rules, ase_slice *slice) {
  const int most = finishing_tokens(rules, slice->tokens), players = rules->flags.players;
  slice->first_to_roll = 0;
  for (int seat = 0; seat < players; seat++) {
    if (slice->home[seat] > most) return false;
    if (slice->home[seat] == most) slice->first_to_roll = seat + 1;
  }
  return slice->first_to_roll < players && !(slice->first_to_roll > 0 && rules->flags.no_last_turn);
}

/* The number is made of the tokens of each colour, the tokens not home, and the tokens of seat 2 at home. */
static uint32_t number_two_players(const game_rules *rules, const ase_slice *slice) {
  const int all = slice->tokens * rules->flags.colours;
  const int left = 2 * all - slice->home[0] - slice->home[1];
  return (uint32_t)(slice->tokens << 9 | left << 4 | slice->home[1]);
}

static bool open_two_players(const game_rules *rules, uint32_t number, ase_slice *out) {
  out->tokens = (int)(number >> 9);
  if (!tokens_fit(rules, out->tokens)) return false;
  const int left = (int)(number >> 4 & 31), second = (int)(number & 15);
  const int first = 2 * out->tokens * rules->flags.colours - left - second;
  if (first < 0) return false;
  out->home[0] = (uint8_t)first;
  out->home[1] = (uint8_t)second;
  return true;
}

/* The number is made of the tokens of each player, the tokens not home, and each player's tokens at home in
 * base 3. */
static uint32_t number_token_pairs(const ase_slice *slice) {
  uint32_t left = 0, homes = 0;
  for (int seat = 2; seat >= 0; seat--) {
    left += 2U - slice->home[seat];
    homes = 3 * homes + slice->home[seat];
  }
  return (uint32_t)slice->tokens << 9 | left << 5 | homes;
}

static bool open_token_pairs(uint32_t number, ase_slice *out) {
  uint32_t homes = number & 31;
  out->tokens = (int)(number >> 9);
  for (int seat = 0; seat < 3; seat++, homes /= 3) out->home[seat] = (uint8_t)(homes % 3);
  return homes == 0 && number_token_pairs(out) == number;
}

/* With one token each, the number is made of the number of unfinished seats, and of the set of finished seats
 * as bits. */
static uint32_t number_many_players(const game_rules *rules, const ase_slice *slice) {
  if (slice->tokens == 2) return number_token_pairs(slice);
  uint32_t home = 0;
  for (int seat = 0; seat < rules->flags.players; seat++) home |= (uint32_t)slice->home[seat] << seat;
  return (uint32_t)(rules->flags.players - __builtin_popcount(home)) << ASE_MOST_SEATS | home;
}

static bool open_many_players(const game_rules *rules, uint32_t number, ase_slice *out) {
  if (number >> 9) return tokens_fit(rules, (int)(number >> 9)) && open_token_pairs(number, out);
  const uint32_t home = number & ((1U << ASE_MOST_SEATS) - 1);
  out->tokens = 1;
  for (int seat = 0; seat < rules->flags.players; seat++) out->home[seat] = home >> seat & 1;
  return number_many_players(rules, out) == number;
}

bool ase_slice_open(const game_rules *rules, uint32_t number, ase_slice *out) {
  *out = (ase_slice){0};
  if (number >= ASE_SLICES) return false;
  const bool there = rules->flags.players == 2 ? open_two_players(rules, number, out)
                                               : open_many_players(rules, number, out);
  return there && check_homes(rules, out);
}

uint32_t ase_slice_number(const game_rules *rules, const ase_slice *slice) {
  ase_slice copy = *slice;
  if (!tokens_fit(rules, copy.tokens) || !check_homes(rules, &copy)) return GAME_NO_SLICE;
  return rules->flags.players == 2 ? number_two_players(rules, &copy) : number_many_players(rules, &copy);
}

/* --- slices of positions --- */

static ase_slice homes_of(const game_rules *rules, const ase_position *position) {
  ase_slice slice = {.tokens = position->tokens};
  for (int seat = 0; seat < position->seats; seat++)
    slice.home[seat] = (uint8_t)ase_tokens_home(rules, position, seat);
  return slice;
}

uint32_t ase_slice_of(const game_rules *rules, const game_position *game) {
  const ase_position position = ase_from_game(game);
  if (position.seats != rules->flags.players) return GAME_NO_SLICE;
  const ase_slice slice = homes_of(rules, &position);
  return ase_slice_number(rules, &slice);
}

void ase_start(const game_rules *rules, uint32_t number, game_position *out) {
  ase_slice slice;
  ase_slice_open(rules, number, &slice);
  ase_position position = {
      .seats = rules->flags.players, .tokens = (uint8_t)slice.tokens, .seat = (uint8_t)slice.first_to_roll};
  for (int seat = 0; seat < rules->flags.players; seat++)
    memset(position.square[seat], ase_home(rules), slice.home[seat]);
  ase_sort(rules, &position);
  ase_to_game(&position, out);
}

uint32_t ase_origin(const game_rules *rules, uint32_t number) {
  ase_slice slice;
  ase_slice_open(rules, number, &slice);
  const ase_slice first = {.tokens = slice.tokens};
  return ase_slice_number(rules, &first);
}

/* --- names --- */

static void write_homes(const game_rules *rules, const ase_slice *slice, char *name, size_t room) {
  size_t used = 0;
  for (int seat = 0; seat < rules->flags.players && used < room; seat++)
    used += (size_t)snprintf(name + used, room - used, seat ? "-%d" : "%d", slice->home[seat]);
}

void ase_slice_name(const game_rules *rules, uint32_t number, char name[GAME_TEXT_BYTES]) {
  ase_slice slice;
  ase_slice_open(rules, number, &slice);
  const int used = snprintf(name, GAME_TEXT_BYTES, "%d.", slice.tokens);
  write_homes(rules, &slice, name + used, (size_t)(GAME_TEXT_BYTES - used));
}

/* Reads a text of the form "2.1-0", also if no slice has this name. */
static bool read_name(const game_rules *rules, const char *name, ase_slice *out) {
  char copy[GAME_TEXT_BYTES];
  if ((size_t)snprintf(copy, sizeof copy, "%s", name) >= sizeof copy) return false;
  char *rest = copy;
  const char *word = strsep(&rest, ".");
  uint64_t value = 0;
  if (!text_read_unsigned(word, 1, ASE_MOST_TOKENS, &value)) return false;
  *out = (ase_slice){.tokens = (int)value};
  for (int seat = 0; seat < rules->flags.players; seat++) {
    word = strsep(&rest, "-");
    if (!word || !text_read_unsigned(word, 0, ASE_MOST_TOKENS, &value)) return false;
    out->home[seat] = (uint8_t)value;
  }
  return true;
}

bool ase_slice_named(const game_rules *rules, const char *name, uint32_t *number) {
  ase_slice slice;
  char right[GAME_TEXT_BYTES];
  if (!read_name(rules, name, &slice)) return false;
  const uint32_t found = ase_slice_number(rules, &slice);
  if (found == GAME_NO_SLICE) return false;
  ase_slice_name(rules, found, right);
  if (strcmp(name, right) != 0) return false;
  *number = found;
  return true;
}

bool ase_part(const game_rules *rules, uint32_t number, size_t i, game_part *out) {
  ase_slice slice;
  if (i > 0 || !ase_slice_open(rules, number, &slice)) return false;
  *out = (game_part){.count = ase_positions(rules, number)};
  write_homes(rules, &slice, out->name, sizeof out->name);
  return true;
}

void ase_position_slice(const game_rules *rules, const game_position *game, char name[GAME_TEXT_BYTES]) {
  const ase_position position = ase_from_game(game);
  const ase_slice slice = homes_of(rules, &position);
  write_homes(rules, &slice, name, GAME_TEXT_BYTES);
}

/* The board is not in this text, since it is part of the rules. */
void ase_size_text(const game_rules *rules, uint32_t number, char text[GAME_TEXT_BYTES]) {
  ase_slice slice;
  ase_slice_open(rules, number, &slice);
  snprintf(text, GAME_TEXT_BYTES, "--tokens %d", slice.tokens);
}

/* --- lists --- */

static tauler_error read_tokens(const game_rules *rules, const char *text, int *tokens,
                                tauler_message *message) {
  const int most = ASE_MOST_TOKENS / rules->flags.colours;
  uint64_t value = 1;
  if (text && !text_read_unsigned(text, 1, (uint64_t)most, &value))
    return tauler_fail(message, TAULER_BAD_USAGE, "la oca asesina needs --tokens from 1 to %d%s, not '%.40s'",
                       most, rules->flags.colours > 1 ? " of each colour" : "", text);
  if (rules->flags.players > 2 && !tokens_fit(rules, (int)value))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%d players have one token each: with several tokens they choose, and what is best "
                       "for one of three is no single number; three players with two tokens each need "
                       "alone=1, 2 or 3, the seat that the others play against, and no "
                       "lost-turns=die-with-token",
                       rules->flags.players);
  if (!tokens_fit(rules, (int)value))
    return tauler_fail(message, TAULER_BAD_USAGE, "home=one-left takes --tokens 2 or more");
  *tokens = (int)value;
  return TAULER_OK;
}

static tauler_error list_slices(const game_rules *rules, int tokens, game_slices *out,
                                tauler_message *message) {
  const bool numbered = rules->flags.players == 2 || tokens > 1;
  const uint32_t first = numbered ? (uint32_t)tokens << 9 : 0, last = first + (1U << 9);
  tauler_error error = TAULER_OK;
  for (uint32_t number = first; number < last && !error; number++) {
    ase_slice slice;
    if (ase_slice_open(rules, number, &slice))
      error = game_slices_add(out, (game_slice){number, true, ase_positions(rules, number)}, message);
  }
  return error;
}

static tauler_error check_size(int tokens, const game_slices *slices, tauler_message *message) {
  for (size_t i = 0; i < slices->used; i++) {
    if (slices->slices[i].positions > ASE_MOST_POSITIONS)
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "%d tokens are too many for this board: no table holds so many positions", tokens);
  }
  return TAULER_OK;
}

tauler_error ase_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message) {
  *out = (game_slices){0};
  int tokens = 0;
  tauler_error error = read_tokens(rules, request->largest, &tokens, message);
  if (!error) error = list_slices(rules, tokens, out, message);
  if (!error) error = check_size(tokens, out, message);
  if (error) {
    free(out->slices);
    *out = (game_slices){0};
  }
  return error;
}

/* With one token for each of three players and more, no slice is measured: the first slices of a request have
 * last turns only, so they are small and solved in fewer sweeps than the others. */
uint32_t ase_alike(const game_rules *rules, uint32_t number) {
  return rules->flags.players > 2 && number >> 9 == 0 ? GAME_NO_SLICE : number;
}

/* Lists the slices with one more token at home. A token that gets home ends the turn. In a last-turn slice of
 * two players, the game is over then. */
tauler_error ase_needs(const game_rules *rules, uint32_t number, game_slices *out, tauler_message *message) {
  *out = (game_slices){0};
  ase_slice slice;
  if (!ase_slice_open(rules, number, &slice)) return TAULER_OK;
  if (rules->flags.players == 2 && slice.first_to_roll > 0) return TAULER_OK;
  tauler_error error = TAULER_OK;
  for (int seat = slice.first_to_roll; seat < rules->flags.players && !error; seat++) {
    ase_slice next = slice;
    next.home[seat]++;
    const uint32_t needed = ase_slice_number(rules, &next);
    if (needed != GAME_NO_SLICE)
      error = game_slices_add(out, (game_slice){needed, false, ase_positions(rules, needed)}, message);
  }
  return error;
}
