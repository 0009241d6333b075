/* The values that each side forces in any game whose positions come in layers, by plain sweeps: for each
 * threshold two sets are grown together, position after position, until a whole sweep changes nothing. */
#ifndef NAIVE_FORCED_H
#define NAIVE_FORCED_H

#include <stdbool.h>

enum { NAIVE_OVER = -1, NAIVE_NO_DEPTH = -1, NAIVE_PLANES = 2 };

/* A move: what it gains its mover, and where it leads. A move within the layer is quiet, it gains nothing. */
typedef struct {
  int gain;
  int layer, to; /* layer: a smaller one, the same, or NAIVE_OVER */
} naive_step;

typedef struct {
  const void *game;
  /* Whether play has ended in a position, and then what that is worth to the mover. */
  bool (*ended)(const void *game, int layer, int position, int *value);
  /* False where a position has no move of this number, from 0. */
  bool (*step)(const void *game, int layer, int position, int number, naive_step *out);
} naive_play;

/* One layer, seen by the mover. One plane: values where infinite play is worth 0. Two: the least and the most
 * that the mover gets by play that ends, whatever infinite play is worth. */
typedef struct {
  int count;
  int largest; /* no value is larger */
  int planes;
  int *value[NAIVE_PLANES];
  /* Plies until a value is made good by leaving the layer. NAIVE_NO_DEPTH where nobody forces anything: a
   * value of 0, or a bound of -largest or largest. */
  int *depth[NAIVE_PLANES];
} naive_forced;

/* Fills a layer whose count, largest value and planes are set; smaller ones are final. */
void naive_force(const naive_play *play, naive_forced *layers, int layer);

#endif
