/* How this process was started, as far as its environment says: alone, or as one of several ranks.
 *
 * The module knows the launchers of Open MPI and MPICH, and Slurm's srun. It owns nothing; the environment
 * must not change while it is read.
 */
#ifndef PARALLEL_LAUNCHER_H
#define PARALLEL_LAUNCHER_H

#include <stdbool.h>

typedef struct {
  bool is_there; /* a launcher of ranks started this process */
  int rank;      /* 0 if unknown */
  int ranks;     /* 1 if unknown */
} launcher;

launcher launcher_find(void);

/* OpenMP threads that spin while they wait use processor time that other ranks and programs need: with two
 * ranks of two threads on two processors, 1 s became 40 s. OpenMP reads how to wait when it is loaded. So,
 * unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set, this function sets OMP_WAIT_POLICY to passive and starts
 * the program again. */
void launcher_wait_asleep(char **argv);

#endif
