/* Stored slices against plain arrays: any runs and places, any number of ranks, in memory and in a file. */
#include <unistd.h>

#include "solver/shards/store_parts.h"
#include "solver/shards/store_talk.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_comm.h"

enum { SLICES = 4, PLANES = 2, MISSING = 2, WITH_DEPTHS = 3, MOST_RANKS = 4, RUNS = 300, PLACES = 20000 };

static const uint64_t positions[SLICES] = {1, 5000, 0, 5 * STORE_CHUNK + 12345};

/* The parameters of a case; every rank has its own `seed`. */
typedef struct {
  bool in_file;
  int threads;
} setting;

static uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

static int8_t cell_at(uint32_t slice, int plane, uint64_t i) {
  return (int8_t)(scramble(i / 3 + slice * 1000003u + (unsigned)plane * 77) % 11 - 5);
}

static uint16_t depth_at(int plane, uint64_t i) {
  return (uint16_t)(scramble(i + (unsigned)plane) % 700);
}

static void fill_cells(uint32_t slice, int plane, uint64_t first, size_t n, void *to) {
  for (size_t i = 0; i < n; i++) {
    if (plane < STORE_DEPTHS)
      ((int8_t *)to)[i] = cell_at(slice, plane, first + i);
    else
      ((uint16_t *)to)[i] = depth_at(plane - STORE_DEPTHS, first + i);
  }
}

/* Chunks lie with the ranks in no order of their own. */
static uint32_t owner_of(uint64_t chunk, const comm *comm) {
  return (uint32_t)((chunk + chunk / MOST_RANKS) % (uint64_t)comm_ranks(comm));
}

static void put_plane(slice_store *store, comm *comm, uint32_t slice, int plane) {
  enum { CHUNKS = 6 };
  uint32_t owners[CHUNKS];
  for (uint64_t w = 0; w < CHUNKS; w++) owners[w] = owner_of(w, comm);
  MUST(store_begin(store, slice, plane, positions[slice], owners, hear()));
  void *cells = suite_zeros(STORE_CHUNK * sizeof(uint16_t), 1);
  for (uint64_t w = 0; w < store_chunks(positions[slice]); w++) {
    if (owners[w] != (uint32_t)comm_rank(comm)) continue;
    const uint64_t first = w * STORE_CHUNK, left = positions[slice] - first;
    fill_cells(slice, plane, first, left < STORE_CHUNK ? left : STORE_CHUNK, cells);
    MUST(store_put(store, slice, plane, w, cells, hear()));
  }
}

static slice_store *open_store(const setting *with, comm *comm, memory_budget *memory) {
  const store_settings settings = {
      .comm = comm, .threads = with->threads, .spill_folder = with->in_file ? "/tmp" : NULL, .room = SLICES};
  slice_store *store;
  memory_budget_open(memory, 0);
  MUST(store_open(&settings, memory, &store, hear()));
  for (uint32_t slice = 0; slice < SLICES; slice++) {
    if (slice == MISSING) continue;
    for (int plane = 0; plane < PLANES; plane++) put_plane(store, comm, slice, plane);
  }
  put_plane(store, comm, WITH_DEPTHS, STORE_DEPTHS);
  return store;
}

static void close_store(slice_store *store, const memory_budget *memory) {
  store_close(store);
  ck_assert_uint_eq(memory_allocated(memory), 0);
}

/* Rows of all lengths; some overlap, some are empty, some end a slice. */
static size_t draw_runs(uint64_t *seed, game_run runs[RUNS]) {
  for (size_t i = 0; i < RUNS; i++) {
    const uint32_t slice = (uint32_t)(toy_draw(seed) % SLICES);
    const uint64_t n = positions[slice], kind = toy_draw(seed) % 16;
    const uint64_t most = kind == 0 ? 2 * STORE_CHUNK + 5 : kind < 4 ? 20000 : kind < 8 ? 3 : 700;
    runs[i] = (game_run){slice, n ? toy_draw(seed) % n : 0, toy_draw(seed) % (most + 1)};
    if (runs[i].count > n - runs[i].first) runs[i].count = n - runs[i].first;
    if (slice == MISSING) runs[i] = (game_run){1, 0, 0};
  }
  return toy_draw(seed) % 8 == 0 ? 0 : RUNS;
}

static void check_read(const game_finished *finished, int plane, uint32_t slice, uint64_t first, size_t n) {
  const int8_t *cells = finished->read(finished->user, slice, plane, first, n, NULL);
  ck_assert_msg(cells != NULL, "slice %u has no cells from %llu on", slice, (unsigned long long)first);
  size_t right = 0;
  while (right < n && cells[right] == cell_at(slice, plane, first + right)) right++;
  ck_assert_msg(right == n, "slice %u, plane %d, cell %llu is wrong", slice, plane,
                (unsigned long long)(first + right));
}

static void check_gathered(slice_store *store, const memory_budget *memory, uint64_t *seed) {
  const uint64_t held = memory_allocated(memory);
  game_run runs[RUNS], asked[RUNS];
  store_cells *cells;
  const size_t n = draw_runs(seed, runs);
  const int planes = 1 + (int)(toy_draw(seed) % PLANES);
  memcpy(asked, runs, sizeof runs);
  MUST(store_gather(store, runs, n, planes, &cells, hear()));
  const game_finished finished = store_reader(cells);
  uint64_t total = 0;
  for (size_t i = 0; i < n; i++) {
    if (asked[i].count == 0) continue;
    const uint64_t from = toy_draw(seed) % asked[i].count;
    total += asked[i].count;
    for (int plane = 0; plane < planes; plane++) {
      check_read(&finished, plane, asked[i].slice, asked[i].first, asked[i].count);
      check_read(&finished, plane, asked[i].slice, asked[i].first + from, asked[i].count - from);
    }
  }
  ck_assert(memory_allocated(memory) - held < 2 * total * (uint64_t)planes + (1 << 16));
  ck_assert(finished.read(finished.user, MISSING, 0, 0, 1, NULL) == NULL);
  ck_assert(finished.read(finished.user, WITH_DEPTHS, 0, positions[WITH_DEPTHS] - 1, 2, NULL) == NULL);
  store_cells_free(cells);
}

static void gather(comm *comm, void *user) {
  memory_budget memory;
  slice_store *store = open_store(user, comm, &memory);
  const uint64_t held = memory_allocated(&memory);
  uint64_t seed = 7 + (uint64_t)comm_rank(comm);
  for (int round = 0; round < 4; round++) check_gathered(store, &memory, &seed);
  ck_assert_uint_eq(memory_allocated(&memory), held);
  close_store(store, &memory);
}

CASE(gathered_rows_are_those_that_were_stored) {
  setting with = {_i % 2, 1 + _i % 3};
  toy_comm_run(_i / 2 + 1, gather, &with);
}

static void gather_alone(comm *comm, void *user) {
  memory_budget memory;
  slice_store *store = open_store(user, comm, &memory);
  game_run runs[] = {{WITH_DEPTHS, 100, 10}, {WITH_DEPTHS, 200, 10}};
  store_cells *cells;
  MUST(store_gather(store, runs, comm_is_root(comm) ? 2 : 0, 1, &cells, hear()));
  const game_finished finished = store_reader(cells);
  if (comm_is_root(comm)) check_read(&finished, 0, WITH_DEPTHS, 203, 7);
  ck_assert(finished.read(finished.user, WITH_DEPTHS, 0, 203, 8, NULL) == NULL);
  ck_assert(finished.read(finished.user, WITH_DEPTHS, 0, 150, 1, NULL) == NULL);
  ck_assert(finished.read(finished.user, WITH_DEPTHS, 0, 99, 1, NULL) == NULL);
  store_cells_free(cells);
  close_store(store, &memory);
}

CASE(what_was_not_gathered_cannot_be_read) {
  setting with = {false, 1};
  toy_comm_run(_i + 1, gather_alone, &with);
}

/* Many in a few frames, so that places repeat; the rest anywhere. */
static void draw_places(uint64_t *seed, game_place places[PLACES]) {
  const uint64_t spot = toy_draw(seed) % positions[WITH_DEPTHS];
  for (size_t i = 0; i < PLACES; i++) {
    const uint64_t kind = toy_draw(seed) % 8;
    const uint32_t slice = kind == 0 ? 0 : kind == 1 ? 1 : WITH_DEPTHS;
    places[i] = (game_place){slice, toy_draw(seed) % positions[slice]};
    if (kind == 2) places[i].index = (spot + toy_draw(seed) % 50) % positions[slice];
  }
}

static void check_asked(slice_store *store, size_t n, bool with_depths, uint64_t *seed) {
  static _Thread_local game_place places[PLACES];
  static _Thread_local int8_t values[PLANES][PLACES];
  static _Thread_local uint16_t found[PLACES];
  draw_places(seed, places);
  MUST(store_ask(store, places, n, PLANES, (int8_t *[]){values[0], values[1]},
                 with_depths ? (uint16_t *[]){found, NULL} : NULL, hear()));
  for (size_t i = 0; i < n; i++) {
    const uint16_t depth = places[i].slice == WITH_DEPTHS ? depth_at(0, places[i].index) : 0;
    bool right = !with_depths || found[i] == depth;
    for (int plane = 0; plane < PLANES; plane++)
      right = right && values[plane][i] == cell_at(places[i].slice, plane, places[i].index);
    if (!right) ck_abort_msg("place %zu is wrong", i);
  }
}

/* The same place in the first chunk of each rank. */
static void check_twins(slice_store *store) {
  const game_place places[] = {{WITH_DEPTHS, 5}, {WITH_DEPTHS, STORE_CHUNK + 5}};
  int8_t values[2] = {0, 0};
  MUST(store_ask(store, places, 2, 1, (int8_t *[]){values}, NULL, hear()));
  for (int i = 0; i < 2; i++) ck_assert_int_eq(values[i], cell_at(WITH_DEPTHS, 0, places[i].index));
}

static void ask(comm *comm, void *user) {
  memory_budget memory;
  slice_store *store = open_store(user, comm, &memory);
  uint64_t seed = 3 + (uint64_t)comm_rank(comm);
  const uint64_t held = memory_allocated(&memory), sent = comm_bytes_sent(comm);
  check_asked(store, PLACES, false, &seed);
  /* Values of two planes, and how to find them. */
  ck_assert(comm_bytes_sent(comm) - sent < PLACES * 5);
  check_asked(store, comm_rank(comm) == 1 ? 0 : PLACES, true, &seed);
  check_asked(store, 1, true, &seed);
  check_twins(store);
  ck_assert_uint_eq(memory_allocated(&memory), held);
  close_store(store, &memory);
}

CASE(cells_asked_for_are_those_that_were_stored) {
  setting with = {_i % 2, 1 + _i % 3};
  toy_comm_run(_i / 2 + 1, ask, &with);
}

static void read_damaged(comm *comm, void *user) {
  memory_budget memory;
  slice_store *store = open_store(user, comm, &memory);
  const bool last = comm_rank(comm) == comm_ranks(comm) - 1;
  const store_plane *plane = store_find_plane(store, WITH_DEPTHS, 0);
  if (last)
    MUST(unnamed_file_write(store->file, plane->chunks[comm_ranks(comm) - 1].at + 700, "\xA5", 1, hear()));
  game_run runs[] = {{WITH_DEPTHS, 0, positions[WITH_DEPTHS]}};
  store_cells *cells;
  REFUSED(TAULER_IO, "have changed since they were stored",
          store_gather(store, runs, comm_is_root(comm), 1, &cells, hear()));
  ck_assert_ptr_null(cells);
  const uint64_t damaged = (uint64_t)(comm_ranks(comm) - 1) * STORE_CHUNK;
  const game_place place = {WITH_DEPTHS, damaged + 5};
  int8_t value;
  REFUSED(TAULER_IO, "have changed since they were stored",
          store_ask(store, &place, comm_is_root(comm), 1, (int8_t *[]){&value}, NULL, hear()));
  close_store(store, &memory);
}

CASE(damaged_frames_are_found_and_every_rank_says_so) {
  setting with = {true, 2};
  toy_comm_run(_i + 1, read_damaged, &with);
}

static void run_out(comm *comm, void *user) {
  memory_budget memory;
  slice_store *store = open_store(user, comm, &memory);
  const uint64_t held = memory_allocated(&memory);
  /* At least the mail, messages, and a packet to and from every rank. */
  const uint64_t ranks = (uint64_t)comm_ranks(comm), takes = ranks > 1 ? 1 + 2 * ranks : 0;
  bool failed = true;
  for (uint64_t nth = 1; failed; nth++) {
    game_run runs[] = {{WITH_DEPTHS, 0, positions[WITH_DEPTHS]}};
    const game_place place = {1, 5};
    store_cells *cells;
    int8_t value;
    if (comm_is_root(comm)) memory_fail_allocation(&memory, nth, true);
    const tauler_error gathered = store_gather(store, runs, 1, 1, &cells, hear());
    store_cells_free(cells);
    if (comm_is_root(comm)) memory_fail_allocation(&memory, nth, true);
    const tauler_error asked = store_ask(store, &place, 1, 1, (int8_t *[]){&value}, NULL, hear());
    failed = gathered || asked;
    ck_assert(gathered == TAULER_NO_MEMORY || (gathered == TAULER_OK && nth > 3 + takes));
    ck_assert(asked == TAULER_NO_MEMORY || (asked == TAULER_OK && nth > 1 + takes));
    ck_assert_uint_eq(memory_allocated(&memory), held);
  }
  memory_fail_allocation(&memory, 0, false);
  close_store(store, &memory);
}

CASE(memory_that_is_missing_at_one_rank_ends_the_call_at_all) {
  setting with = {false, 1};
  toy_comm_run(_i + 1, run_out, &with);
}

CASE(what_was_never_stored_is_refused) {
  const store_settings settings = {.threads = 1, .room = SLICES};
  slice_store *store;
  store_cells *cells;
  int8_t value = 0, *values[] = {&value};
  memory_budget *memory = suite_budget(0);
  MUST(store_open(&settings, memory, &store, hear()));
  MUST(store_begin(store, 1, 0, 5000, NULL, hear()));
  game_run runs[] = {{1, 0, 10}, {2, 0, 1}, {1, 4999, 2}, {9, 0, 1}};
  for (size_t i = 0; i < 4; i++)
    ck_assert_int_eq(store_gather(store, &runs[i], 1, 1, &cells, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(store_ask(store, &(game_place){1, 5000}, 1, 1, values, NULL, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(store_ask(store, &(game_place){2, 0}, 1, 1, values, NULL, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(store_put(store, 1, 0, 1, &value, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(store_put(store, 2, 0, 0, &value, hear()), TAULER_INTERNAL);
  ck_assert(store_find_plane(store, 1, 0) && !store_find_plane(store, 2, 0) &&
            !store_find_plane(store, 9, 0));
  close_store(store, memory);
}

CASE(dropped_planes_give_their_room_back) {
  setting with = {_i == 1, 2};
  memory_budget memory;
  slice_store *store = open_store(&with, NULL, &memory);
  const uint64_t held = memory_allocated(&memory);
  put_plane(store, NULL, WITH_DEPTHS, 0);
  ck_assert_uint_eq(memory_allocated(&memory), held);
  int8_t cells[5000];
  fill_cells(1, 0, 0, sizeof cells, cells);
  MUST(store_put(store, 1, 0, 0, cells, NULL));
  ck_assert_uint_eq(memory_allocated(&memory), held);
  for (uint32_t slice = 0; slice < SLICES; slice++)
    for (int plane = 0; plane < STORE_PLANES; plane++) store_drop(store, slice, plane);
  ck_assert_uint_lt(memory_allocated(&memory) + 1000, held);
  ck_assert(!store_find_plane(store, WITH_DEPTHS, 0));
  close_store(store, &memory);
}

CASE(messages_come_back_and_are_never_longer_than_a_byte_more) {
  uint8_t bytes[3000], compressed[3001], back[3000];
  uint64_t seed = 1;
  for (size_t n = 0; n <= sizeof bytes; n += 1 + n / 7) {
    for (int noise = 0; noise < 2; noise++) {
      for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)(noise ? toy_draw(&seed) : i / 100);
      const size_t used = store_talk_compress(bytes, n, compressed);
      size_t found;
      ck_assert(used <= n + (n > 0) && (noise || n < 300 || used < n / 4));
      ck_assert(store_talk_decompress(compressed, used, back, sizeof back, &found) && found == n);
      ck_assert(n == 0 || memcmp(bytes, back, n) == 0);
      ck_assert(n == 0 || !store_talk_decompress(compressed, used, back, n - 1, &found));
    }
  }
}

SUITE("store") {
  LOOP(gathered_rows_are_those_that_were_stored, 2 * MOST_RANKS);
  LOOP(what_was_not_gathered_cannot_be_read, 2);
  LOOP(cells_asked_for_are_those_that_were_stored, 2 * MOST_RANKS);
  LOOP(damaged_frames_are_found_and_every_rank_says_so, 3);
  LOOP(memory_that_is_missing_at_one_rank_ends_the_call_at_all, 2);
  TEST(what_was_never_stored_is_refused);
  LOOP(dropped_planes_give_their_room_back, 2);
  TEST(messages_come_back_and_are_never_longer_than_a_byte_more);
}
