/* Kernels over words for toy games of outcomes (toy_game.h): a marked block has all moves of its cells gone
 * through, from the toy's lists.
 *
 * A block is a few neighbouring cells of the index, in falling order, on every third bit; blocks of the first
 * and the second half of the index take turns, and runs of them stand for nothing. One column of
 * depths stands for nothing either. Sweeps leave in the spare words which tiles have been gone through in a
 * wave, and count as disorder what they find there that should not be so, or marks. Slice 0 holds nothing
 * back: what ends the game is looked up again. */
#ifndef TESTS_TOY_BITBOARDS_H
#define TESTS_TOY_BITBOARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/toy/toy_game.h"

enum { TOY_BITBOARDS_CELLS = 20 };

typedef struct {
  uint32_t cells;       /* cells of a block, 1 … TOY_BITBOARDS_CELLS */
  uint32_t tile_blocks; /* ≥ 1 */
  uint64_t run;         /* blocks in use before as many unused ones, or 0 if all are used */
  int left_out_percent; /* share of the cells that a lookup computes */
  uint32_t groups;      /* > 0: waves sweep over all tiles, so many groups of them one after the other */
  uint64_t spare;       /* words that sweeps take beside those they work with */
  uint32_t most_waves;  /* 0: as many as codes hold */
} toy_bitboards_shape;

/* The calls of the kernels, by tiles. */
typedef struct {
  toy_bitboards_shape shape;
  uint8_t *left_out[TOY_SLICES];
  uint16_t failing_wave;  /* 0: none */
  uint32_t failing_slice; /* slice that cannot be opened, or 0 */
  _Atomic uint64_t begun, relaxed, recovered, opened, disorder;
} toy_bitboards;

/* Gives a sealed toy of outcomes kernels over words. Values of ends are 0 or −1, those of moves that end the
 * game 0 or 1. Freed with toy_bitboards_free before the toy. */
toy_bitboards *toy_bitboards_add(toy_game *toy, const toy_bitboards_shape *shape, uint64_t seed);
void toy_bitboards_free(const toy_game *toy);

/* The shape of random graphs with such ends, in percent of positions and of moves. */
typedef struct {
  uint32_t slices;
  uint64_t positions[TOY_SLICES];
  int most_moves;
  int lost_percent, stuck_percent;                   /* ends */
  int converts_percent, wins_percent, draws_percent; /* moves to smaller slices and out of the game */
} toy_bitboards_graph;

toy_game *toy_bitboards_random(const toy_bitboards_graph *graph, uint64_t seed);

#endif
