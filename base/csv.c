/* Writes rows of comma-separated values. */
#include "base/csv.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

void csv_open(csv_writer *csv, FILE *file) {
  *csv = (csv_writer){.file = file};
}

static void separate(csv_writer *csv) {
  if (csv->in_row) fputc(',', csv->file);
  csv->in_row = true;
}

void csv_text(csv_writer *csv, const char *text) {
  separate(csv);
  bool blank_at_end = *text == ' ' || (*text != '\0' && text[strlen(text) - 1] == ' ');
  if (!blank_at_end && strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, csv->file);
    return;
  }
  fputc('"', csv->file);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', csv->file);
    fputc(*text, csv->file);
  }
  fputc('"', csv->file);
}

void csv_integer(csv_writer *csv, int64_t value) {
  separate(csv);
  fprintf(csv->file, "%lld", (long long)value);
}

void csv_unsigned(csv_writer *csv, uint64_t value) {
  separate(csv);
  fprintf(csv->file, "%llu", (unsigned long long)value);
}

void csv_end_row(csv_writer *csv) {
  fputc('\n', csv->file);
  csv->in_row = false;
}

void csv_cells(csv_writer *csv, const char *const *cells, size_t n) {
  for (size_t i = 0; i < n; i++) csv_text(csv, cells[i]);
  csv_end_row(csv);
}
