/* Finds Python and the package `tauler`, and starts a module of it in place of this process. */
#include "analysis/claims/start_python.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 256 };

/* The one that Debian's packages are for; it looks for its own files by that name. */
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

/* Below the folder of the program: in the source tree, that of a variant, and installed. */
static const char *const places[] = {"analysis/python", "../../analysis/python",
                                     "../lib/python3*/*-packages"};

/* The library of a variant stands beside its program. */
static void add_library(const char *folder) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/libtauler.so.0", folder);
  if (access(path, R_OK) == 0) setenv("TAULER_LIBRARY", path, 0);
}

/* Puts the folder of the package, if one is found there, in front of where Python looks. */
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

tauler_error start_python(const char *module, const char *const *words, tauler_message *message) {
  char program[PATH_MAX];
  const char *argv[MOST_WORDS + 5] = {debian, "-c", begin, module};
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  size_t used = 4;
  for (; words[used - 4]; used++) {
    if (used == MOST_WORDS) return tauler_fail(message, TAULER_BAD_USAGE, "too many words");
    argv[used] = words[used - 4];
  }
  if (n > 0) {
    program[n] = '\0';
    setenv("TAULER_PROGRAM", program, 1);
    char *slash = strrchr(program, '/');
    if (slash) *slash = '\0';
    add_package(program);
    add_library(program);
  }
  fflush(stdout);
  execv(debian, (char *const *)argv);
  argv[0] = "python3";
  execvp("python3", (char *const *)argv);
  return tauler_fail(message, TAULER_UNAVAILABLE,
                     "there is no python3; install it (Debian: python3, python3-numpy)");
}
