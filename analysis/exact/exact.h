/* Solves linear systems in exact rationals, among them the equations of games of dice. */
#ifndef ANALYSIS_EXACT_EXACT_H
#define ANALYSIS_EXACT_EXACT_H

#include <gmp.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "games/game_chance.h"

/* --- sparse linear systems with whole coefficients ---
 *
 * Row i is diagonal_i · x_i − Σ weight · x_column = right_i. It is solved by p-adic lifting: an inverse of
 * the system modulo the prime 2^61 − 1 (exact_modular.c) yields the solution as a p-adic number, digit after
 * digit, until all unknowns are rationals so small that no others fit the digits. These are only returned if
 * all rows hold in integers. So the result does not rest on the way it was found.
 *
 * The numbers of GMP are not allocated from the memory budget; their planned bytes are charged to it.
 */

enum { EXACT_MOST_UNKNOWNS = 20000, EXACT_MOST_RIGHTS = 8 };

/* Row i has the entries first[i] … first[i + 1] − 1. The column of most entries is later than the row. No
 * entry is in the diagonal. */
typedef struct {
  uint32_t unknowns, rights;
  uint32_t *first; /* [unknowns + 1] first entry of each row */
  uint32_t *column;
  int64_t *weight;                   /* weight of each entry. The sum of a row is below 2^16 */
  int64_t *diagonal;                 /* [unknowns] 1 … 2^16 */
  int64_t *right[EXACT_MOST_RIGHTS]; /* [unknowns] absolute value below 2^60 */
} exact_system;

/* Solves the system for each right side. out[right · n + i], which the caller has initialised, becomes the
 * unknown wanted[i]. `shown`, if not NULL, shows the steps. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (the
 * system has no or several solutions, or is singular modulo the prime). */
tauler_error exact_system_solve(const exact_system *system, memory_budget *memory, progress *shown,
                                const uint32_t *wanted, size_t n, mpq_t *out, tauler_message *message);

/* --- linear systems modulo the prime 2^61 − 1. Private to exact_system.c ---
 *
 * A cut is a set of unknowns such that the row of every other unknown leads only to later unknowns and to the
 * cut. If the values of the cut are known, all others are computed in one sweep from the last to the first.
 * So only as many equations are eliminated as the cut has unknowns.
 */

#define EXACT_PRIME ((UINT64_C(1) << 61) - 1)

__extension__ typedef unsigned __int128 exact_wide;
__extension__ typedef __int128 exact_signed;

/* Returns a number up to 2^61 that is congruent to the value modulo the prime. */
static inline uint64_t exact_fold(exact_wide value) {
  const uint64_t sum =
      ((uint64_t)value & EXACT_PRIME) + (uint64_t)(value >> 61 & EXACT_PRIME) + (uint64_t)(value >> 122);
  return (sum & EXACT_PRIME) + (sum >> 61);
}

static inline uint64_t exact_reduce(exact_wide value) {
  const uint64_t folded = exact_fold(value);
  return folded >= EXACT_PRIME ? folded - EXACT_PRIME : folded;
}

/* The entries whose column is not later than the row, and which touch no unknown of the cut so far. */
typedef struct {
  uint32_t *from, *to;
  uint32_t used;
  uint32_t *degree; /* [unknowns] number of these entries that touch each unknown */
} exact_backward;

typedef struct {
  const exact_system *system;
  memory_budget *memory;
  progress *shown; /* NULL for none */
  arena by_unknown, by_cut;
  exact_backward backward;
  uint64_t *inverse; /* [unknowns] inverses of the diagonal */
  uint64_t *column;  /* [unknowns] values that follow from one unknown of the cut, for make_cut_equations */
  uint32_t *place;   /* [unknowns] place in the cut, or EXACT_OFF_CUT */
  uint32_t *cut;     /* [cut_used] unknowns of the cut */
  uint32_t cut_used;
  uint64_t *lower; /* lower factor of the cut's equations by rows, with inverse pivots in the diagonal */
  uint64_t *upper; /* upper factor by columns and, in the other half, by rows, without its diagonal of 1 */
  uint32_t *pivot_row; /* [cut_used] row of the i-th pivot */
  uint64_t *residual;  /* [2 · cut_used] residual of the cut, and numbers for solve_cut */
} exact_modular;

#define EXACT_OFF_CUT UINT32_MAX

/* Factors the system. The caller closes it, also after an error. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL
 * (the system is singular modulo the prime). */
tauler_error exact_modular_open(exact_modular *modular, const exact_system *system, memory_budget *memory,
                                progress *shown, tauler_message *message);
void exact_modular_close(exact_modular *modular);

/* Finds x with system · x ≡ right modulo the prime, 0 ≤ x < prime. */
void exact_modular_solve(exact_modular *modular, const int64_t *right, uint64_t *x);

/* --- expectations of games of dice without choices ---
 *
 * The expectations of a position are the only solution of linear equations over the positions that play can
 * reach from it. This is a second way to the values, by the game's batches alone, without doubles or tables.
 */

/* Computes all quantities of the position, in the slice's order. `out` has an mpq_t for each, which the
 * caller has initialised; `shown` may be NULL. Errors: TAULER_BAD_USAGE (a player has a choice, play may
 * never end, or there are too many positions), TAULER_NO_MEMORY, TAULER_INTERNAL, those of the game. */
tauler_error exact_chain_solve(const game *game, const game_rules *rules, game_place from,
                               memory_budget *memory, progress *shown, mpq_t *out, tauler_message *message);

#endif
