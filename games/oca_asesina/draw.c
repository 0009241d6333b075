/* The board in rows of ten squares, each with a letter for what it does and the players who stand there. */
#include "games/oca_asesina/draw.h"

#include <stdarg.h>
#include <stdio.h>

enum { ROW = 10, WIDTH = 6 };

typedef struct {
  const game_rules *rules;
  ase_position position;
  char *text;
  size_t used;
} drawing;

__attribute__((format(printf, 2, 3))) static void put(drawing *d, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const size_t room = GAME_DRAWING_BYTES - d->used;
  const int n = vsnprintf(d->text + d->used, room, format, values);
  va_end(values);
  if (n > 0) d->used += (size_t)n < room ? (size_t)n : room - 1;
}

/* "11", with several colours "1a1b"; more than two tokens "1x5" or "1ax5". */
static void put_colour(drawing *d, int seat, int colour, int square) {
  const ase_position *p = &d->position;
  char letter[2] = {d->rules->flags.colours > 1 ? (char)('a' + colour) : '\0', '\0'};
  int tokens = 0;
  for (int i = 0; i < p->tokens; i++) tokens += p->square[seat][colour * p->tokens + i] == square;
  if (tokens > 2) {
    put(d, "%d%sx%d", seat + 1, letter, tokens);
  } else {
    for (int i = 0; i < tokens; i++) put(d, "%d%s", seat + 1, letter);
  }
}

static void put_tokens(drawing *d, int square) {
  for (int seat = 0; seat < d->position.seats; seat++)
    for (int colour = 0; colour < d->rules->flags.colours; colour++) put_colour(d, seat, colour, square);
}

static void pad(drawing *d, size_t to) {
  do put(d, " ");
  while (d->used < to);
}

static void end_line(drawing *d) {
  while (d->used > 0 && d->text[d->used - 1] == ' ') d->used--;
  put(d, "\n");
}

static void put_row(drawing *d, int first) {
  static const char kinds[] = {[GOOSE_PLAIN] = ' ', [GOOSE_GOOSE] = 'g',     [GOOSE_BRIDGE] = 'b',
                               [GOOSE_DICE] = 'd',  [GOOSE_INN] = 'i',       [GOOSE_PRISON] = 'p',
                               [GOOSE_WELL] = 'w',  [GOOSE_LABYRINTH] = 'l', [GOOSE_DEATH] = 'x'};
  const int home = ase_home(d->rules), end = first + ROW > home + 1 ? home + 1 : first + ROW;
  size_t start = d->used;
  for (int square = first; square < end; square++) {
    put(d, "%d%c", square, kinds[d->rules->board.square[square].kind]);
    pad(d, start + (size_t)(square - first + 1) * WIDTH);
  }
  end_line(d);
  start = d->used;
  for (int square = first; square < end; square++) {
    put_tokens(d, square);
    pad(d, start + (size_t)(square - first + 1) * WIDTH);
  }
  end_line(d);
}

void ase_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  drawing d = {.rules = rules, .position = ase_from_game(game), .text = text};
  text[0] = '\0';
  for (int square = 0; square <= ase_home(rules); square += ROW) put_row(&d, square);
  for (int seat = 0; seat < d.position.seats; seat++)
    if (d.position.lost[seat]) put(&d, "player %d loses %d\n", seat + 1, d.position.lost[seat]);
  put(&d, "player %d to %s\n", d.position.seat + 1,
      d.position.lost[d.position.seat] ? "pass"
      : d.position.forced              ? "roll, forced"
                                       : "roll");
}
