/* Writes files into a folder, and reads whole files and parts of them. */
#include "analysis/publish/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/durable_file.h"
#include "base/memory.h"

enum { PART_BYTES = 1 << 20 };

tauler_error growing_add(growing *to, const void *bytes, size_t n, tauler_message *message) {
  if (!memory_make_room(&to->bytes, &to->room, to->used + n + 1, 1))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for %zu bytes of a file", to->used + n);
  memcpy(to->bytes + to->used, bytes, n);
  to->used += n;
  to->bytes[to->used] = '\0';
  return TAULER_OK;
}

tauler_error place_read_parts(int descriptor, const char *path, uint64_t first, uint64_t end,
                              place_use_part take, void *user, tauler_message *message) {
  char *part = malloc(PART_BYTES);
  tauler_error error =
      part ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", path);
  while (!error && first < end) {
    const size_t n = end - first < PART_BYTES ? (size_t)(end - first) : PART_BYTES;
    error = durable_read_range(descriptor, path, first, part, n, message);
    if (!error) error = take(user, part, n, message);
    first += n;
  }
  free(part);
  return error;
}

tauler_error place_read_file(const char *path, place_use_part take, void *user, tauler_message *message) {
  uint64_t n;
  int descriptor;
  tauler_error error = durable_read_open(path, &descriptor, &n, message);
  if (error) return error;
  error = place_read_parts(descriptor, path, 0, n, take, user, message);
  close(descriptor);
  return error;
}

static tauler_error add_to_memory(void *user, const void *bytes, size_t n, tauler_message *message) {
  return growing_add(user, bytes, n, message);
}

tauler_error growing_read(growing *to, const char *path, tauler_message *message) {
  const tauler_error error = growing_add(to, "", 0, message);
  return error ? error : place_read_file(path, add_to_memory, to, message);
}

tauler_error place_folder(const char *path, tauler_message *message) {
  char folder[FOLDER_PATH_BYTES];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  return durable_folder_create(folder, message);
}

tauler_error place_path(const char *folder, const char *below, char path[FOLDER_PATH_BYTES],
                        tauler_message *message) {
  if (snprintf(path, FOLDER_PATH_BYTES, "%s/%s", folder, below) >= FOLDER_PATH_BYTES)
    return tauler_fail(message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s", folder);
  return place_folder(path, message);
}

tauler_error place_bytes(const char *folder, const char *below, const void *bytes, size_t n,
                         tauler_message *message) {
  char path[FOLDER_PATH_BYTES];
  const tauler_error error = place_path(folder, below, path, message);
  return error ? error : durable_file_put(path, bytes, n, message);
}

static tauler_error write_to_file(void *user, const void *bytes, size_t n, tauler_message *message) {
  return durable_file_write(user, bytes, n, message);
}

static bool is_same_file(const char *a, const char *b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

tauler_error place_file(const char *from, const char *to, tauler_message *message) {
  durable_file *file;
  if (is_same_file(from, to)) return TAULER_OK;
  if (unlink(to) != 0 && errno != ENOENT)
    return tauler_fail(message, tauler_errno_error(errno), "cannot replace %s: %s", to, strerror(errno));
  if (linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0) return TAULER_OK;
  tauler_error error = durable_file_create(to, &file, message);
  if (error) return error;
  error = place_read_file(from, write_to_file, file, message);
  if (!error) return durable_file_commit(file, message);
  durable_file_abandon(file);
  return error;
}
