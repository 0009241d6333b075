/* Computes by a game's batches which cells a table can leave out, and brings them back after reading.
 *
 * Children in other shards are looked up (remote_lookup.h). */
#include <stdatomic.h>
#include <string.h>

#include "solver/engines/cells.h"
#include "solver/engines/retrograde/provisional.h"
#include "solver/propagate/remote_lookup.h"

typedef struct {
  const solve_job *job;
  inquiry inquiry;
  inquiry_round round;
  uint32_t slice;
  int planes;
  uint64_t first;              /* index of the shard's first position */
  int8_t *looks[SOLVE_PLANES]; /* best worths found, per own position */
  int8_t *cells[SOLVE_PLANES]; /* to be recovered; NULL: only looks are wanted */
  int8_t *const *children;     /* cells of the whole slice, or NULL: asked for */
  int8_t reserved[SOLVE_PLANES];
  game_look pass;
  _Atomic bool other_pass; /* some cell comes back by another look */
} look_work;

static bool is_left_out(const look_work *work, uint64_t own) {
  bool left_out = false;
  for (int plane = 0; plane < work->planes; plane++) {
    left_out = left_out || work->cells[plane][own] == work->reserved[plane];
  }
  return left_out;
}

static game_look look_for(const look_work *work, uint64_t own) {
  if (!work->job->problem.game->look) return LOOK_ALL;
  return work->job->problem.game->look(work->job->problem.rules,
                                       (game_place){work->slice, work->first + own});
}

static tauler_error look_at_move(void *user, const walk_edge *edge) {
  const look_work *work = user;
  if (edge->quiet && work->pass == LOOK_CONVERTING) return TAULER_OK;
  const uint64_t own = edge->index - work->first;
  for (int plane = 0; plane < work->planes; plane++) {
    const int worth = edge->quiet && work->children ? -work->children[work->planes - 1 - plane][edge->child]
                                                    : edge->worth[plane];
    if (worth > work->looks[plane][own]) work->looks[plane][own] = (int8_t)worth;
  }
  return TAULER_OK;
}

/* Which positions of a batch are looked at in this pass. */
static size_t choose(look_work *work, uint64_t first, size_t n, uint64_t index[WALK_BATCH]) {
  size_t chosen = 0;
  for (uint64_t own = first; own < first + n; own++) {
    if (work->cells[0] && !is_left_out(work, own)) continue;
    if (work->cells[0] && look_for(work, own) != work->pass) {
      work->other_pass = true;
      continue;
    }
    index[chosen++] = work->first + own;
  }
  return chosen;
}

static tauler_error look_at_batch(void *user, int member, uint64_t first, size_t n) {
  look_work *work = user;
  walker *walker = &work->inquiry.walkers[member];
  uint64_t index[WALK_BATCH] = {0};
  const size_t chosen = choose(work, first, n, index);
  if (chosen == 0) return TAULER_OK;
  const tauler_error error =
      work->job->problem.game->ended(work->job->problem.rules, work->slice, index, chosen, walker->values);
  size_t left = 0;
  for (size_t i = 0; i < chosen && !error; i++) {
    const int16_t value = walker->values[i];
    for (int plane = 0; plane < work->planes; plane++) {
      work->looks[plane][index[i] - work->first] = value == GAME_NOT_ENDED ? INT8_MIN : (int8_t)value;
    }
    if (value == GAME_NOT_ENDED) index[left++] = index[i];
  }
  return error ? error : walk_moves(walker, index, left, look_at_move, work);
}

/* Looks at the positions of a shard. `error` is how getting there fared; where children are asked for, all
 * ranks get it and come here in any case. */
static tauler_error look_at_shard(look_work *work, uint64_t positions, tauler_error error,
                                  tauler_message *message) {
  work->round = (inquiry_round){.inquiry = &work->inquiry,
                                .positions = positions,
                                .batch = look_at_batch,
                                .visit = look_at_move,
                                .user = work};
  return inquiry_go_round(&work->round, work->slice, error, message);
}

/* What a pass has found becomes cells when all of it is found. */
static void put_back(const look_work *work, uint64_t positions) {
  for (uint64_t own = 0; own < positions; own++) {
    if (!is_left_out(work, own) || look_for(work, own) != work->pass) continue;
    for (int plane = 0; plane < work->planes; plane++) {
      int8_t *cell = &work->cells[plane][own];
      if (*cell == work->reserved[plane]) *cell = work->looks[plane][own];
    }
  }
}

/* Without a look cells are left out by where they are, if at all. */
static bool leaves_out(const game *game) {
  return game->look || game->left_out;
}

static game_look first_pass(const game *game) {
  return game->look ? LOOK_CONVERTING : LOOK_ALL;
}

static tauler_error open_work(look_work *work, const solve_job *job, const sharded_slice *slice,
                              tauler_message *message) {
  *work = (look_work){.job = job, .slice = slice->slice, .planes = slice->planes, .pass = LOOK_CONVERTING};
  const tauler_error error =
      inquiry_open(&work->inquiry, job, slice->slice, slice->planes, false, job->work.threads, message);
  return comm_agree(job->work.comm, error, message);
}

static void point_at(look_work *work, const sharded_slice *slice, uint32_t home, bool recovers) {
  const slice_shard *shard = &slice->shards[home];
  work->first = layout_strips(slice->layout, slice->first_shard + home)->from;
  for (int plane = 0; plane < work->planes; plane++) {
    work->looks[plane] = shard->parts[SHARD_LOOKS + plane];
    work->cells[plane] = recovers ? shard->parts[SHARD_CELLS + plane] : NULL;
  }
}

static tauler_error unload(sharded_slice *slice, uint32_t home, int part, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = sharded_unload(slice, home, part + plane, message);
  }
  return error;
}

tauler_error ranges_looks(const solve_job *job, sharded_slice *slice, tauler_message *message) {
  look_work work;
  tauler_error error = open_work(&work, job, slice, message);
  for (uint32_t home = 0; home < slice->shards_here && !error; home++) {
    for (int plane = 0; plane < slice->planes && !error; plane++) {
      error = sharded_take(slice, home, SHARD_LOOKS + plane, message);
    }
    point_at(&work, slice, home, false);
    error = look_at_shard(&work, slice->shards[home].n, error, message);
    if (!error) error = comm_agree(job->work.comm, unload(slice, home, SHARD_LOOKS, message), message);
  }
  inquiry_close(&work.inquiry);
  return error;
}

/* One pass over a shard; the looks found are forgotten. */
static tauler_error recover_shard(look_work *work, sharded_slice *slice, uint32_t home,
                                  tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = sharded_load(slice, home, SHARD_CELLS + plane, message);
    if (!error) error = sharded_take(slice, home, SHARD_LOOKS + plane, message);
  }
  point_at(work, slice, home, true);
  error = look_at_shard(work, slice->shards[home].n, error, message);
  if (!error) put_back(work, slice->shards[home].n);
  for (int plane = 0; plane < slice->planes; plane++) sharded_drop(slice, home, SHARD_LOOKS + plane);
  if (!error) error = unload(slice, home, SHARD_CELLS, message);
  return comm_agree(work->job->work.comm, error, message);
}

static tauler_error recover_pass(look_work *work, sharded_slice *slice, bool *more, tauler_message *message) {
  tauler_error error = TAULER_OK;
  work->other_pass = false;
  for (uint32_t home = 0; home < slice->shards_here && !error; home++) {
    error = recover_shard(work, slice, home, message);
  }
  uint64_t any = work->other_pass;
  if (!error) error = comm_allreduce(work->job->work.comm, COMM_OR, &any, 1, message);
  *more = any != 0;
  return error;
}

/* Cells that come back by all moves need children of this slice. One shard has them; for several the slice is
 * packed as it is. */
static tauler_error recover_by_all_moves(look_work *work, sharded_slice *slice, tauler_message *message) {
  slice_store *packed = work->job->packed;
  const bool alone = slice->layout->shards == 1;
  bool more;
  work->pass = LOOK_ALL;
  work->children = alone ? work->cells : NULL;
  if (alone) return recover_pass(work, slice, &more, message);
  inquiry_set_mode(&work->inquiry, WALK_ASKS_ALL);
  tauler_error error = provisional_pack(work->job, slice, message);
  if (!error) error = recover_pass(work, slice, &more, message);
  for (int plane = 0; plane < slice->planes; plane++) store_drop(packed, slice->slice, plane);
  return error;
}

tauler_error ranges_recover(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                            tauler_message *message) {
  if (!leaves_out(job->problem.game)) return TAULER_OK;
  look_work work;
  bool more = first_pass(job->problem.game) == LOOK_ALL;
  tauler_error error = open_work(&work, job, slice, message);
  for (int plane = 0; plane < slice->planes; plane++) work.reserved[plane] = reserved[plane];
  if (!error && !more) error = recover_pass(&work, slice, &more, message);
  if (!error && more) error = recover_by_all_moves(&work, slice, message);
  inquiry_close(&work.inquiry);
  return error;
}
