/* Stores results of a player's search in entries of two words: the result, and its exclusive or with the hash
 * of the position. */
#include "analysis/uci/look.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4, AGES = 64, DEPTH_PER_AGE = 8 };

typedef struct {
  _Atomic uint64_t mixed, found;
} entry;

struct seen {
  entry *entries;
  uint64_t buckets;
  unsigned age;
};

/* The fields of `found`, from the lowest bit. */
enum { BITS_VALUE = 16, BITS_DEPTH = 8, BITS_BOUND = 2, BITS_AGE = 6 };
enum {
  AT_DEPTH = BITS_VALUE,
  AT_BOUND = AT_DEPTH + BITS_DEPTH,
  AT_AGE = AT_BOUND + BITS_BOUND,
  AT_BEST = AT_AGE + BITS_AGE
};

static unsigned extract_field(uint64_t found, int at, int bits) {
  return (unsigned)(found >> at & ((UINT64_C(1) << bits) - 1));
}

tauler_error seen_open(uint64_t bytes, seen **out, tauler_message *message) {
  seen *made = calloc(1, sizeof *made);
  *out = NULL;
  if (made) {
    made->buckets = bytes / (BUCKET * sizeof(entry));
    if (made->buckets == 0) made->buckets = 1;
    made->entries = calloc(made->buckets * BUCKET, sizeof(entry));
  }
  if (!made || !made->entries) {
    free(made);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for what a search has seen; set Hash to less");
  }
  *out = made;
  return TAULER_OK;
}

void seen_close(seen *closed) {
  if (!closed) return;
  free(closed->entries);
  free(closed);
}

void seen_clear(seen *s) {
  memset((void *)s->entries, 0, s->buckets * BUCKET * sizeof(entry));
}

void seen_next_search(seen *s) {
  s->age = (s->age + 1) % AGES;
}

static entry *bucket_of(const seen *s, uint64_t hash) {
  return s->entries + (uint64_t)((unsigned __int128)hash * s->buckets >> 64) * BUCKET;
}

static uint64_t find_result(const entry *e, uint64_t hash) {
  const uint64_t found = atomic_load_explicit(&e->found, memory_order_relaxed);
  return (atomic_load_explicit(&e->mixed, memory_order_relaxed) ^ found) == hash ? found : 0;
}

bool seen_find(const seen *s, uint64_t hash, seen_position *out) {
  const entry *bucket = bucket_of(s, hash);
  for (size_t i = 0; i < BUCKET; i++) {
    const uint64_t found = find_result(&bucket[i], hash);
    if (!found) continue;
    *out = (seen_position){.value = (int16_t)extract_field(found, 0, BITS_VALUE),
                           .depth = (int)extract_field(found, AT_DEPTH, BITS_DEPTH),
                           .bound = (seen_bound)extract_field(found, AT_BOUND, BITS_BOUND),
                           .best = extract_field(found, AT_BEST, BITS_VALUE)};
    return true;
  }
  return false;
}

/* Entries of smaller priority are replaced first. */
static int entry_priority(const seen *s, uint64_t found) {
  if (!found) return -DEPTH_PER_AGE * AGES;
  const unsigned age = (s->age - extract_field(found, AT_AGE, BITS_AGE)) % AGES;
  return (int)extract_field(found, AT_DEPTH, BITS_DEPTH) - DEPTH_PER_AGE * (int)age;
}

void seen_add(seen *s, uint64_t hash, const seen_position *position) {
  entry *bucket = bucket_of(s, hash), *chosen = NULL;
  int least = 0;
  for (size_t i = 0; i < BUCKET; i++) {
    const uint64_t found = atomic_load_explicit(&bucket[i].found, memory_order_relaxed);
    const bool same = found && find_result(&bucket[i], hash);
    const int worth = same ? INT16_MIN : entry_priority(s, found);
    if (!chosen || worth < least) {
      chosen = &bucket[i];
      least = worth;
    }
  }
  const uint64_t best = position->best < SEEN_NO_MOVE ? position->best : SEEN_NO_MOVE;
  const uint64_t made = (uint16_t)position->value | (uint64_t)position->depth << AT_DEPTH |
                        (uint64_t)position->bound << AT_BOUND | (uint64_t)s->age << AT_AGE | best << AT_BEST;
  atomic_store_explicit(&chosen->mixed, made ^ hash, memory_order_relaxed);
  atomic_store_explicit(&chosen->found, made, memory_order_relaxed);
}
