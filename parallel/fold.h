/* Decides which ranks fold into one, and the resources of that one.
 *
 * Ranks of one node fold into the lowest of them: it works, the others wait. On one node are ranks with the
 * same boot of the same host name and the same network namespace; hosts made of namespaces, or a rank that
 * cannot read one of the three, stay apart. All here is arithmetic on what ranks say of themselves, the same
 * on every rank.
 *
 * The working rank runs on the processors of all its ranks, with the sum of their threads and of their
 * memory, as far as its own control groups allow; it cannot use what only the group of another rank allows
 * (groups of single tasks under Slurm). Memory is never more than its groups leave. Threads are no more than
 * its processors where a group keeps some of the ranks' processors from it, by a quota or by a set; elsewhere
 * what --threads asks for is taken at its word. Without --threads it has one for each of its processors.
 */
#ifndef PARALLEL_FOLD_H
#define PARALLEL_FOLD_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* A rank's description of itself. Sent as it is. */
typedef struct {
  char host[64], boot[40]; /* empty: not known */
  uint64_t network;        /* 0: not known */
  cpu_set_t processors;
  uint64_t memory; /* that it would take alone, as next to its neighbours */
  int32_t threads;
  int32_t threads_given; /* by --threads, not its share of the processors */
} fold_rank;

typedef struct {
  int ranks; /* that fold, the working one included */
  cpu_set_t processors;
  int threads; /* 0: one for each processor that it may use */
  uint64_t memory;
} fold_union;

/* This process's node and processors; memory and threads are left 0. */
void fold_look(fold_rank *self);

/* The rank that works for `rank`: itself, or a lower one. */
int fold_leader(const fold_rank *ranks, int rank);

/* The joint resources of the ranks that fold into `leader`. */
fold_union fold_add(const fold_rank *ranks, int n, int leader);

/* The threads of a working rank which may use `available` of the processors, by their set and by the quota.
 * At least 1. */
int fold_threads(const fold_union *all, int available);

#endif
