/* Caches of table files: what they hold, what they drop, and threads that share one. */
#include <inttypes.h>
#include <pthread.h>

#include "databases/table.h"
#include "databases/table_format.h"
#include "tests/support/table_fixture.h"

CASE(a_small_cache_evicts_and_stays_right) {
  must_write(&plain_bytes, 200000, 1024, 1);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(_i == 0 ? 0 : 3000);
  for (uint64_t k = 0; k < 20000; k++) {
    const uint64_t i = k % 3 ? mix(k) % 200000 : mix(k / 30) % 4000;
    int64_t value;
    ck_assert_int_eq(table_get(t, cache, i, &value, NULL), TAULER_OK);
    ck_assert_msg(value == value_at(&plain_bytes, i), "cell %" PRIu64 " is wrong through the cache", i);
  }
  frame_cache_free(cache);
  table_close(t);
}

CASE(the_cache_keeps_what_was_used_last) {
  must_write(&plain_bytes, 8 * 1024, 1024, 1);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(3 * 1024);
  int64_t value;
  const uint64_t order[] = {0, 1, 2, 0, 3, 4};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    ck_assert_int_eq(table_get(t, cache, order[k] * 1024, &value, NULL), TAULER_OK);
  /* With all frames destroyed on the disk, what is still answered comes from the cache. */
  overwrite_in_place(TABLE_HEADER_BYTES, 0, table_get_header(t)->stored_bytes - TABLE_HEADER_BYTES);
  const bool kept[] = {true, false, false, true, true};
  for (uint64_t frame = 0; frame < 5; frame++) {
    const tauler_error error = table_get(t, cache, frame * 1024 + 5, &value, NULL);
    ck_assert_msg((error == TAULER_OK) == kept[frame], "frame %" PRIu64 " must%s be in the cache", frame,
                  kept[frame] ? "" : " not");
  }
  frame_cache_free(cache);
  table_close(t);
}

CASE(the_cache_never_answers_for_another_table) {
  recipe r = plain_bytes;
  frame_cache *cache = frame_cache_new(1 << 20);
  for (r.seed = 0; r.seed < 20; r.seed++) {
    must_write(&r, 3000, 1024, 1);
    table *t = must_open(); /* as a rule at the address of the one before */
    for (uint64_t i = 0; i < 3000; i += 7) {
      int64_t value;
      ck_assert_int_eq(table_get(t, cache, i, &value, NULL), TAULER_OK);
      ck_assert_msg(value == value_at(&r, i), "a cell of a closed table was given");
    }
    table_close(t);
  }
  frame_cache_free(cache);
}

typedef struct {
  const table *t;
  frame_cache *cache;
  uint64_t seed;
  int wrong;
} reader;

static void *read_at_random(void *user) {
  reader *me = user;
  for (uint64_t k = 0; k < 20000; k++) {
    const uint64_t i = mix(k + me->seed) % 200000;
    int64_t value = 0;
    int8_t cells[3];
    if (table_get(me->t, me->cache, i, &value, NULL) != TAULER_OK || value != value_at(&plain_bytes, i))
      me->wrong++;
    if (k % 100 == 0 && (table_read(me->t, i / 2, 3, cells, NULL) != TAULER_OK ||
                         cells[2] != value_at(&plain_bytes, i / 2 + 2)))
      me->wrong++;
  }
  return NULL;
}

CASE(threads_share_a_table_and_a_cache) {
  must_write(&plain_bytes, 200000, 1024, 2);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(_i == 0 ? 20000 : 4 << 20);
  pthread_t threads[4];
  reader readers[4];
  for (int i = 0; i < 4; i++) {
    readers[i] = (reader){t, cache, (uint64_t)i % 3, 0};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, read_at_random, &readers[i]), 0);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++)
    ck_assert_msg(readers[i].wrong == 0, "thread %d got %d wrong cells", i, readers[i].wrong);
  frame_cache_free(cache);
  table_close(t);
}

SUITE("table_cache") {
  table_fixture(suite);
  LOOP(a_small_cache_evicts_and_stays_right, 2);
  TESTS(the_cache_keeps_what_was_used_last, the_cache_never_answers_for_another_table);
  LOOP(threads_share_a_table_and_a_cache, 2);
}
