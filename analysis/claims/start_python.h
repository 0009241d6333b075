/* Hands the process over to Python, whose module `tauler` stands beside the program or is installed. */
#ifndef ANALYSIS_CLAIMS_START_PYTHON_H
#define ANALYSIS_CLAIMS_START_PYTHON_H

#include "base/tauler_error.h"

/* Runs run_main() of a module of the package in this process, with these words behind its name; ends with
 * NULL. Comes back only with an error: TAULER_UNAVAILABLE (no Python). That the package is missing Python
 * says itself, with exit code 69. The module finds this program in $TAULER_PROGRAM. */
tauler_error start_python(const char *module, const char *const *words, tauler_message *message);

#endif
