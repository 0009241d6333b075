/* Finds by one-ply lookups the cells that a table can leave out, and recovers them after reading.
 *
 * A cell is recovered from converting moves alone or, if game->lookup demands it or is NULL, from all moves.
 * Cells of children in other shards are requested from their ranks (remote_lookup.h). A depth is recovered
 * from the depths after all moves that keep the value: one more than the least if the mover wins, one more
 * than the greatest if it loses. No quiet move leads from a position recovered from all moves to another one,
 * so one pass with all moves is enough.
 */
#include <stdatomic.h>

#include "solver/engines/cells.h"
#include "solver/propagate/remote_lookup.h"
#include "solver/tables/chunks.h"

typedef enum { FIND_LOOKUPS, RECOVER_VALUES, RECOVER_DEPTHS } lookup_aim;

typedef struct {
  const solve_job *job;
  sharded_slice *slice;
  lookup_aim aim;
  remote_lookup lookup;
  int planes;
  bool is_local;               /* true if one shard owns the slice, so that quiet children are in memory */
  uint64_t first;              /* index of the shard's first position */
  int8_t *found[SOLVE_PLANES]; /* [positions of the shard] best values found */
  int8_t *cells[SOLVE_PLANES];
  uint16_t *depths;
  int8_t reserved[SOLVE_PLANES];
  game_lookup pass;
  _Atomic bool other_pass; /* true if a cell must be recovered in the other pass */
} lookups;

static bool is_left_out(const lookups *l, uint64_t own) {
  bool left_out = false;
  for (int plane = 0; plane < l->planes; plane++)
    left_out = left_out || l->cells[plane][own] == l->reserved[plane];
  return left_out;
}

static game_lookup needed_pass(const lookups *l, uint64_t own) {
  if (!l->job->problem.game->lookup) return LOOKUP_ALL;
  return l->job->problem.game->lookup(l->job->problem.rules, (game_place){l->slice->slice, l->first + own});
}

static size_t choose_left_out(void *user, uint64_t first, size_t n, uint64_t *index) {
  lookups *l = user;
  size_t chosen = 0;
  for (uint64_t own = first; own < first + n; own++) {
    if (l->aim == RECOVER_VALUES && !is_left_out(l, own)) continue;
    if (l->aim == RECOVER_VALUES && needed_pass(l, own) != l->pass) {
      l->other_pass = true;
      continue;
    }
    index[chosen++] = l->first + own;
  }
  return chosen;
}

static void begin_values(void *user, const uint64_t *index, size_t n, const int16_t *ended) {
  const lookups *l = user;
  for (size_t i = 0; i < n; i++) {
    for (int plane = 0; plane < l->planes; plane++)
      l->found[plane][index[i] - l->first] = ended[i] == GAME_NOT_ENDED ? INT8_MIN : (int8_t)ended[i];
  }
}

static tauler_error raise_value(void *user, const expand_edge *edge) {
  const lookups *l = user;
  if (edge->quiet && l->pass == LOOKUP_CONVERTING) return TAULER_OK;
  for (int plane = 0; plane < l->planes; plane++) {
    const bool is_local = edge->quiet && l->is_local;
    const int value = is_local ? -l->cells[l->planes - 1 - plane][edge->child] : edge->worth[plane];
    int8_t *found = &l->found[plane][edge->index - l->first];
    if (value > *found) *found = (int8_t)value;
  }
  return TAULER_OK;
}

/* Requires that the pass has ended, since its lookups read cells. */
static void store_found_values(const lookups *l, uint64_t positions) {
  for (uint64_t own = 0; own < positions; own++) {
    if (!is_left_out(l, own) || needed_pass(l, own) != l->pass) continue;
    for (int plane = 0; plane < l->planes; plane++) {
      int8_t *cell = &l->cells[plane][own];
      if (*cell == l->reserved[plane]) *cell = l->found[plane][own];
    }
  }
}

/* Draws have no depth, so theirs becomes 0. */
static size_t choose_unknown_depths(void *user, uint64_t first, size_t n, uint64_t *index) {
  const lookups *l = user;
  size_t chosen = 0;
  for (uint64_t own = first; own < first + n; own++) {
    if (l->depths[own] != SOLVE_NO_DEPTH) continue;
    if (l->cells[0][own] == 0)
      l->depths[own] = 0;
    else
      index[chosen++] = l->first + own;
  }
  return chosen;
}

static void begin_depths(void *user, const uint64_t *index, size_t n, const int16_t *ended) {
  const lookups *l = user;
  for (size_t i = 0; i < n; i++) {
    const uint64_t own = index[i] - l->first;
    if (ended[i] != GAME_NOT_ENDED || l->cells[0][own] < 0) l->depths[own] = 0;
  }
}

static tauler_error improve_depth(void *user, const expand_edge *edge) {
  const lookups *l = user;
  const uint64_t own = edge->index - l->first;
  const bool is_local = edge->quiet && l->is_local;
  const int value = l->cells[0][own], after = is_local ? -l->cells[0][edge->child] : edge->worth[0];
  if (after != value) return TAULER_OK;
  const uint16_t depth = (uint16_t)((is_local ? l->depths[edge->child] : edge->child_depth) + 1);
  uint16_t *found = &l->depths[own];
  if (value > 0 ? depth < *found : depth > *found) *found = depth;
  return TAULER_OK;
}

static tauler_error open_shard(lookups *l, uint32_t local, tauler_message *message) {
  sharded_slice *slice = l->slice;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < l->planes && !error; plane++) {
    if (l->aim != FIND_LOOKUPS) error = sharded_load(slice, local, SHARD_CELLS + plane, message);
    if (error) break;
    error = l->aim == RECOVER_DEPTHS ? sharded_load(slice, local, SHARD_DEPTHS + plane, message)
                                     : sharded_allocate(slice, local, SHARD_LOOKUPS + plane, message);
  }
  l->first = layout_slabs(slice->layout, slice->first_shard + local)->from;
  l->depths = slice->shards[local].parts[SHARD_DEPTHS];
  for (int plane = 0; plane < l->planes; plane++) {
    l->found[plane] = slice->shards[local].parts[SHARD_LOOKUPS + plane];
    l->cells[plane] = slice->shards[local].parts[SHARD_CELLS + plane];
  }
  return error;
}

static tauler_error run_pass(lookups *l, tauler_message *message) {
  const bool depths = l->aim == RECOVER_DEPTHS;
  tauler_error error = TAULER_OK;
  for (uint32_t local = 0; local < l->slice->shards_here && !error; local++) {
    error = open_shard(l, local, message);
    lookup_round round = {.lookup = &l->lookup,
                          .first = l->first,
                          .positions = l->slice->shards[local].n,
                          .choose = depths ? choose_unknown_depths : choose_left_out,
                          .begin = depths ? begin_depths : begin_values,
                          .visit = depths ? improve_depth : raise_value,
                          .user = l};
    error = lookup_round_start_workers(&round, error, message);
    if (!error && l->aim == RECOVER_VALUES) store_found_values(l, l->slice->shards[local].n);
    for (int plane = 0; plane < l->planes && l->aim == RECOVER_VALUES; plane++)
      sharded_drop(l->slice, local, SHARD_LOOKUPS + plane);
    sharded_unload(l->slice, local);
    error = comm_agree(l->job->work.comm, error, message);
  }
  return error;
}

/* This pass reads children of this slice. If the slice has several shards, packs it temporarily into the
 * store of finished slices, where every rank can look children up. */
static tauler_error run_all_moves_pass(lookups *l, tauler_message *message) {
  const build_job pack = {.problem = l->job->problem, .work = l->job->work};
  const bool depths = l->aim == RECOVER_DEPTHS;
  l->pass = LOOKUP_ALL;
  if (l->is_local) return run_pass(l, message);
  l->lookup.mode = EXPAND_ASKS_ALL;
  tauler_error error = chunks_pack(&pack, l->slice, depths, l->job->store, message);
  if (!error) error = run_pass(l, message);
  for (int plane = 0; plane < l->planes; plane++)
    store_drop(l->job->store, l->slice->slice, plane + (depths ? STORE_DEPTHS : 0));
  return error;
}

static tauler_error open_lookups(lookups *l, const solve_job *job, sharded_slice *slice, lookup_aim aim,
                                 tauler_message *message) {
  *l = (lookups){.job = job,
                 .slice = slice,
                 .aim = aim,
                 .planes = slice->planes,
                 .is_local = slice->layout->shards == 1,
                 .pass = LOOKUP_CONVERTING};
  const tauler_error error =
      remote_lookup_open(&l->lookup, job, slice->slice, slice->planes, aim == RECOVER_DEPTHS, message);
  return comm_agree(job->work.comm, error, message);
}

static tauler_error run_converting_pass(lookups *l, bool *more, tauler_message *message) {
  tauler_error error = run_pass(l, message);
  uint64_t any = l->other_pass;
  if (!error) error = comm_allreduce(l->job->work.comm, COMM_OR, &any, 1, message);
  *more = any != 0;
  return error;
}

/* Without game->lookup, only the cells that game->left_out names are left out, and all moves recover them. */
tauler_error ranges_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                           tauler_message *message) {
  const game *game = job->problem.game;
  if (reserved && !game->lookup && !game->left_out) return TAULER_OK;
  lookups l;
  bool more = reserved && !game->lookup;
  tauler_error error = open_lookups(&l, job, slice, reserved ? RECOVER_VALUES : FIND_LOOKUPS, message);
  for (int plane = 0; plane < slice->planes && reserved; plane++) l.reserved[plane] = reserved[plane];
  if (!error && !more) error = run_converting_pass(&l, &more, message);
  if (!error && more) error = run_all_moves_pass(&l, message);
  remote_lookup_close(&l.lookup);
  return error;
}

tauler_error ranges_recover_depths(const solve_job *job, sharded_slice *slice, tauler_message *message) {
  if (!job->problem.game->left_out) return TAULER_OK;
  lookups l;
  tauler_error error = open_lookups(&l, job, slice, RECOVER_DEPTHS, message);
  if (!error) error = run_all_moves_pass(&l, message);
  remote_lookup_close(&l.lookup);
  return error;
}
