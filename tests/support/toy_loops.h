/* For suites with long loops: a check that costs nothing where it holds, and whether a run may take long. */
#ifndef TOY_LOOPS_H
#define TOY_LOOPS_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* Checks of the library write to a file each time, which is too slow for what is asked of every position. */
#define EXPECT(holds, ...)                                                                                   \
  do {                                                                                                       \
    if (!(holds)) ck_abort_msg(__VA_ARGS__);                                                                 \
  } while (0)

/* make test-long */
static inline bool toy_is_long(void) {
  const char *wanted = getenv("TAULER_LONG");
  return wanted != NULL && wanted[0] != '\0';
}

#endif
