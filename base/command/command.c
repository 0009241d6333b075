/* Finds the command of a command line, runs it, and reports its error. */
#include "base/command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/command/help.h"
#include "base/command/signals.h"
#include "base/json.h"
#include "base/text.h"

/* If the caller closed a standard descriptor, a file opened later must not get its number. /dev/null is
 * opened in the wrong direction, so that every use of such a descriptor fails. */
static void occupy_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

static bool is_output_abandoned(void) {
  struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

/* True if everything printed was written. If not, *reason becomes an errno or stays. Some file systems report
 * write errors only on close, so a copy of the descriptor is closed. */
static bool flush_output(int *reason) {
  errno = 0;
  bool complete = fflush(stdout) == 0;
  if (!complete) *reason = errno;
  if (ferror(stdout)) complete = false;
  int copy = dup(STDOUT_FILENO);
  if (copy >= 0 && close(copy) != 0 && complete) {
    *reason = errno;
    complete = false;
  }
  return complete;
}

/* Returns the error of the run or, if it has none, TAULER_IO if output was lost. If a reader closed the pipe,
 * lost output is no error. */
static tauler_error settle_output(tauler_error error, tauler_message *message) {
  int reason = 0;
  if (flush_output(&reason)) return error;
  if (is_output_abandoned()) return error == TAULER_IO ? TAULER_OK : error;
  if (error != TAULER_OK) return error;
  return tauler_fail(message, TAULER_IO, "standard output could not be written: %s",
                     reason != 0 ? strerror(reason) : "an earlier write failed");
}

static void write_error(FILE *out, const char *name, bool as_json, tauler_error error, const char *text) {
  if (!as_json) {
    fprintf(out, "%s%s%s: %s\n", HELP_PROGRAM, *name != '\0' ? " " : "", name, text);
    return;
  }
  json_line(out, JSON_TEXT("event", "error"), JSON_TEXT("command", name),
            JSON_TEXT("error", tauler_error_name(error)), JSON_INTEGER("exit", tauler_exit_code(error)),
            JSON_TEXT("message", text));
}

static void print_error(const char *name, bool as_json, tauler_error error, const tauler_message *message) {
  const char *text = message->text[0] != '\0' ? message->text : tauler_error_name(error);
  if (error == TAULER_OK || (error == TAULER_NOT_PROVEN && message->text[0] == '\0')) return;
  write_error(stderr, name, as_json, error, text);
}

/* Makes the text that is printed if a signal ends the command at once, since a handler cannot make it. */
static void prepare_for_signals(const command *called, bool as_json) {
  char line[1024] = "";
  FILE *out = fmemopen(line, sizeof line, "w");
  if (out) {
    write_error(out, called->name, as_json, TAULER_STOPPED,
                called->stopped ? called->stopped : "stopped before its end; run the same command again");
    fclose(out);
  }
  signals_open(line);
}

static const command *find_command(const command_list *list, const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->commands[i]->name, name) == 0) return list->commands[i];
  return NULL;
}

static tauler_error refuse_unknown_command(const command_list *list, const char *name,
                                           tauler_message *message) {
  const char *names[128] = {"help"};
  size_t n = 1;
  for (size_t i = 0; i < list->n && n < sizeof names / sizeof *names; i++)
    names[n++] = list->commands[i]->name;
  const char *near = text_nearest(name, names, n);
  if (!*name)
    return tauler_fail(message, TAULER_BAD_USAGE, "the name of the command is empty; see %s --help",
                       HELP_PROGRAM);
  if (near == NULL)
    return tauler_fail(message, TAULER_BAD_USAGE, "unknown command %.80s; see %s --help", name, HELP_PROGRAM);
  return tauler_fail(message, TAULER_BAD_USAGE, "unknown command %.80s; did you mean %s? see %s --help", name,
                     near, HELP_PROGRAM);
}

static bool is_help_option(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool wants_help(int argc, char *const *argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (is_help_option(argv[i])) return true;
  return false;
}

static tauler_error check_arguments(const command *called, const options *parsed, tauler_message *message) {
  const char *named = called->arguments;
  const size_t n = options_arguments(parsed);
  const size_t most = called->most_arguments                ? called->most_arguments
                      : named && strstr(named, "…") != NULL ? SIZE_MAX
                                                            : named != NULL;
  if (n == 0 && named && named[0] != '[')
    return tauler_fail(message, TAULER_BAD_USAGE, "%s is missing; see %s %s --help", named, HELP_PROGRAM,
                       called->name);
  if (n > most)
    return tauler_fail(message, TAULER_BAD_USAGE, "\"%.80s\" is one argument too many; see %s %s --help",
                       options_argument(parsed, most), HELP_PROGRAM, called->name);
  return TAULER_OK;
}

static tauler_error run_command(const command_list *list, const command *called, int argc, char *const *argv,
                                bool *as_json, tauler_message *message) {
  if (wants_help(argc, argv)) {
    help_print_command(stdout, list, called);
    return TAULER_OK;
  }
  char name[128];
  options *parsed;
  snprintf(name, sizeof name, "%s %s", HELP_PROGRAM, called->name);
  tauler_error error = options_parse(name, called->groups, argc, argv, &parsed, message);
  if (error == TAULER_OK) {
    *as_json = options_has(parsed, "log-json");
    prepare_for_signals(called, *as_json);
    error = check_arguments(called, parsed, message);
  }
  if (error != TAULER_OK && called->refused != NULL) error = called->refused(error, message);
  if (error == TAULER_OK) error = called->run(parsed, message);
  options_free(parsed);
  return error;
}

static tauler_error run_program_option(const command_list *list, const char *version_text, int argc,
                                       char *const *argv, tauler_message *message) {
  const char *word = argv[0];
  const bool is_man = strcmp(word, "--man") == 0, is_word = strcmp(word, "help") == 0;
  const bool has_name = argc > 1 && (is_man || (is_word && !is_help_option(argv[1])));
  const command *shown = has_name ? find_command(list, argv[1]) : NULL;
  if (has_name && shown == NULL) return refuse_unknown_command(list, argv[1], message);
  if (has_name) {
    (is_man ? help_print_command_man : help_print_command)(stdout, list, shown);
  } else if (is_man) {
    help_print_man(stdout, list);
  } else if (is_word || is_help_option(word)) {
    help_print_program(stdout, list);
  } else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("%s\n", version_text);
  } else if (strcmp(word, "--bash-completion") == 0) {
    help_print_completion(stdout, list);
  } else if (word[0] == '-') {
    return tauler_fail(message, TAULER_BAD_USAGE, "unknown option %.80s; see %s --help", word, HELP_PROGRAM);
  } else {
    return refuse_unknown_command(list, word, message);
  }
  return TAULER_OK;
}

int command_main(const command_list *list, const char *version_text, int argc, char **argv) {
  tauler_message message = {""};
  occupy_standard_descriptors();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails instead */
  if (argc < 2) {
    help_print_program(stderr, list);
    return tauler_exit_code(TAULER_BAD_USAGE);
  }
  const command *called = find_command(list, argv[1]);
  bool as_json = false;
  tauler_error error = called != NULL ? run_command(list, called, argc - 2, argv + 2, &as_json, &message)
                                      : run_program_option(list, version_text, argc - 1, argv + 1, &message);
  error = settle_output(error, &message);
  if (error == TAULER_BAD_USAGE && called != NULL && called->waits_to_speak != NULL) called->waits_to_speak();
  print_error(called != NULL ? called->name : "", as_json, error, &message);
  return tauler_exit_code(error);
}
