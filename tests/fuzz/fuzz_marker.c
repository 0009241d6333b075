/* Fuzzing of the marker of a checkpoint. Where the first byte of an input is odd, the digest is made to
 * agree: a random change would stop there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "solver/checkpoint/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sign(uint8_t *file, size_t n) {
  XXH128_hash_t digest;
  if (n < sizeof digest) return;
  digest = XXH3_128bits(file, n - sizeof digest);
  memcpy(file + n - sizeof digest, &digest, sizeof digest);
}

static unsigned sum_of(const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) sum += at[i];
  return sum;
}

/* All that a marker says is there to be read: a sanitizer sees what is not. */
static void look_at(const marker *read) {
  const unsigned sum =
      sum_of(read->run, read->run_bytes) + sum_of(read->files, read->ranks * sizeof *read->files);
  if (strnlen(read->identity, sizeof read->identity) < sizeof read->identity && sum < UINT32_MAX) return;
  fprintf(stderr, "does not hold: an identity ends\n");
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  marker read;
  tauler_message message;
  if (size < 1) return 0;
  const size_t n = size - 1;
  uint8_t *file = malloc(n + 1);
  const int descriptor = memfd_create("marker", MFD_CLOEXEC);
  if (!file || descriptor < 0) abort();
  memcpy(file, data + 1, n);
  if (data[0] & 1) sign(file, n);
  if (write(descriptor, file, n) != (ssize_t)n) abort();
  free(file);
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (marker_read(path, &read, &message) == TAULER_OK) {
    look_at(&read);
    marker_free(&read);
  }
  close(descriptor);
  return 0;
}
