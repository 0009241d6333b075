/* Reads plain cells of whole slices, range by range. */
#include "analysis/slices/cells.h"

#include <stdlib.h>

static int64_t raw_cell(const void *raw, table_cell cell, size_t i) {
  switch (cell) {
  case TABLE_I8:
    return ((const int8_t *)raw)[i];
  case TABLE_U8:
    return ((const uint8_t *)raw)[i];
  case TABLE_I16:
    return ((const int16_t *)raw)[i];
  default:
    return ((const uint16_t *)raw)[i];
  }
}

static void set_value(const tauler_tables *tables, int plane, int value, plain_cell *cell) {
  if (plane == 0) cell->lower = (int16_t)value;
  if (plane == tables->planes - 1) cell->upper = (int16_t)value;
}

typedef struct {
  tauler_tables *tables;
  slice_entry *entry;
  const solved_slice *all;
  uint64_t first;
  size_t count;
  void *raw;
  plain_cell *cells;
  tauler_message *message;
} piece;

static tauler_error read_raw_cells(const piece *p, stream_kind kind, int plane, const table_header **header) {
  const table *from;
  tauler_error error = slice_table(p->tables, p->entry, kind, plane, &from, p->message);
  if (!error) error = table_read(from, p->first, p->count, p->raw, p->message);
  if (!error) *header = table_get_header(from);
  return error;
}

static tauler_error read_values(const piece *p, int plane) {
  const table_header *header;
  tauler_error error = read_raw_cells(p, STREAMS_VALUE, plane, &header);
  if (error) return error;
  const bool implied = header->coding == TABLE_IMPLIED;
  const int largest = p->entry->largest;
  for (size_t i = 0; i < p->count; i++) {
    const int64_t cell = raw_cell(p->raw, header->cell, i);
    const game_place place = {p->entry->slice, p->first + i};
    int number = (int)cell;
    if ((implied && cell == header->reserved) || cell < -largest || cell > largest)
      error = resolve_value(p->tables, plane, place, &cell, &number, p->message);
    if (error) return error;
    set_value(p->tables, plane, number, &p->cells[i]);
  }
  return TAULER_OK;
}

static tauler_error read_depths(const piece *p, int plane) {
  const table_header *header;
  int64_t stored[DEPTH_RANGE];
  int values[DEPTH_RANGE], depths[DEPTH_RANGE];
  tauler_error error = read_raw_cells(p, STREAMS_DEPTH, plane, &header);
  for (size_t done = 0; done < p->count && !error; done += DEPTH_RANGE) {
    const size_t left = p->count - done, n = left < DEPTH_RANGE ? left : DEPTH_RANGE;
    plain_cell *cells = &p->cells[done];
    for (size_t i = 0; i < n; i++) {
      stored[i] = raw_cell(p->raw, header->cell, done + i);
      values[i] = plane ? cells[i].upper : cells[i].lower;
    }
    const depth_range range = {p->entry->slice, plane, p->first + done, n, values, stored, p->all};
    error = resolve_depths(p->tables, &range, depths, p->message);
    for (size_t i = 0; i < n && !error; i++) {
      if (plane == 0) cells[i].depth_lower = depths[i];
      if (plane == p->tables->planes - 1) cells[i].depth_upper = depths[i];
    }
  }
  return error;
}

tauler_error cells_read(tauler_tables *tables, uint32_t slice, const solved_slice *all, uint64_t first,
                        size_t count, bool with_depths, plain_cell *cells, tauler_message *message) {
  slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  void *raw = malloc(count * sizeof(int16_t) + 1);
  if (!raw) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read cells of a table");
  const piece p = {tables, entry, all, first, count, raw, cells, message};
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < count; i++) cells[i] = (plain_cell){0, 0, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
  for (int plane = 0; plane < tables->planes && !error; plane++) {
    if (all) {
      const int8_t *known = all[slice].cells[plane] + first;
      for (size_t i = 0; i < count; i++) set_value(tables, plane, known[i], &cells[i]);
    } else {
      error = read_values(&p, plane);
    }
  }
  for (int plane = 0; with_depths && plane < tables->planes && !error; plane++) {
    error = read_depths(&p, plane);
  }
  free(raw);
  return error;
}
