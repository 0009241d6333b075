/* Stores the plain values of the slice through which a program iterates. */
#include "analysis/slices/cells.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/slices/bulk.h"
#include "base/available.h"

/* Loading cells is at least this many times as fast as reading them one by one. */
enum { GAIN = 256 };

static bool have_table_digest(tauler_tables *tables, slice_entry *entry, int plane, const int8_t *cells) {
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
    right = cells && have_table_digest(tables, entry, plane, cells);
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

/* Ignores errors: they occur again, with a message, when a cell is read from the table. */
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

/* Loads the slice once when that saves time. The caller holds the lock for writing. */
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

/* The caller holds the lock. */
static bool find_cells(const tauler_tables *tables, const slice_entry *entry, solved_slice *out) {
  const whole_slice *whole = &tables->whole;
  if (whole->slice != entry->slice || !whole->cells[0]) return false;
  for (int plane = 0; plane < tables->planes; plane++) out->cells[plane] = whole->cells[plane];
  return true;
}

bool whole_slice_lock(tauler_tables *tables, slice_entry *entry, size_t count, solved_slice *out) {
  const table *from;
  /* If cells depend on tables of another cycle rule, each is computed from its moves, so loading saves no
   * time. */
  if (tables->fallback != tables || slice_table(tables, entry, STREAMS_VALUE, 0, &from, NULL)) return false;
  const table_header *header = table_get_header(from);
  if (header->coding == TABLE_PLAIN || header->cell != TABLE_I8) return false;
  pthread_rwlock_rdlock(&tables->whole_lock);
  if (find_cells(tables, entry, out)) return true;
  pthread_rwlock_unlock(&tables->whole_lock);
  pthread_rwlock_wrlock(&tables->whole_lock);
  if (!find_cells(tables, entry, out)) count_and_load(tables, entry, count);
  pthread_rwlock_unlock(&tables->whole_lock);
  pthread_rwlock_rdlock(&tables->whole_lock);
  if (find_cells(tables, entry, out)) return true;
  pthread_rwlock_unlock(&tables->whole_lock);
  return false;
}

void whole_slice_unlock(tauler_tables *tables) {
  pthread_rwlock_unlock(&tables->whole_lock);
}
