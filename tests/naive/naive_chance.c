#include "naive_chance.h"

#include "naive_memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_SWEEPS = 100000 };
static const long double rounding = 1e-16L;

static void release(void *thing) {
  naive_chance *graph = thing;
  free(graph->node);
  free(graph->way);
}

naive_chance *naive_chance_new(int quantities) {
  naive_chance *graph = naive_allocate(1, sizeof *graph);
  graph->quantities = quantities;
  naive_owner(graph, release);
  return graph;
}

void naive_chance_add_node(naive_chance *graph, int aim) {
  graph->node = naive_grown(graph->node, graph->nodes, &graph->nodes_room, sizeof *graph->node);
  graph->node[graph->nodes++] = (struct naive_chance_node){graph->ways, aim};
}

void naive_chance_add_way(naive_chance *graph, naive_way way) {
  graph->way = naive_grown(graph->way, graph->ways, &graph->ways_room, sizeof *graph->way);
  graph->way[graph->ways++] = way;
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
  const int count = graph->nodes * graph->quantities;
  long double *values = naive_allocate(count, sizeof *values);
  for (int i = 0; i < count; i++) values[i] = from;
  for (int sweeps = 0; sweeps < MOST_SWEEPS; sweeps++)
    if (!sweep(graph, values)) return values;
  return NULL;
}
