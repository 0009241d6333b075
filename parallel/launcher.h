/* What started this process, as far as its environment tells: alone, or as one of several ranks.
 *
 * Known are Open MPI's and MPICH's launchers and Slurm's srun. Nothing is owned; the environment must
 * not change while it is read.
 */
#ifndef PARALLEL_LAUNCHER_H
#define PARALLEL_LAUNCHER_H

#include <stdbool.h>

typedef struct {
  bool is_there; /* a launcher of ranks started this process */
  int rank;      /* 0 where nothing says */
  int ranks;     /* 1 where nothing says */
} launcher;

launcher launcher_find(void);

/* Ranks shard processors more often than not, and threads of OpenMP that wait awake then take them from those
 * that work: what takes 1 s took 40 s with two ranks of two threads on two processors. OpenMP reads
 * how to wait when it is loaded, so the program is started once more by itself where it was not told. */
void launcher_wait_asleep(char **argv);

#endif
