/* A process in which nothing moves is ended, with its words and exit code, and its launcher after it;
 * nothing else is. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "parallel/watchdog.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

typedef struct {
  int status;
  double seconds; /* until something was said, or the end */
  double closing; /* from then on until nobody could say more */
  char said[1024];
} ended;

static void pass_time(double seconds) {
  struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&left, &left) != 0) {}
}

/* Runs `body` in a process of its own, with a pipe for what is said. */
static ended run_apart(void (*body)(int descriptor)) {
  ended result = {0};
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  const double start = clock_wall();
  const pid_t process = fork();
  ck_assert_int_ge(process, 0);
  if (process == 0) {
    close(ends[0]);
    body(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  size_t n = 0;
  for (ssize_t got = 1; got > 0; n += got > 0 ? (size_t)got : 0) {
    got = read(ends[0], result.said + n, sizeof result.said - 1 - n);
    if (n == 0) result.seconds = clock_wall() - start;
  }
  result.closing = clock_wall() - start - result.seconds;
  close(ends[0]);
  ck_assert_int_eq(waitpid(process, &result.status, 0), process);
  return result;
}

/* A step that moves all the time may get no processor for as long as a watchdog waits; then every wait is
 * made longer. */
static int slowly = 1;

static ended run_until_it_goes_on(void (*body)(int descriptor)) {
  ended result = {0};
  for (slowly = 1; slowly < 20; slowly *= 4) {
    result = run_apart(body);
    if (result.status == 0) break;
  }
  return result;
}

static watchdog *watch(double seconds, int descriptor) {
  watchdog *dog = NULL;
  if (watchdog_start(seconds, descriptor, "rank 3 on host n7", &dog, NULL) != TAULER_OK) _exit(99);
  return dog;
}

static void stand_still(int descriptor) {
  watch(1, descriptor);
  pass_time(600);
}

CASE(standing_still_ends) {
  ended result = {.closing = 3};
  /* An open pipe would keep a launcher waiting; a process left behind lives for three seconds. */
  for (int tries = 0; tries < 5 && result.closing >= 2.9; tries++) result = run_apart(stand_still);
  ck_assert(result.closing < 2.9);
  ck_assert(WIFEXITED(result.status));
  ck_assert_int_eq(WEXITSTATUS(result.status), 75);
  ck_assert(result.seconds >= 1);
  ck_assert_str_eq(result.said,
                   "tauler: rank 3 on host n7: nothing has moved for 1 s (a dead peer, a dead link or "
                   "a hung file system?); all work up to the last checkpoint is kept: run the same "
                   "command again\n");
}

static void move_and_stop(int descriptor) {
  watchdog *dog = watch(1.5 * slowly, descriptor);
  for (int i = 0; i < 20; i++) {
    pass_time(0.1 * slowly);
    watchdog_note(dog);
  }
  watchdog_stop(dog);
  pass_time(2 * slowly);
}

CASE(what_moves_goes_on) {
  const ended result = run_until_it_goes_on(move_and_stop);
  ck_assert(WIFEXITED(result.status));
  ck_assert_int_eq(WEXITSTATUS(result.status), 0);
  ck_assert_str_eq(result.said, "");
}

static void move_then_stand(int descriptor) {
  watchdog *dog = watch(slowly, descriptor);
  for (int i = 0; i < 8; i++) {
    pass_time(0.1 * slowly);
    watchdog_note(dog);
  }
  pass_time(600);
}

CASE(the_time_counts_from_the_last_move) {
  ended result = {0};
  for (slowly = 1; slowly < 20; slowly *= 4) {
    result = run_apart(move_then_stand);
    if (result.seconds >= 1.8 * slowly) break;
  }
  ck_assert_int_eq(WEXITSTATUS(result.status), 75);
  ck_assert(result.seconds >= 1.8 * slowly);
}

CASE(stopping_takes_no_time) {
  double least = 1;
  for (int i = 0; i < 40; i++) {
    watchdog *dog = NULL;
    MUST(watchdog_start(600, STDERR_FILENO, "nobody", &dog, NULL));
    pass_time(0.02); /* it has begun to wait, for a quarter of a second */
    const double start = clock_wall();
    watchdog_stop(dog);
    const double seconds = clock_wall() - start;
    if (seconds < least) least = seconds;
  }
  watchdog_stop(NULL);
  ck_assert(least < 0.1); /* least of many times, on a busy machine */
}

/* A scheduler may stop a process for hours. */
CASE(being_suspended_is_not_standing_still) {
  const pid_t process = fork();
  if (process == 0) {
    watchdog *dog = watch(3, STDERR_FILENO);
    for (int i = 0; i < 40; i++) { /* many sleeps for each move: none comes right after waking up */
      pass_time(0.1);
      if (i % 12 == 11) watchdog_note(dog);
    }
    _exit(0);
  }
  pass_time(0.3);
  kill(process, SIGSTOP);
  pass_time(4);
  kill(process, SIGCONT);
  int status = 0;
  ck_assert_int_eq(waitpid(process, &status, 0), process);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), 0);
}

static void *note_often(void *dog) {
  for (int i = 0; i < 100000; i++) watchdog_note(dog);
  return NULL;
}

CASE(any_thread_may_note) {
  watchdog *dog = watch(600, STDERR_FILENO);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, note_often, dog), 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  watchdog_stop(dog);
}

/* A signal that the program holds back, or answers, is never its watchdog's. */
CASE(signals_pass_the_watchdog_by) {
  watchdog *dog = watch(600, STDERR_FILENO);
  sigset_t usr1, pending, own;
  pthread_sigmask(SIG_BLOCK, NULL, &own);
  ck_assert_int_eq(sigismember(&own, SIGTERM), 0);
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, NULL);
  kill(getpid(), SIGUSR1);
  pass_time(0.2);
  sigpending(&pending);
  ck_assert_int_eq(sigismember(&pending, SIGUSR1), 1);
  ck_assert(sigtimedwait(&usr1, NULL, &(struct timespec){0, 0}) == SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
  watchdog_stop(dog);
}

/* A rank that waits in its comm, where the other does not come. */
static void wait_for_other(comm *comm, void *user) {
  if (comm_rank(comm) == 1) pass_time(600);
  comm_set_watchdog(comm, watch(0.5, *(int *)user));
  uint64_t number = 0;
  (void)comm_allreduce(comm, COMM_SUM, &number, 1, NULL);
}

static void wait_in_vain(int descriptor) {
  toy_comm_run(2, wait_for_other, &descriptor);
}

CASE(a_rank_that_waits_in_vain_ends) {
  const ended result = run_apart(wait_in_vain);
  ck_assert(WIFEXITED(result.status));
  ck_assert_int_eq(WEXITSTATUS(result.status), 75);
}

/* Every call that comes back is a move: together they take longer than the time allowed. */
static void call_often(comm *comm, void *user) {
  watchdog *dog = watch(1.5 * slowly, *(int *)user);
  comm_set_watchdog(comm, dog);
  char byte = 0;
  uint64_t number = 0;
  comm_buffer out[2] = {{0}}, in[2] = {{0}};
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < 20; i++) {
      pass_time(0.1 * slowly);
      if (kind == 0) (void)comm_allreduce(comm, COMM_SUM, &number, 1, NULL);
      if (kind == 1) (void)comm_bcast(comm, 0, &byte, 1, NULL);
      if (kind == 2) (void)comm_alltoallv(comm, out, in, 0, NULL);
      if (kind == 3) comm_note_progress(comm);
    }
  }
  comm_set_watchdog(comm, NULL);
  watchdog_stop(dog);
  comm_note_progress(comm);
}

static void call_on_two_ranks(int descriptor) {
  toy_comm_run(2, call_often, &descriptor);
}

CASE(calls_that_come_back_are_moves) {
  const ended result = run_until_it_goes_on(call_on_two_ranks);
  ck_assert(WIFEXITED(result.status));
  ck_assert_int_eq(WEXITSTATUS(result.status), 0);
}

static void have_name(const char *name) {
  prctl(PR_SET_NAME, name);
}

/* A parent of this name that never notices its child's end. */
static int fate_of_parent(const char *name, int fate) {
  const pid_t parent = fork();
  if (parent == 0) {
    have_name(name);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (fork() == 0) stand_still(nowhere);
    pass_time(fate ? 600 : 6);
    _exit(7);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(parent, &status, 0), parent);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Side by side, since each takes seconds. */
CASE(a_launcher_that_stays_is_killed) {
  static const struct {
    const char *name;
    int fate;
  } parents[] = {{"mpirun", SIGKILL},  {"orted", SIGKILL}, {"hydra_pmi_proxy", SIGKILL},
                 {"prted", SIGKILL},   {"slurmstepd", 0},  {"bash", 0},
                 {"mpirun) R 1 (", 0}, {"mpi", 0},         {"mpiexec", SIGKILL}};
  enum { PARENTS = sizeof parents / sizeof *parents };
  pid_t processes[PARENTS];
  for (int i = 0; i < PARENTS; i++) {
    processes[i] = fork();
    if (processes[i] == 0) _exit(fate_of_parent(parents[i].name, parents[i].fate));
  }
  for (int i = 0; i < PARENTS; i++) {
    int status = 0;
    ck_assert_int_eq(waitpid(processes[i], &status, 0), processes[i]);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == parents[i].fate, "%s: status %x",
                  parents[i].name, (unsigned)status);
  }
}

SUITE("watchdog") {
  TESTS(standing_still_ends, what_moves_goes_on, the_time_counts_from_the_last_move, stopping_takes_no_time,
        being_suspended_is_not_standing_still, any_thread_may_note, signals_pass_the_watchdog_by,
        a_rank_that_waits_in_vain_ends, calls_that_come_back_are_moves, a_launcher_that_stays_is_killed);
}
