/* Reads the words of records: moves with their numbers and marks, and endings. */
#include <ctype.h>
#include <string.h>

#include "analysis/records/record.h"
#include "base/text.h"
#include "base/told.h"
#include "games/game_record.h"
#include "games/registry.h"

enum { MOST_WORD = 4096, SHOWN = 60, MOST_ENDING_DIGITS = 3 };

static bool is_ending(const char *word) {
  if (strcmp(word, "*") == 0 || strcmp(word, "1/2-1/2") == 0) return true;
  const size_t first = strspn(word, "0123456789");
  if (first == 0 || first > MOST_ENDING_DIGITS || word[first] != '-') return false;
  const size_t second = strspn(word + first + 1, "0123456789");
  return second > 0 && second <= MOST_ENDING_DIGITS && word[first + 1 + second] == '\0';
}

/* Skips "12.", "12..." or "12". Returns false if the digits belong to another word. */
static bool skip_number(const char **word) {
  const size_t digits = strspn(*word, "0123456789"), dots = strspn(*word + digits, ".");
  if (digits + dots == 0) return true;
  if ((*word)[digits + dots] && !dots) return false;
  *word += digits + dots;
  return true;
}

static tauler_error fail_word(record_reader *r, const char *word, size_t column, const char *why,
                              tauler_message *message) {
  char shown[SHOWN + 1];
  tauler_message cause;
  snprintf(shown, sizeof shown, "%s", word);
  (void)tauler_fail(&cause, TAULER_BAD_POSITION, "%s", why);
  const tauler_error error =
      tauler_fail(&r->own, TAULER_BAD_POSITION, "'%s%s' %s", shown, strlen(word) > SHOWN ? "…" : "", why);
  (void)told_because(&r->own, told_of(cause.text, sizeof cause.text), error);
  return record_error_at(r, r->number, column, error, message);
}

static tauler_error add_mark(record_reader *r, const char *mark, size_t column, tauler_message *message) {
  record *out = r->out;
  record_item *last = out->items_used ? &out->items[out->items_used - 1] : NULL;
  if (!last || last->kind != RECORD_MOVE || strlen(last->mark) + strlen(mark) > SHOWN)
    return fail_word(r, mark, column, "is a mark that follows no move", message);
  char joined[2 * SHOWN + 2];
  record_item marked = *last;
  snprintf(joined, sizeof joined, "%s %s", last->mark, mark);
  marked.mark = joined;
  out->items_used--;
  const tauler_error error = record_add_item(out, &marked, &r->own);
  return record_error_at(r, r->number, record_column_of(r, r->at), error, message);
}

static size_t count_marks_at_end(const char *word) {
  size_t length = strlen(word), marks = 0;
  while (marks < length && strchr("!?", word[length - 1 - marks])) marks++;
  return marks;
}

static tauler_error add_move_word(record_reader *r, char *word, size_t length, size_t column,
                                  tauler_message *message) {
  char text[MOST_WORD];
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  if (strcmp(text, "moves") == 0)
    return fail_word(r, text, column, "stands between a position and its moves, on one line with both",
                     message);
  return record_add_part(r, RECORD_MOVE, text, word + length, r->number, column, message);
}

/* Returns the bytes of a move: a pit, "f", or squares as PlayStrategy writes them, "f1" and "f1b2". */
static size_t move_length(const char *word) {
  size_t n = strchr("12", word[1]) && word[1] ? 2 : 1;
  const bool two = n == 2 && word[2] >= 'a' && word[2] <= 'f' && word[3] && strchr("12", word[3]);
  return two ? 4 : n;
}

/* Adds the moves in a word such as "FfBe", "f1b2" or "b+2", where +2 is the number of captured seeds. */
static tauler_error add_letters(record_reader *r, char *word, size_t column, tauler_message *message) {
  tauler_error error = TAULER_OK;
  while (*word && !error) {
    if (!strchr("ABCDEFabcdef", *word))
      return fail_word(r, word, column, "is no move of aualé, which is a letter of A-F or a-f", message);
    const size_t length = move_length(word);
    char *end = word + length;
    if (*end == '+' && isdigit((unsigned char)end[1]))
      for (end++; isdigit((unsigned char)*end);) end++;
    end += strspn(end, "!?");
    if (end - word > SHOWN) return fail_word(r, word, column, "is no move", message);
    const char kept = *end;
    *end = '\0';
    error = add_move_word(r, word, length, column, message);
    *end = kept;
    column += (size_t)(end - word);
    word = end;
  }
  return error;
}

static tauler_error add_word(record_reader *r, char *word, size_t column, tauler_message *message) {
  const char *begun = word, *rest = word;
  if (is_ending(word)) {
    r->ended = r->depth == 0;
    return record_add_part(r, RECORD_ENDING, word, "", r->number, column, message);
  }
  if (*word == '$' && word[1] && strspn(word + 1, "0123456789") == strlen(word + 1))
    return add_mark(r, word, column, message);
  if (*word && strspn(word, "!?") == strlen(word)) return add_mark(r, word, column, message);
  const bool numbered = skip_number(&rest);
  if (numbered && !*rest) return TAULER_OK;
  if (!numbered || !isalpha((unsigned char)*rest))
    return fail_word(r, word, column, "is neither a move nor the number of one, nor a result", message);
  word += rest - begun;
  column += (size_t)(rest - begun);
  const char *name = record_game_name(r->out, r->game);
  const game *of = name ? game_called(name) : NULL;
  if (of && of->record && of->record->letters) return add_letters(r, word, column, message);
  const size_t marks = count_marks_at_end(word);
  if (marks > SHOWN) return fail_word(r, word, column, "is no move", message);
  return add_move_word(r, word, strlen(word) - marks, column, message);
}

tauler_error record_read_word(record_reader *r, tauler_message *message) {
  char word[MOST_WORD];
  const size_t column = record_column_of(r, r->at);
  size_t n = 0;
  while (!record_ends_word(r->line[r->at + n])) n++;
  if (n == 0) {
    const char found[] = {r->line[r->at], '\0'};
    return fail_word(r, found, column, "is not expected here", message);
  }
  const size_t odd = text_find_odd((text_line){r->line + r->at, n});
  if (odd < n) return record_refuse_odd(r, r->at + odd, message);
  if (n >= sizeof word) return record_fail(r, message, "the word is too long for a move");
  memcpy(word, r->line + r->at, n);
  word[n] = '\0';
  r->at += n;
  return add_word(r, word, column, message);
}
