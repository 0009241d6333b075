/* Writes rows of comma-separated values, quoted if necessary (RFC 4180, lines end with \n).
 *
 * Control characters except \n are escaped (text_show.h). A csv_writer borrows its stream, which keeps write
 * errors. Only one thread may use a writer at a time.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  FILE *file;
  bool in_row;
} csv_writer;

void csv_open(csv_writer *csv, FILE *file);

/* Each function writes the next cell of the row. */
void csv_text(csv_writer *csv, const char *text);
void csv_integer(csv_writer *csv, int64_t value);

void csv_end_row(csv_writer *csv);

#endif
