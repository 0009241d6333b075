/* All slices of a rule set of aualé up to some number of seeds, held whole by one process. */
#ifndef TESTS_TOY_AUALE_H
#define TESTS_TOY_AUALE_H

#include "solver/engines/solve.h"

typedef struct {
  const game *game;
  game_rules *rules;
  void *tables;
  memory_budget memory;
  solved_slice *list;
  slice_store *finished;
  solve_job job;
} toy_auale;

/* Solves all slices with their depths. Failures end the test. */
void toy_auale_open(toy_auale *w, const char *rules, const char *cycles, uint32_t seeds);
void toy_auale_close(toy_auale *w); /* all memory must have been given back */

#endif
