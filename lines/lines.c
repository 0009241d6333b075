/* Bounds the value of a position after a given history, one threshold at a time. All thresholds are above 0.
 * For a threshold −t the sides are exchanged: the mover gets more than −t exactly if the other side gets less
 * than t. */
#include "lines/lines.h"

#include <string.h>

#include "lines/moves.h"
#include "lines/search.h"

/* The results for a threshold in two games. In the first every conversion gives the side that is asked about
 * the least, in the second the most. */
typedef struct {
  int threshold;
  bool exact; /* true if both games have the same results, so that only the first is solved */
  /* [nodes] result of each node for a fresh history, by the fixpoint, or NULL until it is needed */
  uint8_t *fate[2];
  /* [nodes] result of each node after a history, for questions about the mover [][0] or the other side
   * [][1], or NULL until it is needed */
  uint8_t *after[2][2];
  /* number of the history of `after`, 0 if `after` is not computed */
  uint64_t history[2][2];
} row_threshold;

struct own_row_lines {
  const own_row_job *job;
  row_moves moves;
  row_search search;
  row_threshold thresholds[INT8_MAX];
  int used;
  bool even;       /* true if a side may get 0 */
  uint32_t *place; /* [nodes] ROW_GRAPH_NONE between uses */
  uint32_t *list;
  /* The history of the last question, whose results serve other questions with the same history. */
  own_row_met *met;
  size_t met_used;
  uint64_t history; /* number of that history, or 0 before the first question */
};

static const char *const what = "lines of play";

static void find_thresholds(own_row_lines *lines) {
  const bool *seen = lines->moves.values - INT8_MIN;
  lines->even = seen[0];
  for (int t = 1; t <= INT8_MAX; t++) {
    if (seen[t] || seen[-t])
      lines->thresholds[lines->used++] =
          (row_threshold){.threshold = t, .exact = row_moves_is_exact(&lines->moves, t)};
  }
}

static tauler_error open_lines(const own_row_job *job, uint32_t slice, const solved_slice *bounds,
                               own_row_lines **out, tauler_message *message) {
  own_row_lines *lines = NULL;
  *out = NULL;
  tauler_error error = memory_allocate(job->memory, sizeof *lines, what, &lines, message);
  if (error) return error;
  lines->job = job;
  error = row_moves_open(&lines->moves, job, slice, bounds, message);
  const uint64_t nodes = error ? 0 : 2 * lines->moves.n;
  if (!error) error = row_search_open(&lines->search, job->memory, message);
  if (!error)
    error = memory_allocate_array(job->memory, nodes, sizeof *lines->place, what, &lines->place, message);
  if (!error)
    error = memory_allocate_array(job->memory, nodes, sizeof *lines->list, what, &lines->list, message);
  if (error) {
    own_row_lines_close(lines);
    return error;
  }
  lines->search.job = job;
  memset(lines->place, 0xFF, nodes * sizeof *lines->place);
  find_thresholds(lines);
  *out = lines;
  return TAULER_OK;
}

tauler_error own_row_lines_open(const own_row_job *job, uint32_t slice, own_row_lines **out,
                                tauler_message *message) {
  return open_lines(job, slice, NULL, out, message);
}

void own_row_lines_close(own_row_lines *lines) {
  if (!lines) return;
  memory_budget *memory = lines->job->memory;
  for (int at = 0; at < lines->used; at++) {
    for (int most = 0; most < 2; most++) {
      memory_free(memory, lines->thresholds[at].fate[most]);
      for (int other = 0; other < 2; other++) memory_free(memory, lines->thresholds[at].after[most][other]);
    }
  }
  memory_free(memory, lines->place);
  memory_free(memory, lines->list);
  memory_free(memory, lines->met);
  row_search_close(&lines->search);
  row_moves_close(&lines->moves);
  memory_free(memory, lines);
}

/* Computes the fixpoint over the listed nodes and writes their results to `fate`. `known` has the results of
 * all other nodes, or is NULL if all are listed. */
static tauler_error settle_nodes(own_row_lines *lines, row_question question, uint32_t n,
                                 const uint8_t *known, uint8_t *fate) {
  arena *a = &lines->search.arena;
  const arena_mark mark = arena_here(a);
  row_graph g;
  a->error = TAULER_OK;
  if (row_moves_graph(&lines->moves, question, lines->list, n, known, lines->place, a, &g)) {
    row_graph_settle(&g, a);
    for (uint32_t i = 0; i < n; i++) fate[lines->list[i]] = g.state[i];
  }
  arena_return(a, mark);
  return a->error;
}

static tauler_error find_fresh_results(own_row_lines *lines, row_threshold *at, bool most,
                                       tauler_message *message) {
  if (at->fate[most]) return TAULER_OK;
  const uint32_t nodes = (uint32_t)(2 * lines->moves.n);
  tauler_error error = memory_allocate(lines->job->memory, nodes, what, &at->fate[most], message);
  if (error) return error;
  for (uint32_t i = 0; i < nodes; i++) lines->list[i] = i;
  error = settle_nodes(lines, (row_question){at->threshold, most}, nodes, NULL, at->fate[most]);
  if (!error) return TAULER_OK;
  memory_free(lines->job->memory, at->fate[most]);
  at->fate[most] = NULL;
  return tauler_fail(message, error, "no memory for %s", what);
}

/* True if `fate`, the result of the node `met` for a fresh history, is open or favours the side that the node
 * pays when it repeats. If this holds for all nodes of the history, all decided results for a fresh history
 * also hold after it. */
static bool keeps_fate(const row_moves *moves, row_question question, uint32_t met, uint8_t fate) {
  if (fate == FATE_OPEN) return true;
  const bool for_side = (fate == FATE_WON) == (met % 2 == 0);
  return row_moves_pays(moves, question, met) == for_side;
}

static uint32_t node_of(const own_row_met *met, bool other) {
  return (uint32_t)(2 * met->index + (met->other != other));
}

static tauler_error store_history(own_row_lines *lines, const own_row_met *history, size_t met,
                                  tauler_message *message) {
  bool same = lines->history > 0 && met == lines->met_used;
  for (size_t i = 0; i < met && same; i++)
    same = history[i].index == lines->met[i].index && history[i].other == lines->met[i].other;
  if (same) return TAULER_OK;
  const tauler_error error =
      memory_resize(lines->job->memory, (met + 1) * sizeof *history, what, &lines->met, message);
  if (error) return error;
  for (size_t i = 0; i < met; i++) lines->met[i] = history[i];
  lines->met_used = met;
  lines->history++;
  return TAULER_OK;
}

/* Computes the results of all nodes if those of the history are ends. `fresh` has the results for a fresh
 * history. */
static tauler_error settle_after_history(own_row_lines *lines, row_question question, const uint8_t *fresh,
                                         bool other, uint8_t *fate) {
  const uint32_t nodes = (uint32_t)(2 * lines->moves.n);
  bool keeps = true;
  for (size_t i = 0; i < lines->met_used && keeps; i++) {
    const uint32_t node = node_of(&lines->met[i], other);
    keeps = lines->moves.ended[node / 2] || keeps_fate(&lines->moves, question, node, fresh[node]);
  }
  if (keeps) {
    memcpy(fate, fresh, nodes);
  } else {
    memset(fate, FATE_OPEN, nodes);
  }
  for (size_t i = 0; i < lines->met_used; i++) {
    const uint32_t node = node_of(&lines->met[i], other);
    if (!lines->moves.ended[node / 2]) fate[node] = FATE_MET;
  }
  if (keeps) return TAULER_OK;
  uint32_t n = 0;
  for (uint32_t node = 0; node < nodes; node++)
    if (fate[node] == FATE_OPEN) lines->list[n++] = node;
  return settle_nodes(lines, question, n, fate, fate);
}

static tauler_error find_results_after_history(own_row_lines *lines, row_threshold *at, bool most,
                                               bool other) {
  uint8_t **after = &at->after[most][other];
  if (at->history[most][other] == lines->history) return TAULER_OK;
  at->history[most][other] = 0;
  tauler_error error = TAULER_OK;
  if (!*after) error = memory_allocate(lines->job->memory, 2 * lines->moves.n, what, after, NULL);
  if (!error)
    error = settle_after_history(lines, (row_question){at->threshold, most}, at->fate[most], other, *after);
  if (!error) at->history[most][other] = lines->history;
  return error;
}

/* Finds the result of the first listed node or, with `all`, of every listed node. The fates of listed nodes
 * must be open. Returns the results, which are in the arena. After a failure the arena has the error. */
static const uint8_t *find_listed_results(own_row_lines *lines, row_question question, const uint8_t *fate,
                                          uint32_t n, bool all) {
  arena *a = &lines->search.arena;
  row_graph g;
  a->error = TAULER_OK;
  uint8_t *wanted = arena_allocate(a, n, 1), *found = arena_allocate(a, n, 1);
  if (!row_moves_graph(&lines->moves, question, lines->list, n, fate, lines->place, a, &g)) return NULL;
  row_graph_settle(&g, a);
  memset(wanted, all, n);
  if (n > 0) wanted[0] = 1;
  if (!a->error) row_search_find(&lines->search, &g, wanted, found);
  return found;
}

static tauler_error find_node_result(own_row_lines *lines, row_question question, const uint8_t *fate,
                                     uint32_t node, node_state *out) {
  arena *a = &lines->search.arena;
  const arena_mark mark = arena_here(a);
  const uint32_t n = row_moves_reach(&lines->moves, question, node, fate, lines->place, lines->list);
  const uint8_t *found = find_listed_results(lines, question, fate, n, false);
  if (!a->error) *out = (node_state)found[0];
  arena_return(a, mark);
  return a->error;
}

static tauler_error find_both_results(own_row_lines *lines, row_threshold *at, uint64_t index, bool other,
                                      node_state states[2], tauler_message *message) {
  const uint32_t node = (uint32_t)(2 * index + other);
  for (int most = 0; most < 2; most++) {
    const row_question question = {at->threshold, most};
    if (most && at->exact) {
      states[1] = states[0];
      break;
    }
    tauler_error error = find_fresh_results(lines, at, most, message);
    if (error) return error;
    error = find_results_after_history(lines, at, most, other);
    if (!error) states[most] = (node_state)at->after[most][other][node];
    if (!error && states[most] == NODE_OPEN)
      error = find_node_result(lines, question, at->after[most][other], node, &states[most]);
    if (error == TAULER_STOPPED) return tauler_fail(message, error, "stopped on request");
    if (error) return tauler_fail(message, error, "no memory for %s", what);
  }
  return TAULER_OK;
}

/* Returns the greatest worth below threshold number `at` that a side may get. */
static int next_lower_worth(const own_row_lines *lines, int at) {
  if (at > 0) return lines->thresholds[at - 1].threshold;
  return lines->even || lines->used == 0 ? 0 : -lines->thresholds[0].threshold;
}

/* Narrows *out by asking for rising thresholds whether the mover or, with `most`, the other side reaches
 * them. */
static tauler_error ask_thresholds(own_row_lines *lines, uint64_t index, bool most, own_row_worth *out,
                                   tauler_message *message) {
  const node_state reached = most ? NODE_LOST : NODE_WON, missed = most ? NODE_WON : NODE_LOST;
  for (int at = 0; at < lines->used; at++) {
    const int threshold = lines->thresholds[at].threshold;
    node_state states[2] = {NODE_OPEN, NODE_OPEN};
    const tauler_error error = find_both_results(lines, &lines->thresholds[at], index, most, states, message);
    if (error) return error;
    if (states[0] == reached) *(most ? &out->upper : &out->lower) = most ? -threshold : threshold;
    if (states[1] != missed) continue;
    const int bound = next_lower_worth(lines, at);
    if (!most) out->upper = bound;
    if (most && out->lower < -bound) out->lower = -bound;
    break;
  }
  return TAULER_OK;
}

tauler_error own_row_lines_ask(own_row_lines *lines, uint64_t index, const own_row_met *history, size_t met,
                               uint64_t budget, own_row_worth *out, tauler_message *message) {
  const row_moves *moves = &lines->moves;
  bool again = false, known = index < moves->n;
  for (size_t i = 0; i < met && known; i++) {
    known = history[i].index < moves->n;
    again = again || (history[i].index == index && !history[i].other);
  }
  if (!known) return tauler_fail(message, TAULER_INTERNAL, "slice %u has no such position", moves->slice);
  if (moves->ended[index] || again) {
    out->lower = out->upper = moves->ended[index] ? moves->gives[0][index] : moves->pays[index];
    return TAULER_OK;
  }
  lines->search.budget = budget;
  *out = (own_row_worth){-next_lower_worth(lines, lines->used), next_lower_worth(lines, lines->used)};
  tauler_error error = store_history(lines, history, met, message);
  if (!error) error = ask_thresholds(lines, index, false, out, message);
  return error || out->lower > 0 ? error : ask_thresholds(lines, index, true, out, message);
}

static void narrow_bounds(const own_row_lines *lines, int at, bool most, uint32_t node, node_state state,
                          solved_slice *bounds) {
  const int threshold = lines->thresholds[at].threshold;
  const bool exact = lines->thresholds[at].exact, other = node % 2;
  const uint32_t index = lines->moves.index[node / 2];
  int8_t *lower = &bounds->cells[0][index], *upper = &bounds->cells[1][index];
  int least = -next_lower_worth(lines, lines->used), greatest = -least;
  if (!other && state == NODE_WON && (exact || !most)) least = threshold;
  if (!other && state == NODE_LOST && (exact || most)) greatest = next_lower_worth(lines, at);
  if (other && state == NODE_LOST && (exact || !most)) greatest = -threshold;
  if (other && state == NODE_WON && (exact || most)) least = -next_lower_worth(lines, at);
  if (least > *lower) *lower = (int8_t)least;
  if (greatest < *upper) *upper = (int8_t)greatest;
}

static tauler_error tighten_open_nodes(own_row_lines *lines, int at, bool most, uint32_t n,
                                       solved_slice *bounds) {
  arena *a = &lines->search.arena;
  const arena_mark mark = arena_here(a);
  const row_question question = {lines->thresholds[at].threshold, most};
  const uint8_t *found = find_listed_results(lines, question, lines->thresholds[at].fate[most], n, true);
  for (uint32_t i = 0; i < n && !a->error; i++)
    narrow_bounds(lines, at, most, lines->list[i], (node_state)found[i], bounds);
  arena_return(a, mark);
  return a->error;
}

static tauler_error tighten_by_threshold(own_row_lines *lines, int at, bool most, solved_slice *bounds,
                                         tauler_message *message) {
  const tauler_error error = find_fresh_results(lines, &lines->thresholds[at], most, message);
  if (error) return error;
  const uint8_t *fate = lines->thresholds[at].fate[most];
  uint32_t open = 0;
  for (uint32_t node = 0; node < 2 * lines->moves.n; node++) {
    if (fate[node] == FATE_OPEN) {
      lines->list[open++] = node;
    } else {
      narrow_bounds(lines, at, most, node, (node_state)fate[node], bounds);
    }
  }
  const tauler_error found = tighten_open_nodes(lines, at, most, open, bounds);
  if (found != TAULER_NO_MEMORY) return found;
  return tauler_fail(message, found, "no memory for lines of play in slice %u: raise --memory",
                     lines->moves.slice);
}

tauler_error own_row_lines_tighten(const own_row_job *job, uint64_t budget, solved_slice *bounds,
                                   tauler_message *message) {
  own_row_lines *lines;
  if (bounds->positions == 0 || memcmp(bounds->cells[0], bounds->cells[1], bounds->positions) == 0)
    return TAULER_OK;
  tauler_error error = open_lines(job, bounds->slice, bounds, &lines, message);
  if (error) return error;
  lines->search.budget = budget;
  for (int at = 0; at < lines->used && !error; at++) {
    for (int most = 0; most < (lines->thresholds[at].exact ? 1 : 2) && !error; most++)
      error = tighten_by_threshold(lines, at, most, bounds, message);
  }
  own_row_lines_close(lines);
  return error;
}
