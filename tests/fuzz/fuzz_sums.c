/* Fuzzing of SHA256SUMS: any bytes may be the list of a publication. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/publish/sums.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "does not hold: %s\n", what);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sums read = {0};
  tauler_message message;
  const tauler_error error = sums_read(&read, "the list", (const char *)data, size, &message);
  for (size_t i = 0; i < read.used && !error; i++) {
    must(strlen(read.list[i].digest) == SUM_TEXT - 1, "a digest has 64 digits");
    must(*read.list[i].path && sums_find(&read, read.list[i].path) == &read.list[i],
         "what is listed is found");
  }
  sums_free(&read);
  return 0;
}
