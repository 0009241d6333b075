/* The program around its commands: finding the one that was called, help, and a clean end.
 *
 * A command is a constant that its file defines; tauler.c lists them. command_main is the only place
 * that turns a tauler_error into a sentence on standard error and an exit code. It runs one command,
 * once, in the main thread. Writing to a closed pipe (`| head`) ends quietly; any other loss of
 * standard output is TAULER_IO. A command that prints for long may look at ferror(stdout) and stop.
 */
#ifndef BASE_COMMAND_COMMAND_H
#define BASE_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/command/options.h"
#include "base/tauler_error.h"

#define COMMAND_ANY_ARGUMENTS SIZE_MAX

typedef struct {
  const char *name;      /* "build" */
  const char *arguments; /* how help calls the words that are no options: "GAME POSITION…" */
  size_t least_arguments, most_arguments;
  const char *arguments_completion;  /* as in option; or NULL */
  const char *summary;               /* what it does, in one line */
  const char *details;               /* paragraphs separated by an empty line; or NULL */
  const option_group *const *groups; /* ends with NULL */
  const char *const *examples;       /* command lines, or comments starting with '#'; ends with NULL */
  /* The message after a signal that ends it at once; NULL: that it was stopped before its end. It holds the
   * signals itself where it can keep more (signals.h). */
  const char *stopped;
  /* Results go to standard output. On error the message says it all; the caller prints it. An empty
   * message prints nothing with TAULER_NOT_PROVEN (the verdict is part of the result). */
  tauler_error (*run)(const options *parsed, tauler_message *message);
  /* Called for a command line that cannot be read, where several processes were started alike; NULL: nothing
   * but the error. */
  tauler_error (*refused)(tauler_error error, tauler_message *message);
  /* Called before the message about a wrong command line: of several processes that were started alike one
   * speaks first, which may be the end of all. NULL: nothing. */
  void (*waits_to_speak)(void);
} command;

/* Runs `tauler COMMAND …`, `--help`, `help COMMAND`, `--version` or `-V` (prints version_text), `--man` or
 * `--man COMMAND` (scdoc source) or `--bash-completion`. Returns the exit code of the process. */
int command_main(const command *const *commands, size_t n, const char *version_text, int argc, char **argv);

#endif
