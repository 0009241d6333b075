/* Fuzzing of files of what was learned. Where the first byte of an input is odd, the digest is made to agree:
 * a random change would stop there. What is read answers, and its dice roll. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "analysis/learn/learned_file.h"
#include "games/oca_asesina/oca_asesina.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sign(uint8_t *file, size_t n) {
  XXH128_canonical_t digest;
  if (n < sizeof digest) return;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(file, n - sizeof digest));
  memcpy(file + n - sizeof digest, &digest, sizeof digest);
}

static void ask(learned *l) {
  float input[NETWORK_MOST_INPUTS] = {1, 0, 1};
  const double worth = network_ask(&l->net, input);
  const uint64_t drawn = dice_random_below(&l->dice, 6);
  if (worth >= 0 && worth <= 1 && drawn < 6) return;
  fprintf(stderr, "does not hold: a net says 0 to 1 and rolls dice\n");
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  learned l;
  learned_from from;
  tauler_message message;
  if (size < 1) return 0;
  const size_t n = size - 1;
  uint8_t *file = malloc(n + 1);
  const int descriptor = memfd_create("net", MFD_CLOEXEC);
  if (!file || descriptor < 0) abort();
  memcpy(file, data + 1, n);
  if (data[0] & 1) sign(file, n);
  if (write(descriptor, file, n) != (ssize_t)n) abort();
  free(file);
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (learned_load(path, &oca_asesina_game, &l, &from, &message) == TAULER_OK) ask(&l);
  learned_close(&l);
  close(descriptor);
  return 0;
}
