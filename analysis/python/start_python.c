/* Finds Python and the package `tauler`, and starts a module of it. */
#include "analysis/python/start_python.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parallel/launcher.h"

enum { MOST_WORDS = 256 };

/* The Python of Debian's packages. It must be started by its path, by which it finds its own files. */
static const char debian[] = "/usr/bin/python3";

static const char begin[] =
    "import importlib, sys\n"
    "try:\n"
    "    module = importlib.import_module(sys.argv.pop(1))\n"
    "except ModuleNotFoundError as missing:\n"
    "    sys.stderr.write('tauler: the Python module %s is missing; install it (Debian: python3-%s)\\n' %\n"
    "                     (missing.name, (missing.name or '').partition('.')[0]))\n"
    "    sys.exit(69)\n"
    "sys.exit(module.run_main())\n";

/* Folders of the package, relative to the folder of the program: for the program in the source tree, for a
 * variant in a folder of its own there, and for an installed program. */
static const char *const places[] = {"analysis/python", "../../analysis/python",
                                     "../lib/python3*/*-packages"};

/* If the library is beside the program, as that of a variant is, sets $TAULER_LIBRARY to its path, unless it
 * is set. */
static void set_library_path(const char *folder) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/libtauler.so.0", folder);
  if (access(path, R_OK) == 0) setenv("TAULER_LIBRARY", path, 0);
}

/* Puts the folder of the package before the other folders of PYTHONPATH. */
static void add_package(const char *folder) {
  const char *before = getenv("PYTHONPATH");
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char pattern[2 * PATH_MAX], path[4 * PATH_MAX];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s/tauler/claims", folder, places[i]);
    if (glob(pattern, 0, NULL, &found) == 0) {
      const int length = (int)(strlen(found.gl_pathv[0]) - strlen("/tauler/claims"));
      snprintf(path, sizeof path, "%.*s%s%s", length, found.gl_pathv[0], before && *before ? ":" : "",
               before ? before : "");
      setenv("PYTHONPATH", path, 1);
      globfree(&found);
      return;
    }
  }
}

typedef struct {
  const char *words[MOST_WORDS + 5];
} python_words;

static tauler_error prepare(const char *module, const char *const *words, python_words *out,
                            tauler_message *message) {
  char program[PATH_MAX];
  *out = (python_words){{debian, "-c", begin, module}};
  char *slash = launcher_program(program);
  for (size_t used = 0; words[used]; used++) {
    if (used == MOST_WORDS) return tauler_fail(message, TAULER_BAD_USAGE, "too many words");
    out->words[4 + used] = words[used];
  }
  if (!slash) return TAULER_OK;
  setenv("TAULER_PROGRAM", program, 1);
  *slash = '\0';
  add_package(program);
  set_library_path(program);
  return TAULER_OK;
}

static tauler_error no_python(tauler_message *message) {
  return tauler_fail(message, TAULER_UNAVAILABLE,
                     "there is no python3; install it (Debian: python3, python3-numpy)");
}

tauler_error start_python(const char *module, const char *const *words, tauler_message *message) {
  python_words argv;
  const tauler_error error = prepare(module, words, &argv, message);
  if (error) return error;
  fflush(stdout);
  execv(debian, (char *const *)argv.words);
  argv.words[0] = "python3";
  execvp("python3", (char *const *)argv.words);
  return no_python(message);
}

/* `said` is a file for standard error. Returns 0 or the number of an error of the system. */
static int spawn(python_words *argv, int input, int said, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  int failed = input >= 0 ? posix_spawn_file_actions_adddup2(&actions, input, 0)
                          : posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, said, 2);
  if (!failed) failed = posix_spawn(pid, debian, &actions, NULL, (char *const *)argv->words, environ);
  argv->words[0] = "python3";
  if (failed == ENOENT)
    failed = posix_spawnp(pid, "python3", &actions, NULL, (char *const *)argv->words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/* Reads the last line of standard error, without "tauler: " at its beginning. */
static void read_said(int said, char line[], size_t room) {
  static const char own[] = "tauler: ";
  char text[4096];
  const off_t bytes = lseek(said, 0, SEEK_END),
              first = bytes > (off_t)sizeof text - 1 ? bytes - (off_t)sizeof text + 1 : 0;
  ssize_t used = pread(said, text, sizeof text - 1, first);
  while (used > 0 && text[used - 1] == '\n') used--;
  text[used > 0 ? used : 0] = '\0';
  const char *last = strrchr(text, '\n');
  last = last ? last + 1 : text;
  if (strncmp(last, own, strlen(own)) == 0) last += strlen(own);
  snprintf(line, room, "%.*s", (int)room - 1, last);
}

static tauler_error judge_end(int status, int said, tauler_message *message) {
  static const struct {
    int code;
    tauler_error error;
  } ends[] = {{64, TAULER_BAD_USAGE}, {69, TAULER_UNAVAILABLE}, {74, TAULER_IO}};
  tauler_error error = TAULER_INTERNAL;
  char line[sizeof((tauler_message *)0)->text];
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return TAULER_OK;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (WIFEXITED(status) && WEXITSTATUS(status) == ends[i].code) error = ends[i].error;
  read_said(said, line, sizeof line);
  return tauler_fail(message, error, "%s", *line ? line : "Python failed, and does not say why");
}

tauler_error run_python(const char *module, const char *const *words, int input, tauler_message *message) {
  python_words argv;
  pid_t pid = 0;
  int status = 0;
  tauler_error error = prepare(module, words, &argv, message);
  if (error) return error;
  const int said = memfd_create("said", MFD_CLOEXEC);
  const int failed = said < 0 ? errno : spawn(&argv, input, said, &pid);
  if (failed == ENOENT)
    error = no_python(message);
  else if (failed)
    error = tauler_fail(message, tauler_errno_error(failed), "cannot start Python: %s", strerror(failed));
  while (!error && waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      error = tauler_fail(message, TAULER_IO, "cannot wait for Python: %s", strerror(errno));
  if (!error) error = judge_end(status, said, message);
  if (said >= 0) close(said);
  return error;
}
