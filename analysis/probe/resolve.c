/* Finds values and depths of numbered positions. A stored cell takes one read. A cell that the table leaves
 * out is computed from the moves, which games list as numbers, without texts.
 *
 * The recursion ends: the children of a LOOKUP_ALL cell in its slice are not LOOKUP_ALL cells, and their
 * lookups use only converting moves, which lead to slices solved earlier. A game that breaks this rule gets
 * TAULER_INTERNAL.
 */
#include <inttypes.h>

#include "analysis/probe/probe_tables.h"

enum { EDGES = 48 };

/* The best move of a position among those that a lookup has used so far. */
typedef struct {
  bool any;
  int best;
  int value; /* worth of the moves that count for a depth */
} lookup_result;

/* A one-ply lookup of the values of some positions of a slice. */
typedef struct {
  tauler_tables *tables;
  const solved_slice *values;
  int plane;
  uint32_t slice;
  game_lookup kind;
  lookup_result *results;
  tauler_message *message;
} lookup;

static tauler_error fail_contradiction(const tauler_tables *tables, game_place place, const char *what,
                                       tauler_message *message) {
  char slice[GAME_TEXT_BYTES];
  tables->game->slice_name(tables->rules, place.slice, slice);
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the tables of slice %.60s in %.300s contradict the rules at position %" PRIu64
                     ": %s; check them with tauler verify, or build them again",
                     slice, tables->db->folder, place.index, what);
}

/* True if the game leaves the cell out of every table, so that it is computed from all moves. */
static bool is_left_out(const tauler_tables *tables, game_place place) {
  const game *g = tables->game;
  uint8_t left_out = 0;
  if (g->lookup) return g->lookup(tables->rules, place) == LOOKUP_ALL;
  if (g->left_out) g->left_out(tables->rules, place.slice, place.index, 1, &left_out);
  return left_out;
}

/* Returns false if the game never leaves this cell out. */
static bool find_lookup(const tauler_tables *tables, game_place place, game_lookup *kind) {
  *kind = is_left_out(tables, place) ? LOOKUP_ALL : LOOKUP_CONVERTING;
  return tables->game->lookup || *kind == LOOKUP_ALL;
}

/* Sets *part to whether a lookup uses a move. Errors: TAULER_INTERNAL (the lookup would not end). */
static tauler_error check_move_used(const lookup *l, const game_edge *edge, bool *part) {
  const bool quiet = edge->to.slice == l->slice;
  *part = l->kind == LOOKUP_ALL || !quiet;
  if (*part && quiet && is_left_out(l->tables, edge->to)) {
    return tauler_fail(l->message, TAULER_INTERNAL, "a cell left out by %s leads to another one",
                       l->tables->game->name);
  }
  return TAULER_OK;
}

static tauler_error value_of_child(const lookup *l, game_place to, int plane, int *value) {
  tauler_tables *from = to.slice == l->slice ? l->tables : l->tables->fallback;
  const int8_t *cells = l->values && from == l->tables ? l->values[to.slice].cells[plane] : NULL;
  if (!cells) return resolve_value(from, plane, to, NULL, value, l->message);
  *value = cells[to.index];
  return TAULER_OK;
}

static tauler_error worth_of_edge(const lookup *l, const game_edge *edge, int *worth) {
  *worth = edge->gain;
  if (edge->to.slice == GAME_OVER) return TAULER_OK;
  int child = 0;
  const bool quiet = edge->to.slice == l->slice;
  const int plane = plane_of_child(l->tables, l->plane);
  const tauler_error error = value_of_child(l, edge->to, plane, &child);
  if (!error) *worth -= quiet ? worth_on_arrival(l->tables, plane, edge->to, child) : child;
  return error;
}

static tauler_error update_best_values(void *user, const game_edge *edges, size_t n) {
  lookup *l = user;
  for (size_t i = 0; i < n; i++) {
    lookup_result *r = &l->results[edges[i].from];
    bool part;
    int worth = 0;
    tauler_error error = check_move_used(l, &edges[i], &part);
    if (error) return error;
    if (!part) continue;
    if (r->any && edges[i].to.slice != GAME_OVER) {
      const int most = edges[i].gain + l->tables->game->largest_value(l->tables->rules, edges[i].to.slice);
      if (most <= r->best) continue;
    }
    error = worth_of_edge(l, &edges[i], &worth);
    if (error) return error;
    if (!r->any || worth > r->best) r->best = worth;
    r->any = true;
  }
  return TAULER_OK;
}

static tauler_error update_best_depths(void *user, const game_edge *edges, size_t n) {
  lookup *l = user;
  for (size_t i = 0; i < n; i++) {
    lookup_result *r = &l->results[edges[i].from];
    const bool least = mover_gains(l->tables, l->plane, r->value);
    const bool converts = edges[i].to.slice != l->slice;
    int worth = 0, depth = 0;
    tauler_error error = worth_of_edge(l, &edges[i], &worth);
    if (error) return error;
    if (worth != r->value) continue;
    const bool counts_on = !converts || (l->tables->kind == SOLVE_OUTCOMES && edges[i].to.slice != GAME_OVER);
    if (counts_on) {
      bool part;
      if ((error = check_move_used(l, &edges[i], &part))) return error;
      error = resolve_depth(l->tables, plane_of_child(l->tables, l->plane), edges[i].to,
                            edges[i].gain - worth, &depth, l->message);
      if (error) return error;
      if (depth == TAULER_NO_DEPTH) {
        return fail_contradiction(l->tables, edges[i].to, "a value has no depth", l->message);
      }
    }
    depth++;
    if (!r->any || (least ? depth < r->best : depth > r->best)) r->best = depth;
    r->any = true;
  }
  return TAULER_OK;
}

/* Calls `flush` for the moves of n positions. If no move of position i counted and its game is over, ended[i]
 * becomes its value, otherwise GAME_NOT_ENDED. */
static tauler_error visit_moves(lookup *l, const uint64_t *index, size_t n,
                                tauler_error (*flush)(void *, const game_edge *, size_t), int16_t *ended) {
  const game *g = l->tables->game;
  game_edge edges[EDGES];
  game_sink sink = {edges, 0, EDGES, flush, l};
  tauler_error error = g->expand(l->tables->rules, l->slice, index, n, &sink);
  if (!error) error = game_sink_flush(&sink);
  for (size_t i = 0; i < n && !error; i++) {
    ended[i] = GAME_NOT_ENDED;
    if (!l->results[i].any) error = g->ended(l->tables->rules, l->slice, &index[i], 1, &ended[i]);
  }
  return error;
}

static bool is_implied(const table *from, int64_t cell) {
  const table_header *header = table_get_header(from);
  return header->coding == TABLE_IMPLIED && cell == header->reserved;
}

/* Reads the cell, unless `known` has it. *largest becomes the largest |value| of the slice. */
static tauler_error read_cell(tauler_tables *tables, stream_kind kind, int plane, game_place place,
                              const int64_t *known, const table **from, int64_t *cell, int *largest,
                              tauler_message *message) {
  slice_entry *entry = slice_entry_of(tables, place.slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  *largest = entry->largest;
  const tauler_error error = slice_table(tables, entry, kind, plane, from, message);
  if (error) return error;
  if (!known) return table_get(*from, tables->db->cache, place.index, cell, message);
  *cell = *known;
  return TAULER_OK;
}

tauler_error resolve_value(tauler_tables *tables, int plane, game_place place, const int64_t *known,
                           int *value, tauler_message *message) {
  const table *from;
  int64_t cell;
  int largest;
  tauler_error error = read_cell(tables, STREAMS_VALUE, plane, place, known, &from, &cell, &largest, message);
  if (error) return error;
  if (!is_implied(from, cell)) {
    if (cell < -largest || cell > largest)
      return fail_contradiction(tables, place, "a value is out of range", message);
    *value = (int)cell;
    return TAULER_OK;
  }
  lookup_result found = {.any = false};
  lookup l = {.tables = tables, .plane = plane, .slice = place.slice, .results = &found, .message = message};
  int16_t ended;
  if (!find_lookup(tables, place, &l.kind))
    return fail_contradiction(tables, place, "a value was left out that nothing gives back", message);
  error = visit_moves(&l, &place.index, 1, update_best_values, &ended);
  if (error) return error;
  if (!found.any && ended == GAME_NOT_ENDED) {
    return fail_contradiction(tables, place, "nothing gives back a value that was left out", message);
  }
  *value = found.any ? found.best : ended;
  return TAULER_OK;
}

static tauler_error look_up_depths(tauler_tables *tables, const depth_range *range, const uint64_t *index,
                                   size_t n, int *depths, tauler_message *message) {
  lookup_result results[DEPTH_RANGE];
  int16_t ended[DEPTH_RANGE];
  lookup l = {.tables = tables,
              .values = range->all,
              .plane = range->plane,
              .slice = range->slice,
              .kind = LOOKUP_ALL,
              .results = results,
              .message = message};
  for (size_t i = 0; i < n; i++)
    results[i] = (lookup_result){.value = range->values[index[i] - range->first]};
  const tauler_error error = visit_moves(&l, index, n, update_best_depths, ended);
  for (size_t i = 0; i < n && !error; i++) {
    if (!results[i].any && ended[i] != results[i].value)
      return fail_contradiction(tables, (game_place){range->slice, index[i]}, "no move has the value",
                                message);
    depths[index[i] - range->first] = results[i].any ? results[i].best : 0;
  }
  return error;
}

tauler_error resolve_depths(tauler_tables *tables, const depth_range *range, int *depths,
                            tauler_message *message) {
  uint64_t index[DEPTH_RANGE];
  size_t wanted = 0;
  for (size_t i = 0; i < range->count; i++) {
    const game_place place = {range->slice, range->first + i};
    const table *from;
    int64_t cell;
    int largest;
    const tauler_error error =
        read_cell(tables, STREAMS_DEPTH, range->plane, place, range->cells ? &range->cells[i] : NULL, &from,
                  &cell, &largest, message);
    if (error) return error;
    depths[i] = TAULER_NO_DEPTH;
    if (value_is_nothing(tables, range->plane, range->values[i], largest)) continue;
    if (is_implied(from, cell)) {
      if (!is_left_out(tables, place))
        return fail_contradiction(tables, place, "a depth was left out that nothing gives back", message);
      index[wanted++] = place.index;
    } else {
      depths[i] = (int)cell;
    }
  }
  return wanted ? look_up_depths(tables, range, index, wanted, depths, message) : TAULER_OK;
}

tauler_error resolve_depth(tauler_tables *tables, int plane, game_place place, int value, int *depth,
                           tauler_message *message) {
  const depth_range range = {
      .slice = place.slice, .plane = plane, .first = place.index, .count = 1, .values = &value};
  return resolve_depths(tables, &range, depth, message);
}
