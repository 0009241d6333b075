/* base/: a signal that asks a program to stop ends it with its last line, or is noted while it is held. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/command/signals.h"
#include "tests/support/suite.h"

static const char last_line[] = "tauler build: stopped\n";

enum { WENT_ON = 17 };

static void pass_time(double seconds) {
  struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (nanosleep(&left, &left) != 0) {}
}

/* Runs `body` apart and holds its exit code and what it writes to standard error against what is expected. */
static void expect_end(void (*body)(void), int code, const char *words) {
  char said[1024] = "";
  FILE *errors = tmpfile();
  fflush(NULL);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(fileno(errors), STDERR_FILENO);
    for (int i = 0; i < 3; i++) signal((int[]){SIGINT, SIGTERM, SIGUSR1}[i], SIG_DFL);
    body();
    _exit(WENT_ON);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  rewind(errors);
  said[fread(said, 1, sizeof said - 1, errors)] = '\0';
  fclose(errors);
  ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), code);
  ck_assert_str_eq(said, words);
}

static void stop_unheld(int number) {
  signals_open(last_line);
  raise(number);
}

static void interrupt(void) {
  stop_unheld(SIGINT);
}

static void terminate(void) {
  stop_unheld(SIGTERM);
}

static void end_of_time(void) {
  stop_unheld(SIGUSR1);
}

CASE(what_is_not_held_ends_with_a_line) {
  expect_end(interrupt, 75, last_line);
  expect_end(terminate, 75, last_line);
  expect_end(end_of_time, 75, last_line);
}

static void hold_one(void) {
  signals_open(last_line);
  signals_hold();
  if (signals_asked()) _exit(1);
  raise(SIGINT);
  if (!signals_asked()) _exit(2);
}

/* All before the second could be taken for another; blocked, so that a busy machine cannot come between. */
static void hold_twice_at_once(void) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  signals_open(last_line);
  signals_hold();
  pthread_sigmask(SIG_BLOCK, &both, NULL);
  raise(SIGINT);
  raise(SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &both, NULL);
  if (!signals_asked()) _exit(2);
}

static void hold_ends_of_time(void) {
  signals_open(last_line);
  signals_hold();
  raise(SIGUSR1);
  pass_time(0.4);
  raise(SIGUSR1);
  raise(SIGTERM); /* the first of those that end */
}

static void hold_two(void) {
  hold_one();
  pass_time(0.4);
  raise(SIGTERM);
}

CASE(what_is_held_is_noted_and_a_second_one_ends) {
  expect_end(hold_one, WENT_ON, "");
  expect_end(hold_twice_at_once, WENT_ON, "");
  expect_end(hold_ends_of_time, WENT_ON, "");
  expect_end(hold_two, 75, last_line);
}

static void release_without(void) {
  signals_open(last_line);
  signals_hold();
  signals_release();
}

static void release_with(void) {
  hold_one();
  signals_release();
}

static void end_after_release(void) {
  release_without();
  raise(SIGINT);
}

CASE(what_is_released_has_its_way) {
  expect_end(release_without, WENT_ON, "");
  expect_end(release_with, 75, last_line);
  expect_end(end_after_release, 75, last_line);
}

static void keep_ignored(void) {
  signal(SIGINT, SIG_IGN);
  signals_open(last_line);
  raise(SIGINT);
}

static void take_blocked(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  stop_unheld(SIGTERM);
}

CASE(what_was_ignored_stays_so_and_what_was_blocked_does_not) {
  expect_end(keep_ignored, WENT_ON, "");
  expect_end(take_blocked, 75, last_line);
}

static void *send_later(void *process) {
  pass_time(0.3);
  kill(*(pid_t *)process, SIGTERM);
  return NULL;
}

static void wait_for_one(void) {
  pid_t own = getpid();
  pthread_t sender;
  signals_open(last_line);
  signals_hold();
  const double start = clock_wall();
  if (signals_wait(0.2) || clock_wall() - start < 0.15) _exit(1);
  if (pthread_create(&sender, NULL, send_later, &own) != 0) _exit(2);
  if (!signals_wait(30) || clock_wall() - start > 20) _exit(3);
  pthread_join(sender, NULL);
}

CASE(waiting_ends_with_a_signal_or_with_time) {
  expect_end(wait_for_one, WENT_ON, "");
}

SUITE("signals") {
  TESTS(what_is_not_held_ends_with_a_line, what_is_held_is_noted_and_a_second_one_ends,
        what_is_released_has_its_way, what_was_ignored_stays_so_and_what_was_blocked_does_not,
        waiting_ends_with_a_signal_or_with_time);
}
