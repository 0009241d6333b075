/* A file in memory for fuzzers of what is read by path. */
#ifndef TESTS_FUZZ_FILE_H
#define TESTS_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  int descriptor;
  char path[64];
} fuzz_file;

/* The bytes of an input behind its first one, which says to `agree` what it makes agree in them: a random
 * change would stop at a digest. */
static inline fuzz_file fuzz_file_open(const uint8_t *data, size_t size,
                                       void (*agree)(uint8_t *file, size_t n, uint8_t how)) {
  const size_t n = size - 1;
  uint8_t *file = malloc(size);
  fuzz_file made = {.descriptor = memfd_create("fuzzed", MFD_CLOEXEC)};
  if (!file || made.descriptor < 0) abort();
  memcpy(file, data + 1, n);
  agree(file, n, data[0]);
  if (write(made.descriptor, file, n) != (ssize_t)n) abort();
  free(file);
  snprintf(made.path, sizeof made.path, "/proc/self/fd/%d", made.descriptor);
  return made;
}

#endif
