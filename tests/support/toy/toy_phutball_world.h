/* Boards of Phutball as the bitboard engine solves them, and what its kernels write to. */
#ifndef TOY_PHUTBALL_WORLD_H
#define TOY_PHUTBALL_WORLD_H

#include "solver/engines/bitboard/cut.h"
#include "tests/support/toy/toy_phutball_pair.h"

typedef struct {
  int rows, columns;
} phb_size;

typedef struct {
  phb_pair pair;
  phb_size board;
  uint32_t slice;
  memory_budget memory;
  solve_job job;
  bitboard_slice words;
  solved_slice cells;
} phb_world;

void phb_world_solve(phb_world *w, int threads);
void phb_world_open_unsolved(phb_world *w, int rules, phb_size board);
/* With the cells of a table if `gathered`. The job points to the world's own memory. */
void phb_world_open(phb_world *w, int rules, phb_size board, int threads, bool gathered);
void phb_world_close(phb_world *w);

void *phb_zeros(uint64_t count, size_t each);
game_bitboards_state phb_empty_state(const game_bitboards_plan *plan);
void phb_free_state(game_bitboards_state *state);

#endif
