#include "naive_chance.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SWEEPS = 100000 };
static const long double rounding = 1e-16L;

naive_chance *naive_chance_new(int quantities) {
  naive_chance *graph = calloc(1, sizeof *graph);
  if (graph != NULL) graph->quantities = quantities;
  return graph;
}

void naive_chance_free(naive_chance *graph) {
  if (graph == NULL) return;
  free(graph->node);
  free(graph->way);
  free(graph);
}

/* Returns the array, moved if it was full. */
static void *grown(void *array, int used, int *room, size_t bytes) {
  if (used < *room) return array;
  int more = *room == 0 ? 1000 : 2 * *room;
  void *moved = realloc(array, (size_t)more * bytes);
  if (moved != NULL) *room = more;
  return moved;
}

bool naive_chance_add_node(naive_chance *graph, int aim) {
  struct naive_chance_node *node = grown(graph->node, graph->nodes, &graph->nodes_room, sizeof *graph->node);
  if (node == NULL) return false;
  graph->node = node;
  graph->node[graph->nodes++] = (struct naive_chance_node){graph->ways, aim};
  return true;
}

bool naive_chance_add_way(naive_chance *graph, naive_way way) {
  naive_way *ways = grown(graph->way, graph->ways, &graph->ways_room, sizeof *graph->way);
  if (ways == NULL) return false;
  graph->way = ways;
  graph->way[graph->ways++] = way;
  return true;
}

static int end_of(const naive_chance *graph, int node) {
  return node + 1 < graph->nodes ? graph->node[node + 1].first : graph->ways;
}

static long double worth(const naive_chance *graph, const long double *values, const naive_way *way,
                         int quantity) {
  long double later = way->to == NAIVE_CHANCE_OVER ? 0 : values[(long)way->to * graph->quantities + quantity];
  return graph->gains[way->gain][quantity] + later;
}

/* The way that is taken under the roll of the way `from`; *next is the first one of another roll. */
static const naive_way *taken(const naive_chance *graph, const long double *values, int node, int from,
                              int *next) {
  int aim = graph->node[node].aim, end = end_of(graph, node);
  const naive_way *best = &graph->way[from];
  for (*next = from + 1; *next < end && graph->way[*next].roll == graph->way[from].roll; ++*next) {
    const naive_way *other = &graph->way[*next];
    if (aim > 0 && worth(graph, values, other, aim - 1) > worth(graph, values, best, aim - 1)) best = other;
    if (aim < 0 && worth(graph, values, other, -aim - 1) < worth(graph, values, best, -aim - 1)) best = other;
  }
  return best;
}

/* Returns whether a value has changed by more than rounding. */
static bool look_again(const naive_chance *graph, long double *values, int node) {
  long double sum[NAIVE_CHANCE_QUANTITIES] = {0};
  int weight = 0;
  bool changed = false;
  for (int way = graph->node[node].first; way < end_of(graph, node);) {
    const naive_way *best = taken(graph, values, node, way, &way);
    weight += best->weight;
    for (int q = 0; q < graph->quantities; q++) sum[q] += best->weight * worth(graph, values, best, q);
  }
  for (int q = 0; q < graph->quantities; q++) {
    long double *value = &values[(long)node * graph->quantities + q];
    long double now = weight == 0 ? 0 : sum[q] / weight;
    if (fabsl(now - *value) > rounding * (1 + fabsl(now))) changed = true;
    *value = now;
  }
  return changed;
}

static bool sweep(const naive_chance *graph, long double *values) {
  bool changed = false;
  for (int node = graph->nodes - 1; node >= 0; node--)
    if (look_again(graph, values, node)) changed = true;
  return changed;
}

long double *naive_chance_settle(const naive_chance *graph, long double from) {
  size_t count = (size_t)graph->nodes * (size_t)graph->quantities;
  long double *values = malloc(count * sizeof *values);
  if (values == NULL) return NULL;
  for (size_t i = 0; i < count; i++) values[i] = from;
  for (int sweeps = 0; sweeps < MOST_SWEEPS; sweeps++)
    if (!sweep(graph, values)) return values;
  free(values);
  return NULL;
}
