#include "tests/support/toy/toy_bounds.h"

#include <math.h>

#include "tests/support/suite.h"

enum { SWEEPS = 200, UNIT = 6 };

static void bounds_free(void *thing) {
  toy_bounds *t = thing;
  for (int i = 0; i < TOY_WAYS_SLICES * BOUND_KINDS * CHANCE_MOST_QUANTITIES; i++)
    free(t->cells[i % TOY_WAYS_SLICES]
             .bound[i / TOY_WAYS_SLICES % BOUND_KINDS][i / TOY_WAYS_SLICES / BOUND_KINDS]);
  free(t);
}

toy_bounds *toy_bounds_new(toy_ways *toy) {
  toy_bounds *t = calloc(1, sizeof *t);
  t->toy = toy;
  memory_budget_open(&t->budget, 0);
  for (uint32_t slice = 0; slice < toy->slices; slice++) {
    for (int i = 0; i < BOUND_KINDS * toy->quantities.used; i++)
      t->cells[slice].bound[i % BOUND_KINDS][i / BOUND_KINDS] =
          calloc(toy->positions[slice] + 1, sizeof(double));
  }
  suite_own(t, bounds_free);
  return t;
}

double *toy_bounds_cell(const toy_bounds *t, const toy_node *node, int kind, int q) {
  return &t->cells[node->slice].bound[kind][q][node->index];
}

static int turned(const toy_ways *toy, int q, int turn) {
  const int seats = toy->quantities.seats;
  return q < seats ? (q + 2 * seats - turn) % seats : q;
}

toy_wide toy_bounds_worth(const toy_bounds *t, const toy_way *way, int kind, int q, int *to) {
  const toy_ways *toy = t->toy;
  toy_wide worth = 0;
  for (;;) {
    const chance_gain gain = toy->gains[way->gain][q];
    const int gained = UNIT / gain.denominator * (int)gain.numerator;
    worth += gained;
    *to = way->to;
    if (way->to == TOY_WAYS_OVER) return worth;
    q = turned(toy, q, way->turn);
    const toy_node *node = &toy->node[way->to];
    if (node->indexed) return worth + UNIT * (toy_wide)*toy_bounds_cell(t, node, kind, q);
    way = &node->way[0];
  }
}

toy_wide toy_bounds_best(const toy_bounds *t, const toy_node *node, int i, int kind, int q, int *next) {
  int to;
  toy_wide best = toy_bounds_worth(t, &node->way[i], kind, q, &to);
  for (*next = i + 1; *next < node->ways && node->way[*next].roll == node->way[i].roll; (*next)++) {
    const toy_wide other = toy_bounds_worth(t, &node->way[*next], kind, q, &to);
    if (node->aim > 0 ? other > best : other < best) best = other;
  }
  return best;
}

/* UNIT · weights times what the moves make of a node, and that factor. */
static toy_wide sum_of(const toy_bounds *t, const toy_node *node, int kind, int q, int *factor) {
  toy_wide sum = 0;
  *factor = node->ended || node->nothing ? UNIT : 0;
  for (int i = 0; i < node->ways;) {
    const int weight = node->passes ? 1 : (int)t->toy->rolls[node->way[i].roll].weight;
    sum += weight * toy_bounds_best(t, node, i, kind, q, &i);
    *factor += UNIT * weight;
  }
  return sum;
}

bool toy_bounds_allowed(const toy_bounds *t, const toy_node *node, int kind, int q, double bound) {
  int factor;
  const toy_wide sum = sum_of(t, node, kind, q, &factor);
  return kind == BOUND_LOWER ? factor * (toy_wide)bound <= sum : factor * (toy_wide)bound >= sum;
}

bool toy_bounds_possible(const toy_bounds *t, const toy_node *node, int kind, int q, double bound) {
  int factor;
  const toy_wide sum = sum_of(t, node, kind == BOUND_LOWER ? BOUND_UPPER : BOUND_LOWER, q, &factor);
  return kind == BOUND_LOWER ? factor * (toy_wide)bound <= sum : factor * (toy_wide)bound >= sum;
}

double toy_bounds_by_moves(const toy_bounds *t, const toy_node *node, int kind, int q) {
  int factor;
  double bound = (double)(sum_of(t, node, kind, q, &factor) / factor);
  while (!toy_bounds_allowed(t, node, kind, q, bound)) bound = nextafter(bound, kind == BOUND_LOWER ? -1 : 2);
  return bound >= TOY_BOUNDS_TINY ? bound : kind == BOUND_LOWER ? 0 : TOY_BOUNDS_TINY;
}

bool toy_bounds_settle(toy_bounds *t, bool only_worse) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    bool changed = false;
    for (int i = t->toy->nodes - 1; i >= 0; i--) {
      const toy_node *node = &t->toy->node[i];
      for (int b = 0; b < BOUND_KINDS * t->toy->quantities.used && node->indexed; b++) {
        double *cell = toy_bounds_cell(t, node, b % BOUND_KINDS, b / BOUND_KINDS);
        const double now = toy_bounds_by_moves(t, node, b % BOUND_KINDS, b / BOUND_KINDS);
        if (now == *cell || (only_worse && (b % BOUND_KINDS == BOUND_LOWER ? now > *cell : now < *cell)))
          continue;
        *cell = now;
        changed = true;
      }
    }
    if (!changed) return true;
  }
  return false;
}

void toy_bounds_set(toy_bounds *t, double lower, double upper) {
  for (int i = 0; i < t->toy->nodes; i++) {
    for (int q = 0; q < t->toy->quantities.used && t->toy->node[i].indexed; q++) {
      *toy_bounds_cell(t, &t->toy->node[i], BOUND_LOWER, q) = lower;
      *toy_bounds_cell(t, &t->toy->node[i], BOUND_UPPER, q) = upper;
    }
  }
}
