/* A communicator over MPI. The program is linked with it, the library never.
 *
 * It uses two-sided MPI, only from the thread that opened the communicator. Waits test at growing intervals
 * instead of spinning, so that ranks do not starve each other if there are more of them than processors. A
 * communicator that has lost a rank cannot be ended in an orderly way: closing it leaves MPI as it is, and
 * the launcher ends the rest of the job when this process ends.
 */
#ifndef PARALLEL_COMM_MPI_H
#define PARALLEL_COMM_MPI_H

#include "parallel/comm.h"

/* Starts MPI if a launcher of ranks started this process; otherwise *out is NULL, one rank. At most once per
 * process. Errors: TAULER_BAD_USAGE (the ranks cannot see each other, or this program was built without MPI),
 * TAULER_IO, TAULER_NO_MEMORY. */
tauler_error comm_open_mpi(comm **out, tauler_message *message);

/* The MPI implementation of the program, "Open MPI 4.1.4", or "none". */
typedef struct {
  char text[128];
} comm_mpi_name;
comm_mpi_name comm_mpi_implementation(void);

#endif
