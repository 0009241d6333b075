/* Duties of every transport, checked the same way over threads (test_comm.c) and over message passing
 * (mpi_comm.c). */
#ifndef TESTS_TOY_COMM_CHECKS_H
#define TESTS_TOY_COMM_CHECKS_H

#include "parallel/comm.h"

typedef struct {
  char text[256]; /* the first check that failed, or "" */
} comm_verdict;

/* Collective; for comms of one as well. */
comm_verdict comm_check_all(comm *comm);

/* Bytes beyond what one message can count, from each rank in turn. */
comm_verdict comm_check_large(comm *comm);

#endif
