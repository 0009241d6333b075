/* Measurements of the whole path that users take: builds from an empty folder, proof, probes.
 *
 * Each benchmark builds its tables by build_tables in a folder of its own, checks their counts, and
 * writes one JSON object. A bench owns its temporary folder, which is removed at the end. One
 * benchmark runs at a time; it starts threads and processes itself.
 */
#ifndef ANALYSIS_BENCH_H
#define ANALYSIS_BENCH_H

#include <stdint.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/tauler_error.h"

typedef struct bench {
  const char *scratch; /* folder for tables, empty */
  uint64_t seeds;      /* instead of each benchmark's own size; UINT64_MAX: its own */
  int threads;         /* of benchmarks with several */
  uint64_t memory;     /* limit in bytes; 0: what the machine has */
  progress *shown;
  bool (*stop)(void *user); /* asked between rounds of a build */
  void *user;
  json_writer *json; /* inside an object */
} bench;

typedef struct {
  const char *name, *summary;
  bool long_one; /* only when named */
  tauler_error (*run)(bench *bench, tauler_message *message);
} benchmark;

/* Removes a folder and all that is in it. */
void bench_remove_folder(const char *folder);

/* The benchmarks, ended by a NULL name. */
const benchmark *bench_list(void);

#endif
