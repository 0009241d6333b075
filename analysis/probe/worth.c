/* Finds the worth of a position and of its moves, and sorts the moves. */
#include "analysis/probe/worth.h"

#include <stdlib.h>

const tauler_worth worth_unknown = {false, 0, 0, TAULER_NO_DEPTH, TAULER_NO_DEPTH};

static int largest_bound(const tauler_tables *tables, uint32_t slice) {
  return slice == GAME_NO_SLICE ? 0 : tables->game->largest_value(tables->rules, slice);
}

static tauler_worth worth_of_ended(const tauler_tables *tables, uint32_t slice, int value) {
  const int largest = largest_bound(tables, slice), last = tables->planes - 1;
  tauler_worth worth = worth_between(value, value);
  worth.depth_lower = value_is_nothing(tables, 0, value, largest) ? TAULER_NO_DEPTH : 0;
  worth.depth_upper = value_is_nothing(tables, last, value, largest) ? TAULER_NO_DEPTH : 0;
  return worth;
}

tauler_error worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                      tauler_message *message) {
  int values[MOST_PLANES], depths[MOST_PLANES] = {TAULER_NO_DEPTH, TAULER_NO_DEPTH};
  const int last = tables->planes - 1;
  tauler_error error = TAULER_OK;
  *worth = worth_unknown;
  for (int plane = 0; plane <= last && !error; plane++) {
    error = resolve_value(tables, plane, place, NULL, &values[plane], message);
    if (error || !with_depths) continue;
    error = resolve_depth(tables, plane, place, values[plane], &depths[plane], message);
  }
  if (!error) *worth = (tauler_worth){true, values[0], values[last], depths[0], depths[last]};
  return error;
}

/* If depths are stages, that of a move is the stage of the position after it, or 0 if it converts. */
static int depth_of_move(const tauler_tables *tables, int plane, int value, int largest,
                         const game_move *move, int child_depth) {
  if (value_is_nothing(tables, plane, value, largest)) return TAULER_NO_DEPTH;
  const int more = tables_have_stages(tables) ? 0 : 1;
  if (move->over || (move->converts && tables->kind != SOLVE_OUTCOMES)) return more;
  return child_depth == TAULER_NO_DEPTH ? TAULER_NO_DEPTH : child_depth + more;
}

/* `child` is for the side to move after the move. */
static void set_worth_of_move(const tauler_tables *tables, int largest, const game_move *move,
                              tauler_worth child, bool with_depths, ranked_move *ranked) {
  ranked->worth = worth_unknown;
  if (move->over) {
    ranked->worth = worth_between(move->gain, move->gain);
  } else if (child.known) {
    ranked->worth = worth_between(move->gain - child.upper, move->gain - child.lower);
  }
  if (!ranked->worth.known || !with_depths) return;
  const int last = tables->planes - 1;
  ranked->worth.depth_lower =
      depth_of_move(tables, 0, (int)ranked->worth.lower, largest, move, child.depth_upper);
  ranked->worth.depth_upper =
      depth_of_move(tables, last, (int)ranked->worth.upper, largest, move, child.depth_lower);
}

static int compare_numbers(double a, double b) {
  return (a > b) - (a < b);
}

/* Compares moves, to sort the best first. If the mover wins, the depth of the lower bound counts
 * before the upper bound: a side that always plays the least depth gets its guarantee, whatever the upper
 * bound is. */
static int compare_by_worth(const void *left, const void *right) {
  const ranked_move *l = left, *r = right;
  const tauler_worth *a = &l->worth, *b = &r->worth;
  if (a->known != b->known) return a->known ? -1 : 1;
  int order = 0;
  if (a->known) {
    order = compare_numbers(b->lower, a->lower);
    if (!order && a->lower > 0) order = compare_numbers(a->depth_lower, b->depth_lower);
    if (!order) order = compare_numbers(b->upper, a->upper);
    if (!order && a->upper < 0) order = compare_numbers(b->depth_upper, a->depth_upper);
    if (!order && l->converts != r->converts) order = l->converts ? -1 : 1;
  }
  return order ? order : (l->order > r->order) - (l->order < r->order);
}

tauler_error moves_of_position(const tauler_tables *tables, const game_position *position, game_moves *moves,
                               tauler_message *message) {
  *moves = (game_moves){.most = tables->db->most_moves};
  if (!tables->game->moves(tables->rules, position, moves)) return TAULER_OK;
  if (moves->used < moves->most)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of a position");
  return tauler_fail(message, TAULER_BAD_POSITION,
                     "this position has more than %zu moves, which are too many to be listed", moves->most);
}

/* Finds the worth of a position without an index from its moves. */
static tauler_error worth_through_moves(tauler_tables *tables, const game_position *position,
                                        bool with_depths, tauler_worth *worth, tauler_message *message) {
  game_moves moves;
  ranked_move *ranked = NULL;
  tauler_error error = moves_of_position(tables, position, &moves, message);
  if (!error && !(ranked = malloc((moves.used + 1) * sizeof *ranked)))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of a position");
  if (!error) error = worth_of_moves(tables, position, &moves, with_depths, ranked, message);
  if (!error) *worth = worth_from_moves(tables, ranked, moves.used);
  free(ranked);
  game_moves_free(&moves);
  return error;
}

tauler_error worth_of_position(tauler_tables *tables, const game_position *position, bool with_depths,
                               tauler_worth *worth, tauler_message *message) {
  const game *g = tables->game;
  game_place place;
  int value;
  *worth = worth_unknown;
  if (g->position_ended(tables->rules, position, &value)) {
    *worth = worth_of_ended(tables, g->slice_of(tables->rules, position), value);
    return TAULER_OK;
  }
  if (g->locate(tables->rules, position, &place)) return worth_at(tables, place, with_depths, worth, message);
  if (g->slice_of(tables->rules, position) == GAME_NO_SLICE)
    return fail_beyond_tables(tables, position, message);
  return worth_through_moves(tables, position, with_depths, worth, message);
}

/* Finds the worth without depths if the position is in another slice, which has no depths. */
static tauler_error worth_of_child(tauler_tables *tables, uint32_t slice, const game_move *move,
                                   bool with_depths, tauler_worth *worth, tauler_message *message) {
  const uint32_t child_slice = tables->game->slice_of(tables->rules, &move->child);
  if (move->converts) tables = tables->fallback;
  if (with_depths && child_slice != slice) {
    const tauler_error error = slice_open_depths(tables, child_slice, &with_depths, message);
    if (error) return error;
  }
  return worth_of_position(tables, &move->child, with_depths, worth, message);
}

/* After a quiet move the position may have been met before, so its bounds are those of worth_on_arrival. */
static tauler_worth worth_after_arrival(const tauler_tables *tables, const game_move *move,
                                        tauler_worth child) {
  game_place place;
  if (tables->fallback == tables || !child.known || move->converts) return child;
  if (!tables->game->locate(tables->rules, &move->child, &place)) return worth_unknown;
  child.lower = worth_on_arrival(tables, 0, place, (int)child.lower);
  child.upper = worth_on_arrival(tables, 1, place, (int)child.upper);
  return child;
}

tauler_error worth_of_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                            bool with_depths, ranked_move *ranked, tauler_message *message) {
  const uint32_t slice = tables->game->slice_of(tables->rules, position);
  const int largest = largest_bound(tables, slice);
  tauler_error result = TAULER_OK;
  for (size_t i = 0; i < moves->used; i++) {
    const game_move *move = &moves->moves[i];
    ranked[i] = (ranked_move){.order = i, .converts = move->converts || move->over, .child = worth_unknown};
    tauler_error error = TAULER_OK;
    if (!move->over) error = worth_of_child(tables, slice, move, with_depths, &ranked[i].child, message);
    if (error && error != TAULER_TABLE_MISSING) return error;
    if (error) result = error;
    set_worth_of_move(tables, largest, move, worth_after_arrival(tables, move, ranked[i].child), with_depths,
                      &ranked[i]);
  }
  qsort(ranked, moves->used, sizeof *ranked, compare_by_worth);
  return result;
}

/* Among the moves worth the value, the gaining side chooses the least depth and the other side the greatest.
 * The stage of a position without an index, which cannot repeat, is one more than that of the chosen move. */
static int depth_from_moves(const tauler_tables *tables, int plane, double value, const ranked_move *ranked,
                            size_t n) {
  const bool least = mover_gains(tables, plane, (int)value);
  int depth = TAULER_NO_DEPTH;
  for (size_t i = 0; i < n; i++) {
    const tauler_worth *worth = &ranked[i].worth;
    if ((plane ? worth->upper : worth->lower) != value) continue;
    const int own = plane ? worth->depth_upper : worth->depth_lower;
    if (own == TAULER_NO_DEPTH) return TAULER_NO_DEPTH;
    if (depth == TAULER_NO_DEPTH || (least ? own < depth : own > depth)) depth = own;
  }
  if (depth != TAULER_NO_DEPTH && tables_have_stages(tables)) depth++;
  return depth;
}

tauler_worth worth_from_moves(const tauler_tables *tables, const ranked_move *ranked, size_t n) {
  if (n == 0 || !ranked[n - 1].worth.known) return worth_unknown;
  tauler_worth best = ranked[0].worth;
  for (size_t i = 1; i < n; i++) {
    if (ranked[i].worth.lower > best.lower) best.lower = ranked[i].worth.lower;
    if (ranked[i].worth.upper > best.upper) best.upper = ranked[i].worth.upper;
  }
  best.depth_lower = depth_from_moves(tables, 0, best.lower, ranked, n);
  best.depth_upper = depth_from_moves(tables, tables->planes - 1, best.upper, ranked, n);
  return best;
}

bool worth_is_exact(tauler_worth worth) {
  return worth.known && worth.lower == worth.upper;
}

int worth_settled_depth(tauler_worth worth) {
  const tauler_category category = tauler_category_of(worth);
  if (category == TAULER_WIN) return worth.depth_lower;
  return category == TAULER_LOSS ? worth.depth_upper : TAULER_NO_DEPTH;
}

bool worth_is_better(solve_kind kind, tauler_worth a, tauler_worth b) {
  if (a.lower != b.lower) return a.lower > b.lower;
  if (a.upper != b.upper) return a.upper > b.upper;
  const int of_a = worth_settled_depth(a), of_b = worth_settled_depth(b);
  if (kind != SOLVE_OUTCOMES || of_a == TAULER_NO_DEPTH || of_b == TAULER_NO_DEPTH) return false;
  return a.lower > 0 ? of_a < of_b : of_a > of_b;
}

tauler_category tauler_category_of(tauler_worth worth) {
  if (!worth.known) return TAULER_UNKNOWN;
  if (worth.lower > 0) return TAULER_WIN;
  if (worth.upper < 0) return TAULER_LOSS;
  return worth.lower == 0 && worth.upper == 0 ? TAULER_DRAW : TAULER_UNKNOWN;
}

tauler_category worth_outcome(tauler_worth worth, double lead) {
  worth.lower += lead;
  worth.upper += lead;
  return tauler_category_of(worth);
}

const char *tauler_category_name(tauler_category category) {
  static const char *const names[] = {"unknown", "loss", "draw", "win"};
  return names[category <= TAULER_WIN ? category : TAULER_UNKNOWN];
}
