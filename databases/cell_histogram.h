/* Counts how often each value occurs among integer cells of one or two bytes. Private to databases/. A
 * histogram belongs to one thread. */
#ifndef DATABASES_CELL_HISTOGRAM_H
#define DATABASES_CELL_HISTOGRAM_H

#include <stdlib.h>

#include "databases/table.h"

typedef struct cell_histogram cell_histogram;

/* Makes a histogram of integer cells, which the caller frees by free(). NULL if out of memory. */
cell_histogram *cell_histogram_new(table_cell cell);
void cell_histogram_add(cell_histogram *histogram, const void *cells, size_t count);
void cell_histogram_add_count(cell_histogram *histogram, table_count count);
void cell_histogram_merge(cell_histogram *into, const cell_histogram *from);

/* Returns the *used values that occur, in rising order; the caller frees them. NULL if out of memory. */
table_count *cell_histogram_counts(const cell_histogram *histogram, size_t *used);

#endif
