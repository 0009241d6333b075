/* Starts and stops the server. */
#include "analysis/serve/daemon/daemon.h"

#ifndef TAULER_HTTP

tauler_error daemon_check_built(tauler_message *message) {
  return tauler_fail(message, TAULER_UNAVAILABLE,
                     "this tauler was built without HTTP and cannot serve; install libmicrohttpd-dev and "
                     "build it with make HTTP=1");
}

tauler_error daemon_run(const api_settings *served, const daemon_settings *settings,
                        tauler_message *message) {
  (void)served;
  (void)settings;
  return daemon_check_built(message);
}

#else

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/command/signals.h"

enum { GRACE_SECONDS = 20, TABLE_FILES = 4096, BACKLOG = 1024 };

/* Numbers of timeouts within which a request must have arrived, and an answer must have been received, even
 * if bytes keep moving. */
enum { REQUEST_TIMEOUTS = 2, ANSWER_TIMEOUTS = 10 };

tauler_error daemon_check_built(tauler_message *message) {
  (void)message;
  return TAULER_OK;
}

/* --- the socket --- */

static tauler_error find_address(const daemon_settings *settings, struct addrinfo **out,
                                 tauler_message *message) {
  const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  char port[8];
  snprintf(port, sizeof port, "%u", settings->port);
  const int failed = getaddrinfo(settings->address, port, &hints, out);
  if (!failed) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "--address '%.100s' is no address of this machine: %s",
                     settings->address, gai_strerror(failed));
}

static int listen_on_address(const struct addrinfo *address) {
  const int on = 1;
  const int listener = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address->ai_family == AF_INET6) setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(listener, address->ai_addr, address->ai_addrlen) == 0 && listen(listener, BACKLOG) == 0)
    return listener;
  const int why = errno;
  close(listener);
  errno = why;
  return -1;
}

static tauler_error open_listener(const daemon_settings *settings, int *out, tauler_message *message) {
  struct addrinfo *address;
  const tauler_error error = find_address(settings, &address, message);
  if (error) return error;
  *out = listen_on_address(address);
  const int why = errno;
  freeaddrinfo(address);
  if (*out >= 0) return TAULER_OK;
  const char *hint = why == EADDRINUSE ? "; another program has it, choose another with --port" : "";
  return tauler_fail(message, tauler_errno_error(why), "cannot listen on %.100s, port %u: %s%s",
                     settings->address, settings->port, strerror(why), hint);
}

/* Prints and flushes the address when connections are accepted, so that a script may wait for the line. */
static void print_address(int listener) {
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  char host[64] = "?", port[8] = "?";
  if (getsockname(listener, (struct sockaddr *)&bound, &length) == 0)
    getnameinfo((struct sockaddr *)&bound, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
  const bool six = strchr(host, ':') != NULL;
  printf("http://%s%s%s:%s/\n", six ? "[" : "", host, six ? "]" : "", port);
  fflush(stdout);
}

/* --- start and stop --- */

/* Raises the limit of open files if that is possible, and returns how many connections fit in it. Connections
 * and tables are open files; if the system allows few files, half of them are for tables. */
static unsigned limit_connections(unsigned connections) {
  struct rlimit limit;
  const rlim_t wanted = (rlim_t)connections + TABLE_FILES;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return connections;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  const rlim_t half = limit.rlim_cur / 2, kept = half < TABLE_FILES ? half : TABLE_FILES;
  return connections < limit.rlim_cur - kept ? connections : (unsigned)(limit.rlim_cur - kept);
}

/* Starts libmicrohttpd. In strict mode, version 0.9.75 refuses a request without Host by an answer with two
 * blocks of headers. So the mode is not strict, and requests_answer refuses such a request. */
static struct MHD_Daemon *start_daemon(server *all, const daemon_settings *settings, int listener) {
  const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
  const unsigned pool = settings->threads > 1 ? (unsigned)settings->threads : 0;
  const struct MHD_OptionItem pooled[] = {{MHD_OPTION_THREAD_POOL_SIZE, pool, NULL},
                                          {MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      flags, 0, NULL, NULL, requests_answer, all, MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_URI_LOG_CALLBACK, requests_begin, all, MHD_OPTION_NOTIFY_COMPLETED, requests_end, all,
      MHD_OPTION_NOTIFY_CONNECTION, requests_watch, all, MHD_OPTION_CONNECTION_LIMIT,
      limit_connections(settings->connections), MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_ARRAY, pool ? pooled : pooled + 1, MHD_OPTION_END);
}

/* Accepts no more connections, waits for the requests in progress, and stops all threads. MHD_quiesce_daemon
 * must not be used: it and the daemon's own thread may both remove the listener from epoll, and the second
 * removal aborts the program (libmicrohttpd 0.9.75). A listener that is shut down stays in epoll and accepts
 * nothing. */
static void stop_daemon(server *all, struct MHD_Daemon *daemon, int listener) {
  atomic_store(&all->stopping, true);
  shutdown(listener, SHUT_RDWR);
  requests_wait(all, GRACE_SECONDS);
  atomic_store(&all->hurrying, true);
  workers_stop(all->workers);
  MHD_stop_daemon(daemon);
  workers_free(all->workers); /* connections may use the workers until the daemon has stopped */
}

tauler_error daemon_run(const api_settings *served, const daemon_settings *settings,
                        tauler_message *message) {
  server all = {.lock = PTHREAD_MUTEX_INITIALIZER, .fewer = PTHREAD_COND_INITIALIZER};
  api_settings of = *served;
  struct MHD_Daemon *daemon = NULL;
  int listener = -1;
  of.left = requests_own_client_left;
  of.user = &all;
  tauler_error error = api_open(&of, &all.api, message);
  if (!error) error = open_listener(settings, &listener, message);
  if (!error) all.workers = workers_start(&all, settings->threads);
  if (all.workers) daemon = start_daemon(&all, settings, listener);
  if (daemon) {
    print_address(listener);
    while (!signals_wait(1))
      requests_shut_slow(&all, REQUEST_TIMEOUTS * settings->timeout, ANSWER_TIMEOUTS * settings->timeout);
    stop_daemon(&all, daemon, listener);
  } else if (!error) {
    if (all.workers) workers_stop(all.workers);
    workers_free(all.workers);
    close(listener);
    error = tauler_fail(message, TAULER_NO_MEMORY, "the system gives no threads or memory to serve with");
  }
  api_close(all.api);
  return error;
}

#endif
