/* Solves sparse linear systems in exact rationals. */
#include "analysis/exact/exact.h"

static const char *const what = "exact equations";

enum {
  FIRST_DIGITS = 8,
  LEAF_DIGITS = 16, /* most digits that are joined one by one */
  POWERS = 24,
  SPARE_BITS = 64 /* bits by which a rational must be shorter than those that fit by chance */
};

/* The solution for one right side while its digits are computed: x = Σ digit[k] · prime^k. */
typedef struct {
  const exact_system *system;
  exact_modular *modular;
  memory_budget *memory;
  const int64_t *right;
  int64_t *rest;   /* [unknowns] (right − system · digits so far) ÷ prime^digits */
  uint64_t *digit; /* [k · unknowns + i] digit k of unknown i */
  uint32_t digits, most_digits;
  uint64_t charged;    /* bytes charged for the numbers of GMP below */
  mpz_t power[POWERS]; /* prime^(2^i) */
  int powers;
  mpz_t modulus;     /* prime^digits */
  mpz_t denominator; /* common denominator of all unknowns */
  mpz_t *numerator;  /* [unknowns] numerator over the common denominator */
} lifting;

static tauler_error add_digit(lifting *l, tauler_message *message) {
  const exact_system *s = l->system;
  uint64_t *x = &l->digit[(size_t)l->digits * s->unknowns];
  exact_modular_solve(l->modular, l->rest, x);
  for (uint32_t i = 0; i < s->unknowns; i++) {
    exact_signed left = (exact_signed)l->rest[i] - (exact_signed)x[i] * s->diagonal[i];
    for (uint32_t e = s->first[i]; e < s->first[i + 1]; e++)
      left += (exact_signed)x[s->column[e]] * s->weight[e];
    if (left % (exact_signed)EXACT_PRIME != 0)
      return tauler_fail(message, TAULER_INTERNAL, "a digit of the exact equations does not fit them");
    l->rest[i] = (int64_t)(left / (exact_signed)EXACT_PRIME);
  }
  l->digits++;
  if (l->modular->shown) progress_add(l->modular->shown, 1);
  return TAULER_OK;
}

/* Joins digits first … first + count − 1 of an unknown to one number. */
static void join_digits(const lifting *l, uint32_t unknown, uint32_t first, uint32_t count, mpz_t out) {
  const size_t stride = l->system->unknowns;
  if (count <= LEAF_DIGITS) {
    mpz_set_ui(out, 0);
    for (uint32_t k = count; k-- > 0;) {
      mpz_mul(out, out, l->power[0]);
      mpz_add_ui(out, out, l->digit[(first + k) * stride + unknown]);
    }
    return;
  }
  int half = 0;
  while (UINT32_C(2) << half < count) half++;
  const uint32_t low = UINT32_C(1) << half;
  mpz_t above;
  mpz_init(above);
  join_digits(l, unknown, first, low, out);
  join_digits(l, unknown, first + low, count - low, above);
  mpz_addmul(out, above, l->power[half]);
  mpz_clear(above);
}

static void find_modulus(lifting *l) {
  while (UINT32_C(1) << l->powers <= l->digits) {
    mpz_init(l->power[l->powers]);
    mpz_mul(l->power[l->powers], l->power[l->powers - 1], l->power[l->powers - 1]);
    l->powers++;
  }
  mpz_pow_ui(l->modulus, l->power[0], l->digits);
}

static bool is_small(const mpz_t value, const mpz_t modulus) {
  return mpz_sizeinbase(value, 2) + SPARE_BITS < mpz_sizeinbase(modulus, 2);
}

/* Finds the denominator of a rational that is congruent to the value, by Euclid's algorithm up to the first
 * remainder with at most half the length of the modulus. Returns false if the rational is so long that it may
 * fit by chance. */
static bool find_denominator(const mpz_t value, const mpz_t modulus, mpz_t denominator) {
  const size_t half = mpz_sizeinbase(modulus, 2) / 2;
  mpz_t before, now, step, quotient;
  mpz_t last; /* denominator of the remainder `before` */
  mpz_inits(before, now, step, quotient, last, NULL);
  mpz_set(before, modulus);
  mpz_mod(now, value, modulus);
  mpz_set_ui(denominator, 1);
  while (mpz_sizeinbase(now, 2) > half) {
    mpz_tdiv_qr(quotient, step, before, now);
    mpz_swap(before, now);
    mpz_swap(now, step);
    mpz_submul(last, quotient, denominator);
    mpz_swap(last, denominator);
  }
  const bool found = mpz_sizeinbase(now, 2) + mpz_sizeinbase(denominator, 2) + SPARE_BITS < 2 * half;
  mpz_abs(denominator, denominator);
  mpz_clears(before, now, step, quotient, last, NULL);
  return found;
}

/* Multiplies the value by the common denominator, and reduces it to the number nearest to 0 modulo the
 * modulus. */
static void clear_denominator(const lifting *l, mpz_t value) {
  mpz_mul(value, value, l->denominator);
  mpz_mod(value, value, l->modulus);
  mpz_t below;
  mpz_init(below);
  mpz_sub(below, value, l->modulus);
  if (mpz_cmpabs(below, value) < 0) mpz_swap(value, below);
  mpz_clear(below);
}

/* Multiplies the common denominator so that it is also one of this unknown. Returns false if there are too
 * few digits. */
static bool widen_denominator(lifting *l, uint32_t unknown, mpz_t value, mpz_t more) {
  join_digits(l, unknown, 0, l->digits, l->numerator[unknown]);
  mpz_set(value, l->numerator[unknown]);
  clear_denominator(l, value);
  if (is_small(value, l->modulus)) return true;
  if (!find_denominator(value, l->modulus, more)) return false;
  mpz_mul(l->denominator, l->denominator, more);
  return true;
}

/* Returns false if there are too few digits. The unknown `eager`, which is tried first, mostly shows this. */
static bool find_rationals(lifting *l, uint32_t eager) {
  const uint32_t unknowns = l->system->unknowns;
  mpz_t value, more;
  mpz_inits(value, more, NULL);
  mpz_set_ui(l->denominator, 1);
  bool found = widen_denominator(l, eager, value, more);
  for (uint32_t i = 0; found && i < unknowns; i++) found = widen_denominator(l, i, value, more);
  for (uint32_t i = 0; found && i < unknowns; i++) {
    clear_denominator(l, l->numerator[i]);
    found = is_small(l->numerator[i], l->modulus);
  }
  mpz_clears(value, more, NULL);
  return found;
}

static void add_multiple(mpz_t sum, const mpz_t value, int64_t factor) {
  if (factor >= 0) {
    mpz_addmul_ui(sum, value, (unsigned long)factor);
  } else {
    mpz_submul_ui(sum, value, (unsigned long)-factor);
  }
}

static bool solution_holds(const lifting *l) {
  const exact_system *s = l->system;
  mpz_t left;
  bool all = true;
  mpz_init(left);
  for (uint32_t i = 0; all && i < s->unknowns; i++) {
    mpz_set_ui(left, 0);
    add_multiple(left, l->numerator[i], s->diagonal[i]);
    for (uint32_t e = s->first[i]; e < s->first[i + 1]; e++)
      add_multiple(left, l->numerator[s->column[e]], -s->weight[e]);
    add_multiple(left, l->denominator, -l->right[i]);
    all = mpz_sgn(left) == 0;
  }
  mpz_clear(left);
  return all;
}

/* Charges as many bytes for numerators as the digits have. */
static tauler_error make_room_for_digits(lifting *l, tauler_message *message) {
  l->most_digits = l->most_digits ? l->most_digits + l->most_digits / 2 : FIRST_DIGITS;
  const uint64_t bytes = (uint64_t)l->most_digits * l->system->unknowns * sizeof *l->digit;
  memory_discharge(l->memory, l->charged);
  l->charged = 0;
  const tauler_error error = memory_charge(l->memory, bytes, what, message);
  if (error) return error;
  l->charged = bytes;
  return memory_resize(l->memory, bytes, what, &l->digit, message);
}

static tauler_error lift_solution(lifting *l, uint32_t eager, tauler_message *message) {
  /* By Hadamard's bound no solution has more digits, since no row is longer than 2^18. */
  const uint32_t limit = FIRST_DIGITS + 2 * (18 * l->system->unknowns + 60) / 61;
  do {
    if (l->most_digits > limit)
      return tauler_fail(message, TAULER_INTERNAL, "the exact equations have no solution that fits them");
    tauler_error error = make_room_for_digits(l, message);
    while (!error && l->digits < l->most_digits) error = add_digit(l, message);
    if (error) return error;
    find_modulus(l);
  } while (!find_rationals(l, eager) || !solution_holds(l));
  return TAULER_OK;
}

static tauler_error allocate_numbers(lifting *l, tauler_message *message) {
  const uint32_t n = l->system->unknowns;
  tauler_error error = memory_allocate_array(l->memory, n, sizeof *l->rest, what, &l->rest, message);
  if (!error) error = memory_allocate_array(l->memory, n, sizeof *l->numerator, what, &l->numerator, message);
  if (error) return error;
  for (uint32_t i = 0; i < n; i++) {
    l->rest[i] = l->right[i];
    mpz_init(l->numerator[i]);
  }
  mpz_inits(l->modulus, l->denominator, l->power[0], NULL);
  mpz_set_ui(l->power[0], EXACT_PRIME);
  l->powers = 1;
  return TAULER_OK;
}

static void free_numbers(lifting *l) {
  if (l->powers > 0) {
    for (uint32_t i = 0; i < l->system->unknowns; i++) mpz_clear(l->numerator[i]);
    for (int i = 0; i < l->powers; i++) mpz_clear(l->power[i]);
    mpz_clears(l->modulus, l->denominator, NULL);
  }
  memory_free(l->memory, l->rest);
  memory_free(l->memory, l->numerator);
  memory_free(l->memory, l->digit);
  memory_discharge(l->memory, l->charged);
}

static tauler_error solve_right(const exact_system *system, exact_modular *modular, int which,
                                const uint32_t *wanted, size_t n, mpq_t *out, tauler_message *message) {
  lifting l = {
      .system = system, .modular = modular, .memory = modular->memory, .right = system->right[which]};
  tauler_error error = allocate_numbers(&l, message);
  if (!error) error = lift_solution(&l, wanted[0], message);
  for (size_t i = 0; !error && i < n; i++) {
    mpz_set(mpq_numref(out[i]), l.numerator[wanted[i]]);
    mpz_set(mpq_denref(out[i]), l.denominator);
    mpq_canonicalize(out[i]);
  }
  free_numbers(&l);
  return error;
}

tauler_error exact_system_solve(const exact_system *system, memory_budget *memory, progress *shown,
                                const uint32_t *wanted, size_t n, mpq_t *out, tauler_message *message) {
  exact_modular modular;
  tauler_error error = exact_modular_open(&modular, system, memory, shown, message);
  if (shown) progress_start(shown, "lifting", "digits", 0, 0);
  for (uint32_t which = 0; !error && which < system->rights; which++)
    error = solve_right(system, &modular, (int)which, wanted, n, out + which * n, message);
  if (shown) progress_abandon(shown);
  exact_modular_close(&modular);
  return error;
}
