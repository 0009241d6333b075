/* Begins and ends a command that runs as several ranks. It starts the watchdog and MPI, checks that all ranks
 * have the same command line, and lets only rank 0 print.
 *
 * The ranks of a node fold into one that works, because one rank with all memory of a node needs no messages
 * within it (fold.h). The others sleep until it ends, and end with the same exit code. A pulse goes around
 * among them up to 20 times a second. It carries a stop from a waiting rank to the working one, and shows the
 * watchdogs of the waiting ranks that the working rank makes progress.
 *
 * Part of the program, not of the library. A ranks_run owns its communicators, its watchdog and a copy of
 * standard error.
 */
#ifndef SOLVER_RUN_COMMAND_RANKS_H
#define SOLVER_RUN_COMMAND_RANKS_H

#include "base/command/options.h"
#include "parallel/comm.h"
#include "parallel/workspace.h"

/* Options of every command that runs over ranks. */
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

/* Seconds without progress that a watchdog allows, unless --watchdog is given. */
enum { RANKS_SECONDS = 600 };

typedef struct {
  comm *comm; /* the ranks that work */
  comm *all;  /* all ranks that were started, the same as comm unless ranks fold */
  comm *node; /* the ranks that fold with this one, or NULL */
  bool waits; /* another rank works for this one, which has no comm */
  watchdog *watchdog;
  int own_errors; /* copy of standard error for what concerns this rank only, since only rank 0 prints */
} ranks_run;

typedef struct {
  char text[192]; /* empty if nothing folded, and on all ranks but 0 */
} ranks_folded;

/* Opens the ranks. A watchdog of `seconds` watches several ranks, or a single one if --watchdog is given.
 * --watchdog replaces `seconds`; 0 turns the watchdog off. The reader of the options checks the time.
 * `parsed` may be NULL. Rank 0 prints for all. ranks_close must be called, also after an error. Errors: those
 * of comm_open_mpi and watchdog_start. */
tauler_error ranks_open(const options *parsed, double seconds, ranks_run *out, tauler_message *message);

/* Refuses a rank with another version, argument or option than rank 0. Options such as --db and --threads may
 * differ. All ranks get the message. Errors: TAULER_BAD_USAGE, TAULER_IO. */
tauler_error ranks_compare(comm *comm, const options *parsed, const option_group *const *groups,
                           tauler_message *message);

/* Called before any work. Folds the ranks of each node into one, unless --fold=no is given. Sets in `work`
 * the threads, the memory limit and the ranks with which this rank works. If ranks of one host stay apart,
 * they divide its memory and processors, unless --threads and --memory are given. Processors are those of
 * this process, for the threads of OpenMP. `folded` describes the fold. Errors, agreed: TAULER_BAD_USAGE,
 * TAULER_IO, TAULER_NO_MEMORY. */
tauler_error ranks_fold(ranks_run *run, const options *parsed, workspace *work, ranks_folded *folded,
                        tauler_message *message);

/* True if a waiting rank was asked to stop. */
bool ranks_asked_to_stop(const ranks_run *run);

/* Ends a fold. A waiting rank sleeps here until the others have worked. All ranks get the error and the
 * message of those that worked. */
tauler_error ranks_join(ranks_run *run, tauler_error error, tauler_message *message);

/* Closes the ranks. If a rank ends with an error, rank 0 has a moment to print first. */
void ranks_close(ranks_run *run, tauler_error error);

/* Runs a command between ranks_open and ranks_close. `run` folds the ranks, and works unless its rank waits.
 * Errors: those of `run`, ranks_open and ranks_join. */
tauler_error ranks_command(const options *parsed,
                           tauler_error (*run)(const options *parsed, ranks_run *ranks,
                                               tauler_message *message),
                           tauler_message *message);

/* For command.refused: if the command line of one rank is wrong, all ranks get the error. */
tauler_error ranks_refuse(tauler_error error, tauler_message *message);
/* For command.waits_to_speak. */
void ranks_wait_to_speak(void);

#endif
