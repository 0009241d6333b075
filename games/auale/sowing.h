/* Tables of sowing for the grid kernels: the effect of every move on the mover's own row, computed once for
 * all rows of up to N seeds, and the places of each slice's rows.
 *
 * A move is a pattern for the opponent's row (the number of seeds that land there, and whether the last one
 * does) and a change of the own row, which depends on the own row alone. After the move the board is turned:
 * the opponent's row with the pattern becomes the child's free row, and the changed own row becomes the
 * child's open row. So for one opponent's row z all children by one pattern are in one free row of the
 * child's slice, at a place that depends only on the own row. Tables never change after they are made; any
 * threads may read them.
 */
#ifndef GAMES_AUALE_SOWING_H
#define GAMES_AUALE_SOWING_H

#include "base/memory.h"
#include "games/auale/position.h"

enum {
  SOWING_PATTERNS =
      64, /* a pattern is 2 · seeds that land in the opponent's row, + 1 if the last seed lands there */
  SOWING_NO_MOVE = 63, /* pattern of an empty pit */
  SOWING_TILE = 64 /* most open rows per tile, a multiple of 8 so that tiles share no byte of changed cells */
};

static inline unsigned sowing_landing(unsigned pattern) {
  return pattern >> 1;
}
static inline bool sowing_last_lands(unsigned pattern) {
  return pattern & 1;
}
static inline unsigned sowing_last_pit(unsigned pattern) {
  return (sowing_landing(pattern) + 5) % ROW_PITS;
}

/* A move as the rank of the own row before it and the open rank of the own row after it. */
typedef struct {
  uint32_t row, after;
} sowing_move;

/* The rows before moves that leave the row of open rank o: rows[first[o]] … rows[first[o + 1] − 1]. */
typedef struct {
  uint32_t *first, *rows;
} sowing_origins;

/* Tables of the rows with k seeds. */
typedef struct {
  uint32_t rows, open_rows;
  uint8_t (*pits)[ROW_PITS]; /* [rank] */
  uint32_t *open;            /* [open rank] rank */
  uint32_t *open_rank;       /* [rank] open rank, or UINT32_MAX for full rows */
  /* [6 · rank + pit] open rank after the move << 6 | pattern, or SOWING_NO_MOVE if the pit is empty */
  uint32_t *moves;
  sowing_move *by_pattern[SOWING_PATTERNS]; /* [pattern] array of its moves */
  uint32_t by_pattern_n[SOWING_PATTERNS];   /* [pattern] number of its moves */
  uint32_t patterns;                        /* 1 + the greatest pattern in use, or 0 */
  uint64_t patterns_in_use;
  /* [open rank of the opponent's row] a bit for each pattern that captures nothing and leaves a seed in that
   * row */
  uint64_t *quiet;
  /* [open rank · (N − k + 1) + u] rank of the row after u seeds landed in it */
  uint32_t *landed;
  /* Ranks of the own rows before moves that leave k seeds in the own row, as a row of open rank o.
   * within[j][o]: the move stayed inside the own row and ended in pit j + 1. beyond[u][o]: u seeds, 1 ≤ u ≤
   * 6, landed in the opponent's row, the last seed among them. Without such a row, the entry is the number of
   * rows with as many seeds as before the move. */
  uint32_t *within[ROW_PITS - 1];
  uint32_t *beyond[ROW_PITS + 1];
  sowing_origins
      laps[SOWING_PATTERNS]; /* [pattern] of moves round the board: own rows before them, with k seeds */
} sowing_rows;

/* Layout of a slice: [k] has the places of the boards whose free row has k seeds, [seeds + 1] the totals. */
typedef struct {
  uint64_t first[AUALE_MAX_SEEDS + 2];   /* index of the first board */
  uint64_t bounds[AUALE_MAX_SEEDS + 2];  /* place of the first bound (grid.h) */
  uint64_t changed[AUALE_MAX_SEEDS + 2]; /* first byte of changed cells */
  uint64_t blocks[AUALE_MAX_SEEDS + 2];
  uint64_t tiles[AUALE_MAX_SEEDS + 2];
} sowing_slice;

typedef struct {
  auale_grand_slam grand_slam;
  unsigned seeds; /* largest number of seeds, N */
  sowing_rows rows[AUALE_MAX_SEEDS + 1];
  sowing_slice slices[AUALE_MAX_SEEDS + 1];
  int8_t *never; /* row_count(N) + 1 values of children that no mover chooses: INT8_MAX */
  arena arrays;
} sowing_tables;

static inline uint64_t sowing_changed_width(uint64_t cells) {
  return (cells + 7) / 8;
}

void sowing_lay_out(unsigned seeds, sowing_slice *slice);

/* Sows a pattern into the opponent's row and removes the captured seeds. Returns their number. */
unsigned sowing_apply_pattern(auale_grand_slam rule, unsigned pattern, uint8_t row[ROW_PITS]);

/* The members prepare, release and prepared_bytes of game_grid.h for N = seeds. */
uint64_t sowing_prepared_bytes(const game_rules *rules, uint32_t seeds);
tauler_error sowing_prepare(const game_rules *rules, uint32_t seeds, void **out);
void sowing_release(void *tables);

#endif
