/* Prints the outlook of a build and asks at a terminal whether to begin. */
#include "solver/run/run.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"

static void write_event(const build_outlook *ahead) {
  json_writer json;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_field_string(&json, "event", "plan");
  build_outlook_fields(&json, ahead);
  json_end_object(&json);
  size_t length;
  const char *text = json_text(&json, &length);
  fwrite(text, 1, length, stderr); /* one write, since others may write to the same stream */
  (void)json_close(&json, NULL);
}

void build_say_plan(const build_outlook *ahead, bool as_json) {
  if (as_json)
    write_event(ahead);
  else
    build_outlook_print(stderr, ahead);
  fflush(stderr);
}

bool build_needs_confirmation(const build_outlook *ahead) {
  const double long_seconds = 3600;
  return ahead->seconds > long_seconds && build_memory_fits(ahead) && build_disk_fits(ahead) &&
         isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Reads a line of standard input, which is a terminal. Returns false at its end or if the build is
 * stopped. */
static bool read_answer(char *answer, size_t room, bool (*stop)(void *user), void *user) {
  enum { PERIOD = 200 }; /* milliseconds */
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (!stop(user)) {
    if (poll(&input, 1, PERIOD) <= 0) continue;
    const ssize_t n = read(STDIN_FILENO, answer, room - 1);
    if (n <= 0) return false;
    answer[n] = '\0';
    return true;
  }
  return false;
}

tauler_error build_ask(const build_outlook *ahead, bool (*stop)(void *user), void *user,
                       tauler_message *message) {
  char answer[256] = "";
  fprintf(stderr, "Build for about %s? [y/N] ", text_duration(ahead->seconds).text);
  fflush(stderr);
  const bool answered = read_answer(answer, sizeof answer, stop, user);
  if (!answered) fputc('\n', stderr);
  answer[strcspn(answer, " \t\r\n")] = '\0';
  if (answered && (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0)) return TAULER_OK;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped before any work, as asked: run the same command again, with --yes to begin "
                     "without a question");
}
