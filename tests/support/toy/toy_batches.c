#include "tests/support/toy/toy_batches.h"

#include "tests/support/suite.h"

void toy_require(bool holds, const char *what) {
  if (!holds) ck_abort_msg("%s", what);
}

void toy_edges_add(toy_edges *list, const game_edge *edges, size_t n) {
  if (list->used + n > list->room) {
    list->room = 2 * list->room + n;
    game_edge *longer = suite_zeros(list->room, sizeof *longer);
    if (list->used) memcpy(longer, list->edges, list->used * sizeof *longer);
    list->edges = longer;
  }
  memcpy(list->edges + list->used, edges, n * sizeof *edges);
  list->used += n;
}

static tauler_error keep(void *user, const game_edge *edges, size_t n) {
  toy_edges_add(user, edges, n);
  return TAULER_OK;
}

void toy_edges_of(toy_batch *batch, const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                  toy_edges *out) {
  game_edge room[TOY_SINK_ROOM];
  game_sink sink = {room, 0, TOY_SINK_ROOM, keep, out};
  out->used = 0;
  toy_require(!batch(rules, slice, index, n, &sink) && !game_sink_flush(&sink), "a batch fails");
}

int toy_edges_order(const void *a, const void *b) {
  const game_edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->to.slice != y->to.slice) return x->to.slice < y->to.slice ? -1 : 1;
  if (x->to.index != y->to.index) return x->to.index < y->to.index ? -1 : 1;
  return 0;
}

void toy_edges_sort(toy_edges *list, size_t from) {
  if (list->used > from) qsort(list->edges + from, list->used - from, sizeof *list->edges, toy_edges_order);
}
