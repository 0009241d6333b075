#include "tests/support/toy_union.h"

static int node_of(const toy_union *all, const game_edge *edge) {
  const int over = all->count - 2; /* a draw */
  return edge->to.slice == GAME_OVER ? over - edge->gain : all->offset[edge->to.slice] + (int)edge->to.index;
}

toy_union toy_unite(const toy_game *toy) {
  toy_union all = {.count = 3};
  for (uint32_t s = 0; s < toy->used; s++) {
    all.offset[s] = all.count - 3;
    all.count += (int)toy->slices[s].positions;
  }
  naive_graph *graph = naive_graph_new(all.count);
  for (uint32_t s = 0; s < toy->used; s++) {
    const toy_slice *slice = &toy->slices[s];
    for (uint64_t i = 0; i < slice->positions; i++) {
      for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++)
        naive_graph_lead(graph, node_of(&all, &slice->edges[e]));
      naive_graph_end(graph, slice->ended[i] == GAME_NOT_ENDED ? NAIVE_OPEN : (signed char)slice->ended[i]);
    }
  }
  for (int i = 0; i < 3; i++) naive_graph_end(graph, (signed char)(i - 1));
  all.answer = naive_graph_solve(graph);
  return all;
}
