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

static int order(const void *a, const void *b) {
  const game_edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->to.slice != y->to.slice) return x->to.slice < y->to.slice ? -1 : 1;
  if (x->to.index != y->to.index) return x->to.index < y->to.index ? -1 : 1;
  return x->gain - y->gain;
}

void toy_edges_sort(toy_edges *list, size_t from) {
  if (list->used > from) qsort(list->edges + from, list->used - from, sizeof *list->edges, order);
}

void toy_edges_once(toy_edges *list, size_t from) {
  size_t kept = from;
  toy_edges_sort(list, from);
  for (size_t i = from; i < list->used; i++) {
    if (i == from || order(&list->edges[i], &list->edges[kept - 1]) != 0)
      list->edges[kept++] = list->edges[i];
  }
  list->used = kept;
}

size_t toy_edges_differ(const toy_edges *a, const toy_edges *b) {
  size_t i = 0;
  while (i < a->used && i < b->used && order(&a->edges[i], &b->edges[i]) == 0) i++;
  return i < a->used || i < b->used ? i : SIZE_MAX;
}

size_t toy_times(toy_batch *batch, const game_rules *rules, game_place from, uint64_t to, toy_edges *list) {
  size_t times = 0;
  toy_edges_of(batch, rules, from.slice, &from.index, 1, list);
  for (size_t i = 0; i < list->used; i++)
    times += list->edges[i].to.slice == from.slice && list->edges[i].to.index == to;
  return times;
}

/* --- retract against expand --- */

/* The edges into each child: their number and a sum differ between multisets of parents. */
typedef struct {
  uint64_t *sum;
  uint32_t *edges_in;
} parents;

static uint64_t mix(uint64_t x) {
  x = (x + 1) * UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  return x ^ x >> 32;
}

static parents parents_by(const game *game, const game_rules *rules, uint32_t slice, bool back) {
  enum { BATCH = 512 };
  const uint64_t positions = game->positions(rules, slice);
  const parents all = {suite_zeros(positions, sizeof *all.sum), suite_zeros(positions, sizeof *all.edges_in)};
  toy_edges list = {0};
  for (uint64_t first = 0; first < positions; first += BATCH) {
    uint64_t index[BATCH];
    size_t n = 0;
    for (; n < BATCH && first + n < positions; n++) index[n] = first + n;
    toy_edges_of(back ? game->retract : game->expand, rules, slice, index, n, &list);
    for (size_t i = 0; i < list.used; i++) {
      const game_edge *edge = &list.edges[i];
      toy_require(edge->to.slice == slice || !back, "a predecessor of another slice");
      if (edge->to.slice != slice) continue;
      toy_require(edge->gain == 0, "a quiet move gains");
      const uint64_t here = index[edge->from], there = edge->to.index;
      all.sum[back ? here : there] += mix(back ? there : here);
      all.edges_in[back ? here : there]++;
    }
  }
  return all;
}

uint64_t toy_turned_round(const game *game, const game_rules *rules, uint32_t slice) {
  const parents forth = parents_by(game, rules, slice, false), back = parents_by(game, rules, slice, true);
  uint64_t edges = 0;
  for (uint64_t i = 0; i < game->positions(rules, slice); i++) {
    if (forth.sum[i] != back.sum[i] || forth.edges_in[i] != back.edges_in[i])
      ck_abort_msg("%s, slice %u: position %llu has %u parents, retract gives %u", game->rules_text(rules),
                   slice, (unsigned long long)i, forth.edges_in[i], back.edges_in[i]);
    edges += forth.edges_in[i];
  }
  return edges;
}

static void require_links(const game_rules *rules, toy_batch *batch, toy_batch *back, bool only_quiet,
                          game_place from, size_t most, toy_edges lists[2]) {
  toy_edges_of(batch, rules, from.slice, &from.index, 1, &lists[0]);
  for (size_t e = 0; e < lists[0].used; e += 1 + lists[0].used / most) {
    const game_place to = lists[0].edges[e].to;
    toy_require(to.slice == from.slice || !only_quiet, "a predecessor of another slice");
    if (to.slice != from.slice) continue;
    toy_require(toy_times(batch, rules, from, to.index, &lists[1]) == 1, "a place is given twice");
    toy_require(toy_times(back, rules, to, from.index, &lists[1]) == 1, "no way back, or more than one");
  }
}

void toy_turned_round_at(const game *game, const game_rules *rules, game_place from, size_t most,
                         toy_edges lists[2]) {
  require_links(rules, game->expand, game->retract, false, from, most, lists);
  require_links(rules, game->retract, game->expand, true, from, most, lists);
}
