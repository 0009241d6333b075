/* Starts the proven checker, sends it cells and reads its verdict. */
#include "analysis/proof/checker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/probe/tauler.h"
#include "base/clock.h"
#include "base/durable_file.h"
#include "parallel/launcher.h"

extern char **environ;

static tauler_error make_checker_path(char path[PATH_MAX], tauler_message *message) {
  char *slash = launcher_program(path);
  if (!slash)
    return tauler_fail(message, tauler_errno_error(errno), "cannot tell where this program stands: %s",
                       strerror(errno));
  snprintf(slash + 1, (size_t)(path + PATH_MAX - slash - 1), "tauler-proof");
  return TAULER_OK;
}

/* Starts the open file, so that the program is the one of the digest. Returns 0 or an error number of the
 * system. */
static int spawn_checker(int file, int input, int output, char *const arguments[], pid_t *pid) {
  enum { ITS_FILE = 3 };
  char program[32];
  posix_spawn_file_actions_t actions;
  snprintf(program, sizeof program, "/proc/self/fd/%d", ITS_FILE);
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  int failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, file, ITS_FILE);
  if (!failed) failed = posix_spawn(pid, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static void close_pipe_end(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

enum { QUESTION_WORDS = 4, QUESTION_BYTES = 4 * (CHECKER_SEEDS + 1) };

static void write_slices(uint64_t slices, char text[QUESTION_BYTES]) {
  int at = 0;
  snprintf(text, QUESTION_BYTES, "none");
  for (unsigned n = 0; n <= CHECKER_SEEDS; n++)
    if (slices >> n & 1) at += snprintf(text + at, QUESTION_BYTES - (size_t)at, at ? ",%u" : "%u", n);
}

/* Lists the arguments of the checker and returns their number. `slices` becomes the text of the fourth. */
static int list_arguments(const checker_question *asked, char slices[QUESTION_BYTES],
                          const char *words[QUESTION_WORDS]) {
  words[0] = asked->about;
  words[1] = asked->kind;
  words[2] = asked->most;
  words[3] = slices;
  write_slices(asked->lines, slices);
  return strcmp(asked->kind, "exact") == 0 ? 4 : 3;
}

static tauler_error start_checker_file(int file, checker *c, tauler_message *message) {
  char slices[QUESTION_BYTES];
  const char *arguments[QUESTION_WORDS + 2] = {"tauler-proof"};
  int in[2] = {-1, -1}, back[2] = {-1, -1}, failed = 0;
  const int words = list_arguments(&c->asked, slices, arguments + 1);
  arguments[1 + words] = NULL;
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(back, O_CLOEXEC) != 0) failed = errno;
  if (!failed) failed = spawn_checker(file, in[0], back[1], (char *const *)arguments, &c->pid);
  if (!failed && fcntl(in[1], F_SETFL, O_NONBLOCK) != 0) failed = errno;
  close_pipe_end(&in[0]);
  close_pipe_end(&back[1]);
  c->input = in[1];
  c->output = back[0];
  if (!failed) return TAULER_OK;
  checker_close(c);
  return tauler_fail(message, tauler_errno_error(failed), "cannot start tauler-proof: %s", strerror(failed));
}

tauler_error checker_start(const checker_question *question, checker *out, tauler_message *message) {
  char beside[PATH_MAX];
  const char *path = question->path ? question->path : beside;
  uint64_t bytes = 0;
  int file = -1;
  *out = (checker){.asked = *question, .input = -1, .output = -1};
  tauler_error error = question->path ? TAULER_OK : make_checker_path(beside, message);
  if (error) return error;
  error = durable_read_open(path, &file, &bytes, message);
  if (error == TAULER_TABLE_MISSING)
    return tauler_fail(
        message, TAULER_UNAVAILABLE,
        "there is no %.500s: make proof builds it, with Coq 8.16 and OCaml; --checker names another", path);
  if (error) return error;
  error = digest_parts(file, path, bytes, out->digest, message);
  if (!error) error = start_checker_file(file, out, message);
  close(file);
  return error;
}

static tauler_error refuse_line(const checker *c, tauler_message *message) {
  return tauler_fail(
      message, TAULER_IO,
      "tauler-proof (SHA-256 %s) says '%.60s' where it must not: this is no verdict; make proof builds "
      "the checker anew",
      c->digest, c->line);
}

static tauler_error process_greeting(checker *c, tauler_message *message) {
  char wanted[sizeof c->line];
  char slices[QUESTION_BYTES];
  const char *words[QUESTION_WORDS];
  const int n = list_arguments(&c->asked, slices, words);
  int at = snprintf(wanted, sizeof wanted, "tauler-proof %s", tauler_version());
  for (int i = 0; i < n; i++) at += snprintf(wanted + at, sizeof wanted - (size_t)at, " %s", words[i]);
  c->greeted = strcmp(c->line, wanted) == 0;
  if (c->greeted) return TAULER_OK;
  return tauler_fail(
      message, TAULER_UNAVAILABLE,
      "the checker (SHA-256 %s) is not tauler-proof %s: it begins with '%.60s'; make proof builds it",
      c->digest, tauler_version(), c->line);
}

/* Returns true if the line tells that the next slice holds. Stores the number of its boards on trust,
 * which lines of play have closed. */
static bool process_holds_line(checker *c) {
  char holds[64];
  const int n = snprintf(holds, sizeof holds, "holds %zu", c->held);
  if (c->held <= CHECKER_SEEDS && c->asked.lines >> c->held & 1) {
    static const char but_for[] = " but for ";
    if (strncmp(c->line, holds, (size_t)n) != 0) return false;
    if (strncmp(c->line + n, but_for, sizeof but_for - 1) != 0) return false;
    c->on_trust[c->held] = strtoull(c->line + n + sizeof but_for - 1, NULL, 10);
    snprintf(holds + n, sizeof holds - (size_t)n, "%s%llu", but_for,
             (unsigned long long)c->on_trust[c->held]);
  }
  return strcmp(c->line, holds) == 0;
}

static tauler_error process_line(checker *c, tauler_message *message) {
  char wrong[32], all_read[48];
  if (!c->greeted) return process_greeting(c, message);
  snprintf(wrong, sizeof wrong, "wrong %zu", c->held);
  snprintf(all_read, sizeof all_read, "read %llu", (unsigned long long)c->sent);
  const bool more = c->held < c->asked.slices && !c->ended;
  if (more && strcmp(c->line, "works") == 0) return TAULER_OK;
  if (more && strcmp(c->line, wrong) == 0) {
    c->refused = true;
    return TAULER_NOT_PROVEN;
  }
  if (more && process_holds_line(c)) {
    c->held++;
    return TAULER_OK;
  }
  c->ended = !more && !c->ended && c->input < 0 && strcmp(c->line, all_read) == 0;
  return c->ended ? TAULER_OK : refuse_line(c, message);
}

static tauler_error read_output(checker *c, bool *over, tauler_message *message) {
  char piece[512];
  const ssize_t n = read(c->output, piece, sizeof piece);
  tauler_error error = TAULER_OK;
  *over = n == 0 || (n < 0 && errno != EINTR);
  for (ssize_t i = 0; i < n && !error; i++) {
    const bool full = c->used + 1 == sizeof c->line;
    c->line[piece[i] == '\n' || full ? c->used : c->used++] = piece[i] == '\n' || full ? '\0' : piece[i];
    if (full && piece[i] != '\n') return refuse_line(c, message);
    if (piece[i] != '\n') continue;
    error = process_line(c, message);
    c->used = 0;
  }
  return error;
}

static tauler_error wait_for_checker(checker *c, bool *over, tauler_message *message) {
  struct pollfd ends[2] = {{c->output, POLLIN, 0}, {c->input, POLLOUT, 0}};
  const double until = clock_wall() + c->asked.seconds;
  for (;;) {
    const double left = until - clock_wall();
    const int pause = c->asked.seconds <= 0 ? -1 : left > 60 ? 60000 : left > 0 ? (int)(1000 * left) + 1 : 0;
    const int ready = poll(ends, 2, pause);
    if (ready < 0 && errno != EINTR)
      return tauler_fail(message, tauler_errno_error(errno), "cannot wait for tauler-proof: %s",
                         strerror(errno));
    if (ready > 0) break;
    if (ready == 0 && c->asked.seconds > 0 && left <= 0)
      return tauler_fail(
          message, TAULER_STOPPED,
          "tauler-proof has done nothing for %g s and was ended; run it again, or give it longer "
          "with --watchdog",
          c->asked.seconds);
  }
  return ends[0].revents ? read_output(c, over, message) : TAULER_OK;
}

static tauler_error refuse_early_end(const checker *c, tauler_message *message) {
  return tauler_fail(message, TAULER_IO,
                     "tauler-proof (SHA-256 %s) ended without a verdict: of %zu slices it said that %zu hold",
                     c->digest, c->asked.slices, c->held);
}

tauler_error checker_send(checker *c, const char *bytes, size_t n, tauler_message *message) {
  bool over = false;
  for (size_t done = 0; done < n;) {
    const tauler_error error = wait_for_checker(c, &over, message);
    if (error) return error;
    if (over) return refuse_early_end(c, message);
    const ssize_t written = write(c->input, bytes + done, n - done);
    if (written > 0) {
      done += (size_t)written;
      c->sent += (uint64_t)written;
    } else if (errno == EPIPE) {
      return checker_end(c, message);
    } else if (errno != EINTR && errno != EAGAIN) {
      return tauler_fail(message, tauler_errno_error(errno), "cannot write to tauler-proof: %s",
                         strerror(errno));
    }
  }
  return TAULER_OK;
}

tauler_error checker_end(checker *c, tauler_message *message) {
  bool over = false;
  tauler_error error = TAULER_OK;
  close_pipe_end(&c->input);
  while (!over && !error) error = wait_for_checker(c, &over, message);
  if (!error && (!c->ended || c->used > 0)) error = refuse_early_end(c, message);
  return error;
}

void checker_close(checker *c) {
  close_pipe_end(&c->input);
  close_pipe_end(&c->output);
  if (c->pid <= 0) return;
  kill(c->pid, SIGKILL);
  while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) {}
  c->pid = 0;
}
