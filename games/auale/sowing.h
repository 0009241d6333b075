/* Tables of sowing for the grid kernels: what every move does to the mover's own row, worked out
 * once for all rows of up to N seeds, and where each slice keeps its rows.
 *
 * A move is a pattern for the opponent's row (how many seeds land there, and whether the last one
 * does) and a change of the own row that depends on nothing else. After it the board turns: the
 * opponent's row plus pattern is the child's free row, the own row after it the child's open row.
 * So with the opponent's row z fixed, all children by one pattern lie in one free row of the child's
 * slice, at a place that is a table of the own row. Immutable once made; any threads may read it.
 */
#ifndef GAMES_AUALE_SOWING_H
#define GAMES_AUALE_SOWING_H

#include "base/tauler_error.h"
#include "games/auale/rules.h"

enum {
  SOWING_PATTERNS = 64, /* 2 · seeds that land in the opponent's row, + 1 if the last one does */
  SOWING_NO_MOVE = 63,  /* stands for an empty pit */
  SOWING_TILE = 64      /* open rows per tile: no byte of changed cells is of two tiles */
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

/* A move by rows: own row before it and the open rank of the own row after it. */
typedef struct {
  uint32_t row, after;
} sowing_move;

/* Rows before a move, listed by the own row after it: rows[first[o]] … rows[first[o + 1] − 1]. */
typedef struct {
  uint32_t *first, *rows;
} sowing_origins;

/* All about the rows with k seeds. */
typedef struct {
  uint32_t rows, open_rows;
  uint8_t (*pits)[ROW_PITS]; /* by rank */
  uint32_t *open;            /* rank of an open row by its open rank */
  uint32_t *open_rank;       /* open rank by rank; UINT32_MAX for full rows */
  /* moves[6 · rank + pit] = open rank after << 6 | pattern; SOWING_NO_MOVE where the pit is empty. */
  uint32_t *moves;
  sowing_move *by_pattern[SOWING_PATTERNS]; /* all moves of a pattern; by_pattern_n of them */
  uint32_t by_pattern_n[SOWING_PATTERNS];
  uint32_t patterns;        /* patterns in use are below this */
  uint64_t patterns_in_use; /* a bit each */
  /* By open rank, the row being the opponent's: the patterns that are legal and capture nothing. */
  uint64_t *quiet;
  /* landed[open rank · (N − k + 1) + u] = rank of the row after u seeds landed in it. */
  uint32_t *landed;
  /* Backwards, k being the seeds left in the own row. within[j][o]: the row from which a move inside
   * the own row ends in pit j + 1; beyond[u][o]: from which u seeds, the last among them, landed in
   * the opponent's row, 1 ≤ u ≤ 6. `rows` of the seeds before where there is none. */
  uint32_t *within[ROW_PITS - 1];
  uint32_t *beyond[ROW_PITS + 1];
  sowing_origins laps[SOWING_PATTERNS]; /* all other patterns, k being the seeds before the move */
} sowing_rows;

/* Where a slice keeps the boards whose free row has k seeds. */
typedef struct {
  uint64_t first[AUALE_MAX_SEEDS + 2];   /* index of the first */
  uint64_t bounds[AUALE_MAX_SEEDS + 2];  /* place of its first bound; see grid.h */
  uint64_t changed[AUALE_MAX_SEEDS + 2]; /* first byte of changed cells */
  uint64_t blocks[AUALE_MAX_SEEDS + 2];
  uint64_t tiles[AUALE_MAX_SEEDS + 2];
} sowing_slice;

typedef struct {
  auale_grand_slam grand_slam;
  unsigned seeds; /* N */
  sowing_rows rows[AUALE_MAX_SEEDS + 1];
  sowing_slice slices[AUALE_MAX_SEEDS + 1];
  int8_t *never; /* cells that no move prefers, as many as the longest row of cells */
} sowing_tables;

/* Bytes of changed cells of a free row with so many cells. */
static inline uint64_t sowing_changed_width(uint64_t cells) {
  return (cells + 7) / 8;
}

void sowing_lay_out(unsigned seeds, sowing_slice *slice);

/* Sows a pattern into the opponent's row and takes out what it captures; returns how much. */
unsigned sowing_land(auale_grand_slam rule, unsigned pattern, uint8_t row[ROW_PITS]);

uint64_t sowing_bytes(unsigned seeds);                                   /* of the tables for N = seeds */
sowing_tables *sowing_tables_new(unsigned seeds, auale_grand_slam rule); /* NULL: no memory */
void sowing_tables_free(sowing_tables *tables);

#endif
