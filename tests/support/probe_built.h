/* Small tables of every game, built as `tauler build` builds them, for suites that ask the library about
 * games other than aualé. */
#ifndef PROBE_BUILT_H
#define PROBE_BUILT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/probe/tauler.h"

typedef struct {
  const char *game, *rules, *cycles; /* NULL: the default */
  const char *largest, *material, *board;
  bool depths;
} built_tables;

/* Of every game and every kind of solve: some 200,000 positions, a second of work. */
enum { BUILT_SAMPLES = 9 };
extern const built_tables built_samples[BUILT_SAMPLES];

/* Fails the test, if there is one, when tables cannot be built. */
void build_sample(const built_tables *sample, const char *folder);

tauler_tables *select_sample(tauler *db, const built_tables *sample);

#endif
