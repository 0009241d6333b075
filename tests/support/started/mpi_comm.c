/* The ranks of test_mpi.py: mpi_comm checks|large|broken|stall SECONDS|lone. Prints one line for each rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parallel/comm_mpi.h"
#include "parallel/watchdog.h"
#include "tests/support/toy_comm_checks.h"

static int say(const comm *comm, const char *words) {
  printf("rank %d of %d: %s\n", comm_rank(comm), comm_ranks(comm), *words ? words : "fine");
  fflush(stdout);
  return *words != '\0';
}

/* A call that message passing itself refuses, on the last rank alone: the others wait for it. */
static int break_comm(comm *comm) {
  uint64_t number = 1;
  if (comm_rank(comm) < comm_ranks(comm) - 1)
    return comm_allreduce(comm, COMM_SUM, &number, 1, NULL) == TAULER_OK;
  char byte = 0;
  tauler_message message = {""};
  const tauler_error error = comm_bcast(comm, 99, &byte, 1, &message);
  const bool later = comm_bcast(comm, 0, &byte, 1, NULL) == TAULER_IO && comm_is_broken(comm);
  fprintf(stderr, "%s: %s%s\n", tauler_error_name(error), message.text, later ? "" : " and goes on");
  return tauler_exit_code(error);
}

/* The last rank never comes; the others wait, watched. */
static int stall(comm *comm, double seconds) {
  watchdog *dog = NULL;
  char who[32];
  snprintf(who, sizeof who, "rank %d", comm_rank(comm));
  if (watchdog_start(seconds, STDERR_FILENO, who, &dog, NULL) != TAULER_OK) return 1;
  comm_set_watchdog(comm, dog);
  for (int round = 0; round < 15; round++) { /* longer than allowed, but something moves */
    uint64_t number = 1;
    usleep((useconds_t)(seconds * 100000));
    if (comm_allreduce(comm, COMM_SUM, &number, 1, NULL) != TAULER_OK) return 1;
  }
  say(comm, "moved");
  if (comm_rank(comm) == comm_ranks(comm) - 1) {
    comm_set_watchdog(comm, NULL);
    watchdog_stop(dog);
    for (;;) pause();
  }
  uint64_t number = 1;
  (void)comm_allreduce(comm, COMM_SUM, &number, 1, NULL);
  return 1;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  tauler_message message = {""};
  comm *comm = NULL;
  const tauler_error error = comm_open_mpi(&comm, &message);
  if (error) {
    fprintf(stderr, "%s\n", message.text);
    return tauler_exit_code(error);
  }
  int status = 0;
  if (strcmp(what, "checks") == 0) status = say(comm, comm_check_all(comm).text);
  if (strcmp(what, "large") == 0) status = say(comm, comm_check_large(comm).text);
  if (strcmp(what, "lone") == 0) say(comm, comm ? "has a comm" : "no comm");
  if (strcmp(what, "broken") == 0) status = break_comm(comm);
  if (strcmp(what, "stall") == 0) status = stall(comm, argc > 2 ? atof(argv[2]) : 1);
  comm_close(comm);
  return status;
}
