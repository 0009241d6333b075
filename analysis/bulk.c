#include "analysis/bulk.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PIECE = 1 << 18 };

struct bulk {
  tauler_tables *tables;
  memory_budget *memory;
  void *grid_tables;
  uint64_t grid_bytes; /* not charged to the budget, but kept free in it */
  finished_slices finished;
  solve_job job;
};

tauler_error bulk_open(tauler_tables *tables, uint32_t largest, int threads, memory_budget *memory,
                       bulk **out, tauler_message *message) {
  const game *g = tables->game;
  *out = NULL;
  bulk *b = calloc(1, sizeof *b);
  if (!b) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read slices");
  b->tables = tables;
  b->memory = memory;
  b->finished.room = largest + 1;
  b->finished.list = calloc(b->finished.room, sizeof *b->finished.list);
  tauler_error error = b->finished.list ? TAULER_OK : TAULER_NO_MEMORY;
  if (g->grid) b->grid_bytes = g->grid->prepared_bytes(tables->rules, largest);
  if (!error && g->grid)
    error = memory_plan(memory, b->grid_bytes, "what a game knows of its moves", message);
  if (!error && g->grid) error = g->grid->prepare(tables->rules, largest, &b->grid_tables);
  if (error) {
    bulk_close(b);
    return tauler_fail(message, error, "no memory to read slices");
  }
  b->job = (solve_job){.game = g,
                       .rules = tables->rules,
                       .threads = threads,
                       .memory = memory,
                       .grid_tables = b->grid_tables,
                       .finished = &b->finished};
  *out = b;
  return TAULER_OK;
}

void bulk_close(bulk *b) {
  if (!b) return;
  for (uint32_t i = 0; b->finished.list && i < b->finished.room; i++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++)
      memory_give(b->memory, b->finished.list[i].cells[plane]);
  }
  free(b->finished.list);
  if (b->grid_tables) b->tables->game->grid->release(b->grid_tables);
  free(b);
}

static tauler_error read_cells(const table *from, int8_t *cells, int threads, tauler_message *message) {
  const uint64_t total = table_get_header(from)->positions, pieces = (total + PIECE - 1) / PIECE;
  const int useful = pieces < (uint64_t)threads ? (int)pieces + !pieces : threads;
  tauler_error result = TAULER_OK;
#pragma omp parallel for num_threads(useful) schedule(dynamic, 1)
  for (uint64_t i = 0; i < pieces; i++) {
    const uint64_t first = i * PIECE, left = total - first;
    tauler_message why;
    const tauler_error error =
        table_read(from, first, (size_t)(left < PIECE ? left : PIECE), cells + first, &why);
    if (!error) continue;
#pragma omp critical(bulk_error)
    if (!result) result = tauler_fail(message, error, "%s", why.text);
  }
  return result;
}

static tauler_error read_planes(bulk *b, slice_entry *entry, solved_slice *out, int8_t reserved[SOLVE_PLANES],
                                bool *implied, tauler_message *message) {
  for (int plane = 0; plane < out->planes; plane++) {
    const table *from;
    tauler_error error = slice_table(b->tables, entry, STREAMS_VALUE, plane, &from, message);
    if (error) return error;
    const table_header *header = table_get_header(from);
    if (header->cell != TABLE_I8) {
      tauler_fail(message, TAULER_DAMAGED_FILE, "a table of slice %" PRIu32 " has no 8-bit cells",
                  out->slice);
      return TAULER_DAMAGED_FILE;
    }
    error = memory_take(b->memory, out->positions, "values of a slice", &out->cells[plane], message);
    if (!error) error = read_cells(from, out->cells[plane], b->job.threads, message);
    if (error) return error;
    /* In a plain table nothing equals the reserved cell, which no value reaches. */
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
    if (least < -largest || most > largest) {
      return tauler_fail(message, TAULER_DAMAGED_FILE,
                         "a table of slice %" PRIu32
                         " holds values out of range; check it with tauler verify, or "
                         "build it again",
                         slice->slice);
    }
  }
  return TAULER_OK;
}

tauler_error bulk_load(bulk *b, uint32_t slice, const solved_slice **out, tauler_message *message) {
  slice_entry *entry = slice_entry_of(b->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  int8_t reserved[SOLVE_PLANES] = {INT8_MIN, INT8_MIN};
  bool implied = false;
  solved_slice *loaded = &b->finished.list[slice];
  *loaded = (solved_slice){.slice = slice, .positions = entry->positions, .planes = b->tables->planes};
  tauler_error error = memory_plan(b->memory, b->grid_bytes + entry->positions * (uint64_t)loaded->planes,
                                   "values of a slice", message);
  if (!error) error = read_planes(b, entry, loaded, reserved, &implied, message);
  if (!error && implied) error = solve_recover(&b->job, loaded, reserved, message);
  if (!error) error = check_range(loaded, entry->largest, message);
  *out = loaded;
  return error;
}
