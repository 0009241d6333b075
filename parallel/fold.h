/* Decides which ranks fold into one, and which resources that rank has.
 *
 * The ranks of a node fold into the lowest of them: it works, and the others wait. Ranks are on one node if
 * they have the same host name, the same boot identifier and the same network namespace. So containers with
 * namespaces of their own do not fold, and neither does a rank that cannot read one of the three. Leaders and
 * joint resources depend only on the descriptions of the ranks, so every rank computes the same.
 *
 * The working rank runs on the processors of all its ranks, with the sum of their threads and of their
 * memory, within the limits of its own control groups (Slurm may give each task a group). If a group
 * withholds some of the ranks' processors, by a quota or by a set, the working rank has at most one thread
 * for each processor that is left. Without --threads it has one thread per processor.
 */
#ifndef PARALLEL_FOLD_H
#define PARALLEL_FOLD_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* The description of a rank, which is sent as bytes. */
typedef struct {
  char host[64], boot[40]; /* host name and boot identifier, or empty if unknown */
  uint64_t network;        /* inode of the network namespace, or 0 if unknown */
  cpu_set_t processors;
  uint64_t memory; /* bytes that the rank may use if it does not fold */
  int32_t threads;
  int32_t threads_given; /* 1 if `threads` is given by --threads, otherwise 0 */
} fold_rank;

typedef struct {
  int ranks; /* number of ranks that fold, the working one included */
  cpu_set_t processors;
  int threads; /* sum of the threads, or 0 for one thread per processor */
  uint64_t memory;
} fold_union;

/* Describes the node and the processors of this process. Memory and threads become 0. */
void fold_describe_self(fold_rank *self);

/* Returns the rank that works for `rank`: the rank itself or a lower one. */
int fold_leader(const fold_rank *ranks, int rank);

fold_union fold_join_resources(const fold_rank *ranks, int n, int leader);

/* Returns the number of threads, at least 1. `available` is the number of processors that the process may
 * use by the set and the quota of its control groups. */
int fold_threads(const fold_union *all, int available);

#endif
