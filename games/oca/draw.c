/* A board of the goose in ten columns, with who stands where. */
#include <stdarg.h>
#include <stdio.h>

#include "games/oca/oca.h"

enum { COLUMNS = 10 };

typedef struct {
  char *text;
  size_t used;
} drawing;

__attribute__((format(printf, 2, 3))) static void add(drawing *d, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  d->used += (size_t)vsnprintf(d->text + d->used, GAME_DRAWING_BYTES - d->used, format, arguments);
  va_end(arguments);
}

static char letter_of(const goose_square *square) {
  static const char letters[] = {[GOOSE_PLAIN] = ' ', [GOOSE_GOOSE] = 'g',     [GOOSE_BRIDGE] = 'b',
                                 [GOOSE_DICE] = 'd',  [GOOSE_INN] = 'i',       [GOOSE_PRISON] = 'p',
                                 [GOOSE_WELL] = 'w',  [GOOSE_LABYRINTH] = 'l', [GOOSE_DEATH] = 'x'};
  return letters[square->kind];
}

/* "19i" and the players there, "[13]". */
static void draw_square(drawing *d, const game_rules *rules, const oca_position *position, int square) {
  char who[OCA_MOST_PLAYERS + 3] = "";
  size_t used = 0;
  for (int player = 0; player < position->players; player++) {
    if (position->token[player].square != square) continue;
    if (used == 0) who[used++] = '[';
    who[used++] = (char)('1' + player);
  }
  if (used > 0) who[used++] = ']';
  who[used] = '\0';
  add(d, "%3d%c%-6s", square, letter_of(&rules->board.square[square]), who);
}

/* Blanks at the end of a line are taken back. */
static void end_line(drawing *d) {
  while (d->used > 0 && d->text[d->used - 1] == ' ') d->used--;
  add(d, "\n");
}

static void say_player(drawing *d, const game_rules *rules, const oca_position *position, int player) {
  const oca_token token = position->token[player];
  add(d, "player %d: %d", player + 1, token.square);
  if (token.lost) add(d, ", %d %s to lose", token.lost, token.lost == 1 ? "turn" : "turns");
  if (oca_waits(rules, token)) add(d, ", in the well");
  if (player == position->seat) add(d, oca_must_pass(rules, position) ? "  <- to pass" : "  <- to roll");
  add(d, "\n");
}

void oca_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  const oca_position position = oca_from_game(game);
  const int length = rules->board.length;
  drawing d = {text, 0};
  for (int square = 0; square <= length; square++) {
    draw_square(&d, rules, &position, square);
    if (square % COLUMNS == COLUMNS - 1 || square == length) end_line(&d);
  }
  add(&d, "g goose, b bridge, d dice, i inn, p prison, w well, l labyrinth, x death\n");
  for (int player = 0; player < position.players; player++) say_player(&d, rules, &position, player);
}
