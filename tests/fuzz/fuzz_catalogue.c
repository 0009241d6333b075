/* Fuzzing of the catalogue of a publication: any bytes may be one, as they are or, where the first byte is
 * odd, compressed first, since a random change would stop at the checksum. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "analysis/publish/catalogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "does not hold: %s\n", what);
  abort();
}

typedef struct {
  size_t bytes, sum; /* plain bytes, and the sum of those of heads */
} seen;

static tauler_error look_at_answer(void *user, const catalogue_entry *entry, tauler_message *message) {
  seen *all = user;
  const size_t n = strlen(entry->path);
  must(n && entry->path[0] != '/' && entry->path[0] != '.' && !strstr(entry->path, "/."),
       "a path leads below the folder");
  must((entry->head != NULL) == (entry->head_bytes > 0), "a head has bytes");
  for (size_t i = 0; i < entry->head_bytes; i++) all->sum += entry->head[i]; /* which are there to be read */
  all->bytes += 16 + n + entry->head_bytes;
  return TAULER_OK;
}

static void *pack(const uint8_t *data, size_t size, size_t *n) {
  const size_t room = ZSTD_compressBound(size);
  void *packed = malloc(room);
  if (!packed) abort();
  *n = ZSTD_compress(packed, room, data, size, 1);
  return packed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tauler_message message;
  seen all = {0};
  if (size < 1) return 0;
  size_t n = size - 1;
  void *packed = data[0] & 1 ? pack(data + 1, size - 1, &n) : NULL;
  const tauler_error error =
      catalogue_read("the list", packed ? packed : data + 1, n, look_at_answer, &all, &message);
  must(error || !packed || all.bytes == size - 1, "entries are all that there is");
  unsigned char *plain = NULL;
  size_t used = 0;
  if (!catalogue_decompress("the list", packed ? packed : data + 1, n, &plain, &used, &message)) {
    must(error || used == all.bytes, "both readers see the same");
    free(plain);
  }
  free(packed);
  return 0;
}
