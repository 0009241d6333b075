/* Makes the paths of tables, and visits all tables of a folder. */
#include "databases/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char suffix[] = ".zst";

tauler_error folder_table_path(const char *folder, const char *below, const table_header *header,
                               char path[FOLDER_PATH_BYTES], tauler_message *message) {
  const int n = snprintf(path, FOLDER_PATH_BYTES, "%s/%s/%s%s%s%s%s/%s.%s%s", folder, header->game,
                         header->rules, header->cycles[0] ? "/" : "", header->cycles, below[0] ? "/" : "",
                         below, header->slice, header->stream, suffix);
  if (n < 0 || n >= FOLDER_PATH_BYTES) {
    return tauler_fail(message, TAULER_BAD_USAGE, "the path of the database folder is too long: %.200s",
                       folder);
  }
  return TAULER_OK;
}

static int is_shown(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

/* Sorts names by length, then by bytes, so that slice 9 comes before slice 10. */
static int compare_names(const struct dirent **a, const struct dirent **b) {
  const size_t na = strlen((*a)->d_name), nb = strlen((*b)->d_name);
  if (na != nb) return na < nb ? -1 : 1;
  return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_table_name(const char *name) {
  const size_t n = strlen(name), m = sizeof suffix - 1;
  return n > m && strcmp(name + n - m, suffix) == 0;
}

/* The folders that the walk is in, the innermost one first. */
typedef struct open_folder {
  const struct open_folder *above; /* NULL for the top folder */
  dev_t device;
  ino_t number;
} open_folder;

typedef struct {
  tauler_error (*visit)(void *user, const char *path);
  void *user;
  tauler_message *message;
} walker;

static bool is_being_walked(const open_folder *above, const struct stat *folder) {
  for (; above; above = above->above)
    if (above->device == folder->st_dev && above->number == folder->st_ino) return true;
  return false;
}

static tauler_error fail_read(const walker *w, tauler_error error, const char *folder) {
  return tauler_fail(w->message, error, "cannot read the database folder %.400s: %s", folder,
                     strerror(errno));
}

static tauler_error walk_folder(const walker *w, const char *folder, const open_folder *above);

/* Visits a table, or walks through a folder. Every path with a table's name counts as a table. A link to a
 * folder that contains it is not followed. */
static tauler_error walk_entry(const walker *w, const char *folder, const char *name,
                               const open_folder *here) {
  char path[FOLDER_PATH_BYTES];
  struct stat about;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return fail_read(w, TAULER_IO, folder);
  }
  if (is_table_name(name)) return w->visit(w->user, path);
  if (stat(path, &about) != 0) /* the path was removed meanwhile, or is a link to nowhere */
    return errno == ENOENT || errno == ELOOP ? TAULER_OK : fail_read(w, tauler_errno_error(errno), path);
  if (!S_ISDIR(about.st_mode) || is_being_walked(here, &about)) return TAULER_OK;
  return walk_folder(w, path, here);
}

static tauler_error walk_folder(const walker *w, const char *folder, const open_folder *above) {
  struct dirent **entries;
  struct stat about;
  const int n = stat(folder, &about) == 0 ? scandir(folder, &entries, is_shown, compare_names) : -1;
  if (n < 0 && above && errno == ENOENT) return TAULER_OK; /* removed meanwhile */
  if (n < 0 && !above && (errno == ENOENT || errno == ENOTDIR))
    return fail_read(w, TAULER_TABLE_MISSING, folder);
  if (n < 0) return fail_read(w, tauler_errno_error(errno), folder);
  const open_folder here = {above, about.st_dev, about.st_ino};
  tauler_error error = TAULER_OK;
  for (int i = 0; i < n && !error; i++) error = walk_entry(w, folder, entries[i]->d_name, &here);
  for (int i = 0; i < n; i++) free(entries[i]);
  free(entries);
  return error;
}

tauler_error folder_walk(const char *folder, tauler_error (*visit)(void *user, const char *path), void *user,
                         tauler_message *message) {
  const walker w = {visit, user, message};
  return walk_folder(&w, folder, NULL);
}
