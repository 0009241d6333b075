/* Decides which ranks fold into one, and which resources that one has.
 *
 * The ranks of a node fold into the lowest of them: it works, and the others wait. Ranks are on one node if
 * they have the same boot of the same host name and the same network namespace. Hosts made of namespaces, or
 * a rank that cannot read one of the three, do not fold. All functions compute only from what ranks say of
 * themselves, so every rank gets the same result.
 *
 * The working rank runs on the processors of all its ranks, with the sum of their threads and of their
 * memory, as far as its own control groups allow. It cannot use what only another rank's group allows (Slurm
 * gives groups to single tasks). Memory never exceeds what its groups leave. If a group withholds some of the
 * ranks' processors, by a quota or by a set, threads do not exceed its processors; otherwise the number of
 * --threads is used as it is. Without --threads there is one thread per processor.
 */
#ifndef PARALLEL_FOLD_H
#define PARALLEL_FOLD_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* A rank's description of itself, which is sent as it is. */
typedef struct {
  char host[64], boot[40]; /* empty: unknown */
  uint64_t network;        /* 0: unknown */
  cpu_set_t processors;
  uint64_t memory; /* bytes that the rank would use alone, beside its neighbours */
  int32_t threads;
  int32_t threads_given; /* given by --threads, not the rank's share of the processors */
} fold_rank;

typedef struct {
  int ranks; /* ranks that fold, the working one included */
  cpu_set_t processors;
  int threads; /* 0: one for each processor that the rank may use */
  uint64_t memory;
} fold_union;

/* This process's node and processors; memory and threads stay 0. */
void fold_look(fold_rank *self);

/* The rank that works for `rank`: itself, or a lower one. */
int fold_leader(const fold_rank *ranks, int rank);

/* The joint resources of the ranks that fold into `leader`. */
fold_union fold_add(const fold_rank *ranks, int n, int leader);

/* The number of threads of a working rank, at least 1. `available` is the number of processors that its set
 * and its quota allow. */
int fold_threads(const fold_union *all, int available);

#endif
