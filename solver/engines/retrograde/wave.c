/* Goes through a wave: the shards of this rank have their turns one after the other.
 *
 * With one shard per rank updates of other shards are received in the wave in which they are sent, else when
 * the shard's next turn begins, in the name of the wave before. */
#include "solver/engines/retrograde/retrograde.h"

void retrograde_send(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates) {
  retrograde *r = user;
  const wave_shard *shard = &r->shard;
  for (size_t k = 0; k < n; k++) {
    const uint64_t i = index[k] - shard->first;
    const int worth = -shard->best[plane][i];
    set_bit(shard->settled[plane], i);
    if (shard->depth[plane]) shard->depth[plane][i] = r->wave;
    updates[k] = (frontier_update){retrograde_lane(r, plane, worth), (int8_t)worth};
  }
}

static void begin_turn(void *user) {
  const retrograde_turn *now = user;
  retrograde *r = now->r;
  frontier *f = &r->frontier;
  const bool waits = f->waits && !f->failed.error && frontier_has_packet(f, r->first_shard + now->home);
  r->skipped =
      f->waits && (f->failed.error || !(waits || r->marks[now->home] || retrograde_conversions_fall_due(r)));
  if (r->skipped) return;
  tauler_message message = {""};
  failure_note(&f->failed, retrograde_bring(r, now->home, false, &message), &message);
  r->skipped = f->failed.error && f->waits;
  r->absorbing = (uint16_t)(r->wave - 1);
}

/* What was sent in the last wave is in. */
static void end_receiving(void *user) {
  const retrograde *r = user;
  exchange_forget(r->frontier.exchange, r->frontier.shard);
}

static void find_conversions(retrograde *r, worker *self) {
  const uint64_t n = r->shard.n;
  uint64_t block;
  while (!r->frontier.failed.error && worker_next(self, frontier_blocks(&r->frontier), &block)) {
    const uint64_t first = block * FRONTIER_BLOCK, end = first + FRONTIER_BLOCK;
    retrograde_find_conversions(r, self->number, first, end < n ? end : n);
  }
}

/* What has been marked is this wave's frontier. */
static void begin_settling(void *user) {
  retrograde *r = user;
  r->due = r->marks[r->at_home] + frontier_gather(&r->frontier);
  r->marks[r->at_home] = 0;
  r->absorbing = r->wave;
  frontier_turn(&r->frontier);
}

static void look_again(retrograde *r, worker *self) {
  uint64_t block;
  while (!r->frontier.failed.error && worker_next(self, frontier_blocks(&r->frontier), &block)) {
    const uint64_t i = block * FRONTIER_BLOCK, rest = r->shard.n - i;
    failure_note(&r->frontier.failed,
                 retrograde_look_again(r, self->number, i, rest < FRONTIER_BLOCK ? rest : FRONTIER_BLOCK),
                 NULL);
  }
}

static void gather_marks(void *user) {
  retrograde *r = user;
  r->marks[r->at_home] += frontier_gather(&r->frontier);
}

static void run_turn(retrograde *r, worker *self, uint32_t home) {
  retrograde_turn now = {r, home};
  frontier_lead(&r->frontier, self, begin_turn, &now);
  if (r->skipped) return;
  if (r->frontier.waits) {
    frontier_receive_packets(&r->frontier, self->number, retrograde_absorb);
    worker_barrier(self, end_receiving, r);
  }
  if (retrograde_conversions_fall_due(r)) find_conversions(r, self);
  worker_barrier(self, begin_settling, r);
  if (r->due == 0 && !r->frontier.exchange) return;
  frontier_propagate(&r->frontier, self, retrograde_absorb);
  if (!r->job->problem.game->retract) look_again(r, self);
  worker_barrier(self, gather_marks, r);
}

static void begin_wave(void *user) {
  retrograde *r = user;
  for (uint32_t home = 0; home < r->shards_here; home++)
    exchange_mark(r->frontier.exchange, r->first_shard + home);
  for (int i = 0; i < r->threads; i++) r->frontier.workers[i].packets = 0;
}

/* Packets that wait are work for the next wave. */
static void end_wave(void *user) {
  retrograde *r = user;
  frontier *f = &r->frontier;
  if (f->waits) frontier_wait(f);
  uint64_t sums[2] = {0, f->failed.error != TAULER_OK};
  for (uint32_t home = 0; home < r->shards_here; home++) sums[0] += r->marks[home];
  for (int i = 0; i < r->threads && f->waits; i++) sums[0] += f->workers[i].packets;
  tauler_message message = f->failed.message;
  tauler_error error = comm_allreduce(r->comm, COMM_SUM, sums, 2, &message);
  if (!error && sums[1]) error = comm_agree(r->comm, (tauler_error)f->failed.error, &message);
  failure_note(&f->failed, error, &message);
  r->active = sums[0];
  r->wave++;
}

void retrograde_run_wave(retrograde *r, worker *self) {
  if (r->frontier.waits) worker_barrier_main(self, begin_wave, r);
  for (uint32_t home = 0; home < r->shards_here; home++) run_turn(r, self, home);
  frontier_lead(&r->frontier, self, end_wave, r);
}

void retrograde_empty_receive_queues(retrograde *r) {
  frontier *f = &r->frontier;
  r->absorbing = (uint16_t)(r->wave - 1);
  for (uint32_t home = 0; home < r->shards_here && f->waits && !f->failed.error; home++) {
    exchange_mark(f->exchange, r->first_shard + home);
    if (!frontier_has_packet(f, r->first_shard + home)) continue;
    tauler_message message = {""};
    failure_note(&f->failed, retrograde_bring(r, home, false, &message), &message);
    if (f->failed.error) return;
    frontier_receive_packets(f, 0, retrograde_absorb);
    exchange_forget(f->exchange, r->first_shard + home);
    gather_marks(r);
  }
}
