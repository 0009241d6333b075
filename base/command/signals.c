/* Notes signals that ask the program to stop, and ends the program if it has nothing to save. */
#include "base/command/signals.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/tauler_error.h"

enum { AGAIN_MS = 200 }; /* milliseconds within which two signals count as one */

static char last_line[1024];
static bool has_person; /* true if standard error is a terminal */
static sem_t noted;
static atomic_bool held, asked;
static _Atomic uint64_t first_end; /* time in milliseconds of the first noted SIGINT or SIGTERM, or 0 */
static volatile sig_atomic_t disk_descriptor = STDERR_FILENO;

/* The functions from here to signals_open may run in a signal handler. */
static void write_words(int descriptor, const char *words) {
  size_t n = strlen(words);
  while (n > 0) {
    const ssize_t done = write(descriptor, words, n);
    if (done <= 0) return;
    words += done;
    n -= (size_t)done;
  }
}

static void end_as_stopped(void) {
  if (has_person) write_words(STDERR_FILENO, "\n"); /* there may be a progress bar */
  write_words(STDERR_FILENO, last_line);
  _exit(tauler_exit_code(TAULER_STOPPED));
}

/* Notes the time of the first SIGINT or SIGTERM. Returns true for another one, AGAIN_MS or more later. */
static bool is_second_request(int number) {
  if (number == SIGUSR1) return false;
  const uint64_t now = (uint64_t)(clock_wall() * 1000) + 1;
  uint64_t first = 0;
  return !atomic_compare_exchange_strong(&first_end, &first, now) && now - first >= AGAIN_MS;
}

static void note_signal(int number) {
  const int reason = errno;
  if (!atomic_load(&held) || is_second_request(number)) end_as_stopped();
  if (!atomic_exchange(&asked, true)) {
    sem_post(&noted);
    if (has_person)
      write_words(STDERR_FILENO, "\nstopping where everything can be kept; Ctrl-C once more ends at once\n");
  }
  errno = reason;
}

static void end_after_disk_error(int number, siginfo_t *about, void *context) {
  (void)context;
  if (about->si_code <= 0) { /* sent by a process */
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  write_words(
      (int)disk_descriptor,
      about->si_code == BUS_MCEERR_AR || about->si_code == BUS_MCEERR_AO
          ? "tauler build: the memory of this machine is damaged (SIGBUS); run the same command again "
            "on another one, and it goes on from the last checkpoint\n"
          : "tauler build: what waits on the disk cannot be read or written any more (SIGBUS): the "
            "disk of the tables, or of this machine's temporary files, is full or has failed; check "
            "it, free some space, and run the same command again: it goes on from the last "
            "checkpoint\n");
  _exit(tauler_exit_code(TAULER_IO));
}

void signals_open(const char *line) {
  static const int stops[] = {SIGINT, SIGTERM, SIGUSR1};
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART}, before;
  snprintf(last_line, sizeof last_line, "%s", line);
  has_person = isatty(STDERR_FILENO) == 1;
  sem_init(&noted, 0, 0);
  sigset_t all;
  sigemptyset(&all);
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) sigaddset(&all, stops[i]);
  action.sa_mask = all;
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    if (stops[i] == SIGINT && sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(stops[i], &action, NULL);
  }
  pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

void signals_hold(void) {
  atomic_store(&held, true);
}

void signals_release(void) {
  atomic_store(&held, false);
  if (atomic_load(&asked)) end_as_stopped();
}

bool signals_asked(void) {
  return atomic_load(&asked);
}

bool signals_stop(void *user) {
  (void)user;
  return signals_asked();
}

bool signals_wait(double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  const long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  while (sem_timedwait(&noted, &until) != 0 && errno == EINTR) {}
  return signals_asked();
}

void signals_watch_disk(int descriptor) {
  struct sigaction action = {.sa_sigaction = end_after_disk_error, .sa_flags = SA_SIGINFO};
  disk_descriptor = descriptor;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}
