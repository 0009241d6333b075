#include "tests/support/toy_union.h"

#include "tests/support/suite.h"

static int node_of(const toy_union *all, const game_edge *edge) {
  const int over = all->graph.count - 2; /* a draw */
  return edge->to.slice == GAME_OVER ? over - edge->gain : all->offset[edge->to.slice] + (int)edge->to.index;
}

toy_union toy_unite(const toy_game *toy) {
  toy_union all = {.graph.count = 3};
  uint64_t edges = 0;
  for (uint32_t s = 0; s < toy->used; s++) {
    all.offset[s] = all.graph.count - 3;
    all.graph.count += (int)toy->slices[s].positions;
    edges += toy->slices[s].first[toy->slices[s].positions];
  }
  int *first = suite_zeros((uint64_t)all.graph.count + 1, sizeof *first),
      *next = suite_zeros(edges, sizeof *next);
  signed char *result = suite_zeros((uint64_t)all.graph.count, 1);
  int node = 0, used = 0;
  for (uint32_t s = 0; s < toy->used; s++) {
    const toy_slice *slice = &toy->slices[s];
    for (uint64_t i = 0; i < slice->positions; i++) {
      first[node] = used;
      result[node++] = slice->ended[i] == GAME_NOT_ENDED ? NAIVE_OPEN : (signed char)slice->ended[i];
      for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
        next[used++] = node_of(&all, &slice->edges[e]);
      }
    }
  }
  for (int i = 0; i < 4; i++) first[node + i] = used;
  for (int i = 0; i < 3; i++) result[node + i] = (signed char)(i - 1);
  all.graph.first = first;
  all.graph.next = next;
  all.graph.result = result;
  all.answer = suite_zeros((uint64_t)all.graph.count, sizeof *all.answer);
  if (!naive_wdl_solve(&all.graph, all.answer)) abort();
  return all;
}
