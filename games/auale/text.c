/* Aualé in words: the dash form (canonical), OpenSpiel's form, twelve bare numbers, move letters. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "games/auale/position.h"

enum { DASH_FIELDS = AUALE_PITS + 3, MOST_IN_STORE = 48 };

static tauler_error bad(tauler_message *message, const char *text, const char *why) {
  return tauler_fail(message, TAULER_BAD_POSITION,
                     "'%.120s' is no aualé position: %s; write 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S "
                     "(pits A-F, a-f, South's and North's store, side to move)",
                     text, why);
}

/* Reads a number of one or two digits up to `most`; returns -1 and leaves *at where it is no number. */
static int read_number(const char **at, int most) {
  if (!isdigit((unsigned char)**at)) return -1;
  int number = 0, digits = 0;
  const char *c = *at;
  for (; isdigit((unsigned char)*c) && digits < 3; c++, digits++) number = 10 * number + (*c - '0');
  if (digits == 3 || number > most) return -1;
  *at = c;
  return number;
}

static const char *pit_names = "ABCDEFabcdef";

static tauler_error parse_dashes(const char *text, const char **at, auale_position *out,
                                 tauler_message *message) {
  char why[96];
  for (int field = 0; field + 1 < DASH_FIELDS; field++) {
    const bool store = field >= AUALE_PITS;
    const int number = read_number(at, store ? MOST_IN_STORE : AUALE_MAX_SEEDS);
    if (number < 0) {
      if (store) {
        snprintf(why, sizeof why, "%s's store needs a number 0-48", field == AUALE_PITS ? "South" : "North");
      } else {
        snprintf(why, sizeof why, "pit %c (field %d) needs a number 0-48", pit_names[field], field + 1);
      }
      return bad(message, text, why);
    }
    if (store) {
      out->stores[field - AUALE_PITS] = (uint8_t)number;
    } else {
      out->pits[field] = (uint8_t)number;
    }
    if (**at != '-') {
      snprintf(why, sizeof why, "field %d of %d must be followed by '-'", field + 1, DASH_FIELDS);
      return bad(message, text, why);
    }
    (*at)++;
  }
  if (**at != 'S' && **at != 'N') return bad(message, text, "the side to move (last field) must be S or N");
  out->side = **at == 'N';
  out->has_stores = 1;
  (*at)++;
  return TAULER_OK;
}

static void skip_blanks(const char **at) {
  while (**at == ' ' || **at == '\t') (*at)++;
}

static bool take_bar(const char **at) {
  skip_blanks(at);
  if (**at != '|') return false;
  (*at)++;
  skip_blanks(at);
  return true;
}

static tauler_error parse_pits(const char *text, const char **at, int first, auale_position *out,
                               tauler_message *message) {
  for (int i = first; i < AUALE_PITS; i++) {
    skip_blanks(at);
    if (i == ROW_PITS && first > 0) take_bar(at);
    const int number = read_number(at, AUALE_MAX_SEEDS);
    if (number < 0) {
      char why[96];
      snprintf(why, sizeof why, "number %d of 12 must be seeds in a pit, 0-48", i + 1);
      return bad(message, text, why);
    }
    out->pits[i] = (uint8_t)number;
  }
  return TAULER_OK;
}

/* "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4": player to move, scores, houses A-F a-f. */
static tauler_error parse_openspiel(const char *text, const char **at, int player, auale_position *out,
                                    tauler_message *message) {
  if (player > 1) return bad(message, text, "the player to move must be 0 (South) or 1 (North)");
  out->side = (uint8_t)player;
  for (int i = 0; i < 2; i++) {
    skip_blanks(at);
    const int score = read_number(at, MOST_IN_STORE);
    if (score < 0) return bad(message, text, "between the bars stand two scores, 0-48");
    out->stores[i] = (uint8_t)score;
  }
  out->has_stores = 1;
  if (!take_bar(at)) return bad(message, text, "the scores must be followed by '|'");
  return parse_pits(text, at, 0, out, message);
}

static tauler_error parse_spaced(const char *text, const char **at, auale_position *out,
                                 tauler_message *message) {
  const int number = read_number(at, AUALE_MAX_SEEDS);
  if (number < 0) return bad(message, text, "it must start with a number 0-48");
  if (take_bar(at)) return parse_openspiel(text, at, number, out, message);
  out->pits[0] = (uint8_t)number;
  return parse_pits(text, at, 1, out, message);
}

static tauler_error refuse_move(const game_rules *rules, const auale_position *position, char letter,
                                size_t number, tauler_message *message) {
  const auale_board board = auale_board_of(position);
  const unsigned legal = auale_legal_pits(rules->grand_slam, &board);
  char can[32] = "none: the game has ended here";
  if (legal) {
    size_t used = 0;
    for (int pit = 0; pit < ROW_PITS; pit++) {
      if (legal >> pit & 1) can[used++] = auale_letter(position, pit);
    }
    can[used] = '\0';
  }
  const char *side = position->side ? "North" : "South";
  const char *why = "is not legal under these rules (it would leave the opponent without seeds)";
  const int pit = letter - (position->side ? 'a' : 'A');
  if (!isalpha((unsigned char)letter) || tolower((unsigned char)letter) > 'f') {
    why = "is no pit: pits are A-F and a-f";
  } else if (pit < 0 || pit >= ROW_PITS) {
    why = "is the other side's pit";
  } else if (board.pits[pit] == 0) {
    why = "is empty";
  }
  return tauler_fail(message, TAULER_BAD_POSITION, "move %zu, '%c': %s; %s is to move and can play %s",
                     number, isprint((unsigned char)letter) ? letter : '?', why, side, can);
}

/* `past` may be NULL. */
static tauler_error play_line(const game_rules *rules, const char *letters, auale_position *position,
                              game_past *past, tauler_message *message) {
  size_t number = 0;
  for (; *letters; letters++) {
    if (*letters == ' ' || *letters == '\t') continue;
    number++;
    const auale_board board = auale_board_of(position);
    const int pit = *letters - (position->side ? 'a' : 'A');
    const bool own = pit >= 0 && pit < ROW_PITS;
    if (!own || !(auale_legal_pits(rules->grand_slam, &board) >> pit & 1)) {
      return refuse_move(rules, position, *letters, number, message);
    }
    game_position before;
    auale_to_game(position, &before);
    if (past && game_past_add(past, &before))
      return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a line of moves");
    int captured;
    *position = auale_after(rules, position, pit, &captured);
  }
  return TAULER_OK;
}

tauler_error auale_parse(const game_rules *rules, const char *text, game_position *out,
                         tauler_message *message) {
  return auale_parse_line(rules, text, out, NULL, message);
}

tauler_error auale_parse_line(const game_rules *rules, const char *text, game_position *out, game_past *past,
                              tauler_message *message) {
  auale_position position = {.side = 0};
  const char *at = text;
  skip_blanks(&at);
  const char *dash = strchr(at, '-');
  const bool dashes = dash && strspn(at, "0123456789") == (size_t)(dash - at);
  tauler_error error =
      dashes ? parse_dashes(text, &at, &position, message) : parse_spaced(text, &at, &position, message);
  if (error) return error;
  const unsigned captured = position.stores[0] + position.stores[1];
  unsigned seeds = captured;
  for (int i = 0; i < AUALE_PITS; i++) seeds += position.pits[i];
  if (seeds > AUALE_MAX_SEEDS) {
    char why[96];
    snprintf(why, sizeof why, "it has %u seeds, %u on the board and %u in the stores, more than 48", seeds,
             seeds - captured, captured);
    return bad(message, text, why);
  }
  skip_blanks(&at);
  if (strncmp(at, "moves", 5) == 0 && (at[5] == ' ' || at[5] == '\t' || at[5] == '\0')) {
    error = play_line(rules, at + 5, &position, past, message);
    if (error) return error;
  } else if (*at) {
    char why[64];
    snprintf(why, sizeof why, "character %zu, '%c', is not expected", (size_t)(at - text) + 1,
             isprint((unsigned char)*at) ? *at : '?');
    return bad(message, text, why);
  }
  auale_to_game(&position, out);
  return TAULER_OK;
}

void auale_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  (void)rules;
  const auale_position position = auale_from_game(game);
  int used = 0;
  for (int i = 0; i < AUALE_PITS; i++) {
    used += snprintf(text + used, (size_t)(GAME_TEXT_BYTES - used), "%u-", position.pits[i]);
  }
  snprintf(text + used, (size_t)(GAME_TEXT_BYTES - used), "%u-%u-%c", position.stores[0], position.stores[1],
           position.side ? 'N' : 'S');
}

void auale_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  (void)rules;
  const auale_position p = auale_from_game(game);
  snprintf(text, GAME_DRAWING_BYTES,
           "          f   e   d   c   b   a\n"
           "       +---+---+---+---+---+---+\n"
           "  N %2u |%2u |%2u |%2u |%2u |%2u |%2u |%s\n"
           "       +---+---+---+---+---+---+\n"
           "       |%2u |%2u |%2u |%2u |%2u |%2u | %2u S%s\n"
           "       +---+---+---+---+---+---+\n"
           "         A   B   C   D   E   F\n",
           p.stores[1], p.pits[11], p.pits[10], p.pits[9], p.pits[8], p.pits[7], p.pits[6],
           p.side ? "  <- to move" : "", p.pits[0], p.pits[1], p.pits[2], p.pits[3], p.pits[4], p.pits[5],
           p.stores[0], p.side ? "" : "  <- to move");
}
