/* Private to exact_system: its systems modulo the prime 2^61 − 1.
 *
 * Some unknowns, the cut, are chosen so that every row leads from an unknown off the cut only to later ones
 * and to the cut. Given the cut's values all others follow in one sweep, from the last to the first; so only
 * as many equations as the cut has unknowns need be eliminated.
 */
#ifndef ANALYSIS_EXACT_EXACT_MODULAR_H
#define ANALYSIS_EXACT_EXACT_MODULAR_H

#include "analysis/exact/exact_system.h"

#define EXACT_PRIME ((UINT64_C(1) << 61) - 1)

__extension__ typedef unsigned __int128 exact_wide;
__extension__ typedef __int128 exact_signed;

/* Below 2^61, equal to it modulo the prime; 0 may come out as the prime. */
static inline uint64_t exact_fold(exact_wide value) {
  const uint64_t sum =
      ((uint64_t)value & EXACT_PRIME) + (uint64_t)(value >> 61 & EXACT_PRIME) + (uint64_t)(value >> 122);
  return (sum & EXACT_PRIME) + (sum >> 61);
}

static inline uint64_t exact_reduce(exact_wide value) {
  const uint64_t folded = exact_fold(value);
  return folded >= EXACT_PRIME ? folded - EXACT_PRIME : folded;
}

typedef struct {
  const exact_system *system;
  memory_budget *memory;
  progress *shown;   /* or NULL */
  uint64_t *inverse; /* [rows] inverse of each diagonal */
  uint32_t *place;   /* in the cut, or EXACT_OFF_CUT */
  uint32_t *cut;     /* its unknowns */
  uint32_t cut_used;
  uint64_t *lower;     /* rows of the eliminated equations of the cut, the inverse pivot in the diagonal */
  uint64_t *upper;     /* columns with 1 in the diagonal, in the end also the rows beyond the diagonal */
  uint32_t *pivot_row; /* which row came i-th */
  uint64_t *residual;  /* residual of the cut */
} exact_modular;

#define EXACT_OFF_CUT UINT32_MAX

/* Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (singular modulo the prime). Closed also after a failure. */
tauler_error exact_modular_open(exact_modular *modular, const exact_system *system, memory_budget *memory,
                                progress *shown, tauler_message *message);
void exact_modular_close(exact_modular *modular);

/* x with system · x ≡ right, 0 ≤ x < prime. */
void exact_modular_solve(exact_modular *modular, const int64_t *right, uint64_t *x);

#endif
