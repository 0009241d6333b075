/* The options that a graphical program may set. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/uci/uci.h"
#include "base/command/threads.h"
#include "base/text.h"

enum { MIB = 1 << 20 };

static const char *text_or_empty(const char *text) {
  return text && *text ? text : "<empty>";
}

void options_say(session *s) {
  const tauler_tables *tables = s->player.tables;
  session_say(s, "option name Rules type string default %s", tauler_rules_text(tables));
  if (*tauler_cycles_text(tables))
    session_say(s, "option name Cycles type string default %s", tauler_cycles_text(tables));
  session_say(s, "option name TablesPath type string default %s", text_or_empty(s->folder));
  session_say(s, "option name Strength type combo default perfect var perfect var slips");
  session_say(s, "option name Threads type spin default 1 min 1 max %d", threads_available());
  session_say(s, "option name Hash type spin default %d min 1 max %d", SESSION_HASH_MIB,
              SESSION_MOST_HASH_MIB);
}

static void say_reason(session *s, const tauler_message *message) {
  session_say(s, "info string %s", message->text);
}

static char *copy(const char *text) {
  return *text ? strdup(text) : NULL;
}

/* A rule set replaces the present one only if it can be opened; so does a folder. */
static void set_rules(session *s, char **which, const char *value) {
  tauler_message message = {""};
  tauler_tables *tables;
  char *before = *which;
  *which = copy(value);
  if (tauler_select(s->db, s->game->name, s->rules, s->cycles, &tables, &message)) {
    say_reason(s, &message);
    free(*which);
    *which = before;
    return;
  }
  free(before);
  s->player.tables = tables;
  seen_clear(s->player.seen);
}

static void set_folder(session *s, const char *value) {
  tauler_message message = {""};
  tauler *db = NULL;
  tauler_tables *tables;
  char *folder = strdup(value);
  tauler_error error = folder ? tauler_open(folder, NULL, &db, &message)
                              : tauler_fail(&message, TAULER_NO_MEMORY, "no memory for a name");
  if (!error) error = tauler_select(db, s->game->name, s->rules, s->cycles, &tables, &message);
  if (error) {
    say_reason(s, &message);
    tauler_close(db);
    free(folder);
    return;
  }
  tauler_close(s->db);
  free(s->folder);
  s->db = db;
  s->folder = folder;
  s->player.tables = tables;
}

static void set_hash(session *s, uint64_t mib) {
  tauler_message message = {""};
  seen *made;
  if (seen_open(mib * MIB, &made, &message)) {
    say_reason(s, &message);
    return;
  }
  seen_close(s->player.seen);
  s->player.seen = made;
}

static bool read_option_number(session *s, const char *name, const char *value, uint64_t most,
                               uint64_t *out) {
  if (text_read_unsigned(value, 1, most, out)) return true;
  session_say(s, "info string %s must be a number from 1 to %llu", name, (unsigned long long)most);
  return false;
}

static void set_strength(session *s, const char *value) {
  const bool slips = strcasecmp(value, "slips") == 0;
  if (!slips && strcasecmp(value, "perfect") != 0) {
    session_say(s, "info string Strength must be perfect or slips");
    return;
  }
  s->player.slips = slips;
}

static void set(session *s, const char *name, const char *value) {
  uint64_t number;
  if (strcasecmp(name, "Rules") == 0) set_rules(s, &s->rules, value);
  if (strcasecmp(name, "Cycles") == 0) set_rules(s, &s->cycles, value);
  if (strcasecmp(name, "TablesPath") == 0) set_folder(s, value);
  if (strcasecmp(name, "Strength") == 0) set_strength(s, value);
  if (strcasecmp(name, "Threads") == 0 &&
      read_option_number(s, name, value, (uint64_t)threads_available(), &number))
    s->player.threads = (int)number;
  if (strcasecmp(name, "Hash") == 0 && read_option_number(s, name, value, SESSION_MOST_HASH_MIB, &number))
    set_hash(s, number);
}

void options_set(session *s, char *words) {
  const char *word = session_word(&words), *name = word ? session_word(&words) : NULL;
  if (!name || strcasecmp(word, "name") != 0) return;
  word = session_word(&words);
  if (word && strcasecmp(word, "value") != 0) return; /* no name has two words */
  const text_line value = text_clean(words, strlen(words));
  words += value.text - words;
  words[value.length] = '\0';
  set(s, name, words);
}
