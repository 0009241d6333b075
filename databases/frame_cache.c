/* Caches decoded frames for several threads and tables. */
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "databases/table_parts.h"

/* A decoded piece of a table: a frame, or a block of one. */
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
} cache_segment;

struct frame_cache {
  cache_segment *segments;
  size_t segment_mask;
  pthread_mutex_t idle_lock;
  frame_decoder *idle; /* decoders that no thread uses at the moment, linked by `next` */
};

enum { SEGMENTS_MAX = 64, SEGMENT_BYTES_MIN = 1 << 20, BUCKET_BYTES = 1024, BUCKETS_MIN = 16 };

static size_t power_of_two_up_to(size_t n) {
  size_t power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}

/* Spreads neighbouring frames over the segments, so that threads rarely wait for each other. */
static uint64_t hash_frame(uint64_t table, uint64_t frame) {
  uint64_t hash = table ^ (frame * 0x9E3779B97F4A7C15u);
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93u;
  return hash ^ (hash >> 32);
}

static bool init_segment(cache_segment *segment, size_t limit) {
  const size_t wanted = limit / BUCKET_BYTES;
  const size_t buckets = power_of_two_up_to(wanted < BUCKETS_MIN ? BUCKETS_MIN : wanted);
  *segment = (cache_segment){.lock = PTHREAD_MUTEX_INITIALIZER,
                             .buckets = calloc(buckets, sizeof(cached_frame *)),
                             .bucket_mask = buckets - 1,
                             .limit = limit};
  return segment->buckets != NULL;
}

static void free_segment(cache_segment *segment) {
  for (cached_frame *frame = segment->newest, *older; frame; frame = older) {
    older = frame->older;
    free(frame);
  }
  free(segment->buckets);
  pthread_mutex_destroy(&segment->lock);
}

frame_cache *frame_cache_new(size_t bytes) {
  size_t segments = power_of_two_up_to(bytes / SEGMENT_BYTES_MIN);
  if (segments > SEGMENTS_MAX) segments = SEGMENTS_MAX;
  frame_cache *cache = calloc(1, sizeof *cache);
  if (!cache) return NULL;
  pthread_mutex_init(&cache->idle_lock, NULL);
  cache->segments = aligned_alloc(alignof(cache_segment), segments * sizeof *cache->segments);
  cache->segment_mask = segments - 1;
  bool made = cache->segments != NULL;
  for (size_t i = 0; cache->segments && i < segments; i++)
    made &= init_segment(&cache->segments[i], bytes / segments);
  if (made) return cache;
  frame_cache_free(cache);
  return NULL;
}

void frame_cache_free(frame_cache *cache) {
  if (!cache) return;
  for (size_t i = 0; cache->segments && i <= cache->segment_mask; i++) free_segment(&cache->segments[i]);
  free(cache->segments);
  for (frame_decoder *idle = cache->idle, *next; idle; idle = next) {
    next = idle->next;
    frame_decoder_free(idle);
  }
  pthread_mutex_destroy(&cache->idle_lock);
  free(cache);
}

frame_cache_counts frame_cache_count(frame_cache *cache) {
  frame_cache_counts counts = {0, 0, 0};
  for (size_t i = 0; i <= cache->segment_mask; i++) {
    cache_segment *segment = &cache->segments[i];
    pthread_mutex_lock(&segment->lock);
    counts.hits += segment->hits;
    counts.misses += segment->misses;
    counts.bytes += segment->used;
    pthread_mutex_unlock(&segment->lock);
  }
  return counts;
}

static frame_decoder *borrow_decoder(frame_cache *cache) {
  if (!cache) return frame_decoder_new();
  pthread_mutex_lock(&cache->idle_lock);
  frame_decoder *taken = cache->idle;
  if (taken) cache->idle = taken->next;
  pthread_mutex_unlock(&cache->idle_lock);
  return taken ? taken : frame_decoder_new();
}

static void return_decoder(frame_cache *cache, frame_decoder *decoder) {
  if (!cache) {
    frame_decoder_free(decoder);
    return;
  }
  pthread_mutex_lock(&cache->idle_lock);
  decoder->next = cache->idle;
  cache->idle = decoder;
  pthread_mutex_unlock(&cache->idle_lock);
}

static void link_newest(cache_segment *segment, cached_frame *frame) {
  frame->newer = NULL;
  frame->older = segment->newest;
  if (segment->newest) segment->newest->newer = frame;
  segment->newest = frame;
  if (!segment->oldest) segment->oldest = frame;
}

static void unlink_frame(cache_segment *segment, cached_frame *frame) {
  if (frame->newer)
    frame->newer->older = frame->older;
  else
    segment->newest = frame->older;
  if (frame->older)
    frame->older->newer = frame->newer;
  else
    segment->oldest = frame->newer;
}

static cached_frame **bucket_of(cache_segment *segment, uint64_t table, uint64_t frame) {
  return &segment->buckets[(hash_frame(table, frame) >> 32) & segment->bucket_mask];
}

static cached_frame *find_frame(cache_segment *segment, uint64_t table, uint64_t frame) {
  cached_frame *found = *bucket_of(segment, table, frame);
  while (found && (found->table != table || found->frame != frame)) found = found->next_in_bucket;
  if (found && found != segment->newest) {
    unlink_frame(segment, found);
    link_newest(segment, found);
  }
  return found;
}

static void evict_oldest(cache_segment *segment) {
  cached_frame *victim = segment->oldest;
  cached_frame **link = bucket_of(segment, victim->table, victim->frame);
  while (*link != victim) link = &(*link)->next_in_bucket;
  *link = victim->next_in_bucket;
  unlink_frame(segment, victim);
  segment->used -= victim->bytes;
  free(victim);
}

/* Adds the frame, even if it alone is above the limit, or frees it if another thread was faster. */
static void insert_frame(cache_segment *segment, cached_frame *frame) {
  pthread_mutex_lock(&segment->lock);
  if (find_frame(segment, frame->table, frame->frame)) {
    pthread_mutex_unlock(&segment->lock);
    free(frame);
    return;
  }
  while (segment->oldest && segment->used + frame->bytes > segment->limit) evict_oldest(segment);
  cached_frame **bucket = bucket_of(segment, frame->table, frame->frame);
  frame->next_in_bucket = *bucket;
  *bucket = frame;
  link_newest(segment, frame);
  segment->used += frame->bytes;
  pthread_mutex_unlock(&segment->lock);
}

static bool copy_cached_cell(cache_segment *segment, const table *table, uint64_t frame, size_t at,
                             void *cell, size_t n) {
  pthread_mutex_lock(&segment->lock);
  const cached_frame *found = find_frame(segment, table->id, frame);
  if (found) memcpy(cell, found->cells + at, n);
  *(found ? &segment->hits : &segment->misses) += 1;
  pthread_mutex_unlock(&segment->lock);
  return found != NULL;
}

static tauler_error report_no_memory(const table *table, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a frame of %s", table->path);
}

static tauler_error load_frame(frame_decoder *decoder, const table *table, uint64_t frame, cached_frame **out,
                               tauler_message *message) {
  const table_header *header = &table->layout.header;
  const uint64_t most = table->cells_per_piece, left = header->positions - frame * most;
  const size_t bytes = (size_t)(left < most ? left : most) * table_cell_bytes(header->cell);
  cached_frame *loaded = malloc(sizeof *loaded + bytes);
  *out = NULL;
  if (!loaded) return report_no_memory(table, message);
  const uint64_t pieces = table->cells_per_frame / most;
  const frame_part part = {frame / pieces, (size_t)(frame % pieces), 1};
  const tauler_error error = frame_read(decoder, table, part, loaded->cells, message);
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

/* Reads and decodes without a lock, so no thread waits while another reads; two may decode the same frame. */
tauler_error frame_cache_fetch(frame_cache *cache, const table *table, uint64_t index, void *cell, size_t n,
                               tauler_message *message) {
  const uint64_t frame = index / table->cells_per_piece;
  const size_t at = (size_t)(index % table->cells_per_piece) * n;
  cache_segment *segment =
      cache ? &cache->segments[hash_frame(table->id, frame) & cache->segment_mask] : NULL;
  if (segment && copy_cached_cell(segment, table, frame, at, cell, n)) return TAULER_OK;
  cached_frame *loaded = NULL;
  frame_decoder *decoder = borrow_decoder(cache);
  if (!decoder) return report_no_memory(table, message);
  const tauler_error error = load_frame(decoder, table, frame, &loaded, message);
  return_decoder(cache, decoder);
  if (error != TAULER_OK) return error;
  memcpy(cell, loaded->cells + at, n);
  if (segment)
    insert_frame(segment, loaded);
  else
    free(loaded);
  return TAULER_OK;
}
