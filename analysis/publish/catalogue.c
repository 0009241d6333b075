/* Writes and reads the list of the files of tables in a published folder. */
#include "analysis/publish/catalogue.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "analysis/publish/place.h"
#include "base/durable_file.h"
#include "base/memory.h"

/* Every entry: u64 size, u32 length of the path, u32 of the head, path, head. */
enum { FIXED_BYTES = 16, MOST_HEAD = 4096, LEVEL = 19, MOST_PLAIN = 1 << 28 };

static void put_little(unsigned char *to, uint64_t value, int n) {
  for (int i = 0; i < n; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_little(const unsigned char *from, int n) {
  uint64_t value = 0;
  for (int i = 0; i < n; i++) value |= (uint64_t)from[i] << 8 * i;
  return value;
}

/* Takes over path and head. */
static tauler_error append(catalogue *all, const catalogue_entry *entry, tauler_message *message) {
  if (entry->path && (entry->head || !entry->head_bytes) &&
      memory_make_room(&all->list, &all->room, all->used + 1, sizeof *all->list)) {
    all->list[all->used++] = *entry;
    return TAULER_OK;
  }
  free(entry->path);
  free(entry->head);
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of files");
}

tauler_error catalogue_add(catalogue *all, const char *path, const char *from, size_t head_bytes,
                           tauler_message *message) {
  struct stat about;
  const int descriptor = open(from, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &about) != 0) {
    if (descriptor >= 0) close(descriptor);
    return tauler_fail(message, TAULER_IO, "cannot read %s", from);
  }
  const catalogue_entry entry = {.path = strdup(path),
                                 .bytes = (uint64_t)about.st_size,
                                 .head = head_bytes ? malloc(head_bytes) : NULL,
                                 .head_bytes = head_bytes};
  tauler_error error = TAULER_OK;
  if (entry.head) error = durable_read_range(descriptor, from, 0, entry.head, head_bytes, message);
  close(descriptor);
  if (!error) return append(all, &entry, message);
  free(entry.path);
  free(entry.head);
  return error;
}

static tauler_error put_entry(growing *to, const catalogue_entry *entry, tauler_message *message) {
  unsigned char fixed[FIXED_BYTES];
  const size_t length = strlen(entry->path);
  put_little(fixed, entry->bytes, 8);
  put_little(fixed + 8, length, 4);
  put_little(fixed + 12, entry->head_bytes, 4);
  tauler_error error = growing_add(to, fixed, sizeof fixed, message);
  if (!error) error = growing_add(to, entry->path, length, message);
  if (!error && entry->head) error = growing_add(to, entry->head, entry->head_bytes, message);
  return error;
}

static size_t compress(const growing *from, void *to, size_t room) {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  if (!context) return 0;
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t n = ZSTD_compress2(context, to, room, from->bytes, from->used);
  ZSTD_freeCCtx(context);
  return ZSTD_isError(n) ? 0 : n;
}

tauler_error catalogue_write(const catalogue *all, const char *folder, tauler_message *message) {
  growing plain = {0};
  tauler_error error = growing_add(&plain, "", 0, message);
  for (size_t i = 0; i < all->used && !error; i++) error = put_entry(&plain, &all->list[i], message);
  const size_t room = ZSTD_compressBound(plain.used);
  void *compressed = error ? NULL : malloc(room);
  const size_t n = compressed ? compress(&plain, compressed, room) : 0;
  if (!error && !n) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress a list of files");
  if (!error) error = place_bytes(folder, CATALOGUE_NAME, compressed, n, message);
  free(compressed);
  free(plain.bytes);
  return error;
}

static tauler_error damaged(const char *name, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE, "%.400s is no list of published tables, or is damaged",
                     name);
}

tauler_error catalogue_decompress(const char *name, const void *bytes, size_t n, unsigned char **out,
                                  size_t *out_n, tauler_message *message) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes, n);
  if (size > MOST_PLAIN) return damaged(name, message); /* unknown and wrong ones are greater, too */
  *out = malloc((size_t)size + 1);
  if (!*out) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", name);
  *out_n = ZSTD_decompress(*out, (size_t)size, bytes, n);
  if (ZSTD_isError(*out_n)) {
    free(*out);
    return damaged(name, message);
  }
  (*out)[*out_n] = '\0'; /* whatever is read as text ends within the bytes */
  return TAULER_OK;
}

/* Names below each other, none of which begins with a dot. */
static bool is_plain_path(const char *path) {
  if (!*path || strlen(path) >= FOLDER_PATH_BYTES / 2) return false;
  for (const char *at = path; *at; at++) {
    if (*at < ' ' || *at > '~' || *at == '\\') return false;
    if ((at == path || at[-1] == '/') && (*at == '.' || *at == '/')) return false;
  }
  return path[strlen(path) - 1] != '/';
}

static tauler_error read_entry(catalogue *all, const char *name, const unsigned char *bytes, size_t n,
                               size_t *taken, tauler_message *message) {
  if (n < FIXED_BYTES) return damaged(name, message);
  const size_t length = (size_t)get_little(bytes + 8, 4), head = (size_t)get_little(bytes + 12, 4);
  if (length > n - FIXED_BYTES || head > MOST_HEAD || head > n - FIXED_BYTES - length)
    return damaged(name, message);
  const catalogue_entry entry = {.path = strndup((const char *)bytes + FIXED_BYTES, length),
                                 .bytes = get_little(bytes, 8),
                                 .head = head ? malloc(head) : NULL,
                                 .head_bytes = head};
  if (entry.head) memcpy(entry.head, bytes + FIXED_BYTES + length, head);
  *taken = FIXED_BYTES + length + head;
  const bool plain = !entry.path || is_plain_path(entry.path);
  const tauler_error error = append(all, &entry, message);
  return error || plain ? error : damaged(name, message);
}

tauler_error catalogue_read(catalogue *all, const char *name, const void *bytes, size_t n,
                            tauler_message *message) {
  unsigned char *plain;
  size_t used, at = 0;
  tauler_error error = catalogue_decompress(name, bytes, n, &plain, &used, message);
  if (error) return error;
  while (at < used && !error) {
    size_t taken = 0;
    error = read_entry(all, name, plain + at, used - at, &taken, message);
    at += taken;
  }
  free(plain);
  return error;
}

void catalogue_free(catalogue *all) {
  for (size_t i = 0; i < all->used; i++) {
    free(all->list[i].path);
    free(all->list[i].head);
  }
  free(all->list);
  *all = (catalogue){0};
}
