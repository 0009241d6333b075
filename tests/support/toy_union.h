/* All slices of a toy of outcomes as one graph, solved by the slow definition (tests/naive/naive_wdl.h). */
#ifndef TOY_UNION_H
#define TOY_UNION_H

#include "tests/naive/naive_wdl.h"
#include "tests/support/toy/toy_game.h"

/* Position i of a slice is node offset[slice] + i. The last three have ended: a loss, a draw and a win. */
typedef struct {
  int count; /* nodes */
  int offset[TOY_SLICES];
  naive_wdl *answer;
} toy_union;

toy_union toy_unite(const toy_game *toy);

#endif
