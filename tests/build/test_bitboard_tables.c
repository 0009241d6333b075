/* Tables of slices in words: what is written, what comes back, and what is not believed. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/durable_file.h"
#include "databases/streams.h"
#include "solver/tables/slice_tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy_store.h"

static char tables_folder[512];

static void make_tables_folder(void) {
  make_folder();
  snprintf(tables_folder, sizeof tables_folder, "%s/toy/random", folder);
  MUST(durable_folder_create(tables_folder, NULL));
}

static const toy_bitboards_graph graph = {3, {300, 500, 400}, 3, 2, 2, 12, 1, 1};
static const toy_bitboards_shape shape = {.cells = 7, .tile_blocks = 5, .run = 3, .left_out_percent = 40};

/* More cells than the windows of a thread hold, from two ends of the index. */
static const toy_bitboards_graph large_graph = {2, {50000, 90000}, 2, 1, 1, 3, 1, 1};
static const toy_bitboards_shape large_shape = {.cells = 17, .tile_blocks = 3, .left_out_percent = 40};

static build_job build_of(const toy_world *w) {
  return (build_job){.problem.game = &w->toy->game,
                     .problem.rules = w->toy->rules,
                     .folder = folder,
                     .level = 1,
                     .work.threads = 1};
}

static void write_slice(toy_world *w, uint32_t slice, table_header written[BITBOARD_TABLES]) {
  const build_job build = build_of(w);
  MUST(bitboard_slice_write(&build, &w->job, &w->list[slice], written, hear()));
}

static void write_all(toy_world *w) {
  table_header written[BITBOARD_TABLES];
  for (uint32_t s = 0; s < w->toy->used; s++) write_slice(w, s, written);
}

static table *open_stream(const toy_world *w, uint32_t slice, const char *stream) {
  const build_job build = build_of(w);
  table *found;
  MUST(slice_table_find(&build, slice, stream, &found, hear()));
  ck_assert_ptr_nonnull(found);
  return found;
}

static uint16_t plain_depth(const solved_slice *slice, uint64_t i) {
  return slice->depths[0][i] == SOLVE_NO_DEPTH ? 0 : slice->depths[0][i];
}

static void check_digests(const solved_slice *right, bool wide, const table_header written[BITBOARD_TABLES]) {
  table_digester *values = table_digester_new(), *depths = table_digester_new();
  table_digester_add(values, right->cells[0], right->positions);
  for (uint64_t i = 0; i < right->positions; i++) {
    const uint16_t depth = plain_depth(right, i);
    table_digester_add(depths, &depth, wide ? 2 : 1);
  }
  const table_digest of_values = table_digester_end(values), of_depths = table_digester_end(depths);
  ck_assert_mem_eq(&of_values, &written[BITBOARD_VALUES].plain_digest, sizeof of_values);
  ck_assert_mem_eq(&of_depths, &written[BITBOARD_DEPTHS].plain_digest, sizeof of_depths);
}

static void check_stored(const toy_world *w, const solved_slice *right) {
  table *values = open_stream(w, right->slice, STREAM_VALUE),
        *depths = open_stream(w, right->slice, STREAM_DEPTH);
  const uint8_t *left_out = w->words->left_out[right->slice];
  const uint64_t n = right->positions;
  int8_t *cells = suite_zeros(n, 1);
  uint8_t *plies = suite_zeros(n, 1);
  MUST(table_read(values, 0, n, cells, NULL));
  MUST(table_read(depths, 0, n, plies, NULL));
  uint64_t missing = 0;
  for (uint64_t i = 0; i < n; i++) {
    missing += left_out[i];
    const int value = left_out[i] ? SLICE_RESERVED : right->cells[0][i];
    const int depth = left_out[i] ? UINT8_MAX : plain_depth(right, i);
    if (cells[i] != value || plies[i] != depth)
      ck_abort_msg("slice %u, cell %llu is %d, %u, not %d, %d", right->slice, (unsigned long long)i, cells[i],
                   plies[i], value, depth);
  }
  ck_assert_uint_gt(missing, n / 8);
  table_close(values);
  table_close(depths);
}

CASE(tables_hold_the_right_cells) {
  const bool large = _i == 0;
  toy_world *w = toy_world_open(toy_bitboards_random(large ? &large_graph : &graph, (uint64_t)_i),
                                large ? &large_shape : &shape, 1 + _i % 3);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    table_header written[BITBOARD_TABLES];
    write_slice(w, s, written);
    ck_assert_str_eq(written[BITBOARD_VALUES].stream, STREAM_VALUE);
    ck_assert_str_eq(written[BITBOARD_DEPTHS].stream, STREAM_DEPTH);
    ck_assert_uint_eq(written[BITBOARD_DEPTHS].positions, w->right[s].positions);
    check_digests(&w->right[s], false, written);
    check_stored(w, &w->right[s]);
  }
}

/* A game that has neither looks nor cells left out; the way of whole slices writes the same. */
CASE(other_engines_write_the_same) {
  toy_bitboards_shape all = shape;
  all.left_out_percent = _i ? 40 : 0;
  toy_world *w = toy_world_open(toy_bitboards_random(&graph, 4), &all, 1);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  build_job build = build_of(w);
  build.work.memory = &w->memory;
  for (uint32_t s = 0; s < w->toy->used; s++) {
    table_header written[BITBOARD_TABLES];
    write_slice(w, s, written);
    toy_write_values(&build, &w->job, &w->right[s]);
    toy_write_depths(&build, &w->job, &w->right[s]);
    table *values = open_stream(w, s, STREAM_VALUE), *depths = open_stream(w, s, STREAM_DEPTH);
    const table_digest *stored = &table_get_header(values)->stored_digest;
    ck_assert_mem_eq(stored, &written[BITBOARD_VALUES].stored_digest, sizeof *stored);
    stored = &table_get_header(depths)->stored_digest;
    ck_assert_mem_eq(stored, &written[BITBOARD_DEPTHS].stored_digest, sizeof *stored);
    table_close(values);
    table_close(depths);
  }
}

static const struct {
  uint64_t length;
  bool wide;
} paths[] = {{255, false}, {256, true}, {300, true}, {510, true}};

CASE(depths_of_two_bytes_where_one_is_not_enough) {
  toy_world *w = toy_world_open(toy_bitboards_path(1, &paths[_i].length), &large_shape, 1);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  for (int loaded = 0; loaded < 2; loaded++) {
    table_header written[BITBOARD_TABLES];
    write_slice(w, 0, written);
    ck_assert(written[BITBOARD_DEPTHS].cell == (paths[_i].wide ? TABLE_U16 : TABLE_U8));
    check_digests(&w->right[0], paths[_i].wide, written);
    bitboard_slice_close(&w->memory, &w->list[0]);
    const build_job build = build_of(w);
    MUST(bitboard_slice_load(&build, &w->job, w->cells, 0, &w->list[0], hear()));
    toy_world_compare(w, &w->list[0]);
  }
}

/* --- coming back --- */

static tauler_error try_load(toy_world *w, uint32_t slice, bitboard_slice *out, tauler_message *message) {
  const build_job build = build_of(w);
  return bitboard_slice_load(&build, &w->job, w->cells, slice, out, message);
}

CASE(what_was_written_comes_back) {
  const bool large = _i < 3;
  toy_world *w = toy_world_open(toy_bitboards_random(large ? &large_graph : &graph, (uint64_t)_i),
                                large ? &large_shape : &shape, 1 + _i % 3);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  write_all(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    bitboard_slice loaded;
    const uint64_t blocks = w->list[s].plan.blocks;
    w->words->recovered = 0;
    MUST(try_load(w, s, &loaded, hear()));
    ck_assert_mem_eq(loaded.won, w->list[s].won, blocks * sizeof *loaded.won);
    ck_assert_mem_eq(loaded.lost, w->list[s].lost, blocks * sizeof *loaded.lost);
    ck_assert_uint_eq(w->words->recovered, 2 * loaded.plan.tiles);
    toy_world_compare(w, &loaded);
    bitboard_slice_close(&w->memory, &w->list[s]);
    w->list[s] = loaded; /* the next ones are given back from this one */
    w->cells[s] = (game_bitboards_finished){loaded.won, loaded.lost, loaded.depth};
  }
}

CASE(loading_keeps_to_its_plan) {
  const bool large = _i > 0;
  toy_world *w = toy_world_open(toy_bitboards_random(large ? &large_graph : &graph, 2),
                                large ? &large_shape : &shape, 1 + _i);
  toy_world_solve_all(w);
  write_all(w);
  for (uint32_t s = 0; s < w->toy->used; s++) {
    const uint64_t planned = bitboard_slice_bytes(&w->job, s);
    memory_budget tight, *whole = w->job.work.memory;
    memory_budget_open(&tight, planned);
    w->job.work.memory = &tight;
    bitboard_slice loaded;
    MUST(try_load(w, s, &loaded, hear()));
    ck_assert_uint_eq(memory_allocated(&tight), bitboard_slice_finished_bytes(&w->job, s));
    const uint64_t peak = memory_peak(&tight);
    bitboard_slice_close(&tight, &loaded);
    memory_budget_open(&tight, peak);
    const uint64_t takes = 4;
    for (uint64_t nth = 1; nth <= takes; nth++) {
      memory_fail_allocation(&tight, nth, false);
      ck_assert_int_eq(try_load(w, s, &loaded, hear()), TAULER_NO_MEMORY);
      ck_assert(said.text[0]);
      ck_assert_uint_eq(memory_allocated(&tight), 0);
      ck_assert_ptr_null(loaded.tables);
    }
    memory_fail_allocation(&tight, takes + 1, false);
    MUST(try_load(w, s, &loaded, hear()));
    bitboard_slice_close(&tight, &loaded);
    memory_budget_open(&tight, planned);
    bitboard_slice again = {0};
    solve_effort effort;
    MUST(bitboard_slice_solve(&w->job, w->cells, s, &again, &effort, NULL));
    bitboard_slice_close(&tight, &again);
    const uint64_t most = memory_peak(&tight) > peak ? memory_peak(&tight) : peak;
    ck_assert_uint_ge(most, planned - planned / 10);
    w->job.work.memory = whole;
  }
}

/* --- damage --- */

enum { ANY_VALUE = 2, OF_RIGHT = -2 };

/* The entry of a table for a cell of some kind; OF_RIGHT: the right one. */
static const struct {
  const char *what;
  int kind; /* value of the cell that is stored wrongly, or OF_RIGHT for one that is left out */
  int value, depth;
} lies[] = {{"no value", 1, ANY_VALUE, OF_RIGHT},
            {"no value", 0, -3, OF_RIGHT},
            {"a draw with a depth", 0, 0, 2},
            {"a win with the depth of a loss", 1, 1, 4},
            {"a win at once", 1, 1, 0},
            {"a loss with the depth of a win", -1, -1, 3},
            {"a loss at once where play goes on", 1, -1, 0},
            {"a win beyond what can be counted", 1, 1, 511},
            {"a loss beyond what can be counted", -1, -1, 510},
            {"a value that is left out though nothing gives it back", 0, SLICE_RESERVED, OF_RIGHT},
            {"a cell that is left out though nothing gives it back", 1, SLICE_RESERVED, UINT16_MAX},
            {"a depth that is left out though nothing gives it back", 1, 1, UINT16_MAX},
            {"a value that should be left out", OF_RIGHT, 0, UINT16_MAX},
            {"a depth that should be left out", OF_RIGHT, SLICE_RESERVED, 0}};

typedef struct {
  const toy_world *w;
  const solved_slice *right;
  uint64_t at;
  int value, depth;
  bool depths;
} liar;

static tauler_error fill_lies(void *user, uint64_t first, size_t count, void *stored, void *plain,
                              tauler_message *message) {
  const liar *l = user;
  for (size_t i = 0; i < count; i++) {
    const uint64_t at = first + i;
    const bool left_out = l->w->words->left_out[l->right->slice][at];
    int value = left_out ? SLICE_RESERVED : l->right->cells[0][at];
    int depth = left_out ? UINT16_MAX : plain_depth(l->right, at);
    if (at == l->at && l->value != OF_RIGHT) value = l->value;
    if (at == l->at && l->depth != OF_RIGHT) depth = l->depth;
    if (l->depths) {
      ((uint16_t *)stored)[i] = ((uint16_t *)plain)[i] = (uint16_t)depth;
    } else {
      ((int8_t *)stored)[i] = ((int8_t *)plain)[i] = (int8_t)value;
    }
  }
  return TAULER_OK;
}

static uint64_t find_cell(const toy_world *w, uint32_t slice, int kind) {
  uint64_t i = 50;
  const solved_slice *right = &w->right[slice];
  const uint8_t *left_out = w->words->left_out[slice];
  while (kind == OF_RIGHT ? !left_out[i]
                          : left_out[i] || right->cells[0][i] != kind || plain_depth(right, i) == 255)
    i++;
  ck_assert_uint_lt(i, right->positions);
  return i;
}

static void write_lies(const toy_world *w, liar *l, table_cell depths) {
  const build_job build = build_of(w);
  const table_write_settings settings = {.level = 1, .threads = 1};
  table_header headers[BITBOARD_TABLES];
  slice_values_header(&build.problem, l->right->slice, 0, 0, &headers[BITBOARD_VALUES]);
  slice_depths_header(&build, l->right->slice, 0, true, &headers[BITBOARD_DEPTHS]);
  headers[BITBOARD_DEPTHS].cell = depths;
  if (depths == TABLE_I16) headers[BITBOARD_DEPTHS].reserved = -1;
  for (int i = 0; i < BITBOARD_TABLES; i++) {
    char path[700];
    snprintf(path, sizeof path, "%s/%s.%s.zst", tables_folder, headers[i].slice, headers[i].stream);
    l->depths = i == BITBOARD_DEPTHS;
    MUST(table_write(path, &headers[i], &settings, fill_lies, l, NULL, hear()));
  }
}

CASE(cells_that_no_solve_gives_are_not_believed) {
  toy_world *w = toy_world_open(toy_bitboards_random(&graph, 6), &shape, 1);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  liar l = {w, &w->right[1], 0, OF_RIGHT, OF_RIGHT, false};
  write_lies(w, &l, TABLE_U16);
  bitboard_slice loaded;
  MUST(try_load(w, 1, &loaded, hear()));
  toy_world_compare(w, &loaded);
  bitboard_slice_close(&w->memory, &loaded);
  l.at = find_cell(w, 1, lies[_i].kind);
  l.value = lies[_i].value;
  l.depth = lies[_i].depth;
  write_lies(w, &l, TABLE_U16);
  const uint64_t taken = memory_allocated(&w->memory);
  ck_assert_msg(try_load(w, 1, &loaded, hear()) == TAULER_DAMAGED_FILE, "%s is believed", lies[_i].what);
  char number[32];
  snprintf(number, sizeof number, "cell %llu ", (unsigned long long)l.at);
  ck_assert_msg(strstr(said.text, number) && strstr(said.text, folder), "%s", said.text);
  ck_assert_msg(strstr(said.text, "1.value") && strstr(said.text, "1.depth"), "%s", said.text);
  ck_assert_uint_eq(memory_allocated(&w->memory), taken);
  ck_assert_ptr_null(loaded.won);
}

CASE(cells_of_another_kind_are_not_believed) {
  toy_world *w = toy_world_open(toy_bitboards_random(&graph, 6), &shape, 1);
  toy_world_find_right(w);
  toy_world_solve_all(w);
  liar l = {w, &w->right[1], 0, OF_RIGHT, OF_RIGHT, false};
  write_lies(w, &l, TABLE_I16);
  bitboard_slice loaded;
  ck_assert_int_eq(try_load(w, 1, &loaded, hear()), TAULER_DAMAGED_FILE);
  ck_assert_msg(strstr(said.text, "another kind") && strstr(said.text, folder), "%s", said.text);
}

/* A frame of the table cannot be read. */
static void damage_file(const char *path) {
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  flip_bit(path, about.st_size / 2, 0);
}

CASE(tables_that_cannot_be_read_are_named) {
  static const char *const streams[] = {STREAM_VALUE, STREAM_DEPTH};
  toy_world *w = toy_world_open(toy_bitboards_random(&large_graph, 6), &large_shape, 1 + _i);
  toy_world_solve_all(w);
  write_all(w);
  char path[700];
  snprintf(path, sizeof path, "%s/1.%s.zst", tables_folder, streams[_i]);
  damage_file(path);
  bitboard_slice loaded;
  const uint64_t taken = memory_allocated(&w->memory);
  REFUSED(TAULER_DAMAGED_FILE, path, try_load(w, 1, &loaded, hear()));
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(try_load(w, 1, &loaded, hear()), TAULER_TABLE_MISSING);
  ck_assert_uint_eq(memory_allocated(&w->memory), taken);
  ck_assert_ptr_null(loaded.won);
}

SUITE("tables of words") {
  FIXTURE(make_tables_folder, remove_folder);
  LOOP(tables_hold_the_right_cells, 4);
  LOOP(other_engines_write_the_same, 2);
  LOOP(depths_of_two_bytes_where_one_is_not_enough, ROWS(paths));
  LOOP(what_was_written_comes_back, 6);
  LOOP(loading_keeps_to_its_plan, 2);
  LOOP(cells_that_no_solve_gives_are_not_believed, ROWS(lies));
  TEST(cells_of_another_kind_are_not_believed);
  LOOP(tables_that_cannot_be_read_are_named, 2);
}
