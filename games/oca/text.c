/* Positions of Oca in words: oca:12,19~2/1. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "games/oca/rules.h"

enum { WHY_BYTES = 200, TOO_LARGE = 1000 };

typedef struct {
  const game_rules *rules;
  const char *text, *at;
  oca_position position;
  char why[WHY_BYTES];
} reader;

__attribute__((format(printf, 2, 3))) static bool refuse(reader *r, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->why, sizeof r->why, format, arguments);
  va_end(arguments);
  return false;
}

static bool refuse_here(reader *r, const char *expected) {
  const char c = *r->at;
  if (c == '\0') return refuse(r, "it ends where %s is expected", expected);
  return refuse(r, "character %zu, '%c', is not %s", (size_t)(r->at - r->text) + 1,
                isprint((unsigned char)c) ? c : '?', expected);
}

static bool read_number(reader *r, const char *expected, int *number) {
  if (!isdigit((unsigned char)*r->at)) return refuse_here(r, expected);
  for (*number = 0; isdigit((unsigned char)*r->at); r->at++) {
    if (*number < TOO_LARGE) *number = 10 * *number + (*r->at - '0');
  }
  return true;
}

static bool read_square(reader *r, int player, oca_token *out) {
  int square = 0;
  const int length = r->rules->board.length;
  if (!read_number(r, "the square of a player", &square)) return false;
  if (square > length) return refuse(r, "player %d stands off the board, which ends at %d", player, length);
  if (square == length && r->rules->last_goose != LAST_GOOSE_BOUNCES)
    return refuse(r, "player %d stands on %d, where the game is over", player, square);
  out->square = (uint8_t)square;
  return true;
}

static bool read_lost(reader *r, int player, oca_token *out) {
  int lost = 0;
  const int turns = r->rules->board.square[out->square].turns;
  if (*r->at != '~') return true;
  r->at++;
  if (!read_number(r, "the turns still to lose", &lost)) return false;
  if (lost > 0 && turns == 0)
    return refuse(r, "player %d has turns to lose on %d, where nobody loses any", player, out->square);
  if (lost > turns)
    return refuse(r, "player %d has more turns to lose on %d than the %d that are lost there", player,
                  out->square, turns);
  out->lost = (uint8_t)lost;
  return true;
}

static bool read_token(reader *r) {
  oca_position *position = &r->position;
  if (position->players == OCA_MOST_PLAYERS)
    return refuse(r, "it has more than %d players", OCA_MOST_PLAYERS);
  oca_token *token = &position->token[position->players++];
  if (!read_square(r, position->players, token) || !read_lost(r, position->players, token)) return false;
  for (int other = 0; other < position->players - 1; other++) {
    if (oca_waits(r->rules, *token) && oca_waits(r->rules, position->token[other]))
      return refuse(r, "players %d and %d are both in the well, %d, which holds one", other + 1,
                    position->players, token->square);
  }
  return true;
}

static bool read_seat(reader *r) {
  int seat = 0;
  if (*r->at != '/') return refuse_here(r, "~, a comma or /");
  r->at++;
  if (!read_number(r, "the seat to roll", &seat)) return false;
  if (seat < 1 || seat > r->position.players)
    return refuse(r, "the seat to roll must be 1 to %d, as many as play", r->position.players);
  r->position.seat = (uint8_t)(seat - 1);
  for (int other = 0; other < r->position.players; other++) {
    const oca_token token = r->position.token[other];
    if (!oca_may_stand(r->rules, token, other == seat - 1))
      return refuse(r, "player %d stands on %d, where only who is to roll again may be", other + 1,
                    token.square);
  }
  return true;
}

static void skip_blanks(reader *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static bool read_position(reader *r) {
  static const char begin[] = "oca:";
  skip_blanks(r);
  if (strncmp(r->at, begin, strlen(begin)) != 0) return refuse(r, "it does not begin with %s", begin);
  r->at += strlen(begin);
  if (!read_token(r)) return false;
  while (*r->at == ',') {
    r->at++;
    if (!read_token(r)) return false;
  }
  if (!read_seat(r)) return false;
  skip_blanks(r);
  return *r->at == '\0' || refuse_here(r, "expected behind the seat to roll");
}

tauler_error oca_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  reader r = {.rules = rules, .text = text, .at = text};
  if (!read_position(&r))
    return tauler_fail(
        message, TAULER_BAD_POSITION,
        "'%.120s' is no position of oca: %s; write oca:12,19~2/1 (the players' squares, behind "
        "~ turns still to lose, behind / the seat to roll)",
        text, r.why);
  oca_to_game(&r.position, out);
  return TAULER_OK;
}

void oca_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  (void)rules;
  const oca_position position = oca_from_game(game);
  size_t used = 0;
  for (int player = 0; player < position.players; player++) {
    const oca_token token = position.token[player];
    used +=
        (size_t)snprintf(text + used, GAME_TEXT_BYTES - used, "%s%d", player ? "," : "oca:", token.square);
    if (token.lost) used += (size_t)snprintf(text + used, GAME_TEXT_BYTES - used, "~%d", token.lost);
  }
  snprintf(text + used, GAME_TEXT_BYTES - used, "/%d", position.seat + 1);
}
