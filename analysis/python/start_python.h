/* Runs modules of the Python package `tauler`, which is beside the program or installed. They find the path
 * of this program in $TAULER_PROGRAM. */
#ifndef ANALYSIS_PYTHON_START_PYTHON_H
#define ANALYSIS_PYTHON_START_PYTHON_H

#include "base/tauler_error.h"

/* Replaces this process by run_main() of a module, with the words up to NULL as arguments. Returns only with
 * an error: TAULER_UNAVAILABLE (no Python), TAULER_BAD_USAGE (too many words). If the package is missing,
 * Python says so and ends with exit code 69. */
tauler_error start_python(const char *module, const char *const *words, tauler_message *message);

/* Runs run_main() of a module in a process of its own, and waits for its end. The descriptor `input` is its
 * standard input, or −1 for none. If it fails, its last line on standard error becomes the message. Errors:
 * TAULER_UNAVAILABLE (no Python, a missing package), TAULER_BAD_USAGE (also too many words) and TAULER_IO by
 * its exit code, TAULER_INTERNAL (another end), errors of the system. */
tauler_error run_python(const char *module, const char *const *words, int input, tauler_message *message);

#endif
