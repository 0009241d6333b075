/* Ends the process if its progress counter has not changed for too long. */
#include "parallel/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { COMM_BYTES = 16, LAUNCHER_STAYS = 3 /* seconds */ };

struct watchdog {
  _Alignas(64) _Atomic uint64_t moves; /* the counter, on a cache line of its own */
  _Alignas(64) pthread_mutex_t lock;
  pthread_cond_t stop;
  bool stopped;
  pthread_t thread;
  double seconds;
  int descriptor;
  char who[128];
};

/* The identity of a process: number, name and start time, since a number alone may be reused. */
typedef struct {
  pid_t process;
  char name[COMM_BYTES];
  unsigned long long began;
} process_mark;

/* Uses only calls that are safe after a fork. The text is "PID (NAME) STATE …", and its 22nd field is the
 * start time. The name may contain blanks and brackets. */
static bool identify_process(pid_t process, process_mark *mark) {
  enum { FIELDS_AFTER_NAME = 20 };
  char path[32] = "/proc/", text[1024], digits[16];
  size_t length = strlen(path), n = 0;
  for (pid_t left = process; left > 0; left /= 10) digits[n++] = (char)('0' + left % 10);
  while (n > 0) path[length++] = digits[--n];
  memcpy(path + length, "/stat", sizeof "/stat");
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0) return false;
  text[got] = '\0';
  const char *open_bracket = strchr(text, '('), *close_bracket = strrchr(text, ')');
  if (!open_bracket || !close_bracket || close_bracket - open_bracket > COMM_BYTES) return false;
  *mark = (process_mark){.process = process};
  memcpy(mark->name, open_bracket + 1, (size_t)(close_bracket - open_bracket - 1));
  const char *at = close_bracket + 1;
  for (int field = 0; field < FIELDS_AFTER_NAME; field++) {
    at = strchr(at, ' ');
    if (!at) return false;
    at++;
  }
  for (; *at >= '0' && *at <= '9'; at++) mark->began = mark->began * 10 + (unsigned long long)(*at - '0');
  return true;
}

static bool is_same_process(const process_mark *mark) {
  process_mark now;
  return identify_process(mark->process, &now) && now.began == mark->began &&
         strcmp(now.name, mark->name) == 0;
}

/* True if a process is the launcher of ranks of Open MPI 4, Open MPI 5 or MPICH. Other parents, such as
 * Slurm's daemon or a shell, must not be killed. */
static bool is_launcher(const process_mark *mark) {
  static const char names[][COMM_BYTES] = {"mpirun", "mpiexec", "orterun",         "orted",        "prterun",
                                           "prted",  "prte",    "hydra_pmi_proxy", "mpiexec.hydra"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(mark->name, names[i]) == 0) return true;
  }
  return false;
}

/* Closes all descriptors, or those below 1024 if the system has no call for that. Makes the system call by
 * its number, since C libraries before 2.34 have no function for it. */
static void close_descriptors(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 0U, ~0U, 0U) == 0) return;
#endif
  for (int descriptor = 0; descriptor < 1024; descriptor++) close(descriptor);
}

/* Starts a child that, a few seconds later, kills this process if it still runs, and its launcher. The child
 * closes all descriptors, since a launcher waits for the end of its ranks' output. The child is not made by
 * fork, which would run handlers of the MPI library that may wait for locks. */
static void start_killer(void) {
  process_mark self, launcher;
  const bool kill_self = identify_process(getpid(), &self);
  const bool kill_launcher = identify_process(getppid(), &launcher) && is_launcher(&launcher);
  if (syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L) != 0) return;
  setsid();
  close_descriptors();
  struct timespec left = {LAUNCHER_STAYS, 0};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
  if (kill_self && is_same_process(&self)) kill(self.process, SIGKILL);
  if (kill_launcher && is_same_process(&launcher)) kill(launcher.process, SIGKILL);
  _exit(0);
}

static void end_process(const watchdog *dog) {
  start_killer();
  struct pollfd output = {.fd = dog->descriptor, .events = POLLOUT};
  if (poll(&output, 1, 1000) > 0) {
    dprintf(dog->descriptor,
            "tauler: %s: nothing has moved for %g s (a dead peer, a dead link or a hung file system?); all "
            "work up to the last checkpoint is kept: run the same command again\n",
            dog->who, dog->seconds);
  }
  _exit(tauler_exit_code(TAULER_STOPPED));
}

static bool sleep_until_stopped(watchdog *dog, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  pthread_mutex_lock(&dog->lock);
  int waited = 0;
  while (!dog->stopped && waited != ETIMEDOUT)
    waited = pthread_cond_timedwait(&dog->stop, &dog->lock, &until);
  const bool stopped = dog->stopped;
  pthread_mutex_unlock(&dog->lock);
  return stopped;
}

static void *watch_progress(void *user) {
  watchdog *dog = user;
  const double period = dog->seconds / 8 < 0.25 ? dog->seconds / 8 : 0.25;
  uint64_t seen = atomic_load_explicit(&dog->moves, memory_order_relaxed);
  double idle = 0, looked = clock_wall();
  while (!sleep_until_stopped(dog, period)) {
    const uint64_t moves = atomic_load_explicit(&dog->moves, memory_order_relaxed);
    const double now = clock_wall();
    /* If a scheduler suspended this process and its peers, at most two periods of that time count. */
    idle += now - looked < 2 * period ? now - looked : 2 * period;
    if (moves != seen) idle = 0;
    if (idle >= dog->seconds) end_process(dog);
    seen = moves;
    looked = now;
  }
  return NULL;
}

static int start_thread(watchdog *dog) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed = pthread_create(&dog->thread, NULL, watch_progress, dog);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed;
}

tauler_error watchdog_start(double seconds, int descriptor, const char *who, watchdog **out,
                            tauler_message *message) {
  *out = NULL;
  watchdog *dog = aligned_alloc(_Alignof(watchdog), sizeof *dog);
  if (!dog) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a watchdog");
  memset(dog, 0, sizeof *dog);
  dog->seconds = seconds;
  dog->descriptor = descriptor;
  snprintf(dog->who, sizeof dog->who, "%s", who);
  pthread_mutex_init(&dog->lock, NULL);
  pthread_condattr_t steady;
  pthread_condattr_init(&steady);
  pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
  pthread_cond_init(&dog->stop, &steady);
  pthread_condattr_destroy(&steady);
  const int failed = start_thread(dog);
  if (failed) {
    pthread_cond_destroy(&dog->stop);
    pthread_mutex_destroy(&dog->lock);
    free(dog);
    return tauler_fail(message, TAULER_NO_MEMORY, "no thread for a watchdog: %s", strerror(failed));
  }
  *out = dog;
  return TAULER_OK;
}

void watchdog_note(watchdog *dog) {
  atomic_fetch_add_explicit(&dog->moves, 1, memory_order_relaxed);
}

void watchdog_stop(watchdog *dog) {
  if (!dog) return;
  pthread_mutex_lock(&dog->lock);
  dog->stopped = true;
  pthread_cond_signal(&dog->stop);
  pthread_mutex_unlock(&dog->lock);
  pthread_join(dog->thread, NULL);
  pthread_cond_destroy(&dog->stop);
  pthread_mutex_destroy(&dog->lock);
  free(dog);
}
