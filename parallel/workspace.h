/* Names the resources of a job: memory, workers and ranks. A workspace owns nothing, so it may be copied. */
#ifndef PARALLEL_WORKSPACE_H
#define PARALLEL_WORKSPACE_H

#include "base/memory.h"
#include "base/progress.h"
#include "parallel/comm.h"

typedef struct {
  int threads;
  memory_budget *memory;
  comm *comm;               /* NULL for one rank */
  size_t packet_bytes;      /* bytes of a packet (exchange.h), or 0 to choose them by the number of peers */
  const char *spill_folder; /* existing folder for spilled data, or NULL if nothing may be spilled */
  progress *shown;          /* progress for the user, or NULL */
  /* Most threads of any rank, or 0 if all have `threads`. Buffers between ranks depend on it. */
  int most_threads;
} workspace;

#endif
