/* Takes published tables up. */
#include "analysis/publish/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/publish/bring.h"
#include "analysis/publish/catalogue.h"
#include "analysis/publish/place.h"
#include "analysis/publish/sums.h"
#include "base/durable_file.h"
#include "base/folder_lock.h"
#include "databases/table.h"

/* databases/FORMAT.md: of the plain cells, in a header. */
enum { PLAIN_DIGEST_AT = 96, DIGEST_BYTES = 16 };

typedef struct {
  const fetch_job *job;
  fetch_figures *figures;
  sums digests;
  catalogue listed;
  tauler_message *message;
} fetching;

static const sum *expected_of(fetching *f, const char *below) {
  const sum *expected = sums_find(&f->digests, below);
  if (!expected)
    tauler_fail(f->message, TAULER_DAMAGED_FILE, "%.400s does not list %.400s; publish the folder again",
                SUMS_NAME, below);
  return expected;
}

/* True if a file is there and has the digest. */
static bool is_whole(const char *path, const sum *expected) {
  char digest[SUM_TEXT];
  return access(path, F_OK) == 0 && !sum_file(path, digest, NULL) && strcmp(digest, expected->digest) == 0;
}

/* Brings a listed file to a hidden place. */
static tauler_error bring_checked(fetching *f, const char *below, const char *hidden) {
  const sum *expected = expected_of(f, below);
  if (!expected) return TAULER_DAMAGED_FILE;
  if (is_whole(hidden, expected)) return TAULER_OK;
  const tauler_error error = bring_file(f->job->source, below, hidden, f->message);
  if (error || is_whole(hidden, expected)) return error;
  unlink(hidden);
  return tauler_fail(
      f->message, TAULER_DAMAGED_FILE,
      "%.500s of %.300s is not what its SHA-256 says: damaged there or on its way; nothing of it "
      "is kept",
      below, f->job->source);
}

/* --- the lists --- */

static tauler_error read_sums(fetching *f) {
  char hidden[FOLDER_PATH_BYTES];
  growing text = {0};
  tauler_error error = place_path(f->job->db, "." SUMS_NAME ".fetch", hidden, f->message);
  if (error) return error;
  unlink(hidden); /* of another publication */
  error = bring_file(f->job->source, SUMS_NAME, hidden, f->message);
  if (!error) error = growing_read(&text, hidden, f->message);
  if (!error) error = sums_read(&f->digests, SUMS_NAME, text.bytes, f->message);
  unlink(hidden);
  free(text.bytes);
  return error;
}

static tauler_error read_catalogue(fetching *f) {
  char hidden[FOLDER_PATH_BYTES];
  growing bytes = {0};
  tauler_error error = place_path(f->job->db, ".catalogue.fetch", hidden, f->message);
  if (error) return error;
  unlink(hidden);
  error = bring_checked(f, CATALOGUE_NAME, hidden);
  if (!error) error = growing_read(&bytes, hidden, f->message);
  if (!error) error = catalogue_read(&f->listed, CATALOGUE_NAME, bytes.bytes, bytes.used, f->message);
  unlink(hidden);
  free(bytes.bytes);
  return error;
}

/* --- tables --- */

static bool has_cells_of(const table_header *header, const catalogue_entry *entry) {
  table_digest digest = {0, 0};
  for (int i = 0; i < 8; i++) {
    digest.low |= (uint64_t)entry->head[PLAIN_DIGEST_AT + i] << 8 * i;
    digest.high |= (uint64_t)entry->head[PLAIN_DIGEST_AT + 8 + i] << 8 * i;
  }
  return header->plain_digest.low == digest.low && header->plain_digest.high == digest.high;
}

/* A table that is there already. */
static tauler_error look_at_own(fetching *f, const char *path, const catalogue_entry *entry) {
  table_header header;
  const tauler_error error = table_read_header(path, &header, f->message);
  if (error) return error;
  if (!has_cells_of(&header, entry))
    return tauler_fail(f->message, TAULER_DAMAGED_FILE,
                       "%.400s has other cells than the published table: one of them is wrong; tauler verify "
                       "finds out which, or fetch into another folder",
                       path);
  f->figures->kept++;
  return TAULER_OK;
}

static tauler_error sync_path(const char *path, int flags, tauler_message *message) {
  const int descriptor = open(path, flags | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int why = errno;
  if (descriptor >= 0) close(descriptor);
  return synced ? TAULER_OK : tauler_fail(message, TAULER_IO, "cannot write %s: %s", path, strerror(why));
}

/* Gives a file that is known to be right its name, for good. */
static tauler_error take_up(const char *hidden, const char *path, tauler_message *message) {
  char folder[FOLDER_PATH_BYTES];
  table *opened;
  tauler_error error = table_open(hidden, &opened, message);
  if (error) return error;
  table_close(opened);
  error = sync_path(hidden, O_RDONLY, message);
  if (!error && rename(hidden, path) != 0)
    error = tauler_fail(message, TAULER_IO, "cannot name %s: %s", path, strerror(errno));
  memcpy(folder, path, strlen(path) + 1);
  *strrchr(folder, '/') = '\0';
  return error ? error : sync_path(folder, O_RDONLY | O_DIRECTORY, message);
}

static tauler_error fetch_table(fetching *f, const catalogue_entry *entry) {
  char path[FOLDER_PATH_BYTES], hidden[FOLDER_PATH_BYTES], below[FOLDER_PATH_BYTES];
  snprintf(below, sizeof below, "%s/%s", CATALOGUE_FOLDER, entry->path);
  tauler_error error = place_path(f->job->db, entry->path, path, f->message);
  if (error) return error;
  if (access(path, F_OK) == 0) return look_at_own(f, path, entry);
  const size_t folder = (size_t)(strrchr(path, '/') + 1 - path);
  if (snprintf(hidden, sizeof hidden, "%.*s.%s.fetch", (int)folder, path, path + folder) >=
      (int)sizeof hidden)
    return tauler_fail(f->message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s",
                       f->job->db);
  error = bring_checked(f, below, hidden);
  if (!error) error = take_up(hidden, path, f->message);
  if (error) return error;
  f->figures->fetched++;
  f->figures->bytes += entry->bytes;
  return TAULER_OK;
}

static tauler_error fetch_all(fetching *f) {
  uint64_t total = 0;
  tauler_error error = read_sums(f);
  if (!error) error = read_catalogue(f);
  for (size_t i = 0; i < f->listed.used; i++) total += f->listed.list[i].head ? f->listed.list[i].bytes : 0;
  if (f->job->shown) progress_start(f->job->shown, "fetch", "bytes", total, 0);
  for (size_t i = 0; i < f->listed.used && !error; i++) {
    const catalogue_entry *entry = &f->listed.list[i];
    if (entry->head_bytes < PLAIN_DIGEST_AT + DIGEST_BYTES) continue; /* offsets */
    error = fetch_table(f, entry);
    if (f->job->shown) progress_add(f->job->shown, entry->bytes);
  }
  return error;
}

tauler_error fetch_tables(const fetch_job *job, fetch_figures *figures, tauler_message *message) {
  fetching f = {.job = job, .figures = figures, .message = message};
  folder_lock *lock = NULL;
  *figures = (fetch_figures){0};
  tauler_error error = durable_folder_create(job->db, message);
  if (!error) error = folder_lock_take(job->db, &lock, message);
  if (!error) error = fetch_all(&f);
  folder_lock_give(lock);
  sums_free(&f.digests);
  catalogue_free(&f.listed);
  return error;
}
