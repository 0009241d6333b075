/* Counts the moves of positions before the first wave, and runs a wave, in which the positions of one
 * threshold and depth settle. A wave visits the shards of this rank one after the other:
 *
 *    load_or_skip        loads the shard, or skips it if it has no work
 *    (several shards)    receives the packets of the previous wave
 *    find_conversions    marks ended positions (wave 0) and positions with a conversion that falls due
 *    begin_settling      makes all marked positions the frontier of this wave
 *    frontier_propagate  settles them and sends their updates, which mark positions for the next wave
 *    reevaluate_block    marks positions for the next wave, if the game cannot list predecessors
 *
 * A conversion falls due in the wave after the depth of its child. If depths do not count beyond conversions,
 * all conversions fall due in wave 1. With one shard per rank, updates are received in the wave that sent
 * them. With several, packets wait until their shard is loaded in the next wave. `absorbing` is the wave that
 * sent the updates, whichever wave receives them. */
#include "solver/engines/retrograde/retrograde.h"

/* --- positions ---
 *
 * A bound of a position settles once, at threshold t, and sends updates to the position's parents:
 *
 *    bound   settles at   if                                         its updates change
 *    lower    t           a known move is worth t or more            the upper bounds of parents
 *    upper   −t           no move is open and the best is worth −t   the lower bounds of parents
 *
 * With one plane the bounds are one cell: it settles by either rule, and an update changes both bounds of a
 * parent. If outcomes are solved, a position whose worth comes from a conversion waits for the wave in which
 * that falls due. */

/* The bounds of a parent that an update changes. */
typedef enum { ROLE_LOWER, ROLE_UPPER, ROLE_BOTH } update_role;

static int upper_plane(const retrograde *r) {
  return r->planes - 1;
}

static void raise_latest_due(retrograde *r, uint16_t due) {
  uint32_t latest = atomic_load_explicit(&r->run.latest_due, memory_order_relaxed);
  while (latest < due && !atomic_compare_exchange_weak(&r->run.latest_due, &latest, due)) {}
}

tauler_error retrograde_count_move(void *user, const expand_edge *edge) {
  retrograde *r = user;
  const wave_shard *shard = &r->shard;
  const uint64_t i = edge->index - shard->first;
  if (edge->quiet) {
    if (++shard->open[i] > 0) return TAULER_OK;
    const tauler_error error = retrograde_use_high_bytes(r);
    return !error && ++shard->open_high[i] == 0 ? TAULER_INTERNAL : error;
  }
  const int8_t before = shard->best[0][i];
  for (int plane = 0; plane < r->planes; plane++) {
    int8_t *best = &shard->best[plane][i];
    if (edge->worth[plane] > *best) *best = (int8_t)edge->worth[plane];
  }
  if (!r->outcomes) return TAULER_OK;
  const uint16_t due = (uint16_t)(edge->child_depth + 1);
  uint16_t *depth = &shard->depth[0][i];
  const int worth = edge->worth[0];
  const bool better = worth > before, as_good = worth == before;
  if (better || (as_good && worth > 0 && due < *depth) || (as_good && worth < 0 && due > *depth))
    *depth = due;
  if (worth != 0) raise_latest_due(r, due);
  return TAULER_OK;
}

void retrograde_begin_positions(void *user, const uint64_t *index, size_t n, const int16_t *ended) {
  const retrograde *r = user;
  const wave_shard *shard = &r->shard;
  for (size_t k = 0; k < n; k++) {
    const uint64_t i = index[k] - shard->first;
    const bool has_ended = ended[k] != GAME_NOT_ENDED;
    for (int plane = 0; plane < r->planes; plane++)
      shard->best[plane][i] = has_ended ? (int8_t)ended[k] : INT8_MIN;
    if (has_ended) set_bit(shard->ended, i);
  }
}

static bool reaches_threshold(const retrograde *r, uint64_t i) {
  return r->shard.best[0][i] >= r->run.threshold;
}
/* True if all moves are known and the best is worth exactly minus the threshold. */
static bool concedes_threshold(const retrograde *r, uint64_t i) {
  return !wave_shard_is_open(&r->shard, i) && r->shard.best[upper_plane(r)][i] == -r->run.threshold;
}

static bool is_due_now(const retrograde *r, uint64_t i) {
  return !r->outcomes || r->shard.depth[0][i] == r->run.wave;
}

/* True if the best conversion falls due after wave `absorbing` + 1, the wave for which updates mark
 * positions. A mover who loses chooses the longest play, so the position waits for this conversion. */
static bool has_later_conversion(const retrograde *r, uint64_t i) {
  if (!r->outcomes) return false;
  const uint16_t depth = r->shard.depth[0][i];
  return depth != SOLVE_NO_DEPTH && depth > r->absorbing + 1;
}

bool retrograde_conversions_fall_due(const retrograde *r) {
  return r->outcomes ? r->run.wave <= r->run.latest_due : r->run.wave <= 1;
}

/* Returns as bits the positions of a word that have an unsettled bound: in wave 0 those that have ended, in
 * later waves the others. */
static uint64_t find_candidates(const retrograde *r, uint64_t word) {
  const wave_shard *shard = &r->shard;
  const uint64_t ended = shard->ended[word];
  const uint64_t settled = shard->settled[0][word] & shard->settled[upper_plane(r)][word];
  return (r->run.wave == 0 ? ended : ~ended) & ~settled;
}

void retrograde_visit_blocks(retrograde *r, worker *self, retrograde_block *work) {
  uint64_t block;
  while (!r->frontier.failed.error && worker_next(self, frontier_blocks(r->frontier.n), &block)) {
    const uint64_t first = block * FRONTIER_BLOCK, end = first + FRONTIER_BLOCK;
    failure_note(&r->frontier.failed, work(r, self->number, first, end < r->shard.n ? end : r->shard.n),
                 NULL);
  }
}

static tauler_error find_conversions(retrograde *r, int worker, uint64_t first, uint64_t end) {
  const wave_shard *shard = &r->shard;
  const int upper = upper_plane(r);
  for (uint64_t word = first / 64; word * 64 < end; word++) {
    for (uint64_t bits = find_candidates(r, word); bits; bits &= bits - 1) {
      const uint64_t i = word * 64 + (uint64_t)__builtin_ctzll(bits);
      if (i >= end) break;
      if (r->run.wave > 0 && !is_due_now(r, i)) continue;
      if (!has_bit(shard->settled[0], i) && reaches_threshold(r, i))
        frontier_mark(&r->frontier, worker, 0, i);
      if (!has_bit(shard->settled[upper], i) && concedes_threshold(r, i))
        frontier_mark(&r->frontier, worker, upper, i);
    }
  }
  return TAULER_OK;
}

/* Returns the lane of an update. Most updates of a lane should have the same worth. So with two planes each
 * plane has a lane; with one plane, updates of a worth above 0 have lane 1, all others lane 0. */
static int8_t lane_of(const retrograde *r, int plane, int worth) {
  return (int8_t)(r->planes == 1 ? worth > 0 : plane);
}

static update_role role_of(const retrograde *r, int lane) {
  if (r->planes == 1) return ROLE_BOTH;
  return lane == 0 ? ROLE_UPPER : ROLE_LOWER;
}

static inline void absorb_update(retrograde *r, int worker, update_role role, int8_t worth, uint64_t i) {
  wave_shard *shard = &r->shard;
  const int upper = upper_plane(r), plane = role == ROLE_LOWER ? 0 : upper;
  /* A position of this wave's frontier may not be settled yet, but its cell must not change any more. */
  if (has_bit(shard->settled[plane], i) || has_bit(r->frontier.changed.bits[plane], i)) return;
  int8_t *best = &shard->best[plane][i];
  if (worth > *best) *best = worth;
  /* `best` is not compared, since it may be the worth of a conversion that is not due yet. */
  if (role != ROLE_UPPER && worth >= r->run.threshold) frontier_mark(&r->frontier, worker, 0, i);
  if (role == ROLE_LOWER) return;
  wave_shard_close_move(shard, i);
  if (concedes_threshold(r, i) && !has_later_conversion(r, i)) frontier_mark(&r->frontier, worker, upper, i);
}

static void absorb_run(void *user, int worker, const wave_run *run) {
  retrograde *r = user;
  const update_role role = role_of(r, run->lane);
  for (size_t k = 0; k < run->n; k++) absorb_update(r, worker, role, run->worth, run->base + run->offsets[k]);
}

/* The bounds of a block's positions and their numbers of open moves, found from the moves. */
typedef struct {
  retrograde *r;
  uint64_t first; /* index of the first position of the block */
  int8_t lower[EXPAND_BATCH], upper[EXPAND_BATCH];
  uint16_t open[EXPAND_BATCH];
} reevaluation;

static tauler_error reevaluate_move(void *user, const expand_edge *edge) {
  reevaluation *found = user;
  const wave_shard *shard = &found->r->shard;
  const int upper = upper_plane(found->r);
  const size_t i = (size_t)(edge->index - found->first);
  int lower_worth = edge->worth[0], upper_worth = edge->worth[upper];
  bool lower_known = true, upper_known = true;
  if (edge->quiet) {
    const uint64_t child = edge->child - shard->first;
    lower_known = has_bit(shard->settled[upper], child);
    upper_known = has_bit(shard->settled[0], child);
    /* `best` of an open child is not read, since another thread may write it at this time. */
    if (lower_known) lower_worth = -shard->best[upper][child];
    if (upper_known) upper_worth = -shard->best[0][child];
  }
  /* A conversion does not raise `lower`: find_conversions marks the position when it falls due. */
  if (edge->quiet && lower_known && lower_worth > found->lower[i]) found->lower[i] = (int8_t)lower_worth;
  if (upper_known && upper_worth > found->upper[i]) found->upper[i] = (int8_t)upper_worth;
  if (!upper_known) found->open[i]++;
  return TAULER_OK;
}

static void mark_if_known(const reevaluation *found, int worker, uint64_t i) {
  retrograde *r = found->r;
  const wave_shard *shard = &r->shard;
  const uint64_t at = shard->first + i - found->first;
  const int upper = upper_plane(r);
  if (!has_bit(shard->settled[0], i) && found->lower[at] >= r->run.threshold) {
    shard->best[0][i] = found->lower[at];
    frontier_mark(&r->frontier, worker, 0, i);
  }
  if (has_bit(shard->settled[upper], i) || found->open[at] > 0) return;
  const bool was_open = wave_shard_is_open(shard, i);
  shard->open[i] = 0;
  if (*shard->wide) shard->open_high[i] = 0;
  if (found->upper[at] > shard->best[upper][i]) shard->best[upper][i] = found->upper[at];
  if (was_open && concedes_threshold(r, i) && !has_later_conversion(r, i))
    frontier_mark(&r->frontier, worker, upper, i);
}

static tauler_error reevaluate_block(retrograde *r, int worker, uint64_t first, uint64_t end) {
  const wave_shard *shard = &r->shard;
  reevaluation found = {.r = r, .first = shard->first + first};
  uint64_t index[EXPAND_BATCH] = {0};
  size_t left = 0;
  const int upper = upper_plane(r);
  for (uint64_t i = 0; i < end - first; i++) {
    found.lower[i] = found.upper[i] = INT8_MIN;
    const bool done = has_bit(shard->settled[0], first + i) && has_bit(shard->settled[upper], first + i);
    if (!done && !has_bit(shard->ended, first + i)) index[left++] = shard->first + first + i;
  }
  const tauler_error error = expand_moves(&r->lookup.expanders[worker], index, left, reevaluate_move, &found);
  for (size_t k = 0; k < left && !error; k++) mark_if_known(&found, worker, index[k] - shard->first);
  return error;
}

tauler_error retrograde_fill_open(retrograde *r, int worker, uint64_t first, uint64_t end) {
  const wave_shard *shard = &r->shard;
  for (int plane = 0; plane < r->planes; plane++) {
    const int8_t open = (int8_t)(r->planes == 1 ? 0 : plane == 0 ? -r->largest : r->largest);
    for (uint64_t i = first; i < end; i++) {
      if (has_bit(shard->settled[plane], i)) continue;
      shard->best[plane][i] = open;
      if (shard->depth[plane]) shard->depth[plane][i] = SOLVE_NO_DEPTH;
    }
  }
  return TAULER_OK;
}

/* --- waves --- */

void retrograde_settle(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates) {
  retrograde *r = user;
  const wave_shard *shard = &r->shard;
  for (size_t k = 0; k < n; k++) {
    const uint64_t i = index[k] - shard->first;
    const int worth = -shard->best[plane][i];
    set_bit(shard->settled[plane], i);
    if (shard->depth[plane]) shard->depth[plane][i] = (uint16_t)r->run.wave;
    updates[k] = (frontier_update){lane_of(r, plane, worth), (int8_t)worth};
  }
}

static void load_or_skip(void *user) {
  const retrograde_shard *now = user;
  retrograde *r = now->r;
  frontier *f = &r->frontier;
  const bool has_packet =
      f->waits && !f->failed.error && frontier_fetch_packet(f, r->first_shard + now->local);
  r->skipped = f->waits && (f->failed.error ||
                            !(has_packet || r->marks[now->local] || retrograde_conversions_fall_due(r)));
  if (r->skipped) return;
  tauler_message message = {""};
  failure_note(&f->failed, retrograde_load(r, now->local, false, &message), &message);
  r->skipped = f->failed.error && f->waits;
  r->absorbing = (uint16_t)(r->run.wave - 1);
}

static void end_receiving(void *user) {
  const retrograde *r = user;
  exchange_drop_received(r->frontier.exchange, r->frontier.shard);
}

/* The numbers that ranks add up at the end of a wave, or with the first packets of the next one. */
enum { SUM_ACTIVE, SUM_FAILED, SUM_REQUESTS, SUMS };

static void fill_sums(retrograde *r, uint64_t active) {
  frontier *f = &r->frontier;
  f->sums[SUM_ACTIVE] = active;
  f->sums[SUM_FAILED] = f->failed.error != TAULER_OK;
  f->sums[SUM_REQUESTS] = checkpointer_request(&r->checkpointer);
}

void retrograde_receive_sums(void *user) {
  retrograde *r = user;
  frontier *f = &r->frontier;
  tauler_message message = f->failed.message;
  r->any_failed = f->sums[SUM_FAILED] > 0;
  if (r->any_failed)
    failure_note(&f->failed, comm_agree(r->comm, (tauler_error)f->failed.error, &message), &message);
  r->run.active = f->sums[SUM_ACTIVE];
  checkpointer_set_requests(&r->checkpointer, f->sums[SUM_REQUESTS]);
}

static void begin_settling(void *user) {
  retrograde *r = user;
  frontier *f = &r->frontier;
  if (f->exchange && !f->waits) {
    fill_sums(r, r->marks[r->local_shard]);
    f->summed = SUMS;
  }
  r->due = r->marks[r->local_shard] + frontier_count_marked(f);
  r->marks[r->local_shard] = 0;
  r->absorbing = (uint16_t)r->run.wave;
  frontier_begin_round(f);
}

static void count_marks(void *user) {
  retrograde *r = user;
  r->marks[r->local_shard] += frontier_count_marked(&r->frontier);
}

static void run_shard(retrograde *r, worker *self, uint32_t local) {
  retrograde_shard now = {r, local};
  frontier_barrier(&r->frontier, self, load_or_skip, &now);
  if (r->skipped) return;
  if (r->frontier.waits) {
    frontier_receive_packets(&r->frontier, self->number, absorb_run);
    worker_barrier(self, end_receiving, r);
  }
  if (retrograde_conversions_fall_due(r)) retrograde_visit_blocks(r, self, find_conversions);
  worker_barrier(self, begin_settling, r);
  if (r->due == 0 && !r->frontier.exchange) return;
  frontier_propagate(&r->frontier, self, absorb_run);
  if (!r->job->problem.game->retract) retrograde_visit_blocks(r, self, reevaluate_block);
  worker_barrier(self, count_marks, r);
}

static void prepare_wave(void *user) {
  retrograde *r = user;
  for (uint32_t local = 0; local < r->shards_here; local++)
    exchange_mark_received(r->frontier.exchange, r->first_shard + local);
  for (int i = 0; i < r->threads; i++) r->frontier.workers[i].packets = 0;
}

static void sum_over_ranks(retrograde *r) {
  frontier *f = &r->frontier;
  uint64_t active = 0;
  if (f->waits) frontier_wait(f);
  for (uint32_t local = 0; local < r->shards_here; local++) active += r->marks[local];
  for (int i = 0; i < r->threads && f->waits; i++) active += f->workers[i].packets;
  fill_sums(r, active);
  tauler_message message = f->failed.message;
  failure_note(&f->failed, comm_allreduce(r->comm, COMM_SUM, f->sums, SUMS, &message), &message);
  if (!comm_is_broken(r->comm)) retrograde_receive_sums(r);
}

/* Ends a wave. If several ranks have one shard each, a rank begins the next wave before it knows whether any
 * rank has a position in it: the sums are sent with the first packets of that wave, which saves an all-reduce
 * per wave. */
static void end_wave(void *user) {
  retrograde *r = user;
  const frontier *f = &r->frontier;
  const bool ahead = f->exchange && !f->waits, empty = !r->run.active && !retrograde_conversions_fall_due(r);
  if (!ahead) sum_over_ranks(r);
  r->any_failed = r->any_failed || f->broken || comm_is_broken(r->comm);
  if (ahead && r->run.wave > 0 && empty) return;
  if (ahead) r->run.active = 1;
  r->run.wave++;
}

void retrograde_run_wave(retrograde *r, worker *self) {
  if (r->frontier.waits) worker_barrier_main(self, prepare_wave, r);
  for (uint32_t local = 0; local < r->shards_here; local++) run_shard(r, self, local);
  frontier_barrier(&r->frontier, self, end_wave, r);
}

void retrograde_empty_receive_queues(retrograde *r) {
  frontier *f = &r->frontier;
  r->absorbing = (uint16_t)(r->run.wave - 1);
  for (uint32_t local = 0; local < r->shards_here && f->waits && !f->failed.error; local++) {
    exchange_mark_received(f->exchange, r->first_shard + local);
    if (!frontier_fetch_packet(f, r->first_shard + local)) continue;
    tauler_message message = {""};
    failure_note(&f->failed, retrograde_load(r, local, false, &message), &message);
    if (f->failed.error) return;
    frontier_receive_packets(f, 0, absorb_run);
    exchange_drop_received(f->exchange, r->first_shard + local);
    count_marks(r);
  }
}
