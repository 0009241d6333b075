/* One table of options per command, and what a command line said of them.
 *
 * A command lists its options in groups; an option that several commands have stands in one shared
 * group. The same table drives parsing here and help, man page and completion in help.h. Parsing is
 * exact (no abbreviations, so that a new option never breaks a script), knows `--name value`,
 * `--name=value` and `--`, allows options and arguments in any order, and lets the last of repeated
 * options win. An `options` object owns its lists; the texts are those of argv, which must outlive
 * it. It is immutable, so any thread may read it.
 *
 * The functions that read a value leave *value alone when the option was not given: set the default
 * first. Their errors are TAULER_BAD_USAGE with a message naming option, text and what is wanted.
 */
#ifndef BASE_COMMAND_OPTIONS_H
#define BASE_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct {
  const char *name;     /* without the dashes: "seeds" */
  const char *argument; /* how help calls its value: "N"; NULL: a flag */
  const char *help;     /* one sentence, wrapped where it is printed */
  const char
      *completion; /* words separated by blanks, of which "@dir" and "@file" stand for paths; or NULL */
} option;

typedef struct {
  const char *title; /* "Which table" */
  const option *options;
  size_t n;
} option_group;

/* option_group search = OPTION_GROUP("Which table", search_options); */
#define OPTION_GROUP(title, array)                                                                           \
  { (title), (array), sizeof(array) / sizeof *(array) }

/* --threads, --memory, --quiet and --log-json: for every command that works for a while. */
extern const option_group options_running;

typedef struct options options;

/* Reads argv[0 … argc − 1], the words behind the command's name. `command` is how messages call it,
 * "tauler build"; groups end with NULL. *result is NULL on error. Errors: TAULER_BAD_USAGE,
 * TAULER_NO_MEMORY. */
tauler_error options_parse(const char *command, const option_group *const *groups, int argc,
                           char *const *argv, options **result, tauler_message *message);
void options_free(options *parsed);

/* Names are without dashes. A name that the command does not have counts as not given, so that code
 * shared by commands may ask for what only some of them have. */
bool options_has(const options *parsed, const char *name);
const char *options_get(const options *parsed, const char *name); /* NULL: not given; "" for a flag */

const char *options_command(const options *parsed);                /* as messages call it */
size_t options_arguments(const options *parsed);                   /* how many words are no options */
const char *options_argument(const options *parsed, size_t which); /* NULL beyond the last */

tauler_error options_number(const options *parsed, const char *name, uint64_t min, uint64_t max,
                            uint64_t *value, tauler_message *message);
tauler_error options_real(const options *parsed, const char *name, double min, double max, double *value,
                          tauler_message *message);
tauler_error options_size(const options *parsed, const char *name, uint64_t *bytes, tauler_message *message);
tauler_error options_duration(const options *parsed, const char *name, double *seconds,
                              tauler_message *message);

/* For an option whose completion lists all its values: *index is the position of the one given. */
tauler_error options_word(const options *parsed, const char *name, size_t *index, tauler_message *message);

#endif
