/* Caches decoded frames for several threads and tables. */
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "databases/table_parts.h"

/* A decoded piece of a table: a frame, or a block of one. It is in the chain of its bucket and in the use
 * list of its shard. */
typedef struct cached_frame cached_frame;
struct cached_frame {
  uint64_t table, frame;
  cached_frame *next_in_bucket;
  cached_frame *newer, *older;
  size_t bytes;
  unsigned char cells[];
};

typedef struct {
  alignas(64) pthread_mutex_t lock;
  cached_frame **buckets;
  size_t bucket_mask;
  cached_frame *newest, *oldest;
  size_t used, limit; /* bytes of cells */
  uint64_t hits, misses;
} cache_shard;

/* A decoder that no thread uses at the moment. */
typedef struct idle_decoder idle_decoder;
struct idle_decoder {
  frame_decoder *decoder;
  idle_decoder *next;
};

struct frame_cache {
  cache_shard *shards;
  size_t shard_mask;
  pthread_mutex_t idle_lock;
  idle_decoder *idle;
};

enum { SHARDS_MAX = 64, SHARD_BYTES_MIN = 1 << 20, BUCKET_BYTES = 1024, BUCKETS_MIN = 16 };

static size_t power_of_two_up_to(size_t n) {
  size_t power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}

/* Neighbouring frames are in different shards, so that threads that scan a table do not wait for each
 * other. */
static uint64_t hash_frame(uint64_t table, uint64_t frame) {
  uint64_t hash = table ^ (frame * 0x9E3779B97F4A7C15u);
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93u;
  return hash ^ (hash >> 32);
}

static bool init_segment(cache_shard *shard, size_t limit) {
  const size_t wanted = limit / BUCKET_BYTES;
  const size_t buckets = power_of_two_up_to(wanted < BUCKETS_MIN ? BUCKETS_MIN : wanted);
  memset(shard, 0, sizeof *shard);
  shard->buckets = calloc(buckets, sizeof(cached_frame *));
  if (!shard->buckets) return false;
  shard->bucket_mask = buckets - 1;
  shard->limit = limit;
  if (pthread_mutex_init(&shard->lock, NULL) == 0) return true;
  free(shard->buckets);
  return false;
}

static void free_shard(cache_shard *shard) {
  for (cached_frame *frame = shard->newest, *older; frame; frame = older) {
    older = frame->older;
    free(frame);
  }
  free(shard->buckets);
  pthread_mutex_destroy(&shard->lock);
}

static bool init_segments(frame_cache *cache, size_t shards, size_t bytes) {
  cache->shards = aligned_alloc(alignof(cache_shard), shards * sizeof *cache->shards);
  if (!cache->shards) return false;
  cache->shard_mask = shards - 1;
  for (size_t i = 0; i < shards; i++)
    if (!init_segment(&cache->shards[i], bytes / shards)) {
      while (i--) free_shard(&cache->shards[i]);
      free(cache->shards);
      return false;
    }
  return true;
}

frame_cache *frame_cache_new(size_t bytes) {
  frame_cache *cache = calloc(1, sizeof *cache);
  if (!cache) return NULL;
  size_t shards = power_of_two_up_to(bytes / SHARD_BYTES_MIN);
  if (shards > SHARDS_MAX) shards = SHARDS_MAX;
  if (pthread_mutex_init(&cache->idle_lock, NULL) != 0) {
    free(cache);
    return NULL;
  }
  if (!init_segments(cache, shards, bytes)) {
    pthread_mutex_destroy(&cache->idle_lock);
    free(cache);
    return NULL;
  }
  return cache;
}

void frame_cache_free(frame_cache *cache) {
  if (!cache) return;
  for (size_t i = 0; i <= cache->shard_mask; i++) free_shard(&cache->shards[i]);
  free(cache->shards);
  for (idle_decoder *idle = cache->idle, *next; idle; idle = next) {
    next = idle->next;
    frame_decoder_free(idle->decoder);
    free(idle);
  }
  pthread_mutex_destroy(&cache->idle_lock);
  free(cache);
}

frame_cache_counts frame_cache_count(frame_cache *cache) {
  frame_cache_counts counts = {0, 0, 0};
  for (size_t i = 0; i <= cache->shard_mask; i++) {
    cache_shard *shard = &cache->shards[i];
    pthread_mutex_lock(&shard->lock);
    counts.hits += shard->hits;
    counts.misses += shard->misses;
    counts.bytes += shard->used;
    pthread_mutex_unlock(&shard->lock);
  }
  return counts;
}

static idle_decoder *borrow_decoder(frame_cache *cache) {
  pthread_mutex_lock(&cache->idle_lock);
  idle_decoder *taken = cache->idle;
  if (taken) cache->idle = taken->next;
  pthread_mutex_unlock(&cache->idle_lock);
  if (taken) return taken;
  taken = malloc(sizeof *taken);
  if (!taken) return NULL;
  taken->decoder = frame_decoder_new();
  if (taken->decoder) return taken;
  free(taken);
  return NULL;
}

static void return_decoder(frame_cache *cache, idle_decoder *decoder) {
  pthread_mutex_lock(&cache->idle_lock);
  decoder->next = cache->idle;
  cache->idle = decoder;
  pthread_mutex_unlock(&cache->idle_lock);
}

static void link_newest(cache_shard *shard, cached_frame *frame) {
  frame->newer = NULL;
  frame->older = shard->newest;
  if (shard->newest) shard->newest->newer = frame;
  shard->newest = frame;
  if (!shard->oldest) shard->oldest = frame;
}

static void unlink_use(cache_shard *shard, cached_frame *frame) {
  if (frame->newer)
    frame->newer->older = frame->older;
  else
    shard->newest = frame->older;
  if (frame->older)
    frame->older->newer = frame->newer;
  else
    shard->oldest = frame->newer;
}

static cached_frame **bucket_of(cache_shard *shard, uint64_t table, uint64_t frame) {
  return &shard->buckets[(hash_frame(table, frame) >> 32) & shard->bucket_mask];
}

static cached_frame *find_frame(cache_shard *shard, uint64_t table, uint64_t frame) {
  cached_frame *found = *bucket_of(shard, table, frame);
  while (found && (found->table != table || found->frame != frame)) found = found->next_in_bucket;
  if (found && found != shard->newest) {
    unlink_use(shard, found);
    link_newest(shard, found);
  }
  return found;
}

static void evict_oldest(cache_shard *shard) {
  cached_frame *victim = shard->oldest;
  cached_frame **link = bucket_of(shard, victim->table, victim->frame);
  while (*link != victim) link = &(*link)->next_in_bucket;
  *link = victim->next_in_bucket;
  unlink_use(shard, victim);
  shard->used -= victim->bytes;
  free(victim);
}

/* Adds the frame, unless another thread was faster. Evicts frames to make space, but always keeps one. */
static void insert_frame(cache_shard *shard, cached_frame *frame) {
  pthread_mutex_lock(&shard->lock);
  if (find_frame(shard, frame->table, frame->frame)) {
    pthread_mutex_unlock(&shard->lock);
    free(frame);
    return;
  }
  while (shard->oldest && shard->used + frame->bytes > shard->limit) evict_oldest(shard);
  cached_frame **bucket = bucket_of(shard, frame->table, frame->frame);
  frame->next_in_bucket = *bucket;
  *bucket = frame;
  link_newest(shard, frame);
  shard->used += frame->bytes;
  pthread_mutex_unlock(&shard->lock);
}

static bool copy_cached(cache_shard *shard, const table *table, uint64_t frame, size_t at, void *cell,
                        size_t n) {
  pthread_mutex_lock(&shard->lock);
  const cached_frame *found = find_frame(shard, table->id, frame);
  if (found) memcpy(cell, found->cells + at, n);
  *(found ? &shard->hits : &shard->misses) += 1;
  pthread_mutex_unlock(&shard->lock);
  return found != NULL;
}

static tauler_error no_memory(const table *table, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a frame of %s", table->path);
}

/* Decodes a frame of a table into a new cached_frame. */
static tauler_error load_frame(frame_decoder *decoder, const table *table, uint64_t frame, cached_frame **out,
                               tauler_message *message) {
  const table_header *header = &table->layout.header;
  const uint64_t most = table->cells_per_piece, left = header->positions - frame * most;
  const size_t bytes = (size_t)(left < most ? left : most) * table_cell_bytes(header->cell);
  cached_frame *loaded = malloc(sizeof *loaded + bytes);
  *out = NULL;
  if (!loaded) return no_memory(table, message);
  const tauler_error error = frame_read_piece(decoder, table, frame, loaded->cells, message);
  if (error != TAULER_OK) {
    free(loaded);
    return error;
  }
  loaded->table = table->id;
  loaded->frame = frame;
  loaded->bytes = bytes;
  *out = loaded;
  return TAULER_OK;
}

static tauler_error fetch_uncached(const table *table, uint64_t frame, size_t at, void *cell, size_t n,
                                   tauler_message *message) {
  frame_decoder *decoder = frame_decoder_new();
  cached_frame *loaded = NULL;
  if (!decoder) return no_memory(table, message);
  const tauler_error error = load_frame(decoder, table, frame, &loaded, message);
  if (error == TAULER_OK) memcpy(cell, loaded->cells + at, n);
  free(loaded);
  frame_decoder_free(decoder);
  return error;
}

/* Reads and decodes without a lock: two threads may decode the same frame, but none waits for a disk. */
static tauler_error fetch_missed(frame_cache *cache, cache_shard *shard, const table *table, uint64_t frame,
                                 size_t at, void *cell, size_t n, tauler_message *message) {
  cached_frame *loaded = NULL;
  idle_decoder *decoder = borrow_decoder(cache);
  if (!decoder) return no_memory(table, message);
  const tauler_error error = load_frame(decoder->decoder, table, frame, &loaded, message);
  return_decoder(cache, decoder);
  if (error != TAULER_OK) return error;
  memcpy(cell, loaded->cells + at, n);
  insert_frame(shard, loaded);
  return TAULER_OK;
}

tauler_error frame_cache_fetch(frame_cache *cache, const table *table, uint64_t index, void *cell, size_t n,
                               tauler_message *message) {
  const uint64_t frame = index / table->cells_per_piece;
  const size_t at = (size_t)(index % table->cells_per_piece) * n;
  if (!cache) return fetch_uncached(table, frame, at, cell, n, message);
  cache_shard *shard = &cache->shards[hash_frame(table->id, frame) & cache->shard_mask];
  if (copy_cached(shard, table, frame, at, cell, n)) return TAULER_OK;
  return fetch_missed(cache, shard, table, frame, at, cell, n, message);
}
