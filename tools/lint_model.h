/* For static analysis only: tauler_fail gives back the error that it was given, and a call that failed has
 * one. Without this an analyser follows paths on which a failure goes on as a success. */
#include <errno.h>

#include "base/tauler_error.h"

#define TAULER_PYTHON_CLAIMS ""
#define TAULER_VERSION ""
#define tauler_fail(message, error, ...) ((void)tauler_fail((message), (error), __VA_ARGS__), (error))
#define tauler_errno_error(cause) ((cause) == ENOMEM ? TAULER_NO_MEMORY : TAULER_IO)
