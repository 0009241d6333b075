/* Writes rows of comma-separated values. */
#include "base/csv.h"

#include <string.h>

#include "base/text_show.h"

void csv_open(csv_writer *csv, FILE *file) {
  *csv = (csv_writer){.file = file};
}

static void begin_cell(csv_writer *csv) {
  if (csv->in_row) fputc(',', csv->file);
  csv->in_row = true;
}

void csv_text(csv_writer *csv, const char *text) {
  begin_cell(csv);
  bool blank_at_end = *text == ' ' || (*text != '\0' && text[strlen(text) - 1] == ' ');
  if (!blank_at_end && strpbrk(text, ",\"\r\n") == NULL) {
    text_print(csv->file, text, strlen(text));
    return;
  }
  fputc('"', csv->file);
  for (size_t n = 0; *text != '\0'; text += n) {
    n = strcspn(text, "\"\n");
    text_print(csv->file, text, n);
    if (n > 0) continue;
    n = 1;
    fputs(*text == '"' ? "\"\"" : "\n", csv->file);
  }
  fputc('"', csv->file);
}

void csv_integer(csv_writer *csv, int64_t value) {
  begin_cell(csv);
  fprintf(csv->file, "%lld", (long long)value);
}

void csv_end_row(csv_writer *csv) {
  fputc('\n', csv->file);
  csv->in_row = false;
}
