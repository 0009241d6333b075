/* Reads and prints positions of Oca: oca:12,19~2/1. */
#include "base/text.h"
#include "games/game_text.h"
#include "games/oca/rules.h"

enum { TOO_LARGE = 1000 };

typedef struct {
  const game_rules *rules;
  game_text in;
  oca_position position;
} reader;

static bool refuse_here(reader *r, const char *expected) {
  const char c = *r->in.at;
  if (c == '\0') return game_text_refuse(&r->in, "it ends where %s is expected", expected);
  return game_text_refuse(&r->in, "character %zu, '%c', is not %s", game_text_place(&r->in), c, expected);
}

static bool read_number(reader *r, const char *expected, int *number) {
  return game_text_take_number(&r->in, TOO_LARGE, number) || refuse_here(r, expected);
}

static bool read_square(reader *r, int player, oca_token *out) {
  int square = 0;
  const int length = r->rules->board.length;
  if (!read_number(r, "the square of a player", &square)) return false;
  if (square > length)
    return game_text_refuse(&r->in, "player %d stands off the board, which ends at %d", player, length);
  if (square == length && r->rules->last_goose != LAST_GOOSE_BOUNCES)
    return game_text_refuse(&r->in, "player %d stands on %d, where the game is over", player, square);
  out->square = (uint8_t)square;
  return true;
}

static bool read_lost(reader *r, int player, oca_token *out) {
  int lost = 0;
  const int turns = r->rules->board.square[out->square].turns;
  if (!game_text_take(&r->in, "~")) return true;
  if (!read_number(r, "the turns still to lose", &lost)) return false;
  if (lost > 0 && turns == 0)
    return game_text_refuse(&r->in, "player %d has turns to lose on %d, where nobody loses any", player,
                            out->square);
  if (lost > turns)
    return game_text_refuse(&r->in, "player %d has more turns to lose on %d than the %d that are lost there",
                            player, out->square, turns);
  out->lost = (uint8_t)lost;
  return true;
}

static bool read_token(reader *r) {
  oca_position *position = &r->position;
  if (position->players == OCA_MOST_PLAYERS)
    return game_text_refuse(&r->in, "it has more than %d players", OCA_MOST_PLAYERS);
  oca_token *token = &position->token[position->players++];
  if (!read_square(r, position->players, token) || !read_lost(r, position->players, token)) return false;
  for (int other = 0; other < position->players - 1; other++) {
    if (oca_waits(r->rules, *token) && oca_waits(r->rules, position->token[other]))
      return game_text_refuse(&r->in, "players %d and %d are both in the well, %d, which holds one",
                              other + 1, position->players, token->square);
  }
  return true;
}

static bool read_seat(reader *r) {
  int seat = 0;
  if (!game_text_take(&r->in, "/")) return refuse_here(r, "~, a comma or /");
  if (!read_number(r, "the seat to roll", &seat)) return false;
  if (seat < 1 || seat > r->position.players)
    return game_text_refuse(&r->in, "the seat to roll must be 1 to %d, as many as play", r->position.players);
  r->position.seat = (uint8_t)(seat - 1);
  for (int other = 0; other < r->position.players; other++) {
    const oca_token token = r->position.token[other];
    if (!oca_may_stand(r->rules, token, other == seat - 1))
      return game_text_refuse(&r->in, "player %d stands on %d, where only the player to roll again may stand",
                              other + 1, token.square);
  }
  return true;
}

static bool read_position(reader *r) {
  game_text_skip_blanks(&r->in);
  if (!game_text_take(&r->in, "oca:")) return game_text_refuse(&r->in, "it does not begin with oca:");
  do {
    if (!read_token(r)) return false;
  } while (game_text_take(&r->in, ","));
  if (!read_seat(r)) return false;
  game_text_skip_blanks(&r->in);
  return *r->in.at == '\0' || refuse_here(r, "expected behind the seat to roll");
}

tauler_error oca_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  reader r = {.rules = rules, .in = {text, text, ""}};
  if (!read_position(&r))
    return game_text_fail(
        message, &r.in,
        "'%.120s' is no position of oca: %s; write oca:12,19~2/1 (the players' squares, behind "
        "~ turns still to lose, behind / the seat to roll)",
        text, r.in.why);
  oca_to_game(&r.position, out);
  return TAULER_OK;
}

void oca_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  const oca_position position = oca_from_game(game);
  text[0] = '\0';
  for (int player = 0; player < position.players; player++) {
    const oca_token token = position.token[player];
    text_add(text, GAME_TEXT_BYTES, "%s%d", player ? "," : "oca:", token.square);
    if (token.lost) text_add(text, GAME_TEXT_BYTES, "~%d", token.lost);
  }
  text_add(text, GAME_TEXT_BYTES, "/%d", position.seat + 1);
}
