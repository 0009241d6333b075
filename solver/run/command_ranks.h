/* Begins and ends a command that runs as several ranks. Starts the watchdog and MPI, checks that all ranks
 * have the same command line, and lets only rank 0 print. Unless --fold=no is given, the ranks of a node fold
 * into one that works, because one rank with all memory of a node needs no messages within the node (fold.h).
 * The others sleep until that rank ends, and end with the same exit code. These ranks make up to 20 pulses
 * per second (comm_pulse). A pulse carries a request to stop from a waiting rank to the working one, and
 * shows the watchdogs of the waiting ranks that the working rank makes progress. */
#ifndef SOLVER_RUN_COMMAND_RANKS_H
#define SOLVER_RUN_COMMAND_RANKS_H

#include "base/command/options.h"
#include "parallel/comm.h"
#include "parallel/workspace.h"

#define RANKS_FOLD_OPTION                                                                                    \
  {                                                                                                          \
    "fold", "no",                                                                                            \
        "with several ranks: yes (default): the ranks of a node run as one, with the processors and memory " \
        "of all; no: they stay apart",                                                                       \
        "yes no"                                                                                             \
  }
#define RANKS_WATCHDOG_OPTION                                                                                \
  {                                                                                                          \
    "watchdog", "TIME",                                                                                      \
        "with several ranks: end the job with exit code 75 when nothing has moved for TIME (10m); 0s: "      \
        "never",                                                                                             \
        NULL                                                                                                 \
  }

typedef struct {
  comm *comm;
  comm *all;  /* all ranks that were started, the same as `comm` unless ranks fold */
  comm *node; /* ranks that fold with this one, or NULL */
  bool waits; /* true if another rank works for this one. Then `comm` is NULL */
  watchdog *watchdog;
  int own_errors; /* copy of standard error for errors of this rank alone, since only rank 0 prints others */
  char folded[192]; /* sentence about the fold on rank 0, empty if no ranks folded */
} ranks_run;

/* Opens the ranks and silences all but rank 0. A watchdog of `seconds` watches several ranks, or a single one
 * if --watchdog is given. --watchdog replaces `seconds`; 0 turns the watchdog off. ranks_fold refuses a wrong
 * --watchdog. `parsed` may be NULL. ranks_close must be called, also after an error. Errors: those of
 * comm_open_mpi and watchdog_start. */
tauler_error ranks_open(const options *parsed, double seconds, ranks_run *out, tauler_message *message);

/* Refuses a rank whose version, arguments or options differ from those of rank 0. Options such as --db and
 * --threads may differ. All ranks get the message. Errors: TAULER_BAD_USAGE, TAULER_IO. */
tauler_error ranks_compare(comm *comm, const options *parsed, const option_group *const *groups,
                           tauler_message *message);

/* Compares the ranks and, unless --fold=no is given, folds those of each node into one. Called before any
 * work. `error` is the error of this rank, perhaps TAULER_OK. Sets in `work` the threads, the most threads of
 * a rank, the memory limit and the communicator with which this rank works. If ranks of one host stay apart,
 * they divide its memory unless --memory is given, and its processors unless --threads is given. Errors, the
 * same on all ranks: `error` of any rank, TAULER_BAD_USAGE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error ranks_fold(ranks_run *run, const options *parsed, const option_group *const *groups,
                        tauler_error error, workspace *work, tauler_message *message);

/* True if a rank that waits for this one was asked to stop. */
bool ranks_asked_to_stop(const ranks_run *run);

/* Closes the ranks. After an error on all ranks other than TAULER_BAD_USAGE, all but rank 0 wait half a
 * second, so that rank 0 can print first. If ranks were lost, MPI stays as it is, and after an error this
 * rank's standard error is restored, so that it can print. */
void ranks_close(ranks_run *run, tauler_error error);

/* Opens the ranks, calls `run`, and closes the ranks. `run` must call ranks_fold and then, unless its rank
 * waits, do its work. After a fold, returns on all ranks the error and the message of the lowest rank
 * that failed, unless ranks have lost each other. Errors: those of `run` and ranks_open. */
tauler_error ranks_command(const options *parsed,
                           tauler_error (*run)(const options *parsed, ranks_run *ranks,
                                               tauler_message *message),
                           tauler_message *message);

/* Sends the error of a rank whose command line is wrong to all ranks, which return it. Used as
 * command.refused. */
tauler_error ranks_refuse(tauler_error error, tauler_message *message);
/* Lets rank 0 print an error before this rank does. Used as command.waits_to_speak. */
void ranks_wait_to_speak(void);

#endif
