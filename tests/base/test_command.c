/* base/: options, help and the program around its commands. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command/command.h"
#include "base/command/options.h"
#include "tests/support/suite.h"

static const option search[] = {
    {"seeds", "N", "0 to N seeds", NULL},
    {"cycles", "RULE", "what infinite play is worth: even, forced or own-row", "even forced own-row"},
    {"db", "DIR", "folder of the tables", "@dir"},
    {"depth", NULL, "adds depths", NULL},
    {"error", "NAME", "lets the command fail", NULL},
    {"width", "X",
     "a real number with a help text that is long enough to be wrapped to a second line of the "
     "terminal, as this one is",
     NULL},
    {"watchdog", "TIME", "stop in time", NULL},
};
static const option_group search_options = OPTION_GROUP("Which table", search);
static const option_group *const groups[] = {&search_options, &options_running, NULL};

#define PARSE(parsed, ...) parse_words((const char *[]){__VA_ARGS__, NULL}, parsed, hear())

static tauler_error parse_words(const char **words, options **parsed, tauler_message *message) {
  int n = 0;
  while (words[n] != NULL) n++;
  message->text[0] = '\0';
  return options_parse("tauler build", groups, n, (char **)words, parsed, message);
}

CASE(options_and_arguments_are_told_apart) {
  options *parsed;
  MUST(PARSE(&parsed, "auale", "--seeds", "3", "4-4", "--depth", "--db=a b", "--seeds=12", "-", "--",
             "--seeds", "--", "-x"));
  ck_assert_str_eq(options_get(parsed, "seeds"), "12");
  ck_assert_str_eq(options_get(parsed, "db"), "a b");
  ck_assert_str_eq(options_get(parsed, "depth"), "");
  ck_assert(options_has(parsed, "depth") && !options_has(parsed, "quiet") &&
            !options_has(parsed, "no-such-option"));
  ck_assert_ptr_null(options_get(parsed, "memory"));
  static const char *const arguments[] = {"auale", "4-4", "-", "--seeds", "--", "-x"};
  ck_assert_uint_eq(options_arguments(parsed), 6);
  for (size_t i = 0; i < 6; i++) ck_assert_str_eq(options_argument(parsed, i), arguments[i]);
  ck_assert_ptr_null(options_argument(parsed, 6));
  options_free(parsed);
  options_free(NULL);

  MUST(options_parse("tauler build", groups, 0, NULL, &parsed, hear()));
  ck_assert_uint_eq(options_arguments(parsed), 0);
  options_free(parsed);
}

CASE(wrong_options_are_explained) {
  static const struct {
    const char *words[3];
    const char *parts[3];
  } cases[] = {
      {{"--seed", "3"}, {"--seed;", "did you mean --seeds?", "see tauler build --help"}},
      {{"--sedes=3"}, {"--sedes=3", "--seeds?"}},
      {{"--mem", "3"}, {"--memory?"}},
      {{"--xylophone"}, {"unknown option --xylophone; see tauler build --help"}},
      {{"-s", "3"}, {"unknown option -s"}},
      {{"--seeds"}, {"--seeds needs a value: --seeds N"}},
      {{"--db", "--depth"}, {"--db needs a value: --db DIR"}},
      {{"--depth=9"}, {"--depth takes no value", "\"9\""}},
      {{"---seeds"}, {"---seeds", "--seeds?"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    options *parsed = (options *)cases;
    ck_assert_int_eq(parse_words((const char **)cases[i].words, &parsed, hear()), TAULER_BAD_USAGE);
    ck_assert_ptr_null(parsed);
    for (size_t j = 0; j < 3 && cases[i].parts[j] != NULL; j++)
      ck_assert_msg(strstr(said.text, cases[i].parts[j]) != NULL, "\"%s\" in \"%s\"", cases[i].parts[j],
                    said.text);
    if (i == 3) ck_assert_ptr_null(strstr(said.text, "did you mean"));
  }
}

CASE(values_are_read_and_checked) {
  options *parsed;
  MUST(PARSE(&parsed, "--seeds", "12", "--width", "-0.25", "--memory", "2G", "--watchdog", "1h30m",
             "--cycles", "own-row", "--db", "49x"));
  uint64_t seeds = 48, bytes = 0, threads = 5;
  double width = 0, watchdog = 0;
  size_t cycles = 0;
  MUST(options_number(parsed, "seeds", 0, 48, &seeds, hear()));
  ck_assert_uint_eq(seeds, 12);
  MUST(options_number(parsed, "threads", 1, 64, &threads, hear()));
  ck_assert_uint_eq(threads, 5);
  MUST(options_real(parsed, "width", -1, 1, &width, hear()));
  ck_assert_double_eq(width, -0.25);
  MUST(options_size(parsed, "memory", &bytes, hear()));
  ck_assert_uint_eq(bytes, UINT64_C(2) << 30);
  MUST(options_duration(parsed, "watchdog", &watchdog, hear()));
  ck_assert_double_eq(watchdog, 5400);
  MUST(options_word(parsed, "cycles", &cycles, hear()));
  ck_assert_uint_eq(cycles, 2);

  ck_assert_int_eq(options_number(parsed, "seeds", 13, 48, &seeds, hear()), TAULER_BAD_USAGE);
  ck_assert_str_eq(said.text, "--seeds 12: a whole number from 13 to 48 is wanted; see tauler build --help");
  ck_assert_uint_eq(seeds, 12);
  REFUSED(TAULER_BAD_USAGE, "--db 49x: a whole number from 1 on",
          options_number(parsed, "db", 1, UINT64_MAX, &seeds, hear()));
  REFUSED(TAULER_BAD_USAGE, "a number from 0 to 0.5", options_real(parsed, "db", 0, 0.5, &width, hear()));
  REFUSED(TAULER_BAD_USAGE, "512M", options_size(parsed, "db", &bytes, hear()));
  REFUSED(TAULER_BAD_USAGE, "10m", options_duration(parsed, "db", &watchdog, hear()));
  options_free(parsed);

  MUST(PARSE(&parsed, "--cycles", "own"));
  REFUSED(TAULER_BAD_USAGE, "even forced own-row", options_word(parsed, "cycles", &cycles, hear()));
  MUST(options_word(parsed, "seeds", &cycles, hear()));
  options_free(parsed);
}

/* A command that prints its arguments, then fails as --error says. */
static tauler_error run_echo(const options *parsed, tauler_message *message) {
  const char *error = options_get(parsed, "error");
  uint64_t lines = 0;
  tauler_error bad = options_number(parsed, "seeds", 0, 10000000, &lines, message);
  if (bad != TAULER_OK) return bad;
  for (size_t i = 0; i < options_arguments(parsed); i++) puts(options_argument(parsed, i));
  for (uint64_t i = 0; i < lines; i++) puts("a line of the result");
  if (error == NULL) return TAULER_OK;
  if (strcmp(error, "verdict") == 0) return TAULER_NOT_PROVEN;
  if (strcmp(error, "io") == 0 && ferror(stdout)) return tauler_fail(message, TAULER_IO, "lost");
  return tauler_fail(message, TAULER_TABLE_MISSING, "no table for %s", error);
}

static void wait_to_speak(void) {
  if (getenv("TEST_OF_MANY")) fputs("waits, ", stderr);
}

static const command build = {.name = "build",
                              .arguments = "GAME POSITION…",
                              .most_arguments = 2,
                              .arguments_completion = "auale oca @file",
                              .groups = groups,
                              .run = run_echo,
                              .waits_to_speak = wait_to_speak};
static const option_group *const no_groups[] = {NULL};
static const command claims = {
    .name = "claims", .arguments = "[NAME…]", .groups = no_groups, .run = run_echo};
static const command *const commands[] = {&build, &claims};
static const command_text texts[] = {
    {"build", "builds what is missing, smallest first",
     "A first paragraph.\n\nA second one, with *stars* and under_scores.\n  which goes on",
     "# twelve seeds\ntauler build auale --seeds 12 --db tables\n"},
    {"claims", "runs the claims", "", ""},
    {NULL, NULL, NULL, NULL}};
static const command_list list = {commands, 2, texts};

typedef struct {
  int code;
  char output[20000], errors[4000];
} outcome;

static void read_back(FILE *file, char *text, size_t room) {
  rewind(file);
  text[fread(text, 1, room - 1, file)] = '\0';
  fclose(file);
}

/* Runs the program in a process of its own, standard output going to `output` (-1: captured). */
static outcome run_program(const char **words, int output) {
  outcome result = {.output = ""};
  FILE *captured = tmpfile(), *errors = tmpfile();
  int argc = 1;
  char *argv[16] = {(char *)"tauler"};
  for (; words[argc - 1] != NULL; argc++) argv[argc] = (char *)words[argc - 1];
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(output < 0 ? fileno(captured) : output, STDOUT_FILENO);
    dup2(fileno(errors), STDERR_FILENO);
    int code = command_main(&list, "tauler 0.1.0", argc, argv);
    exit(code); /* not _exit: coverage and leaks are reported on the way out */
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  read_back(captured, result.output, sizeof result.output);
  read_back(errors, result.errors, sizeof result.errors);
  return result;
}

#define RUN(...) run_program((const char *[]){__VA_ARGS__, NULL}, -1)

static void check_contains(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "\"%s\" in \"%s\"", part, text);
}

CASE(commands_are_found_and_run) {
  outcome result = RUN("build", "auale", "4-4");
  ck_assert_int_eq(result.code, 0);
  ck_assert_str_eq(result.output, "auale\n4-4\n");
  ck_assert_str_eq(result.errors, "");
  result = RUN("build", "auale", "--error", "here");
  ck_assert_int_eq(result.code, 66);
  ck_assert_str_eq(result.errors, "tauler build: no table for here\n");
  result = RUN("build", "auale", "--error", "here", "--log-json");
  ck_assert_int_eq(result.code, 66);
  ck_assert_str_eq(result.errors,
                   "{\"event\":\"error\",\"command\":\"build\",\"error\":\"table missing\",\"exit\":66,"
                   "\"message\":\"no table for here\"}\n");
  result = RUN("build", "auale", "--error", "verdict");
  ck_assert_int_eq(result.code, 1);
  ck_assert_str_eq(result.errors, "");
}

CASE(wrong_calls_exit_64) {
  static const struct {
    const char *words[5];
    const char *part;
  } cases[] = {
      {{NULL}, "Commands:"},
      {{"biuld"}, "tauler: unknown command biuld; did you mean build? see tauler --help"},
      {{"xylophone"}, "tauler: unknown command xylophone; see tauler --help"},
      {{""}, "tauler: the name of the command is empty; see tauler --help"},
      {{"help", "clams"}, "did you mean claims?"},
      {{"--vesion"}, "unknown option --vesion"},
      {{"build"}, "tauler build: GAME POSITION… is missing; see tauler build --help"},
      {{"build", "a", "b", "c"}, "\"c\" is one argument too many"},
      {{"build", "a", "--db", ""},
       "--db needs the name of a folder, not an empty one; see tauler build --help"},
      {{"build", "a", "--db="}, "--db needs the name of a folder"},
      {{"build", "a", "--seeds", "x"}, "--seeds x: a whole number"},
      {{"claims", "--seeds"}, "unknown option --seeds"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    outcome result = run_program((const char **)cases[i].words, -1);
    ck_assert_int_eq(result.code, 64);
    ck_assert_str_eq(result.output, "");
    check_contains(result.errors, cases[i].part);
  }
}

/* One process of many speaks first of an error that all have; each speaks at once of its own. */
CASE(one_of_many_speaks_first_of_wrong_calls) {
  setenv("TEST_OF_MANY", "1", 1);
  outcome result = RUN("build", "a", "--seeds", "x");
  ck_assert_int_eq(result.code, 64);
  check_contains(result.errors, "waits, tauler build: --seeds x");
  result = RUN("build", "auale", "--error", "here");
  ck_assert_int_eq(result.code, 66);
  ck_assert(strstr(result.errors, "waits") == NULL);
  check_contains(result.errors, "no table for here");
  result = RUN("claims", "--seeds");
  check_contains(result.errors, "unknown option --seeds");
  unsetenv("TEST_OF_MANY");
}

CASE(help_comes_from_the_table) {
  outcome first = RUN("build", "--help"), second = RUN("help", "build"), third = RUN("build", "--bad", "-h");
  ck_assert_int_eq(first.code, 0);
  ck_assert_str_eq(first.output, second.output);
  ck_assert_str_eq(first.output, third.output);
  static const char *const parts[] = {
      "Usage: tauler build GAME POSITION… [OPTION]...\n\nbuilds what is missing, smallest first\n\n",
      "\n\nA first paragraph.\n\nA second",
      "under_scores. which goes on\n\nWhich table:\n",
      "\n  --seeds N           0 to N seeds\n",
      "\n  --depth             adds depths\n",
      "to a second\n                      line of the terminal, as this one is\n",
      "\nRunning:\n",
      "\n  --help              this help\n",
      "\nExamples:\n  # twelve seeds\n  tauler build auale --seeds 12 --db tables\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) check_contains(first.output, parts[i]);
  for (const char *line = first.output; *line != '\0'; line += strcspn(line, "\n") + 1)
    ck_assert_uint_le(strcspn(line, "\n"), 104);

  first = RUN("--help");
  second = RUN("help");
  ck_assert_int_eq(first.code, 0);
  ck_assert_str_eq(first.output, second.output);
  check_contains(first.output, "\n  build               builds what is missing, smallest first\n");
  check_contains(first.output, "\n  75                  stopped");
  first = RUN("--version");
  ck_assert_str_eq(first.output, "tauler 0.1.0\n");
  first = RUN("-V");
  ck_assert_str_eq(first.output, "tauler 0.1.0\n");
}

/* Gives a text to a shell command and checks what it prints. */
static void check_filtered(const char *text, const char *filter, const char *const *parts) {
  char name[200], line[1024], printed[20000];
  const char *folder = getenv("TMPDIR");
  snprintf(name, sizeof name, "%s/tauler-command.XXXXXX", folder != NULL ? folder : "/tmp");
  int descriptor = mkstemp(name);
  ck_assert_int_ge(descriptor, 0);
  ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
  close(descriptor);
  snprintf(line, sizeof line, "FILE=%s; %s", name, filter);
  FILE *pipe = popen(line, "r");
  ck_assert_ptr_nonnull(pipe);
  printed[fread(printed, 1, sizeof printed - 1, pipe)] = '\0';
  int status = pclose(pipe);
  unlink(name);
  ck_assert_msg(status == 0, "%s: %s", filter, printed);
  for (; *parts != NULL; parts++) check_contains(printed, *parts);
}

CASE(man_pages_are_scdoc) {
  outcome overview = RUN("--man"), result = RUN("--man", "build");
  ck_assert_int_eq(overview.code, 0);
  check_contains(overview.output, "tauler(1)");
  check_contains(result.output, "tauler-build(1)");
  ck_assert_int_eq(RUN("--man", "biuld").code, 64);
  if (system("command -v scdoc >/dev/null") != 0) {
    puts("SKIP: man_pages_are_scdoc: no scdoc");
    return;
  }
  check_filtered(overview.output, "scdoc < $FILE 2>&1",
                 (const char *[]){".TH", "\\fBtauler-build\\fR(1)", "builds what is missing", NULL});
  check_filtered(result.output, "scdoc < $FILE 2>&1",
                 (const char *[]){".TH \"tauler-build\"", "builds what is missing",
                                  "*stars* and under_scores", "\\fB--seeds\\fR \\fIN\\fR",
                                  "tauler build auale", NULL});
}

CASE(bash_completes_commands_options_and_values) {
  outcome result = RUN("--bash-completion");
  ck_assert_int_eq(result.code, 0);
  static const struct {
    const char *words, *expected;
  } cases[] = {
      {"tauler cl", "[claims]"},
      {"tauler help b", "[build]"},
      {"tauler build --se", "[--seeds]"},
      {"tauler build auale --cycles o", "[own-row]"},
      {"tauler build --cycles = f", "[forced]"},
      {"tauler build au", "[auale]"},
      {"tauler build @", "[]"},
      {"tauler build --memory 2", "[]"},
      {"tauler build --db /usr/shar", "[/usr/share]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char filter[400];
    snprintf(filter, sizeof filter,
             "bash -c 'compopt() { :; }; source $0; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
             "_tauler; "
             "echo \"[${COMPREPLY[*]}]\"' $FILE 2>&1",
             cases[i].words);
    check_filtered(result.output, filter, (const char *[]){cases[i].expected, NULL});
  }
}

CASE(output_that_is_lost_is_reported) {
  int full = open("/dev/full", O_WRONLY);
  if (full < 0) {
    puts("SKIP: output_that_is_lost_is_reported: no /dev/full");
    return;
  }
  static const char *small[] = {"build", "auale", NULL},
                    *large[] = {"build", "auale", "--seeds", "100000", NULL};
  static const char *missing[] = {"build", "auale", "--error", "x", NULL}, *help[] = {"help", NULL};
  outcome result = run_program(small, full);
  ck_assert_int_eq(result.code, 74);
  ck_assert_str_eq(result.errors,
                   "tauler build: standard output could not be written: No space left on device\n");
  result = run_program(large, full);
  ck_assert_int_eq(result.code, 74);
  check_contains(result.errors, "standard output could not be written");
  ck_assert_int_eq(run_program(missing, full).code, 66);
  ck_assert_int_eq(run_program(help, full).code, 74);
  close(full);
}

CASE(a_closed_pipe_ends_quietly) {
  static const char *large[] = {"build", "auale", "--seeds", "100000", NULL};
  static const char *asked[] = {"build", "auale", "--seeds", "100000", "--error", "io", NULL};
  static const char **cases[] = {large, asked};
  for (size_t i = 0; i < 2; i++) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    outcome result = run_program(cases[i], ends[1]);
    close(ends[1]);
    ck_assert_int_eq(result.code, 0);
    ck_assert_str_eq(result.errors, "");
  }
}

CASE(closed_descriptors_are_not_taken_for_output) {
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    char *argv[] = {(char *)"tauler", (char *)"--version", NULL};
    for (int i = 0; i <= 2; i++) close(i);
    int code = command_main(&list, "tauler 0.1.0", 2, argv);
    exit(open("/dev/null", O_RDONLY) > 2 ? code : 99);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 74);
}

SUITE("command") {
  TESTS(options_and_arguments_are_told_apart, wrong_options_are_explained, values_are_read_and_checked,
        commands_are_found_and_run, wrong_calls_exit_64, one_of_many_speaks_first_of_wrong_calls,
        help_comes_from_the_table, man_pages_are_scdoc, bash_completes_commands_options_and_values,
        output_that_is_lost_is_reported, a_closed_pipe_ends_quietly,
        closed_descriptors_are_not_taken_for_output);
}
