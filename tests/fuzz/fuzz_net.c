/* Fuzzing of files of learned weights. Where the first byte of an input is odd, the digest is made to agree:
 * a random change would stop there. An accepted file answers, and its dice roll. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/learn/learn.h"
#include "games/registry.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sign(uint8_t *file, size_t n, uint8_t how) {
  XXH128_canonical_t digest;
  if (n < sizeof digest || !(how & 1)) return;
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
  learned l;
  learned_from from;
  tauler_message message;
  if (size < 1) return 0;
  const fuzz_file file = fuzz_file_open(data, size, sign);
  if (learned_load(file.path, &oca_asesina_game, &l, &from, &message) == TAULER_OK) ask(&l);
  learned_close(&l);
  close(file.descriptor);
  return 0;
}
