/* Makes the headers and paths of the tables of a slice, and opens their classes. */
#include "databases/names.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "games/registry.h"

static void copy_name(char *to, size_t room, const char *from) {
  assert(from); /* only planes that exist have names */
  memset(to, 0, room);
  memcpy(to, from, strnlen(from, room - 1));
}

void names_header(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                  table_header *header) {
  char name[GAME_TEXT_BYTES];
  game->slice_name(rules, slice, name);
  *header =
      (table_header){.positions = game->positions(rules, slice), .index_version = game_index_version(game)};
  copy_name(header->game, sizeof header->game, game->name);
  copy_name(header->rules, sizeof header->rules, game->rules_text(rules));
  copy_name(header->cycles, sizeof header->cycles, game->cycles_text(rules));
  copy_name(header->slice, sizeof header->slice, name);
  copy_name(header->stream, sizeof header->stream, stream);
}

void names_subfolder(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  name[0] = '\0';
  if (game->slice_folder) game->slice_folder(rules, slice, name);
}

tauler_error names_path(const game *game, const game_rules *rules, const char *folder, uint32_t slice,
                        const table_header *header, char path[FOLDER_PATH_BYTES], tauler_message *message) {
  char below[GAME_TEXT_BYTES];
  names_subfolder(game, rules, slice, below);
  return folder_table_path(folder, below, header, path, message);
}

static tauler_error refuse_other_table(const char *path, const table_header *is, tauler_message *message) {
  return tauler_fail(
      message, TAULER_DAMAGED_FILE,
      "%.300s holds another table than its path says: %.60s %.60s %.20s %.40s %.20s; remove it and "
      "build again",
      path, is->game, is->rules, is->cycles, is->slice, is->stream);
}

static bool are_rules_equal(const table_header *a, const table_header *b) {
  return strcmp(a->game, b->game) == 0 && strcmp(a->rules, b->rules) == 0 &&
         strcmp(a->cycles, b->cycles) == 0;
}

tauler_error names_compare(const char *path, const table_header *is, const table_header *wanted,
                           table_cell cell, tauler_message *message) {
  if (!are_rules_equal(is, wanted) || strcmp(is->slice, wanted->slice) != 0 ||
      strcmp(is->stream, wanted->stream) != 0)
    return refuse_other_table(path, is, message);
  if (is->index_version != wanted->index_version)
    return tauler_fail(message, TAULER_DAMAGED_FILE,
                       "%.400s numbers its positions by version %" PRIu32 ", this program by version %" PRIu32
                       "; remove it and build again",
                       path, is->index_version, wanted->index_version);
  if (is->positions != wanted->positions)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%.400s has %" PRIu64 " positions, not %" PRIu64, path,
                       is->positions, wanted->positions);
  const bool real = is->cell == TABLE_F32 || is->cell == TABLE_F64;
  if ((real || cell == TABLE_F64) && is->cell != cell)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%.400s has cells of a kind that this game does not use",
                       path);
  return TAULER_OK;
}

void names_places_close(names_places *all) {
  if (all->rules) all->game->close(all->rules);
  all->rules = NULL;
}

/* *known becomes false if this program cannot find the game, rule set or slice of a header. */
static tauler_error find_slice(names_places *all, const table_header *header, uint32_t *slice, bool *known,
                               tauler_message *message) {
  const game *game = game_find(header->game);
  *known = false;
  if (!game || !game->slice_named) return TAULER_OK;
  if (!all->rules || game != all->game || !are_rules_equal(header, &all->of)) {
    names_places_close(all);
    all->game = game;
    all->of = *header;
    const tauler_error error =
        game->open(header->rules, header->cycles[0] ? header->cycles : NULL, &all->rules, message);
    if (error) all->rules = NULL;
    if (error) return error == TAULER_NO_MEMORY ? error : TAULER_OK; /* this program has no such rule set */
  }
  *known = game->slice_named(all->rules, header->slice, slice);
  return TAULER_OK;
}

tauler_error names_classes(const game *game, const game_rules *rules, uint32_t slice, table_classes *out,
                           tauler_message *message) {
  const game_classes *classes = game->classes;
  *out = (table_classes){0};
  if (!classes) return TAULER_OK;
  *out = (table_classes){classes->version, classes->find, classes->close, classes->open(rules, slice)};
  if (out->of) return TAULER_OK;
  *out = (table_classes){0};
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the classes of a table");
}

/* Opens the classes of a table's slice. If there are none, *out is all zeros. */
static tauler_error open_classes(const table_header *header, table_classes *out, tauler_message *message) {
  names_places all = {0};
  uint32_t slice = 0;
  bool known = false;
  *out = (table_classes){0};
  tauler_error error = find_slice(&all, header, &slice, &known, message);
  if (!error && known && all.game->positions(all.rules, slice) == header->positions)
    error = names_classes(all.game, all.rules, slice, out, message);
  names_places_close(&all);
  return error;
}

tauler_error names_recode(const table *from, const char *path, int threads, table_header *written,
                          tauler_message *message) {
  table_classes classes;
  tauler_error error = open_classes(table_get_header(from), &classes, message);
  if (error) return error;
  error = table_recode(from, &classes, path, threads, written, message);
  if (classes.close) classes.close(classes.of);
  return error;
}

tauler_error names_open(const char *path, bool in_part, table **out, tauler_message *message) {
  table_classes classes;
  tauler_error error = table_open(path, in_part, out, message);
  if (error || !table_get_header(*out)->classes) return error;
  error = open_classes(table_get_header(*out), &classes, message);
  if (!error) error = table_set_classes(*out, &classes, message);
  if (!error) return TAULER_OK;
  table_close(*out);
  *out = NULL;
  return error;
}

tauler_error names_place(names_places *all, const char *folder, const table_header *header,
                         char path[FOLDER_PATH_BYTES], tauler_message *message) {
  char below[GAME_TEXT_BYTES] = "";
  uint32_t slice = 0;
  bool known = false;
  const tauler_error error = find_slice(all, header, &slice, &known, message);
  if (!error && known) names_subfolder(all->game, all->rules, slice, below);
  return error ? error : folder_table_path(folder, below, header, path, message);
}

tauler_error names_check(names_places *all, const char *folder, const char *path, const table_header *header,
                         tauler_message *message) {
  char right[FOLDER_PATH_BYTES];
  table_header wanted;
  uint32_t slice = 0;
  bool known = false;
  tauler_error error = names_place(all, folder, header, right, message);
  if (!error && strcmp(right, path) != 0) return refuse_other_table(path, header, message);
  if (!error) error = find_slice(all, header, &slice, &known, message);
  if (error || !known) return error;
  names_header(all->game, all->rules, slice, header->stream, &wanted);
  const bool chance = all->game->kind(all->rules) == SOLVE_CHANCE;
  return names_compare(path, header, &wanted, chance ? TABLE_F64 : TABLE_I8, message);
}
