/* Reads and writes rule sets with flags, as a game's table lists them. */
#include "games/rule_flags.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool accepts_value(const rule_flag *flag) {
  for (int v = 0; v < RULE_VALUES; v++) {
    if (flag->value[v]) return true;
  }
  return flag->free != 0;
}

static void add_flag(const rule_flag *flag, int value, const char *free, char *text, size_t room) {
  text_add(text, room, "%s", flag->name);
  if (!accepts_value(flag)) return;
  text_add(text, room, "=%s", value == RULE_FREE ? free : flag->value[value]);
}

/* --- refusals --- */

static void add_values(const rule_flag *flag, char *text, size_t room) {
  const char *between = "=";
  for (int v = 0; v < RULE_VALUES; v++) {
    if (!flag->value[v]) continue;
    text_add(text, room, "%s%s", between, flag->value[v]);
    between = "|";
  }
  if (flag->free) text_add(text, room, "%s…", between);
}

static void list_words(const rule_flags *known, char *text, size_t room) {
  text_add(text, room, "%s", known->n_sets == 1 ? "its one rule set is " : "its rule sets are ");
  for (size_t s = 0; s < known->n_sets; s++)
    text_add(text, room, "%s%s", s == 0 ? "" : " and ", known->sets[s].name);
  if (known->n_flags == 0) return;
  text_add(text, room, "%s", known->n_flags == 1 ? ", and the flag is " : ", and the flags are ");
  for (size_t f = 0; f < known->n_flags; f++) {
    text_add(text, room, "%s%s", f == 0 ? "" : ", ", known->flags[f].name);
    add_values(&known->flags[f], text, room);
  }
}

static tauler_error refuse_word(const rule_flags *known, const char *word, bool first,
                                tauler_message *message) {
  enum { MOST_SETS = 8 };
  const char *names[RULE_FLAGS + MOST_SETS];
  size_t n = 0;
  while (n < known->n_flags) names[n] = known->flags[n].name, n++;
  for (size_t s = 0; first && s < known->n_sets && s < MOST_SETS; s++) names[n++] = known->sets[s].name;
  const char *what = first ? "rule set or flag" : "flag";
  const char *near = *word ? text_nearest(word, names, n) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s has no %s '%.60s'; did you mean %s?", known->game, what,
                       word, near);
  char all[RULE_BYTES] = "";
  list_words(known, all, sizeof all);
  return tauler_fail(message, TAULER_BAD_USAGE, "%s has no %s '%.60s'; %s", known->game, what, word, all);
}

static tauler_error refuse_value(const rule_flags *known, const rule_flag *flag, const char *value,
                                 tauler_message *message) {
  if (!accepts_value(flag))
    return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of %s takes no value, not '%.60s'", flag->name,
                       known->game, value);
  const char *near = value && *value ? text_nearest(value, flag->value, RULE_VALUES) : NULL;
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the flag %s of %s has no value '%.60s'; did you mean %s=%s?", flag->name, known->game,
                       value, flag->name, near);
  char all[RULE_BYTES] = "";
  add_values(flag, all, sizeof all);
  return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s of %s is written %s%s%s%.60s", flag->name,
                     known->game, flag->name, all, value ? ", not with the value " : "", value ? value : "");
}

static tauler_error check_contradictions(const rule_flags *known, const rule_choice *choice,
                                         tauler_message *message) {
  for (size_t i = 0; i < known->n_contradictions; i++) {
    const rule_contradiction *c = &known->contradictions[i];
    const int one = choice->value[c->one], other = choice->value[c->other];
    if (one == 0 || (c->value && one != c->value) || (other == 0 && !choice->given[c->other])) continue;
    char first[64] = "", second[64] = "";
    add_flag(&known->flags[c->one], one, "…", first, sizeof first);
    add_flag(&known->flags[c->other], other, "…", second, sizeof second);
    const bool by_name = !choice->given[c->other];
    return tauler_fail(message, TAULER_BAD_USAGE, "%s contradicts %s%s%s: %s", first, second,
                       by_name ? ", which is part of " : "", by_name ? known->sets[choice->set].name : "",
                       c->why);
  }
  return TAULER_OK;
}

/* --- reading --- */

/* Returns the number of a value, or RULE_VALUES if the flag has no such value. Copies a value without a name
 * to out->free. */
static int read_value(const rule_flag *flag, const char *value, rule_choice *out) {
  if (!accepts_value(flag)) return value ? RULE_VALUES : 1;
  for (int v = 0; value && v < RULE_VALUES; v++) {
    if (flag->value[v] && strcmp(value, flag->value[v]) == 0) return v;
  }
  if (!value || !flag->free || !strchr(value, flag->free)) return RULE_VALUES;
  snprintf(out->free, sizeof out->free, "%s", value);
  return RULE_FREE;
}

static tauler_error read_flag(const rule_flags *known, char *word, bool first, rule_choice *out,
                              tauler_message *message) {
  char *equals = strchr(word, '=');
  if (equals) *equals = '\0';
  size_t f = 0;
  while (f < known->n_flags && strcmp(word, known->flags[f].name) != 0) f++;
  if (f == known->n_flags) return refuse_word(known, word, first, message);
  const rule_flag *flag = &known->flags[f];
  if (out->given[f]) return tauler_fail(message, TAULER_BAD_USAGE, "the flag %s is given twice", flag->name);
  out->given[f] = true;
  const char *given = equals ? equals + 1 : NULL;
  const int value = read_value(flag, given, out);
  if (value == RULE_VALUES) return refuse_value(known, flag, given, message);
  out->value[f] = (uint8_t)value;
  return TAULER_OK;
}

tauler_error rule_flags_read(const rule_flags *known, const char *text, rule_choice *out,
                             tauler_message *message) {
  char words[RULE_BYTES];
  if (!text) text = known->sets[0].name;
  if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words)
    return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s…' is too long for rules of %s", text, known->game);
  *out = (rule_choice){0};
  char *rest = words, *word = strsep(&rest, ",");
  size_t set = 0;
  while (set < known->n_sets && strcmp(word, known->sets[set].name) != 0) set++;
  const bool named = set < known->n_sets;
  if (named) out->set = set;
  memcpy(out->value, known->sets[out->set].value, sizeof out->value);
  tauler_error error = named ? TAULER_OK : read_flag(known, word, true, out, message);
  while (!error && (word = strsep(&rest, ",")) != NULL) error = read_flag(known, word, false, out, message);
  return error ? error : check_contradictions(known, out, message);
}

/* --- writing --- */

void rule_flags_write(const rule_flags *known, const rule_choice *choice, char *text, size_t bytes) {
  const rule_set *set = &known->sets[choice->set];
  snprintf(text, bytes, "%s", set->name);
  for (size_t f = 0; f < known->n_flags; f++) {
    if (choice->value[f] == set->value[f]) continue;
    text_add(text, bytes, ",");
    add_flag(&known->flags[f], choice->value[f], choice->free, text, bytes);
  }
}
