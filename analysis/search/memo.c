/* Keeps the bounds that a search has proven, in limited memory. */
#include "analysis/search/search.h"

#include <string.h>

enum {
  LINE_WORDS = 8,
  FIRST_BYTES = 4 << 20,
  BUCKET = 4,
  PASSES = 256,
  DEPTH_PER_PASS = 2,
  ENTRY_WORDS = sizeof(memo_entry) / sizeof(uint64_t)
};

_Static_assert(sizeof(memo_entry) == ENTRY_WORDS * sizeof(uint64_t), "entries are whole words");

struct memo {
  memory_budget *budget;
  uint64_t *slots; /* slots of a memo_entry and a state each, free if `pass` is 0 */
  uint64_t buckets, used;
  uint64_t most_bytes;
  size_t words, stride;
  uint8_t pass; /* number of the pass, 1 … PASSES − 1 */
};

tauler_error memo_open(memory_budget *budget, uint64_t bytes, size_t words, memo **out,
                       tauler_message *message) {
  memo *made;
  const size_t stride = ENTRY_WORDS + words;
  const uint64_t bucket_bytes = BUCKET * stride * sizeof(uint64_t);
  const uint64_t most = bytes / 3 * 2, first = most < FIRST_BYTES ? most : FIRST_BYTES;
  *out = NULL;
  tauler_error error = memory_allocate(budget, sizeof *made, "what a search has proven", &made, message);
  if (error) return error;
  *made = (memo){.budget = budget,
                 .buckets = first > bucket_bytes ? first / bucket_bytes : 1,
                 .most_bytes = most,
                 .words = words,
                 .stride = stride,
                 .pass = 1};
  error = memory_allocate_array(budget, made->buckets, bucket_bytes, "what a search has proven", &made->slots,
                                message);
  if (error) {
    memory_free(budget, made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void memo_close(memo *closed) {
  if (!closed) return;
  memory_free(closed->budget, closed->slots);
  memory_free(closed->budget, closed);
}

static uint64_t *slot_of(const memo *memo, uint64_t hash, size_t i) {
  const uint64_t bucket = (uint64_t)((unsigned __int128)hash * memo->buckets >> 64);
  return memo->slots + (bucket * BUCKET + i) * memo->stride;
}

static memo_entry *entry_of(uint64_t *slot) {
  return (memo_entry *)(void *)slot;
}

static bool has_state(const memo *memo, uint64_t *slot, const uint64_t *state) {
  return entry_of(slot)->pass && memcmp(slot + ENTRY_WORDS, state, memo->words * sizeof *state) == 0;
}

/* Sets the pass of an entry to this one. A question that stayed open in an earlier pass may then be tried
 * again. */
static memo_entry *begin_pass(const memo *memo, memo_entry *entry) {
  if (entry->pass != memo->pass) entry->depth[0] = entry->depth[1] = 0;
  entry->pass = memo->pass;
  return entry;
}

memo_entry *memo_find(memo *memo, uint64_t hash, const uint64_t *state) {
  for (size_t i = 0; i < BUCKET; i++) {
    uint64_t *slot = slot_of(memo, hash, i);
    if (has_state(memo, slot, state)) return begin_pass(memo, entry_of(slot));
  }
  return NULL;
}

/* Entries of smaller priority are replaced first. */
static int entry_priority(const memo *memo, const memo_entry *entry) {
  if (!entry->pass) return -PASSES * DEPTH_PER_PASS;
  const int age = (memo->pass - entry->pass + PASSES - 1) % (PASSES - 1);
  const int depth = entry->depth[0] > entry->depth[1] ? entry->depth[0] : entry->depth[1];
  return depth - DEPTH_PER_PASS * age;
}

memo_entry *memo_add(memo *memo, uint64_t hash, const uint64_t *state, int largest) {
  uint64_t *chosen = NULL;
  int least = 0;
  for (size_t i = 0; i < BUCKET; i++) {
    uint64_t *slot = slot_of(memo, hash, i);
    if (has_state(memo, slot, state)) { return begin_pass(memo, entry_of(slot)); }
    const int worth = entry_priority(memo, entry_of(slot));
    if (!chosen || worth < least) {
      chosen = slot;
      least = worth;
    }
  }
  memo->used += !entry_of(chosen)->pass;
  *entry_of(chosen) = (memo_entry){.lower = (int16_t)-largest, .upper = (int16_t)largest, .pass = memo->pass};
  memcpy(chosen + ENTRY_WORDS, state, memo->words * sizeof *state);
  return entry_of(chosen);
}

void memo_prefetch(const memo *memo, uint64_t hash) {
  const uint64_t *slot = slot_of(memo, hash, 0);
  for (size_t word = 0; word < BUCKET * memo->stride; word += LINE_WORDS) __builtin_prefetch(slot + word);
}

static void copy_entry(memo *to, const memo *from, uint64_t i) {
  uint64_t *slot = from->slots + i * from->stride;
  if (!entry_of(slot)->pass) return;
  const uint64_t *state = slot + ENTRY_WORDS;
  *memo_add(to, states_hash(from->words, state), state, 0) = *entry_of(slot);
}

void memo_grow(memo *memo) {
  const uint64_t entries = memo->buckets * BUCKET, bytes = entries * memo->stride * sizeof(uint64_t);
  if (memo->used < entries / 2 || bytes >= memo->most_bytes) return;
  struct memo larger = *memo;
  const uint64_t most = memo->most_bytes,
                 left = most / 2 * 3 - bytes; /* bytes for new entries, beside the old ones */
  uint64_t wanted = 4 * bytes < most ? 4 * bytes : most;
  if (wanted > left) wanted = left;
  larger.buckets = wanted / (bytes / memo->buckets);
  larger.used = 0;
  if (larger.buckets <= memo->buckets ||
      memory_allocate_array(memo->budget, larger.buckets, BUCKET * memo->stride * sizeof(uint64_t),
                            "what a search has proven", &larger.slots, NULL)) {
    memo->most_bytes = bytes;
    return;
  }
  for (uint64_t i = 0; i < entries; i++) copy_entry(&larger, memo, i);
  memory_free(memo->budget, memo->slots);
  *memo = larger;
}

void memo_next_pass(memo *memo) {
  memo->pass = (uint8_t)(memo->pass % (PASSES - 1) + 1);
}
