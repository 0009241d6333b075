/* Reads a command line by the options of a command. */
#include "base/command/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct {
  const option *what;
  const char *value;
} given_option;

struct options {
  const char *command;
  given_option *given;
  size_t n_given;
  const char **arguments;
  size_t n_arguments;
};

static const option running[] = {
    {"threads", "N", "threads to work with; default: the processors this process may use", NULL},
    {"memory", "SIZE", "most memory to take, such as 512M or 2G; default: what the machine has available",
     NULL},
    {"quiet", NULL, "no progress, only errors", NULL},
    {"log-json", NULL, "progress and errors as JSON, one object per line", NULL},
};
const option_group options_running = OPTION_GROUP("Running", running);

static const option *find_option(const option_group *const *groups, const char *name, size_t length) {
  for (; *groups != NULL; groups++)
    for (size_t i = 0; i < (*groups)->n; i++) {
      const option *candidate = &(*groups)->options[i];
      if (strncmp(candidate->name, name, length) == 0 && candidate->name[length] == '\0') return candidate;
    }
  return NULL;
}

static const given_option *find_given(const options *parsed, const char *name) {
  for (size_t i = parsed->n_given; i-- > 0;)
    if (strcmp(parsed->given[i].what->name, name) == 0) return &parsed->given[i];
  return NULL;
}

static const char *nearest_option(const option_group *const *groups, const char *name) {
  const char *names[256];
  size_t n = 0;
  for (; *groups != NULL; groups++)
    for (size_t i = 0; i < (*groups)->n && n < sizeof names / sizeof *names; i++)
      names[n++] = (*groups)->options[i].name;
  return text_nearest(name, names, n);
}

static tauler_error refuse_unknown_option(const char *command, const option_group *const *groups,
                                          const char *word, tauler_message *message) {
  const char *name = word + strspn(word, "-");
  char copy[64] = "";
  strncat(copy, name, strcspn(name, "=") < sizeof copy ? strcspn(name, "=") : sizeof copy - 1);
  const char *near = nearest_option(groups, copy);
  if (near == NULL)
    return tauler_fail(message, TAULER_BAD_USAGE, "unknown option %.80s; see %s --help", word, command);
  return tauler_fail(message, TAULER_BAD_USAGE, "unknown option %.80s; did you mean --%s? see %s --help",
                     word, near, command);
}

/* Refuses an empty folder name, and a second folder that would silently replace the first. */
static tauler_error check_folder(const options *parsed, const option *what, const char *value,
                                 tauler_message *message) {
  if (!what->completion || strncmp(what->completion, "@dir", 4) != 0) return TAULER_OK;
  if (!*value)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--%s needs the name of a folder, not an empty one; see %s --help", what->name,
                       parsed->command);
  if (strcmp(what->completion, "@dir") == 0 && find_given(parsed, what->name))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--%s is given twice, and %s uses one folder; see %s --help", what->name,
                       parsed->command, parsed->command);
  return TAULER_OK;
}

/* Reads the option argv[*next] and, if its value is the next word, moves *next to that word. */
static tauler_error read_option(options *parsed, const option_group *const *groups, int argc,
                                char *const *argv, int *next, tauler_message *message) {
  const char *word = argv[*next], *name = word + 2;
  size_t length = strcspn(name, "=");
  const option *what = strncmp(word, "--", 2) == 0 ? find_option(groups, name, length) : NULL;
  if (what == NULL) return refuse_unknown_option(parsed->command, groups, word, message);

  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  if (what->argument == NULL && value != NULL)
    return tauler_fail(message, TAULER_BAD_USAGE, "--%s takes no value, but has \"%.80s\"; see %s --help",
                       what->name, value, parsed->command);
  if (what->argument == NULL) value = "";
  if (value == NULL) {
    /* A word that begins with two dashes is the next option, not a value. */
    bool follows = *next + 1 < argc && strncmp(argv[*next + 1], "--", 2) != 0;
    if (!follows)
      return tauler_fail(message, TAULER_BAD_USAGE, "--%s needs a value: --%s %s; see %s --help", what->name,
                         what->name, what->argument, parsed->command);
    value = argv[++*next];
  }
  const tauler_error error = check_folder(parsed, what, value, message);
  if (error) return error;
  parsed->given[parsed->n_given++] = (given_option){what, value};
  return TAULER_OK;
}

tauler_error options_parse(const char *command, const option_group *const *groups, int argc,
                           char *const *argv, options **result, tauler_message *message) {
  *result = NULL;
  size_t room = argc > 0 ? (size_t)argc : 0;
  options *parsed = calloc(1, sizeof *parsed);
  if (parsed != NULL) {
    parsed->command = command;
    parsed->given = calloc(room + 1, sizeof *parsed->given);
    parsed->arguments = calloc(room + 1, sizeof *parsed->arguments);
  }
  if (parsed == NULL || parsed->given == NULL || parsed->arguments == NULL) {
    options_free(parsed);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the command line");
  }
  tauler_error error = TAULER_OK;
  bool only_arguments = false;
  for (int i = 0; i < argc && error == TAULER_OK; i++) {
    bool dashed = argv[i][0] == '-' && argv[i][1] != '\0'; /* "-" alone is an argument */
    if (only_arguments || !dashed)
      parsed->arguments[parsed->n_arguments++] = argv[i];
    else if (strcmp(argv[i], "--") == 0)
      only_arguments = true;
    else
      error = read_option(parsed, groups, argc, argv, &i, message);
  }
  if (error != TAULER_OK) {
    options_free(parsed);
    return error;
  }
  *result = parsed;
  return TAULER_OK;
}

void options_free(options *parsed) {
  if (parsed == NULL) return;
  free(parsed->given);
  free(parsed->arguments);
  free(parsed);
}

bool options_has(const options *parsed, const char *name) {
  return find_given(parsed, name) != NULL;
}

const char *options_get(const options *parsed, const char *name) {
  const given_option *given = find_given(parsed, name);
  return given == NULL ? NULL : given->value;
}

const char *options_each(const options *parsed, const char *name, size_t which) {
  for (size_t i = 0; i < parsed->n_given; i++) {
    if (strcmp(parsed->given[i].what->name, name) == 0 && which-- == 0) return parsed->given[i].value;
  }
  return NULL;
}

const char *options_command(const options *parsed) {
  return parsed->command;
}

size_t options_arguments(const options *parsed) {
  return parsed->n_arguments;
}

const char *options_argument(const options *parsed, size_t which) {
  return which < parsed->n_arguments ? parsed->arguments[which] : NULL;
}

static tauler_error refuse_value(const options *parsed, const char *name, const char *wanted,
                                 tauler_message *message) {
  return tauler_fail(message, TAULER_BAD_USAGE, "--%s %.80s: %s is wanted; see %s --help", name,
                     options_get(parsed, name), wanted, parsed->command);
}

tauler_error options_number(const options *parsed, const char *name, uint64_t min, uint64_t max,
                            uint64_t *value, tauler_message *message) {
  const char *text = options_get(parsed, name);
  if (text == NULL || text_read_unsigned(text, min, max, value)) return TAULER_OK;
  tauler_message wanted;
  (void)tauler_fail(&wanted, TAULER_BAD_USAGE,
                    max == UINT64_MAX ? "a whole number from %s on" : "a whole number from %s to %s",
                    text_unsigned(min).text, text_unsigned(max).text);
  return refuse_value(parsed, name, wanted.text, message);
}

tauler_error options_real(const options *parsed, const char *name, double min, double max, double *value,
                          tauler_message *message) {
  const char *text = options_get(parsed, name);
  if (text == NULL || text_read_real(text, min, max, value)) return TAULER_OK;
  tauler_message wanted;
  (void)tauler_fail(&wanted, TAULER_BAD_USAGE, "a number from %s to %s", text_real(min).text,
                    text_real(max).text);
  return refuse_value(parsed, name, wanted.text, message);
}

tauler_error options_size(const options *parsed, const char *name, uint64_t *bytes, tauler_message *message) {
  const char *text = options_get(parsed, name);
  if (text == NULL || text_read_size(text, bytes)) return TAULER_OK;
  return refuse_value(parsed, name, "a size such as 4096, 512M or 1.5GiB", message);
}

tauler_error options_duration(const options *parsed, const char *name, double *seconds,
                              tauler_message *message) {
  const char *text = options_get(parsed, name);
  if (text == NULL || text_read_duration(text, seconds)) return TAULER_OK;
  return refuse_value(parsed, name, "a time such as 30s, 10m, 2h or 1h30m", message);
}

tauler_error options_word(const options *parsed, const char *name, size_t *index, tauler_message *message) {
  const given_option *given = find_given(parsed, name);
  if (given == NULL) return TAULER_OK;
  const char *words = given->what->completion;
  size_t wanted = strlen(given->value), n = 0;
  for (const char *word = words; word != NULL && *word != '\0'; n++) {
    size_t length = strcspn(word, " ");
    if (length == wanted && strncmp(word, given->value, length) == 0) {
      *index = n;
      return TAULER_OK;
    }
    word += length + strspn(word + length, " ");
  }
  return tauler_fail(message, TAULER_BAD_USAGE, "--%s %.80s: one of these is wanted: %s; see %s --help", name,
                     given->value, words == NULL ? "(none)" : words, parsed->command);
}
