/* What tables leave out, by the batches of a game: looks before writing, recovery after reading. */
#include <assert.h>
#include <string.h>

#include "solver/engines.h"
#include "solver/positions.h"

typedef struct {
  int8_t *best[SOLVE_PLANES];
  const solved_slice *slice; /* NULL: converting moves only */
} look_work;

static tauler_error look_at_move(void *user, const walk_edge *edge) {
  const look_work *work = user;
  if (edge->quiet && !work->slice) return TAULER_OK;
  const int planes = work->best[1] ? 2 : 1;
  for (int plane = 0; plane < planes; plane++) {
    const int worth = edge->quiet ? -work->slice->cells[planes - 1 - plane][edge->child] : edge->worth[plane];
    if (worth > work->best[plane][edge->index]) work->best[plane][edge->index] = (int8_t)worth;
  }
  return TAULER_OK;
}

/* Writes the best worth of the positions listed into best, ended positions with their value. */
static tauler_error look_at_batch(const solve_job *job, walker *walker, uint64_t *index, size_t n,
                                  look_work *work) {
  tauler_error error = job->game->ended(job->rules, walker->slice, index, n, walker->values);
  size_t left = 0;
  for (size_t i = 0; i < n && !error; i++) {
    const int16_t value = walker->values[i];
    for (int plane = 0; plane < walker->planes; plane++) {
      work->best[plane][index[i]] = value == GAME_NOT_ENDED ? INT8_MIN : (int8_t)value;
    }
    if (value == GAME_NOT_ENDED) index[left++] = index[i];
  }
  return error ? error : walk_moves(walker, index, left, look_at_move, work);
}

tauler_error general_looks(const solve_job *job, const solved_slice *solved, int8_t *looks[SOLVE_PLANES],
                           tauler_message *message) {
  walker *walker = NULL;
  look_work work = {{NULL, NULL}, NULL};
  tauler_error error = memory_take(job->memory, sizeof *walker, "a walk over moves", &walker, message);
  for (int plane = 0; plane < solved->planes && !error; plane++) {
    error = memory_take(job->memory, solved->positions, "converting moves", &looks[plane], message);
    work.best[plane] = looks[plane];
  }
  if (!error) walker_open(walker, job, solved->slice, solved->planes, false);
  uint64_t index[WALK_BATCH];
  for (uint64_t first = 0; first < solved->positions && !error; first += WALK_BATCH) {
    const uint64_t rest = solved->positions - first;
    const size_t n = rest < WALK_BATCH ? (size_t)rest : WALK_BATCH;
    for (size_t i = 0; i < n; i++) index[i] = first + i;
    error = look_at_batch(job, walker, index, n, &work);
  }
  memory_give(job->memory, walker);
  return error;
}

/* One pass over the cells that come back by this kind of look. */
static tauler_error recover_pass(const solve_job *job, walker *walker, solved_slice *slice, game_look pass,
                                 const int8_t *reserved, int8_t *const best[SOLVE_PLANES]) {
  look_work work = {{best[0], best[1]}, pass == LOOK_ALL ? slice : NULL};
  tauler_error error = TAULER_OK;
  uint64_t index[WALK_BATCH], missing[WALK_BATCH];
  for (uint64_t i = 0; i < slice->positions && !error;) {
    size_t n = 0;
    for (; i < slice->positions && n < WALK_BATCH; i++) {
      bool left_out = false;
      for (int plane = 0; plane < slice->planes; plane++) {
        left_out = left_out || slice->cells[plane][i] == reserved[plane];
      }
      if (left_out && job->game->look(job->rules, (game_place){slice->slice, i}) == pass) index[n++] = i;
    }
    memcpy(missing, index, sizeof missing);
    error = look_at_batch(job, walker, index, n, &work);
    for (size_t k = 0; k < n && !error; k++) {
      for (int plane = 0; plane < slice->planes; plane++) {
        int8_t *cell = &slice->cells[plane][missing[k]];
        assert(best[plane]);
        if (*cell == reserved[plane]) *cell = best[plane][missing[k]];
      }
    }
  }
  return error;
}

tauler_error general_recover(const solve_job *job, solved_slice *slice, const int8_t reserved[SOLVE_PLANES],
                             tauler_message *message) {
  walker *walker = NULL;
  int8_t *best[SOLVE_PLANES] = {NULL, NULL};
  tauler_error error = memory_take(job->memory, sizeof *walker, "a walk over moves", &walker, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = memory_take(job->memory, slice->positions, "recovered cells", &best[plane], message);
  }
  if (!error) walker_open(walker, job, slice->slice, slice->planes, false);
  if (!error) error = recover_pass(job, walker, slice, LOOK_CONVERTING, reserved, best);
  if (!error) error = recover_pass(job, walker, slice, LOOK_ALL, reserved, best);
  memory_give(job->memory, walker);
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_give(job->memory, best[plane]);
  return error;
}
