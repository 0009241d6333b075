/* The scratch of a thread. Private to the kernel for strips. */
#ifndef SOLVER_ENGINES_CHANCE_KERNEL_SCRATCH_H
#define SOLVER_ENGINES_CHANCE_KERNEL_SCRATCH_H

#include "solver/engines/chance/kernel.h"

/* A row of scratch has the lower bounds of its lanes and then the upper ones; or the marks of endless play,
 * twice. */
enum { LANES = STRIP_LANES, SIDES = 2, ROW = SIDES * LANES, SQUARES = 256 };

/* A lane in which a play sends a token back, and the cells after it. */
typedef struct {
  unsigned lane, patch;
  uint8_t kind;
  uint64_t cell[STRIP_PLANES];
} strip_hit;

/* A play of a row. `hits` are the lanes in which it sends a token back; their values are in row `patch` of
 * each plane. */
typedef struct {
  uint32_t mover, hit; /* first of its hits, which are in the order of lanes */
  uint8_t kind, hits;
  uint16_t patch;
} play_here;

/* A lane that has plays of its own under a roll. */
typedef struct {
  unsigned lane;
  int first, end; /* plays [first, end) */
} odd_lane;

/* The plays of a row. Those of all lanes come roll by roll, then those of odd lanes. */
typedef struct {
  play_here list[STRIP_PLAYS * (1 + LANES)];
  strip_hit hit[2 * STRIP_PLAYS * LANES];
  odd_lane odd[CHANCE_MOST_ROLLS * LANES];
  int used, hits, patches, odds;
  /* [roll] end: end of its plays. odd_end: end of its odd lanes. */
  int end[CHANCE_MOST_ROLLS], odd_end[CHANCE_MOST_ROLLS];
} plays_here;

struct strip_scratch {
  plays_here plays;
  double patch[STRIP_PLAYS][STRIP_PLANES][ROW];
  double *local[STRIP_SOURCES]; /* [row][side][lane] */
  uint64_t room[STRIP_SOURCES]; /* number of rows */
};

#endif
