/* Reads positions and values by slice and index, many at once. */

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/chance_worth.h"
#include "analysis/slices/bulk.h"
#include "analysis/slices/cells.h"
#include "base/available.h"

/* PIECE cells are read at once: a frame, if cells have one byte. Fewer than FEW values are read one by one,
 * since the cache is cheaper than decoding a frame. */
enum { PIECE = TABLE_FRAME_BYTES, FEW = 512 };

_Static_assert((int)TAULER_POSITION_BYTES >= (int)GAME_TEXT_BYTES, "room for every position");

static const tauler_worth unknown = {false, 0, 0, TAULER_NO_DEPTH, TAULER_NO_DEPTH};

static tauler_error check_range(const tauler_tables *tables, uint32_t slice, uint64_t positions,
                                uint64_t first, uint64_t count, tauler_message *message) {
  if (first <= positions && count <= positions - first) return TAULER_OK;
  char name[GAME_TEXT_BYTES];
  tables->game->slice_name(tables->rules, slice, name);
  const uint64_t wrong = first < positions ? positions : first;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "slice %.60s has %" PRIu64 " positions, counted from 0, and so no index %" PRIu64, name,
                     positions, wrong);
}

static tauler_error find_range(tauler_tables *tables, uint32_t slice, uint64_t first, uint64_t count,
                               slice_entry **entry, tauler_message *message) {
  const tauler_error error = slice_entry_find(tables, slice, entry, message);
  if (error) return error;
  const uint64_t positions = (*entry)->positions;
  return check_range(tables, slice, positions, first, count, message);
}

tauler_error numbered_check_range(tauler_tables *tables, uint32_t slice, bool outside, uint64_t first,
                                  uint64_t count, tauler_message *message) {
  slice_entry *entry;
  const tauler_error error =
      find_range(tables, slice, outside ? 0 : first, outside ? 0 : count, &entry, message);
  if (error || !outside) return error;
  const uint64_t positions = tables->game->outside ? tables->game->outside(tables->rules, slice) : 0;
  return check_range(tables, slice, positions, first, count, message);
}

int numbered_count_workers(int threads, uint64_t count, uint64_t least) {
  const int asked = threads > 0 ? threads : omp_get_num_procs();
  const uint64_t useful = count / least + 1;
  return useful < (uint64_t)asked ? (int)useful : asked;
}

tauler_error tauler_find_slice(tauler_tables *tables, const char *name, uint32_t *slice_number,
                               uint64_t *positions, tauler_message *message) {
  const game *g = tables->game;
  uint32_t slice;
  if (!g->slice_named || !g->slice_named(tables->rules, name, &slice)) {
    return tauler_fail(message, TAULER_BAD_USAGE, "%s %.60s has no slice called '%.60s'; there are %s",
                       g->name, g->rules_text(tables->rules), name, g->size_help);
  }
  slice_entry *entry;
  const tauler_error error = slice_entry_find(tables, slice, &entry, message);
  if (error) return error;
  if (slice_number) *slice_number = slice;
  if (positions) *positions = entry->positions;
  return clear_message(TAULER_OK, message);
}

static bool has_no_position(const tauler_tables *tables, game_place place) {
  uint8_t copies = 1;
  const game *g = tables->game;
  if (g->copies) g->copies(tables->rules, place.slice, place.index, 1, &copies);
  return copies == 0;
}

tauler_error tauler_position_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                                char text[TAULER_POSITION_BYTES], tauler_message *message) {
  const game *g = tables->game;
  const game_place place = {slice_number, index};
  slice_entry *entry;
  text[0] = '\0';
  const tauler_error error = find_range(tables, slice_number, index, 1, &entry, message);
  if (error || has_no_position(tables, place)) return clear_message(error, message);
  game_position position;
  game_place back;
  g->position_at(tables->rules, place, &position);
  /* Games of dice lay out indexes when these are first needed. If memory is missing then, the position does
   * not have its index. */
  if (tables->answers->dice &&
      (!g->locate(tables->rules, &position, &back) || back.slice != place.slice || back.index != place.index))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the positions of slice %" PRIu32,
                       slice_number);
  g->print(tables->rules, &position, text);
  return clear_message(TAULER_OK, message);
}

/* Arrays for results: worths, integers of one byte, or depths. Each may be NULL. */
typedef struct {
  tauler_worth *worths;
  int8_t *lower, *upper;
  int32_t *depth_lower, *depth_upper;
} target;

static void store_bounds(const target *out, size_t i, int lower, int upper) {
  if (out->worths) out->worths[i] = (tauler_worth){true, lower, upper, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
  if (out->lower) out->lower[i] = (int8_t)lower;
  if (out->upper) out->upper[i] = (int8_t)upper;
}

static tauler_error read_values_one_by_one(tauler_tables *tables, uint32_t slice, uint64_t first,
                                           size_t count, const target *out, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < count && !error; i++) {
    tauler_worth worth;
    error = tables->answers->worth_at(tables, (game_place){slice, first + i}, false, &worth, message);
    if (error) return error;
    if (out->worths)
      out->worths[i] = worth; /* worths of games of dice are not integers */
    else
      store_bounds(out, i, (int)worth.lower, (int)worth.upper);
  }
  return error;
}

static size_t count_left_in_frame(uint64_t first, size_t done, size_t count, size_t frame) {
  const size_t in_frame = frame - (size_t)((first + done) % frame);
  return count - done < in_frame ? count - done : in_frame;
}

static tauler_error read_cells_by_frame(tauler_tables *tables, uint32_t slice, uint64_t first, size_t count,
                                        const target *out, tauler_message *message) {
  const bool depths = out->depth_lower;
  plain_cell *cells = malloc(PIECE * sizeof *cells);
  if (!cells) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read cells of a table");
  tauler_error error = TAULER_OK;
  for (size_t done = 0, n; done < count && !error; done += n) {
    n = count_left_in_frame(first, done, count, PIECE);
    error = cells_read(tables, slice, NULL, first + done, n, depths, cells, message);
    for (size_t i = 0; i < n && !error; i++) {
      store_bounds(out, done + i, cells[i].lower, cells[i].upper);
      if (depths) out->depth_lower[done + i] = cells[i].depth_lower;
      if (depths) out->depth_upper[done + i] = cells[i].depth_upper;
    }
  }
  free(cells);
  return error;
}

enum { REALS = TABLE_FRAME_BYTES / sizeof(double) };

typedef struct {
  double lower[CHANCE_MOST_QUANTITIES][REALS], upper[CHANCE_MOST_QUANTITIES][REALS];
} real_cells;

static tauler_error read_piece(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t n,
                               real_cells *cells, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int s = 0; s < entry->quantities.used && !error; s++) {
    const table *from;
    error = slice_table(tables, entry, STREAMS_LOWER, s, &from, message);
    if (!error) error = table_read(from, first, n, cells->lower[s], message);
    if (!error) error = slice_table(tables, entry, STREAMS_UPPER, s, &from, message);
    if (!error) error = table_read(from, first, n, cells->upper[s], message);
  }
  return error;
}

static tauler_error worth_in_piece(tauler_tables *tables, const slice_entry *entry, uint64_t index,
                                   const real_cells *cells, size_t i, tauler_worth *worth,
                                   tauler_message *message) {
  const game *g = tables->game;
  const chance_quantities *quantities = &entry->quantities;
  game_position position;
  g->position_at(tables->rules, (game_place){entry->slice, index}, &position);
  const int first_seat = g->chance->first_seat(tables->rules, &position);
  chance_values values = {.known = true, .used = quantities->used};
  for (int s = 0; s < quantities->used; s++) {
    const tauler_error error = chance_set_bounds(tables, quantities, first_seat, s, cells->lower[s][i],
                                                 cells->upper[s][i], &values, message);
    if (error) return error;
  }
  *worth = chance_worth_from_values(quantities, chance_side_of(tables, quantities, &position), &values);
  return TAULER_OK;
}

/* Decodes each frame once. */
static tauler_error read_reals(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                               tauler_worth *worths, tauler_message *message) {
  real_cells *cells = malloc(sizeof *cells);
  if (!cells) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read cells of a table");
  tauler_error error = TAULER_OK;
  for (size_t done = 0, n; done < count && !error; done += n) {
    n = count_left_in_frame(first, done, count, REALS);
    error = read_piece(tables, entry, first + done, n, cells, message);
    for (size_t i = 0; i < n && !error; i++)
      error = worth_in_piece(tables, entry, first + done + i, cells, i, &worths[done + i], message);
  }
  free(cells);
  return error;
}

/* --- one slice in memory, for calls that visit it by index ---
 *
 * Loading reads the slice and all slices that it needs. So a slice is loaded when the cells asked for so far
 * are 1/GAIN of their cells. The tauler_tables keeps the values until another slice is asked for.
 */

/* Loading cells is at least this many times as fast as reading them one by one. */
enum { GAIN = 256 };

static bool cells_match_digest(tauler_tables *tables, slice_entry *entry, int plane, const int8_t *cells) {
  const table *from;
  table_digester *digester = table_digester_new();
  if (!digester) return false;
  table_digester_add(digester, cells, entry->positions);
  const table_digest is = table_digester_end(digester);
  if (slice_table(tables, entry, STREAMS_VALUE, plane, &from, NULL)) return false;
  return table_digests_equal(is, table_get_header(from)->plain_digest);
}

static tauler_error copy_slice_values(void *user, uint32_t slice, const bulk_slice *loaded,
                                      tauler_message *message) {
  tauler_tables *tables = user;
  whole_slice *whole = &tables->whole;
  slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry || (!loaded->all && !loaded->outcomes)) return TAULER_NO_MEMORY;
  uint16_t *depths = loaded->outcomes ? malloc(entry->positions * sizeof *depths) : NULL;
  bool right = !loaded->outcomes || depths;
  for (int plane = 0; plane < tables->planes && right; plane++) {
    int8_t *cells = malloc(entry->positions);
    whole->cells[plane] = cells;
    if (cells && loaded->all) memcpy(cells, loaded->all[slice].cells[plane], entry->positions);
    if (cells && loaded->outcomes) bulk_read_outcomes(loaded, 0, entry->positions, cells, depths);
    right = cells && cells_match_digest(tables, entry, plane, cells);
  }
  free(depths);
  return right ? TAULER_OK : TAULER_DAMAGED_FILE;
}

static void free_cells(whole_slice *whole) {
  for (int plane = 0; plane < MOST_PLANES; plane++) {
    free(whole->cells[plane]);
    whole->cells[plane] = NULL;
  }
}

/* Ignores errors: an error of a table occurs again, with a message, when a cell is read from it. */
static void load_slices(tauler_tables *tables, const game_slices *slices) {
  memory_budget memory;
  memory_budget_open(&memory, memory_available("") / 4);
  const bulk_walk walk = {.tables = tables,
                          .slices = slices,
                          .in_memory = true,
                          .threads = 1,
                          .memory = &memory,
                          .visit = copy_slice_values,
                          .user = tables};
  tauler_message why;
  if (bulk_walk_slices(&walk, &why)) free_cells(&tables->whole);
}

/* Counts the cells asked for, and loads the slice when that saves time. The caller holds the lock for
 * writing. */
static void count_and_load(tauler_tables *tables, const slice_entry *entry, size_t count) {
  whole_slice *whole = &tables->whole;
  if (whole->slice != entry->slice || !whole->asked) {
    free_cells(whole);
    *whole = (whole_slice){.slice = entry->slice};
  }
  whole->asked += count;
  if (whole->tried) return;
  game_slices slices;
  uint64_t cells = 0;
  const game *g = tables->game;
  char name[GAME_TEXT_BYTES];
  g->slice_name(tables->rules, entry->slice, name);
  const tauler_error error = game_slices_under(g, tables->rules, name, &slices, NULL);
  for (size_t i = 0; i < slices.used; i++) cells += slices.slices[i].positions;
  whole->tried = error || !slices.used || whole->asked >= cells / GAIN;
  if (!error && slices.used && whole->tried) load_slices(tables, &slices);
  free(slices.slices);
}

/* Copies cells if the slice is in memory. The caller holds the lock. */
static bool copy_loaded_cells(const tauler_tables *tables, const slice_entry *entry, uint64_t first,
                              size_t count, const target *out) {
  const whole_slice *whole = &tables->whole;
  if (whole->slice != entry->slice || !whole->cells[0]) return false;
  const int8_t *lower = whole->cells[0] + first, *upper = whole->cells[tables->planes - 1] + first;
  for (size_t i = 0; out->worths && i < count; i++) store_bounds(out, i, lower[i], upper[i]);
  if (out->lower) memcpy(out->lower, lower, count);
  if (out->upper) memcpy(out->upper, upper, count);
  return true;
}

static bool copy_whole_slice(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                             const target *out) {
  const table *from;
  /* If cells depend on tables of another cycle rule, each is computed from its moves, so loading saves no
   * time. */
  if (tables->fallback != tables || slice_table(tables, entry, STREAMS_VALUE, 0, &from, NULL)) return false;
  const table_header *header = table_get_header(from);
  if (header->coding == TABLE_PLAIN || header->cell != TABLE_I8) return false;
  pthread_rwlock_rdlock(&tables->whole_lock);
  bool copied = copy_loaded_cells(tables, entry, first, count, out);
  pthread_rwlock_unlock(&tables->whole_lock);
  if (copied) return true;
  pthread_rwlock_wrlock(&tables->whole_lock);
  copied = copy_loaded_cells(tables, entry, first, count, out);
  if (!copied) {
    count_and_load(tables, entry, count);
    copied = copy_loaded_cells(tables, entry, first, count, out);
  }
  pthread_rwlock_unlock(&tables->whole_lock);
  return copied;
}

static tauler_error read_range(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                               const target *out, tauler_message *message) {
  if (count < FEW) return read_values_one_by_one(tables, entry->slice, first, count, out, message);
  if (tables->answers->dice) return read_reals(tables, entry, first, count, out->worths, message);
  if (copy_whole_slice(tables, entry, first, count, out)) return TAULER_OK;
  return read_cells_by_frame(tables, entry->slice, first, count, out, message);
}

tauler_error tauler_values_at(tauler_tables *tables, uint32_t slice_number, uint64_t first, size_t count,
                              tauler_worth *worths, tauler_message *message) {
  slice_entry *entry;
  const target out = {.worths = worths};
  tauler_error error = find_range(tables, slice_number, first, count, &entry, message);
  if (!error) error = read_range(tables, entry, first, count, &out, message);
  return clear_message(error, message);
}

tauler_error tauler_value_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                             tauler_worth *worth, tauler_message *message) {
  *worth = unknown;
  return tauler_values_at(tables, slice_number, index, 1, worth, message);
}

tauler_error tauler_depths_at(tauler_tables *tables, uint32_t slice_number, uint64_t first, size_t count,
                              int32_t *lower, int32_t *upper, tauler_message *message) {
  slice_entry *entry;
  const target out = {.depth_lower = lower, .depth_upper = upper};
  tauler_error error = find_range(tables, slice_number, first, count, &entry, message);
  if (!error && tables->answers->dice)
    error = tauler_fail(message, TAULER_BAD_USAGE, "%s is a game of dice, which has no depths",
                        tables->game->name);
  if (!error) error = read_cells_by_frame(tables, slice_number, first, count, &out, message);
  return clear_message(error, message);
}

tauler_error tauler_bounds_at(tauler_tables *tables, uint32_t slice_number, uint64_t first, size_t count,
                              int8_t *lower, int8_t *upper, tauler_message *message) {
  slice_entry *entry;
  const target out = {.lower = lower, .upper = upper};
  tauler_error error = find_range(tables, slice_number, first, count, &entry, message);
  if (!error && tables->answers->dice)
    error =
        tauler_fail(message, TAULER_BAD_USAGE,
                    "bounds of %s are no whole numbers; ask tauler_values_at for them", tables->game->name);
  if (!error) error = read_range(tables, entry, first, count, &out, message);
  return clear_message(error, message);
}
