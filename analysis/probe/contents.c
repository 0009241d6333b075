/* Lists the slices of folders: reads the headers of all tables, then combines those of each slice. */
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/probe/text_pool.h"
#include "base/memory.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "databases/streams.h"
#include "games/registry.h"

enum { MOST_STREAMS = 2 * CHANCE_MOST_QUANTITIES, DIGESTS_TEXT = MOST_STREAMS * TABLE_DIGEST_TEXT };

typedef struct {
  tauler_contents shown; /* first member, so that a pointer to the struct is a pointer to the contents */
  tauler_slice *slices;
  text_pool pool;
} own_contents;

/* A table of a slice. Its place is its number, from 0, in the order of the slice's digests of values or of
 * depths. A table of values that serves as both bounds has the place −1, and the slice needs no other table
 * of values. */
typedef struct {
  tauler_tables *tables;
  slice_entry *entry;
  bool depths;
  int place;
  size_t folder; /* number of the folder. If several folders have the table, that of the first counts */
  table_digest digest;
} found_table;

typedef struct {
  tauler *db;
  found_table *found;
  size_t used, room, passed_over;
  size_t folder;
  tauler_tables *tables; /* tables of the previous file, since the next one mostly has the same rule set */
  tauler_message *message;
} listing;

bool rules_match_header(const game *game, const game_rules *rules, const table_header *header) {
  return strcmp(game->name, header->game) == 0 && strcmp(game->rules_text(rules), header->rules) == 0 &&
         strcmp(game->cycles_text(rules), header->cycles) == 0;
}

/* *out becomes NULL if there is no such rule set. */
static tauler_error find_tables(listing *all, const table_header *header, tauler_tables **out) {
  *out = all->tables;
  if (*out && rules_match_header((*out)->game, (*out)->rules, header)) return TAULER_OK;
  *out = NULL;
  if (!game_find(header->game)) return TAULER_OK;
  tauler_tables *selected;
  tauler_message why;
  const tauler_error error =
      tauler_select(all->db, header->game, header->rules, header->cycles, &selected, &why);
  if (error == TAULER_NO_MEMORY) return tauler_fail(all->message, error, "%s", why.text);
  if (!error && rules_match_header(selected->game, selected->rules, header)) *out = all->tables = selected;
  return TAULER_OK;
}

static bool find_stream(const char *stream, found_table *found, table_header *wanted) {
  if (found->tables->may_be_exact && strcmp(stream, STREAM_VALUE) == 0) {
    slice_table_header(found->tables, found->entry, STREAMS_VALUE, EXACT_PLANE, wanted);
    found->place = -1;
    return true;
  }
  for (int depths = 0; depths < 2; depths++) {
    const int n = depths ? found->tables->planes : slice_streams(found->tables, found->entry);
    for (int place = 0; place < n; place++) {
      const value_stream value = slice_stream(found->tables, place);
      slice_table_header(found->tables, found->entry, depths ? STREAMS_DEPTH : value.kind,
                         depths ? place : value.plane, wanted);
      if (strcmp(wanted->stream, stream) != 0) continue;
      found->depths = depths;
      found->place = place;
      return true;
    }
  }
  return false;
}

/* *taken becomes true if the library would use the file as the table that its header describes. */
static tauler_error find_slice(listing *all, const char *path, const table_header *header, found_table *found,
                               bool *taken) {
  tauler_tables *tables = found->tables;
  const game *g = tables->game;
  char right[FOLDER_PATH_BYTES];
  table_header wanted;
  uint32_t slice;
  *taken = false;
  if (!g->slice_named || !g->slice_named(tables->rules, header->slice, &slice)) return TAULER_OK;
  const tauler_error error = slice_entry_find(tables, slice, &found->entry, all->message);
  if (error) return error == TAULER_NO_MEMORY ? error : TAULER_OK;
  if (!find_stream(header->stream, found, &wanted)) return TAULER_OK;
  if (names_path(g, tables->rules, all->db->folders[all->folder], slice, &wanted, right, NULL))
    return TAULER_OK;
  *taken = strcmp(right, path) == 0 && !names_compare(path, header, &wanted, tables->answers->cell, NULL);
  return TAULER_OK;
}

static tauler_error list_file(void *user, const char *path) {
  listing *all = user;
  table_header header;
  tauler_message why;
  tauler_error error = table_read_header(path, &header, &why);
  if (error == TAULER_TABLE_MISSING) return TAULER_OK; /* the file was removed meanwhile */
  found_table found = {.folder = all->folder, .digest = error ? (table_digest){0, 0} : header.plain_digest};
  if (error == TAULER_DAMAGED_FILE) {
    all->passed_over++;
    return TAULER_OK;
  }
  if (error) return tauler_fail(all->message, error, "%s", why.text);
  error = find_tables(all, &header, &found.tables);
  bool taken = false;
  if (!error && found.tables) error = find_slice(all, path, &header, &found, &taken);
  if (error) return error;
  if (!taken) {
    all->passed_over++;
    return TAULER_OK;
  }
  if (!memory_make_room(&all->found, &all->room, all->used + 1, sizeof *all->found))
    return tauler_fail(all->message, TAULER_NO_MEMORY, "no memory for a list of tables");
  all->found[all->used++] = found;
  return TAULER_OK;
}

static int compare_by_game(const tauler_tables *a, const tauler_tables *b) {
  if (a == b) return 0;
  int order = strcmp(a->game->name, b->game->name);
  if (!order) order = strcmp(a->game->rules_text(a->rules), b->game->rules_text(b->rules));
  return order ? order : strcmp(a->game->cycles_text(a->rules), b->game->cycles_text(b->rules));
}

static int compare_by_slice(const void *left, const void *right) {
  const found_table *a = left, *b = right;
  int order = compare_by_game(a->tables, b->tables);
  const uint32_t x = a->entry->slice, y = b->entry->slice;
  if (!order) order = (x > y) - (x < y);
  if (!order) order = a->depths - b->depths;
  if (!order) order = a->place - b->place;
  return order ? order : (a->folder > b->folder) - (a->folder < b->folder);
}

/* Drops tables that an earlier folder has as well. The list is sorted. */
static void drop_duplicates(listing *all) {
  size_t n = 0;
  for (size_t i = 0; i < all->used; i++) {
    const found_table *last = n ? &all->found[n - 1] : NULL, *next = &all->found[i];
    const bool again =
        last && last->entry == next->entry && last->depths == next->depths && last->place == next->place;
    if (!again) all->found[n++] = *next;
  }
  all->used = n;
}

/* Returns the digests of the tables of values or of depths at the beginning of the list, joined by "+", and
 * sets *used to the number of these tables. Returns NULL if some are missing or, with *error set, if out of
 * memory. */
static const char *join_digests(const found_table *found, size_t n, bool depths, size_t *used,
                                text_pool *pool, tauler_error *error) {
  char text[DIGESTS_TEXT] = "";
  const bool exact = n > 0 && !depths && found->place == -1;
  const int streams = depths ? found->tables->planes : slice_streams(found->tables, found->entry);
  *used = 0;
  while (*used < n && found[*used].depths == depths) {
    if (*used < (exact ? 1 : MOST_STREAMS)) {
      char *at = text + *used * TABLE_DIGEST_TEXT;
      if (*used) at[-1] = '+';
      table_digest_text(found[*used].digest, at);
    }
    ++*used;
  }
  if (*used == 0 || (!exact && *used != (size_t)streams)) return NULL;
  const char *kept = text_pool_add(pool, text);
  if (!kept) *error = TAULER_NO_MEMORY;
  return kept;
}

/* Adds the slice to which the n tables belong, unless one of its tables of values is missing. */
static tauler_error add_slice(const found_table *found, size_t n, own_contents *own) {
  const tauler_tables *tables = found->tables;
  const game *g = tables->game;
  tauler_error error = TAULER_OK;
  size_t values, depths = 0;
  char name[GAME_TEXT_BYTES];
  tauler_slice slice = {.slice_number = found->entry->slice,
                        .positions = found->entry->positions,
                        .table = join_digests(found, n, false, &values, &own->pool, &error)};
  if (!slice.table) return error;
  if (values < n) slice.depths = join_digests(found + values, n - values, true, &depths, &own->pool, &error);
  g->slice_name(tables->rules, found->entry->slice, name);
  slice.game = text_pool_add(&own->pool, g->name);
  slice.rules = text_pool_add(&own->pool, g->rules_text(tables->rules));
  slice.cycles = text_pool_add(&own->pool, g->cycles_text(tables->rules));
  slice.slice = text_pool_add(&own->pool, name);
  if (error || !slice.game || !slice.rules || !slice.cycles || !slice.slice) return TAULER_NO_MEMORY;
  own->slices[own->shown.slices_used++] = slice;
  return TAULER_OK;
}

static tauler_error combine_tables(listing *all, own_contents *own) {
  if (all->used) qsort(all->found, all->used, sizeof *all->found, compare_by_slice);
  drop_duplicates(all);
  own->shown.slices = own->slices = calloc(all->used + 1, sizeof *own->slices);
  if (!own->slices) return TAULER_NO_MEMORY;
  own->shown.passed_over = all->passed_over;
  tauler_error error = TAULER_OK;
  for (size_t i = 0, n; i < all->used && !error; i += n) {
    const found_table *first = &all->found[i];
    n = 1;
    while (i + n < all->used && first[n].entry == first->entry) n++;
    error = add_slice(first, n, own);
  }
  return error;
}

size_t contents_count_rule_set(const tauler_contents *contents, size_t i) {
  const tauler_slice *first = &contents->slices[i], *next = first + 1,
                     *end = contents->slices + contents->slices_used;
  while (next < end && strcmp(next->game, first->game) == 0 && strcmp(next->rules, first->rules) == 0 &&
         strcmp(next->cycles, first->cycles) == 0)
    next++;
  return (size_t)(next - first);
}

void tauler_contents_free(tauler_contents *contents) {
  if (!contents) return;
  own_contents *own = (own_contents *)contents;
  text_pool_free(&own->pool);
  free(own->slices);
  free(own);
}

tauler_error tauler_list(tauler *db, tauler_contents **out, tauler_message *message) {
  listing all = {.db = db, .message = message};
  *out = NULL;
  own_contents *own = calloc(1, sizeof *own);
  if (!own) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of tables");
  tauler_error error = TAULER_OK;
  for (; db->folders[all.folder] && !error; all.folder++) {
    error = folder_walk(db->folders[all.folder], list_file, &all, message);
    if (error == TAULER_TABLE_MISSING) error = TAULER_OK;
  }
  if (!error) {
    error = combine_tables(&all, own);
    if (error) error = tauler_fail(message, error, "no memory for a list of tables");
  }
  free(all.found);
  if (error) {
    tauler_contents_free(&own->shown);
    return error;
  }
  *out = &own->shown;
  return clear_message(TAULER_OK, message);
}
