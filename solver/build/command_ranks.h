/* Begins and ends a command that runs as several ranks: starts the watchdog and MPI, checks that all ranks
 * have the same command line, and lets only rank 0 print.
 *
 * Ranks of one node fold into one that works (fold.h). The others sleep until it ends, and end with the same
 * exit code. A pulse goes around among them up to 20 times a second: it carries a stop from a waiting rank to
 * the working one, and shows the watchdogs of the waiting ranks that the working rank moves.
 *
 * Part of the program, not of the library. A ranks_run owns its comms, its watchdog and a copy of standard
 * error.
 */
#ifndef SOLVER_BUILD_COMMAND_RANKS_H
#define SOLVER_BUILD_COMMAND_RANKS_H

#include "base/command/options.h"
#include "parallel/comm.h"
#include "parallel/workspace.h"

/* For every command that runs over ranks. */
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

enum { RANKS_SECONDS = 600 }; /* that a watchdog allows nothing to move, where --watchdog says nothing */

typedef struct {
  comm *comm; /* the ranks that work */
  comm *all;  /* as started; the same unless some fold */
  comm *node; /* those that fold with this one; NULL: none */
  bool waits; /* another works for this one, which has no comm */
  watchdog *watchdog;
  int own_errors; /* for what concerns this rank alone: standard error, which only rank 0 keeps */
} ranks_run;

typedef struct {
  char text[192]; /* empty: nothing folded, or not rank 0 */
} ranks_folded;

/* A watchdog of `seconds` watches several ranks, or a single rank if --watchdog is given; --watchdog replaces
 * `seconds`, and 0 turns it off. The reader of the options checks the time. `parsed` may be NULL. Rank 0
 * speaks for all. To be closed, also after an error. Errors: those of comm_open_mpi and watchdog_start. */
tauler_error ranks_open(const options *parsed, double seconds, ranks_run *out, tauler_message *message);

/* Refuses a rank with another version, argument or option than rank 0; options such as --db and --threads may
 * differ. All ranks get the message. Errors: TAULER_BAD_USAGE, TAULER_IO. */
tauler_error ranks_compare(comm *comm, const options *parsed, const option_group *const *groups,
                           tauler_message *message);

/* Before any work: folds the ranks of each node into one, unless --fold=no is given, and puts into `work`
 * what this rank works with: threads, the limit of the memory, and the ranks that work. Ranks of one host
 * that stay apart share it, where --threads and --memory say nothing. Processors are those of this process,
 * for the threads of OpenMP. `folded` describes the fold. Errors, agreed: TAULER_BAD_USAGE, TAULER_IO,
 * TAULER_NO_MEMORY. */
tauler_error ranks_fold(ranks_run *run, const options *parsed, workspace *work, ranks_folded *folded,
                        tauler_message *message);

/* True if a rank that waits was asked to stop. */
bool ranks_asked_to_stop(const ranks_run *run);

/* Ranks that folded come together again: one that waits sleeps here until the others have worked, and all get
 * the error and the message of those. */
tauler_error ranks_join(ranks_run *run, tauler_error error, tauler_message *message);

/* Where a rank ends with an error, rank 0 has a moment to say it first. */
void ranks_close(ranks_run *run, tauler_error error);

/* All of the above around a command that waits where it does not work. `run` folds, and works unless its rank
 * waits. Errors: of `run`, of ranks_open and ranks_join. */
tauler_error ranks_command(const options *parsed,
                           tauler_error (*run)(const options *parsed, ranks_run *ranks,
                                               tauler_message *message),
                           tauler_message *message);

/* For command.refused: one rank's wrong command line is every rank's error. */
tauler_error ranks_refuse(tauler_error error, tauler_message *message);
/* For command.waits_to_speak. */
void ranks_wait_to_speak(void);

#endif
