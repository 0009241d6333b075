/* Private to the kernel for strips: the scratch of a thread. */
#ifndef SOLVER_ENGINES_CHANCE_KERNEL_SCRATCH_H
#define SOLVER_ENGINES_CHANCE_KERNEL_SCRATCH_H

#include "solver/engines/chance/kernel.h"

/* A row of scratch has its lanes' lower bounds and then their upper ones; or marks of what is endless, twice.
 */
enum { LANES = STRIP_LANES, SIDES = 2, ROW = SIDES * LANES, SQUARES = 256 };

/* A lane in which a play sends a token back: where its values stand. */
typedef struct {
  unsigned lane, patch;
  uint8_t kind;
  uint64_t cell[STRIP_PLANES];
} strip_hit;

/* hits: lanes in which it sends a token back; their values are in the row `patch` of each plane. */
typedef struct {
  uint32_t mover, hit; /* the first of its hits, lane by lane */
  uint8_t kind, hits;
  uint16_t patch;
} play_here;

/* A lane which has plays of its own under a roll. */
typedef struct {
  unsigned lane;
  int first, end; /* of the plays */
} odd_lane;

/* Those of a row. Plays of all lanes come roll by roll, and behind them those of odd lanes. */
typedef struct {
  play_here list[STRIP_PLAYS * (1 + LANES)];
  strip_hit hit[2 * STRIP_PLAYS * LANES];
  odd_lane odd[CHANCE_MOST_ROLLS * LANES];
  int used, hits, patches, odds;
  int end[CHANCE_MOST_ROLLS], odd_end[CHANCE_MOST_ROLLS]; /* of each roll */
} plays_here;

struct strip_scratch {
  plays_here plays;
  double patch[STRIP_PLAYS][STRIP_PLANES][ROW];
  double *local[STRIP_SOURCES]; /* [row][side][lane] */
  uint64_t room[STRIP_SOURCES]; /* rows */
};

#endif
