/* Brings files of a published folder here. */
#include "analysis/publish/bring.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/publish/place.h"

extern char **environ;

enum { ADDRESS_BYTES = 3 * FOLDER_PATH_BYTES, CURL_BAD_ANSWER = 22, CURL_WRITE = 23, CURL_NO_RANGE = 33 };

static bool is_left(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         strchr("-._~/", byte);
}

/* SOURCE/BELOW, with what has a meaning in addresses escaped in BELOW. */
static bool address_of(const char *source, const char *below, char address[ADDRESS_BYTES]) {
  size_t at = strlen(source);
  while (at && source[at - 1] == '/') at--;
  if (at + 3 * strlen(below) + 2 > ADDRESS_BYTES) return false;
  at = (size_t)snprintf(address, ADDRESS_BYTES, "%.*s/", (int)at, source);
  for (; *below; below++)
    at += (size_t)snprintf(address + at, ADDRESS_BYTES - at, is_left(*below) ? "%c" : "%%%02X",
                           (unsigned char)*below);
  return true;
}

/* The exit code of curl; -1: it could not be started. */
static int run_curl(const char *address, const char *to, tauler_message *message) {
  char *const arguments[] = {"curl",      "--fail",   "--silent",    "--show-error",  "--location",
                             "--globoff", "--proto",  "=http,https", "--continue-at", "-",
                             "--output",  (char *)to, "--",          (char *)address, NULL};
  pid_t pid;
  int status;
  const int failed = posix_spawnp(&pid, "curl", NULL, NULL, arguments, environ);
  if (failed) {
    tauler_fail(message, TAULER_UNAVAILABLE, "cannot run curl, which fetches from addresses: %s; install it",
                strerror(failed));
    return -1;
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : CURL_BAD_ANSWER;
}

static tauler_error bring_remote(const char *source, const char *below, const char *to,
                                 tauler_message *message) {
  char address[ADDRESS_BYTES];
  struct stat about;
  if (!address_of(source, below, address))
    return tauler_fail(message, TAULER_BAD_USAGE, "the address is too long: %.200s", source);
  const bool goes_on = stat(to, &about) == 0 && about.st_size > 0;
  int code = run_curl(address, to, message);
  /* The part that is there may be longer than the whole, or the server gives no parts. */
  if (goes_on && (code == CURL_BAD_ANSWER || code == CURL_NO_RANGE) && unlink(to) == 0)
    code = run_curl(address, to, message);
  if (code < 0) return TAULER_UNAVAILABLE;
  if (code == 0) return TAULER_OK;
  return tauler_fail(message, code == CURL_WRITE ? TAULER_NO_SPACE : TAULER_IO,
                     "cannot fetch %.600s (curl ended with %d); what came is kept, so run the command again",
                     address, code);
}

tauler_error bring_file(const char *source, const char *below, const char *to, tauler_message *message) {
  char path[FOLDER_PATH_BYTES];
  const bool remote = strncmp(source, "http://", 7) == 0 || strncmp(source, "https://", 8) == 0;
  if (remote) return bring_remote(source, below, to, message);
  if (snprintf(path, sizeof path, "%s/%s", source, below) >= (int)sizeof path)
    return tauler_fail(message, TAULER_BAD_USAGE, "the path is too long: %.200s", source);
  if (access(path, F_OK) != 0)
    return tauler_fail(message, TAULER_TABLE_MISSING, "%.400s is no published folder: there is no %.300s",
                       source, path);
  return place_file(path, to, message);
}
