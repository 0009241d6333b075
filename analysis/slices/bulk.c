/* Reads plain values of whole slices into memory, by the games' kernels. */
#include "analysis/slices/bulk.h"
#include "solver/engines/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18 };
static const char values_of[] = "values of a slice";

struct bulk {
  tauler_tables *tables;
  memory_budget *memory;
  void *grid_tables;
  uint64_t grid_bytes;         /* not charged to the budget, but kept free in it */
  const engine_reader *reader; /* or NULL, and then: */
  slice_store *finished;       /* plain */
  slice_cells *all;            /* where they lie, by number */
  void *read;                  /* by the reader */
  build_job source;
  solve_job job;
};

static const engine_reader *reader_of(const tauler_tables *tables) {
  const engine *solves = engine_after(NULL, tables->game, tables->rules);
  return solves ? solves->reader : NULL;
}

bool bulk_has_depths(const tauler_tables *tables) {
  return reader_of(tables) != NULL;
}

static solved_slice *slice_at(const bulk *b, uint32_t slice) {
  const plain_slices plain = store_plain(b->finished);
  return slice < plain.room ? &plain.list[slice] : NULL;
}

static tauler_error open_lists(bulk *b, uint32_t largest, tauler_message *message) {
  if (b->reader) return b->reader->open(&b->source, largest, &b->read, message);
  const store_settings settings = {.plain = true, .room = largest + 1};
  b->all = calloc((size_t)largest + 1, sizeof *b->all);
  return b->all ? store_open(&settings, b->memory, &b->finished, message) : TAULER_NO_MEMORY;
}

tauler_error bulk_open(tauler_tables *tables, uint32_t largest, int threads, memory_budget *memory,
                       bulk **out, tauler_message *message) {
  const game *g = tables->game;
  *out = NULL;
  bulk *b = calloc(1, sizeof *b);
  if (!b) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read slices");
  b->tables = tables;
  b->memory = memory;
  b->reader = reader_of(tables);
  b->source = (build_job){.problem.game = g,
                          .problem.rules = tables->rules,
                          .folder = tables->db->folder,
                          .work.threads = threads,
                          .work.memory = memory};
  tauler_error error = open_lists(b, largest, message);
  if (g->grid) b->grid_bytes = g->grid->prepared_bytes(tables->rules, largest);
  if (!error && g->grid)
    error = memory_plan(memory, b->grid_bytes, "what a game knows of its moves", message);
  memory_keep(memory, b->grid_bytes);
  if (!error && g->grid) error = g->grid->prepare(tables->rules, largest, &b->grid_tables);
  if (error) {
    bulk_close(b);
    return tauler_fail(message, error, "no memory to read slices");
  }
  b->job = (solve_job){.problem.game = g,
                       .problem.rules = tables->rules,
                       .work.threads = threads,
                       .work.memory = memory,
                       .grid_tables = b->grid_tables,
                       .store = b->finished};
  *out = b;
  return TAULER_OK;
}

void bulk_drop(bulk *b, uint32_t slice) {
  solved_slice *dropped = slice_at(b, slice);
  if (b->reader) b->reader->drop(&b->source, b->read, slice);
  if (dropped) solved_slice_free(b->memory, dropped);
  if (dropped) b->all[slice] = (slice_cells){.cells = {NULL}};
}

void bulk_close(bulk *b) {
  if (!b) return;
  if (b->reader) b->reader->close(&b->source, b->read);
  free(b->all);
  store_close(b->finished);
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
    if (header->cell != TABLE_I8)
      return tauler_fail(message, TAULER_DAMAGED_FILE, "a table of slice %" PRIu32 " has no 8-bit cells",
                         out->slice);
    error = memory_take(b->memory, out->positions, values_of, &out->cells[plane], message);
    if (!error) error = read_cells(from, out->cells[plane], b->job.work.threads, message);
    if (error) return error;
    /* In a plain table nothing equals the reserved cell, which no value reaches. */
    reserved[plane] = header->coding == TABLE_IMPLIED ? (int8_t)header->reserved : INT8_MIN;
    *implied = *implied || header->coding == TABLE_IMPLIED;
  }
  return TAULER_OK;
}

static tauler_error out_of_range(uint32_t slice, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "a table of slice %" PRIu32
                     " holds values out of range; check it with tauler verify, or build it again",
                     slice);
}

static tauler_error check_range(const solved_slice *slice, int largest, tauler_message *message) {
  for (int plane = 0; plane < slice->planes; plane++) {
    int least = 0, most = 0;
    for (uint64_t i = 0; i < slice->positions; i++) {
      const int value = slice->cells[plane][i];
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    if (least < -largest || most > largest) return out_of_range(slice->slice, message);
  }
  return TAULER_OK;
}

/* Cells that rest on slices of another cycle rule, which `finished` does not have: one by one. */
static tauler_error resolve_left_out(bulk *b, solved_slice *loaded, const int8_t reserved[SOLVE_PLANES],
                                     tauler_message *message) {
  tauler_error result = TAULER_OK;
  for (int plane = 0; plane < loaded->planes; plane++) {
    int8_t *cells = loaded->cells[plane];
#pragma omp parallel for num_threads(b->job.work.threads) schedule(dynamic, 1024)
    for (uint64_t i = 0; i < loaded->positions; i++) {
      if (cells[i] != reserved[plane]) continue;
      tauler_message why;
      int value = 0;
      const tauler_error error =
          resolve_value(b->tables, plane, (game_place){loaded->slice, i}, NULL, &value, &why);
      cells[i] = (int8_t)value;
      if (!error) continue;
#pragma omp critical(bulk_error)
      if (!result) result = tauler_fail(message, error, "%s", why.text);
    }
  }
  return result;
}

static tauler_error recover(bulk *b, solved_slice *loaded, const int8_t reserved[SOLVE_PLANES],
                            tauler_message *message) {
  if (b->tables->fallback != b->tables) return resolve_left_out(b, loaded, reserved, message);
  return solve_recover_alone(&b->job, loaded, reserved, message);
}

static tauler_error load_values(bulk *b, slice_entry *entry, bulk_slice *out, tauler_message *message) {
  int8_t reserved[SOLVE_PLANES] = {INT8_MIN, INT8_MIN};
  bool implied = false;
  solved_slice *loaded = slice_at(b, entry->slice);
  *loaded = (solved_slice){.slice = entry->slice, .positions = entry->positions, .planes = b->tables->planes};
  tauler_error error = memory_plan(b->memory, b->grid_bytes + loaded->positions * (uint64_t)loaded->planes,
                                   values_of, message);
  if (!error) error = read_planes(b, entry, loaded, reserved, &implied, message);
  if (!error && implied) error = recover(b, loaded, reserved, message);
  if (!error) error = check_range(loaded, entry->largest, message);
  for (int plane = 0; plane < loaded->planes && !error; plane++)
    b->all[entry->slice].cells[plane] = loaded->cells[plane];
  out->values = loaded;
  out->all = b->all;
  return error;
}

tauler_error bulk_load(bulk *b, uint32_t slice, bulk_slice *out, tauler_message *message) {
  *out = (bulk_slice){.values = NULL};
  slice_entry *entry = slice_entry_of(b->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  if (!b->reader) return load_values(b, entry, out, message);
  const tauler_error error = b->reader->load(&b->source, b->read, slice, message);
  if (!error) out->outcomes = b;
  out->slice = slice;
  return error;
}

void bulk_outcomes(const bulk_slice *loaded, uint64_t first, size_t count, int8_t *cells, uint16_t *depths) {
  const bulk *b = loaded->outcomes;
  b->reader->read(b->read, loaded->slice, first, count, cells, depths);
}
