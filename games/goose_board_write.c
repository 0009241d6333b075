/* Answers questions about a board, and writes its canonical line. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "games/goose_board.h"

bool goose_board_equal(const goose_board *a, const goose_board *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

static int find_from(const goose_board *board, goose_kind kind, int square) {
  while (square <= board->length && board->square[square].kind != kind) square++;
  return square <= board->length ? square : 0;
}

int goose_board_find(const goose_board *board, goose_kind kind) {
  return find_from(board, kind, 1);
}

static bool is_goose(const goose_board *board, int square) {
  return square >= 1 && square < board->length && board->square[square].kind == GOOSE_GOOSE;
}

bool goose_board_drop_goose(goose_board *board, int square) {
  if (!is_goose(board, square)) return false;
  goose_square *dropped = &board->square[square];
  for (int before = 1; before < square; before++) {
    goose_square *from = &board->square[before];
    if (from->kind == GOOSE_GOOSE && from->to == square) from->to = dropped->to;
  }
  *dropped = (goose_square){GOOSE_PLAIN, 0, 0};
  return true;
}

static void add_squares(const goose_board *board, const char *name, goose_kind kind, char *line) {
  text_add(line, GOOSE_LINE_BYTES, "_%s", name);
  int square = goose_board_find(board, kind);
  if (!square) text_add(line, GOOSE_LINE_BYTES, "-none");
  for (; square; square = find_from(board, kind, square + 1)) text_add(line, GOOSE_LINE_BYTES, "-%d", square);
}

void goose_board_write(const goose_board *board, char line[GOOSE_LINE_BYTES]) {
  static const struct {
    const char *name;
    goose_kind kind;
  } items[] = {{"geese", GOOSE_GOOSE},         {"bridges", GOOSE_BRIDGE},
               {"dice", GOOSE_DICE},           {"inn", GOOSE_INN},
               {"prison", GOOSE_PRISON},       {"well", GOOSE_WELL},
               {"labyrinth", GOOSE_LABYRINTH}, {"death", GOOSE_DEATH}};
  snprintf(line, GOOSE_LINE_BYTES, "length-%d", board->length);
  for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
    const goose_kind kind = items[i].kind;
    add_squares(board, items[i].name, kind, line);
    const goose_square *square = &board->square[goose_board_find(board, kind)];
    if (square->turns)
      text_add(line, GOOSE_LINE_BYTES, kind == GOOSE_LABYRINTH ? "-loses-%d" : "-%d", square->turns);
    const bool leads = kind == GOOSE_LABYRINTH || kind == GOOSE_DEATH;
    if (leads && square->kind == kind && !square->turns)
      text_add(line, GOOSE_LINE_BYTES, "-to-%d", square->to);
  }
}

char goose_board_letter(const goose_board *board, int square) {
  static const char letters[] = {[GOOSE_PLAIN] = ' ', [GOOSE_GOOSE] = 'g',     [GOOSE_BRIDGE] = 'b',
                                 [GOOSE_DICE] = 'd',  [GOOSE_INN] = 'i',       [GOOSE_PRISON] = 'p',
                                 [GOOSE_WELL] = 'w',  [GOOSE_LABYRINTH] = 'l', [GOOSE_DEATH] = 'x'};
  return letters[board->square[square].kind];
}

static const char *kind_name(const goose_board *board, int square) {
  static const char *const names[] = {
      [GOOSE_PLAIN] = "plain", [GOOSE_GOOSE] = "goose", [GOOSE_BRIDGE] = "bridge",
      [GOOSE_DICE] = "dice",   [GOOSE_INN] = "inn",     [GOOSE_PRISON] = "prison",
      [GOOSE_WELL] = "well",   [GOOSE_DEATH] = "death", [GOOSE_LABYRINTH] = "labyrinth",
  };
  if (square == 0) return "start";
  return square == board->length ? "end" : names[board->square[square].kind];
}

static bool leads_on(goose_square square) {
  switch ((goose_kind)square.kind) {
  case GOOSE_GOOSE:
  case GOOSE_BRIDGE:
  case GOOSE_DICE:
  case GOOSE_DEATH:
    return true;
  case GOOSE_LABYRINTH:
    return square.turns == 0;
  default:
    return false;
  }
}

bool goose_board_square(const goose_board *board, int number, game_square *out) {
  if (number > board->length) return false;
  const goose_square square = board->square[number];
  *out = (game_square){.kind = kind_name(board, number),
                       .to = number < board->length && leads_on(square) ? square.to : -1,
                       .turns = square.turns,
                       .waits = square.kind == GOOSE_WELL && square.turns == 0};
  return true;
}
