/* A toy game with words (toy_bitboards.h) of many slices, which need some of those before them and not all:
 * the levels in which they can be solved are not in the order of their numbers. Tables stand in three
 * folders. */
#ifndef TOY_LEVELS_H
#define TOY_LEVELS_H

#include "tests/support/toy/toy_bitboards.h"

enum { TOY_LEVELS_SLICES = 10 };

/* Slices have about `positions` positions, the last ones more. Freed with toy_levels_free. */
toy_game *toy_levels_random(uint64_t positions, uint64_t seed);
void toy_levels_free(toy_game *toy);

/* Whether moves of a slice lead to another. */
bool toy_levels_needs(const toy_game *toy, uint32_t slice, uint32_t other);

/* needs[s]: `slice` needs s, or needs something that does. */
void toy_levels_need_all(const toy_game *toy, uint32_t slice, bool needs[TOY_LEVELS_SLICES]);

#endif
