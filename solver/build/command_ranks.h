/* How a command that is started as several ranks begins and ends: watched from the first moment, by message
 * passing, of one mind about the command line, and with one voice.
 *
 * Part of the program, not of the library. A ranks_run owns its comm, its watchdog and a copy of standard
 * error.
 */
#ifndef SOLVER_BUILD_COMMAND_RANKS_H
#define SOLVER_BUILD_COMMAND_RANKS_H

#include "base/options.h"
#include "solver/parallel/comm.h"

typedef struct {
  comm *comm;
  watchdog *watchdog;
  int own_errors; /* for what concerns this rank alone: standard error, which only rank 0 keeps */
} ranks_run;

/* Several ranks are watched unless `seconds` is 0, one on request (`watch_alone`). What all would say alike
 * is said by rank 0. To be closed, also after an error. Errors: those of comm_open_mpi and watchdog_start. */
tauler_error ranks_open(double seconds, bool watch_alone, ranks_run *out, tauler_message *message);

/* Refuses ranks that run another version than rank 0, or were given another argument or option, those aside
 * that are a rank's own affair; all get the message. Errors: TAULER_BAD_USAGE, TAULER_IO. */
tauler_error ranks_compare(comm *comm, const options *parsed, const option_group *const *groups,
                           tauler_message *message);

/* Where a rank ends with an error, rank 0 has a moment to say it first. */
void ranks_close(ranks_run *run, tauler_error error);

/* For command.refused: one rank's wrong command line is every rank's error. */
tauler_error ranks_refuse(tauler_error error, tauler_message *message);
/* For command.speaks. */
bool ranks_speak(void);

#endif
