/* Solves linear systems modulo the prime 2^61 − 1. */
#include "analysis/exact/exact.h"

#include <string.h>

static const char *const what = "exact equations";

static uint64_t multiply_mod(uint64_t a, uint64_t b) {
  return exact_reduce((exact_wide)a * b);
}

static uint64_t subtract_mod(uint64_t a, uint64_t b) {
  return a >= b ? a - b : a + EXACT_PRIME - b;
}

static uint64_t reduce_signed(int64_t value) {
  const int64_t rest = value % (int64_t)EXACT_PRIME;
  return rest < 0 ? (uint64_t)rest + EXACT_PRIME : (uint64_t)rest;
}

/* Returns value^(prime − 2), which is the inverse by Fermat's little theorem. */
static uint64_t inverse_mod(uint64_t value) {
  uint64_t result = 1;
  for (uint64_t power = EXACT_PRIME - 2; power; power >>= 1) {
    if (power & 1) result = multiply_mod(result, value);
    value = multiply_mod(value, value);
  }
  return result;
}

/* Returns the scalar product modulo the prime. Two sums are formed at a time, so that a product does not wait
 * for the one before. */
static uint64_t dot_product(const uint64_t *a, const uint64_t *b, uint32_t n) {
  enum { ROOM = 64 }; /* most products in both sums together, each below 2^122 */
  exact_wide even = 0, odd = 0;
  for (uint32_t i = 0; i < n;) {
    const uint32_t end = n - i < ROOM ? n : i + ROOM;
    for (; i + 1 < end; i += 2) {
      even += (exact_wide)a[i] * b[i];
      odd += (exact_wide)a[i + 1] * b[i + 1];
    }
    if (i < end) even += (exact_wide)a[i] * b[i];
    i = end;
    even = exact_fold(even);
    odd = exact_fold(odd);
  }
  return exact_reduce(even + odd);
}

static void list_backward_entries(const exact_system *s, exact_backward *b) {
  for (uint32_t i = 0; i < s->unknowns; i++) {
    for (uint32_t e = s->first[i]; e < s->first[i + 1]; e++) {
      if (s->column[e] > i) continue;
      b->from[b->used] = i;
      b->to[b->used++] = s->column[e];
      b->degree[i]++;
      b->degree[s->column[e]]++;
    }
  }
}

static void drop_unknown(exact_backward *b, uint32_t unknown) {
  uint32_t kept = 0;
  for (uint32_t e = 0; e < b->used; e++) {
    if (b->from[e] == unknown || b->to[e] == unknown) {
      b->degree[b->from[e]]--;
      b->degree[b->to[e]]--;
      continue;
    }
    b->from[kept] = b->from[e];
    b->to[kept++] = b->to[e];
  }
  b->used = kept;
}

/* Chooses, one at a time, the unknown that most backward entries touch. The cut is small, but not always the
 * smallest. */
static void choose_cut(exact_modular *m) {
  exact_backward *b = &m->backward;
  const uint32_t unknowns = m->system->unknowns;
  list_backward_entries(m->system, b);
  for (uint32_t i = 0; i < unknowns; i++) m->place[i] = EXACT_OFF_CUT;
  while (b->used > 0) {
    uint32_t most = 0;
    for (uint32_t i = 1; i < unknowns; i++)
      if (b->degree[i] > b->degree[most]) most = i;
    m->place[most] = 0;
    drop_unknown(b, most);
  }
  for (uint32_t i = 0; i < unknowns; i++) {
    if (m->place[i] == EXACT_OFF_CUT) continue;
    m->place[i] = m->cut_used;
    m->cut[m->cut_used++] = i;
  }
}

static exact_wide sum_of_row(const exact_system *s, uint32_t i, const uint64_t *x) {
  exact_wide sum = 0;
  for (uint32_t e = s->first[i]; e < s->first[i + 1]; e++)
    sum += (exact_wide)x[s->column[e]] * (uint64_t)s->weight[e];
  return sum;
}

/* Computes the unknowns off the cut from those on it. If `right` is NULL, all right sides are 0. */
static void sweep_unknowns(const exact_modular *m, const int64_t *right, uint64_t *x) {
  const exact_system *s = m->system;
  for (uint32_t i = s->unknowns; i-- > 0;) {
    if (m->place[i] != EXACT_OFF_CUT) continue;
    const uint64_t mine = right ? reduce_signed(right[i]) : 0;
    x[i] = multiply_mod(exact_reduce(sum_of_row(s, i, x) + mine), m->inverse[i]);
  }
}

/* Computes right − diagonal · x + Σ weight · x in the rows of the cut. If `right` is NULL, all right sides
 * are 0. */
static void find_residual(const exact_modular *m, const int64_t *right, const uint64_t *x, uint64_t *out) {
  const exact_system *s = m->system;
  for (uint32_t c = 0; c < m->cut_used; c++) {
    const uint32_t i = m->cut[c];
    const uint64_t mine = right ? reduce_signed(right[i]) : 0;
    out[c] =
        subtract_mod(exact_reduce(sum_of_row(s, i, x) + mine), multiply_mod(x[i], (uint64_t)s->diagonal[i]));
  }
}

/* Substitutes all other equations into those of the cut, in m->lower by rows. */
static void make_cut_equations(exact_modular *m) {
  const uint32_t n = m->cut_used;
  uint64_t *x = m->column;
  for (uint32_t c = 0; c < n; c++) {
    memset(x, 0, m->system->unknowns * sizeof *x);
    x[m->cut[c]] = 1;
    sweep_unknowns(m, NULL, x);
    find_residual(m, NULL, x, m->residual);
    for (uint32_t r = 0; r < n; r++) m->lower[(size_t)r * n + c] = subtract_mod(0, m->residual[r]);
  }
}

static void swap_rows(exact_modular *m, uint32_t a, uint32_t b) {
  const uint32_t n = m->cut_used, row = m->pivot_row[a];
  m->pivot_row[a] = m->pivot_row[b];
  m->pivot_row[b] = row;
  for (uint32_t c = 0; c < n; c++) {
    const uint64_t kept = m->lower[(size_t)a * n + c];
    m->lower[(size_t)a * n + c] = m->lower[(size_t)b * n + c];
    m->lower[(size_t)b * n + c] = kept;
  }
}

/* Factors the equations of the cut by Crout's method: each number is computed in one step, from the product
 * of a row and a column. Returns false if the equations are singular. */
static bool eliminate_cut(exact_modular *m) {
  const uint32_t n = m->cut_used;
  for (uint32_t c = 0; c < n; c++) m->pivot_row[c] = c;
  for (uint32_t c = 0; c < n; c++) {
    uint64_t *column = &m->upper[(size_t)c * n];
    for (uint32_t r = 0; r < c; r++) {
      const uint64_t *row = &m->lower[(size_t)r * n];
      column[r] = multiply_mod(subtract_mod(row[c], dot_product(row, column, r)), row[r]);
    }
    uint32_t pivot = n;
    for (uint32_t r = c; r < n; r++) {
      uint64_t *row = &m->lower[(size_t)r * n];
      row[c] = subtract_mod(row[c], dot_product(row, column, c));
      if (pivot == n && row[c]) pivot = r;
    }
    if (pivot == n) return false;
    if (pivot != c) swap_rows(m, c, pivot);
    m->lower[(size_t)c * n + c] = inverse_mod(m->lower[(size_t)c * n + c]);
    if (m->shown) progress_add(m->shown, (uint64_t)c * (n - c / 2));
  }
  return true;
}

/* Copies the rows of the upper factor into its unused half, so that products read neighbours in memory. */
static void transpose_upper(exact_modular *m) {
  const size_t n = m->cut_used;
  for (size_t c = 0; c < n; c++)
    for (size_t r = 0; r < c; r++) m->upper[r * n + c] = m->upper[c * n + r];
}

/* Solves the equations of the cut. `order` has space for a number for each unknown of the cut. */
static void solve_cut(exact_modular *m, uint64_t *x, uint64_t *order) {
  const uint32_t n = m->cut_used;
  for (uint32_t r = 0; r < n; r++) {
    const uint64_t *row = &m->lower[(size_t)r * n];
    order[r] = multiply_mod(subtract_mod(m->residual[m->pivot_row[r]], dot_product(row, order, r)), row[r]);
  }
  for (uint32_t r = n; r-- > 0;) {
    const uint64_t *row = &m->upper[(size_t)r * n];
    order[r] = subtract_mod(order[r], dot_product(row + r + 1, order + r + 1, n - r - 1));
    x[m->cut[r]] = order[r];
  }
}

static void list_unknown_arrays(arena *a, void *of) {
  exact_modular *m = of;
  const uint64_t n = m->system->unknowns, entries = m->system->first[n];
  m->inverse = arena_allocate(a, n, sizeof *m->inverse);
  m->column = arena_allocate(a, n, sizeof *m->column);
  m->place = arena_allocate(a, n, sizeof *m->place);
  m->cut = arena_allocate(a, n, sizeof *m->cut);
  m->backward.degree = arena_allocate(a, n, sizeof *m->backward.degree);
  m->backward.from = arena_allocate(a, entries, sizeof *m->backward.from);
  m->backward.to = arena_allocate(a, entries, sizeof *m->backward.to);
}

static void list_cut_arrays(arena *a, void *of) {
  exact_modular *m = of;
  const uint64_t n = m->cut_used;
  m->lower = arena_allocate(a, n * n, sizeof *m->lower);
  m->upper = arena_allocate(a, n * n, sizeof *m->upper);
  m->pivot_row = arena_allocate(a, n, sizeof *m->pivot_row);
  m->residual = arena_allocate(a, 2 * n, sizeof *m->residual);
}

static tauler_error factor_cut(exact_modular *m, tauler_message *message) {
  make_cut_equations(m);
  if (m->shown)
    progress_start(m->shown, "elimination", "products", (uint64_t)m->cut_used * m->cut_used * m->cut_used / 3,
                   0);
  const bool regular = eliminate_cut(m);
  if (m->shown) progress_abandon(m->shown);
  if (!regular)
    return tauler_fail(message, TAULER_INTERNAL, "the exact equations are singular modulo 2^61 - 1");
  transpose_upper(m);
  return TAULER_OK;
}

tauler_error exact_modular_open(exact_modular *m, const exact_system *system, memory_budget *memory,
                                progress *shown, tauler_message *message) {
  *m = (exact_modular){.system = system, .memory = memory, .shown = shown};
  tauler_error error = arena_fill(&m->by_unknown, memory, what, list_unknown_arrays, m, message);
  if (error) return error;
  for (uint32_t i = 0; i < system->unknowns; i++) m->inverse[i] = inverse_mod((uint64_t)system->diagonal[i]);
  choose_cut(m);
  error = arena_fill(&m->by_cut, memory, what, list_cut_arrays, m, message);
  return error ? error : factor_cut(m, message);
}

void exact_modular_close(exact_modular *m) {
  arena_close(&m->by_unknown);
  arena_close(&m->by_cut);
}

void exact_modular_solve(exact_modular *m, const int64_t *right, uint64_t *x) {
  for (uint32_t c = 0; c < m->cut_used; c++) x[m->cut[c]] = 0;
  sweep_unknowns(m, right, x);
  find_residual(m, right, x, m->residual);
  solve_cut(m, x, m->residual + m->cut_used);
  sweep_unknowns(m, right, x);
}
