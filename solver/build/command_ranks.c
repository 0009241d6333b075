/* Opens and closes the ranks of a command, and lets one of them print. */
#include "solver/build/command_ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "solver/parallel/comm_mpi.h"
#include "solver/parallel/launcher.h"
#include "solver/parallel/watchdog.h"

enum { HOST_BYTES = 64, COMMAND_BYTES = 8192, USUAL_SECONDS = 600 };

static void name_host(char host[HOST_BYTES]) {
  if (gethostname(host, HOST_BYTES) != 0) host[0] = '\0';
  host[HOST_BYTES - 1] = '\0';
}

/* Before message passing begins, which may wait for ever as well: what is known is what the launcher says. */
static tauler_error start_watchdog(double seconds, const launcher *started_by, ranks_run *run,
                                   tauler_message *message) {
  char host[HOST_BYTES], who[96];
  name_host(host);
  snprintf(who, sizeof who, "rank %d on host %s", started_by->rank, host);
  return watchdog_start(seconds, run->own_errors, who, &run->watchdog, message);
}

static void silence_others(const ranks_run *run) {
  if (comm_is_root(run->comm)) return;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

tauler_error ranks_open(double seconds, bool watch_alone, ranks_run *out, tauler_message *message) {
  const launcher started_by = launcher_find();
  *out = (ranks_run){.own_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
  tauler_error error = TAULER_OK;
  if (seconds > 0 && (started_by.is_there || watch_alone))
    error = start_watchdog(seconds, &started_by, out, message);
  if (!error) error = comm_open_mpi(&out->comm, message);
  if (!error && watch_alone && !out->comm) error = comm_open(NULL, &out->comm, message);
  if (error) return error;
  if (comm_ranks(out->comm) == 1 && !watch_alone) { /* it has nobody to wait for */
    watchdog_stop(out->watchdog);
    out->watchdog = NULL;
  }
  comm_set_watchdog(out->comm, out->watchdog);
  silence_others(out);
  return TAULER_OK;
}

/* --- the same command line ---------------------------------------------------------------------------------
 */

/* Ranks may stand on different hosts, and only rank 0 prints. That all see the same folder is looked at where
 * it is. */
static bool is_own_affair(const char *name) {
  static const char *const own[] = {"db", "threads", "memory", "quiet", "json", "log-json"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(name, own[i]) == 0) return true;
  return false;
}

static void add_line(char text[COMMAND_BYTES], const char *before, const char *name, const char *value) {
  const size_t used = strlen(text);
  snprintf(text + used, COMMAND_BYTES - used, "%s%s%s%s\n", before, name, *value ? " " : "", value);
}

/* A line for the version, one for the argument and one for each option. */
static void describe(const options *parsed, const option_group *const *groups, char text[COMMAND_BYTES]) {
  memset(text, 0, COMMAND_BYTES);
  add_line(text, "", "tauler", TAULER_VERSION);
  add_line(text, "", options_argument(parsed, 0), "");
  for (; *groups; groups++) {
    for (size_t i = 0; i < (*groups)->n; i++) {
      const char *name = (*groups)->options[i].name, *value = options_get(parsed, name);
      if (is_own_affair(name)) continue;
      add_line(text, value ? "--" : "no --", name, value ? value : "");
    }
  }
}

static tauler_error tell_difference(const comm *comm, const char *own, const char *first,
                                    tauler_message *message) {
  size_t mine = 0, other = 0;
  while (true) {
    mine = strcspn(own, "\n");
    other = strcspn(first, "\n");
    if (mine != other || memcmp(own, first, mine) != 0 || !own[mine] || !first[other]) break;
    own += mine + 1;
    first += other + 1;
  }
  char host[HOST_BYTES];
  name_host(host);
  return tauler_fail(
      message, TAULER_BAD_USAGE,
      "rank %d on host %s was started with \"%.*s\", rank 0 with \"%.*s\": start all ranks with "
      "the same program and the same command line",
      comm_rank(comm), host, mine < 200 ? (int)mine : 200, own, other < 200 ? (int)other : 200, first);
}

tauler_error ranks_compare(comm *comm, const options *parsed, const option_group *const *groups,
                           tauler_message *message) {
  char own[COMMAND_BYTES], first[COMMAND_BYTES];
  if (comm_ranks(comm) == 1) return TAULER_OK;
  describe(parsed, groups, own);
  memcpy(first, own, sizeof first);
  tauler_error error = comm_bcast(comm, 0, first, sizeof first, message);
  if (error) return error;
  if (memcmp(own, first, sizeof own) != 0) error = tell_difference(comm, own, first, message);
  return comm_agree(comm, error, message);
}

/* --- the end -----------------------------------------------------------------------------------------------
 */

/* Launchers end the whole job, and drop what it still has to say, when a rank comes back with an error:
 * the one that says why must be the first to go. */
static void let_speaker_go(void) {
  nanosleep(&(struct timespec){0, 500000000}, NULL);
}

bool ranks_speak(void) {
  if (launcher_find().rank == 0) return true;
  let_speaker_go();
  return false;
}

/* The watchdog goes last: the end of message passing waits for all ranks as well. */
void ranks_close(ranks_run *run, tauler_error error) {
  const bool agreed = error && error != TAULER_BAD_USAGE && !comm_is_broken(run->comm);
  const bool leads = comm_is_root(run->comm);
  if (error && comm_is_broken(run->comm) && run->own_errors >= 0) dup2(run->own_errors, STDERR_FILENO);
  comm_close(run->comm);
  watchdog_stop(run->watchdog);
  if (agreed && !leads) let_speaker_go();
  if (run->own_errors >= 0) close(run->own_errors);
}

tauler_error ranks_refuse(tauler_error error, tauler_message *message) {
  ranks_run run;
  if (!launcher_find().is_there) return error;
  if (ranks_open(USUAL_SECONDS, false, &run, NULL) == TAULER_OK) error = comm_agree(run.comm, error, message);
  ranks_close(&run, error);
  return error;
}
