/* Abapa where each side takes its own row: all slices up to some number of seeds, tightened by lines of play.
 */
#ifndef TESTS_OWN_ROW_WORLD_H
#define TESTS_OWN_ROW_WORLD_H

#include "lines/lines.h"
#include "solver/engines/solve.h"
#include "tests/naive/naive_solve.h"

typedef struct {
  const game *game;
  game_rules *rules;
  memory_budget *memory;
  solved_slice *list;
  slice_store *finished;
  solve_job job;
  own_row_job lines;
} own_row_world;

/* The same game, and the finished slices of its plain store. */
own_row_job own_row_job_of(const solve_job *job);

/* Failures end the test. */
void own_row_world_open(own_row_world *w, uint32_t seeds, uint64_t budget);

/* Whether a table holds the board, and where. */
bool own_row_world_find(const own_row_world *w, const naive_board *board, game_place *out);

#endif
