/* A model of errors for static analysis: tauler_fail returns its second argument, and no failed call returns
 * TAULER_OK. Without it an analyser follows paths on which a failure is taken for a success. */
#include <errno.h>

#include "base/tauler_error.h"

#define TAULER_PYTHON_CLAIMS ""
#define TAULER_VERSION ""
#define tauler_fail(message, error, ...) ((void)tauler_fail((message), (error), __VA_ARGS__), (error))
#define tauler_errno_error(cause) ((cause) == ENOMEM ? TAULER_NO_MEMORY : TAULER_IO)
