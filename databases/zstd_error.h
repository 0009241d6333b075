/* The error of a call to zstd that failed. */
#ifndef DATABASES_ZSTD_ERROR_H
#define DATABASES_ZSTD_ERROR_H

#include <zstd.h>
#include <zstd_errors.h>

#include "base/tauler_error.h"

/* TAULER_NO_MEMORY where zstd had none, else `other`. */
static inline tauler_error zstd_error(size_t result, tauler_error other) {
  return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? TAULER_NO_MEMORY : other;
}

#endif
