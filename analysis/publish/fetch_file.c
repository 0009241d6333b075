/* Reads files of a published folder, from a folder or by HTTP. */
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
#include "base/durable_file.h"
#include "base/text.h"

extern char **environ;

/* The least number of bytes per second that counts as progress. */
enum { LEAST_SPEED = 1000 };
enum { ADDRESS_BYTES = 3 * FOLDER_PATH_BYTES };

typedef struct {
  fetch_wish *wish;
  double left; /* seconds for which too little may still arrive */
  char address[ADDRESS_BYTES];
} request;

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

/* Becomes curl, in the child. It reads no configuration, and of the environment only the proxies. It reads
 * only http and https, and no answer can redirect it from https to http. The child asks the system to kill it
 * when its parent ends, since a curl that receives nothing would not notice. */
static void run_curl(const request *r, pid_t parent, const int bytes[2], const int status[2]) {
  char first[24], *environment[PROXIES + 1];
  const bool safe = strncasecmp(r->address, "https:", 6) == 0;
  snprintf(first, sizeof first, "%" PRIu64, r->wish->end);
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
                             (char *)r->address,
                             NULL};
  list_proxies(environment);
  signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && nothing >= 0 && dup2(nothing, 0) == 0 &&
      dup2(bytes[1], 1) == 1 && dup2(status[1], 2) == 2)
    execvpe("curl", arguments, environment);
  _exit(NOT_STARTED);
}

static tauler_error start_curl(const request *r, child *out, tauler_message *message) {
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
  if (out->pid == 0) run_curl(r, parent, bytes, status);
  close(bytes[1]);
  close(status[1]);
  if (out->pid > 0) return TAULER_OK;
  close(bytes[0]);
  close(status[0]);
  return tauler_fail(message, tauler_errno_error(why), "cannot run curl: %s", strerror(why));
}

static tauler_error fail_late(const request *r, tauler_message *message) {
  return tauler_fail(
      message, TAULER_IO,
      "%.600s brings less than %d bytes a second for %s; what came is kept, so run the command "
      "again, with a longer --timeout if the line is slow",
      r->address, LEAST_SPEED, text_duration(r->wish->from->timeout).text);
}

static tauler_error fail_too_long(const fetch_wish *wish, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%.400s of %.300s is longer than the %" PRIu64 " bytes that it may have", wish->below,
                     wish->from->name, wish->most);
}

static tauler_error add_piece(void *user, const void *bytes, size_t n, tauler_message *message) {
  fetch_wish *wish = user;
  if (n > wish->most - wish->end) return fail_too_long(wish, message);
  const tauler_error error = wish->take(wish->user, wish->end, bytes, n, message);
  if (!error) wish->end += n;
  return error;
}

/* Receives all bytes until curl closes the pipe. Each byte adds 1 ms to the time left, up to the timeout, so
 * that less than LEAST_SPEED ends in a timeout. */
static tauler_error receive_bytes(request *r, const child *from, char *part, tauler_message *message) {
  for (;;) {
    const double began = clock_wall();
    struct pollfd wait = {.fd = from->bytes, .events = POLLIN};
    const int ready = poll(&wait, 1, (int)fmin(ceil(r->left * 1000), INT_MAX));
    const ssize_t n = ready > 0 ? read(from->bytes, part, PART_BYTES) : 0;
    if (ready < 0 || n < 0) {
      if (errno != EINTR)
        return tauler_fail(message, tauler_errno_error(errno), "cannot read from curl: %s", strerror(errno));
    } else if (ready > 0 && n == 0) {
      return TAULER_OK;
    }
    r->left = fmin(r->left - (clock_wall() - began) + (n > 0 ? (double)n / LEAST_SPEED : 0),
                   r->wish->from->timeout);
    if (r->left <= 0) return fail_late(r, message);
    const tauler_error error = n > 0 ? add_piece(r->wish, part, (size_t)n, message) : TAULER_OK;
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

static tauler_error fail_ended(const request *r, int code, int status, tauler_message *message) {
  static const char kept[] = "what came is kept, so run the command again";
  if (code == NOT_STARTED)
    return tauler_fail(message, TAULER_UNAVAILABLE,
                       "cannot run curl, which fetches from addresses; install it");
  if (code == BAD_ANSWER)
    return tauler_fail(message, TAULER_IO, "cannot fetch %.600s: the server answers with %d; %s", r->address,
                       status, kept);
  return tauler_fail(message, TAULER_IO, "cannot fetch %.600s: curl ended with %d (%s); %s", r->address, code,
                     exit_reason(code), kept);
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

/* Receives the bytes from wish->end on. *no_part becomes true if the server has no part that begins there. */
static tauler_error run_request(request *r, bool *no_part, tauler_message *message) {
  const uint64_t first = r->wish->end;
  child running = {.pid = -1};
  int status = 0;
  *no_part = false;
  char *part = malloc(PART_BYTES);
  if (!part) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to fetch %.600s", r->address);
  tauler_error error = start_curl(r, &running, message);
  if (!error) {
    error = receive_bytes(r, &running, part, message);
    const int code = end_child(&running, error, &status);
    *no_part = !error && first && (code == NO_RANGE || status == NO_SUCH_RANGE);
    if (!error && code && !*no_part) error = fail_ended(r, code, status, message);
  }
  free(part);
  return error;
}

static bool is_letter_or_digit(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

/* True if the text begins with SCHEME://. A folder with such a name is written ./SCHEME://…. */
static bool is_address(const char *source) {
  size_t n = 0;
  while (is_letter_or_digit(source[n]) || (n && source[n] && strchr("+-.", source[n]))) n++;
  return n && strncmp(source + n, "://", 3) == 0;
}

tauler_error fetch_check_source(const char *source, tauler_message *message) {
  if (!is_address(source) || strncasecmp(source, "http://", 7) == 0 ||
      strncasecmp(source, "https://", 8) == 0)
    return TAULER_OK;
  return tauler_fail(
      message, TAULER_BAD_USAGE,
      "%.300s is no address that is fetched from: give one of http or https, or a folder by its path",
      source);
}

/* Writes SOURCE/BELOW; escapes bytes of BELOW that have a meaning in addresses. Returns false if it is too
 * long. */
static bool write_address(const char *source, const char *below, char address[ADDRESS_BYTES]) {
  size_t at = strlen(source);
  while (at && source[at - 1] == '/') at--;
  if (at + 3 * strlen(below) + 2 > ADDRESS_BYTES) return false;
  at = (size_t)snprintf(address, ADDRESS_BYTES, "%.*s/", (int)at, source);
  for (; *below; below++)
    at += (size_t)snprintf(address + at, ADDRESS_BYTES - at,
                           is_letter_or_digit(*below) || strchr("-._~/", *below) ? "%c" : "%%%02X",
                           (unsigned char)*below);
  return true;
}

static tauler_error fetch_remote(fetch_wish *wish, tauler_message *message) {
  request r = {wish, wish->from->timeout, ""};
  bool no_part;
  if (!write_address(wish->from->name, wish->below, r.address))
    return tauler_fail(message, TAULER_BAD_USAGE, "the address is too long: %.200s", wish->from->name);
  wish->end = wish->first;
  tauler_error error = run_request(&r, &no_part, message);
  if (error || !no_part) return error;
  wish->end = 0;
  return run_request(&r, &no_part, message);
}

static tauler_error fetch_local(fetch_wish *wish, tauler_message *message) {
  const char *folder = wish->from->name;
  char path[FOLDER_PATH_BYTES];
  uint64_t n = 0;
  int descriptor;
  if (snprintf(path, sizeof path, "%s/%s", folder, wish->below) >= (int)sizeof path)
    return tauler_fail(message, TAULER_BAD_USAGE, "the path is too long: %.200s", folder);
  tauler_error error = durable_read_open(path, &descriptor, &n, message);
  if (error == TAULER_TABLE_MISSING)
    return tauler_fail(message, error, "%.400s is no published folder: there is no %.300s", folder, path);
  if (error) return error;
  if (n > wish->most) error = fail_too_long(wish, message);
  wish->end = n < wish->first ? 0 : wish->first;
  if (!error) error = place_read_parts(descriptor, path, wish->end, n, add_piece, wish, message);
  close(descriptor);
  return error;
}

tauler_error fetch_file(fetch_wish *wish, tauler_message *message) {
  return is_address(wish->from->name) ? fetch_remote(wish, message) : fetch_local(wish, message);
}
