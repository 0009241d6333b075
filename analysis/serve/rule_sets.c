/* Opens the rule sets of questions and keeps them open. */
#include "analysis/serve/api_parts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "analysis/probe/probe_tables.h"
#include "databases/folder.h"
#include "games/game_options.h"

/* MOST_PASSING is how often a handle opens rule sets without tables before it is replaced, WORDINGS the
 * number of stored wordings, LEAST_FILES the limit of open files if the system tells none. */
enum { MOST_PASSING = 64, WORDINGS = 256, WORDING_BYTES = 512, LEAST_FILES = 256 };

/* Limit in seconds of processor time for the searches of a request, and for its line of play. */
static const double most_seconds = 5;

/* A handle on the folders. Handles that were replaced stay open while questions use them. */
struct rule_shelf {
  tauler *db;
  size_t users; /* number of its rule sets in use, plus one while the rule_sets has it */
  size_t taken;
  size_t most_tables;
};

typedef struct {
  char words[WORDING_BYTES]; /* game, rules and cycles, one a line */
  rule_shelf *shelf;
  tauler_tables *tables;
} wording;

struct rule_sets {
  pthread_mutex_t lock;
  char *folder;
  tauler_settings settings;
  bool (*stop)(void *user);
  void *user;
  rule_shelf *shelves[2]; /* [stays] */
  wording wordings[WORDINGS];
};

/* Returns how many tables one handle may have open: a quarter of the files that the process may open, since a
 * handle that is replaced may be open beside the next one. */
static size_t most_open_tables(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (size_t)limit.rlim_cur / 4 : LEAST_FILES / 4;
}

static rule_shelf *open_shelf(const rule_sets *sets, tauler_message *message) {
  rule_shelf *shelf = calloc(1, sizeof *shelf);
  if (!shelf) {
    (void)tauler_fail(message, TAULER_NO_MEMORY, "no memory for rule sets");
    return NULL;
  }
  shelf->users = 1;
  shelf->most_tables = most_open_tables();
  if (tauler_open(sets->folder, &sets->settings, &shelf->db, message)) {
    free(shelf);
    return NULL;
  }
  shelf->db->most_seconds = most_seconds;
  shelf->db->stop = sets->stop;
  shelf->db->user = sets->user;
  return shelf;
}

static void release_shelf(rule_shelf *shelf) {
  if (!shelf || --shelf->users > 0) return;
  tauler_close(shelf->db);
  free(shelf);
}

tauler_error rule_sets_open(const char *folder, const tauler_settings *settings, bool (*stop)(void *user),
                            void *user, rule_sets **out, tauler_message *message) {
  *out = NULL;
  rule_sets *sets = calloc(1, sizeof *sets);
  if (!sets) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for rule sets");
  pthread_mutex_init(&sets->lock, NULL);
  if (settings) sets->settings = *settings;
  sets->stop = stop;
  sets->user = user;
  sets->folder = strdup(folder);
  for (int stays = 0; stays < 2 && sets->folder; stays++) sets->shelves[stays] = open_shelf(sets, message);
  if (!sets->shelves[0] || !sets->shelves[1]) {
    rule_sets_close(sets);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for rule sets");
  }
  *out = sets;
  return TAULER_OK;
}

void rule_sets_close(rule_sets *sets) {
  if (!sets) return;
  for (int stays = 0; stays < 2; stays++) release_shelf(sets->shelves[stays]);
  free(sets->folder);
  pthread_mutex_destroy(&sets->lock);
  free(sets);
}

rule_sets_figures rule_sets_get_figures(rule_sets *sets) {
  pthread_mutex_lock(&sets->lock);
  tauler *db = sets->shelves[true]->db;
  const rule_sets_figures figures = {atomic_load(&db->opened), frame_cache_count(db->cache)};
  pthread_mutex_unlock(&sets->lock);
  return figures;
}

/* --- wordings --- */

static bool write_words(const char *game, const char *rules, const char *cycles, char words[WORDING_BYTES]) {
  const int n = snprintf(words, WORDING_BYTES, "%s\n%s%s\n%s%s", game, rules ? "=" : "", rules ? rules : "",
                         cycles ? "=" : "", cycles ? cycles : "");
  return n > 0 && n < WORDING_BYTES;
}

static wording *wording_slot(rule_sets *sets, const char *words) {
  return &sets->wordings[XXH3_64bits(words, strlen(words)) % WORDINGS];
}

static bool find_wording(rule_sets *sets, const char *words, rule_set *out) {
  pthread_mutex_lock(&sets->lock);
  const wording *known = wording_slot(sets, words);
  const bool found = known->tables && strcmp(known->words, words) == 0;
  if (found) {
    known->shelf->users++;
    *out = (rule_set){known->tables, known->shelf};
  }
  pthread_mutex_unlock(&sets->lock);
  return found;
}

static void store_wording(rule_sets *sets, const char *words, const rule_set *set) {
  pthread_mutex_lock(&sets->lock);
  if (set->shelf == sets->shelves[false] || set->shelf == sets->shelves[true]) {
    wording *slot = wording_slot(sets, words);
    snprintf(slot->words, sizeof slot->words, "%s", words);
    slot->shelf = set->shelf;
    slot->tables = set->tables;
  }
  pthread_mutex_unlock(&sets->lock);
}

/* --- rule sets with tables --- */

static bool has_folder(const char *folder, const game *chosen, const game_rules *rules) {
  char path[FOLDER_PATH_BYTES];
  struct stat about;
  const int n = snprintf(path, sizeof path, "%s/%s/%s", folder, chosen->name, chosen->rules_text(rules));
  return n > 0 && n < (int)sizeof path && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static tauler_error find_whether_folder_exists(const rule_sets *sets, const char *name,
                                               const char *rules_text, const char *cycles, bool *has,
                                               tauler_message *message) {
  const game *chosen;
  game_rules *rules;
  tauler_error error = game_options_find(name, &chosen, message);
  if (!error) error = chosen->open(rules_text, cycles, &rules, message);
  if (error) return error;
  *has = has_folder(sets->folder, chosen, rules);
  for (const char *const *more = sets->settings.more_folders; more && *more && !*has; more++)
    *has = has_folder(*more, chosen, rules);
  chosen->close(rules);
  return TAULER_OK;
}

/* The old shelf is closed when its last user releases it. */
static tauler_error replace_shelf(rule_sets *sets, bool stays, tauler_message *message) {
  rule_shelf *next = open_shelf(sets, message), *old = sets->shelves[stays];
  if (!next) return TAULER_NO_MEMORY;
  for (size_t i = 0; i < WORDINGS; i++)
    if (sets->wordings[i].shelf == old) sets->wordings[i] = (wording){.shelf = NULL};
  release_shelf(old);
  sets->shelves[stays] = next;
  return TAULER_OK;
}

static tauler_error replace_worn_shelves(rule_sets *sets, tauler_message *message) {
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&sets->lock);
  for (int stays = 0; stays < 2 && !error; stays++) {
    const rule_shelf *shelf = sets->shelves[stays];
    if (atomic_load(&shelf->db->changed) || atomic_load(&shelf->db->opened) >= shelf->most_tables)
      error = replace_shelf(sets, stays, message);
  }
  pthread_mutex_unlock(&sets->lock);
  return error;
}

static tauler_error use_shelf(rule_sets *sets, bool stays, rule_shelf **out, tauler_message *message) {
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&sets->lock);
  if (!stays && sets->shelves[false]->taken >= MOST_PASSING) error = replace_shelf(sets, false, message);
  if (!error) {
    *out = sets->shelves[stays];
    (*out)->users++;
    (*out)->taken++;
  }
  pthread_mutex_unlock(&sets->lock);
  return error;
}

static tauler_error open_rule_set(rule_sets *sets, const char *game, const char *rules, const char *cycles,
                                  rule_set *out, tauler_message *message) {
  bool stays = false;
  tauler_error error = find_whether_folder_exists(sets, game, rules, cycles, &stays, message);
  if (!error) error = use_shelf(sets, stays, &out->shelf, message);
  if (error) return error;
  error = tauler_select(out->shelf->db, game, rules, cycles, &out->tables, message);
  if (error) rule_sets_release(sets, out);
  return error;
}

tauler_error rule_sets_find(rule_sets *sets, const char *game, const char *rules, const char *cycles,
                            rule_set *out, tauler_message *message) {
  char words[WORDING_BYTES];
  const bool short_enough = write_words(game, rules, cycles, words);
  tauler_error error = replace_worn_shelves(sets, message);
  if (error) return error;
  if (!short_enough || !find_wording(sets, words, out)) {
    error = open_rule_set(sets, game, rules, cycles, out, message);
    if (error) return error;
    if (short_enough) store_wording(sets, words, out);
  }
  tables_recheck(out->shelf->db);
  return TAULER_OK;
}

bool rule_set_is_stale(const rule_set *set) {
  return atomic_load(&set->shelf->db->changed);
}

void rule_sets_release(rule_sets *sets, rule_set *set) {
  pthread_mutex_lock(&sets->lock);
  release_shelf(set->shelf);
  pthread_mutex_unlock(&sets->lock);
  *set = (rule_set){NULL, NULL};
}
