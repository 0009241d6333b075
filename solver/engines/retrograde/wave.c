/* Runs a wave. The shards of this rank are visited one after the other:
 *
 *    load_next           loads the shard, or skips it if nothing can happen there
 *    (several per rank)  receives the packets of the previous wave
 *    find_conversions    marks positions whose conversions fall due
 *    begin_settling      makes all marked positions the frontier of this wave
 *    frontier_propagate  settles and sends them; updates mark positions for the next wave
 *
 * With one shard per rank, updates are received in the wave that sent them. With several, they wait until
 * their shard is loaded in the next wave, and count for the wave that sent them (`absorbing`). */
#include "solver/engines/retrograde/retrograde.h"

void retrograde_settle(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates) {
  retrograde *r = user;
  const wave_shard *shard = &r->shard;
  for (size_t k = 0; k < n; k++) {
    const uint64_t i = index[k] - shard->first;
    const int worth = -shard->best[plane][i];
    set_bit(shard->settled[plane], i);
    if (shard->depth[plane]) shard->depth[plane][i] = (uint16_t)r->run.wave;
    updates[k] = (frontier_update){retrograde_lane(r, plane, worth), (int8_t)worth};
  }
}

static void load_next(void *user) {
  const retrograde_shard *now = user;
  retrograde *r = now->r;
  frontier *f = &r->frontier;
  const bool waits = f->waits && !f->failed.error && frontier_fetch_packet(f, r->first_shard + now->local);
  r->skipped =
      f->waits && (f->failed.error || !(waits || r->marks[now->local] || retrograde_conversions_fall_due(r)));
  if (r->skipped) return;
  tauler_message message = {""};
  failure_note(&f->failed, retrograde_load(r, now->local, false, &message), &message);
  r->skipped = f->failed.error && f->waits;
  r->absorbing = (uint16_t)(r->run.wave - 1);
}

/* Frees the packets of the last wave, which are all received. */
static void end_receiving(void *user) {
  const retrograde *r = user;
  exchange_drop_received(r->frontier.exchange, r->frontier.shard);
}

static void find_conversions(retrograde *r, worker *self) {
  const uint64_t n = r->shard.n;
  uint64_t block;
  while (!r->frontier.failed.error && worker_next(self, frontier_blocks(&r->frontier), &block)) {
    const uint64_t first = block * FRONTIER_BLOCK, end = first + FRONTIER_BLOCK;
    retrograde_find_conversions(r, self->number, first, end < n ? end : n);
  }
}

/* Numbers that are added over the ranks: at the end of a wave, or with the first packets of the next one. */
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

/* Makes the marked positions this wave's frontier. */
static void begin_settling(void *user) {
  retrograde *r = user;
  frontier *f = &r->frontier;
  if (f->exchange && !f->waits) {
    fill_sums(r, r->marks[r->local_shard]);
    f->summed = SUMS;
  }
  r->due = r->marks[r->local_shard] + frontier_gather(f);
  r->marks[r->local_shard] = 0;
  r->absorbing = (uint16_t)r->run.wave;
  frontier_begin_round(f);
}

static void reevaluate(retrograde *r, worker *self) {
  uint64_t block;
  while (!r->frontier.failed.error && worker_next(self, frontier_blocks(&r->frontier), &block)) {
    const uint64_t i = block * FRONTIER_BLOCK, rest = r->shard.n - i;
    failure_note(&r->frontier.failed,
                 retrograde_reevaluate(r, self->number, i, rest < FRONTIER_BLOCK ? rest : FRONTIER_BLOCK),
                 NULL);
  }
}

static void gather_marks(void *user) {
  retrograde *r = user;
  r->marks[r->local_shard] += frontier_gather(&r->frontier);
}

static void run_shard(retrograde *r, worker *self, uint32_t local) {
  retrograde_shard now = {r, local};
  frontier_lead(&r->frontier, self, load_next, &now);
  if (r->skipped) return;
  if (r->frontier.waits) {
    frontier_receive_packets(&r->frontier, self->number, retrograde_absorb);
    worker_barrier(self, end_receiving, r);
  }
  if (retrograde_conversions_fall_due(r)) find_conversions(r, self);
  worker_barrier(self, begin_settling, r);
  if (r->due == 0 && !r->frontier.exchange) return;
  frontier_propagate(&r->frontier, self, retrograde_absorb);
  if (!r->job->problem.game->retract) reevaluate(r, self);
  worker_barrier(self, gather_marks, r);
}

static void begin_wave(void *user) {
  retrograde *r = user;
  for (uint32_t local = 0; local < r->shards_here; local++)
    exchange_mark(r->frontier.exchange, r->first_shard + local);
  for (int i = 0; i < r->threads; i++) r->frontier.workers[i].packets = 0;
}

/* Waiting packets count as active. */
static void add_up(retrograde *r) {
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

/* If several ranks have one shard each, they begin the next wave before they know whether it has any
 * position. Its first packets carry the sums, which saves an all-reduce per wave. */
static void end_wave(void *user) {
  retrograde *r = user;
  const frontier *f = &r->frontier;
  const bool ahead = f->exchange && !f->waits, empty = !r->run.active && !retrograde_conversions_fall_due(r);
  if (!ahead) add_up(r);
  r->any_failed = r->any_failed || f->broken || comm_is_broken(r->comm);
  if (ahead && r->run.wave > 0 && empty) return;
  if (ahead) r->run.active = 1;
  r->run.wave++;
}

void retrograde_run_wave(retrograde *r, worker *self) {
  if (r->frontier.waits) worker_barrier_main(self, begin_wave, r);
  for (uint32_t local = 0; local < r->shards_here; local++) run_shard(r, self, local);
  frontier_lead(&r->frontier, self, end_wave, r);
}

void retrograde_empty_receive_queues(retrograde *r) {
  frontier *f = &r->frontier;
  r->absorbing = (uint16_t)(r->run.wave - 1);
  for (uint32_t local = 0; local < r->shards_here && f->waits && !f->failed.error; local++) {
    exchange_mark(f->exchange, r->first_shard + local);
    if (!frontier_fetch_packet(f, r->first_shard + local)) continue;
    tauler_message message = {""};
    failure_note(&f->failed, retrograde_load(r, local, false, &message), &message);
    if (f->failed.error) return;
    frontier_receive_packets(f, 0, retrograde_absorb);
    exchange_drop_received(f->exchange, r->first_shard + local);
    gather_marks(r);
  }
}
