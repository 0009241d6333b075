/* Brings back the depths that tables leave out, of games of win, draw and loss. A win is one move
 * longer than the shortest that keeps it, a loss than the longest. Quiet moves of a position that was left
 * out lead to positions that were not, so one look at each is enough. */
#include <stdatomic.h>

#include "solver/engines/cells.h"
#include "solver/propagate/remote_lookup.h"
#include "solver/shards/store.h"

typedef struct {
  const solve_job *job;
  inquiry inquiry;
  inquiry_round round;
  uint32_t slice;
  uint64_t first;       /* index of the first position at work */
  const int8_t *values; /* from there on */
  uint16_t *depths;     /* the same; SOLVE_NO_DEPTH where one was left out */
  bool children_here;   /* the arrays are those of the whole slice */
} depth_work;

static tauler_error look_at_move(void *user, const walk_edge *edge) {
  const depth_work *work = user;
  const uint64_t own = edge->index - work->first;
  const bool at_hand = edge->quiet && work->children_here;
  const int value = work->values[own], worth = at_hand ? -work->values[edge->child] : edge->worth[0];
  if (worth != value) return TAULER_OK;
  const uint16_t beyond = at_hand ? work->depths[edge->child] : edge->child_depth;
  const uint16_t depth = (uint16_t)(beyond + 1);
  uint16_t *found = &work->depths[own];
  if (value > 0 ? depth < *found : depth > *found) *found = depth;
  return TAULER_OK;
}

/* What has been left out of a batch, save draws, which have no depth. */
static size_t choose(const depth_work *work, uint64_t first, size_t n, uint64_t index[WALK_BATCH]) {
  size_t chosen = 0;
  for (uint64_t own = first; own < first + n; own++) {
    if (work->depths[own] != SOLVE_NO_DEPTH) continue;
    if (work->values[own] == 0)
      work->depths[own] = 0;
    else
      index[chosen++] = work->first + own;
  }
  return chosen;
}

static tauler_error look_at_batch(void *user, int member, uint64_t first, size_t n) {
  const depth_work *work = user;
  walker *walker = &work->inquiry.walkers[member];
  uint64_t index[WALK_BATCH] = {0};
  const size_t chosen = choose(work, first, n, index);
  if (chosen == 0) return TAULER_OK;
  const tauler_error error =
      work->job->problem.game->ended(work->job->problem.rules, work->slice, index, chosen, walker->values);
  if (error) return error;
  size_t left = 0;
  for (size_t i = 0; i < chosen; i++) {
    const uint64_t own = index[i] - work->first;
    const bool ended = walker->values[i] != GAME_NOT_ENDED;
    if (ended || work->values[own] < 0) work->depths[own] = 0;
    if (!ended) index[left++] = index[i];
  }
  return walk_moves(walker, index, left, look_at_move, user);
}

/* As in recovery.c: all ranks that ask get the error, and come here in any case. */
static tauler_error look_at_range(depth_work *work, uint64_t positions, tauler_error error,
                                  tauler_message *message) {
  work->round = (inquiry_round){.inquiry = &work->inquiry,
                                .positions = positions,
                                .batch = look_at_batch,
                                .visit = look_at_move,
                                .user = work};
  return inquiry_go_round(&work->round, work->slice, error, message);
}

static tauler_error recover_at_hand(depth_work *work, uint64_t positions, tauler_message *message) {
  const plain_slices plain = store_plain(work->job->packed);
  const solved_slice *slice = &plain.list[work->slice];
  work->values = slice->cells[0];
  work->depths = slice->depths[0];
  work->children_here = true;
  return look_at_range(work, positions, TAULER_OK, message);
}

/* A window of each rank at a time. Replacing it is no matter to others, since what was left out is never
 * asked for by positions of the same slice. */
static tauler_error recover_window(depth_work *work, uint64_t window, uint64_t positions, int8_t *values,
                                   tauler_message *message) {
  slice_store *packed = work->job->packed;
  tauler_error error = TAULER_OK;
  uint64_t n = 0;
  work->first = window * STORE_WINDOW;
  if (work->first < positions) {
    n = positions - work->first < STORE_WINDOW ? positions - work->first : STORE_WINDOW;
    error = store_get(packed, work->slice, 0, window, values, message);
    if (!error) error = store_get(packed, work->slice, STORE_DEPTHS, window, work->depths, message);
  }
  error = look_at_range(work, n, error, message);
  if (!error && n) error = store_put(packed, work->slice, STORE_DEPTHS, window, work->depths, message);
  return comm_agree(work->job->work.comm, error, message);
}

static tauler_error recover_windows(depth_work *work, uint64_t positions, tauler_message *message) {
  static const char *const what = "a window of a finished slice";
  const solve_job *job = work->job;
  const uint64_t rank = (uint64_t)comm_rank(job->work.comm), ranks = (uint64_t)comm_ranks(job->work.comm);
  int8_t *values = NULL;
  inquiry_set_mode(&work->inquiry, WALK_ASKS_ALL);
  tauler_error error = memory_take(job->work.memory, STORE_WINDOW, what, &values, message);
  if (!error)
    error =
        memory_take_array(job->work.memory, STORE_WINDOW, sizeof *work->depths, what, &work->depths, message);
  work->values = values;
  error = comm_agree(job->work.comm, error, message);
  for (uint64_t first = 0; first * STORE_WINDOW < positions && !error; first += ranks)
    error = recover_window(work, first + rank, positions, values, message);
  memory_give(job->work.memory, values);
  memory_give(job->work.memory, work->depths);
  return error;
}

tauler_error solve_recover_depths(const solve_job *job, uint32_t slice, tauler_message *message) {
  if (!job->problem.game->left_out) return TAULER_OK;
  const uint64_t positions = job->problem.game->positions(job->problem.rules, slice);
  depth_work work = {.job = job, .slice = slice};
  tauler_error error = inquiry_open(&work.inquiry, job, slice, 1, true, job->work.threads, message);
  error = comm_agree(job->work.comm, error, message);
  if (!error)
    error = solve_has_at_hand(job) ? recover_at_hand(&work, positions, message)
                                   : recover_windows(&work, positions, message);
  inquiry_close(&work.inquiry);
  return error;
}
