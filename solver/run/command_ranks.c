/* Opens and closes the ranks of a command, and lets one of them print. */
#include "solver/run/command_ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/available.h"
#include "base/command/signals.h"
#include "base/command/threads.h"
#include "base/text.h"
#include "parallel/comm_mpi.h"
#include "parallel/fold.h"
#include "parallel/launcher.h"
#include "parallel/mail.h"
#include "parallel/watchdog.h"

enum { STOP = 2 * COMM_ALIVE, ENDED = 4 * COMM_ALIVE }; /* bits of a pulse besides COMM_ALIVE */
/* Seconds without progress that a watchdog allows, unless --watchdog is given. */
enum { RANKS_SECONDS = 600 };
enum { HOST_BYTES = 64, COMMAND_BYTES = 8192 };

static void read_host_name(char host[HOST_BYTES]) {
  if (gethostname(host, HOST_BYTES) != 0) host[0] = '\0';
  host[HOST_BYTES - 1] = '\0';
}

/* Called before MPI starts, since MPI may wait for ever. So the launcher's variables tell the rank. */
static tauler_error start_watchdog(double seconds, const launcher *started_by, ranks_run *run,
                                   tauler_message *message) {
  char host[HOST_BYTES], who[96];
  read_host_name(host);
  snprintf(who, sizeof who, "rank %d on host %s", started_by->rank, host);
  return watchdog_start(seconds, run->own_errors, who, &run->watchdog, message);
}

static void silence_unless_root(const ranks_run *run) {
  if (comm_is_root(run->all)) return;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

tauler_error ranks_open(const options *parsed, double seconds, ranks_run *out, tauler_message *message) {
  const launcher started_by = launcher_find();
  const bool watch_alone = parsed && options_has(parsed, "watchdog");
  if (watch_alone) (void)options_duration(parsed, "watchdog", &seconds, NULL);
  *out = (ranks_run){.own_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
  tauler_error error = TAULER_OK;
  if (seconds > 0 && (started_by.is_there || watch_alone))
    error = start_watchdog(seconds, &started_by, out, message);
  if (!error) error = comm_open_mpi(&out->all, message);
  if (!error && watch_alone && !out->all) error = comm_open(NULL, &out->all, message);
  out->comm = out->all;
  if (error) return error;
  if (comm_ranks(out->comm) == 1 && !watch_alone) { /* a single rank waits for no other rank */
    watchdog_stop(out->watchdog);
    out->watchdog = NULL;
  }
  comm_set_watchdog(out->comm, out->watchdog);
  silence_unless_root(out);
  return TAULER_OK;
}

/* --- comparison of command lines ------------------------------------------------------------------------ */

/* True for an option that may differ between ranks, since ranks may be on different hosts and only rank 0
 * prints. */
static bool may_differ(const char *name) {
  static const char *const own[] = {"db", "threads", "memory", "quiet", "json", "log-json"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(name, own[i]) == 0) return true;
  return false;
}

static void add_line(char text[COMMAND_BYTES], const char *before, const char *name, const char *value) {
  const size_t used = strlen(text);
  snprintf(text + used, COMMAND_BYTES - used, "%s%s%s%s\n", before, name, *value ? " " : "", value);
}

static void describe_command(const options *parsed, const option_group *const *groups,
                             char text[COMMAND_BYTES]) {
  memset(text, 0, COMMAND_BYTES);
  add_line(text, "", "tauler", TAULER_VERSION);
  add_line(text, "", options_command(parsed), "");
  for (size_t i = 0; i < options_arguments(parsed); i++) add_line(text, "", options_argument(parsed, i), "");
  for (; *groups; groups++) {
    for (size_t i = 0; i < (*groups)->n; i++) {
      const char *name = (*groups)->options[i].name, *value = options_get(parsed, name);
      if (may_differ(name)) continue;
      add_line(text, value ? "--" : "no --", name, value ? value : "");
    }
  }
}

static tauler_error report_difference(const comm *comm, const char *own, const char *first,
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
  read_host_name(host);
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
  describe_command(parsed, groups, own);
  memcpy(first, own, sizeof first);
  tauler_error error = comm_bcast(comm, 0, first, sizeof first, message);
  if (error) return error;
  if (memcmp(own, first, sizeof own) != 0) error = report_difference(comm, own, first, message);
  return comm_agree(comm, error, message);
}

/* --- folding of the ranks of a node --------------------------------------------------------------------- */

/* Returns the descriptions of all ranks, which the caller frees, and sets *error. Collective. */
static fold_rank *gather_ranks(comm *all, const options *parsed, const workspace *work, tauler_error *error,
                               tauler_message *message) {
  const size_t n = (size_t)comm_ranks(all);
  fold_rank *ranks = calloc(n, sizeof *ranks);
  fold_rank self;
  fold_describe_self(&self);
  self.threads = work->threads;
  self.threads_given = options_has(parsed, "threads");
  self.memory = work->memory->limit;
  if (ranks)
    ranks[comm_rank(all)] = self;
  else
    *error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for %zu ranks", n);
  *error = comm_agree(all, *error, message);
  if (!*error) *error = mail_gather(all, work->memory, ranks, n, sizeof *ranks, message);
  return ranks;
}

static void use_joint_resources(const fold_union *all, workspace *work) {
  const uint64_t most = available_group_memory("");
  sched_setaffinity(0, sizeof all->processors, &all->processors);
  work->threads = threads_startable(fold_threads(all, threads_available()));
  work->memory->limit = all->memory < most ? all->memory : most;
  /* OpenMP may have bound its threads to processors when it was loaded. */
#pragma omp parallel num_threads(work->threads)
  sched_setaffinity(0, sizeof all->processors, &all->processors);
}

/* Collective over the working ranks. */
static tauler_error describe_fold(ranks_run *run, const workspace *work, tauler_message *message) {
  uint64_t sums[2] = {(uint64_t)work->threads, work->memory->limit};
  const tauler_error error = comm_allreduce(run->comm, COMM_SUM, sums, 2, message);
  const int nodes = comm_ranks(run->comm);
  if (error || !comm_is_root(run->all)) return error;
  snprintf(run->folded, sizeof run->folded,
           "%d ranks on %d node%s run as %d with %llu thread%s and %s%s; --fold=no keeps them apart",
           comm_ranks(run->all), nodes, nodes > 1 ? "s" : "", nodes, (unsigned long long)sums[0],
           sums[0] > 1 ? "s" : "", text_size(sums[1]).text, nodes > 1 ? " in all" : "");
  return TAULER_OK;
}

static tauler_error fold_nodes(ranks_run *run, const fold_rank *ranks, workspace *work,
                               tauler_message *message) {
  const int self = comm_rank(run->all), leader = fold_leader(ranks, self);
  uint64_t fold = leader != self;
  comm *working = NULL;
  tauler_error error = comm_allreduce(run->all, COMM_OR, &fold, 1, message);
  if (error || !fold) return error;
  error = comm_split(run->all, leader, &run->node, message);
  if (!error) error = comm_split(run->all, leader == self ? 0 : -1, &working, message);
  error = comm_agree(run->all, error, message);
  if (error) {
    comm_close(working);
    return error;
  }
  run->comm = work->comm = working;
  run->waits = !working;
  comm_set_watchdog(run->waits ? run->node : working, run->watchdog);
  if (run->waits) return TAULER_OK;
  comm_set_waiting_ranks(working, run->node);
  const fold_union all = fold_join_resources(ranks, comm_ranks(run->all), self);
  if (all.ranks > 1) use_joint_resources(&all, work);
  return describe_fold(run, work, message);
}

static void divide_resources(const options *parsed, int neighbours, workspace *work) {
  if (!options_has(parsed, "memory")) work->memory->limit /= (uint64_t)neighbours;
  if (!options_has(parsed, "threads"))
    work->threads = work->threads > neighbours ? work->threads / neighbours : 1;
}

tauler_error ranks_fold(ranks_run *run, const options *parsed, const option_group *const *groups,
                        tauler_error error, workspace *work, tauler_message *message) {
  size_t word = 0;    /* index of the option's word, 0 for yes */
  double seconds = 0; /* only checked, since ranks_open has used it */
  work->comm = run->all;
  if (!error) error = options_duration(parsed, "watchdog", &seconds, message);
  error = comm_agree(run->all, error, message);
  if (!error) error = ranks_compare(run->all, parsed, groups, message);
  if (!error) error = options_word(parsed, "fold", &word, message);
  if (error || comm_ranks(run->all) == 1) return error;
  divide_resources(parsed, comm_ranks_on_host(run->all), work);
  if (word == 0) {
    fold_rank *ranks = gather_ranks(run->all, parsed, work, &error, message);
    if (!error) error = fold_nodes(run, ranks, work, message);
    free(ranks);
  }
  if (error || run->waits) return error;
  uint64_t most = (uint64_t)work->threads; /* nodes may have different numbers of threads */
  error = comm_allreduce(work->comm, COMM_MAX, &most, 1, message);
  if (!error) work->most_threads = (int)most;
  return error;
}

bool ranks_asked_to_stop(const ranks_run *run) {
  return (comm_pulse_bits(run->node) & STOP) != 0;
}

/* Ends a fold. A waiting rank sleeps in this call until the rank that works for it has ended its work. */
static tauler_error end_fold(ranks_run *run, tauler_error error, tauler_message *message) {
  uint64_t all = 0;
  if (run->comm == run->all || comm_is_broken(run->comm)) return error;
  while (!(all & ENDED)) {
    const uint64_t own = COMM_ALIVE | (!run->waits ? ENDED : signals_asked() ? STOP : 0);
    const tauler_error lost = comm_pulse(run->node, own, true, &all, message);
    if (lost) return lost;
  }
  return comm_agree(run->all, error, message);
}

/* --- end of the ranks ----------------------------------------------------------------------------------- */

/* Waits five seconds unless this is rank 0. If another rank has printed the error, the launcher ends this
 * rank meanwhile. Otherwise this rank prints it. */
void ranks_wait_to_speak(void) {
  struct timespec left = {launcher_find().rank > 0 ? 5 : 0, 0};
  while (nanosleep(&left, &left) != 0) {}
}

/* The watchdog is stopped after MPI has ended, since MPI_Finalize waits for all ranks, too. */
void ranks_close(ranks_run *run, tauler_error error) {
  const bool broken = comm_is_broken(run->comm) || comm_is_broken(run->node) || comm_is_broken(run->all);
  const bool agreed = error && error != TAULER_BAD_USAGE && !broken;
  const bool leads = comm_is_root(run->all);
  if (error && broken && run->own_errors >= 0) dup2(run->own_errors, STDERR_FILENO);
  if (!broken) {
    if (run->comm != run->all) comm_close(run->comm);
    comm_close(run->node);
    comm_close(run->all);
  }
  watchdog_stop(run->watchdog);
  /* When a rank exits with an error, a launcher ends the whole job and drops the output of the other ranks.
   * So rank 0, which prints the error, must exit first. */
  if (agreed && !leads) nanosleep(&(struct timespec){0, 500000000}, NULL);
  if (run->own_errors >= 0) close(run->own_errors);
}

tauler_error ranks_command(const options *parsed,
                           tauler_error (*run)(const options *parsed, ranks_run *ranks,
                                               tauler_message *message),
                           tauler_message *message) {
  ranks_run ranks;
  tauler_error error = ranks_open(parsed, RANKS_SECONDS, &ranks, message);
  if (!error) error = end_fold(&ranks, run(parsed, &ranks, message), message);
  ranks_close(&ranks, error);
  return error;
}

tauler_error ranks_refuse(tauler_error error, tauler_message *message) {
  ranks_run run;
  if (!launcher_find().is_there) return error;
  if (ranks_open(NULL, RANKS_SECONDS, &run, NULL) == TAULER_OK) error = comm_agree(run.all, error, message);
  ranks_close(&run, error);
  return error;
}
