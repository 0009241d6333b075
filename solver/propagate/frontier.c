/* Runs a round of the frontier in steps: send, exchange, receive. */
#include "solver/propagate/frontier.h"

#include <string.h>

/* --- opening -------------------------------------------------------------------------------------------- */

static uint64_t words_per_set(uint64_t n) {
  return frontier_blocks(n) * FRONTIER_BLOCK_WORDS;
}

uint64_t frontier_bytes_of_sets(uint64_t n, int planes) {
  return (uint64_t)planes * (8 * words_per_set(n) + frontier_blocks(n));
}

static void list_arrays(arena *a, void *of) {
  frontier *f = of;
  const uint64_t threads = (uint64_t)f->job->work.threads;
  f->starts = arena_allocate(a, (uint64_t)f->shards + 1, sizeof *f->starts);
  f->own = arena_allocate(a, frontier_bytes_of_sets(f->largest, f->planes), 1);
  f->workers = arena_allocate(a, threads, sizeof *f->workers);
  f->packets = arena_allocate(a, threads, f->packet_bytes);
}

uint64_t frontier_bytes(const solve_job *job, uint64_t n, int planes, uint32_t shards,
                        uint32_t shards_per_rank) {
  const size_t packet = shards > 1 ? EXCHANGE_PACKET : 0;
  frontier planned = {.job = job, .planes = planes, .shards = shards, .largest = n, .packet_bytes = packet};
  return arena_bytes(list_arrays, &planned) + wave_updates_bytes(n, shards, job->work.threads, packet) +
         (shards > 1 ? exchange_bytes(&job->work, shards, shards_per_rank) : 0);
}

uint64_t frontier_largest_shard(const solve_problem *problem, uint32_t slice, uint32_t shards,
                                uint32_t shards_per_rank) {
  slice_layout *layout;
  if (layout_open(problem->game, problem->rules, slice, false, shards, shards_per_rank, &layout, NULL))
    return problem->game->positions(problem->rules, slice) / shards + (UINT64_C(1) << 20);
  uint64_t largest = 0;
  for (uint32_t shard = 0; shard < shards; shard++) {
    const uint64_t cells = layout_shard_size(layout, shard).cells;
    if (cells > largest) largest = cells;
  }
  layout_close(layout);
  return largest;
}

static uint64_t shard_start(const slice_layout *layout, uint32_t shard) {
  return shard < layout->shards ? layout_slabs(layout, shard)->from : layout->positions;
}

tauler_error frontier_open(frontier *f, const slice_layout *layout, tauler_message *message) {
  const solve_job *job = f->job;
  const uint32_t here = layout->shards_per_rank, first = (uint32_t)comm_rank(f->job->work.comm) * here;
  f->waits = here > 1;
  f->shards = layout->shards;
  for (uint32_t shard = first; shard < first + here; shard++) {
    const uint64_t n = shard_start(layout, shard + 1) - shard_start(layout, shard);
    if (n > f->largest) f->largest = n;
  }
  tauler_error error =
      layout->shards > 1 ? exchange_open(&job->work, layout->shards, here, &f->exchange, message) : TAULER_OK;
  if (!error && f->exchange) f->packet_bytes = exchange_packet_bytes(f->exchange);
  if (!error) error = arena_fill(&f->lists, job->work.memory, "the frontier", list_arrays, f, message);
  if (error) {
    f->workers = NULL;
    return error;
  }
  for (uint32_t shard = 0; shard <= layout->shards; shard++) f->starts[shard] = shard_start(layout, shard);
  for (int i = 0; i < job->work.threads; i++) {
    f->workers[i].all = f;
    f->workers[i].number = i;
    f->workers[i].packet = f->packets + (size_t)i * f->packet_bytes;
  }
  return wave_updates_open(&f->updates, job->work.memory, f->starts, layout->shards, job->work.threads,
                           f->packet_bytes, message);
}

void frontier_close(frontier *f) {
  if (!f->job) return;
  wave_updates_close(&f->updates);
  for (int i = 0; i < f->job->work.threads && f->workers; i++) exchange_cursor_free(&f->workers[i].cursor);
  exchange_close(f->exchange);
  arena_close(&f->lists);
}

/* --- sets ----------------------------------------------------------------------------------------------- */

static changed_set lay_out_set(void *memory, uint64_t n, int planes) {
  changed_set set = {.memory = memory};
  uint64_t *bits = memory;
  uint8_t *dirty = (uint8_t *)(bits + (uint64_t)planes * words_per_set(n));
  for (int plane = 0; plane < planes; plane++) {
    set.bits[plane] = bits + (uint64_t)plane * words_per_set(n);
    set.dirty[plane] = dirty + (uint64_t)plane * frontier_blocks(n);
  }
  return set;
}

void frontier_select(frontier *f, uint32_t shard, void *next) {
  f->shard = shard;
  f->first = f->starts[shard];
  f->n = f->starts[shard + 1] - f->first;
  f->changed = lay_out_set(f->own, f->n, f->planes);
  f->next = lay_out_set(next, f->n, f->planes);
  f->next_memory = next;
  wave_updates_select(&f->updates, shard);
}

static void swap_sets(frontier *f) {
  const changed_set changed = f->changed;
  f->changed = f->next;
  f->next = changed;
}

void frontier_write_back(frontier *f) {
  if (f->next.memory == f->next_memory) return;
  const uint64_t bytes = frontier_bytes_of_sets(f->n, f->planes);
  memcpy(f->next_memory, f->next.memory, bytes);
  memset(f->next.memory, 0, bytes);
  swap_sets(f);
}

uint64_t frontier_count_marked(frontier *f) {
  uint64_t marked = 0;
  for (int i = 0; i < f->job->work.threads; i++) {
    marked += f->workers[i].marked;
    f->workers[i].marked = 0;
  }
  return marked;
}

void frontier_begin_round(frontier *f) {
  swap_sets(f);
  f->cursor = 0;
}

/* --- sending -------------------------------------------------------------------------------------------- */

tauler_error frontier_outcome(const frontier *f, tauler_message *message) {
  const tauler_error error = failure_outcome(&f->failed, message);
  if (!error || f->failed.message.text[0]) return error;
  return tauler_fail(message, error, "slice %u cannot be solved (%s)", f->slice, tauler_error_name(error));
}

void frontier_barrier(const frontier *f, worker *self, void (*between)(void *user), void *user) {
  if (f->exchange) {
    worker_barrier_main(self, between, user);
  } else {
    worker_barrier(self, between, user);
  }
}

static tauler_error push_edges(void *user, const game_edge *edges, size_t n) {
  frontier_worker *mine = user;
  wave_updates *updates = &mine->all->updates;
  for (size_t e = 0; e < n; e++) {
    const frontier_update *update = &mine->updates[edges[e].from];
    const tauler_error error =
        wave_updates_push(updates, mine->number, update->lane, update->value, edges[e].to.index);
    if (error) return error;
  }
  return TAULER_OK;
}

static void send_batch(frontier_worker *mine, int plane) {
  frontier *f = mine->all;
  const game *game = f->job->problem.game;
  const size_t n = mine->used[plane];
  mine->used[plane] = 0;
  if (n == 0 || f->failed.error) return;
  f->send(f->user, plane, mine->index[plane], n, mine->updates);
  if (!game->retract) return;
  game_sink sink = {.edges = mine->edges, .room = FRONTIER_EDGES, .flush = push_edges, .user = mine};
  const tauler_error error = game->retract(f->job->problem.rules, f->slice, mine->index[plane], n, &sink);
  failure_note(&f->failed, error ? error : game_sink_flush(&sink), NULL);
}

static void send_block(frontier_worker *mine, int plane, uint64_t block) {
  frontier *f = mine->all;
  uint64_t *bits = f->changed.bits[plane];
  f->changed.dirty[plane][block] = 0;
  for (uint64_t w = block * FRONTIER_BLOCK_WORDS; w < (block + 1) * FRONTIER_BLOCK_WORDS; w++) {
    for (uint64_t word = bits[w]; word; word &= word - 1) {
      mine->index[plane][mine->used[plane]++] = f->first + w * 64 + (unsigned)__builtin_ctzll(word);
      if (mine->used[plane] == FRONTIER_BATCH) send_batch(mine, plane);
    }
    bits[w] = 0;
  }
}

enum { ITEM_BLOCKS = 4 };

static bool has_sent_all(const frontier *f) {
  return atomic_load_explicit(&f->cursor, memory_order_relaxed) >= frontier_blocks(f->n);
}

static void send_changed(frontier_worker *mine) {
  frontier *f = mine->all;
  const uint64_t blocks = frontier_blocks(f->n);
  while (!f->failed.error && !wave_updates_are_many(&f->updates)) {
    const uint64_t first = atomic_fetch_add_explicit(&f->cursor, ITEM_BLOCKS, memory_order_relaxed);
    if (first >= blocks) break;
    for (uint64_t block = first; block < first + ITEM_BLOCKS && block < blocks; block++) {
      for (int plane = 0; plane < f->planes; plane++) {
        if (f->changed.dirty[plane][block]) send_block(mine, plane, block);
      }
    }
  }
  for (int plane = 0; plane < f->planes; plane++) send_batch(mine, plane);
}

/* In a pass only one worker packs a target. Each worker must check exchange_is_full between two pushes. */
static void send_pass(frontier_worker *mine, worker *self) {
  frontier *f = mine->all;
  uint64_t target;
  while (!f->failed.error && !exchange_is_full(f->exchange) && worker_next(self, f->updates.used, &target)) {
    uint32_t to;
    const size_t n = wave_updates_pack(&f->updates, mine->number, (uint32_t)target, mine->packet, &to);
    if (n == 0) continue;
    mine->packets++;
    f->sent = true;
    failure_note(&f->failed, exchange_push(f->exchange, f->shard, to, mine->packet, n), NULL);
  }
}

static void end_pass(void *user) {
  frontier *f = user;
  f->unsent = exchange_is_full(f->exchange);
  f->again = f->sent && !f->unsent && !f->failed.error;
  f->sent = false;
}

/* Advances the exchange; `more` is true if this rank has more to send. Collective. */
static void end_exchange_step(frontier *f, bool more) {
  tauler_message message = {""};
  f->more = more;
  const tauler_error error = exchange_advance(f->exchange, &f->more, f->sums, f->summed, &message);
  f->broken = error != TAULER_OK;
  failure_note(&f->failed, error, &message);
  if (f->summed && !error) f->use_sums(f->user);
  f->summed = 0;
  comm_note_progress(f->job->work.comm);
}

/* A rank has more to send if positions or packets are left, or if it has several shards, some of which may
 * not have sent yet. Collective. */
static void advance_exchange(void *user) {
  frontier *f = user;
  end_exchange_step(f, !f->failed.error && (f->unsent || !has_sent_all(f) || f->waits));
}

static void send_packets(frontier_worker *mine, worker *self) {
  frontier *f = mine->all;
  do {
    send_pass(mine, self);
    worker_barrier(self, end_pass, f);
  } while (f->again);
  worker_barrier_main(self, advance_exchange, f);
}

/* --- receiving ------------------------------------------------------------------------------------------ */

/* Locks each bucket, since other workers may have finished their buckets and receive packets already. */
static void receive_buckets(frontier *f, worker *self, frontier_receive *receive) {
  uint64_t bucket;
  while (worker_next(self, f->updates.buckets, &bucket)) {
    wave_puller puller = {0};
    wave_run run;
    pthread_mutex_lock(&f->updates.locks[bucket]);
    while (wave_updates_pull(&f->updates, self->number, bucket, &puller, &run)) {
      receive(f->user, self->number, &run);
    }
    pthread_mutex_unlock(&f->updates.locks[bucket]);
  }
}

/* Only one worker at a time may write to a bucket. */
static void receive_packet(frontier *f, int mine, const exchange_packet *packet, frontier_receive *receive) {
  const unsigned bits = f->updates.bucket_bits;
  wave_run run;
  const tauler_error error = wave_updates_unpack(&f->updates, mine, packet->bytes, packet->n, &run);
  failure_note(&f->failed, error, NULL);
  if (error) return;
  for (size_t from = 0, to; from < run.n; from = to) {
    const uint64_t bucket = (run.base + run.offsets[from]) >> bits;
    for (to = from + 1; to < run.n && (run.base + run.offsets[to]) >> bits == bucket;) to++;
    const wave_run within = {run.lane, run.worth, run.base, run.offsets + from, to - from};
    pthread_mutex_lock(&f->updates.locks[bucket]);
    receive(f->user, mine, &within);
    pthread_mutex_unlock(&f->updates.locks[bucket]);
  }
}

void frontier_receive_packets(frontier *f, int mine, frontier_receive *receive) {
  exchange_packet packet;
  if (mine == 0 && f->has_packet) {
    f->has_packet = false;
    receive_packet(f, mine, &f->first_packet, receive);
  }
  while (exchange_receive(f->exchange, f->shard, &f->workers[mine].cursor, &packet, &f->failed))
    receive_packet(f, mine, &packet, receive);
}

bool frontier_fetch_packet(frontier *f, uint32_t shard) {
  f->has_packet = exchange_receive(f->exchange, shard, &f->workers[0].cursor, &f->first_packet, &f->failed);
  return f->has_packet;
}

/* --- a round -------------------------------------------------------------------------------------------- */

/* A rank without an exchange has finished when all positions have sent. If ranks have one shard each, all
 * finish together, when none has more. If they have several, a shard finishes when its own positions and
 * packets are sent. One worker decides for all, since the first worker that starts the next step changes
 * these variables. */
static void end_step(void *user) {
  frontier *f = user;
  const bool here = !f->failed.error && (!has_sent_all(f) || (f->exchange && f->unsent));
  f->unfinished = f->exchange && f->broken ? false : f->exchange && !f->waits ? f->more : here;
}

void frontier_propagate(frontier *f, worker *self, frontier_receive *receive) {
  frontier_worker *mine = &f->workers[self->number];
  do {
    send_changed(mine);
    worker_barrier(self, NULL, NULL);
    if (f->exchange) send_packets(mine, self);
    receive_buckets(f, self, receive);
    if (f->exchange && !f->waits && !f->broken) frontier_receive_packets(f, self->number, receive);
    worker_barrier(self, end_step, f);
  } while (f->unfinished);
}

void frontier_wait(frontier *f) {
  for (f->more = true; f->more && !f->broken;) end_exchange_step(f, false);
}
