/* Fetches published tables. */
#include "analysis/publish/fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/publish/catalogue.h"
#include "analysis/publish/place.h"
#include "analysis/publish/sums.h"
#include "base/available.h"
#include "base/durable_file.h"
#include "base/folder_lock.h"
#include "base/text.h"
#include "base/text_show.h"
#include "databases/names.h"
#include "databases/table.h"
#include "databases/table_frames.h"

/* The chosen tables of a rule set. */
typedef struct {
  char name[FOLDER_PATH_BYTES]; /* "auale/abapa/own-row" */
  size_t tables, missing;
  uint64_t bytes; /* bytes of the missing tables */
} shelf_size;

typedef struct {
  const fetch_job *job;
  fetch_figures *figures;
  sums digests;
  growing catalogue; /* as in the folder */
  names_places places;
  size_t entries;
  uint64_t bytes;  /* bytes of tables that are missing here */
  shelf_size size; /* size of the rule set whose tables come now */
  size_t chosen;   /* tables */
  char had[256];   /* rule sets that are published, for a message */
  tauler_message *message;
} fetching;

static const sum *expected_of(const fetching *f, const char *below) {
  const sum *expected = sums_find(&f->digests, below);
  if (!expected)
    (void)tauler_fail(f->message, TAULER_DAMAGED_FILE,
                      "%.400s does not list %.400s; publish the folder again", SUMS_NAME, below);
  return expected;
}

static tauler_error differs(const fetching *f, const char *below) {
  return tauler_fail(
      f->message, TAULER_DAMAGED_FILE,
      "%.500s of %.300s is not what its SHA-256 says: damaged there or on its way; nothing of it "
      "is kept",
      below, f->job->source);
}

static bring_source source_of(const fetching *f) {
  return (bring_source){f->job->source, f->job->timeout};
}

/* --- the lists --- */

static tauler_error add_to_memory(void *user, uint64_t at, const void *bytes, size_t n,
                                  tauler_message *message) {
  (void)at; /* asked for from the start */
  return growing_add(user, bytes, n, message);
}

static tauler_error read_list(const fetching *f, const char *below, uint64_t most, growing *out) {
  const bring_source from = source_of(f);
  bring_wish wish = {.below = below, .most = most, .take = add_to_memory, .user = out};
  const tauler_error error = growing_add(out, "", 0, f->message);
  return error ? error : bring_file(&from, &wish, f->message);
}

static tauler_error read_sums(fetching *f) {
  growing text = {0};
  tauler_error error = read_list(f, SUMS_NAME, SUMS_MOST_BYTES, &text);
  if (!error) error = sums_read(&f->digests, SUMS_NAME, text.bytes, text.used, f->message);
  free(text.bytes);
  return error;
}

static tauler_error read_catalogue(fetching *f) {
  char digest[SUM_TEXT];
  const sum *expected = expected_of(f, CATALOGUE_NAME);
  if (!expected) return TAULER_DAMAGED_FILE;
  const tauler_error error = read_list(f, CATALOGUE_NAME, CATALOGUE_MOST_BYTES, &f->catalogue);
  if (error) return error;
  digest_bytes(f->catalogue.bytes, f->catalogue.used, digest);
  return strcmp(digest, expected->digest) == 0 ? TAULER_OK : differs(f, CATALOGUE_NAME);
}

/* A table: its path in the published folder, and its path here. */
typedef struct {
  const catalogue_entry *entry;
  char below[FOLDER_PATH_BYTES], path[FOLDER_PATH_BYTES];
  table_header header;
  const sum *expected;
} listed_table;

/* False for a file of offsets. */
static bool is_table(const catalogue_entry *entry) {
  return entry->head_bytes > 0;
}

static tauler_error look_up(fetching *f, const catalogue_entry *entry, listed_table *out) {
  out->entry = entry;
  snprintf(out->below, sizeof out->below, "%s/%s", CATALOGUE_FOLDER, entry->path);
  if (snprintf(out->path, sizeof out->path, "%s/%s", f->job->db, entry->path) >= (int)sizeof out->path)
    return tauler_fail(f->message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s",
                       f->job->db);
  if (!(out->expected = expected_of(f, out->below))) return TAULER_DAMAGED_FILE;
  if (entry->head_bytes != TABLE_FRAMES_AT)
    return tauler_fail(f->message, TAULER_DAMAGED_FILE, "the catalogue has no header of %.400s", out->below);
  const tauler_error error =
      table_header_parse(entry->head, entry->head_bytes, out->below, entry->bytes, &out->header, f->message);
  return error ? error : names_check(&f->places, CATALOGUE_FOLDER, out->below, &out->header, f->message);
}

static void show_size(const fetching *f) {
  const shelf_size *size = &f->size;
  if (!size->tables || !f->job->shown) return;
  progress_note(f->job->shown, "%s: %zu table%s, of which %zu, %s, are to come", text_shown(size->name).text,
                size->tables, size->tables == 1 ? "" : "s", size->missing, text_size(size->bytes).text);
}

/* Rule sets stand together in a catalogue. */
static void begin_shelf(fetching *f, const table_header *header) {
  char name[FOLDER_PATH_BYTES];
  snprintf(name, sizeof name, "%s/%s%s%s", header->game, header->rules, *header->cycles ? "/" : "",
           header->cycles);
  if (strcmp(name, f->size.name) == 0) return;
  show_size(f);
  f->size = (shelf_size){.tables = 0};
  snprintf(f->size.name, sizeof f->size.name, "%s", name);
  text_add(f->had, sizeof f->had, "%s%s", *f->had ? ", " : "", name);
}

static tauler_error choose_table(fetching *f, const listed_table *listed, bool *chosen) {
  *chosen = true;
  if (!f->job->choice) return TAULER_OK;
  return choice_has(f->job->choice, listed->entry->path, &listed->header, f->places.game, f->places.rules,
                    chosen, f->message);
}

static tauler_error check_entry(void *user, const catalogue_entry *entry, tauler_message *message) {
  fetching *f = user;
  listed_table listed;
  struct stat about;
  bool chosen = false;
  if (++f->entries > f->digests.used)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%s lists more files than %s", CATALOGUE_NAME,
                       SUMS_NAME);
  if (!is_table(entry)) return TAULER_OK;
  tauler_error error = look_up(f, entry, &listed);
  if (!error) error = choose_table(f, &listed, &chosen);
  if (error) return error;
  begin_shelf(f, &listed.header);
  if (!chosen) return TAULER_OK;
  f->chosen++;
  f->size.tables++;
  if (stat(listed.path, &about) == 0) return TAULER_OK;
  f->size.missing++;
  f->size.bytes += entry->bytes;
  f->bytes = entry->bytes < UINT64_MAX - f->bytes ? f->bytes + entry->bytes : UINT64_MAX;
  return TAULER_OK;
}

/* --- tables --- */

/* Compares a table that already exists here. */
static tauler_error look_at_own(fetching *f, const listed_table *listed) {
  table_header own;
  const tauler_error error = table_read_header(listed->path, &own, f->message);
  if (error) return error;
  if (own.plain_digest.low != listed->header.plain_digest.low ||
      own.plain_digest.high != listed->header.plain_digest.high)
    return tauler_fail(f->message, TAULER_DAMAGED_FILE,
                       "%.400s has other cells than the published table: one of them is wrong; tauler verify "
                       "finds out which, or fetch into another folder",
                       listed->path);
  f->figures->kept++;
  return TAULER_OK;
}

static tauler_error write_to_file(void *user, uint64_t at, const void *bytes, size_t n,
                                  tauler_message *message) {
  return durable_file_write_at(user, at, bytes, n, message);
}

/* Receives the missing bytes, then checks the whole file. */
static tauler_error complete(const fetching *f, const listed_table *listed, durable_file *file, uint64_t n,
                             bool *right) {
  char digest[SUM_TEXT];
  const uint64_t wanted = listed->entry->bytes;
  const bring_source from = source_of(f);
  bring_wish wish = {
      .below = listed->below, .first = n, .most = wanted, .take = write_to_file, .user = file, .end = n};
  tauler_error error = n < wanted ? bring_file(&from, &wish, f->message) : TAULER_OK;
  if (!error && wish.end < wanted)
    error = tauler_fail(f->message, TAULER_DAMAGED_FILE,
                        "%.400s of %.300s has %" PRIu64 " bytes, not the %" PRIu64 " that the catalogue says",
                        listed->below, f->job->source, wish.end, wanted);
  if (!error) error = digest_parts(durable_file_descriptor(file), listed->below, wanted, digest, f->message);
  *right = !error && strcmp(digest, listed->expected->digest) == 0;
  return error;
}

/* The bytes already here may belong to another publication: then all of them are received again, once. */
static tauler_error receive(const fetching *f, const listed_table *listed, durable_file *file, uint64_t n,
                            bool *right) {
  tauler_error error = TAULER_OK;
  if (n > listed->entry->bytes) error = durable_file_resize(file, n = 0, f->message);
  if (!error) error = complete(f, listed, file, n, right);
  if (error || *right || n == 0) return error;
  error = durable_file_resize(file, 0, f->message);
  return error ? error : complete(f, listed, file, 0, right);
}

/* The bytes have the digest of SHA256SUMS; checks that they are a table, and the one of the catalogue. */
static tauler_error check_table(const fetching *f, const listed_table *listed, const durable_file *file) {
  unsigned char head[TABLE_FRAMES_AT];
  table *opened;
  tauler_error error =
      durable_read_range(durable_file_descriptor(file), listed->below, 0, head, sizeof head, f->message);
  if (!error && memcmp(head, listed->entry->head, sizeof head) != 0)
    error =
        tauler_fail(f->message, TAULER_DAMAGED_FILE, "%.400s of %.300s has another header than the catalogue",
                    listed->below, f->job->source);
  if (!error) error = table_open(durable_file_hidden(file), &opened, f->message);
  if (error) return error;
  table_close(opened);
  if (durable_file_is_named(file)) return TAULER_OK;
  return tauler_fail(f->message, TAULER_IO, "%.400s was replaced by another process; run the command again",
                     durable_file_hidden(file));
}

/* A file that is known to be wrong is removed; one that could not be read, or is incomplete, stays. */
static tauler_error receive_and_name(const fetching *f, const listed_table *listed, durable_file *file,
                                     uint64_t n) {
  bool right = false;
  tauler_error error = receive(f, listed, file, n, &right);
  if (error) {
    durable_file_keep(file);
    return error;
  }
  error = right ? check_table(f, listed, file) : differs(f, listed->below);
  if (!error) error = durable_file_sync(file, f->message);
  if (!error) return durable_file_commit(file, f->message);
  (error == TAULER_DAMAGED_FILE ? durable_file_abandon : durable_file_keep)(file);
  return error;
}

static tauler_error fetch_table(fetching *f, const listed_table *listed) {
  char hidden[FOLDER_PATH_BYTES];
  durable_file *file;
  uint64_t n;
  if (access(listed->path, F_OK) == 0) return look_at_own(f, listed);
  const char *name = strrchr(listed->path, '/') + 1;
  const int folder = (int)(name - listed->path);
  if (snprintf(hidden, sizeof hidden, "%.*s.%s.fetch", folder, listed->path, name) >= (int)sizeof hidden)
    return tauler_fail(f->message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s",
                       f->job->db);
  tauler_error error = place_folder(listed->path, f->message);
  if (!error) error = durable_file_resume(listed->path, hidden, &file, &n, f->message);
  if (!error) error = receive_and_name(f, listed, file, n);
  if (error) return error;
  if (f->job->shown) progress_add(f->job->shown, listed->entry->bytes);
  f->figures->fetched++;
  f->figures->bytes += listed->entry->bytes;
  return TAULER_OK;
}

static tauler_error fetch_entry(void *user, const catalogue_entry *entry, tauler_message *message) {
  fetching *f = user;
  listed_table listed;
  (void)message;
  if (!is_table(entry)) return TAULER_OK;
  bool chosen = false;
  tauler_error error = look_up(f, entry, &listed);
  if (!error) error = choose_table(f, &listed, &chosen);
  return error || !chosen ? error : fetch_table(f, &listed);
}

static tauler_error check_room(const fetching *f) {
  const uint64_t room = disk_available(f->job->db);
  if (f->bytes <= room) return TAULER_OK;
  return tauler_fail(
      f->message, TAULER_NO_SPACE,
      "the tables that are not there take %s, and %.400s has room for %s: free some, or fetch into "
      "another folder",
      text_size(f->bytes).text, f->job->db, text_size(room).text);
}

static tauler_error check_choice(const fetching *f) {
  if (f->chosen || !f->job->choice) return TAULER_OK;
  return tauler_fail(f->message, TAULER_TABLE_MISSING,
                     "nothing of this choice is published; there are tables of: %s", text_shown(f->had).text);
}

static tauler_error read_entries(fetching *f, catalogue_visit visit) {
  return catalogue_read(CATALOGUE_NAME, f->catalogue.bytes, f->catalogue.used, visit, f, f->message);
}

static tauler_error fetch_all(fetching *f) {
  tauler_error error = read_sums(f);
  if (!error) error = read_catalogue(f);
  if (!error) error = read_entries(f, check_entry);
  show_size(f);
  if (!error) error = check_choice(f);
  if (!error) error = check_room(f);
  if (error) return error;
  if (f->job->shown) progress_start(f->job->shown, "fetch", "bytes", f->bytes, 0);
  return read_entries(f, fetch_entry);
}

tauler_error fetch_tables(const fetch_job *job, fetch_figures *figures, tauler_message *message) {
  fetching f = {.job = job, .figures = figures, .message = message};
  folder_lock *lock = NULL;
  *figures = (fetch_figures){0};
  tauler_error error = bring_check_source(job->source, message);
  if (!error) error = durable_folder_create(job->db, message);
  if (!error) error = folder_lock_acquire(job->db, &lock, message);
  if (!error) error = fetch_all(&f);
  folder_lock_release(lock);
  sums_free(&f.digests);
  names_places_close(&f.places);
  free(f.catalogue.bytes);
  return error;
}
