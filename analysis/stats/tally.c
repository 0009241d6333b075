/* Counts the values and depths of a slice. */
#include "analysis/stats/tally.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/probe/worth.h"

enum {
  FIRST_ROOM = 256,
  PIECE = 1 << 15,
  OUTSIDE_PIECE = 1 << 12,
  OUTSIDE_EDGES = 512,
  NO_WORTH = INT16_MIN
};
enum { PIECES_PER_THREAD = 4 }; /* with fewer pieces, waking a thread costs more time than it saves */
enum { COUNTED_VALUES = 3, COUNTED_DEPTHS = 512 };

static uint64_t hash_cell(plain_cell cell) {
  uint64_t hash = ((uint64_t)(uint16_t)cell.lower << 16 | (uint16_t)cell.upper) * 0x9E3779B97F4A7C15u;
  hash ^= ((uint64_t)(uint32_t)cell.depth_lower << 32 | (uint32_t)cell.depth_upper) * 0xD6E8FEB86659FD93u;
  return hash ^ hash >> 29;
}

static tally_row *find_slot(const tally *t, plain_cell cell) {
  size_t at = (size_t)hash_cell(cell) & (t->room - 1);
  while (t->slots[at].count && memcmp(&t->slots[at].cell, &cell, sizeof cell) != 0)
    at = (at + 1) & (t->room - 1);
  return &t->slots[at];
}

static tauler_error grow_slots(tally *t, tauler_message *message) {
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
    const tauler_error error = grow_slots(t, message);
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

static int compare_by_cell(const void *left, const void *right) {
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
  if (used) qsort(t->slots, used, sizeof *t->slots, compare_by_cell);
}

typedef struct {
  tally *counted;
  uint64_t few[COUNTED_VALUES][COUNTED_DEPTHS]; /* counts by [value + 1][depth, or 0 if there is none] */
  uint8_t copies[PIECE];
  union {
    plain_cell plain[PIECE];
    struct {
      int8_t cells[PIECE];
      uint16_t depths[PIECE];
    } outcomes;
  } read;
} counting;

static bool fits_counters(plain_cell cell) {
  return cell.lower == cell.upper && cell.lower >= -1 && cell.lower <= 1 &&
         cell.depth_lower == cell.depth_upper && cell.depth_lower < COUNTED_DEPTHS &&
         (cell.lower == 0) == (cell.depth_lower == TAULER_NO_DEPTH);
}

static tauler_error flush_counters(counting *own, bool with_depths, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int v = 0; v < COUNTED_VALUES; v++) {
    for (int d = 0; d < COUNTED_DEPTHS && !error; d++) {
      const int16_t value = (int16_t)(v - 1);
      const int32_t depth = with_depths && value != 0 ? d : TAULER_NO_DEPTH;
      error = tally_add(own->counted, (plain_cell){value, value, depth, depth}, own->few[v][d], message);
    }
  }
  return error;
}

typedef struct {
  tauler_tables *tables;
  uint32_t slice;
  const bulk_slice *loaded; /* or NULL */
  const tally_settings *settings;
  bool outside;
  uint64_t first, total, piece;
} slice_task;

static void count_outcomes(const slice_task *task, uint64_t first, size_t count, counting *own) {
  int8_t *cells = own->read.outcomes.cells;
  uint16_t *depths = own->read.outcomes.depths;
  bulk_read_outcomes(task->loaded, first, count, cells, depths);
  for (size_t i = 0; i < count; i++) own->few[cells[i] + 1][depths[i]] += own->copies[i];
}

static tauler_error count_cells(const slice_task *task, uint64_t first, size_t count, counting *own,
                                tauler_message *message) {
  plain_cell *cells = own->read.plain;
  const solved_slice *all = task->loaded ? task->loaded->all : NULL;
  tauler_error error =
      cells_read(task->tables, task->slice, all, first, count, task->settings->with_depths, cells, message);
  for (size_t i = 0; i < count && !error; i++) {
    const plain_cell cell = cells[i];
    if (task->settings->with_depths && fits_counters(cell)) {
      own->few[cell.lower + 1][cell.lower ? cell.depth_lower : 0] += own->copies[i];
    } else {
      error = tally_add(own->counted, cell, own->copies[i], message);
    }
  }
  return error;
}

static tauler_error tally_stored_positions(const slice_task *task, uint64_t first, size_t count,
                                           counting *own, tauler_message *message) {
  const game *g = task->tables->game;
  if (g->copies) {
    g->copies(task->tables->rules, task->slice, first, count, own->copies);
  } else {
    memset(own->copies, 1, count);
  }
  if (!task->loaded || !task->loaded->outcomes) return count_cells(task, first, count, own, message);
  count_outcomes(task, first, count, own);
  return TAULER_OK;
}

static tauler_error tally_outside_positions(const slice_task *task, uint64_t first, size_t count, tally *t,
                                            tauler_message *message) {
  const game *g = task->tables->game;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < count && !error; i++) {
    game_position position;
    tauler_worth worth;
    g->outside_at(task->tables->rules, task->slice, first + i, &position);
    error = worth_of_position(task->tables, &position, task->settings->with_depths, &worth, message);
    if (error) break;
    plain_cell cell = {(int16_t)worth.lower, (int16_t)worth.upper, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
    if (task->settings->with_depths) {
      cell.depth_lower = worth.depth_lower;
      cell.depth_upper = worth.depth_upper;
    }
    error = tally_add(t, cell, 1, message);
  }
  return error;
}

/* Positions without an index, with the greatest bounds of their moves so far. */
typedef struct {
  const slice_task *task;
  int16_t lower[OUTSIDE_PIECE], upper[OUTSIDE_PIECE];
} outside_batch;

static tauler_error update_outside_bounds(void *user, const game_edge *edges, size_t n) {
  outside_batch *batch = user;
  const solved_slice *all = batch->task->loaded->all;
  const int last = batch->task->tables->planes - 1;
  for (size_t i = 0; i < n; i++) {
    const game_edge *edge = &edges[i];
    int lower = edge->gain, upper = lower;
    if (edge->to.slice != GAME_OVER) {
      const solved_slice *child = &all[edge->to.slice];
      lower -= child->cells[last][edge->to.index];
      upper -= child->cells[0][edge->to.index];
    }
    if (lower > batch->lower[edge->from]) batch->lower[edge->from] = (int16_t)lower;
    if (upper > batch->upper[edge->from]) batch->upper[edge->from] = (int16_t)upper;
  }
  return TAULER_OK;
}

static tauler_error tally_outside_batch(const slice_task *task, uint64_t first, size_t count, tally *t,
                                        tauler_message *message) {
  const game *g = task->tables->game;
  game_edge edges[OUTSIDE_EDGES];
  outside_batch batch = {.task = task};
  game_sink sink = {.edges = edges, .room = OUTSIDE_EDGES, .flush = update_outside_bounds, .user = &batch};
  for (size_t i = 0; i < count; i++) batch.lower[i] = batch.upper[i] = NO_WORTH;
  tauler_error error = g->expand_outside(task->tables->rules, task->slice, first, count, &sink);
  if (!error) error = game_sink_flush(&sink);
  if (error) return tauler_fail(message, error, "the moves of %s cannot be read", g->name);
  for (size_t i = 0; i < count && !error; i++) {
    const plain_cell cell = {batch.lower[i], batch.upper[i], TAULER_NO_DEPTH, TAULER_NO_DEPTH};
    error = cell.lower == NO_WORTH ? tally_outside_positions(task, first + i, 1, t, message)
                                   : tally_add(t, cell, 1, message);
  }
  return error;
}

static tauler_error tally_piece(const slice_task *task, uint64_t piece, counting *own,
                                tauler_message *message) {
  const uint64_t done = piece * task->piece, left = task->total - done;
  const size_t count = (size_t)(left < task->piece ? left : task->piece);
  if (!task->outside) return tally_stored_positions(task, task->first + done, count, own, message);
  const bool batches = task->loaded && task->loaded->all;
  return (batches ? tally_outside_batch : tally_outside_positions)(task, task->first + done, count,
                                                                   own->counted, message);
}

/* Counts all pieces of this share. Each thread counts pieces of its own and at the end adds its counts to *t.
 * After an error its thread counts no more and adds nothing; one of the errors is returned. */
static tauler_error tally_task(const slice_task *task, tally *t, tauler_message *message) {
  const tally_settings *settings = task->settings;
  const uint64_t pieces = (task->total + task->piece - 1) / task->piece;
  const uint64_t worth = 1 + pieces / PIECES_PER_THREAD, shares = settings->shares ? settings->shares : 1;
  const int useful = worth < (uint64_t)settings->threads ? (int)worth : settings->threads;
  tauler_error result = TAULER_OK;
#pragma omp parallel num_threads(useful)
  {
    tally counted = {0};
    tauler_message why = {""};
    counting *own = calloc(1, sizeof *own);
    tauler_error error =
        own ? TAULER_OK : tauler_fail(&why, TAULER_NO_MEMORY, "no memory to count positions");
    if (own) own->counted = &counted;
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t piece = settings->share; piece < pieces; piece += shares) {
      if (!error) error = tally_piece(task, piece, own, &why);
      if (settings->shown) progress_add(settings->shown, task->piece);
    }
    if (!error) error = flush_counters(own, settings->with_depths, &why);
#pragma omp critical(tally_merge)
    {
      if (!error) error = tally_add_all(t, &counted, &why);
      if (error && !result) result = tauler_fail(message, error, "%s", why.text);
    }
    tally_free(&counted);
    free(own);
  }
  return result;
}

static tauler_error add_header_counts(tauler_tables *tables, uint32_t slice, tally *t,
                                      tauler_message *message) {
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
  return tables->planes == 1 && !settings->with_depths && !tables->game->copies && !tables->game->part;
}

bool tally_has_batches(const tauler_tables *tables, const tally_settings *settings) {
  return settings->outside && !settings->with_depths && tables->game->expand_outside &&
         tables->fallback == tables;
}

tauler_error tally_part(tauler_tables *tables, uint32_t slice, const bulk_slice *loaded, uint64_t first,
                        uint64_t count, const tally_settings *settings, tally *t, tauler_message *message) {
  const slice_task task = {tables, slice, loaded, settings, false, first, count, PIECE};
  return tally_task(&task, t, message);
}

tauler_error tally_slice(tauler_tables *tables, uint32_t slice, const bulk_slice *loaded,
                         const tally_settings *settings, tally *t, tauler_message *message) {
  const game *g = tables->game;
  const tauler_error error =
      tally_is_in_headers(tables, settings)
          ? (settings->share == 0 ? add_header_counts(tables, slice, t, message) : TAULER_OK)
          : tally_part(tables, slice, loaded, 0, g->positions(tables->rules, slice), settings, t, message);
  if (error || !settings->outside || !g->outside) return error;
  const slice_task task = {.tables = tables,
                           .slice = slice,
                           .loaded = tally_has_batches(tables, settings) ? loaded : NULL,
                           .settings = settings,
                           .outside = true,
                           .total = g->outside(tables->rules, slice),
                           .piece = OUTSIDE_PIECE};
  return tally_task(&task, t, message);
}

tally_shares tally_shares_of(const tally *t) {
  tally_shares s = {0};
  for (size_t i = 0; i < t->used; i++) {
    const plain_cell cell = t->slots[i].cell;
    const int which = cell.lower > 0 ? 0 : cell.upper < 0 ? 2 : cell.lower == cell.upper ? 1 : 3;
    s.counts[which] += t->slots[i].count;
    s.positions += t->slots[i].count;
  }
  return s;
}
