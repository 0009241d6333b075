/* Reads, checks, describes and writes boards of the game of the goose. */
#include "games/goose_board.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

typedef enum { ONE_NUMBER, RISING_SQUARES, TWO_SQUARES, SQUARE_TURNS, SQUARE_LEADS } item_form;

/* The numbers of items are the kinds of their squares, in the order of a canonical line. */
enum { LENGTH = GOOSE_PLAIN, ITEMS = GOOSE_DEATH + 1 };

static const struct {
  const char *name, *square, *example; /* names of the item and of its squares, and an example */
  char letter;
  item_form form;
} known[ITEMS] = {
    [LENGTH] = {"length", "plain", "length 63", ' ', ONE_NUMBER},
    [GOOSE_GOOSE] = {"geese", "goose", "geese 1 5 9 63", 'g', RISING_SQUARES},
    [GOOSE_BRIDGE] = {"bridges", "bridge", "bridges 6 12", 'b', TWO_SQUARES},
    [GOOSE_DICE] = {"dice", "dice", "dice 26 53", 'd', TWO_SQUARES},
    [GOOSE_INN] = {"inn", "inn", "inn 19 2", 'i', SQUARE_TURNS},
    [GOOSE_PRISON] = {"prison", "prison", "prison 52 3", 'p', SQUARE_TURNS},
    [GOOSE_WELL] = {"well", "well", "well 31", 'w', SQUARE_TURNS},
    [GOOSE_LABYRINTH] = {"labyrinth", "labyrinth", "labyrinth 42 loses 2", 'l', SQUARE_LEADS},
    [GOOSE_DEATH] = {"death", "death", "death 58 to 1", 'x', SQUARE_LEADS},
};

enum { WORD_BYTES = 32, WHY_BYTES = 320, NAME_BYTES = 256, SHORTEST = 2 };

/* An item as written, before the length of the board is known. */
typedef struct {
  int line; /* line number, or 0 if the item is missing */
  int count;
  int square[GOOSE_MOST_GEESE];
  int turns, to; /* −1 if not given */
} item;

typedef struct {
  const char *name, *unit; /* name of the board in messages, and word for its lines: "line" or "item" */
  const char *at, *end;    /* the rest of the current line */
  int line;
  item items[ITEMS];
  int used_by[GOOSE_LONGEST + 1]; /* [square] line that uses it, or 0 */
  goose_board board;
  tauler_message *message;
} reader;

/* --- words ---------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static tauler_error refuse_line(const reader *r, int line,
                                                                      const char *format, ...) {
  char why[WHY_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  return tauler_fail(r->message, TAULER_BAD_USAGE, "%s, %s %d: %s", r->name, r->unit, line, why);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Cuts the word to WORD_BYTES, NUL included. */
static bool take_word(reader *r, char word[WORD_BYTES]) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
  size_t used = 0;
  for (; r->at < r->end && !is_blank(*r->at); r->at++) {
    if (used + 1 < WORD_BYTES) word[used++] = *r->at;
  }
  word[used] = '\0';
  return used > 0;
}

static tauler_error refuse_unexpected(const reader *r, int which, const char *what, const char *word) {
  return refuse_line(r, r->line, "%s expected, not %s%s%s; write %s", what, *word ? "'" : "the end",
                     *word ? word : "", *word ? "'" : "", known[which].example);
}

static tauler_error convert_number(const reader *r, int which, bool turns, const char *word, int *number) {
  if (!*word || strspn(word, "0123456789") != strlen(word))
    return refuse_unexpected(r, which, "number", word);
  uint64_t value = 0;
  if (!text_read_unsigned(word, turns, turns ? GOOSE_MOST_TURNS : GOOSE_LONGEST, &value))
    return turns ? refuse_line(r, r->line, "the turns lost in %s must be 1 to %d", known[which].name,
                               GOOSE_MOST_TURNS)
                 : refuse_line(r, r->line, "%s is too large: no board has more than %d squares", word,
                               GOOSE_LONGEST);
  *number = (int)value;
  return TAULER_OK;
}

static tauler_error take_number(reader *r, int which, int *number) {
  char word[WORD_BYTES];
  take_word(r, word);
  return convert_number(r, which, false, word, number);
}

/* --- items ---------------------------------------------------------------------------------------------- */

static tauler_error read_rising_squares(reader *r, int which, item *out) {
  char word[WORD_BYTES];
  while (take_word(r, word)) {
    if (out->count == GOOSE_MOST_GEESE)
      return refuse_line(r, r->line, "there are more than %d geese", GOOSE_MOST_GEESE);
    const tauler_error error = convert_number(r, which, false, word, &out->square[out->count++]);
    if (error) return error;
    const int *last = &out->square[out->count - 1];
    if (out->count > 1 && last[0] <= last[-1])
      return refuse_line(r, r->line, "geese must rise, but '%s' stands behind %d", word, last[-1]);
  }
  return TAULER_OK;
}

static tauler_error read_turns(reader *r, int which, item *out) {
  char word[WORD_BYTES];
  const bool there = take_word(r, word);
  return !there && which == GOOSE_WELL ? TAULER_OK : convert_number(r, which, true, word, &out->turns);
}

static tauler_error read_destination(reader *r, int which, item *out) {
  char word[WORD_BYTES];
  take_word(r, word);
  if (strcmp(word, "to") == 0) return take_number(r, which, &out->to);
  if (which == GOOSE_DEATH) return refuse_unexpected(r, which, "'to'", word);
  if (strcmp(word, "loses") != 0) return refuse_unexpected(r, which, "'to' or 'loses'", word);
  take_word(r, word);
  return convert_number(r, which, true, word, &out->turns);
}

static tauler_error read_item_words(reader *r, int which, const char *first, item *out) {
  tauler_error error = convert_number(r, which, false, first, &out->square[0]);
  out->count = 1;
  if (error) return error;
  switch (known[which].form) {
  case ONE_NUMBER:
    return TAULER_OK;
  case RISING_SQUARES:
    return read_rising_squares(r, which, out);
  case TWO_SQUARES:
    out->count = 2;
    return take_number(r, which, &out->square[1]);
  case SQUARE_TURNS:
    return read_turns(r, which, out);
  case SQUARE_LEADS:
    return read_destination(r, which, out);
  }
  return TAULER_INTERNAL;
}

static int item_named(const char *word) {
  int which = 0;
  while (which < ITEMS && strcmp(word, known[which].name) != 0) which++;
  return which;
}

static tauler_error refuse_name(const reader *r, const char *word) {
  const char *names[ITEMS];
  for (int which = 0; which < ITEMS; which++) names[which] = known[which].name;
  const char *near = text_nearest(word, names, ITEMS);
  if (near) return refuse_line(r, r->line, "'%s' is unknown; did you mean %s?", word, near);
  return refuse_line(
      r, r->line,
      "'%s' is unknown; a board has length, geese, bridges, dice, inn, prison, well, labyrinth and "
      "death",
      word);
}

static tauler_error read_item(reader *r, const char *name) {
  const int which = item_named(name);
  if (which == ITEMS) return refuse_name(r, name);
  item *out = &r->items[which];
  if (out->line)
    return refuse_line(r, r->line, "%s is there twice, first in %s %d", name, r->unit, out->line);
  *out = (item){.line = r->line, .turns = -1, .to = -1};
  char word[WORD_BYTES];
  take_word(r, word);
  const bool none = which != LENGTH && strcmp(word, "none") == 0;
  const tauler_error error = none ? TAULER_OK : read_item_words(r, which, word, out);
  if (error) return error;
  return take_word(r, word)
             ? refuse_line(r, r->line, "'%s' is one word too many; write %s", word, known[which].example)
             : TAULER_OK;
}

static tauler_error read_line(reader *r, text_line line) {
  char word[WORD_BYTES];
  const char *remark = memchr(line.text, '#', line.length);
  if (remark) line.length = (size_t)(remark - line.text);
  const size_t odd = text_find_odd(line);
  if (odd < line.length)
    return refuse_line(r, r->line, "%s after '%.*s': boards are written in ASCII, but for remarks behind #",
                       text_sign(line.text + odd, line.length - odd).text, (int)odd, line.text);
  r->at = line.text;
  r->end = line.text + line.length;
  return take_word(r, word) ? read_item(r, word) : TAULER_OK;
}

static tauler_error read_items(reader *r, const char *text) {
  size_t length = strlen(text);
  text_line line;
  for (r->line = 1; text_next_line(&text, &length, &line); r->line++) {
    const tauler_error error = read_line(r, line);
    if (error) return error;
  }
  return TAULER_OK;
}

/* --- squares -------------------------------------------------------------------------------------------- */

static tauler_error check_items_complete(const reader *r) {
  for (int which = 0; which < ITEMS; which++) {
    if (r->items[which].line) continue;
    return tauler_fail(r->message, TAULER_BAD_USAGE, "%s: %s is missing; write %s%s%s%s", r->name,
                       known[which].name, known[which].example, which == LENGTH ? "" : " or ",
                       which == LENGTH ? "" : known[which].name, which == LENGTH ? "" : " none");
  }
  return TAULER_OK;
}

static tauler_error set_length(reader *r) {
  const int length = r->items[LENGTH].square[0];
  if (length < SHORTEST)
    return refuse_line(r, r->items[LENGTH].line, "a board has at least %d squares", SHORTEST);
  r->board.length = (uint8_t)length;
  return TAULER_OK;
}

static tauler_error use_square(reader *r, int which, int square) {
  const int line = r->items[which].line, length = r->board.length;
  const char *name = known[which].name;
  if (square == 0)
    return refuse_line(r, line, "square 0 of %s is the start, where nothing else can be", name);
  if (square > length)
    return refuse_line(r, line, "square %d of %s is off the board, which ends at %d", square, name, length);
  if (r->used_by[square])
    return refuse_line(r, line, "square %d of %s is taken already by %s %d", square, name, r->unit,
                       r->used_by[square]);
  if (square == length && which != GOOSE_GOOSE)
    return refuse_line(r, line, "square %d of %s is the last one, where the game is won", square, name);
  r->used_by[square] = line;
  r->board.square[square].kind = (uint8_t)which;
  return TAULER_OK;
}

static tauler_error place_item(reader *r, int which) {
  const item *from = &r->items[which];
  for (int i = 0; i < from->count; i++) {
    const tauler_error error = use_square(r, which, from->square[i]);
    if (error) return error;
    goose_square *square = &r->board.square[from->square[i]];
    if (known[which].form == TWO_SQUARES) square->to = (uint8_t)from->square[1 - i];
    if (which == GOOSE_GOOSE && i + 1 < from->count) square->to = (uint8_t)from->square[i + 1];
    if (from->turns > 0) square->turns = (uint8_t)from->turns;
  }
  if (which == GOOSE_GOOSE && from->count && from->square[from->count - 1] != r->board.length)
    return refuse_line(r, from->line, "the last goose is on %d, but there must be one on the last square, %d",
                       from->square[from->count - 1], r->board.length);
  return TAULER_OK;
}

/* Requires that all squares have their kinds. */
static tauler_error set_destination(reader *r, int which) {
  const item *from = &r->items[which];
  const int to = from->to, length = r->board.length;
  if (to < 0) return TAULER_OK;
  const char *name = known[which].name;
  if (to > length)
    return refuse_line(r, from->line, "%s leads off the board, which ends at %d", name, length);
  if (to == length) return refuse_line(r, from->line, "%s leads to %d, where the game is won", name, to);
  const uint8_t kind = r->board.square[to].kind;
  if (to == from->square[0]) return refuse_line(r, from->line, "%s leads to itself", name);
  if (kind != GOOSE_PLAIN && kind != GOOSE_GOOSE)
    return refuse_line(r, from->line, "%s leads to %d, but that square is taken by %s %d, and no goose", name,
                       to, r->unit, r->used_by[to]);
  r->board.square[from->square[0]].to = (uint8_t)to;
  return TAULER_OK;
}

static tauler_error read_board(reader *r, const char *text, goose_board *out) {
  tauler_error error = read_items(r, text);
  if (!error) error = check_items_complete(r);
  if (!error) error = set_length(r);
  for (int which = GOOSE_GOOSE; !error && which < ITEMS; which++) error = place_item(r, which);
  if (!error) error = set_destination(r, GOOSE_LABYRINTH);
  if (!error) error = set_destination(r, GOOSE_DEATH);
  if (!error) *out = r->board;
  return error;
}

tauler_error goose_board_read(const char *name, const char *text, goose_board *out, tauler_message *message) {
  reader r = {.name = name, .unit = "line", .message = message};
  return read_board(&r, text, out);
}

tauler_error goose_board_read_line(const char *line, goose_board *out, tauler_message *message) {
  char text[GOOSE_LINE_BYTES];
  const size_t length = strlen(line);
  if (length >= sizeof text)
    return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s…' is too long for a board", line);
  const size_t odd = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789-_");
  if (odd < length)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "character %zu of the board '%.60s' is neither a small letter nor a digit, - nor _",
                       odd + 1, line);
  for (size_t i = 0; i <= length; i++) text[i] = line[i] == '-' ? ' ' : line[i] == '_' ? '\n' : line[i];
  reader r = {.name = "board", .unit = "item", .message = message};
  return read_board(&r, text, out);
}

/* --- files ---------------------------------------------------------------------------------------------- */

static tauler_error read_file(FILE *file, const char *name, char text[GOOSE_FILE_BYTES],
                              tauler_message *message) {
  const size_t length = fread(text, 1, GOOSE_FILE_BYTES, file);
  if (ferror(file))
    return tauler_fail(message, tauler_errno_error(errno), "cannot read %s: %s", name, strerror(errno));
  if (length == GOOSE_FILE_BYTES)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s is too long for a board", name);
  text[length] = '\0';
  if (strlen(text) < length) return tauler_fail(message, TAULER_BAD_USAGE, "%s is no text", name);
  return TAULER_OK;
}

tauler_error goose_board_load(const char *path, goose_board *out, tauler_message *message) {
  char name[NAME_BYTES], text[GOOSE_FILE_BYTES];
  snprintf(name, sizeof name, "%s", path);
  FILE *file = fopen(path, "re");
  if (!file)
    return tauler_fail(message, tauler_errno_error(errno), "cannot open %s: %s", name, strerror(errno));
  const tauler_error error = read_file(file, name, text, message);
  fclose(file);
  return error ? error : goose_board_read(name, text, out, message);
}

tauler_error goose_board_flag(const char *file, char flag[GAME_TEXT_BYTES], tauler_message *message) {
  goose_board board;
  char line[GOOSE_LINE_BYTES];
  const tauler_error error = goose_board_load(file, &board, message);
  if (error) return error;
  goose_board_write(&board, line);
  snprintf(flag, GAME_TEXT_BYTES, "board=%s", line);
  return TAULER_OK;
}

/* --- descriptions and canonical lines ------------------------------------------------------------------- */

bool goose_board_equal(const goose_board *a, const goose_board *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

static int find_kind_from(const goose_board *board, goose_kind kind, int square) {
  while (square <= board->length && board->square[square].kind != kind) square++;
  return square <= board->length ? square : 0;
}

int goose_board_find(const goose_board *board, goose_kind kind) {
  return find_kind_from(board, kind, 1);
}

bool goose_board_drop_goose(goose_board *board, int square) {
  if (square < 1 || square >= board->length || board->square[square].kind != GOOSE_GOOSE) return false;
  goose_square *dropped = &board->square[square];
  for (int before = 1; before < square; before++) {
    goose_square *from = &board->square[before];
    if (from->kind == GOOSE_GOOSE && from->to == square) from->to = dropped->to;
  }
  *dropped = (goose_square){GOOSE_PLAIN, 0, 0};
  return true;
}

static void add_squares(const goose_board *board, goose_kind kind, char *line) {
  text_add(line, GOOSE_LINE_BYTES, "_%s", known[kind].name);
  int square = goose_board_find(board, kind);
  if (!square) text_add(line, GOOSE_LINE_BYTES, "-none");
  for (; square; square = find_kind_from(board, kind, square + 1))
    text_add(line, GOOSE_LINE_BYTES, "-%d", square);
}

void goose_board_write(const goose_board *board, char line[GOOSE_LINE_BYTES]) {
  snprintf(line, GOOSE_LINE_BYTES, "length-%d", board->length);
  for (int item = GOOSE_GOOSE; item < ITEMS; item++) {
    const goose_kind kind = (goose_kind)item;
    add_squares(board, kind, line);
    const goose_square *square = &board->square[goose_board_find(board, kind)];
    if (square->turns)
      text_add(line, GOOSE_LINE_BYTES, kind == GOOSE_LABYRINTH ? "-loses-%d" : "-%d", square->turns);
    if (known[kind].form == SQUARE_LEADS && square->kind == kind && !square->turns)
      text_add(line, GOOSE_LINE_BYTES, "-to-%d", square->to);
  }
}

char goose_board_letter(const goose_board *board, int square) {
  return known[board->square[square].kind].letter;
}

static bool leads_elsewhere(goose_square square) {
  const item_form form = known[square.kind].form;
  return form == RISING_SQUARES || form == TWO_SQUARES || (form == SQUARE_LEADS && square.turns == 0);
}

bool goose_board_describe_square(const goose_board *board, int number, game_square *out) {
  if (number > board->length) return false;
  const goose_square square = board->square[number];
  const bool last = number == board->length;
  *out = (game_square){.kind = number == 0 ? "start"
                               : last      ? "end"
                                           : known[square.kind].square,
                       .to = !last && leads_elsewhere(square) ? square.to : -1,
                       .turns = square.turns,
                       .waits = square.kind == GOOSE_WELL && square.turns == 0};
  return true;
}
