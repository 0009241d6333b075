#include "games/phutball/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

_Static_assert(sizeof(phb_position) <= sizeof(game_position), "a position must fit");

phb_position phb_from_game(const game_position *game) {
  phb_position own;
  memcpy(&own, game->words, sizeof own);
  return own;
}

void phb_to_game(const phb_position *position, game_position *out) {
  memset(out, 0, sizeof *out);
  memcpy(out->words, position, sizeof *position);
}

/* --- symmetries --- */

static int mirror_point(const phb_position *position, int point) {
  const int columns = position->columns;
  return point - point % columns + columns - 1 - point % columns;
}

static int turn_point(const phb_position *position, int point) {
  return position->rows * position->columns - 1 - point;
}

static phb_position move_points(const phb_position *position, int (*image)(const phb_position *, int)) {
  phb_position moved = {.rows = position->rows, .columns = position->columns, .side = position->side};
  moved.ball = (uint16_t)image(position, position->ball);
  for (int word = 0; word < PHB_SET_WORDS; word++) {
    for (uint64_t men = position->men[word]; men; men &= men - 1)
      phb_set_man(&moved, image(position, word * 64 + __builtin_ctzll(men)), true);
  }
  return moved;
}

phb_position phb_mirror(const phb_position *position) {
  return move_points(position, mirror_point);
}

phb_position phb_turn_round(const phb_position *position) {
  phb_position turned = move_points(position, turn_point);
  turned.side = !position->side;
  return turned;
}

/* --- rule sets --- */

enum { CORNER, GOAL_LINE, FLAGS, MOST_TEXT = 256 };

/* A flag is written with its one value; what holds without it has no name. */
static const struct {
  const char *name, *value;
} known[FLAGS] = {[CORNER] = {"corner", "exit"}, [GOAL_LINE] = {"goal-line", "stop"}};

static const char preset[] = "base";

static int flag_named(const char *word, size_t length) {
  int flag = 0;
  while (flag < FLAGS && (strlen(known[flag].name) != length || memcmp(word, known[flag].name, length) != 0))
    flag++;
  return flag;
}

static tauler_error refuse_word(const char *word, bool first, tauler_message *message) {
  char name[MOST_TEXT];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  const char *names[FLAGS + 1];
  for (int flag = 0; flag < FLAGS; flag++) names[flag] = known[flag].name;
  names[FLAGS] = first ? preset : NULL;
  const char *near = *name ? text_nearest(name, names, FLAGS + 1) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE, "phutball has no %s '%.60s'; did you mean %s?",
                       first ? "rule set or flag" : "flag", word, near);
  return tauler_fail(
      message, TAULER_BAD_USAGE,
      "phutball has no %s '%.60s'; its one rule set is base, and the flags are corner=exit and "
      "goal-line=stop",
      first ? "rule set or flag" : "flag", word);
}

static tauler_error read_flag(const char *word, bool first, bool given[FLAGS], tauler_message *message) {
  const size_t length = strcspn(word, "=");
  const int flag = flag_named(word, length);
  if (flag == FLAGS) return refuse_word(word, first, message);
  const char *name = known[flag].name, *value = word[length] ? word + length + 1 : NULL;
  if (!value || strcmp(value, known[flag].value) != 0)
    return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of phutball is written %s=%s%s%.60s", name,
                       name, known[flag].value, value ? ", not with the value " : "", value ? value : "");
  if (given[flag]) return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s is given twice", name);
  given[flag] = true;
  return TAULER_OK;
}

static tauler_error read_flags(const char *text, bool given[FLAGS], tauler_message *message) {
  char words[MOST_TEXT];
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s…' is too long for rules of phutball", text);
  char *rest = words, *word = strsep(&rest, ",");
  tauler_error error = strcmp(word, preset) == 0 ? TAULER_OK : read_flag(word, true, given, message);
  while (!error && (word = strsep(&rest, ",")) != NULL) error = read_flag(word, false, given, message);
  return error;
}

tauler_error phb_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  *out = NULL;
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "phutball has no --cycles: infinite play is drawn under all of its rules, not '%.60s'",
                       cycles);
  bool given[FLAGS] = {false};
  const tauler_error error = read_flags(name ? name : preset, given, message);
  if (error) return error;
  game_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of phutball");
  rules->corner_exit = given[CORNER];
  rules->goal_line_stop = given[GOAL_LINE];
  snprintf(rules->text, sizeof rules->text, "%s%s%s", preset, rules->corner_exit ? ",corner=exit" : "",
           rules->goal_line_stop ? ",goal-line=stop" : "");
  *out = rules;
  return TAULER_OK;
}

void phb_close(game_rules *rules) {
  free(rules);
}
