#include "games/doushouqi/flags.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
  WOLF_OVER_DOG,
  LEOPARD,
  CLEARINGS,
  LAKES,
  DRINKERS,
  JUMP_BLOCK,
  STALEMATE,
  ELEPHANT_TAKES_RAT,
  RAT_SHORE,
  FLAGS,
  VALUES = 3,
  MOST_TEXT = 512
};

/* Values by their numbers, 0 the one of base; NULL: it has no name. A flag without any has 1 when it is
 * given. */
static const struct {
  const char *name, *value[VALUES];
} known[FLAGS] = {
    [WOLF_OVER_DOG] = {"wolf-over-dog", {NULL}},  [LEOPARD] = {"leopard", {"narrow", "wide", "none"}},
    [CLEARINGS] = {"clearings", {NULL}},          [LAKES] = {"lakes", {"water", "plain", "drink"}},
    [DRINKERS] = {"drinkers", {NULL, "block"}},   [JUMP_BLOCK] = {"jump-block", {NULL, "path"}},
    [STALEMATE] = {"stalemate", {NULL, "loss"}},  [ELEPHANT_TAKES_RAT] = {"elephant-takes-rat", {NULL}},
    [RAT_SHORE] = {"rat-shore", {NULL, "liacs"}},
};

typedef struct {
  uint8_t value[FLAGS];
  bool given[FLAGS];
} choice;

enum { BASE, LIACS, PRESETS };

static const struct {
  const char *name;
  choice flags;
} presets[PRESETS] = {
    [BASE] = {"base", {{0}, {false}}},
    [LIACS] = {"liacs",
               {{[LEOPARD] = LEOPARD_NONE,
                 [JUMP_BLOCK] = 1,
                 [STALEMATE] = 1,
                 [ELEPHANT_TAKES_RAT] = 1,
                 [RAT_SHORE] = 1},
                {false}}},
};

static bool takes_values(int flag) {
  return known[flag].value[1] != NULL;
}

static void add(char *text, size_t room, const char *more) {
  const size_t used = strlen(text);
  snprintf(text + used, room - used, "%s", more);
}

static void add_flag(char *text, size_t room, int flag, int value) {
  add(text, room, known[flag].name);
  if (!takes_values(flag)) return;
  add(text, room, "=");
  add(text, room, known[flag].value[value]);
}

static void list_values(int flag, char *text, size_t room) {
  const char *between = "";
  for (int v = 0; v < VALUES; v++) {
    if (!known[flag].value[v]) continue;
    add(text, room, between);
    add(text, room, known[flag].value[v]);
    between = "|";
  }
}

static void list_flags(char *text, size_t room) {
  for (int flag = 0; flag < FLAGS; flag++) {
    if (flag) add(text, room, ", ");
    add(text, room, known[flag].name);
    if (!takes_values(flag)) continue;
    add(text, room, "=");
    list_values(flag, text, room);
  }
}

static int flag_named(const char *name) {
  for (int flag = 0; flag < FLAGS; flag++) {
    if (strcmp(name, known[flag].name) == 0) return flag;
  }
  return FLAGS;
}

static tauler_error refuse_flag(const char *name, tauler_message *message) {
  const char *names[FLAGS];
  for (int flag = 0; flag < FLAGS; flag++) names[flag] = known[flag].name;
  const char *near = *name ? text_nearest(name, names, FLAGS) : NULL;
  char all[MOST_TEXT] = "";
  list_flags(all, sizeof all);
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "dou shou qi has no flag '%.60s'; did you mean %s? the flags are: %s", name, near,
                       all);
  return tauler_fail(message, TAULER_BAD_USAGE, "dou shou qi has no flag '%.60s'; the flags are: %s", name,
                     all);
}

static tauler_error refuse_value(int flag, const char *value, tauler_message *message) {
  const char *name = known[flag].name;
  if (!takes_values(flag))
    return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of dou shou qi takes no value, not '%.60s'",
                       name, value);
  char all[MOST_TEXT] = "";
  list_values(flag, all, sizeof all);
  const char *near = value ? text_nearest(value, known[flag].value, VALUES) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the flag %s of dou shou qi has no value '%.60s'; did you mean %s=%s?", name, value,
                       name, near);
  return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of dou shou qi needs a value: %s=%s%s%.60s",
                     name, name, all, value ? ", not " : "", value ? value : "");
}

static tauler_error read_flag(char *word, choice *flags, tauler_message *message) {
  char *equals = strchr(word, '=');
  if (equals) *equals = '\0';
  const char *given = equals ? equals + 1 : NULL;
  const int flag = flag_named(word);
  if (flag == FLAGS) return refuse_flag(word, message);
  int value = 1;
  if (takes_values(flag)) {
    for (value = 0; value < VALUES; value++) {
      if (given && known[flag].value[value] && strcmp(given, known[flag].value[value]) == 0) break;
    }
    if (value == VALUES) return refuse_value(flag, given, message);
  } else if (given) {
    return refuse_value(flag, given, message);
  }
  if (flags->given[flag])
    return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s is given twice", known[flag].name);
  flags->given[flag] = true;
  flags->value[flag] = (uint8_t)value;
  return TAULER_OK;
}

static tauler_error contradict(int preset, const choice *flags, int one, int other, const char *why,
                               tauler_message *message) {
  char first[64] = "", second[64] = "";
  add_flag(first, sizeof first, one, flags->value[one]);
  add_flag(second, sizeof second, other, flags->value[other]);
  const bool by_name = !flags->given[other];
  return tauler_fail(message, TAULER_BAD_USAGE, "%s contradicts %s%s%s: %s", first, second,
                     by_name ? ", which is part of " : "", by_name ? presets[preset].name : "", why);
}

static tauler_error check_contradictions(int preset, const choice *flags, tauler_message *message) {
  static const int of_lakes[] = {LEOPARD, DRINKERS, JUMP_BLOCK, RAT_SHORE};
  if (flags->value[LAKES] == LAKES_PLAIN) {
    for (size_t i = 0; i < sizeof of_lakes / sizeof *of_lakes; i++) {
      const int other = of_lakes[i];
      if (flags->given[other] || flags->value[other])
        return contradict(preset, flags, LAKES, other, "there are no jumps and no water then", message);
    }
  }
  if (flags->value[DRINKERS] && flags->value[LAKES] != LAKES_DRINK)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "drinkers=block contradicts lakes=water: nobody drinks without lakes=drink");
  return TAULER_OK;
}

/* The rule set that the first word names, BASE if it is a flag. */
static tauler_error read_preset(const char *word, int *preset, tauler_message *message) {
  const char *names[PRESETS];
  for (*preset = 0; *preset < PRESETS; ++*preset) {
    names[*preset] = presets[*preset].name;
    if (strcmp(word, names[*preset]) == 0) return TAULER_OK;
  }
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  *preset = BASE;
  if (flag_named(name) != FLAGS) return TAULER_OK;
  const char *near = text_nearest(word, names, PRESETS);
  if (*word && near)
    return tauler_fail(message, TAULER_BAD_USAGE, "dou shou qi has no rule set '%.60s'; did you mean %s?",
                       word, near);
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "dou shou qi has no rule set '%.60s': choose base or liacs, flags behind it", word);
}

tauler_error dsq_flags_read(const char *text, dsq_flags *out, tauler_message *message) {
  char words[MOST_TEXT];
  if (!text) text = presets[BASE].name;
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s…' is too long for rules of dou shou qi", text);
  int preset;
  char *rest = words, *word = strsep(&rest, ",");
  tauler_error error = read_preset(word, &preset, message);
  if (error) return error;
  choice flags = presets[preset].flags;
  if (strcmp(word, presets[preset].name) == 0) word = strsep(&rest, ",");
  for (; !error && word; word = strsep(&rest, ",")) error = read_flag(word, &flags, message);
  if (!error) error = check_contradictions(preset, &flags, message);
  if (error) return error;
  *out = (dsq_flags){
      .wolf_over_dog = flags.value[WOLF_OVER_DOG],
      .clearings = flags.value[CLEARINGS],
      .drinkers_block = flags.value[DRINKERS],
      .jump_block_path = flags.value[JUMP_BLOCK],
      .stalemate_loses = flags.value[STALEMATE],
      .elephant_takes_rat = flags.value[ELEPHANT_TAKES_RAT],
      .shore_liacs = flags.value[RAT_SHORE],
      .leopard = (leopard_jumps)flags.value[LEOPARD],
      .lakes = (lake_kind)flags.value[LAKES],
  };
  return TAULER_OK;
}

void dsq_flags_write(const dsq_flags *flags, char text[DSQ_RULES_BYTES]) {
  const uint8_t value[FLAGS] = {
      [WOLF_OVER_DOG] = flags->wolf_over_dog, [LEOPARD] = (uint8_t)flags->leopard,
      [CLEARINGS] = flags->clearings,         [LAKES] = (uint8_t)flags->lakes,
      [DRINKERS] = flags->drinkers_block,     [JUMP_BLOCK] = flags->jump_block_path,
      [STALEMATE] = flags->stalemate_loses,   [ELEPHANT_TAKES_RAT] = flags->elephant_takes_rat,
      [RAT_SHORE] = flags->shore_liacs,
  };
  int preset = LIACS;
  for (int flag = 0; flag < FLAGS; flag++) {
    if (flag != LEOPARD && presets[LIACS].flags.value[flag] && !value[flag]) preset = BASE;
  }
  snprintf(text, DSQ_RULES_BYTES, "%s", presets[preset].name);
  for (int flag = 0; flag < FLAGS; flag++) {
    if (value[flag] == presets[preset].flags.value[flag]) continue;
    add(text, DSQ_RULES_BYTES, ",");
    add_flag(text, DSQ_RULES_BYTES, flag, value[flag]);
  }
}
