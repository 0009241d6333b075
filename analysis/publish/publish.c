/* Makes a published folder of tables. */
#include "analysis/publish/publish.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/publish/place.h"
#include "base/durable_file.h"
#include "base/json.h"
#include "databases/names.h"
#include "databases/table_frames.h"

#define PACK_NAME "pack.json"
enum { PACK_BYTES = 60000000 };

typedef struct {
  const publish_job *job;
  publish_figures *figures;
  catalogue listed;
  sums digests;
  names_places places;
  tauler_message *message;
} publication;

/* Notes a file that is now in the folder. */
static tauler_error note(publication *p, const char *below) {
  char path[FOLDER_PATH_BYTES], digest[SUM_TEXT];
  tauler_error error = place_path(p->job->folder, below, path, p->message);
  if (!error) error = digest_file(path, digest, p->message);
  return error ? error : sums_add(&p->digests, below, digest, p->message);
}

/* --- tables --- */

/* Publishes the offsets of a checked table with this path below CATALOGUE_FOLDER. */
static tauler_error publish_offsets(publication *p, const table *from, const char *below) {
  char name[FOLDER_PATH_BYTES], path[FOLDER_PATH_BYTES];
  if (!table_has_offsets(table_get_header(from))) return TAULER_OK;
  tauler_error error = table_offsets_path(below, name, p->message);
  if (!error) error = place_path(p->job->folder, name, path, p->message);
  if (!error) error = table_offsets_write(from, path, p->message);
  if (!error) error = catalogue_add(&p->listed, name + sizeof CATALOGUE_FOLDER, path, 0, p->message);
  return error ? error : note(p, name);
}

/* Puts a table into the folder as it is, or coded adaptively if that was asked for and is smaller. */
static tauler_error place_table(publication *p, const table *from, const char *source, const char *path) {
  table_header written = {0};
  const tauler_error error =
      p->job->adaptive ? names_recode(from, path, p->job->threads, &written, p->message) : TAULER_OK;
  return error || written.stored_bytes ? error : place_file(source, path, p->message);
}

static tauler_error publish_table(publication *p, const table *from, const char *source, const char *below) {
  char path[FOLDER_PATH_BYTES];
  table *placed = NULL;
  tauler_error error = place_path(p->job->folder, below, path, p->message);
  if (!error) error = place_table(p, from, source, path);
  if (!error)
    error = catalogue_add(&p->listed, below + sizeof CATALOGUE_FOLDER, path, TABLE_FRAMES_AT, p->message);
  if (!error) error = note(p, below);
  if (!error) error = table_open(path, &placed, p->message);
  if (error) return error;
  p->figures->tables++;
  p->figures->cells += table_get_header(placed)->positions;
  p->figures->bytes += table_get_header(placed)->stored_bytes;
  error = publish_offsets(p, placed, below);
  table_close(placed);
  return error;
}

static tauler_error visit_table(void *user, const char *path) {
  publication *p = user;
  const char *name = path + strlen(p->job->db);
  char below[FOLDER_PATH_BYTES];
  table *from;
  while (*name == '/') name++;
  if (snprintf(below, sizeof below, "%s/%s", CATALOGUE_FOLDER, name) >= (int)sizeof below)
    return tauler_fail(p->message, TAULER_BAD_USAGE, "the path of a table is too long: %.200s", path);
  tauler_error error = names_open(path, &from, p->message);
  if (error) return error;
  error = names_check(&p->places, p->job->db, path, table_get_header(from), p->message);
  if (!error) error = table_check(from, p->job->threads, p->message);
  if (!error) error = publish_table(p, from, path, below);
  if (p->job->shown) progress_add(p->job->shown, 1);
  table_close(from);
  return error;
}

/* --- the folder --- */

/* True if a folder is the other one, or is inside it. */
static bool is_within(const char *folder, const char *other) {
  char *inner = realpath(folder, NULL), *outer = realpath(other, NULL);
  const size_t n = outer ? strlen(outer) : 0;
  const bool within = inner && outer && strncmp(inner, outer, n) == 0 && (!inner[n] || inner[n] == '/');
  free(inner);
  free(outer);
  return within;
}

static tauler_error check_folders(const publish_job *job, tauler_message *message) {
  const tauler_error error = durable_folder_create(job->folder, message);
  if (error || (!is_within(job->folder, job->db) && !is_within(job->db, job->folder))) return error;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "%.300s and the tables in %.300s need folders of their own, neither in the other",
                     job->folder, job->db);
}

static tauler_error publish_card(publication *p, const tauler_contents *contents) {
  const card of = {p->job->title, p->job->licence, contents, &p->listed, p->job->page != NULL};
  const tauler_error error = card_write(&of, p->job->folder, p->message);
  return error ? error : note(p, CARD_NAME);
}

static tauler_error note_page(void *user, const char *below) {
  return note(user, below);
}

static bool is_of_tables(const char *below) {
  return strncmp(below, CATALOGUE_FOLDER "/", sizeof CATALOGUE_FOLDER) == 0 &&
         strcmp(below, CATALOGUE_NAME) != 0;
}

static void pack_page(json_writer *json, const publication *p) {
  json_field_array(json, "page");
  for (size_t i = 0; i < p->digests.used; i++)
    if (!is_of_tables(p->digests.list[i].path) && strcmp(p->digests.list[i].path, CARD_NAME) != 0)
      json_string(json, p->digests.list[i].path);
  json_end_array(json);
}

/* Lists as many tables as the pack has space for, in their order: small slices first. */
static void pack_tables(json_writer *json, const publication *p) {
  uint64_t room = PACK_BYTES;
  json_field_array(json, "tables");
  for (size_t i = 0; i < p->listed.used; i++) {
    char below[FOLDER_PATH_BYTES];
    if (p->listed.list[i].bytes > room) continue;
    room -= p->listed.list[i].bytes;
    snprintf(below, sizeof below, "%s/%s", CATALOGUE_FOLDER, p->listed.list[i].path);
    json_string(json, below);
  }
  json_end_array(json);
}

/* Lists the files that a reader stores for use without a network. */
static tauler_error publish_pack(publication *p) {
  char version[SUM_TEXT]; /* the digest of all that it contains names the publication */
  json_writer json;
  size_t n;
  sums_digest(&p->digests, version);
  json_open_buffer(&json);
  json_begin_object(&json);
  json_field_string(&json, "version", version);
  pack_page(&json, p);
  pack_tables(&json, p);
  json_end_object(&json);
  const char *text = json_text(&json, &n);
  const tauler_error placed = place_bytes(p->job->folder, PACK_NAME, text, n, p->message);
  const tauler_error error = json_close(&json, placed ? NULL : p->message);
  return placed ? placed : error ? error : note(p, PACK_NAME);
}

static tauler_error publish_page(publication *p) {
  if (!p->job->page) return TAULER_OK;
  const tauler_error error = page_write(p->job->page, p->job->folder, note_page, p, p->message);
  return error ? error : publish_pack(p);
}

static tauler_error publish_all(publication *p, const tauler_contents *contents) {
  if (p->job->shown) progress_start(p->job->shown, "publish", "tables", 0, 0);
  tauler_error error = folder_walk(p->job->db, visit_table, p, p->message);
  if (!error && p->figures->tables == 0)
    error = tauler_fail(p->message, TAULER_TABLE_MISSING, "there is no table in %.400s; build some first",
                        p->job->db);
  if (!error) error = catalogue_write(&p->listed, p->job->folder, p->message);
  if (!error) error = note(p, CATALOGUE_NAME);
  if (!error) error = publish_card(p, contents);
  if (!error) error = publish_page(p);
  return error ? error : sums_write(&p->digests, p->job->folder, p->message);
}

tauler_error publish_folder(const publish_job *job, publish_figures *figures, tauler_message *message) {
  publication p = {.job = job, .figures = figures, .message = message};
  tauler *db = NULL;
  tauler_contents *contents = NULL;
  *figures = (publish_figures){0};
  tauler_error error = check_folders(job, message);
  if (!error) error = tauler_open(job->db, NULL, &db, message);
  if (!error) error = tauler_list(db, &contents, message);
  if (!error) error = publish_all(&p, contents);
  tauler_contents_free(contents);
  tauler_close(db);
  names_places_close(&p.places);
  catalogue_free(&p.listed);
  sums_free(&p.digests);
  return error;
}
