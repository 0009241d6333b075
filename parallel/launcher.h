/* Finds how this process was started: alone or as one of several ranks, and from which file.
 *
 * The module knows the variables of Open MPI, MPICH and Slurm's srun. The environment must not change during
 * a call.
 */
#ifndef PARALLEL_LAUNCHER_H
#define PARALLEL_LAUNCHER_H

#include <limits.h>
#include <stdbool.h>

typedef struct {
  bool is_there; /* true if a launcher of ranks started this process */
  int rank;      /* rank of this process, or 0 if unknown */
  int ranks;     /* number of ranks, or 1 if unknown */
} launcher;

launcher launcher_find(void);

/* Writes the path of this program. Returns the last slash in it, or NULL with errno set. */
char *launcher_program(char path[PATH_MAX]);

/* Unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set, sets OMP_WAIT_POLICY to passive and starts the program
 * again, since OpenMP reads the variable only when it is loaded. Threads that spin while they wait take
 * processor time from other ranks: with two ranks of two threads on two processors, 1 s became 40 s. */
void launcher_wait_asleep(char **argv);

#endif
