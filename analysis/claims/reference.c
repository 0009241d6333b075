/* Solves slices by the moves alone, set by set. */
#include "analysis/claims/reference.h"

#include <stdlib.h>

#include "base/memory.h"

enum { ENDS = -1 };

/* A move: the position of the same slice that it leads to, which gains nothing, or ENDS and what it brings.
 */
typedef struct {
  int64_t child;
  int least, most;
} edge;

/* A slice and its moves. */
typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  reference_known known;
  const reference_scores *smaller;
  uint64_t positions;
  uint64_t *first; /* edge of each position, and where the last one's end */
  edge *edges;
  size_t used, room;
  bool *forces, *held; /* the mover gets the threshold or more; minus that or less */
} layer;

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to solve positions by their moves alone");
}

static tauler_error add_edge(layer *l, edge one, tauler_message *message) {
  if (!memory_make_room(&l->edges, &l->room, l->used + 1, sizeof *l->edges)) return no_memory(message);
  l->edges[l->used++] = one;
  return TAULER_OK;
}

static tauler_error add_move(layer *l, const game_move *move, tauler_message *message) {
  game_place to;
  if (move->over) return add_edge(l, (edge){ENDS, move->gain, move->gain}, message);
  if (!l->game->locate(l->rules, &move->child, &to) || to.slice > l->slice)
    return tauler_fail(message, TAULER_INTERNAL, "a move leads out of the slices that are solved");
  if (to.slice == l->slice) return add_edge(l, (edge){(int64_t)to.index, 0, 0}, message);
  const bool values = l->known == REFERENCE_VALUES;
  const int low = (values ? l->smaller->value : l->smaller->lower)[to.slice][to.index];
  const int high = (values ? l->smaller->value : l->smaller->upper)[to.slice][to.index];
  return add_edge(l, (edge){ENDS, move->gain - high, move->gain - low}, message);
}

static tauler_error add_position(layer *l, uint64_t i, tauler_message *message) {
  game_position position;
  game_moves moves = {0};
  int value = 0;
  l->first[i] = l->used;
  l->game->position_at(l->rules, (game_place){l->slice, i}, &position);
  if (l->game->position_ended(l->rules, &position, &value))
    return add_edge(l, (edge){ENDS, value, value}, message);
  tauler_error error = l->game->moves(l->rules, &position, &moves);
  if (error) error = tauler_fail(message, error, "the moves of a position cannot be had");
  for (size_t k = 0; k < moves.used && !error; k++) error = add_move(l, &moves.moves[k], message);
  game_moves_free(&moves);
  return error;
}

static tauler_error read_moves(layer *l, tauler_message *message) {
  l->positions = l->game->positions(l->rules, l->slice);
  l->first = calloc(l->positions + 1, sizeof *l->first);
  if (!l->first) return no_memory(message);
  for (uint64_t i = 0; i < l->positions; i++) {
    const tauler_error error = add_position(l, i, message);
    if (error) return error;
  }
  l->first[l->positions] = l->used;
  return TAULER_OK;
}

static void forget_moves(layer *l) {
  free(l->first);
  free(l->edges);
}

/* --- scores --- */

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
static void apply_threshold(layer *l, reference_scores *out, int threshold) {
  int8_t *lower = out->lower[l->slice], *upper = out->upper[l->slice];
  for (uint64_t i = 0; i < l->positions; i++) l->forces[i] = l->held[i] = false;
  while (sweep(l, threshold)) continue;
  for (uint64_t i = 0; i < l->positions; i++) {
    if (l->forces[i]) lower[i] = (int8_t)threshold;
    if (l->held[i]) upper[i] = (int8_t)-threshold;
  }
}

static void apply_thresholds(layer *l, reference_scores *out) {
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

static tauler_error take_layer(layer *l, reference_scores *out, tauler_message *message) {
  const uint64_t positions = l->positions;
  out->positions[l->slice] = positions;
  out->lower[l->slice] = calloc(positions, 1);
  out->upper[l->slice] = calloc(positions, 1);
  out->value[l->slice] = calloc(positions, 1);
  l->forces = calloc(positions, sizeof *l->forces);
  l->held = calloc(positions, sizeof *l->held);
  const bool all = out->lower[l->slice] && out->upper[l->slice] && out->value[l->slice];
  return all && l->forces && l->held ? TAULER_OK : no_memory(message);
}

static tauler_error solve_layer(layer *l, reference_scores *out, tauler_message *message) {
  tauler_error error = read_moves(l, message);
  if (!error) error = take_layer(l, out, message);
  if (!error) apply_thresholds(l, out);
  forget_moves(l);
  free(l->forces);
  free(l->held);
  return error;
}

tauler_error reference_scores_solve(const game *game, const game_rules *rules, uint32_t largest,
                                    reference_known known, reference_scores *out, tauler_message *message) {
  *out = (reference_scores){.largest = largest,
                            .positions = calloc(largest + 1, sizeof *out->positions),
                            .lower = calloc(largest + 1, sizeof *out->lower),
                            .upper = calloc(largest + 1, sizeof *out->upper),
                            .value = calloc(largest + 1, sizeof *out->value)};
  tauler_error error =
      out->positions && out->lower && out->upper && out->value ? TAULER_OK : no_memory(message);
  for (uint32_t slice = 0; slice <= largest && !error; slice++) {
    layer l = {.game = game, .rules = rules, .slice = slice, .known = known, .smaller = out};
    error = solve_layer(&l, out, message);
  }
  if (error) reference_scores_free(out);
  return error;
}

static void free_lists(int8_t **lists, uint32_t largest) {
  for (uint32_t slice = 0; lists && slice <= largest; slice++) free(lists[slice]);
  free(lists);
}

void reference_scores_free(reference_scores *solved) {
  free_lists(solved->lower, solved->largest);
  free_lists(solved->upper, solved->largest);
  free_lists(solved->value, solved->largest);
  free(solved->positions);
  *solved = (reference_scores){.value = NULL};
}
