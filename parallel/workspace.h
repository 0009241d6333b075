/* Resources for solving a slice: memory, workers and ranks. A workspace owns nothing; copies are cheap. */
#ifndef PARALLEL_WORKSPACE_H
#define PARALLEL_WORKSPACE_H

#include "base/memory.h"
#include "base/progress.h"
#include "parallel/comm.h"

typedef struct {
  int threads;
  memory_budget *memory;
  comm *comm;               /* or NULL: one rank */
  size_t packet_bytes;      /* of exchange.h; 0: chosen by the number of peers, 16 to 128 KiB */
  const char *spill_folder; /* where shards go that do not fit; it exists. NULL: nowhere */
  progress *shown;          /* or NULL */
  int most_threads;         /* of any rank, as buffers between ranks count with; 0: all have as many */
} workspace;

#endif
