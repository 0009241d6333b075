/* Rule sets of Oca as they are written, "base,dice=2,goose-59=stay", and what their flags change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "games/oca/rules.h"

/* From GOOSE_1 on flags that change squares of the board. */
enum {
  DICE,
  START,
  GOOSE_59,
  GOOSE_1,
  INN,
  PRISON,
  LABYRINTH,
  DEATH,
  WELL,
  FLAGS,
  VALUES = 3,
  MOST_TEXT = 512
};

/* Values by their numbers; NULL: it has no name. 0 is what holds without the flag. */
static const struct {
  const char *name, *value[VALUES];
} known[FLAGS] = {
    [DICE] = {"dice", {NULL, "2"}},
    [START] = {"start", {NULL, "1"}},
    [GOOSE_59] = {"goose-59", {"win", "bounce", "stay"}},
    [GOOSE_1] = {"goose-1", {NULL, "off"}},
    [INN] = {"inn", {NULL, "1"}},
    [PRISON] = {"prison", {NULL, "2"}},
    [LABYRINTH] = {"labyrinth", {NULL, "30"}},
    [DEATH] = {"death", {NULL, "start"}},
    [WELL] = {"well", {NULL, "off"}},
};

static const char preset[] = "base", board_name[] = "board";

typedef struct {
  bool given[FLAGS], board_given;
  int value[FLAGS];
  goose_board board;
} choice;

/* --- words ---------------------------------------------------------------------------------------------- */

static tauler_error refuse_word(const char *word, bool first, tauler_message *message) {
  const char *what = first ? "rule set or flag" : "flag";
  const char *names[FLAGS + 2];
  for (int flag = 0; flag < FLAGS; flag++) names[flag] = known[flag].name;
  names[FLAGS] = board_name;
  names[FLAGS + 1] = first ? preset : NULL;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  const char *near = *name ? text_nearest(name, names, FLAGS + 2) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE, "oca has no %s '%.60s'; did you mean %s?", what, word,
                       near);
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "oca has no %s '%.60s'; its one rule set is base, and the flags are dice=2, start=1, "
                     "goose-59=win|bounce|stay, goose-1=off, inn=1, prison=2, labyrinth=30, death=start, "
                     "well=off and board=…",
                     what, word);
}

static tauler_error refuse_value(int flag, const char *value, tauler_message *message) {
  char all[64] = "";
  for (int v = 0; v < VALUES; v++) {
    const size_t used = strlen(all);
    const char *one = known[flag].value[v];
    if (one) snprintf(all + used, sizeof all - used, "%s%s", used ? "|" : "", one);
  }
  return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of oca is written %s=%s%s%.60s",
                     known[flag].name, known[flag].name, all, value ? ", not with the value " : "",
                     value ? value : "");
}

static tauler_error read_value(const char *value, int flag, choice *out, tauler_message *message) {
  if (out->given[flag])
    return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s is given twice", known[flag].name);
  out->given[flag] = true;
  for (int v = 0; value && v < VALUES; v++) {
    if (!known[flag].value[v] || strcmp(value, known[flag].value[v]) != 0) continue;
    out->value[flag] = v;
    return TAULER_OK;
  }
  return refuse_value(flag, value, message);
}

static tauler_error read_board(const char *value, choice *out, tauler_message *message) {
  if (out->board_given) return tauler_fail(message, TAULER_BAD_USAGE, "the flag board is given twice");
  out->board_given = true;
  return goose_board_read_line(value ? value : "", &out->board, message);
}

static tauler_error read_word(const char *word, bool first, choice *out, tauler_message *message) {
  if (first && strcmp(word, preset) == 0) return TAULER_OK;
  const size_t length = strcspn(word, "=");
  const char *value = word[length] ? word + length + 1 : NULL;
  if (length == strlen(board_name) && memcmp(word, board_name, length) == 0)
    return read_board(value, out, message);
  for (int flag = 0; flag < FLAGS; flag++) {
    if (strlen(known[flag].name) == length && memcmp(word, known[flag].name, length) == 0)
      return read_value(value, flag, out, message);
  }
  return refuse_word(word, first, message);
}

static tauler_error read_words(const char *text, choice *out, tauler_message *message) {
  char words[MOST_TEXT];
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s…' is too long for rules of oca", text);
  char *rest = words, *word;
  bool first = true;
  tauler_error error = TAULER_OK;
  while (!error && (word = strsep(&rest, ",")) != NULL) {
    error = read_word(word, first, out, message);
    first = false;
  }
  return error;
}

/* --- boards --------------------------------------------------------------------------------------------- */

static void change_squares(const int value[FLAGS], goose_board *board) {
  goose_square *const square = board->square;
  if (value[GOOSE_1]) goose_board_drop_goose(board, 1);
  if (value[INN]) square[goose_board_find(board, GOOSE_INN)].turns = 1;
  if (value[PRISON]) square[goose_board_find(board, GOOSE_PRISON)].turns = 2;
  if (value[LABYRINTH])
    square[goose_board_find(board, GOOSE_LABYRINTH)] = (goose_square){GOOSE_LABYRINTH, 30, 0};
  if (value[DEATH]) square[goose_board_find(board, GOOSE_DEATH)].to = 0;
  if (value[WELL]) square[goose_board_find(board, GOOSE_WELL)] = (goose_square){GOOSE_PLAIN, 0, 0};
}

/* Flags that make the board of 63 squares the one given are put in its place, so that a rule set has one
 * text. */
static void name_board(const goose_board *usual, choice *c) {
  int value[FLAGS] = {0};
  for (int set = 0; c->board_given && set < 1 << (FLAGS - GOOSE_1); set++) {
    for (int flag = GOOSE_1; flag < FLAGS; flag++) value[flag] = set >> (flag - GOOSE_1) & 1;
    goose_board changed = *usual;
    change_squares(value, &changed);
    if (!goose_board_equal(&changed, &c->board)) continue;
    for (int flag = GOOSE_1; flag < FLAGS; flag++) c->value[flag] = value[flag];
    c->board_given = false;
  }
}

static tauler_error check_board(const choice *c, tauler_message *message) {
  for (int flag = GOOSE_1; flag < FLAGS; flag++) {
    if (c->board_given && c->given[flag])
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "%s=%s contradicts board=…, which itself says what its squares do", known[flag].name,
                         known[flag].value[1]);
  }
  return TAULER_OK;
}

static tauler_error check_rules(const game_rules *rules, tauler_message *message) {
  const goose_board *board = &rules->board;
  if (board->length < 6 * rules->dice)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a board of %d squares is too short for a roll of %d; it needs %d squares at least",
                       board->length, 6 * rules->dice, 6 * rules->dice);
  const uint8_t kind = board->square[rules->start].kind;
  if (kind != GOOSE_PLAIN && kind != GOOSE_GOOSE)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "start=1 needs a board whose square 1 is a goose or of no kind at all");
  return TAULER_OK;
}

/* --- rule sets ------------------------------------------------------------------------------------------ */

static void write_text(const choice *c, const game_rules *rules, char text[OCA_RULES_BYTES]) {
  size_t used = (size_t)snprintf(text, OCA_RULES_BYTES, "%s", preset);
  for (int flag = 0; flag < FLAGS; flag++) {
    if (c->value[flag])
      used += (size_t)snprintf(text + used, OCA_RULES_BYTES - used, ",%s=%s", known[flag].name,
                               known[flag].value[c->value[flag]]);
  }
  if (!c->board_given) return;
  char line[GOOSE_LINE_BYTES];
  goose_board_write(&rules->board, line);
  snprintf(text + used, OCA_RULES_BYTES - used, ",%s=%s", board_name, line);
}

static tauler_error fill(choice *c, game_rules *rules, tauler_message *message) {
  goose_board usual;
  tauler_error error = goose_board_read("the board of oca", goose_board_oca_63, &usual, message);
  if (error) return error;
  name_board(&usual, c);
  rules->board = c->board_given ? c->board : usual;
  change_squares(c->value, &rules->board);
  rules->dice = c->value[DICE] ? 2 : 1;
  rules->start = c->value[START];
  rules->last_goose = (last_goose)c->value[GOOSE_59];
  write_text(c, rules, rules->text);
  error = check_rules(rules, message);
  if (!error) oca_statuses_open(rules);
  return error;
}

tauler_error oca_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  *out = NULL;
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "oca has no --cycles: the dice end every game sooner or later, not '%.60s'", cycles);
  choice c = {{false}, false, {0}, {0}};
  tauler_error error = read_words(name ? name : preset, &c, message);
  if (!error) error = check_board(&c, message);
  if (error) return error;
  game_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of oca");
  error = fill(&c, rules, message);
  if (error) {
    oca_close(rules);
    return error;
  }
  *out = rules;
  return TAULER_OK;
}

void oca_close(game_rules *rules) {
  free(rules);
}
