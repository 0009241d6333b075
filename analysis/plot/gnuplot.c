/* Runs gnuplot as a child process, and takes the picture from its output. */
#include "analysis/plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { MOST_BYTES = 64 << 20, PIECE = 1 << 16, SAID_BYTES = 400, PAUSE_MS = 5 };

extern char **environ;

typedef struct {
  pid_t pid;
  int input, output, errors; /* our ends; -1: closed */
  const char *script;
  size_t left;
  double deadline;
  gnuplot_output drawn;
  char said[SAID_BYTES];
  size_t said_used;
} child;

/* --- starting --- */

typedef struct {
  int own, its;
} channel;

/* The script goes through a socket, since writing to a pipe that gnuplot has left would raise a signal. */
static bool open_channels(channel channels[3]) {
  int ends[2];
  for (int i = 0; i < 3; i++) channels[i] = (channel){-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  channels[0] = (channel){ends[0], ends[1]};
  for (int i = 1; i < 3; i++) {
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    channels[i] = (channel){ends[0], ends[1]};
  }
  return true;
}

static void close_end(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

static bool is_setting(const char *variable) {
  static const char *const prefixes[] = {"GNUPLOT", "GDFONTPATH=", "LC_", "LANG", NULL};
  for (const char *const *prefix = prefixes; *prefix; prefix++)
    if (strncmp(variable, *prefix, strlen(*prefix)) == 0) return true;
  return false;
}

/* The environment but for what would make other pictures of the same script; the strings are not copied. */
static char **plain_environment(void) {
  static char plain_language[] = "LC_ALL=C.UTF-8";
  size_t n = 0, used = 0;
  while (environ[n]) n++;
  char **plain = calloc(n + 2, sizeof *plain);
  if (!plain) return NULL;
  for (size_t i = 0; i < n; i++)
    if (!is_setting(environ[i])) plain[used++] = environ[i];
  plain[used] = plain_language;
  return plain;
}

/* 0 or the number of an error of the system. */
static int spawn(const channel channels[3], char **environment, pid_t *pid) {
  char name[] = "gnuplot", defaults[] = "-d", from_input[] = "-";
  char *const arguments[] = {name, defaults, from_input, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  if (posix_spawnattr_init(&attributes)) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  int failed = 0;
  for (int i = 0; i < 3 && !failed; i++)
    failed = posix_spawn_file_actions_adddup2(&actions, channels[i].its, i);
  if (!failed) failed = posix_spawnattr_setsigmask(&attributes, &none);
  if (!failed) failed = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!failed) failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!failed) failed = posix_spawnp(pid, name, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static tauler_error start(child *c, tauler_message *message) {
  channel channels[3];
  char **environment = plain_environment();
  int failed = environment ? 0 : ENOMEM;
  if (!open_channels(channels)) failed = errno;
  if (!failed) failed = spawn(channels, environment, &c->pid);
  free(environment);
  for (int i = 0; i < 3; i++) close_end(&channels[i].its);
  c->input = channels[0].own;
  c->output = channels[1].own;
  c->errors = channels[2].own;
  if (!failed) return TAULER_OK;
  close_end(&c->input);
  close_end(&c->output);
  close_end(&c->errors);
  if (failed == ENOENT)
    return tauler_fail(
        message, TAULER_UNAVAILABLE,
        "gnuplot draws the pictures and is not installed; install it (on Debian the package gnuplot-nox)");
  return tauler_fail(message, tauler_errno_error(failed), "cannot start gnuplot: %s", strerror(failed));
}

/* --- while it draws --- */

static void send_script(child *c) {
  const ssize_t n = send(c->input, c->script, c->left, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n > 0) {
    c->script += n;
    c->left -= (size_t)n;
  }
  const bool later = n < 0 && (errno == EAGAIN || errno == EINTR);
  if (c->left == 0 || (n < 0 && !later)) close_end(&c->input);
}

static tauler_error take_output(child *c, tauler_message *message) {
  gnuplot_output *drawn = &c->drawn;
  char *grown = drawn->used > MOST_BYTES ? NULL : realloc(drawn->bytes, drawn->used + PIECE);
  if (!grown)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a picture of %zu bytes", drawn->used);
  drawn->bytes = grown;
  const ssize_t n = read(c->output, grown + drawn->used, PIECE);
  if (n > 0) {
    drawn->used += (size_t)n;
  } else if (n == 0 || errno != EINTR) {
    close_end(&c->output);
  }
  return TAULER_OK;
}

/* Line breaks and runs of blanks become one blank; more than there is room for is read and forgotten. */
static void take_errors(child *c) {
  char piece[1024];
  const ssize_t n = read(c->errors, piece, sizeof piece);
  for (ssize_t i = 0; i < n && c->said_used + 1 < SAID_BYTES; i++) {
    const bool blank = (unsigned char)piece[i] <= ' ' || piece[i] == 0x7F;
    if (blank && (c->said_used == 0 || c->said[c->said_used - 1] == ' ')) continue;
    c->said[c->said_used++] = blank ? ' ' : piece[i];
  }
  if (n == 0 || (n < 0 && errno != EINTR)) close_end(&c->errors);
}

static tauler_error took_too_long(tauler_message *message) {
  return tauler_fail(message, TAULER_IO, "gnuplot took too long and was ended");
}

static tauler_error exchange(child *c, tauler_message *message) {
  tauler_error error = TAULER_OK;
  while ((c->output >= 0 || c->errors >= 0) && !error) {
    struct pollfd ends[3] = {{c->input, POLLOUT, 0}, {c->output, POLLIN, 0}, {c->errors, POLLIN, 0}};
    const double left = c->deadline - clock_wall();
    if (left <= 0) return took_too_long(message);
    if (poll(ends, 3, (int)(1000 * left) + 1) < 0 && errno != EINTR)
      return tauler_fail(message, tauler_errno_error(errno), "cannot wait for gnuplot: %s", strerror(errno));
    if (c->input >= 0 && ends[0].revents) send_script(c);
    if (c->errors >= 0 && ends[2].revents) take_errors(c);
    if (c->output >= 0 && ends[1].revents) error = take_output(c, message);
  }
  return error;
}

/* --- its end --- */

/* It may have closed its ends and go on all the same. */
static tauler_error wait_for_end(child *c, int *status, tauler_message *message) {
  for (;;) {
    const pid_t ended = waitpid(c->pid, status, WNOHANG);
    if (ended == c->pid) {
      c->pid = 0;
      return TAULER_OK;
    }
    if (ended < 0 && errno != EINTR)
      return tauler_fail(message, tauler_errno_error(errno), "cannot wait for gnuplot: %s", strerror(errno));
    if (clock_wall() > c->deadline) return took_too_long(message);
    nanosleep(&(struct timespec){0, PAUSE_MS * 1000000L}, NULL);
  }
}

static tauler_error judge_end(const child *c, int status, tauler_message *message) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return TAULER_OK;
  if (WIFSIGNALED(status))
    return tauler_fail(message, TAULER_IO, "gnuplot was ended by signal %d", WTERMSIG(status));
  return tauler_fail(message, TAULER_IO, "gnuplot failed: %s",
                     c->said_used ? c->said : "it does not say why");
}

tauler_error gnuplot_run(const char *script, size_t length, double seconds, gnuplot_output *out,
                         tauler_message *message) {
  child c = {.script = script, .left = length, .deadline = clock_wall() + seconds};
  int status = 0;
  *out = (gnuplot_output){NULL, 0};
  tauler_error error = start(&c, message);
  if (error) return error;
  error = exchange(&c, message);
  if (!error) error = wait_for_end(&c, &status, message);
  if (c.pid) {
    kill(c.pid, SIGKILL);
    while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR) {}
  }
  close_end(&c.input);
  close_end(&c.output);
  close_end(&c.errors);
  while (c.said_used && c.said[c.said_used - 1] == ' ') c.said_used--;
  c.said[c.said_used] = '\0';
  if (!error) error = judge_end(&c, status, message);
  if (error) {
    free(c.drawn.bytes);
  } else {
    *out = c.drawn;
  }
  return error;
}
