/* Generates random numbers by xoshiro256** and splitmix64. */
#include "analysis/dice/dice_random.h"

uint64_t dice_random_mix(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

static uint64_t rotate_left(uint64_t x, int by) {
  return x << by | x >> (64 - by);
}

dice_random dice_random_open(uint64_t seed, uint64_t stream) {
  uint64_t state = seed;
  state = dice_random_mix(&state) ^ stream;
  dice_random opened;
  for (int i = 0; i < 4; i++) opened.word[i] = dice_random_mix(&state);
  return opened;
}

uint64_t dice_random_next(dice_random *from) {
  uint64_t *s = from->word;
  const uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

/* Draws again if a number is less than 2^64 mod `below`, so that equally many numbers lead to each result. */
uint64_t dice_random_below(dice_random *from, uint64_t below) {
  const uint64_t refused = -below % below;
  uint64_t drawn = dice_random_next(from);
  while (drawn < refused) drawn = dice_random_next(from);
  return drawn % below;
}
