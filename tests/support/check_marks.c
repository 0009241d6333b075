/* Check writes down each assertion that holds, so that it knows the last before a crash: a call of the system
 * for every one of millions. Linked in its place (see the Makefile), this writes a line down when it is first
 * reached. Threads may call it at the same time. While a test keeps files short nothing is written down: what
 * Check notes is a file as well, and would end in the middle of a note. */
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>

void __wrap__mark_point(const char *file, int line); /* NOLINT: the linker asks for these names */
void __real__mark_point(const char *file, int line); /* NOLINT */

static bool files_are_limited(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != limit.rlim_max;
}

void __wrap__mark_point(const char *file, int line) { /* NOLINT */
  enum { LINES = 1 << 13 };
  static atomic_bool reached[LINES];
  atomic_bool *here = &reached[(unsigned)line % LINES];
  if (atomic_load_explicit(here, memory_order_relaxed) || files_are_limited()) return;
  atomic_store_explicit(here, 1, memory_order_relaxed);
  __real__mark_point(file, line);
}
