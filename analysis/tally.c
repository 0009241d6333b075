#include "analysis/tally.h"

#include <stdlib.h>

#include "analysis/worth.h"

enum { FIRST_ROOM = 256, PIECE = 1 << 16, OUTSIDE_PIECE = 1 << 12 };

static uint64_t hash_cell(plain_cell cell) {
  uint64_t hash = ((uint64_t)(uint16_t)cell.lower << 16 | (uint16_t)cell.upper) * 0x9E3779B97F4A7C15u;
  hash ^= ((uint64_t)(uint32_t)cell.depth_lower << 32 | (uint32_t)cell.depth_upper) * 0xD6E8FEB86659FD93u;
  return hash ^ hash >> 29;
}

static bool same_cell(plain_cell a, plain_cell b) {
  return a.lower == b.lower && a.upper == b.upper && a.depth_lower == b.depth_lower &&
         a.depth_upper == b.depth_upper;
}

static tally_row *find_slot(const tally *t, plain_cell cell) {
  size_t at = (size_t)hash_cell(cell) & (t->room - 1);
  while (t->slots[at].count && !same_cell(t->slots[at].cell, cell)) at = (at + 1) & (t->room - 1);
  return &t->slots[at];
}

static tauler_error grow(tally *t, tauler_message *message) {
  tally grown = {.room = t->room ? 2 * t->room : FIRST_ROOM, .used = t->used};
  grown.slots = calloc(grown.room, sizeof *grown.slots);
  if (!grown.slots) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
  for (size_t i = 0; i < t->room; i++) {
    if (t->slots[i].count) *find_slot(&grown, t->slots[i].cell) = t->slots[i];
  }
  free(t->slots);
  *t = grown;
  return TAULER_OK;
}

tauler_error tally_add(tally *t, plain_cell cell, uint64_t count, tauler_message *message) {
  if (count == 0) return TAULER_OK;
  if (2 * (t->used + 1) > t->room) {
    const tauler_error error = grow(t, message);
    if (error) return error;
  }
  tally_row *row = find_slot(t, cell);
  if (row->count == 0) t->used++;
  row->cell = cell;
  row->count += count;
  return TAULER_OK;
}

tauler_error tally_add_all(tally *t, const tally *from, tauler_message *message) {
  for (size_t i = 0; i < from->room; i++) {
    const tauler_error error = tally_add(t, from->slots[i].cell, from->slots[i].count, message);
    if (error) return error;
  }
  return TAULER_OK;
}

void tally_free(tally *t) {
  free(t->slots);
  *t = (tally){0};
}

static int by_cell(const void *left, const void *right) {
  const plain_cell a = ((const tally_row *)left)->cell, b = ((const tally_row *)right)->cell;
  if (a.lower != b.lower) return a.lower < b.lower ? -1 : 1;
  if (a.upper != b.upper) return a.upper < b.upper ? -1 : 1;
  if (a.depth_lower != b.depth_lower) return a.depth_lower < b.depth_lower ? -1 : 1;
  return (a.depth_upper > b.depth_upper) - (a.depth_upper < b.depth_upper);
}

void tally_sort(tally *t) {
  size_t used = 0;
  for (size_t i = 0; i < t->room; i++) {
    if (t->slots[i].count) t->slots[used++] = t->slots[i];
  }
  for (size_t i = used; i < t->room; i++) t->slots[i] = (tally_row){0};
  if (used) qsort(t->slots, used, sizeof *t->slots, by_cell);
}

typedef struct {
  tauler_tables *tables;
  uint32_t slice;
  const solved_slice *values;
  bool with_depths;
  bool outside;
  uint64_t total, piece;
} slice_task;

static tauler_error tally_stored(const slice_task *task, uint64_t first, size_t count, tally *t,
                                 tauler_message *message) {
  const game *g = task->tables->game;
  plain_cell *cells = malloc(count * sizeof *cells);
  if (!cells) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
  tauler_error error =
      cells_read(task->tables, task->slice, task->values, first, count, task->with_depths, cells, message);
  for (size_t i = 0; i < count && !error; i++) {
    const game_place place = {task->slice, first + i};
    const uint64_t copies = g->copies ? g->copies(task->tables->rules, place) : 1;
    error = tally_add(t, cells[i], copies, message);
  }
  free(cells);
  return error;
}

static tauler_error tally_outside(const slice_task *task, uint64_t first, size_t count, tally *t,
                                  tauler_message *message) {
  const game *g = task->tables->game;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < count && !error; i++) {
    game_position position;
    tauler_worth worth;
    g->outside_at(task->tables->rules, task->slice, first + i, &position);
    error = worth_of_position(task->tables, &position, task->with_depths, &worth, message);
    if (error) break;
    plain_cell cell = {(int16_t)worth.lower, (int16_t)worth.upper, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
    if (task->with_depths) {
      cell.depth_lower = worth.depth_lower;
      cell.depth_upper = worth.depth_upper;
    }
    error = tally_add(t, cell, 1, message);
  }
  return error;
}

static tauler_error tally_piece(const slice_task *task, uint64_t piece, tally *t, tauler_message *message) {
  const uint64_t first = piece * task->piece, left = task->total - first;
  const size_t count = (size_t)(left < task->piece ? left : task->piece);
  return task->outside ? tally_outside(task, first, count, t, message)
                       : tally_stored(task, first, count, t, message);
}

/* Threads take pieces in turn and add up what they have counted at the end; the first error stops
 * them, and its message is kept. */
static tauler_error tally_task(const slice_task *task, int threads, tally *t, tauler_message *message) {
  const uint64_t pieces = (task->total + task->piece - 1) / task->piece;
  const int useful = pieces < (uint64_t)threads ? (int)pieces + !pieces : threads;
  tauler_error result = TAULER_OK;
#pragma omp parallel num_threads(useful)
  {
    tally own = {0};
    tauler_message why = {""};
    tauler_error error = TAULER_OK;
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t piece = 0; piece < pieces; piece++) {
      if (!error) error = tally_piece(task, piece, &own, &why);
    }
#pragma omp critical(tally_merge)
    {
      if (!error) error = tally_add_all(t, &own, &why);
      if (error && !result) {
        result = error;
        tauler_fail(message, error, "%s", why.text);
      }
    }
    tally_free(&own);
  }
  return result;
}

/* One stream alone: its header has counted the plain values already. */
static tauler_error tally_header(tauler_tables *tables, uint32_t slice, tally *t, tauler_message *message) {
  const table *from;
  slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  tauler_error error = slice_table(tables, entry, STREAMS_VALUE, 0, &from, message);
  if (error) return error;
  const table_header *header = table_get_header(from);
  for (size_t i = 0; i < header->counts_used && !error; i++) {
    const int16_t value = (int16_t)header->counts[i].value;
    const plain_cell cell = {value, value, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
    error = tally_add(t, cell, header->counts[i].count, message);
  }
  return error;
}

bool tally_is_in_headers(const tauler_tables *tables, const tally_settings *settings) {
  return tables->planes == 1 && !settings->with_depths && !tables->game->copies;
}

tauler_error tally_slice(tauler_tables *tables, uint32_t slice, const solved_slice *values,
                         const tally_settings *settings, tally *t, tauler_message *message) {
  const game *g = tables->game;
  slice_task task = {tables, slice, values, settings->with_depths, false, g->positions(tables->rules, slice),
                     PIECE};
  tauler_error error = tally_is_in_headers(tables, settings)
                           ? tally_header(tables, slice, t, message)
                           : tally_task(&task, settings->threads, t, message);
  if (error || !settings->outside || !g->outside) return error;
  task.outside = true;
  task.piece = OUTSIDE_PIECE;
  task.total = g->outside(tables->rules, slice);
  return tally_task(&task, settings->threads, t, message);
}
