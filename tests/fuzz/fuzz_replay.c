/* Runs a fuzzing harness over stored inputs, without a fuzzer: each argument is a file or a folder
 * of files. Exits with 1 if there was nothing to run; a fault ends the process by itself. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input is copied into a block of its exact size, so that a sanitizer sees a read beyond it. */
static int run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat status;
  if (!file || fstat(fileno(file), &status) != 0) {
    perror(path);
    exit(2);
  }
  const size_t n = (size_t)status.st_size;
  uint8_t *bytes = malloc(n ? n : 1);
  if (!bytes || fread(bytes, 1, n, file) != n) {
    fprintf(stderr, "%s: cannot read %zu bytes\n", path, n);
    exit(2);
  }
  fclose(file);
  fprintf(stderr, "%s\n", path); /* the last one named is the one at fault */
  (void)LLVMFuzzerTestOneInput(bytes, n);
  free(bytes);
  return 1;
}

static int run_folder(DIR *folder, const char *path) {
  int runs = 0;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    char name[4096];
    if (entry->d_name[0] == '.') continue;
    if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name) runs += run_file(name);
  }
  closedir(folder);
  return runs;
}

int main(int argc, char **argv) {
  int runs = 0;
  for (int i = 1; i < argc; i++) {
    DIR *folder = opendir(argv[i]);
    runs += folder ? run_folder(folder, argv[i]) : run_file(argv[i]);
  }
  printf("%d inputs\n", runs);
  return runs ? EXIT_SUCCESS : EXIT_FAILURE;
}
