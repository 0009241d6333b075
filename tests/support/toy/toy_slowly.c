/* Scores and guarantees of a toy by sets that are grown for each threshold. */

#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

/* The positions of a slice that force one threshold t: at_least: the mover gets t or more by play that
 * ends; at_most: the other side holds the mover to −t or less. Each with the sweep that found it. */
typedef struct {
  const toy_game *toy;
  const toy_answer *answers;
  uint32_t slice;
  int threshold;
  bool *at_least, *at_most;
} forcing;

/* The least result of a converting move (plane 0) or the greatest (the last plane). */
static int worth_of(const forcing *f, const game_edge *edge, int plane) {
  if (edge->to.slice == GAME_OVER) return edge->gain;
  const toy_answer *there = &f->answers[edge->to.slice];
  const int *values = there->value[there->planes - 1 - plane];
  if (!values) abort();
  return edge->gain - values[edge->to.index];
}

static bool can_get(const forcing *f, uint64_t i) {
  const toy_slice *slice = &f->toy->slices[f->slice];
  if (slice->ended[i] != GAME_NOT_ENDED) return slice->ended[i] >= f->threshold;
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    const bool quiet = edge->to.slice == f->slice;
    if (quiet ? f->at_most[edge->to.index] : worth_of(f, edge, 0) >= f->threshold) return true;
  }
  return false;
}

static bool is_held(const forcing *f, uint64_t i) {
  const toy_slice *slice = &f->toy->slices[f->slice];
  const int upper = f->answers[f->slice].planes - 1;
  if (slice->ended[i] != GAME_NOT_ENDED) return slice->ended[i] <= -f->threshold;
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    const bool quiet = edge->to.slice == f->slice;
    if (quiet ? !f->at_least[edge->to.index] : worth_of(f, edge, upper) > -f->threshold) return false;
  }
  return true;
}

static void grow(const forcing *f) {
  const uint64_t n = f->toy->slices[f->slice].positions;
  for (uint64_t i = 0; i < n; i++) f->at_least[i] = f->at_most[i] = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t i = 0; i < n; i++) {
      const bool gets = !f->at_least[i] && can_get(f, i), held = !f->at_most[i] && is_held(f, i);
      f->at_least[i] = f->at_least[i] || gets;
      f->at_most[i] = f->at_most[i] || held;
      changed = changed || gets || held;
    }
  }
}

/* The greatest threshold is met first, and what it decides stays. */
static void find_values(const forcing *at, toy_answer *answer) {
  const toy_slice *slice = &at->toy->slices[at->slice];
  const int upper = answer->planes - 1, largest = slice->largest;
  bool *known[TOY_PLANES] = {suite_zeros(slice->positions, 1), suite_zeros(slice->positions, 1)};
  forcing f = *at;
  for (uint64_t i = 0; i < slice->positions; i++) {
    answer->value[0][i] = upper ? -largest : 0;
    answer->value[upper][i] = upper ? largest : 0;
  }
  for (f.threshold = largest; f.threshold > (upper ? -largest : 0); f.threshold--) {
    grow(&f);
    for (uint64_t i = 0; i < slice->positions; i++) {
      if (f.at_least[i] && !known[0][i]) {
        answer->value[0][i] = f.threshold;
        known[0][i] = true;
      }
      if (f.at_most[i] && !known[upper][i]) {
        answer->value[upper][i] = -f.threshold;
        known[upper][i] = true;
      }
    }
  }
}

/* Whether a side has something to make good in a plane: the mover's gain, or the other side's. */
static bool gains_in(const toy_answer *answer, int plane, int largest, int value) {
  return answer->planes == 1 ? value > 0 : plane == 0 && value > -largest;
}

static bool loses_in(const toy_answer *answer, int plane, int largest, int value) {
  return answer->planes == 1 ? value < 0 : plane == 1 && value < largest;
}

/* Whether the result of a position is made good within so many plies, whose first is a move worth it. */
static bool made_good(const forcing *f, int plane, uint64_t i, int plies) {
  const toy_slice *slice = &f->toy->slices[f->slice];
  const toy_answer *answer = &f->answers[f->slice];
  const int child_plane = answer->planes - 1 - plane, value = answer->value[plane][i];
  const bool gains = gains_in(answer, plane, slice->largest, value);
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    const bool quiet = edge->to.slice == f->slice;
    const uint64_t child = edge->to.index;
    if ((quiet ? -answer->value[child_plane][child] : worth_of(f, edge, plane)) != value) continue;
    const int depth = quiet ? answer->depth[child_plane][child] : 0;
    const bool soon = depth != TOY_NO_DEPTH && depth < plies;
    if (soon == gains) return gains;
  }
  return !gains;
}

static void find_depths(const forcing *f, toy_answer *answer) {
  const toy_slice *slice = &f->toy->slices[f->slice];
  for (int plane = 0; plane < answer->planes; plane++) {
    for (uint64_t i = 0; i < slice->positions; i++) answer->depth[plane][i] = TOY_NO_DEPTH;
  }
  bool changed = true;
  for (int plies = 0; changed || plies < 2; plies++) {
    changed = false;
    for (int plane = 0; plane < answer->planes; plane++) {
      for (uint64_t i = 0; i < slice->positions; i++) {
        const int value = answer->value[plane][i];
        if (answer->depth[plane][i] != TOY_NO_DEPTH) continue;
        if (!gains_in(answer, plane, slice->largest, value) &&
            !loses_in(answer, plane, slice->largest, value)) {
          continue;
        }
        const bool over = slice->ended[i] != GAME_NOT_ENDED;
        if (over ? plies > 0 : plies == 0 || !made_good(f, plane, i, plies)) continue;
        answer->depth[plane][i] = plies;
        changed = true;
      }
    }
  }
}

toy_answer *toy_solve_slowly(const toy_game *toy) {
  toy_answer *answers = suite_zeros(toy->used, sizeof *answers);
  for (uint32_t s = 0; s < toy->used; s++) {
    const uint64_t n = toy->slices[s].positions;
    answers[s].planes = toy->game.kind(toy->rules) == SOLVE_GUARANTEES ? 2 : 1;
    for (int plane = 0; plane < answers[s].planes; plane++) {
      answers[s].value[plane] = suite_zeros(n, sizeof(int));
      answers[s].depth[plane] = suite_zeros(n, sizeof(int));
    }
    const forcing f = {toy, answers, s, 0, suite_zeros(n, sizeof(bool)), suite_zeros(n, sizeof(bool))};
    find_values(&f, &answers[s]);
    find_depths(&f, &answers[s]);
  }
  return answers;
}
