/* Reads a command line by the option table of its command.
 *
 * A command lists its options in groups, from which help.h also makes help, man page and completion. There
 * are no abbreviations, so that a new option never breaks a script. Options and arguments may have any order,
 * and all words after `--` are arguments. If an option is repeated, the last one holds, but a second value of
 * an option with completion "@dir" is refused. An `options` object owns its lists and borrows the texts of
 * the command and of argv, which must outlive it. Any thread may read it.
 *
 * If an option was not given, the functions that read its value leave *value unchanged: set the default
 * first. Their errors are TAULER_BAD_USAGE, with a message that names the option, the text and what is
 * expected.
 */
#ifndef BASE_COMMAND_OPTIONS_H
#define BASE_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct {
  const char *name;     /* without dashes */
  const char *argument; /* the value's name in help, such as "N", or NULL for a flag */
  const char *help;
  /* Words separated by blanks, or "@dir", "@file", or "@dirs" if each use adds a folder. May be NULL. */
  const char *completion;
} option;

typedef struct {
  const char *title;
  const option *options;
  size_t n;
} option_group;

#define OPTION_GROUP(title, array)                                                                           \
  { (title), (array), sizeof(array) / sizeof *(array) }

extern const option_group options_running; /* --threads, --memory, --quiet and --log-json */

typedef struct options options;

/* Reads argv[0 … argc − 1], the words after the command's name. Messages call the command `command`, such as
 * "tauler build". groups ends with NULL. After an error *result is NULL. Errors: TAULER_BAD_USAGE,
 * TAULER_NO_MEMORY. */
tauler_error options_parse(const char *command, const option_group *const *groups, int argc,
                           char *const *argv, options **result, tauler_message *message);
void options_free(options *parsed);

/* Names are without dashes. An option that the command does not have counts as not given, so that shared code
 * may ask for options that only some commands have. */
bool options_has(const options *parsed, const char *name);
const char *options_get(const options *parsed,
                        const char *name); /* NULL if the option is not given, "" for a flag */

/* Returns value `which` (0, 1, …) of a repeated option; NULL beyond the last. */
const char *options_each(const options *parsed, const char *name, size_t which);

const char *options_command(const options *parsed);                /* name in messages */
size_t options_arguments(const options *parsed);                   /* number of words that are not options */
const char *options_argument(const options *parsed, size_t which); /* NULL beyond the last */

tauler_error options_number(const options *parsed, const char *name, uint64_t min, uint64_t max,
                            uint64_t *value, tauler_message *message);
tauler_error options_real(const options *parsed, const char *name, double min, double max, double *value,
                          tauler_message *message);
tauler_error options_size(const options *parsed, const char *name, uint64_t *bytes, tauler_message *message);
tauler_error options_duration(const options *parsed, const char *name, double *seconds,
                              tauler_message *message);

/* Sets *index to the place of the given value in the completion of the option, which lists all values. */
tauler_error options_word(const options *parsed, const char *name, size_t *index, tauler_message *message);

#endif
