/* A comm by message passing: what the program, but never the library, is linked with.
 *
 * Two-sided MPI, called by the thread that opened the comm only. Waiting looks again at growing
 * intervals instead of spinning, so that more ranks than processors do not starve each other. A comm
 * that has lost a rank cannot be ended in an orderly way: closing it then leaves MPI as it is, and the
 * launcher ends what is left of the job when it sees this process go.
 */
#ifndef PARALLEL_COMM_MPI_H
#define PARALLEL_COMM_MPI_H

#include "parallel/comm.h"

/* Starts message passing if a launcher of ranks started this process; else *out is NULL, one rank.
 * At most once in a process. Errors: TAULER_BAD_USAGE (ranks that cannot see each other, or that this
 * program was built without), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error comm_open_mpi(comm **out, tauler_message *message);

/* The implementation that the program is linked with, "Open MPI 4.1.4", or "none". */
typedef struct {
  char text[128];
} comm_mpi_name;
comm_mpi_name comm_mpi_implementation(void);

#endif
