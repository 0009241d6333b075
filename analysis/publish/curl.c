/* Runs the program curl, and ends it if it receives too little for too long. */
#include "analysis/publish/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

extern char **environ;

/* Exit codes of curl, and one of this program for a curl that cannot be started. */
enum { BAD_ANSWER = 22, NO_RANGE = 33, NOT_STARTED = 127 };
enum { PART_BYTES = 1 << 16, NO_SUCH_RANGE = 416, STATUS_BYTES = 16 };

typedef struct {
  pid_t pid;
  int bytes, status; /* pipes for the bytes of the answer and for its status */
} child;

static const char *const proxies[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                      "ALL_PROXY",  "no_proxy",    "NO_PROXY"};
enum { PROXIES = sizeof proxies / sizeof *proxies };

/* Lists the proxies; NULL ends the list. The environment still owns their texts. */
static void list_proxies(char *list[PROXIES + 1]) {
  size_t used = 0;
  for (size_t i = 0; i < PROXIES; i++) {
    const size_t n = strlen(proxies[i]);
    for (char **at = environ; *at; at++) {
      if (strncmp(*at, proxies[i], n) != 0 || (*at)[n] != '=') continue;
      list[used++] = *at;
      break;
    }
  }
  list[used] = NULL;
}

/* Becomes curl, in the child. The child asks the system to kill it when its parent ends, since a curl that
 * receives nothing would not notice. */
static void run_curl(const curl_request *request, pid_t parent, const int bytes[2], const int status[2]) {
  char first[24], *environment[PROXIES + 1];
  const bool safe = strncasecmp(request->address, "https:", 6) == 0;
  snprintf(first, sizeof first, "%" PRIu64, request->first);
  char *const arguments[] = {"curl",
                             "-q",
                             "--fail",
                             "--silent",
                             "--location",
                             "--max-redirs",
                             "10",
                             "--globoff",
                             "--no-buffer",
                             "--proto",
                             "=http,https",
                             "--proto-redir",
                             safe ? "=https" : "=http,https",
                             "--write-out",
                             "%{stderr}%{http_code}",
                             "--continue-at",
                             first,
                             "--output",
                             "-",
                             "--",
                             (char *)request->address,
                             NULL};
  list_proxies(environment);
  signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && nothing >= 0 && dup2(nothing, 0) == 0 &&
      dup2(bytes[1], 1) == 1 && dup2(status[1], 2) == 2)
    execvpe("curl", arguments, environment);
  _exit(NOT_STARTED);
}

static tauler_error start_curl(const curl_request *request, child *out, tauler_message *message) {
  int bytes[2], status[2] = {-1, -1};
  bool piped = pipe2(bytes, O_CLOEXEC) == 0;
  if (piped && pipe2(status, O_CLOEXEC) != 0) {
    close(bytes[0]);
    close(bytes[1]);
    piped = false;
  }
  if (!piped) return tauler_fail(message, tauler_errno_error(errno), "cannot run curl: %s", strerror(errno));
  const pid_t parent = getpid();
  *out = (child){.pid = fork(), .bytes = bytes[0], .status = status[0]};
  const int why = errno;
  if (out->pid == 0) run_curl(request, parent, bytes, status);
  close(bytes[1]);
  close(status[1]);
  if (out->pid > 0) return TAULER_OK;
  close(bytes[0]);
  close(status[0]);
  return tauler_fail(message, tauler_errno_error(why), "cannot run curl: %s", strerror(why));
}

static tauler_error fail_late(const curl_request *request, tauler_message *message) {
  return tauler_fail(
      message, TAULER_IO,
      "%.600s brings less than %d bytes a second for %s; what came is kept, so run the command "
      "again, with a longer --timeout if the line is slow",
      request->address, CURL_LEAST_SPEED, text_duration(request->timeout).text);
}

/* Passes all bytes to `take` until curl closes the pipe. Each byte adds 1 ms to the time left, up to the
 * timeout, so that less than CURL_LEAST_SPEED ends in a timeout. */
static tauler_error receive_bytes(const curl_request *request, const child *from, char *part,
                                  place_use_part take, void *user, tauler_message *message) {
  double *left = request->seconds;
  for (;;) {
    const double began = clock_wall();
    struct pollfd wait = {.fd = from->bytes, .events = POLLIN};
    const int ready = poll(&wait, 1, (int)fmin(ceil(*left * 1000), INT_MAX));
    const ssize_t n = ready > 0 ? read(from->bytes, part, PART_BYTES) : 0;
    if (ready < 0 || n < 0) {
      if (errno != EINTR)
        return tauler_fail(message, tauler_errno_error(errno), "cannot read from curl: %s", strerror(errno));
    } else if (ready > 0 && n == 0) {
      return TAULER_OK;
    }
    *left =
        fmin(*left - (clock_wall() - began) + (n > 0 ? (double)n / CURL_LEAST_SPEED : 0), request->timeout);
    if (*left <= 0) return fail_late(request, message);
    const tauler_error error = n > 0 ? take(user, part, (size_t)n, message) : TAULER_OK;
    if (error) return error;
  }
}

static const char *exit_reason(int code) {
  static const struct {
    int code;
    const char *reason;
  } known[] = {{1, "the answer leads to another protocol"},
               {3, "it is no address"},
               {5, "the proxy has no such name"},
               {6, "there is no host of that name"},
               {7, "no server answers there"},
               {18, "the answer ends before its length"},
               {35, "no secure connection can be made"},
               {47, "the answer leads on more than ten times"},
               {52, "the answer is empty"},
               {56, "the connection is broken off"},
               {60, "the server's certificate cannot be trusted"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].code == code) return known[i].reason;
  return "see EXIT CODES of its manual";
}

static tauler_error fail_ended(const curl_request *request, int code, int status, tauler_message *message) {
  static const char kept[] = "what came is kept, so run the command again";
  if (code == NOT_STARTED)
    return tauler_fail(message, TAULER_UNAVAILABLE,
                       "cannot run curl, which fetches from addresses; install it");
  if (code == BAD_ANSWER)
    return tauler_fail(message, TAULER_IO, "cannot fetch %.600s: the server answers with %d; %s",
                       request->address, status, kept);
  return tauler_fail(message, TAULER_IO, "cannot fetch %.600s: curl ended with %d (%s); %s", request->address,
                     code, exit_reason(code), kept);
}

/* Waits for the child, after killing it if `kills`. Returns its exit code, or BAD_ANSWER if a signal ended
 * it. *status becomes that of the last HTTP answer, or 0. */
static int end_child(const child *of, bool kills, int *status) {
  char text[STATUS_BYTES] = "";
  int ended;
  close(of->bytes);
  if (kills) kill(of->pid, SIGKILL);
  if (!kills && read(of->status, text, sizeof text - 1) < 0) text[0] = '\0';
  close(of->status);
  while (waitpid(of->pid, &ended, 0) < 0 && errno == EINTR) {}
  *status = (int)strtol(text, NULL, 10);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : BAD_ANSWER;
}

tauler_error curl_read(const curl_request *request, place_use_part take, void *user, bool *no_part,
                       tauler_message *message) {
  child running = {.pid = -1};
  int status = 0;
  *no_part = false;
  char *part = malloc(PART_BYTES);
  if (!part) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to fetch %.600s", request->address);
  tauler_error error = start_curl(request, &running, message);
  if (!error) {
    error = receive_bytes(request, &running, part, take, user, message);
    const int code = end_child(&running, error, &status);
    *no_part = !error && request->first && (code == NO_RANGE || status == NO_SUCH_RANGE);
    if (!error && code && !*no_part) error = fail_ended(request, code, status, message);
  }
  free(part);
  return error;
}
