/* Runs modules of the Python package `tauler`, which stands beside the program or is installed. They find
 * this program in $TAULER_PROGRAM. */
#ifndef ANALYSIS_PYTHON_START_PYTHON_H
#define ANALYSIS_PYTHON_START_PYTHON_H

#include "base/tauler_error.h"

/* Runs run_main() of a module in place of this process, with these words behind its name; ends with NULL.
 * Comes back only with an error: TAULER_UNAVAILABLE (no Python). That the package is missing Python says
 * itself, with exit code 69. */
tauler_error start_python(const char *module, const char *const *words, tauler_message *message);

/* Runs it in a process of its own and waits for its end. It reads the file `input`, or −1 for none. Its last
 * line on standard error becomes the message. Errors: TAULER_UNAVAILABLE (no Python, a package is missing),
 * TAULER_BAD_USAGE and TAULER_IO as its exit code says, TAULER_INTERNAL (another one). */
tauler_error run_python(const char *module, const char *const *words, int input, tauler_message *message);

#endif
