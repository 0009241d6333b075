/* Opens folders, rule sets and their tables, and says how to build missing ones. */
#include "analysis/probe/probe_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "base/clock.h"
#include "base/text.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "games/game_options.h"

enum { CACHE_BYTES = 64 << 20, MOST_MOVES = 100000 };

static const char *const no_folders[] = {NULL};

/* Copies the names of all folders, and a text with all of them, into one block. */
static bool copy_folders(tauler *db, const char *folder, const char *const *more) {
  size_t n = 1;
  while (more[n - 1]) n++;
  size_t bytes = (n + 1) * sizeof *db->folders;
  for (size_t i = 0; i < n; i++) bytes += 2 * (strlen(i ? more[i - 1] : folder) + sizeof ", ");
  db->folders = calloc(1, bytes);
  if (!db->folders) return false;
  char *at = (char *)(db->folders + n + 1);
  for (size_t i = 0; i < n; i++) {
    db->folders[i] = at;
    at = stpcpy(at, i ? more[i - 1] : folder) + 1;
  }
  db->folder = at;
  for (size_t i = 0; i < n; i++) at = stpcpy(stpcpy(at, i ? ", " : ""), db->folders[i]);
  return true;
}

tauler_error tables_open(const char *folder, const tauler_settings *settings,
                         tauler_error (*after_line)(const line_question *asked, tauler_message *message),
                         tauler **out, tauler_message *message) {
  const size_t bytes = settings && settings->cache_bytes ? settings->cache_bytes : CACHE_BYTES;
  *out = NULL;
  tauler *db = calloc(1, sizeof *db);
  if (!db) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to open the tables in %.400s", folder);
  pthread_mutex_init(&db->lock, NULL);
  db->after_line = after_line;
  db->most_moves = settings && settings->most_moves ? settings->most_moves : MOST_MOVES;
  db->cache = frame_cache_new(bytes);
  if (!copy_folders(db, folder, settings && settings->more_folders ? settings->more_folders : no_folders) ||
      !db->cache) {
    tauler_close(db);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to open the tables in %.400s", folder);
  }
  *out = db;
  return clear_message(TAULER_OK, message);
}

static void free_entry(slice_entry *entry) {
  for (int kind = 0; kind < STREAMS_KINDS; kind++) {
    for (int plane = 0; plane < CHANCE_MOST_QUANTITIES; plane++) {
      table_close(atomic_load(&entry->tables[kind][plane]));
    }
  }
  free(entry);
}

static void free_tables(tauler_tables *tables) {
  for (int i = 0; i < SLICE_BUCKETS; i++) {
    for (slice_entry *entry = atomic_load(&tables->buckets[i]), *next; entry; entry = next) {
      next = entry->next;
      free_entry(entry);
    }
  }
  if (tables->lines) tables->lines->close(tables->lines);
  for (int plane = 0; plane < MOST_PLANES; plane++) free(tables->whole.cells[plane]);
  tables->game->close(tables->rules);
  pthread_rwlock_destroy(&tables->whole_lock);
  pthread_mutex_destroy(&tables->lines_lock);
  pthread_mutex_destroy(&tables->lock);
  free(tables);
}

void tauler_close(tauler *db) {
  if (!db) return;
  for (tauler_tables *tables = db->selected, *next; tables; tables = next) {
    next = tables->next;
    free_tables(tables);
  }
  frame_cache_free(db->cache);
  free(db->folders);
  pthread_mutex_destroy(&db->lock);
  free(db);
}

static tauler_tables *find_selected_tables(const tauler *db, const game *chosen, const game_rules *rules) {
  for (tauler_tables *t = db->selected; t; t = t->next) {
    if (t->game == chosen && strcmp(chosen->rules_text(t->rules), chosen->rules_text(rules)) == 0 &&
        strcmp(chosen->cycles_text(t->rules), chosen->cycles_text(rules)) == 0) {
      return t;
    }
  }
  return NULL;
}

static tauler_error select_fallback(tauler *db, tauler_tables *tables, tauler_message *message);

/* Takes over the rules, also after an error. */
static tauler_error add_selected_tables(tauler *db, const game *chosen, game_rules *rules,
                                        tauler_tables **out, tauler_message *message) {
  tauler_tables *tables = calloc(1, sizeof *tables);
  if (!tables) {
    chosen->close(rules);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the tables of %s", chosen->name);
  }
  pthread_mutex_init(&tables->lock, NULL);
  pthread_mutex_init(&tables->lines_lock, NULL);
  pthread_rwlock_init(&tables->whole_lock, NULL);
  tables->db = db;
  tables->game = chosen;
  tables->rules = rules;
  tables->kind = chosen->kind(rules);
  tables->answers = tables->kind == SOLVE_CHANCE ? &answers_of_dice : &answers_of_moves;
  tables->planes = tables->answers->dice ? 0 : tables->kind == SOLVE_GUARANTEES ? 2 : 1;
  tables->may_be_exact = game_may_be_exact(chosen, rules);
  tables->next = db->selected;
  tables->fallback = tables;
  const tauler_error error = select_fallback(db, tables, message);
  if (error) {
    free_tables(tables);
    return error;
  }
  db->selected = *out = tables;
  return TAULER_OK;
}

static tauler_error select_fallback(tauler *db, tauler_tables *tables, tauler_message *message) {
  const game *chosen = tables->game;
  const char *cycles = chosen->fallback_cycles ? chosen->fallback_cycles(tables->rules) : NULL;
  game_rules *rules;
  if (!cycles) return TAULER_OK;
  tauler_error error = chosen->open(chosen->rules_text(tables->rules), cycles, &rules, message);
  if (error) return error;
  tables->fallback = find_selected_tables(db, chosen, rules);
  if (tables->fallback) {
    chosen->close(rules);
  } else {
    error = add_selected_tables(db, chosen, rules, &tables->fallback, message);
  }
  tables->next = db->selected;
  return error;
}

int worth_on_arrival(const tauler_tables *tables, int plane, game_place place, int value) {
  int8_t pays;
  if (tables->fallback == tables) return value;
  tables->game->repeated(tables->rules, place.slice, place.index, 1, &pays);
  return plane == 0 ? (pays < value ? pays : value) : (pays > value ? pays : value);
}

tauler_error tauler_select(tauler *db, const char *name, const char *rules_text, const char *cycles,
                           tauler_tables **out, tauler_message *message) {
  *out = NULL;
  const game *chosen;
  game_rules *rules;
  tauler_error error = game_options_find(name, &chosen, message);
  if (!error) error = chosen->open(rules_text, cycles && cycles[0] ? cycles : NULL, &rules, message);
  return clear_message(error ? error : tables_select(db, chosen, rules, out, message), message);
}

tauler_error tables_select(tauler *db, const game *chosen, game_rules *rules, tauler_tables **out,
                           tauler_message *message) {
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&db->lock);
  *out = find_selected_tables(db, chosen, rules);
  if (*out) {
    chosen->close(rules);
  } else {
    error = add_selected_tables(db, chosen, rules, out, message);
  }
  pthread_mutex_unlock(&db->lock);
  return error;
}

static slice_entry *find_entry(slice_entry *entry, uint32_t slice) {
  while (entry && entry->slice != slice) entry = entry->next;
  return entry;
}

static slice_entry *add_entry(tauler_tables *tables, uint32_t slice) {
  _Atomic(slice_entry *) *bucket = &tables->buckets[slice % SLICE_BUCKETS];
  pthread_mutex_lock(&tables->lock);
  slice_entry *first = atomic_load(bucket), *entry = find_entry(first, slice);
  if (!entry) {
    entry = calloc(1, sizeof *entry);
    if (entry) {
      entry->slice = slice;
      entry->positions = tables->game->positions(tables->rules, slice);
      tables->answers->describe(tables, entry);
      entry->next = first;
      atomic_store_explicit(bucket, entry, memory_order_release);
    }
  }
  pthread_mutex_unlock(&tables->lock);
  return entry;
}

slice_entry *slice_entry_of(tauler_tables *tables, uint32_t slice, tauler_message *message) {
  slice_entry *first = atomic_load_explicit(&tables->buckets[slice % SLICE_BUCKETS], memory_order_acquire);
  slice_entry *entry = find_entry(first, slice);
  if (!entry) entry = add_entry(tables, slice);
  if (!entry)
    (void)tauler_fail(message, TAULER_NO_MEMORY, "no memory for the tables of %s", tables->game->name);
  return entry;
}

tauler_error slice_entry_find(tauler_tables *tables, uint32_t slice, slice_entry **out,
                              tauler_message *message) {
  _Atomic(slice_entry *) *bucket = &tables->buckets[slice % SLICE_BUCKETS];
  *out = find_entry(atomic_load_explicit(bucket, memory_order_acquire), slice);
  if (*out && (*out)->positions) return TAULER_OK;
  if (tables->game->positions(tables->rules, slice) == 0) {
    return tauler_fail(message, TAULER_BAD_USAGE, "%s has no slice with the number %" PRIu32,
                       tables->game->name, slice);
  }
  *out = slice_entry_of(tables, slice, message);
  return *out ? TAULER_OK : TAULER_NO_MEMORY;
}

void position_slice_name(const tauler_tables *tables, const game_position *position,
                         char name[GAME_TEXT_BYTES]) {
  const game *g = tables->game;
  if (g->position_slice) {
    g->position_slice(tables->rules, position, name);
  } else {
    g->slice_name(tables->rules, g->slice_of(tables->rules, position), name);
  }
}

tauler_error fail_beyond_tables(const tauler_tables *tables, const game_position *position,
                                tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  const game *g = tables->game;
  position_slice_name(tables, position, name);
  return tauler_fail(
      message, TAULER_TABLE_MISSING,
      "no table reaches %.60s, and none can be built; tauler build %s%s%s goes as far as: %.200s", name,
      g->name, g->size_option ? " --" : "", g->size_option ? g->size_option : "", g->size_help);
}

typedef struct {
  char text[768];
} build_command;

/* Appends an option and its word, in single quotes if a shell would interpret it. Appends nothing if the word
 * is NULL. */
static void append_option(build_command *command, const char *option, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  char *text = command->text;
  const size_t room = sizeof command->text;
  if (!word) return;
  const bool quotes = !*word || word[strspn(word, plain)];
  text_add(text, room, " --%s %s", option, quotes ? "'" : "");
  for (; *word; word++) text_add(text, room, *word == '\'' ? "'\\''" : "%c", *word);
  text_add(text, room, "%s", quotes ? "'" : "");
}

static void append_last_options(const tauler_tables *tables, bool with_depths, build_command *command) {
  const char *cycles = tables->game->cycles_text(tables->rules);
  append_option(command, "rules", tables->game->rules_text(tables->rules));
  append_option(command, "cycles", *cycles ? cycles : NULL);
  /* Builds of outcomes always have depths. */
  if (with_depths && tables->kind != SOLVE_OUTCOMES)
    text_add(command->text, sizeof command->text, " --depth");
  append_option(command, "db", tables->db->folders[0]);
}

static build_command command_for_slice(const tauler_tables *tables, uint32_t slice, bool with_depths) {
  const game *g = tables->game;
  char size[GAME_TEXT_BYTES];
  build_command command;
  snprintf(command.text, sizeof command.text, "tauler build %s", g->name);
  if (g->size_text) {
    g->size_text(tables->rules, slice, size);
    text_add(command.text, sizeof command.text, " %.100s", size);
  } else if (g->size_option) { /* such a game names slices by their size */
    g->slice_name(tables->rules, slice, size);
    text_add(command.text, sizeof command.text, " --%s %.60s", g->size_option, size);
  }
  append_last_options(tables, with_depths, &command);
  return command;
}

static build_command command_for_request(const tauler_tables *tables, const game_request *request,
                                         bool with_depths) {
  build_command command;
  snprintf(command.text, sizeof command.text, "tauler build %s", tables->game->name);
  append_option(&command, tables->game->size_option, request->largest);
  append_option(&command, "material", request->material);
  append_option(&command, "board", request->board);
  append_last_options(tables, with_depths, &command);
  return command;
}

tauler_error fail_slice_missing(const tauler_tables *tables, const game_request *request, uint32_t slice,
                                bool with_depths, tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  tables->game->slice_name(tables->rules, slice, name);
  return tauler_fail(message, TAULER_TABLE_MISSING,
                     "there is no table of slice %.60s%s in %.200s; build what is missing: %s", name,
                     with_depths ? ", or none of its depths," : "", tables->db->folder,
                     command_for_request(tables, request, with_depths).text);
}

void slice_table_header(const tauler_tables *tables, const slice_entry *entry, stream_kind kind, int plane,
                        table_header *header) {
  char name[CHANCE_STREAM_BYTES];
  tables->answers->name_stream(tables, entry, (value_stream){kind, plane}, name);
  names_header(tables->game, tables->rules, entry->slice, name, header);
}

/* `path` becomes the path of the table. */
static tauler_error open_in_first_folder(const tauler_tables *tables, uint32_t slice,
                                         const table_header *wanted, char path[FOLDER_PATH_BYTES],
                                         table **out, tauler_message *message) {
  tauler_error error = TAULER_TABLE_MISSING;
  for (char **folder = tables->db->folders; *folder && error == TAULER_TABLE_MISSING; folder++) {
    error = names_path(tables->game, tables->rules, *folder, slice, wanted, path, message);
    if (!error) error = names_open(path, true, out, message);
  }
  return error;
}

static tauler_error open_table(tauler_tables *tables, const slice_entry *entry, stream_kind kind, int plane,
                               table **out, tauler_message *message) {
  char path[FOLDER_PATH_BYTES];
  table_header wanted;
  const uint32_t slice = entry->slice;
  slice_table_header(tables, entry, kind, plane, &wanted);
  tauler_error error = open_in_first_folder(tables, slice, &wanted, path, out, message);
  if (error == TAULER_TABLE_MISSING) {
    return tauler_fail(message, error, "there is no table of slice %.60s (%s) in %.200s; build it: %s",
                       wanted.slice, wanted.stream, tables->db->folder,
                       command_for_slice(tables, slice, kind == STREAMS_DEPTH).text);
  }
  if (error) return error;
  error = names_compare(path, table_get_header(*out), &wanted, tables->answers->cell, message);
  if (error) {
    table_close(*out);
    *out = NULL;
  }
  return error;
}

bool tables_stopped(const tauler *db) {
  return db->stop && db->stop(db->user);
}

bool tables_time_is_up(const tauler *db, double began) {
  if (tables_stopped(db)) return true;
  return db->most_seconds > 0 && clock_thread_cpu() - began >= db->most_seconds;
}

void tables_recheck(tauler *db) {
  atomic_fetch_add(&db->asked, 1);
}

/* Compares an open table with its file, once for each recheck. If two threads compare at once and the older
 * value of `asked` is stored last, one more comparison follows. */
static void compare_with_file(tauler *db, const table *open, _Atomic uint64_t *compared) {
  const uint64_t asked = atomic_load(&db->asked);
  if (atomic_load(compared) >= asked) return;
  if (!table_is_current(open)) atomic_store(&db->changed, true);
  atomic_store(compared, asked);
}

static const table *find_open_table(tauler *db, slice_entry *entry, stream_kind kind, int plane) {
  const table *open = atomic_load_explicit(&entry->tables[kind][plane], memory_order_acquire);
  if (open && atomic_load_explicit(&db->asked, memory_order_relaxed))
    compare_with_file(db, open, &entry->compared[kind][plane]);
  return open;
}

static const table *find_open_table_of_values(const tauler_tables *tables, slice_entry *entry,
                                              stream_kind kind, int plane) {
  const bool may_be_exact = tables->may_be_exact && kind == STREAMS_VALUE;
  const table *exact = may_be_exact ? find_open_table(tables->db, entry, kind, EXACT_PLANE) : NULL;
  return exact ? exact : find_open_table(tables->db, entry, kind, plane);
}

/* Opens the table, unless another thread has opened it meanwhile. The caller holds the lock. */
static tauler_error open_if_closed(tauler_tables *tables, slice_entry *entry, stream_kind kind, int plane,
                                   tauler_message *message) {
  _Atomic(table *) *slot = &entry->tables[kind][plane];
  table *open = atomic_load(slot);
  if (open) return TAULER_OK;
  const tauler_error error = open_table(tables, entry, kind, plane, &open, message);
  if (error) return error;
  atomic_fetch_add(&tables->db->opened, 1);
  atomic_store_explicit(slot, open, memory_order_release);
  return TAULER_OK;
}

tauler_error slice_table(tauler_tables *tables, slice_entry *entry, stream_kind kind, int plane,
                         const table **out, tauler_message *message) {
  *out = find_open_table_of_values(tables, entry, kind, plane);
  if (*out) return TAULER_OK;
  tauler_error error = TAULER_TABLE_MISSING;
  pthread_mutex_lock(&tables->lock);
  if (tables->may_be_exact && kind == STREAMS_VALUE)
    error = open_if_closed(tables, entry, kind, EXACT_PLANE, message);
  if (error == TAULER_TABLE_MISSING) error = open_if_closed(tables, entry, kind, plane, message);
  pthread_mutex_unlock(&tables->lock);
  if (!error) *out = find_open_table_of_values(tables, entry, kind, plane);
  return error;
}

bool slice_is_exact(const slice_entry *entry) {
  return atomic_load(&entry->tables[STREAMS_VALUE][EXACT_PLANE]) != NULL;
}

int slice_streams(const tauler_tables *tables, const slice_entry *entry) {
  if (tables->answers->dice) return 2 * entry->quantities.used;
  return tables->may_be_exact && slice_is_exact(entry) ? 1 : tables->planes;
}

value_stream slice_stream(const tauler_tables *tables, int i) {
  if (!tables->answers->dice) return (value_stream){STREAMS_VALUE, i};
  return (value_stream){i % 2 ? STREAMS_UPPER : STREAMS_LOWER, i / 2};
}

tauler_error slice_digests_of(tauler_tables *tables, slice_entry *entry, slice_digests *out,
                              const table **first, tauler_message *message) {
  for (int i = 0; i < slice_streams(tables, entry); i++) {
    const table *from;
    const value_stream stream = slice_stream(tables, i);
    const tauler_error error = slice_table(tables, entry, stream.kind, stream.plane, &from, message);
    if (error) return error;
    if (i == 0 && first) *first = from;
    char *at = out->text + i * TABLE_DIGEST_TEXT;
    if (i) at[-1] = '+';
    table_digest_text(table_get_header(from)->plain_digest, at);
  }
  return TAULER_OK;
}

tauler_error slice_open_depths(tauler_tables *tables, uint32_t slice, bool *have, tauler_message *message) {
  *have = false;
  if (slice == GAME_NO_SLICE) return TAULER_OK;
  slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < tables->planes; plane++) {
    const table *depths;
    tauler_message why;
    const tauler_error error = slice_table(tables, entry, STREAMS_DEPTH, plane, &depths, &why);
    if (error == TAULER_TABLE_MISSING) return TAULER_OK;
    if (error) return tauler_fail(message, error, "%s", why.text);
  }
  *have = true;
  return TAULER_OK;
}
