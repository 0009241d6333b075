/* Reads texts of aualé (the canonical form with dashes, OpenSpiel's form, twelve bare numbers, moves), and
 * prints and draws positions. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "games/auale/notations.h"
#include "games/game_text.h"

enum { DASH_FIELDS = AUALE_PITS + 3 };

static tauler_error refuse_position(tauler_message *message, const game_text *in) {
  return game_text_fail(message, in,
                        "'%.120s' is no aualé position: %s; write 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S "
                        "(pits A-F, a-f, South's and North's store, side to move)",
                        in->text, in->why);
}

static bool read_seeds(game_text *in, uint8_t *out) {
  const char *begin = in->at;
  int seeds;
  if (!game_text_take_number(in, AUALE_MAX_SEEDS, &seeds) || seeds > AUALE_MAX_SEEDS || in->at - begin > 2)
    return false;
  *out = (uint8_t)seeds;
  return true;
}

static bool read_dashes(game_text *in, auale_position *out) {
  for (int field = 0; field + 1 < DASH_FIELDS; field++) {
    const bool store = field >= AUALE_PITS;
    if (!read_seeds(in, store ? &out->stores[field - AUALE_PITS] : &out->pits[field])) {
      if (store)
        return game_text_refuse(in, "%s's store needs a number 0-48",
                                field == AUALE_PITS ? "South" : "North");
      return game_text_refuse(in, "pit %c (field %d) needs a number 0-48", "ABCDEFabcdef"[field], field + 1);
    }
    if (!game_text_take(in, "-"))
      return game_text_refuse(in, "field %d of %d must be followed by '-'", field + 1, DASH_FIELDS);
  }
  if (*in->at != 'S' && *in->at != 'N')
    return game_text_refuse(in, "the side to move (last field) must be S or N");
  out->side = *in->at++ == 'N';
  out->has_stores = 1;
  return true;
}

static bool take_bar(game_text *in) {
  game_text_skip_blanks(in);
  return game_text_take(in, "|");
}

static bool read_pits(game_text *in, int first, auale_position *out) {
  for (int i = first; i < AUALE_PITS; i++) {
    if (i == ROW_PITS && first > 0) take_bar(in);
    game_text_skip_blanks(in);
    if (!read_seeds(in, &out->pits[i]))
      return game_text_refuse(in, "number %d of 12 must be seeds in a pit, 0-48", i + 1);
  }
  return true;
}

/* Reads the rest of "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4" behind the first bar: scores, and pits A-F a-f. */
static bool read_openspiel(game_text *in, auale_position *out) {
  out->side = out->pits[0];
  if (out->side > 1) return game_text_refuse(in, "the player to move must be 0 (South) or 1 (North)");
  for (int i = 0; i < 2; i++) {
    game_text_skip_blanks(in);
    if (!read_seeds(in, &out->stores[i]))
      return game_text_refuse(in, "between the bars stand two scores, 0-48");
  }
  out->has_stores = 1;
  return take_bar(in) ? read_pits(in, 0, out) : game_text_refuse(in, "the scores must be followed by '|'");
}

static bool read_position(game_text *in, auale_position *out) {
  game_text_skip_blanks(in);
  if (*in->at == 'P') return auale_read_drawing(in, out);
  if (in->at[strspn(in->at, "0123456789,S")] == '/') return auale_read_fen(in, out);
  const char *dash = strchr(in->at, '-');
  if (dash && strspn(in->at, "0123456789") == (size_t)(dash - in->at)) return read_dashes(in, out);
  if (!read_seeds(in, &out->pits[0])) return game_text_refuse(in, "it must start with a number 0-48");
  return take_bar(in) ? read_openspiel(in, out) : read_pits(in, 1, out);
}

static bool check_seeds(game_text *in, const auale_position *position) {
  const unsigned captured = position->stores[0] + position->stores[1];
  unsigned seeds = captured;
  for (int i = 0; i < AUALE_PITS; i++) seeds += position->pits[i];
  return seeds <= AUALE_MAX_SEEDS ||
         game_text_refuse(in, "it has %u seeds, %u on the board and %u in the stores, more than 48", seeds,
                          seeds - captured, captured);
}

static tauler_error refuse_move(const game_rules *rules, const auale_position *position, char letter,
                                size_t number, tauler_message *message) {
  const auale_board board = auale_board_of(position);
  const unsigned legal = auale_legal_pits(rules->grand_slam, &board);
  char can[32] = "none: the game has ended here";
  if (legal) {
    size_t used = 0;
    for (int pit = 0; pit < ROW_PITS; pit++) {
      if (legal >> pit & 1) can[used++] = auale_pit_letter(position, pit);
    }
    can[used] = '\0';
  }
  const char *side = position->side ? "North" : "South";
  game_text in = {.why = ""};
  game_text_refuse(&in, "is not legal under these rules (it would leave the opponent without seeds)");
  const int pit = letter - (position->side ? 'a' : 'A');
  if (!isalpha((unsigned char)letter) || tolower((unsigned char)letter) > 'f') {
    game_text_refuse(&in, "is no pit: pits are A-F and a-f");
  } else if (pit < 0 || pit >= ROW_PITS) {
    game_text_refuse(&in, "is the other side's pit");
  } else if (board.pits[pit] == 0) {
    game_text_refuse(&in, "is empty");
  }
  return game_text_fail(message, &in, "move %zu, '%c': %s; %s is to move and can play %s", number, letter,
                        in.why, side, can);
}

/* Takes "D", or "d1" or "d1e2" of PlayStrategy. Returns the pit. The letters G to L count as a to f; any
 * other character gives a number outside 0–11. *falls becomes false if the second square is not where the
 * last seed falls, otherwise true. */
static int take_pit(const auale_position *position, const char **at, bool *falls) {
  const int square = auale_square(*at), letter = **at;
  *falls = true;
  if (square < 0) {
    ++*at;
    return letter >= 'a' ? letter - 'a' + ROW_PITS : letter - 'A';
  }
  *at += 2;
  const int to = auale_square(*at);
  if (to < 0) return square;
  *falls = to == auale_last_pit(position, square);
  *at += 2;
  return square;
}

static tauler_error refuse_fall(const auale_position *position, int pit, size_t number,
                                tauler_message *message) {
  char from[3], to[3];
  auale_square_name(pit, from);
  auale_square_name(auale_last_pit(position, pit), to);
  return tauler_fail(message, TAULER_BAD_POSITION, "move %zu: the last seed of %s falls on %s, write %s%s",
                     number, from, to, from, to);
}

static tauler_error play_move(const game_rules *rules, const char **at, size_t number,
                              auale_position *position, tauler_message *message) {
  const char *move = *at;
  bool falls;
  const auale_board board = auale_board_of(position);
  const int pit = take_pit(position, at, &falls), own = pit - (position->side ? ROW_PITS : 0);
  const bool legal = own >= 0 && own < ROW_PITS && (auale_legal_pits(rules->grand_slam, &board) >> own & 1);
  if (!legal)
    return refuse_move(rules, position, auale_square(move) < 0 ? *move : "ABCDEFabcdef"[pit], number,
                       message);
  if (!falls) return refuse_fall(position, pit, number, message);
  int captured;
  *position = auale_position_after(rules, position, own, &captured);
  return TAULER_OK;
}

/* Adds the position before each move to `past` unless `past` is NULL. */
static tauler_error play_line(const game_rules *rules, const char *moves, auale_position *position,
                              game_past *past, tauler_message *message) {
  for (size_t number = 1; *(moves += strspn(moves, " \t")); number++) {
    game_position before;
    auale_to_game(position, &before);
    const tauler_error error = play_move(rules, &moves, number, position, message);
    if (error) return error;
    if (past && game_past_add(past, &before))
      return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a line of moves");
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
  game_text in = {text, text, ""};
  if (!read_position(&in, &position) || !check_seeds(&in, &position)) return refuse_position(message, &in);
  game_text_skip_blanks(&in);
  if (game_text_take_word(&in, "moves")) {
    const tauler_error error = play_line(rules, in.at, &position, past, message);
    if (error) return error;
  } else if (!game_text_end(&in, "")) {
    return refuse_position(message, &in);
  }
  auale_to_game(&position, out);
  return TAULER_OK;
}

void auale_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  const auale_position position = auale_from_game(game);
  text[0] = '\0';
  for (int i = 0; i < AUALE_PITS; i++) text_add(text, GAME_TEXT_BYTES, "%u-", position.pits[i]);
  text_add(text, GAME_TEXT_BYTES, "%u-%u-%c", position.stores[0], position.stores[1],
           position.side ? 'N' : 'S');
}

void auale_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
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
