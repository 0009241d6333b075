/* Starts the proven checker, sends it cells and takes its verdict. */
#include "analysis/proof/checker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ANSWER_BYTES = 4096 };

/* Beside this program if it is there, else on the path. */
static void find_checker(char path[PATH_MAX]) {
  static const char name[] = "tauler-proof";
  const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
  char *end = NULL;
  if (n > 0) {
    path[n] = '\0';
    end = strrchr(path, '/');
  }
  if (end) memcpy(end + 1, name, sizeof name);
  if (!end || access(path, X_OK) != 0) memcpy(path, name, sizeof name);
}

/* 0 or the number of an error of the system. */
static int spawn(char *const arguments[], int input, int output, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  int failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (!failed) failed = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

tauler_error checker_start(const char *rules, bool bounds, unsigned seeds, checker *out,
                           tauler_message *message) {
  char path[PATH_MAX], set[32], kind[] = "bounds", scores[] = "scores", most[16];
  int in[2], back[2];
  find_checker(path);
  snprintf(set, sizeof set, "%s", rules);
  snprintf(most, sizeof most, "%u", seeds);
  char *const arguments[] = {path, set, bounds ? kind : scores, most, NULL};
  if (pipe2(in, O_CLOEXEC) != 0) return tauler_fail(message, TAULER_IO, "no pipe: %s", strerror(errno));
  if (pipe2(back, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return tauler_fail(message, TAULER_IO, "no pipe: %s", strerror(errno));
  }
  const int failed = spawn(arguments, in[0], back[1], &out->pid);
  close(in[0]);
  close(back[1]);
  out->input = in[1];
  out->output = back[0];
  if (!failed) return TAULER_OK;
  close(out->input);
  close(out->output);
  if (failed == ENOENT)
    return tauler_fail(message, TAULER_UNAVAILABLE,
                       "there is no tauler-proof, beside this program or on the path: make proof builds it, "
                       "with Coq 8.16 and OCaml");
  return tauler_fail(message, TAULER_IO, "cannot start tauler-proof: %s", strerror(failed));
}

tauler_error checker_send(checker *c, const char *bytes, size_t n, tauler_message *message) {
  for (size_t done = 0; done < n;) {
    const ssize_t written = write(c->input, bytes + done, n - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (errno == EPIPE) {
      return tauler_fail(message, TAULER_NOT_PROVEN, "tauler-proof has ended");
    } else if (errno != EINTR) {
      return tauler_fail(message, TAULER_IO, "cannot write to tauler-proof: %s", strerror(errno));
    }
  }
  return TAULER_OK;
}

tauler_error checker_end(checker *c, bool *holds, unsigned *slice, tauler_message *message) {
  char answer[ANSWER_BYTES];
  size_t used = 0;
  int status = 0;
  close(c->input);
  for (ssize_t n = 1; n != 0 && used < sizeof answer - 1;) {
    n = read(c->output, answer + used, sizeof answer - 1 - used);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) used += (size_t)n;
  }
  answer[used] = '\0';
  close(c->output);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) continue;
  *holds = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const char *wrong = strstr(answer, "wrong ");
  if (*holds || (wrong && sscanf(wrong, "wrong %u", slice) == 1)) return TAULER_OK;
  return tauler_fail(message, TAULER_IO, "tauler-proof ended without a verdict");
}
