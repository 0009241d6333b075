/* Reads records: splits a file into lines, and lines into tags, words, comments and brackets. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/records/record.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/told.h"

enum { MOST_POSITION = 512 };

/* --- errors --- */

/* Counts from the byte of the last call, since a line may contain a whole game. */
size_t record_column_of(record_reader *r, size_t at) {
  const size_t to = at < r->length ? at : r->length;
  if (to < r->counted) r->counted = r->column = 0;
  r->column += text_characters(r->line + r->counted, to - r->counted);
  r->counted = to;
  return 1 + r->column;
}

tauler_error record_error_at(record_reader *r, size_t line, size_t column, tauler_error error,
                             tauler_message *message) {
  const char *own = r->own.text;
  if (!error) return TAULER_OK;
  if (error != TAULER_BAD_POSITION) return tauler_fail(message, error, "%s", own);
  return told_because(message, told_of(own, sizeof r->own.text),
                      tauler_fail(message, error, "%.200s:%zu:%zu: %s", r->name, line, column, own));
}

static tauler_error fail_at(record_reader *r, size_t line, size_t column, const char *what,
                            tauler_message *message) {
  const tauler_error error = tauler_fail(&r->own, TAULER_BAD_POSITION, "%s", what);
  return record_error_at(r, line, column, error, message);
}

tauler_error record_fail(record_reader *r, tauler_message *message, const char *what) {
  return fail_at(r, r->number, record_column_of(r, r->at), what, message);
}

tauler_error record_refuse_odd(record_reader *r, size_t at, tauler_message *message) {
  const tauler_error error =
      tauler_fail(&r->own, TAULER_BAD_POSITION, "%s: moves and positions are written in ASCII",
                  text_sign(r->line + at, r->length - at).text);
  return record_error_at(r, r->number, record_column_of(r, at), error, message);
}

/* --- lines --- */

static tauler_error add_byte(record_reader *r, int byte, tauler_message *message) {
  if (r->length == RECORD_MOST_LINE)
    return tauler_fail(message, TAULER_BAD_POSITION, "%.200s:%zu: the line has more than %d bytes", r->name,
                       r->number, RECORD_MOST_LINE);
  if (!memory_make_room(&r->line, &r->room, r->length + 2, 1))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %.200s", r->name);
  if (byte == '\0') {
    r->at = r->length;
    return record_fail(r, message, "a NUL byte, which no text has");
  }
  r->line[r->length++] = (char)byte;
  return TAULER_OK;
}

static void clean_line(record_reader *r) {
  const text_line line = text_clean(r->line, r->length);
  r->at = (size_t)(line.text - r->line);
  r->length = r->at + line.length;
  r->line[r->length] = '\0';
}

static tauler_error read_line(record_reader *r, tauler_message *message) {
  tauler_error error = TAULER_OK;
  r->length = r->at = r->counted = r->column = 0;
  r->begun = false;
  if (r->closed) return TAULER_OK;
  r->number++;
  int byte = EOF;
  bool any = false;
  while (!error && (byte = getc(r->file)) != EOF && byte != '\n') {
    any = true;
    error = add_byte(r, byte, message);
  }
  if (error) return error;
  if (byte == EOF && ferror(r->file))
    return tauler_fail(message, TAULER_IO, "%.200s cannot be read to its end", r->name);
  r->closed = byte == EOF;
  if (r->closed && !any) return TAULER_OK;
  if (!any) error = add_byte(r, '\r', message);
  if (!error) clean_line(r);
  r->begun = r->unread = !error;
  return error;
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool record_ends_word(char c) {
  return !c || is_blank(c) || strchr("{}()[];\"", c);
}

/* At the end of the file r->begun becomes false. */
static tauler_error skip_blanks(record_reader *r, tauler_message *message) {
  for (;;) {
    while (r->begun && is_blank(r->line[r->at])) r->at++;
    if (r->begun && r->line[r->at]) return TAULER_OK;
    if (!r->begun && r->closed) return TAULER_OK;
    const tauler_error error = read_line(r, message);
    if (error || !r->begun) return error;
    r->parted = r->parted || r->at == r->length;
  }
}

/* --- parts of a record --- */

tauler_error record_add_part(record_reader *r, record_kind kind, const char *text, const char *mark,
                             size_t line, size_t column, tauler_message *message) {
  const record_item item = {kind, text, mark, line, column};
  if (r->out->line == 0) r->out->line = line;
  const tauler_error error = record_add_item(r->out, &item, &r->own);
  return record_error_at(r, r->number, record_column_of(r, r->at), error, message);
}

/* The text of a comment so far. Blanks and unprintable bytes in a row are one blank. */
typedef struct {
  char *text;
  size_t used, room;
} gathered;

static bool add_to_comment(gathered *g, char c) {
  const bool blank = (unsigned char)c <= ' ' || c == 0x7F;
  if (blank && (g->used == 0 || g->text[g->used - 1] == ' ')) return true;
  if (!memory_make_room(&g->text, &g->room, g->used + 2, 1)) return false;
  g->text[g->used++] = blank ? ' ' : c;
  return true;
}

static const char *gathered_text(gathered *g) {
  while (g->used && g->text[g->used - 1] == ' ') g->used--;
  if (!g->text) return "";
  g->text[g->used] = '\0';
  return g->text;
}

static tauler_error add_comment_byte(record_reader *r, gathered *g, char c, tauler_message *message) {
  if (g->used >= RECORD_MOST_LINE) return record_fail(r, message, "the comment is too long");
  if (add_to_comment(g, c)) return TAULER_OK;
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %.200s", r->name);
}

static tauler_error gather_comment(record_reader *r, gathered *g, tauler_message *message) {
  const size_t line = r->number, column = record_column_of(r, r->at);
  const bool braces = r->line[r->at++] == '{';
  tauler_error error = TAULER_OK;
  while (!error) {
    const char c = r->line[r->at];
    if (c) {
      r->at++;
      if (braces && c == '}') return TAULER_OK;
      error = add_comment_byte(r, g, c, message);
    } else if (braces) {
      error = add_comment_byte(r, g, ' ', message);
      if (!error) error = read_line(r, message);
      r->unread = false;
      if (!error && !r->begun)
        return fail_at(r, line, column, "the comment is not closed, } is missing", message);
    } else {
      return TAULER_OK;
    }
  }
  return error;
}

static tauler_error read_comment(record_reader *r, tauler_message *message) {
  const size_t line = r->number, column = record_column_of(r, r->at);
  gathered g = {NULL, 0, 0};
  tauler_error error = gather_comment(r, &g, message);
  if (!error) error = record_add_part(r, RECORD_COMMENT, gathered_text(&g), "", line, column, message);
  free(g.text);
  return error;
}

static size_t tag_name_length(const char *name) {
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_') length++;
  return length;
}

/* Reads [Name "value"] without blanks at both ends of the value, in which \" and \\ are escapes. */
static tauler_error read_tag(record_reader *r, tauler_message *message) {
  const size_t start = r->at, column = record_column_of(r, start);
  char *at = r->line + start + 1;
  while (is_blank(*at)) at++;
  char *name = at;
  at += tag_name_length(name);
  char *name_end = at;
  while (is_blank(*at)) at++;
  if (name == name_end || *at != '"') return record_fail(r, message, "a tag is written [Name \"value\"]");
  char *value = ++at, *end = value;
  for (; *at && *at != '"'; at++) {
    if (*at == '\\' && (at[1] == '"' || at[1] == '\\')) at++;
    *end++ = *at;
  }
  if (!*at) return record_fail(r, message, "the value of the tag is not closed, \" is missing on its line");
  for (at++; is_blank(*at);) at++;
  if (*at != ']') return record_fail(r, message, "the tag is not closed, ] is missing behind its value");
  while (is_blank(*value)) value++;
  while (end > value && is_blank(end[-1])) end--;
  *name_end = *end = '\0';
  r->at = (size_t)(at - r->line) + 1;
  if (r->out->line == 0) r->out->line = r->number;
  const record_tag tag = {name, value, r->number, column};
  const record_tag *met = record_tag_of(r->out, name);
  const tauler_error error =
      met ? tauler_fail(
                &r->own, TAULER_BAD_POSITION,
                "the tag %.60s stands twice, first in line %zu; an empty line parts one game from the next",
                met->name, met->line)
          : record_add_tag(r->out, &tag, &r->own);
  return record_error_at(r, r->number, column, error, message);
}

/* --- games --- */

static bool has_moves(const record *r) {
  for (size_t i = 0; i < r->items_used; i++)
    if (r->items[i].kind != RECORD_COMMENT) return true;
  return r->position != NULL;
}

/* Returns the place of the word "moves" on the rest of the current line, outside comments, or SIZE_MAX if
 * there is none before a tag or a comment that begins with a semicolon. */
static size_t find_moves(const record_reader *r) {
  const char *line = r->line;
  for (size_t at = r->at; line[at];) {
    if (line[at] == ';' || line[at] == '[') return SIZE_MAX;
    if (line[at] == '{') {
      while (line[at] && line[at] != '}') at++;
    }
    size_t n = 0;
    while (!record_ends_word(line[at + n])) n++;
    if (n == 5 && strncmp(line + at, "moves", 5) == 0 && (!line[at + 5] || is_blank(line[at + 5]))) return at;
    at += n ? n : line[at] != '\0';
  }
  return SIZE_MAX;
}

static tauler_error read_position(record_reader *r, size_t moves, tauler_message *message) {
  char text[MOST_POSITION];
  size_t end = moves;
  while (end > r->at && is_blank(r->line[end - 1])) end--;
  const size_t n = end - r->at;
  if (n == 0) return record_fail(r, message, "a position must stand before the word moves");
  if (n >= sizeof text) return record_fail(r, message, "the position before the word moves is too long");
  const text_line position = {r->line + r->at, n};
  const size_t odd = text_find_odd(position);
  if (odd < n) return record_refuse_odd(r, r->at + odd, message);
  memcpy(text, position.text, n);
  text[n] = '\0';
  if (strpbrk(text, "{}()\""))
    return record_fail(r, message, "only a position may stand before the word moves");
  if (r->out->line == 0) r->out->line = r->number;
  const tauler_error error = record_set_position(r->out, text, &r->own);
  if (error) return record_error_at(r, r->number, record_column_of(r, r->at), error, message);
  r->at = moves + 5;
  return TAULER_OK;
}

static bool awaits_position(const record *r) {
  return !has_moves(r) && !record_tag_value(r, "FEN") && !record_tag_value(r, "Position");
}

static tauler_error open_variation(record_reader *r, tauler_message *message) {
  if (r->depth == RECORD_MOST_DEPTH) return record_fail(r, message, "variations lie too deep in each other");
  r->open[r->depth++] = (record_item){RECORD_OPEN, "", "", r->number, record_column_of(r, r->at)};
  const tauler_error error =
      record_add_part(r, RECORD_OPEN, "", "", r->number, record_column_of(r, r->at), message);
  r->at++;
  return error;
}

static tauler_error close_variation(record_reader *r, tauler_message *message) {
  if (r->depth == 0) return record_fail(r, message, "the bracket closes no variation");
  r->depth--;
  const tauler_error error =
      record_add_part(r, RECORD_CLOSE, "", "", r->number, record_column_of(r, r->at), message);
  r->at++;
  return error;
}

/* True if the next tag follows an empty line and repeats the name of an earlier tag, so that the next game
 * begins. */
static bool begins_tags(const record_reader *r) {
  const char *name = r->line + r->at + 1;
  while (is_blank(*name)) name++;
  const size_t length = tag_name_length(name);
  for (size_t i = 0; r->parted && i < r->out->tags_used; i++) {
    const char *met = r->out->tags[i].name;
    if (strlen(met) == length && strncasecmp(met, name, length) == 0) return true;
  }
  return false;
}

/* *moves becomes the place of the word "moves" if "POSITION moves" begins here, otherwise SIZE_MAX. */
static bool recognize_next_game(record_reader *r, size_t *moves) {
  const char c = r->line[r->at];
  *moves = SIZE_MAX;
  if (c == '{' || c == ';') return false;
  const bool first = r->unread;
  r->unread = false;
  if (r->depth > 0) return false;
  if (first && c != '[') *moves = find_moves(r);
  if (*moves != SIZE_MAX) return !awaits_position(r->out);
  if (c == '[') return has_moves(r->out) || begins_tags(r);
  return r->ended;
}

static tauler_error read_part(record_reader *r, size_t moves, tauler_message *message) {
  if (moves != SIZE_MAX) return read_position(r, moves, message);
  switch (r->line[r->at]) {
  case '[':
    if (r->depth > 0) return record_fail(r, message, "a tag inside a variation, which is not closed");
    return read_tag(r, message);
  case '{':
  case ';':
    return read_comment(r, message);
  case '(':
    return open_variation(r, message);
  case ')':
    return close_variation(r, message);
  default:
    return record_read_word(r, message);
  }
}

static tauler_error read_game(record_reader *r, tauler_message *message) {
  size_t moves;
  for (;;) {
    tauler_error error = skip_blanks(r, message);
    if (error) return error;
    if (!r->begun) break;
    if (recognize_next_game(r, &moves)) {
      r->unread = true;
      r->cut = !has_moves(r->out) && r->out->tags_used > 0;
      return TAULER_OK;
    }
    r->parted = false;
    error = read_part(r, moves, message);
    if (error) return error;
  }
  if (r->depth == 0) return TAULER_OK;
  const record_item *open = &r->open[r->depth - 1];
  return fail_at(r, open->line, open->column, "the variation is not closed, ) is missing", message);
}

tauler_error record_read(record_reader *r, record *out, bool *found, tauler_message *message) {
  *out = (record){.tags = NULL};
  *found = false;
  out->cut = r->cut;
  r->cut = false;
  r->out = out;
  r->depth = 0;
  r->ended = false;
  const tauler_error error = read_game(r, message);
  *found = !error && (out->tags_used > 0 || has_moves(out));
  if (!*found) record_free(out);
  return error;
}

tauler_error record_reader_open(FILE *file, const char *name, const char *game, record_reader **out,
                                tauler_message *message) {
  record_reader *r = calloc(1, sizeof *r);
  *out = r;
  if (!r) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %.200s", name);
  r->file = file;
  r->name = name;
  r->game = game;
  return TAULER_OK;
}

void record_reader_close(record_reader *r) {
  if (!r) return;
  free(r->line);
  free(r);
}
