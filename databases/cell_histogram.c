/* Counts how often each value occurs among cells. */
#include "databases/cell_histogram.h"

#include "databases/table_format.h"

/* In a run of equal values each addition would wait for the addition before. Neighbouring one-byte cells are
 * therefore counted in different lanes. */
enum { LANES = 4 };

struct cell_histogram {
  table_cell cell;
  size_t values; /* counters of a lane */
  size_t n;      /* counters of all lanes */
  uint64_t counters[];
};

cell_histogram *cell_histogram_new(table_cell cell) {
  const size_t bytes = table_cell_bytes(cell), values = (size_t)1 << (8 * bytes);
  const size_t n = bytes == 1 ? LANES * values : values;
  cell_histogram *histogram = calloc(1, sizeof *histogram + n * sizeof *histogram->counters);
  if (!histogram) return NULL;
  histogram->cell = cell;
  histogram->values = values;
  histogram->n = n;
  return histogram;
}

static void count_byte_cells(uint64_t *counters, const uint8_t *cells, size_t count) {
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (size_t lane = 0; lane < LANES; lane++) ++counters[lane * 256 + cells[i + lane]];
  for (; i < count; i++) ++counters[cells[i]];
}

void cell_histogram_add(cell_histogram *histogram, const void *cells, size_t count) {
  if (table_cell_bytes(histogram->cell) == 1) {
    count_byte_cells(histogram->counters, cells, count);
    return;
  }
  const uint16_t *wide = cells;
  for (size_t i = 0; i < count; i++) ++histogram->counters[wide[i]];
}

void cell_histogram_add_count(cell_histogram *histogram, table_count count) {
  histogram->counters[(size_t)count.value & (histogram->values - 1)] += count.count;
}

void cell_histogram_merge(cell_histogram *into, const cell_histogram *from) {
  for (size_t i = 0; i < into->n; i++) into->counters[i] += from->counters[i];
}

static uint64_t count_of_value(const cell_histogram *histogram, int64_t value) {
  const size_t at = (size_t)value & (histogram->values - 1); /* two's complement, as in the cell */
  uint64_t count = 0;
  for (size_t i = at; i < histogram->n; i += histogram->values) count += histogram->counters[i];
  return count;
}

table_count *cell_histogram_counts(const cell_histogram *histogram, size_t *used) {
  int64_t low, high;
  table_cell_range(histogram->cell, &low, &high);
  table_count *counts = malloc(histogram->values * sizeof *counts);
  *used = 0;
  if (!counts) return NULL;
  for (int64_t value = low; value <= high; value++) {
    const uint64_t count = count_of_value(histogram, value);
    if (count) counts[(*used)++] = (table_count){value, count};
  }
  return counts;
}
