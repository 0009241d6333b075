/* Computes SHA-256 digests, and reads and writes lists of files with them. */
#include "analysis/publish/sums.h"

#include <ctype.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/publish/place.h"
#include "base/memory.h"
#include "base/text.h"

enum { DIGITS = SUM_TEXT - 1, GAP = 2 };

static void finish_digest(struct sha256_ctx *hash, char digest[SUM_TEXT]) {
  uint8_t bytes[SHA256_DIGEST_SIZE];
#if NETTLE_VERSION_MAJOR < 4
  sha256_digest(hash, sizeof bytes, bytes);
#else
  sha256_digest(hash, bytes);
#endif
  base16_encode_update(digest, sizeof bytes, bytes);
  digest[DIGITS] = '\0';
}

static tauler_error hash_piece(void *user, const void *bytes, size_t n, tauler_message *message) {
  (void)message;
  sha256_update(user, n, bytes);
  return TAULER_OK;
}

tauler_error digest_file(const char *path, char digest[SUM_TEXT], tauler_message *message) {
  struct sha256_ctx hash;
  sha256_init(&hash);
  const tauler_error error = place_read_file(path, hash_piece, &hash, message);
  if (!error) finish_digest(&hash, digest);
  return error;
}

tauler_error digest_parts(int descriptor, const char *path, uint64_t n, char digest[SUM_TEXT],
                          tauler_message *message) {
  struct sha256_ctx hash;
  sha256_init(&hash);
  const tauler_error error = place_read_parts(descriptor, path, 0, n, hash_piece, &hash, message);
  if (!error) finish_digest(&hash, digest);
  return error;
}

void digest_bytes(const void *bytes, size_t n, char digest[SUM_TEXT]) {
  struct sha256_ctx hash;
  sha256_init(&hash);
  sha256_update(&hash, n, bytes);
  finish_digest(&hash, digest);
}

void sums_digest(const sums *all, char digest[SUM_TEXT]) {
  struct sha256_ctx hash;
  sha256_init(&hash);
  for (size_t i = 0; i < all->used; i++) sha256_update(&hash, DIGITS, (const uint8_t *)all->list[i].digest);
  finish_digest(&hash, digest);
}

tauler_error sums_add(sums *all, const char *path, const char digest[SUM_TEXT], tauler_message *message) {
  if (!memory_make_room(&all->list, &all->room, all->used + 1, sizeof *all->list))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of files");
  sum *added = &all->list[all->used];
  added->path = strdup(path);
  if (!added->path) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of files");
  memcpy(added->digest, digest, DIGITS);
  added->digest[DIGITS] = '\0';
  all->used++;
  return TAULER_OK;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const sum *)a)->path, ((const sum *)b)->path);
}

const sum *sums_find(const sums *all, const char *path) {
  const sum wanted = {.path = (char *)path};
  return all->used ? bsearch(&wanted, all->list, all->used, sizeof *all->list, compare_paths) : NULL;
}

/* Reads "DIGEST  PATH", or a line with '*' in place of the second blank. */
static tauler_error read_sum(sums *all, const char *name, char *line, tauler_message *message) {
  const size_t digits = strspn(line, "0123456789abcdefABCDEF");
  const bool right = digits == DIGITS && line[DIGITS] == ' ' &&
                     (line[DIGITS + 1] == ' ' || line[DIGITS + 1] == '*') && line[DIGITS + GAP];
  if (!right)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%.300s has a line that is no SHA-256 and path: %.100s",
                       name, line);
  for (int i = 0; i < DIGITS; i++) line[i] = (char)tolower((unsigned char)line[i]);
  return sums_add(all, line + DIGITS + GAP, line, message);
}

/* A NUL is refused, since a text in C would end there. */
static tauler_error read_lines(sums *all, const char *name, char *text, size_t n, tauler_message *message) {
  const char *left = text;
  text_line line;
  tauler_error error = TAULER_OK;
  while (!error && text_next_line(&left, &n, &line)) {
    char *own = text + (line.text - text);
    own[line.length] = '\0';
    if (strlen(own) != line.length)
      error = tauler_fail(message, TAULER_DAMAGED_FILE, "%.300s is no text: it holds a byte 0", name);
    else if (line.length)
      error = read_sum(all, name, own, message);
  }
  return error;
}

tauler_error sums_read(sums *all, const char *name, const char *text, size_t n, tauler_message *message) {
  if (n > SUMS_MOST_BYTES)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%.300s is longer than %d MiB", name,
                       SUMS_MOST_BYTES >> 20);
  char *copy = malloc(n + 1);
  if (!copy) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of files");
  memcpy(copy, text, n);
  tauler_error error = read_lines(all, name, copy, n, message);
  free(copy);
  if (all->used) qsort(all->list, all->used, sizeof *all->list, compare_paths);
  for (size_t i = 1; i < all->used && !error; i++)
    if (compare_paths(&all->list[i - 1], &all->list[i]) == 0)
      error = tauler_fail(message, TAULER_DAMAGED_FILE, "%.300s lists %.400s twice", name, all->list[i].path);
  return error;
}

tauler_error sums_write(sums *all, const char *folder, tauler_message *message) {
  growing text = {0};
  qsort(all->list, all->used, sizeof *all->list, compare_paths);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < all->used && !error; i++) {
    error = growing_add(&text, all->list[i].digest, DIGITS, message);
    if (!error) error = growing_add(&text, "  ", GAP, message);
    if (!error) error = growing_add(&text, all->list[i].path, strlen(all->list[i].path), message);
    if (!error) error = growing_add(&text, "\n", 1, message);
  }
  if (!error) error = place_bytes(folder, SUMS_NAME, text.bytes, text.used, message);
  free(text.bytes);
  return error;
}

void sums_free(sums *all) {
  for (size_t i = 0; i < all->used; i++) free(all->list[i].path);
  free(all->list);
  *all = (sums){0};
}
