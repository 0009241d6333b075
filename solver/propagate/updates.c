/* Collects updates by target in runs of one worth, and packs those for other shards. */
#include "parallel/varint.h"
#include "solver/propagate/frontier.h"

#include <stdatomic.h>
#include <string.h>

/* A packet has a lane (1 byte), a worth (1), a part (2), and the differences of sorted offsets, with seven
 * bits in each byte. */
enum { HEAD = 4, LONGEST_OFFSET = 5, ARENA_BLOCKS = 15, PART_BITS = 32 };

struct wave_block {
  wave_block *next;
  uint32_t used;
  int8_t worth;
  uint32_t offsets[WAVE_RUN];
};

typedef struct wave_arena wave_arena;
struct wave_arena {
  wave_arena *next;
  wave_block blocks[ARENA_BLOCKS];
};

static const char *const what = "updates under way";

static unsigned choose_bucket_bits(uint64_t positions) {
  unsigned bits = WAVE_LEAST_BUCKET_BITS;
  while (positions >> bits >= WAVE_MOST_BUCKETS) bits++;
  return bits;
}

static uint32_t count_buckets(uint64_t positions) {
  const unsigned bits = choose_bucket_bits(positions);
  return (uint32_t)((positions + (UINT64_C(1) << bits) - 1) >> bits);
}

static uint32_t choose_run_room(size_t packet_bytes) {
  return packet_bytes > HEAD ? (uint32_t)((packet_bytes - HEAD) / LONGEST_OFFSET) : 0;
}

/* Returns the number of blocks above which updates are many: the blocks that fit in one byte per position,
 * and one for each run that a worker may have open. */
static uint64_t count_enough_blocks(uint64_t positions, uint64_t targets, int workers) {
  return positions / sizeof(wave_block) + WAVE_LANES * targets * (uint64_t)workers;
}

static void list_arrays(arena *a, void *of) {
  wave_updates *updates = of;
  const uint64_t targets = updates->most_targets, workers = (uint64_t)updates->workers;
  updates->starts = arena_allocate(a, targets + 1, sizeof *updates->starts);
  updates->targets = arena_allocate(a, targets, sizeof *updates->targets);
  updates->senders = arena_allocate(a, workers, sizeof *updates->senders);
  updates->lanes = arena_allocate(a, workers * targets * WAVE_LANES, sizeof *updates->lanes);
  updates->runs = arena_allocate(a, workers * 2 * updates->run_room, sizeof *updates->runs);
}

uint64_t wave_updates_bytes(uint64_t shard_positions, uint32_t shards, int threads, size_t packet_bytes) {
  enum { BEYOND = 256 * 1024 }; /* most bytes that a worker adds after enough blocks are in use */
  const uint64_t workers = (uint64_t)threads, targets = shards - 1 + count_buckets(shard_positions);
  const uint64_t beyond = 2 * shard_positions < BEYOND ? 2 * shard_positions : BEYOND;
  wave_updates planned = {.workers = threads,
                          .most_targets = shards + WAVE_MOST_BUCKETS + 1,
                          .run_room = shards > 1 ? choose_run_room(packet_bytes) : 0};
  return arena_bytes(list_arrays, &planned) + workers * (beyond + sizeof(wave_arena)) +
         count_enough_blocks(shard_positions, targets, threads) * sizeof(wave_block);
}

static uint64_t count_parts(const wave_updates *updates, uint32_t shard) {
  const uint64_t n = updates->shard_starts[shard + 1] - updates->shard_starts[shard];
  return (n + (UINT64_C(1) << PART_BITS) - 1) >> PART_BITS;
}

tauler_error wave_updates_open(wave_updates *updates, memory_budget *memory, const uint64_t *shard_starts,
                               uint32_t shards, int workers, size_t packet_bytes, tauler_message *message) {
  *updates = (wave_updates){.memory = memory,
                            .shards = shards,
                            .shard_starts = shard_starts,
                            .workers = workers,
                            .packet_bytes = packet_bytes,
                            .run_room = shards > 1 ? choose_run_room(packet_bytes) : 0};
  pthread_mutex_init(&updates->arena_lock, NULL);
  for (int i = 0; i < WAVE_MOST_BUCKETS; i++) pthread_mutex_init(&updates->locks[i], NULL);
  updates->most_targets = WAVE_MOST_BUCKETS + 1;
  for (uint32_t shard = 0; shard < shards; shard++)
    updates->most_targets += (uint32_t)count_parts(updates, shard);
  const tauler_error error = arena_fill(&updates->lists, memory, what, list_arrays, updates, message);
  for (uint32_t i = 0; i < (uint32_t)workers && !error; i++) {
    updates->senders[i].lanes = updates->lanes + (size_t)i * updates->most_targets * WAVE_LANES;
    updates->senders[i].runs = updates->runs + (size_t)i * 2 * updates->run_room;
  }
  return error;
}

void wave_updates_close(wave_updates *updates) {
  memory_budget *memory = updates->memory;
  if (!memory) return;
  for (wave_arena *at = updates->arenas; at;) {
    wave_arena *next = at->next;
    memory_free(memory, at);
    at = next;
  }
  arena_close(&updates->lists);
  pthread_mutex_destroy(&updates->arena_lock);
  for (int i = 0; i < WAVE_MOST_BUCKETS; i++) pthread_mutex_destroy(&updates->locks[i]);
}

static void add_shard(wave_updates *updates, uint32_t shard) {
  const uint64_t start = updates->shard_starts[shard];
  const bool here = shard == updates->loaded;
  const uint32_t parts = here ? updates->buckets : (uint32_t)count_parts(updates, shard);
  if (here) updates->first_here = updates->used;
  for (uint32_t part = 0; part < parts; part++) {
    updates->starts[updates->used] = start + ((uint64_t)part << (here ? updates->bucket_bits : PART_BITS));
    updates->targets[updates->used++] = (wave_target){shard, part, here};
  }
}

static void set_guesses(wave_updates *updates) {
  const uint64_t positions = updates->shard_starts[updates->shards];
  updates->guess_shift = 0;
  while (positions >> updates->guess_shift >= WAVE_GUESSES) updates->guess_shift++;
  uint32_t target = 0;
  for (uint64_t k = 0; k <= positions >> updates->guess_shift; k++) {
    while (target + 1 < updates->used && updates->starts[target + 1] <= k << updates->guess_shift) target++;
    updates->guesses[k] = target;
  }
}

void wave_updates_select(wave_updates *updates, uint32_t shard) {
  const uint64_t n = updates->shard_starts[shard + 1] - updates->shard_starts[shard];
  updates->loaded = shard;
  updates->used = 0;
  updates->bucket_bits = choose_bucket_bits(n);
  updates->buckets = count_buckets(n);
  for (uint32_t s = 0; s < updates->shards; s++) add_shard(updates, s);
  updates->starts[updates->used] = updates->shard_starts[updates->shards];
  set_guesses(updates);
  updates->enough_blocks = count_enough_blocks(n, updates->used, updates->workers);
  for (int i = 0; i < updates->workers; i++)
    memset(updates->senders[i].lanes, 0, updates->used * WAVE_LANES * sizeof(wave_lane));
}

static void keep_block(wave_sender *sender, wave_block *block) {
  block->next = sender->free_blocks;
  sender->free_blocks = block;
  sender->free_used++;
}

static tauler_error allocate_arena(wave_updates *updates, wave_sender *sender) {
  wave_arena *added;
  const tauler_error error = memory_allocate(updates->memory, sizeof *added, what, &added, NULL);
  if (error) return error;
  for (int i = 0; i < ARENA_BLOCKS; i++) keep_block(sender, &added->blocks[i]);
  pthread_mutex_lock(&updates->arena_lock);
  added->next = updates->arenas;
  updates->arenas = added;
  pthread_mutex_unlock(&updates->arena_lock);
  return TAULER_OK;
}

static tauler_error get_free_block(wave_updates *updates, wave_sender *sender, wave_block **out) {
  wave_block *shared = NULL;
  if (!sender->free_blocks) {
    pthread_mutex_lock(&updates->arena_lock);
    shared = updates->free_blocks;
    if (shared) updates->free_blocks = shared->next;
    pthread_mutex_unlock(&updates->arena_lock);
    if (shared) keep_block(sender, shared);
  }
  const tauler_error error = sender->free_blocks ? TAULER_OK : allocate_arena(updates, sender);
  if (error) return error;
  *out = sender->free_blocks;
  sender->free_blocks = (*out)->next;
  sender->free_used--;
  atomic_fetch_add_explicit(&updates->blocks_in_use, 1, memory_order_relaxed);
  return TAULER_OK;
}

/* A worker has up to ARENA_BLOCKS free blocks of its own and shares the others. */
static void free_block(wave_updates *updates, int worker, wave_block *block) {
  wave_sender *sender = &updates->senders[worker];
  atomic_fetch_sub_explicit(&updates->blocks_in_use, 1, memory_order_relaxed);
  if (sender->free_used < ARENA_BLOCKS) {
    keep_block(sender, block);
    return;
  }
  pthread_mutex_lock(&updates->arena_lock);
  block->next = updates->free_blocks;
  updates->free_blocks = block;
  pthread_mutex_unlock(&updates->arena_lock);
}

static void close_run(wave_lane *lane) {
  if (!lane->block) return;
  lane->block->used = lane->used;
  lane->block->worth = lane->worth;
  lane->block->next = lane->closed;
  lane->closed = lane->block;
  lane->block = NULL;
  lane->used = lane->room = 0;
}

tauler_error wave_updates_open_run(wave_updates *updates, int worker, wave_lane *lane, int8_t worth) {
  wave_sender *sender = &updates->senders[worker];
  close_run(lane);
  const tauler_error error = get_free_block(updates, sender, &lane->block);
  if (error) return error;
  lane->offsets = lane->block->offsets;
  lane->room = WAVE_RUN;
  lane->worth = worth;
  return TAULER_OK;
}

bool wave_updates_are_many(const wave_updates *updates) {
  return atomic_load_explicit(&updates->blocks_in_use, memory_order_relaxed) > updates->enough_blocks;
}

static wave_lane *close_lane(const wave_updates *updates, int from, uint32_t target, int lane) {
  wave_lane *found = &updates->senders[from].lanes[target * WAVE_LANES + (uint32_t)lane];
  close_run(found);
  return found;
}

bool wave_updates_pull(wave_updates *updates, int worker, uint64_t bucket, wave_puller *puller,
                       wave_run *run) {
  if (puller->pulled) free_block(updates, worker, puller->pulled);
  puller->pulled = NULL;
  for (; puller->from < updates->workers; puller->from++, puller->lane = 0) {
    for (; puller->lane < WAVE_LANES; puller->lane++) {
      wave_lane *lane =
          close_lane(updates, puller->from, updates->first_here + (uint32_t)bucket, puller->lane);
      wave_block *block = lane->closed;
      if (!block) continue;
      lane->closed = block->next;
      puller->pulled = block;
      *run =
          (wave_run){puller->lane, block->worth, bucket << updates->bucket_bits, block->offsets, block->used};
      return true;
    }
  }
  return false;
}

/* Sorts offsets byte by byte, the least significant first. Bytes that all offsets have in common cost one
 * test. Returns the sorted array, which is `offsets` or `other`. */
static uint32_t *sort_offsets(uint32_t *offsets, size_t n, uint32_t *other) {
  uint32_t differing = 0;
  for (size_t i = 1; i < n; i++) differing |= offsets[i] ^ offsets[0];
  for (unsigned shift = 0; shift < 32; shift += 8) {
    uint32_t places[256] = {0}, sum = 0;
    if ((differing >> shift & 0xFF) == 0) continue;
    for (size_t i = 0; i < n; i++) places[offsets[i] >> shift & 0xFF]++;
    for (int digit = 0; digit < 256; digit++) {
      const uint32_t count = places[digit];
      places[digit] = sum;
      sum += count;
    }
    for (size_t i = 0; i < n; i++) other[places[offsets[i] >> shift & 0xFF]++] = offsets[i];
    uint32_t *sorted = other;
    other = offsets;
    offsets = sorted;
  }
  return offsets;
}

/* Moves offsets of one worth out of the closed runs to the worker's first buffer, at most updates->run_room.
 * Returns their number and, if there are any, sets *worth. */
static size_t gather_offsets(wave_updates *updates, int worker, uint32_t target, int lane, int8_t *worth) {
  uint32_t *offsets = updates->senders[worker].runs;
  size_t n = 0;
  for (int from = 0; from < updates->workers; from++) {
    wave_lane *lane_of = close_lane(updates, from, target, lane);
    while (lane_of->closed && n < updates->run_room) {
      wave_block *block = lane_of->closed;
      if (n == 0) *worth = block->worth;
      if (block->worth != *worth) break;
      const size_t room = updates->run_room - n, moved = block->used < room ? block->used : room;
      block->used -= (uint32_t)moved;
      memcpy(offsets + n, block->offsets + block->used, moved * sizeof *offsets);
      n += moved;
      if (block->used > 0) break;
      lane_of->closed = block->next;
      free_block(updates, worker, block);
    }
  }
  return n;
}

static size_t pack_run(uint8_t *packet, int lane, int8_t worth, uint32_t part, const uint32_t *offsets,
                       size_t n) {
  size_t used = HEAD;
  uint32_t last = 0;
  packet[0] = (uint8_t)lane;
  packet[1] = (uint8_t)worth;
  packet[2] = (uint8_t)part;
  packet[3] = (uint8_t)(part >> 8);
  for (size_t i = 0; i < n; i++) {
    used += varint_put(packet + used, offsets[i] - last);
    last = offsets[i];
  }
  return used;
}

size_t wave_updates_pack(wave_updates *updates, int worker, uint32_t target, void *bytes, uint32_t *shard) {
  const wave_target *to = &updates->targets[target];
  wave_sender *sender = &updates->senders[worker];
  *shard = to->shard;
  for (int lane = 0; lane < WAVE_LANES && !to->here; lane++) {
    int8_t worth = 0;
    const size_t n = gather_offsets(updates, worker, target, lane, &worth);
    if (n == 0) continue;
    const uint32_t *sorted = sort_offsets(sender->runs, n, sender->runs + updates->run_room);
    return pack_run(bytes, lane, worth, to->part, sorted, n);
  }
  return 0;
}

tauler_error wave_updates_unpack(wave_updates *updates, int worker, const uint8_t *packet, size_t n,
                                 wave_run *run) {
  uint32_t *offsets = updates->senders[worker].runs;
  if (n < HEAD || packet[0] >= WAVE_LANES) return TAULER_INTERNAL;
  const uint64_t part = packet[2] | (uint64_t)packet[3] << 8;
  *run = (wave_run){packet[0], (int8_t)packet[1], part << PART_BITS, offsets, 0};
  uint32_t last = 0;
  for (const uint8_t *at = packet + HEAD; at < packet + n;) {
    const uint32_t difference = (uint32_t)varint_get(&at, packet + n);
    if (run->n == updates->run_room) return TAULER_INTERNAL;
    offsets[run->n++] = last += difference;
  }
  const uint64_t *starts = updates->shard_starts + updates->loaded;
  return run->base + last < starts[1] - starts[0] ? TAULER_OK : TAULER_INTERNAL;
}
