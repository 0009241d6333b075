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

void csv_number(csv_writer *csv, double value) {
  separate(csv);
  fputs(text_real(value).text, csv->file);
}

void csv_end_row(csv_writer *csv) {
  fputc('\n', csv->file);
  csv->in_row = false;
}

void csv_cells(csv_writer *csv, const char *const *cells, size_t n) {
  for (size_t i = 0; i < n; i++) csv_text(csv, cells[i]);
  csv_end_row(csv);
}

tauler_error csv_close(csv_writer *csv, tauler_message *message) {
  errno = 0;
  bool flushed = fflush(csv->file) == 0;
  int reason = errno;
  if (flushed && !ferror(csv->file)) return TAULER_OK;
  return tauler_fail(message, TAULER_IO, "CSV could not be written: %s",
                     !flushed && reason != 0 ? strerror(reason) : "an earlier write failed");
}
