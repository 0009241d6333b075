/* Loads plain values of whole slices, with the games' kernels. */
#include "analysis/slices/bulk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/failure.h"
#include "recover/bitboards.h"
#include "recover/grid.h"

enum { PIECE = 1 << 18, BLOCKS_WORTH_THREADS = 1 << 12 };
static const char values_of[] = "values of a slice";

typedef struct {
  game_bitboards_plan plan;
  void *tables; /* the game's tables for the slice, or NULL if it is not loaded */
  uint64_t *won, *lost;
  uint8_t *depth;
} word_slice;

struct bulk {
  tauler_tables *tables;
  memory_budget *memory;
  int threads;
  void *grid_tables;
  uint64_t grid_bytes; /* bytes of grid_tables, allocated outside the budget, which leaves as many free */
  uint32_t room;
  /* [room] plain slices, or bitboards and pointers to them for kernels. The others are NULL. */
  solved_slice *all;
  word_slice *words;
  game_bitboards_finished *finished;
};

bool bulk_has_depths(const tauler_tables *tables) {
  return tables->game->bitboards != NULL;
}

static tauler_error allocate_lists(bulk *b, tauler_message *message) {
  if (!bulk_has_depths(b->tables))
    return memory_allocate_array(b->memory, b->room, sizeof *b->all, values_of, &b->all, message);
  tauler_error error =
      memory_allocate_array(b->memory, b->room, sizeof *b->words, values_of, &b->words, message);
  if (!error)
    error = memory_allocate_array(b->memory, b->room, sizeof *b->finished, values_of, &b->finished, message);
  return error;
}

tauler_error bulk_open(tauler_tables *tables, uint32_t largest, int threads, memory_budget *memory,
                       bulk **out, tauler_message *message) {
  const game_grid *grid = tables->game->grid;
  *out = NULL;
  bulk *b = calloc(1, sizeof *b);
  if (!b) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read slices");
  *b = (bulk){.tables = tables, .memory = memory, .threads = threads, .room = largest + 1};
  tauler_error error = allocate_lists(b, message);
  if (grid) b->grid_bytes = grid->prepared_bytes(tables->rules, largest);
  if (!error && grid) error = memory_plan(memory, b->grid_bytes, "what a game knows of its moves", message);
  memory_keep(memory, b->grid_bytes);
  if (!error && grid) error = grid->prepare(tables->rules, largest, &b->grid_tables);
  if (error) {
    bulk_close(b);
    return tauler_fail(message, error, "no memory to read slices");
  }
  *out = b;
  return TAULER_OK;
}

static void free_words(bulk *b, word_slice *dropped) {
  if (dropped->tables) b->tables->game->bitboards->close(dropped->tables);
  memory_free(b->memory, dropped->won);
  memory_free(b->memory, dropped->lost);
  memory_free(b->memory, dropped->depth);
  *dropped = (word_slice){.tables = NULL};
}

void bulk_drop(bulk *b, uint32_t slice) {
  if (slice >= b->room) return;
  if (b->all) solved_slice_free(b->memory, &b->all[slice]);
  if (b->finished) free_words(b, &b->words[slice]);
}

void bulk_close(bulk *b) {
  if (!b) return;
  for (uint32_t slice = 0; slice < b->room; slice++) bulk_drop(b, slice);
  memory_free(b->memory, b->all);
  memory_free(b->memory, b->words);
  memory_free(b->memory, b->finished);
  if (b->grid_tables) b->tables->game->grid->release(b->grid_tables);
  free(b);
}

static tauler_error read_cells(const table *from, int8_t *cells, int threads, tauler_message *message) {
  const uint64_t total = table_get_header(from)->positions, pieces = (total + PIECE - 1) / PIECE;
  const int useful = pieces < (uint64_t)threads ? (int)pieces + !pieces : threads;
  failure failed = {0};
#pragma omp parallel for num_threads(useful) schedule(dynamic, 1)
  for (uint64_t i = 0; i < pieces; i++) {
    const uint64_t first = i * PIECE, left = total - first;
    tauler_message why = {""};
    const size_t n = (size_t)(left < PIECE ? left : PIECE);
    failure_note(&failed, table_read(from, first, n, cells + first, &why), &why);
  }
  return failure_outcome(&failed, message);
}

static tauler_error read_planes(bulk *b, slice_entry *entry, solved_slice *out, int8_t reserved[MOST_PLANES],
                                bool *implied, tauler_message *message) {
  for (int plane = 0; plane < out->planes; plane++) {
    const table *from;
    tauler_error error = slice_table(b->tables, entry, STREAMS_VALUE, plane, &from, message);
    if (error) return error;
    const table_header *header = table_get_header(from);
    if (header->cell != TABLE_I8)
      return tauler_fail(message, TAULER_DAMAGED_FILE, "a table of slice %" PRIu32 " has no 8-bit cells",
                         out->slice);
    error = memory_allocate(b->memory, out->positions, values_of, &out->cells[plane], message);
    if (!error) error = read_cells(from, out->cells[plane], b->threads, message);
    if (error) return error;
    /* In a plain table every cell is a value, and no value is INT8_MIN. */
    reserved[plane] = header->coding == TABLE_IMPLIED ? (int8_t)header->reserved : INT8_MIN;
    *implied = *implied || header->coding == TABLE_IMPLIED;
  }
  return TAULER_OK;
}

static tauler_error check_range(const solved_slice *slice, int largest, tauler_message *message) {
  for (int plane = 0; plane < slice->planes; plane++) {
    int least = 0, most = 0;
    for (uint64_t i = 0; i < slice->positions; i++) {
      const int value = slice->cells[plane][i];
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    if (least < -largest || most > largest)
      return tauler_fail(message, TAULER_NOT_PROVEN,
                         "a table of slice %" PRIu32
                         " holds values out of range; check it with tauler verify, or build it again",
                         slice->slice);
  }
  return TAULER_OK;
}

/* Computes one by one the cells that tables leave out, for a game without kernels and for cells that depend
 * on slices of another cycle rule. */
static tauler_error resolve_left_out_cells(bulk *b, solved_slice *loaded, const int8_t reserved[MOST_PLANES],
                                           tauler_message *message) {
  failure failed = {0};
  for (int plane = 0; plane < loaded->planes; plane++) {
    int8_t *cells = loaded->cells[plane];
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 1024)
    for (uint64_t i = 0; i < loaded->positions; i++) {
      if (cells[i] != reserved[plane]) continue;
      tauler_message why = {""};
      int value = 0;
      const game_place place = {loaded->slice, i};
      failure_note(&failed, resolve_value(b->tables, plane, place, NULL, &value, &why), &why);
      cells[i] = (int8_t)value;
    }
  }
  return failure_outcome(&failed, message);
}

static tauler_error recover_left_out_cells(bulk *b, solved_slice *loaded, const int8_t reserved[MOST_PLANES],
                                           tauler_message *message) {
  enum { WORTH_THREADS = 1 << 18 };
  const tauler_tables *tables = b->tables;
  if (tables->fallback != tables || !tables->game->grid)
    return resolve_left_out_cells(b, loaded, reserved, message);
  const recover_grid_job job = {.game = tables->game,
                                .rules = tables->rules,
                                .tables = b->grid_tables,
                                .finished = {b->all, b->room},
                                .threads = loaded->positions < WORTH_THREADS ? 1 : b->threads};
  return recover_grid(&job, loaded, reserved, message);
}

static tauler_error load_values(bulk *b, slice_entry *entry, tauler_message *message) {
  int8_t reserved[MOST_PLANES] = {INT8_MIN, INT8_MIN};
  bool implied = false;
  solved_slice *loaded = &b->all[entry->slice];
  *loaded = (solved_slice){.slice = entry->slice, .positions = entry->positions, .planes = b->tables->planes};
  tauler_error error = memory_plan(b->memory, b->grid_bytes + loaded->positions * (uint64_t)loaded->planes,
                                   values_of, message);
  if (!error) error = read_planes(b, entry, loaded, reserved, &implied, message);
  if (!error && implied) error = recover_left_out_cells(b, loaded, reserved, message);
  if (!error) error = check_range(loaded, entry->largest, message);
  return error;
}

static tauler_error allocate_words(bulk *b, uint32_t slice, tauler_message *message) {
  word_slice *out = &b->words[slice];
  const game_bitboards *kernels = b->tables->game->bitboards;
  const game_bitboards_plan *plan = &out->plan;
  kernels->plan(b->tables->rules, slice, &out->plan);
  tauler_error error = kernels->open(b->tables->rules, slice, &out->tables);
  if (error) return tauler_fail(message, error, "no memory for %s", values_of);
  error = bitboard_array_allocate(b->memory, plan, sizeof *out->won, values_of, &out->won, message);
  if (!error)
    error = bitboard_array_allocate(b->memory, plan, sizeof *out->lost, values_of, &out->lost, message);
  if (!error)
    error = bitboard_array_allocate(b->memory, plan, plan->columns, values_of, &out->depth, message);
  return error;
}

static game_bitboards_state state_of(const bulk *b, uint32_t slice) {
  const word_slice *words = &b->words[slice];
  return (game_bitboards_state){
      .won = words->won, .lost = words->lost, .depth = words->depth, .finished = b->finished};
}

static tauler_error load_words(bulk *b, slice_entry *entry, tauler_message *message) {
  const table *values, *depths;
  const tauler_tables *tables = b->tables;
  word_slice *words = &b->words[entry->slice];
  uint32_t deepest;
  tauler_error error = slice_table(b->tables, entry, STREAMS_VALUE, 0, &values, message);
  if (!error) error = slice_table(b->tables, entry, STREAMS_DEPTH, 0, &depths, message);
  if (!error) error = allocate_words(b, entry->slice, message);
  if (error) return error;
  const recover_bitboards_job job = {.game = tables->game,
                                     .rules = tables->rules,
                                     .slice = entry->slice,
                                     .plan = &words->plan,
                                     .tables = words->tables,
                                     .state = state_of(b, entry->slice),
                                     .values = values,
                                     .depths = depths,
                                     .folder = tables->db->folder,
                                     .threads = words->plan.blocks < BLOCKS_WORTH_THREADS ? 1 : b->threads,
                                     .memory = b->memory};
  error = recover_bitboards(&job, &deepest, message);
  b->finished[entry->slice] = (game_bitboards_finished){words->won, words->lost, words->depth};
  return error;
}

tauler_error bulk_load(bulk *b, uint32_t slice, bulk_slice *out, tauler_message *message) {
  *out = (bulk_slice){.slice = slice};
  slice_entry *entry = slice_entry_of(b->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  const tauler_error error = (b->all ? load_values : load_words)(b, entry, message);
  if (error && b->words) bulk_drop(b, slice);
  if (!error) out->all = b->all;
  if (!error && !b->all) out->outcomes = b;
  return error;
}

void bulk_read_outcomes(const bulk_slice *loaded, uint64_t first, size_t count, int8_t *cells,
                        uint16_t *depths) {
  const bulk *b = loaded->outcomes;
  const game_bitboards_state state = state_of(b, loaded->slice);
  b->tables->game->bitboards->gather(b->words[loaded->slice].tables, &state, first, count, cells, depths);
}
