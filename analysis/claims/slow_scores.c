#include "analysis/claims/slow_scores.h"

#include <stdlib.h>

enum { ENDS = -1 };

/* A move: the position of the same slice that it leads to, which gains nothing, or ENDS and what it is worth.
 */
typedef struct {
  int64_t child;
  int least, most;
} edge;

typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  slow_known known;
  uint64_t positions;
  uint64_t *first; /* edge of each position, and where the last one's end */
  edge *edges;
  size_t used, room;
  bool *forces, *held; /* the mover gets the threshold or more; minus that or less */
} layer;

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to solve boards by their moves alone");
}

static tauler_error add_edge(layer *l, edge one, tauler_message *message) {
  if (l->used == l->room) {
    const size_t room = l->room ? 2 * l->room : 1024;
    edge *grown = realloc(l->edges, room * sizeof *grown);
    if (!grown) return no_memory(message);
    l->edges = grown;
    l->room = room;
  }
  l->edges[l->used++] = one;
  return TAULER_OK;
}

static tauler_error add_move(layer *l, const slow_scores *smaller, const game_move *move,
                             tauler_message *message) {
  game_place to;
  if (move->over) return add_edge(l, (edge){ENDS, move->gain, move->gain}, message);
  if (!l->game->locate(l->rules, &move->child, &to) || to.slice > l->slice)
    return tauler_fail(message, TAULER_INTERNAL, "a move leads out of the boards that are solved");
  if (to.slice == l->slice) return add_edge(l, (edge){(int64_t)to.index, 0, 0}, message);
  int8_t *const *low = l->known == SLOW_KNOWN_VALUES ? smaller->value : smaller->lower;
  int8_t *const *high = l->known == SLOW_KNOWN_VALUES ? smaller->value : smaller->upper;
  return add_edge(
      l, (edge){ENDS, move->gain - high[to.slice][to.index], move->gain - low[to.slice][to.index]}, message);
}

static tauler_error add_position(layer *l, const slow_scores *smaller, uint64_t i, tauler_message *message) {
  game_position position;
  game_moves moves = {0};
  int value = 0;
  l->first[i] = l->used;
  l->game->position_at(l->rules, (game_place){l->slice, i}, &position);
  if (l->game->position_ended(l->rules, &position, &value))
    return add_edge(l, (edge){ENDS, value, value}, message);
  tauler_error error = l->game->moves(l->rules, &position, &moves);
  if (error) tauler_fail(message, error, "the moves of a position cannot be had");
  for (size_t k = 0; k < moves.used && !error; k++) error = add_move(l, smaller, &moves.moves[k], message);
  game_moves_free(&moves);
  return error;
}

static bool forces_now(const layer *l, uint64_t i, int threshold) {
  for (uint64_t k = l->first[i]; k < l->first[i + 1]; k++) {
    const edge *e = &l->edges[k];
    if (e->child == ENDS ? e->least >= threshold : l->held[e->child]) return true;
  }
  return false;
}

static bool held_now(const layer *l, uint64_t i, int threshold) {
  for (uint64_t k = l->first[i]; k < l->first[i + 1]; k++) {
    const edge *e = &l->edges[k];
    if (e->child == ENDS ? e->most > -threshold : !l->forces[e->child]) return false;
  }
  return true;
}

static bool sweep(layer *l, int threshold) {
  bool changed = false;
  for (uint64_t i = 0; i < l->positions; i++) {
    if (!l->forces[i] && forces_now(l, i, threshold)) l->forces[i] = changed = true;
    if (!l->held[i] && held_now(l, i, threshold)) l->held[i] = changed = true;
  }
  return changed;
}

/* Thresholds rise. */
static void apply_threshold(layer *l, slow_scores *out, int threshold) {
  int8_t *lower = out->lower[l->slice], *upper = out->upper[l->slice];
  for (uint64_t i = 0; i < l->positions; i++) l->forces[i] = l->held[i] = false;
  while (sweep(l, threshold)) continue;
  for (uint64_t i = 0; i < l->positions; i++) {
    if (l->forces[i]) lower[i] = (int8_t)threshold;
    if (l->held[i]) upper[i] = (int8_t)-threshold;
  }
}

static void apply_thresholds(layer *l, slow_scores *out) {
  const int largest = l->game->largest_value(l->rules, l->slice);
  int8_t *lower = out->lower[l->slice], *upper = out->upper[l->slice], *value = out->value[l->slice];
  for (uint64_t i = 0; i < l->positions; i++) {
    lower[i] = (int8_t)-largest;
    upper[i] = (int8_t)largest;
  }
  for (int threshold = 1 - largest; threshold <= largest; threshold++) apply_threshold(l, out, threshold);
  for (uint64_t i = 0; i < l->positions; i++)
    value[i] = (int8_t)(lower[i] > 0 ? lower[i] : upper[i] < 0 ? upper[i] : 0);
}

static tauler_error take_layer(layer *l, slow_scores *out, tauler_message *message) {
  const uint64_t positions = l->positions;
  out->positions[l->slice] = positions;
  out->lower[l->slice] = calloc(positions, 1);
  out->upper[l->slice] = calloc(positions, 1);
  out->value[l->slice] = calloc(positions, 1);
  l->first = calloc(positions + 1, sizeof *l->first);
  l->forces = calloc(positions, sizeof *l->forces);
  l->held = calloc(positions, sizeof *l->held);
  const bool all = out->lower[l->slice] && out->upper[l->slice] && out->value[l->slice];
  return all && l->first && l->forces && l->held ? TAULER_OK : no_memory(message);
}

static tauler_error solve_layer(layer *l, slow_scores *out, tauler_message *message) {
  tauler_error error = take_layer(l, out, message);
  for (uint64_t i = 0; i < l->positions && !error; i++) error = add_position(l, out, i, message);
  if (!error) {
    l->first[l->positions] = l->used;
    apply_thresholds(l, out);
  }
  free(l->first);
  free(l->edges);
  free(l->forces);
  free(l->held);
  return error;
}

tauler_error slow_scores_solve(const game *game, const game_rules *rules, uint32_t largest, slow_known known,
                               slow_scores *out, tauler_message *message) {
  *out = (slow_scores){.largest = largest,
                       .positions = calloc(largest + 1, sizeof *out->positions),
                       .lower = calloc(largest + 1, sizeof *out->lower),
                       .upper = calloc(largest + 1, sizeof *out->upper),
                       .value = calloc(largest + 1, sizeof *out->value)};
  tauler_error error =
      out->positions && out->lower && out->upper && out->value ? TAULER_OK : no_memory(message);
  for (uint32_t slice = 0; slice <= largest && !error; slice++) {
    layer l = {.game = game,
               .rules = rules,
               .slice = slice,
               .known = known,
               .positions = game->positions(rules, slice)};
    error = solve_layer(&l, out, message);
  }
  if (error) slow_scores_free(out);
  return error;
}

static void free_lists(int8_t **lists, uint32_t largest) {
  for (uint32_t slice = 0; lists && slice <= largest; slice++) free(lists[slice]);
  free(lists);
}

void slow_scores_free(slow_scores *solved) {
  free_lists(solved->lower, solved->largest);
  free_lists(solved->upper, solved->largest);
  free_lists(solved->value, solved->largest);
  free(solved->positions);
  *solved = (slow_scores){.value = NULL};
}
