/* Systems of linear equations of games of dice, solved in exact rationals. */
#ifndef ANALYSIS_EXACT_EXACT_H
#define ANALYSIS_EXACT_EXACT_H

#include <gmp.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "games/game_chance.h"

/* Linear systems with whole coefficients, sparse and mostly in the order of play, solved in exact rationals.
 *
 * Row i says: diagonal_i · x_i − Σ weight · x_column = right_i. Solved by p-adic lifting modulo 2^61 − 1: an
 * inverse of the system there (exact_modular.c) gives digit after digit of the solution as a p-adic number,
 * until rationals small enough to be the only ones show up; these are put into every row of the system, and
 * only if all hold, in integers, is anything given back. So the result does not rest on how it was found.
 *
 * GMP's own numbers are not taken from the memory budget, but charged to it as planned.
 */

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

/* Private to exact_system: its systems modulo the prime 2^61 − 1.
 *
 * Some unknowns, the cut, are chosen so that every row leads from an unknown off the cut only to later ones
 * and to the cut. Given the cut's values all others follow in one sweep, from the last to the first; so only
 * as many equations as the cut has unknowns need be eliminated.
 */

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

/* Entries that lead backward, from row to column, while there are any that the cut does not touch. */
typedef struct {
  uint32_t *from, *to;
  uint32_t used;
  uint32_t *degree; /* by unknown */
} exact_backward;

typedef struct {
  const exact_system *system;
  memory_budget *memory;
  progress *shown; /* or NULL */
  arena by_unknown, by_cut;
  exact_backward backward;
  uint64_t *inverse; /* [rows] inverse of each diagonal */
  uint64_t *column;  /* [unknowns] while the cut is closed: the unknowns that follow from one of it */
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

/* Exact rationals of games of dice without choices.
 *
 * The expectations of a position are the one solution of linear equations over the positions that play can
 * reach from it. They are read from the game's batches alone (game_chance.h) and solved in rationals
 * (exact_system.c): a second way to the values, without doubles, sweeps or tables.
 */

/* All quantities of the position, in the slice's order; out has been initialised, an mpq_t for each;
 * `shown` may be NULL.
 * Errors: TAULER_BAD_USAGE (somebody chooses; play may go on for ever; more positions than can be solved
 * so), TAULER_NO_MEMORY, TAULER_INTERNAL, what the game returns. */
tauler_error exact_chain_solve(const game *game, const game_rules *rules, game_place from,
                               memory_budget *memory, progress *shown, mpq_t *out, tauler_message *message);

#endif
