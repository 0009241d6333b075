/* Runs modules of the Python package `tauler`, which is beside the program or installed. $TAULER_PROGRAM is
 * the path of this program for them. */
#ifndef ANALYSIS_PYTHON_START_PYTHON_H
#define ANALYSIS_PYTHON_START_PYTHON_H

#include "base/tauler_error.h"

/* Replaces this process by run_main() of a module, with the words up to NULL as arguments. Returns only with
 * an error: TAULER_UNAVAILABLE (no Python). If the package is missing, Python says so and ends with exit code
 * 69. */
tauler_error start_python(const char *module, const char *const *words, tauler_message *message);

/* Runs run_main() of a module in a process of its own, and waits for its end. The descriptor `input` is its
 * standard input, or −1 for none. Its last line on standard error becomes the message. Errors:
 * TAULER_UNAVAILABLE (no Python, a missing package), TAULER_BAD_USAGE and TAULER_IO by its exit code,
 * TAULER_INTERNAL (another exit code). */
tauler_error run_python(const char *module, const char *const *words, int input, tauler_message *message);

#endif
