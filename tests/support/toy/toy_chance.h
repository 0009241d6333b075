/* A tiny game of dice behind games/game.h: random edges by a seed, five slices, batches only.
 *
 * Slices 0 to 3 have one quantity, which some positions raise and others lower; 1 and 2 need 0, 3 needs these
 * two. Slice 4 stands alone: nobody chooses, two quantities turn with the seats and a third counts turns.
 * Under the first roll play ends, so it ends for certain; unless `endless` positions of each slice but 4 lead
 * only to themselves. */
#ifndef TOY_CHANCE_H
#define TOY_CHANCE_H

#include <stdatomic.h>

#include "games/game_chance.h"

enum { TOY_CHANCE_SLICES = 5, TOY_CHANCE_TABLES = 14 };

typedef struct {
  game game;
  game_rules *rules; /* stands for the toy itself */
  uint64_t positions[TOY_CHANCE_SLICES];
  uint64_t seed;
  uint64_t endless;
  const char *text;                             /* text of the rules */
  _Atomic uint64_t expanded[TOY_CHANCE_SLICES]; /* indexes, so far */
} toy_chance;

toy_chance *toy_chance_new(uint64_t positions, uint64_t seed);
void toy_chance_free(toy_chance *toy);

/* Whether a slice is among the needs of another one, which may be its own slice's needs' needs. */
bool toy_chance_needs(uint32_t slice, uint32_t other);

#endif
