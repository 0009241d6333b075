/* Writes and reads the list of the files of tables in a published folder. */
#include "analysis/publish/catalogue.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "analysis/publish/place.h"
#include "base/durable_file.h"
#include "base/memory.h"

/* An entry has: u64 size, u32 length of the path, u32 length of the head, path, head. */
enum { FIXED_BYTES = 16, MOST_PATH = FOLDER_PATH_BYTES / 2, MOST_HEAD = 4096, MOST_PLAIN = 1 << 28 };
/* The compression level has a window of at most 2^23 bytes; a reader needs as much memory. */
enum { LEVEL = 19, MOST_WINDOW = 23 };

static void write_little_endian(unsigned char *to, uint64_t value, int n) {
  for (int i = 0; i < n; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t read_little_endian(const unsigned char *from, int n) {
  uint64_t value = 0;
  for (int i = 0; i < n; i++) value |= (uint64_t)from[i] << 8 * i;
  return value;
}

tauler_error catalogue_add(catalogue *all, const char *path, const char *from, size_t head_bytes,
                           tauler_message *message) {
  int descriptor;
  catalogue_entry entry = {.head_bytes = head_bytes};
  tauler_error error = durable_read_open(from, &descriptor, &entry.bytes, message);
  if (error) return error;
  entry.path = strdup(path);
  entry.head = head_bytes ? malloc(head_bytes) : NULL;
  if (!entry.path || (head_bytes && !entry.head) ||
      !memory_make_room(&all->list, &all->room, all->used + 1, sizeof *all->list))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of files");
  if (!error && head_bytes) error = durable_read_range(descriptor, from, 0, entry.head, head_bytes, message);
  close(descriptor);
  if (!error) {
    all->list[all->used++] = entry;
    return TAULER_OK;
  }
  free(entry.path);
  free(entry.head);
  return error;
}

static tauler_error put_entry(growing *to, const catalogue_entry *entry, tauler_message *message) {
  unsigned char fixed[FIXED_BYTES];
  const size_t length = strlen(entry->path);
  write_little_endian(fixed, entry->bytes, 8);
  write_little_endian(fixed + 8, length, 4);
  write_little_endian(fixed + 12, entry->head_bytes, 4);
  tauler_error error = growing_add(to, fixed, sizeof fixed, message);
  if (!error) error = growing_add(to, entry->path, length, message);
  if (!error && entry->head) error = growing_add(to, entry->head, entry->head_bytes, message);
  return error;
}

static size_t compress_bytes(const growing *from, void *to, size_t room) {
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
  const size_t n = compressed ? compress_bytes(&plain, compressed, room) : 0;
  if (!error && !n) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress a list of files");
  if (!error) error = place_bytes(folder, CATALOGUE_NAME, compressed, n, message);
  free(compressed);
  free(plain.bytes);
  return error;
}

static tauler_error fail_damaged(const char *name, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE, "%.400s is no list of published tables, or is damaged",
                     name);
}

tauler_error catalogue_decompress(const char *name, const void *bytes, size_t n, unsigned char **out,
                                  size_t *out_n, tauler_message *message) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes, n);
  if (size > MOST_PLAIN) return fail_damaged(name, message); /* unknown and wrong sizes are greater, too */
  *out = malloc((size_t)size + 1);
  if (!*out) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", name);
  *out_n = ZSTD_decompress(*out, (size_t)size, bytes, n);
  if (ZSTD_isError(*out_n)) {
    free(*out);
    return fail_damaged(name, message);
  }
  (*out)[*out_n] = '\0';
  return TAULER_OK;
}

/* True if a path has only names of printable ASCII without backslashes and without dots in front. */
static bool is_plain_path(const char *path, size_t length) {
  if (length == 0 || strlen(path) != length) return false;
  for (const char *at = path; *at; at++) {
    if (*at < ' ' || *at > '~' || *at == '\\') return false;
    if ((at == path || at[-1] == '/') && (*at == '.' || *at == '/')) return false;
  }
  return path[length - 1] != '/';
}

typedef struct {
  const char *name;
  ZSTD_DCtx *context;
  ZSTD_inBuffer from;
  uint64_t used; /* decompressed bytes so far */
  bool ended;    /* true after the end and its checksum */
  catalogue_entry entry;
  char path[MOST_PATH + 1];
  unsigned char head[MOST_HEAD];
} reader;

/* Decompresses the next n bytes, or all that are left; *got becomes their number. */
static tauler_error decompress_next(reader *r, void *to, size_t n, size_t *got, tauler_message *message) {
  ZSTD_outBuffer out = {to, n, 0};
  while (out.pos < n && !r->ended) {
    const size_t was = out.pos, taken = r->from.pos, left = ZSTD_decompressStream(r->context, &out, &r->from);
    if (ZSTD_isError(left) && ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
      return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", r->name);
    if (ZSTD_isError(left)) return fail_damaged(r->name, message);
    r->ended = left == 0;
    if (!r->ended && out.pos == was && r->from.pos == taken)
      return fail_damaged(r->name, message); /* the file is cut off */
  }
  *got = out.pos;
  r->used += out.pos;
  return r->used > MOST_PLAIN ? fail_damaged(r->name, message) : TAULER_OK;
}

static tauler_error read_exactly(reader *r, void *to, size_t n, tauler_message *message) {
  size_t got = 0;
  const tauler_error error = decompress_next(r, to, n, &got, message);
  return error || got == n ? error : fail_damaged(r->name, message);
}

static tauler_error read_entry(reader *r, bool *more, tauler_message *message) {
  unsigned char fixed[FIXED_BYTES];
  size_t got = 0;
  tauler_error error = decompress_next(r, fixed, sizeof fixed, &got, message);
  *more = got > 0;
  if (error || !*more) return error;
  const uint64_t length = read_little_endian(fixed + 8, 4), head = read_little_endian(fixed + 12, 4);
  if (got < sizeof fixed || length > MOST_PATH || head > MOST_HEAD) return fail_damaged(r->name, message);
  r->entry.bytes = read_little_endian(fixed, 8);
  r->entry.head_bytes = head;
  r->entry.head = head ? r->head : NULL;
  error = read_exactly(r, r->path, length, message);
  if (!error) error = read_exactly(r, r->head, head, message);
  if (error) return error;
  r->path[length] = '\0';
  return is_plain_path(r->path, length) ? TAULER_OK : fail_damaged(r->name, message);
}

static tauler_error read_entries(reader *r, catalogue_visit visit, void *user, tauler_message *message) {
  bool more = true;
  tauler_error error = TAULER_OK;
  while (!error && more) {
    error = read_entry(r, &more, message);
    if (!error && more) error = visit(user, &r->entry, message);
  }
  if (error) return error;
  return r->ended && r->from.pos == r->from.size ? TAULER_OK : fail_damaged(r->name, message);
}

tauler_error catalogue_read(const char *name, const void *bytes, size_t n, catalogue_visit visit, void *user,
                            tauler_message *message) {
  reader *r = calloc(1, sizeof *r);
  ZSTD_DCtx *context = r ? ZSTD_createDCtx() : NULL;
  tauler_error error = TAULER_OK;
  if (!context || ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, MOST_WINDOW)))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", name);
  if (!error) {
    *r = (reader){.name = name, .context = context, .from = {bytes, n, 0}};
    r->entry.path = r->path;
    error = read_entries(r, visit, user, message);
  }
  ZSTD_freeDCtx(context);
  free(r);
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
