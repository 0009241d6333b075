/* Opens a communicator over MPI. The library is linked without this module.
 *
 * A wait spins only for a moment and then sleeps between tests, so that ranks do not starve each other if a
 * host has more ranks than processors. If a communicator has lost a rank, closing it leaves MPI as it is, and
 * the launcher ends the rest of the job when this process ends.
 */
#ifndef PARALLEL_COMM_MPI_H
#define PARALLEL_COMM_MPI_H

#include "parallel/comm.h"

/* If a launcher of ranks started this process, starts MPI and opens *out. Otherwise, or if a program without
 * MPI is the only rank, *out becomes NULL, which means one rank. May be called once per process. Errors:
 * TAULER_BAD_USAGE (the ranks cannot see each other,
 * MPI allows no threads, or this program was built without MPI), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error comm_open_mpi(comm **out, tauler_message *message);

/* Name and version of the MPI library of this program, such as "Open MPI 4.1.4", or "none". */
typedef struct {
  char text[128];
} comm_mpi_name;
comm_mpi_name comm_mpi_implementation(void);

#endif
