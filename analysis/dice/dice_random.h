/* Random numbers from a seed: xoshiro256** of Blackman and Vigna, filled by splitmix64. */
#ifndef ANALYSIS_DICE_DICE_RANDOM_H
#define ANALYSIS_DICE_DICE_RANDOM_H

#include <stdint.h>

typedef struct {
  uint64_t word[4];
} dice_random;

uint64_t dice_random_mix(uint64_t *state);

dice_random dice_random_open(uint64_t seed, uint64_t stream);
uint64_t dice_random_next(dice_random *from);

/* Returns one of 0 … below − 1 with equal probability; below ≥ 1. */
uint64_t dice_random_below(dice_random *from, uint64_t below);

#endif
