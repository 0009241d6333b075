/* Draws a board of the goose in ten columns, with the players on their squares. */
#include "base/text.h"
#include "games/oca/rules.h"

enum { COLUMNS = 10 };

/* Adds a square like "19i" and the players on it like "[13]". */
static void draw_square(char *text, const game_rules *rules, const oca_position *position, int square) {
  char who[OCA_MOST_PLAYERS + 3] = "";
  size_t used = 0;
  for (int player = 0; player < position->players; player++) {
    if (position->token[player].square != square) continue;
    if (used == 0) who[used++] = '[';
    who[used++] = (char)('1' + player);
  }
  if (used > 0) who[used++] = ']';
  who[used] = '\0';
  text_add(text, GAME_DRAWING_BYTES, "%3d%c%-6s", square, goose_board_letter(&rules->board, square), who);
}

static void describe_player(char *text, const game_rules *rules, const oca_position *position, int player) {
  const oca_token token = position->token[player];
  text_add(text, GAME_DRAWING_BYTES, "player %d: %d", player + 1, token.square);
  if (token.lost)
    text_add(text, GAME_DRAWING_BYTES, ", %d %s to lose", token.lost, token.lost == 1 ? "turn" : "turns");
  if (oca_waits(rules, token)) text_add(text, GAME_DRAWING_BYTES, ", in the well");
  if (player == position->seat)
    text_add(text, GAME_DRAWING_BYTES, oca_must_pass(rules, position) ? "  <- to pass" : "  <- to roll");
  text_add(text, GAME_DRAWING_BYTES, "\n");
}

void oca_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  const oca_position position = oca_from_game(game);
  const int length = rules->board.length;
  text[0] = '\0';
  for (int square = 0; square <= length; square++) {
    draw_square(text, rules, &position, square);
    if (square % COLUMNS == COLUMNS - 1 || square == length) text_end_line(text, GAME_DRAWING_BYTES);
  }
  text_add(text, GAME_DRAWING_BYTES,
           "g goose, b bridge, d dice, i inn, p prison, w well, l labyrinth, x death\n");
  for (int player = 0; player < position.players; player++) describe_player(text, rules, &position, player);
}
