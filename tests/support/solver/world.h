/* Slices of a game that one process holds whole and solves one by one. Failures end the test. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "solver/engines/solve.h"

typedef struct {
  const game *game;
  game_rules *rules;
  memory_budget *memory;
  solved_slice *list; /* by number */
  slice_store *finished;
  void *tables; /* tables of the engine tiles, or NULL */
  solve_job job;
} world;

/* None of them is solved yet. */
world world_open(const game *game, game_rules *rules, uint32_t slices, int threads);
void world_use_tiles(world *w);
void world_solve(world *w, bool depths);

/* A rule set of aualé by tiles, with its depths. */
world world_of_auale(const char *rules, const char *cycles, uint32_t seeds);

#endif
