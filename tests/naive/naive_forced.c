#include "naive_forced.h"

#include "naive_memory.h"

typedef struct {
  const naive_play *play;
  const naive_forced *layers;
  const naive_forced *own;
  int layer;
} place;

/* The positions where a side forces something: the mover gets the threshold or more, or is held to -threshold
 * or less. */
typedef struct {
  place at;
  int threshold;
  bool *forced[2]; /* by `held`, then by position */
} sets;

/* The worth of a move that leaves the layer. */
static int worth_of(const place *at, naive_step step, int plane) {
  if (step.layer == NAIVE_OVER) return step.gain;
  return step.gain - at->layers[step.layer].value[at->own->planes - 1 - plane][step.to];
}

/* One move has to do for the mover to get so much, every move for it to be held to so much. */
static bool is_forced(const sets *s, int position, bool held) {
  const place *at = &s->at;
  const int plane = held ? at->own->planes - 1 : 0;
  int value;
  naive_step step;
  if (at->play->ended(at->play->game, at->layer, position, &value))
    return (held ? -value : value) >= s->threshold;
  for (int n = 0; at->play->step(at->play->game, at->layer, position, n, &step); n++) {
    bool does;
    if (step.layer == at->layer)
      does = s->forced[!held][step.to];
    else
      does = (held ? -worth_of(at, step, plane) : worth_of(at, step, plane)) >= s->threshold;
    if (does != held) return does;
  }
  return held;
}

static bool sweep(const sets *s) {
  bool changed = false;
  for (int position = 0; position < s->at.own->count; position++) {
    for (int held = 0; held < 2; held++) {
      if (s->forced[held][position] || !is_forced(s, position, held)) continue;
      s->forced[held][position] = changed = true;
      s->at.own->value[held ? s->at.own->planes - 1 : 0][position] = held ? -s->threshold : s->threshold;
    }
  }
  return changed;
}

/* From the largest threshold on: who forces more forces less, so the sets only grow. */
static void find_values(const place *at) {
  const naive_forced *own = at->own;
  const int upper = own->planes - 1, least = upper ? -own->largest : 0;
  sets s = {.at = *at};
  for (int held = 0; held < 2; held++) s.forced[held] = naive_allocate(own->count, sizeof(bool));
  for (int position = 0; position < own->count; position++) {
    own->value[0][position] = least;
    own->value[upper][position] = -least;
  }
  for (s.threshold = own->largest; s.threshold > least; s.threshold--)
    while (sweep(&s)) continue;
}

/* Whether the value of a position is made good within so many plies, whose first is a move worth it. */
static bool is_done_within(const place *at, int plane, int position, int plies) {
  const naive_forced *own = at->own;
  const int there = own->planes - 1 - plane, value = own->value[plane][position];
  const bool gains = own->planes == 1 ? value > 0 : plane == 0;
  naive_step step;
  for (int n = 0; at->play->step(at->play->game, at->layer, position, n, &step); n++) {
    const bool quiet = step.layer == at->layer;
    if ((quiet ? -own->value[there][step.to] : worth_of(at, step, plane)) != value) continue;
    const int depth = quiet ? own->depth[there][step.to] : 0;
    const bool soon = depth != NAIVE_NO_DEPTH && depth < plies;
    if (soon == gains) return gains;
  }
  return !gains;
}

static bool is_open(const naive_forced *own, int plane, int position) {
  const int nothing = own->planes == 1 ? 0 : plane == 0 ? -own->largest : own->largest;
  return own->depth[plane][position] == NAIVE_NO_DEPTH && own->value[plane][position] != nothing;
}

static bool mark_depths(const place *at, int plies) {
  bool changed = false;
  for (int plane = 0; plane < at->own->planes; plane++) {
    for (int position = 0; position < at->own->count; position++) {
      int value;
      if (!is_open(at->own, plane, position)) continue;
      const bool ended = at->play->ended(at->play->game, at->layer, position, &value);
      if (ended ? plies > 0 : plies == 0 || !is_done_within(at, plane, position, plies)) continue;
      at->own->depth[plane][position] = plies;
      changed = true;
    }
  }
  return changed;
}

void naive_force(const naive_play *play, naive_forced *layers, int layer) {
  naive_forced *own = &layers[layer];
  const place at = {play, layers, own, layer};
  for (int plane = 0; plane < own->planes; plane++) {
    own->value[plane] = naive_allocate(own->count, sizeof(int));
    own->depth[plane] = naive_allocate(own->count, sizeof(int));
    for (int position = 0; position < own->count; position++) own->depth[plane][position] = NAIVE_NO_DEPTH;
  }
  find_values(&at);
  mark_depths(&at, 0);
  for (int plies = 1; mark_depths(&at, plies); plies++) continue;
}
