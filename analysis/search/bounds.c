/* Narrows the bounds of a position and of its moves, depth by depth. */
#include "analysis/search/search.h"

enum { LEAST_FOR_MOVES = 4096 };

typedef struct {
  prover *prover;
  const game_position *position;
  int depth;
} question;

static bool is_exact(bounds b) {
  return b.lower >= b.upper;
}

static tauler_error ask_prover(const question *q, int at_least, prover_answer wanted, bounds *of, bool *got) {
  prover_answer answer;
  const tauler_error error = prover_ask(q->prover, q->position, at_least, wanted, q->depth, &answer);
  *got = !error && answer == wanted;
  if (answer == PROVER_YES && of->lower < at_least) of->lower = at_least;
  if (answer == PROVER_NO && of->upper >= at_least) of->upper = at_least - 1;
  return error;
}

/* Finds the greatest lower bound (`up`), or the least upper one, that this depth proves. Since a bound mostly
 * moves little, the steps begin with 1 and double until one fails; then the gap to `beyond`, the first bound
 * that is not proven, is halved. */
static tauler_error improve_bound(const question *q, bool up, bounds *of) {
  int step = 1, beyond = up ? of->upper + 1 : of->lower - 1;
  bool got = true;
  tauler_error error = TAULER_OK;
  for (int gap; !error && (gap = up ? beyond - of->lower : of->upper - beyond) > 1;) {
    const int by = step < gap ? step : gap / 2, at_least = up ? of->lower + by : of->upper + 1 - by;
    error = ask_prover(q, at_least, up ? PROVER_YES : PROVER_NO, of, &got);
    if (!got) beyond = up ? at_least : at_least - 1;
    if (up && of->upper + 1 < beyond) beyond = of->upper + 1;
    if (!up && of->lower - 1 > beyond) beyond = of->lower - 1;
    step = got ? 2 * step : INT16_MAX;
  }
  return error;
}

static tauler_error narrow_bounds(const question *q, bounds *of) {
  tauler_error error = improve_bound(q, true, of);
  if (!error) error = improve_bound(q, false, of);
  prover_recall(q->prover, q->position, &of->lower, &of->upper);
  return error;
}

/* Combines bounds: the position after a move bounds the move, the worth of the position bounds every move,
 * and the best move bounds the position. */
static void combine_bounds(searched_move *moves, size_t n, bounds *worth) {
  bounds best = {INT32_MIN, INT32_MIN};
  for (size_t i = 0; i < n; i++) {
    searched_move *m = &moves[i];
    if (!m->move->over) m->worth = (bounds){m->move->gain - m->child.upper, m->move->gain - m->child.lower};
    if (m->worth.lower > best.lower) best.lower = m->worth.lower;
    if (m->worth.upper > best.upper) best.upper = m->worth.upper;
  }
  if (n > 0 && best.lower > worth->lower) worth->lower = best.lower;
  if (n > 0 && best.upper < worth->upper) worth->upper = best.upper;
  for (size_t i = 0; i < n; i++) {
    searched_move *m = &moves[i];
    if (m->settled || m->worth.upper <= worth->upper) continue;
    m->worth.upper = worth->upper;
    if (m->child.lower < m->move->gain - worth->upper) m->child.lower = m->move->gain - worth->upper;
  }
}

static void recall_move_bounds(prover *p, searched_move *moves, size_t n, bounds *worth) {
  for (size_t i = 0; i < n; i++) {
    if (!moves[i].settled)
      prover_recall(p, &moves[i].move->child, &moves[i].child.lower, &moves[i].child.upper);
  }
  combine_bounds(moves, n, worth);
}

/* Asks about single moves, with at most `work` nodes or, if that is more, LEAST_FOR_MOVES in all. */
static tauler_error narrow_moves(prover *p, searched_move *moves, size_t n, int depth, uint64_t work,
                                 bounds *worth) {
  tauler_error error = TAULER_OK;
  p->pause_at = p->nodes + (work > LEAST_FOR_MOVES ? work : LEAST_FOR_MOVES);
  for (size_t i = 0; i < n && !error && depth > 0; i++) {
    if (moves[i].settled || is_exact(moves[i].child)) continue;
    error = narrow_bounds(&(question){p, &moves[i].move->child, depth}, &moves[i].child);
    combine_bounds(moves, n, worth);
  }
  p->pause_at = 0;
  return error == TAULER_STOPPED && !p->over ? TAULER_OK : error;
}

static bool are_all_exact(const searched_move *moves, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!moves[i].settled && !is_exact(moves[i].child)) return false;
  }
  return true;
}

tauler_error bounds_narrow(prover *p, const game_position *position, searched_move *moves, size_t n,
                           bounds *worth, int *depth) {
  tauler_error error = TAULER_OK;
  bool was_exact = false;
  *depth = 0;
  combine_bounds(moves, n, worth);
  for (int d = 1; d <= PROVER_MOST_DEPTH && !error; d++) {
    const uint64_t before = p->nodes;
    p->cut = false;
    error = narrow_bounds(&(question){p, position, d}, worth);
    recall_move_bounds(p, moves, n, worth);
    if (!error) *depth = d;
    was_exact = is_exact(*worth);
    if (!error && !are_all_exact(moves, n)) {
      error = narrow_moves(p, moves, n, d - 1, was_exact ? p->nodes : p->nodes - before, worth);
    }
    if (was_exact || is_exact(*worth) || !p->cut) break;
    memo_next_pass(p->memo);
  }
  return error == TAULER_STOPPED ? TAULER_OK : error;
}
