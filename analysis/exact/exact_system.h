/* Linear systems with whole coefficients, sparse and mostly in the order of play, solved in exact rationals.
 *
 * Row i says: diagonal_i · x_i − Σ weight · x_column = right_i. Solved by p-adic lifting modulo 2^61 − 1: an
 * inverse of the system there (exact_modular.h) gives digit after digit of the solution as a p-adic number,
 * until rationals small enough to be the only ones show up; these are put into every row of the system, and
 * only if all hold, in integers, is anything given back. So the result does not rest on how it was found.
 *
 * GMP's own numbers are not taken from the memory budget, but charged to it as planned.
 */
#ifndef ANALYSIS_EXACT_EXACT_SYSTEM_H
#define ANALYSIS_EXACT_EXACT_SYSTEM_H

#include <gmp.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"

enum { EXACT_MOST_UNKNOWNS = 20000, EXACT_MOST_RIGHTS = 8 };

/* Rows are entries first[i] … first[i + 1] − 1. Most of them lead to later columns; never to their own. */
typedef struct {
  uint32_t unknowns, rights;
  uint32_t *first; /* unknowns + 1 */
  uint32_t *column;
  int64_t *weight;                   /* below 2^16, as the sum over a row */
  int64_t *diagonal;                 /* 1 … 2^16 */
  int64_t *right[EXACT_MOST_RIGHTS]; /* |right| below 2^60 */
} exact_system;

/* The unknowns wanted[0 … n − 1] for each right side: out[right · n + i], initialised by the caller. `shown`
 * (or NULL) gets the steps. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (the system has no single solution, or
 * the prime divides what it must not). */
tauler_error exact_system_solve(const exact_system *system, memory_budget *memory, progress *shown,
                                const uint32_t *wanted, size_t n, mpq_t *out, tauler_message *message);

#endif
