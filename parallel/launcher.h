/* The launcher of this process, as far as its environment tells: alone, or as one of several ranks.
 *
 * It knows Open MPI's and MPICH's launchers and Slurm's srun. Nothing is owned; the environment must not
 * change while it is read.
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

/* OpenMP threads that spin while they wait take processor time from those that work, of other ranks and of
 * other programs: 1 s became 40 s with two ranks of two threads on two processors. OpenMP reads how to wait
 * when it is loaded, so the program sets that and starts itself once more, unless the environment says it
 * already. */
void launcher_wait_asleep(char **argv);

#endif
