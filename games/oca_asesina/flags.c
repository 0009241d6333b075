#include "games/oca_asesina/flags.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
  BOARD,
  GOOSE_1,
  COLOURS,
  CAPTURE,
  LOST_TURNS,
  LABYRINTH_EXIT,
  HOME,
  LAST_TOKEN,
  INTERACTION,
  LAST_TURN,
  PLAYERS,
  FLAGS,
  VALUES = 6,
  MOST_TEXT = 512
};

enum { BOARD_63, BOARD_20, BOARD_LINE };
enum { LAST_TOKEN_NONE, IMMUNE, NO_DEATH, NO_LOST_TURNS, NO_OVERSHOOT, NO_BOUNCE };

/* Values by their numbers, 0 the one of base; NULL: it has no name. */
static const struct {
  const char *name, *value[VALUES];
} known[FLAGS] = {
    [BOARD] = {"board", {"63", "20"}},
    [GOOSE_1] = {"goose-1", {NULL, "off"}},
    [COLOURS] = {"colours", {NULL, "2", "3"}},
    [CAPTURE] = {"capture", {NULL, "final-square"}},
    [LOST_TURNS] = {"lost-turns", {NULL, "die-with-token"}},
    [LABYRINTH_EXIT] = {"labyrinth-exit", {NULL, "roll"}},
    [HOME] = {"home", {NULL, "one-left"}},
    [LAST_TOKEN] = {"last-token", {NULL, "immune", "no-death", "no-lost-turns", "no-overshoot", "no-bounce"}},
    [INTERACTION] = {"interaction", {NULL, "off"}},
    [LAST_TURN] = {"last-turn", {NULL, "off"}},
    [PLAYERS] = {"players", {"2", "3", "4", "5", "6"}},
};

static const char preset[] = "base";

typedef struct {
  uint8_t value[FLAGS];
  bool given[FLAGS];
  goose_board board; /* if it is given by its line */
} choice;

static void add(char *text, size_t room, const char *more) {
  const size_t used = strlen(text);
  snprintf(text + used, room - used, "%s", more);
}

/* --- refusals --- */

static void list_values(int flag, char *text, size_t room) {
  const char *between = "";
  for (int v = 0; v < VALUES; v++) {
    if (!known[flag].value[v]) continue;
    add(text, room, between);
    add(text, room, known[flag].value[v]);
    between = "|";
  }
}

static tauler_error refuse_flag(const char *name, bool first, tauler_message *message) {
  const char *what = first ? "rule set or flag" : "flag";
  const char *names[FLAGS + 1];
  char all[MOST_TEXT] = "";
  for (int flag = 0; flag < FLAGS; flag++) {
    names[flag] = known[flag].name;
    add(all, sizeof all, flag ? ", " : "");
    add(all, sizeof all, known[flag].name);
    add(all, sizeof all, "=");
    list_values(flag, all, sizeof all);
  }
  names[FLAGS] = first ? preset : NULL;
  const char *near = *name ? text_nearest(name, names, FLAGS + 1) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE, "la oca asesina has no %s '%.60s'; did you mean %s?", what,
                       name, near);
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "la oca asesina has no %s '%.60s'; its one rule set is base, and the flags are %s", what,
                     name, all);
}

static tauler_error refuse_value(int flag, const char *value, tauler_message *message) {
  const char *name = known[flag].name;
  char all[MOST_TEXT] = "";
  list_values(flag, all, sizeof all);
  const char *near = value && *value ? text_nearest(value, known[flag].value, VALUES) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the flag %s of la oca asesina has no value '%.60s'; did you mean %s=%s?", name, value,
                       name, near);
  return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of la oca asesina needs a value: %s=%s%s%s%.60s",
                     name, name, all, value ? ", not '" : "", value ? value : "", value ? "'" : "");
}

static tauler_error contradict(const choice *flags, int one, int other, const char *why,
                               tauler_message *message) {
  return tauler_fail(message, TAULER_BAD_USAGE, "%s=%s contradicts %s=%s: %s", known[one].name,
                     known[one].value[flags->value[one]], known[other].name,
                     known[other].value[flags->value[other]], why);
}

static tauler_error check_contradictions(const choice *flags, tauler_message *message) {
  static const struct {
    int one, other;
    const char *why;
  } pairs[] = {
      {CAPTURE, INTERACTION, "nothing is captured then"},
      {LOST_TURNS, INTERACTION, "nothing is captured then"},
      {LAST_TOKEN, HOME, "who has one token left has finished"},
      {PLAYERS, COLOURS, "three players and more have one token each"},
      {PLAYERS, HOME, "three players and more have one token each"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (flags->value[pairs[i].one] && flags->value[pairs[i].other])
      return contradict(flags, pairs[i].one, pairs[i].other, pairs[i].why, message);
  }
  return TAULER_OK;
}

/* --- boards --- */

static tauler_error refuse_board(const char *why, tauler_message *message) {
  return tauler_fail(message, TAULER_BAD_USAGE, "the board is none of la oca asesina: %s", why);
}

static tauler_error check_board(const goose_board *board, tauler_message *message) {
  const int labyrinth = goose_board_find(board, GOOSE_LABYRINTH),
            death = goose_board_find(board, GOOSE_DEATH);
  const int well = goose_board_find(board, GOOSE_WELL);
  if (labyrinth && board->square[labyrinth].turns)
    return refuse_board("its labyrinth takes turns; it must lead to a square, as labyrinth 42 to 30",
                        message);
  if (well && !board->square[well].turns)
    return refuse_board("its well keeps tokens until somebody comes; turns are lost there, as well 31 2",
                        message);
  if (death && board->square[death].to)
    return refuse_board("its death does not lead to the start, as death 58 to 0", message);
  return TAULER_OK;
}

static tauler_error make_board(const choice *flags, goose_board *out, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (flags->value[BOARD] == BOARD_LINE) {
    *out = flags->board;
  } else {
    const bool large = flags->value[BOARD] == BOARD_63;
    error = goose_board_read(large ? "63" : "20", large ? goose_board_asesina_63 : goose_board_asesina_20,
                             out, message);
  }
  if (!error) error = check_board(out, message);
  if (!error && flags->value[GOOSE_1] && !goose_board_drop_goose(out, 1))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "goose-1=off contradicts the board: its square 1 is no goose anyhow");
  return error;
}

/* A line of a board that has a short name is that board. */
static tauler_error read_board_line(const char *line, choice *flags, tauler_message *message) {
  static const char *const named[] = {goose_board_asesina_63, goose_board_asesina_20};
  tauler_error error = goose_board_read_line(line, &flags->board, message);
  flags->value[BOARD] = BOARD_LINE;
  for (int i = BOARD_63; !error && i < BOARD_LINE; i++) {
    goose_board board;
    error = goose_board_read(known[BOARD].value[i], named[i], &board, message);
    if (!error && goose_board_equal(&board, &flags->board)) flags->value[BOARD] = (uint8_t)i;
  }
  return error;
}

tauler_error ase_board_flag(const char *board, char flag[GAME_TEXT_BYTES], tauler_message *message) {
  for (int i = BOARD_63; i < BOARD_LINE; i++) {
    if (strcmp(board, known[BOARD].value[i]) != 0) continue;
    snprintf(flag, GAME_TEXT_BYTES, "board=%s", board);
    return TAULER_OK;
  }
  goose_board read;
  const tauler_error error = goose_board_load(board, &read, message);
  if (error) return error;
  char line[GOOSE_LINE_BYTES];
  goose_board_write(&read, line);
  snprintf(flag, GAME_TEXT_BYTES, "board=%s", line);
  return TAULER_OK;
}

/* --- reading --- */

static int flag_named(const char *name) {
  int flag = 0;
  while (flag < FLAGS && strcmp(name, known[flag].name) != 0) flag++;
  return flag;
}

static int value_named(int flag, const char *name) {
  int value = 0;
  while (value < VALUES && !(known[flag].value[value] && strcmp(name, known[flag].value[value]) == 0))
    value++;
  return value;
}

static tauler_error read_flag(char *word, bool first, choice *flags, tauler_message *message) {
  char *equals = strchr(word, '=');
  if (equals) *equals = '\0';
  const char *given = equals ? equals + 1 : NULL;
  const int flag = flag_named(word);
  if (flag == FLAGS) return refuse_flag(word, first, message);
  if (flags->given[flag])
    return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s is given twice", known[flag].name);
  flags->given[flag] = true;
  if (flag == BOARD && given && strchr(given, '_')) return read_board_line(given, flags, message);
  const int value = given ? value_named(flag, given) : VALUES;
  if (value == VALUES) return refuse_value(flag, given, message);
  flags->value[flag] = (uint8_t)value;
  return TAULER_OK;
}

static tauler_error read_words(const char *text, choice *flags, tauler_message *message) {
  char words[MOST_TEXT];
  if (!text) text = preset;
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s…' is too long for rules of la oca asesina", text);
  char *rest = words, *word = strsep(&rest, ",");
  tauler_error error = strcmp(word, preset) == 0 ? TAULER_OK : read_flag(word, true, flags, message);
  while (!error && (word = strsep(&rest, ",")) != NULL) error = read_flag(word, false, flags, message);
  return error;
}

/* --- writing --- */

static void write_text(const choice *flags, char text[ASE_RULES_BYTES]) {
  char line[GOOSE_LINE_BYTES] = "";
  if (flags->value[BOARD] == BOARD_LINE) goose_board_write(&flags->board, line);
  snprintf(text, ASE_RULES_BYTES, "%s", preset);
  for (int flag = 0; flag < FLAGS; flag++) {
    const int value = flags->value[flag];
    if (!value) continue;
    add(text, ASE_RULES_BYTES, ",");
    add(text, ASE_RULES_BYTES, known[flag].name);
    add(text, ASE_RULES_BYTES, "=");
    add(text, ASE_RULES_BYTES, flag == BOARD && value == BOARD_LINE ? line : known[flag].value[value]);
  }
}

static ase_flags flags_of(const uint8_t value[FLAGS]) {
  const int last = value[LAST_TOKEN];
  return (ase_flags){
      .goose_1_off = value[GOOSE_1],
      .colours = (uint8_t)(value[COLOURS] + 1),
      .capture_on_final_square = value[CAPTURE],
      .lost_turns_die = value[LOST_TURNS],
      .labyrinth_exit_rolls = value[LABYRINTH_EXIT],
      .home_one_left = value[HOME],
      .no_death = last == IMMUNE || last == NO_DEATH,
      .no_lost_turns = last == IMMUNE || last == NO_LOST_TURNS,
      .no_overshoot = last == IMMUNE || last == NO_OVERSHOOT,
      .no_bounce = last == IMMUNE || last == NO_BOUNCE,
      .no_interaction = value[INTERACTION],
      .no_last_turn = value[LAST_TURN],
      .players = (uint8_t)(value[PLAYERS] + 2),
  };
}

tauler_error ase_flags_read(const char *text, game_rules *out, tauler_message *message) {
  choice flags = {0};
  tauler_error error = read_words(text, &flags, message);
  if (!error) error = check_contradictions(&flags, message);
  if (!error) error = make_board(&flags, &out->board, message);
  if (error) return error;
  out->flags = flags_of(flags.value);
  write_text(&flags, out->text);
  return TAULER_OK;
}
