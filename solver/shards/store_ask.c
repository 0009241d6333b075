/* Looks up single cells of finished slices at the ranks that own them. */
#include <inttypes.h>
#include <omp.h>
#include <string.h>

#include "solver/shards/store_parts.h"
#include "solver/shards/store_talk.h"

enum { DIGIT_BITS = 8, KEY_DIGITS = 8, BLOCK = 512 };

/* A place that is asked for, and the rank that owns it. */
typedef struct {
  uint64_t key;
  uint32_t ordinal, owner;
} asked_place;

/* Which cells of each place are wanted. */
typedef struct {
  int planes;
  unsigned depths; /* one bit per plane */
} wanted;

/* The distinct keys, sorted by owner, and their values and depths. */
typedef struct {
  slice_store *store;
  wanted wanted;
  asked_place *places, *sorted;
  size_t n;
  uint64_t *keys;
  size_t *first; /* [ranks + 1] first key of each rank */
  size_t *next, *asked;
  int8_t *values[STORE_DEPTHS]; /* [keys] */
  uint16_t *depths[STORE_DEPTHS];
  arena lists;
  uint64_t *questions; /* keys that another rank asks for */
} asking;

static const uint64_t PLACE_MASK = ((uint64_t)1 << STORE_KEY_BITS) - 1;

static asked_place place_of(const slice_store *store, game_place place, uint32_t ordinal) {
  const store_plane *from = store_find_plane(store, place.slice, 0);
  return (asked_place){(uint64_t)place.slice << STORE_KEY_BITS | place.index, ordinal,
                       from->chunks[place.index / STORE_CHUNK].owner};
}

static uint32_t slice_of(uint64_t key) {
  return (uint32_t)(key >> STORE_KEY_BITS);
}

static uint64_t frame_of(uint64_t key) {
  return key / STORE_FRAME;
}

/* The digit of a place by which it is sorted: digits of the key, then of the owner. */
static unsigned digit_of(const asked_place *place, unsigned digit) {
  const uint64_t number = digit < KEY_DIGITS ? place->key : place->owner;
  return number >> digit % KEY_DIGITS * DIGIT_BITS & ((1 << DIGIT_BITS) - 1);
}

/* One stable pass of a radix sort. */
static void sort_digit(const asked_place *from, asked_place *to, size_t n, unsigned digit) {
  size_t starts[(1 << DIGIT_BITS) + 1] = {0};
  for (size_t i = 0; i < n; i++) starts[digit_of(&from[i], digit) + 1]++;
  for (size_t d = 0; d < (1 << DIGIT_BITS) - 1; d++) starts[d + 1] += starts[d];
  for (size_t i = 0; i < n; i++) to[starts[digit_of(&from[i], digit)]++] = from[i];
}

/* Sorts by owner, then by key. Skips the digits that all places have in common. */
static asked_place *sort_places(asked_place *places, asked_place *other, size_t n) {
  asked_place differs = {0};
  for (size_t i = 1; i < n; i++) {
    differs.key |= places[i].key ^ places[0].key;
    differs.owner |= places[i].owner ^ places[0].owner;
  }
  for (unsigned digit = 0; digit < KEY_DIGITS + sizeof differs.owner; digit++) {
    if (!digit_of(&differs, digit)) continue;
    sort_digit(places, other, n, digit);
    asked_place *const sorted = other;
    other = places;
    places = sorted;
  }
  return places;
}

/* Lists each key once, owner by owner. Places stay sorted, so hand_out finds the key of each by one pass. */
static void list_keys(asking *a) {
  size_t used = 0, i = 0;
  for (size_t r = 0; r < (size_t)a->store->ranks; r++) {
    a->first[r] = a->next[r] = a->asked[r] = used;
    for (; i < a->n && a->places[i].owner == r; i++) {
      if (used == a->first[r] || a->places[i].key != a->keys[used - 1]) a->keys[used++] = a->places[i].key;
    }
  }
  a->first[a->store->ranks] = used;
}

static tauler_error decode_key(const slice_store *store, store_worker *worker, uint64_t key, int plane,
                               tauler_message *message) {
  const uint64_t place = key & PLACE_MASK;
  return store_decode(store, worker, slice_of(key), plane, place / STORE_CHUNK,
                      (uint32_t)(place % STORE_CHUNK / STORE_FRAME), worker->cells, message);
}

static tauler_error fetch_frame(const slice_store *store, store_worker *worker, wanted wanted,
                                const uint64_t *keys, size_t from, size_t to, int8_t *const values[],
                                uint16_t *const depths[], tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < wanted.planes && !error; plane++) {
    error = decode_key(store, worker, keys[from], plane, message);
    for (size_t i = from; i < to && !error; i++)
      values[plane][i] = (int8_t)worker->cells[keys[i] % STORE_FRAME];
  }
  for (int plane = 0; plane < STORE_DEPTHS && !error; plane++) {
    if (!(wanted.depths >> plane & 1)) continue;
    const bool there = store_find_plane(store, slice_of(keys[from]), STORE_DEPTHS + plane);
    if (there) error = decode_key(store, worker, keys[from], STORE_DEPTHS + plane, message);
    const uint16_t *cells = (const uint16_t *)(const void *)worker->cells;
    for (size_t i = from; i < to && !error; i++) depths[plane][i] = there ? cells[keys[i] % STORE_FRAME] : 0;
  }
  return error;
}

/* Decodes the frames whose first key is in a block of the list. If a frame has keys in two blocks, the first
 * of them handles all of its keys. */
static tauler_error fetch_block(const slice_store *store, store_worker *worker, wanted wanted,
                                const uint64_t *keys, size_t n, size_t from, int8_t *const values[],
                                uint16_t *const depths[], tauler_message *message) {
  const size_t block_end = n - from < BLOCK ? n : from + BLOCK;
  size_t i = from;
  if (from > 0) {
    while (i < block_end && frame_of(keys[i]) == frame_of(keys[from - 1])) i++;
  }
  while (i < block_end) {
    size_t end = i + 1;
    while (end < n && frame_of(keys[end]) == frame_of(keys[i])) end++;
    const tauler_error error = fetch_frame(store, worker, wanted, keys, i, end, values, depths, message);
    if (error) return error;
    i = end;
  }
  return TAULER_OK;
}

static tauler_error fetch_keys(const slice_store *store, wanted wanted, const uint64_t *keys, size_t n,
                               int8_t *const values[], uint16_t *const depths[], tauler_message *message) {
  const size_t blocks = (n + BLOCK - 1) / BLOCK;
  const int most = store->settings.threads;
  const int threads = blocks < 2 ? 1 : blocks < (size_t)most ? (int)blocks : most;
  failure first = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (size_t block = 0; block < blocks; block++) {
    tauler_message cause = {""};
    store_worker *worker = &store->workers[omp_get_thread_num()];
    if (!first.error)
      failure_note(&first, fetch_block(store, worker, wanted, keys, n, block * BLOCK, values, depths, &cause),
                   &cause);
  }
  return failure_outcome(&first, message);
}

static size_t answer_bytes(wanted wanted) {
  const unsigned depths = (wanted.depths & 1) + (wanted.depths >> 1 & 1);
  return (size_t)wanted.planes + sizeof(uint16_t) * depths;
}

/* Finds the arrays in an answer: depths plane by plane, then values plane by plane, of all keys of the
 * question. */
static void lay_out_answer(wanted wanted, uint8_t *answer, size_t n, int8_t *values[], uint16_t *depths[]) {
  for (int plane = 0; plane < STORE_DEPTHS; plane++) {
    depths[plane] = (uint16_t *)(void *)answer;
    if (wanted.depths >> plane & 1) answer += n * sizeof(uint16_t);
  }
  for (int plane = 0; plane < wanted.planes; plane++) values[plane] = (int8_t *)answer + (size_t)plane * n;
}

static size_t ask_keys(void *user, int to, uint8_t *question, size_t room) {
  asking *a = user;
  const size_t most = room / sizeof *a->keys, end = a->first[to + 1];
  size_t used = 0, at = a->next[to];
  uint64_t before = 0;
  a->asked[to] = at;
  if (at == end) return 0;
  question[used++] = (uint8_t)((unsigned)a->wanted.planes | a->wanted.depths << 4);
  for (; at < end && at - a->asked[to] < most && room - used >= VARINT_BYTES; at++) {
    used += varint_put(question + used, a->keys[at] - before);
    before = a->keys[at];
  }
  a->next[to] = at;
  return used;
}

static bool is_stored(const slice_store *store, uint64_t key) {
  const store_plane *from = store_find_plane(store, slice_of(key), 0);
  return from && (key & PLACE_MASK) < from->positions &&
         store_is_here(store, from, (key & PLACE_MASK) / STORE_CHUNK);
}

static tauler_error answer_keys(void *user, const uint8_t *question, size_t n, uint8_t *answer, size_t room,
                                size_t *answer_n, tauler_message *message) {
  asking *a = user;
  const uint8_t *at = question + 1, *end = question + n;
  const wanted wanted = {question[0] & 0xF, question[0] >> 4};
  const size_t most = room / sizeof *a->questions;
  bool sound = wanted.planes >= 1 && wanted.planes <= STORE_DEPTHS && wanted.depths < 1 << STORE_DEPTHS;
  size_t used = 0;
  for (uint64_t key = 0; sound && at < end; used++) {
    key += varint_get(&at, end);
    sound = used < most && is_stored(a->store, key);
    if (sound) a->questions[used] = key;
  }
  if (!sound) return tauler_fail(message, TAULER_INTERNAL, "another rank asked for cells that are not here");
  int8_t *values[STORE_DEPTHS];
  uint16_t *depths[STORE_DEPTHS];
  lay_out_answer(wanted, answer, used, values, depths);
  *answer_n = used * answer_bytes(wanted);
  return fetch_keys(a->store, wanted, a->questions, used, values, depths, message);
}

static tauler_error receive_keys(void *user, int from, const uint8_t *answer, size_t n,
                                 tauler_message *message) {
  asking *a = user;
  const size_t asked = a->asked[from], used = a->next[from] - asked;
  if (n != used * answer_bytes(a->wanted))
    return tauler_fail(message, TAULER_INTERNAL, "another rank answered what was not asked");
  int8_t *values[STORE_DEPTHS];
  uint16_t *depths[STORE_DEPTHS];
  lay_out_answer(a->wanted, (uint8_t *)(uintptr_t)answer, used, values, depths);
  for (int plane = 0; plane < a->wanted.planes; plane++)
    memcpy(a->values[plane] + asked, values[plane], used);
  for (int plane = 0; plane < STORE_DEPTHS; plane++) {
    if (a->wanted.depths >> plane & 1)
      memcpy(a->depths[plane] + asked, depths[plane], used * sizeof(uint16_t));
  }
  return TAULER_OK;
}

static tauler_error check_places(const slice_store *store, const game_place *places, size_t n, int planes,
                                 tauler_message *message) {
  if (n > UINT32_MAX) return tauler_fail(message, TAULER_INTERNAL, "too many cells at once");
  for (size_t i = 0; i < n; i++) {
    for (int plane = 0; plane < planes; plane++) {
      const store_plane *from = store_find_plane(store, places[i].slice, plane);
      if (!from || places[i].index >= from->positions)
        return tauler_fail(message, TAULER_INTERNAL, "cell %" PRIu64 " of slice %u is not stored",
                           places[i].index, places[i].slice);
    }
  }
  return TAULER_OK;
}

static void list_asking_arrays(arena *arena, void *of) {
  asking *a = of;
  const size_t ranks = (size_t)a->store->ranks;
  a->places = arena_allocate(arena, a->n, sizeof *a->places);
  a->sorted = arena_allocate(arena, a->n, sizeof *a->sorted);
  a->keys = arena_allocate(arena, a->n, sizeof *a->keys);
  a->first = arena_allocate(arena, ranks + 1, sizeof *a->first);
  a->next = arena_allocate(arena, ranks, sizeof *a->next);
  a->asked = arena_allocate(arena, ranks, sizeof *a->asked);
  for (int plane = 0; plane < STORE_DEPTHS; plane++) {
    a->values[plane] = arena_allocate(arena, a->n, sizeof *a->values[plane]);
    a->depths[plane] = arena_allocate(arena, a->n, sizeof *a->depths[plane]);
  }
  a->questions = arena_allocate(arena, ranks > 1 ? STORE_TALK_MOST : 0, 1);
}

/* Allocates places, keys and answers, and sorts the places. */
static tauler_error open_asking(asking *a, const game_place *places, tauler_message *message) {
  const tauler_error error = arena_fill(&a->lists, a->store->memory, "finished cells that are asked for",
                                        list_asking_arrays, a, message);
  if (error) return error;
  for (size_t i = 0; i < a->n; i++) a->places[i] = place_of(a->store, places[i], (uint32_t)i);
  a->places = sort_places(a->places, a->sorted, a->n);
  list_keys(a);
  return TAULER_OK;
}

static tauler_error fetch_here(asking *a, tauler_message *message) {
  const size_t from = a->first[a->store->rank], n = a->first[a->store->rank + 1] - from;
  int8_t *values[STORE_DEPTHS];
  uint16_t *depths[STORE_DEPTHS];
  for (int plane = 0; plane < STORE_DEPTHS; plane++) {
    values[plane] = a->values[plane] + from;
    depths[plane] = a->depths[plane] + from;
  }
  return fetch_keys(a->store, a->wanted, a->keys + from, n, values, depths, message);
}

/* Writes the answers in the order of the caller's places. */
static void hand_out(const asking *a, int8_t *values[], uint16_t *depths[]) {
  size_t key = 0;
  for (size_t i = 0; i < a->n; i++) {
    const asked_place *place = &a->places[i];
    if (i && (place->key != place[-1].key)) key++;
    for (int plane = 0; plane < a->wanted.planes; plane++)
      values[plane][place->ordinal] = a->values[plane][key];
    for (int plane = 0; depths && plane < STORE_DEPTHS; plane++) {
      if (a->wanted.depths >> plane & 1) depths[plane][place->ordinal] = a->depths[plane][key];
    }
  }
}

tauler_error store_ask(slice_store *store, const game_place *places, size_t n, int planes, int8_t *values[],
                       uint16_t *depths[], tauler_message *message) {
  asking a = {.store = store, .wanted = {.planes = planes}, .n = n};
  for (int plane = 0; depths && plane < planes; plane++)
    a.wanted.depths |= (unsigned)(depths[plane] != NULL) << plane;
  tauler_error error = check_places(store, places, n, planes, message);
  if (!error) error = open_asking(&a, places, message);
  if (!error) error = fetch_here(&a, message);
  if (store->ranks > 1) {
    const store_talk talk = {&a, ask_keys, answer_keys, receive_keys};
    error = store_talk_run(store->settings.comm, store->memory, store->settings.threads, n * sizeof *a.keys,
                           &talk, error, message);
  }
  if (!error) hand_out(&a, values, depths);
  arena_close(&a.lists);
  return error;
}
