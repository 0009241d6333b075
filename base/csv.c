/* Writes cells of comma-separated values. */
#include "base/csv.h"

#include <stdbool.h>
#include <string.h>

#include "base/text_show.h"

void csv_print(FILE *file, const char *text) {
  bool blank_at_end = *text == ' ' || (*text != '\0' && text[strlen(text) - 1] == ' ');
  if (!blank_at_end && strpbrk(text, ",\"\r\n") == NULL) {
    text_print(file, text, strlen(text));
    return;
  }
  fputc('"', file);
  for (size_t n = 0; *text != '\0'; text += n) {
    n = strcspn(text, "\"\n");
    text_print(file, text, n);
    if (n > 0) continue;
    n = 1;
    fputs(*text == '"' ? "\"\"" : "\n", file);
  }
  fputc('"', file);
}
