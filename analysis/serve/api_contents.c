/* Answers with the content of the folders. */
#include "analysis/serve/api_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "analysis/probe/probe_tables.h"
#include "base/clock.h"
#include "databases/folder.h"
#include "databases/table.h"
#include "games/registry.h"

struct kept_contents {
  pthread_mutex_t lock;
  tauler *db;
  char *text; /* the answer, or NULL before the first one */
  size_t length;
  XXH128_hash_t files;
  double looked; /* start of the last check of the files, by clock_wall */
};

kept_contents *kept_contents_new(const char *folder, const tauler_settings *settings) {
  kept_contents *kept = calloc(1, sizeof *kept);
  if (!kept) return NULL;
  pthread_mutex_init(&kept->lock, NULL);
  if (!tauler_open(folder, settings, &kept->db, NULL)) return kept;
  kept_contents_free(kept);
  return NULL;
}

void kept_contents_free(kept_contents *kept) {
  if (!kept) return;
  pthread_mutex_destroy(&kept->lock);
  tauler_close(kept->db);
  free(kept->text);
  free(kept);
}

/* --- the text --- */

static void add_text(XXH3_state_t *state, const char *text) {
  XXH3_128bits_update(state, text ? text : "", (text ? strlen(text) : 0) + 1);
}

/* Writes a digest of all slices and of the digests of their tables. Returns false if out of memory. */
static bool digest_contents(const tauler_contents *contents, char text[TABLE_DIGEST_TEXT]) {
  XXH3_state_t *state = XXH3_createState();
  if (!state) return false;
  XXH3_128bits_reset(state);
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *slice = &contents->slices[i];
    const char *const parts[] = {slice->game,  slice->rules, slice->cycles,
                                 slice->slice, slice->table, slice->depths};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) add_text(state, parts[part]);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  table_digest_text((table_digest){hash.low64, hash.high64}, text);
  return true;
}

static bool is_default(const game *g, const tauler_slice *slice) {
  game_rules *rules;
  if (g->open(NULL, NULL, &rules, NULL)) return false;
  const bool same =
      strcmp(g->rules_text(rules), slice->rules) == 0 && strcmp(g->cycles_text(rules), slice->cycles) == 0;
  g->close(rules);
  return same;
}

static void rule_set_to_json(json_writer *json, const game *g, const tauler_slice *slices, size_t n) {
  json_begin_object(json);
  json_fields(json, JSON_TEXT("rules", slices->rules), JSON_TEXT("cycles", slices->cycles),
              JSON_FLAG("default", is_default(g, slices)));
  json_field_array(json, "slices");
  for (size_t i = 0; i < n; i++)
    json_object(json, JSON_TEXT("slice", slices[i].slice), JSON_COUNT("positions", slices[i].positions),
                JSON_TEXT("table", slices[i].table), JSON_TEXT("depths", slices[i].depths));
  json_end_array(json);
  json_end_object(json);
}

static void game_to_json(json_writer *json, const game *g, const tauler_contents *contents) {
  const game_help help = game_help_of(g);
  json_begin_object(json);
  json_fields(json, JSON_TEXT("name", g->name), JSON_TEXT("title", help.title),
              JSON_TEXT("example", help.example), JSON_FLAG("dice", g->chance != NULL));
  json_field_array(json, "rule_sets");
  for (size_t i = 0, n; i < contents->slices_used; i += n) {
    n = contents_count_rule_set(contents, i);
    if (strcmp(contents->slices[i].game, g->name) == 0) rule_set_to_json(json, g, contents->slices + i, n);
  }
  json_end_array(json);
  json_end_object(json);
}

static tauler_error write_contents(const tauler_contents *contents, char **text, size_t *length,
                                   tauler_message *message) {
  json_writer json;
  char digest[TABLE_DIGEST_TEXT];
  if (!digest_contents(contents, digest))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for what the folder holds");
  json_open_buffer(&json);
  json_begin_object(&json);
  json_fields(&json, JSON_TEXT("program", "tauler"), JSON_TEXT("version", tauler_version()),
              JSON_TEXT("tables", digest));
  json_field_array(&json, "games");
  for (const game *const *g = game_list(); *g; g++) game_to_json(&json, *g, contents);
  json_end_array(&json);
  json_end_object(&json);
  const char *written = json_text(&json, length);
  *text = malloc(*length + 1);
  if (*text) memcpy(*text, written, *length + 1);
  const tauler_error error = json_close(&json, message);
  if (*text && !error) return TAULER_OK;
  free(*text);
  return error ? error : tauler_fail(message, TAULER_NO_MEMORY, "no memory for what the folder holds");
}

/* --- cache --- */

static tauler_error add_file(void *user, const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return TAULER_OK; /* the file was removed meanwhile */
  const int64_t parts[] = {(int64_t)about.st_ino, about.st_size,        about.st_mtim.tv_sec,
                           about.st_mtim.tv_nsec, about.st_ctim.tv_sec, about.st_ctim.tv_nsec};
  add_text(user, path);
  XXH3_128bits_update(user, parts, sizeof parts);
  return TAULER_OK;
}

static tauler_error digest_files(char *const *folders, XXH128_hash_t *out, tauler_message *message) {
  XXH3_state_t *state = XXH3_createState();
  if (!state) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for what the folder holds");
  XXH3_128bits_reset(state);
  tauler_error error = TAULER_OK;
  for (; *folders && !error; folders++) {
    error = folder_walk(*folders, add_file, state, message);
    if (error == TAULER_TABLE_MISSING) error = TAULER_OK;
  }
  *out = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return error;
}

static tauler_error rewrite_contents(kept_contents *kept, XXH128_hash_t files, tauler_message *message) {
  tauler_contents *contents;
  char *text = NULL;
  size_t length = 0;
  tauler_error error = tauler_list(kept->db, &contents, message);
  if (error) return error;
  error = write_contents(contents, &text, &length, message);
  tauler_contents_free(contents);
  if (error) return error;
  free(kept->text);
  kept->text = text;
  kept->length = length;
  kept->files = files;
  return TAULER_OK;
}

/* Checks the files, unless a check began after the request arrived. */
static tauler_error update_contents(kept_contents *kept, double came, tauler_message *message) {
  if (kept->text && kept->looked > came) return TAULER_OK;
  const double now = clock_wall();
  XXH128_hash_t files;
  tauler_error error = digest_files(kept->db->folders, &files, message);
  if (!error && !(kept->text && XXH128_isEqual(files, kept->files)))
    error = rewrite_contents(kept, files, message);
  if (!error) kept->looked = now;
  return error;
}

void kept_contents_answer(kept_contents *kept, api_response *out) {
  const double came = clock_wall();
  tauler_message message;
  char *copy = NULL;
  size_t length = 0;
  pthread_mutex_lock(&kept->lock);
  tauler_error error = update_contents(kept, came, &message);
  if (!error) {
    length = kept->length;
    copy = malloc(length + 1);
    if (copy) memcpy(copy, kept->text, length + 1);
  }
  pthread_mutex_unlock(&kept->lock);
  if (!error && !copy) error = tauler_fail(&message, TAULER_NO_MEMORY, "no memory for what the folder holds");
  if (error) {
    api_set_failure(out, error, &message, NULL);
    return;
  }
  api_set_body(out, 200, api_json_type, copy, length, false);
  api_set_keeping(out, API_ASK_AGAIN);
}
