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

/* By length, then by bytes: slice 9 stands before slice 10. */
static int by_size_and_name(const struct dirent **a, const struct dirent **b) {
  const size_t na = strlen((*a)->d_name), nb = strlen((*b)->d_name);
  if (na != nb) return na < nb ? -1 : 1;
  return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_table_name(const char *name) {
  const size_t n = strlen(name), m = sizeof suffix - 1;
  return n > m && strcmp(name + n - m, suffix) == 0;
}

static tauler_error walk(const char *folder, bool top, tauler_error (*visit)(void *user, const char *path),
                         void *user, tauler_message *message) {
  struct dirent **entries;
  const int n = scandir(folder, &entries, is_shown, by_size_and_name);
  if (n < 0) {
    const tauler_error error =
        top && (errno == ENOENT || errno == ENOTDIR) ? TAULER_TABLE_MISSING : TAULER_IO;
    return tauler_fail(message, error, "cannot read the database folder %.400s: %s", folder, strerror(errno));
  }
  tauler_error error = TAULER_OK;
  for (int i = 0; i < n && !error; i++) {
    char path[FOLDER_PATH_BYTES];
    struct stat about;
    if (snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) >= (int)sizeof path) continue;
    if (stat(path, &about) != 0) continue;
    if (S_ISDIR(about.st_mode)) {
      error = walk(path, false, visit, user, message);
    } else if (is_table_name(entries[i]->d_name)) {
      error = visit(user, path);
    }
  }
  for (int i = 0; i < n; i++) free(entries[i]);
  free(entries);
  return error;
}

tauler_error folder_walk(const char *folder, tauler_error (*visit)(void *user, const char *path), void *user,
                         tauler_message *message) {
  return walk(folder, true, visit, user, message);
}
