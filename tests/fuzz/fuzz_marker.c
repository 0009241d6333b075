/* Fuzzing of the marker of a checkpoint. Where the first byte of an input is odd, the digest is made to
 * agree: a random change would stop there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "solver/checkpoint/files.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sign_marker(uint8_t *file, size_t n, uint8_t how) {
  XXH128_hash_t digest;
  if (n < sizeof digest || !(how & 1)) return;
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
static void look_at_marker(const marker *read) {
  const unsigned sum =
      sum_of(read->run, read->run_bytes) + sum_of(read->files, read->ranks * sizeof *read->files);
  if (strnlen(read->identity, sizeof read->identity) < sizeof read->identity && sum < UINT32_MAX) return;
  fprintf(stderr, "does not hold: an identity ends\n");
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  marker read;
  tauler_message message;
  if (size < 1) return 0;
  const fuzz_file file = fuzz_file_open(data, size, sign_marker);
  if (marker_read(file.path, &read, &message) == TAULER_OK) {
    look_at_marker(&read);
    marker_free(&read);
  }
  close(file.descriptor);
  return 0;
}
