/* Runs the command that a command line names, and prints help and errors.
 *
 * A command is a constant in its own file; tauler.c lists all commands. command_main runs one of them in the
 * main thread, and turns its tauler_error into a sentence on standard error and an exit code. Writing to a
 * closed pipe (`| head`) is no error; any other loss of standard output is TAULER_IO.
 */
#ifndef BASE_COMMAND_COMMAND_H
#define BASE_COMMAND_COMMAND_H

#include <stddef.h>

#include "base/command/options.h"
#include "base/tauler_error.h"

typedef struct {
  const char *name; /* "build" */
  /* The words that are not options, as help names them: "GAME POSITION…"; NULL if there are none. The first
   * word is required unless it stands in brackets. */
  const char *arguments;
  size_t most_arguments;             /* 0: any number if `arguments` has "…", otherwise one if it is set */
  const char *arguments_completion;  /* completion of the arguments, as in options.h, or NULL */
  const option_group *const *groups; /* ends with NULL */
  /* The message after a signal that ends the command at once; NULL for a general one. A command that has work
   * to save holds the signals itself (signals.h). */
  const char *stopped;
  /* The caller prints the message, unless it is empty and the error is TAULER_NOT_PROVEN. */
  tauler_error (*run)(const options *parsed, tauler_message *message);
  /* Called after an error in the command line. Returns it or, if several processes were started together, an
   * error on which they agree. May be NULL. */
  tauler_error (*refused)(tauler_error error, tauler_message *message);
  /* Called before the message about wrong usage. If several processes were started together, all but one wait
   * here, so that its message comes first. May be NULL. */
  void (*waits_to_speak)(void);
} command;

/* The help of a command: its page in docs/commands, which tools/command_texts.sh embeds. */
typedef struct {
  const char *name;
  const char *summary;
  const char *details;  /* paragraphs separated by an empty line, or "" */
  const char *examples; /* command lines, and comments that begin with '#', each ended by a newline */
} command_text;

/* The texts of all commands, ended by a NULL name. Only the program contains them. */
extern const command_text command_texts[];

typedef struct {
  const command *const *commands;
  size_t n;
  const command_text *texts;
} command_list;

/* Runs a command, --help, --version (prints version_text), --man (scdoc source) or --bash-completion. Returns
 * the exit code of the process. */
int command_main(const command_list *list, const char *version_text, int argc, char **argv);

#endif
