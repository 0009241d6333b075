/* Evaluates all moves once: values of conversions and ends, numbers of quiet moves, what repetitions pay, and
 * which thresholds matter. */
#include "solver/engines/repetition/work.h"

static tauler_error count_move(void *user, const expand_edge *edge) {
  own_row *all = user;
  const uint64_t i = edge->index - all->first;
  if (edge->quiet) {
    const int counted = all->program == OWN_ROW_ANY ? SIDE_MOVES : OTHER_MOVES;
    return all->states[counted][i]++ == STATE_COUNT ? TAULER_INTERNAL : TAULER_OK;
  }
  int8_t *best = &all->cells[SIDE_MOVES][i], *worst = &all->cells[OTHER_MOVES][i];
  /* gives: to the mover; leaves: to the other side */
  const int gives = edge->worth[0], leaves = -edge->worth[1];
  if (gives > *best) *best = (int8_t)gives;
  if (leaves < *worst) *worst = (int8_t)leaves;
  return TAULER_OK;
}

static void begin_positions(void *user, const uint64_t *index, size_t n, const int16_t *ended) {
  own_row *all = user;
  const uint64_t first = index[0] - all->first;
  all->job->problem.game->repeated(all->job->problem.rules, all->slice, index[0], n, all->pays + first);
  for (size_t i = 0; i < n; i++) {
    const bool has_ended = ended[i] != GAME_NOT_ENDED;
    all->cells[SIDE_MOVES][first + i] = has_ended ? (int8_t)ended[i] : INT8_MIN;
    all->cells[OTHER_MOVES][first + i] = has_ended ? (int8_t)-ended[i] : INT8_MAX;
  }
}

static void begin_pass(void *user) {
  own_row *all = user;
  all->first_pass = (lookup_round){.lookup = &all->lookup,
                                   .first = all->first,
                                   .positions = all->n,
                                   .begin = begin_positions,
                                   .visit = count_move,
                                   .user = all};
}

static void end_pass(void *user) {
  own_row *all = user;
  failure_note(&all->frontier.failed, (tauler_error)all->first_pass.failed.error,
               &all->first_pass.failed.message);
}

static void note_levels(own_row_member *mine, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  bool seen[UINT8_MAX + 1] = {false};
  for (uint64_t i = first; i < end; i++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      seen[all->cells[plane][i] - INT8_MIN] = true;
      seen[own_row_pays(all, plane, i) - INT8_MIN] = true;
    }
  }
  for (int level = 0; level <= UINT8_MAX; level++) {
    if (seen[level]) atomic_fetch_or(&all->run.levels[level / 64], UINT64_C(1) << level % 64);
  }
}

static void agree_on_levels(void *user) {
  own_row *all = user;
  uint64_t levels[] = {all->run.levels[0], all->run.levels[1], all->run.levels[2], all->run.levels[3]};
  tauler_message message = all->frontier.failed.message;
  tauler_error error = comm_agree(all->comm, (tauler_error)all->frontier.failed.error, &message);
  if (!error) error = comm_allreduce(all->comm, COMM_OR, levels, sizeof levels / sizeof *levels, &message);
  failure_note(&all->frontier.failed, error, &message);
  all->any_failed = all->frontier.failed.error != TAULER_OK;
  for (int i = 0; i < 4; i++) all->run.levels[i] = levels[i];
}

void own_row_first_pass(own_row_member *mine, worker *self) {
  own_row *all = mine->all;
  worker_barrier(self, begin_pass, all);
  lookup_round_run(&all->first_pass, self);
  worker_barrier(self, end_pass, all);
  own_row_each_block(mine, self, note_levels);
  frontier_lead(&all->frontier, self, agree_on_levels, all);
}
