/* Anonymous maps of a system without maps: pages of the heap. */
#ifndef WASM_SYS_MMAN_H
#define WASM_SYS_MMAN_H

#include <stdlib.h>
#include <string.h>

enum {
  PROT_READ = 1,
  PROT_WRITE = 2,
  MAP_SHARED = 1,
  MAP_PRIVATE = 2,
  MAP_ANONYMOUS = 32,
  MAP_NORESERVE = 64,
  MADV_DONTNEED = 4,
  MADV_HUGEPAGE = 14,
  WASM_PAGE = 4096
};
#define MAP_FAILED ((void *)-1)
#define madvise(at, n, advice) ((void)(at), (void)(n), 0)

/* Fails for a file. */
static inline void *mmap(void *at, size_t n, int protection, int flags, int descriptor, long long offset) {
  void *pages = descriptor < 0 ? aligned_alloc(WASM_PAGE, (n + WASM_PAGE - 1) / WASM_PAGE * WASM_PAGE) : NULL;
  (void)at, (void)protection, (void)flags, (void)offset;
  return pages ? memset(pages, 0, n) : MAP_FAILED;
}

static inline int munmap(void *at, size_t n) {
  (void)n;
  free(at);
  return 0;
}

#endif
