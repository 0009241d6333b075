/* Computes with eight doubles side by side, one for each lane of a strip. Private to the kernel for strips.
 *
 * With LANES_WIDE one register has all eight doubles, and the including file is compiled for AVX-512.
 * Otherwise four registers have two doubles each. Both compute the same doubles, bit by bit, because lanes do
 * not depend on each other, and products and sums are rounded separately. `bits` has a bit for each lane. No
 * value is a NaN or −0. */
#ifndef SOLVER_ENGINES_CHANCE_LANES_H
#define SOLVER_ENGINES_CHANCE_LANES_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifdef LANES_WIDE
typedef __m512d lanes;

static inline lanes lanes_load(const double *x) {
  return _mm512_loadu_pd(x);
}

static inline void lanes_store(double *to, lanes a) {
  _mm512_storeu_pd(to, a);
}

static inline lanes lanes_all(double x) {
  return _mm512_set1_pd(x);
}

static inline lanes lanes_add(lanes a, lanes b) {
  return _mm512_add_pd(a, b);
}

static inline lanes lanes_subtract(lanes a, lanes b) {
  return _mm512_sub_pd(a, b);
}

static inline lanes lanes_multiply(lanes a, lanes b) {
  return _mm512_mul_pd(a, b);
}

static inline lanes lanes_greater(lanes a, lanes b) {
  return _mm512_max_pd(a, b);
}

static inline lanes lanes_less(lanes a, lanes b) {
  return _mm512_min_pd(a, b);
}

/* Returns the bits of the lanes in which a ≥ b. */
static inline uint8_t lanes_reaching(lanes a, lanes b) {
  return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ);
}

/* Returns `there` in the lanes of the bits and `else_` in the other lanes. */
static inline lanes lanes_pick(uint8_t bits, const double *there, lanes else_) {
  return _mm512_mask_loadu_pd(else_, bits, there);
}

/* Returns the first cells, one after the other, in the lanes of the bits. The other lanes are 0. */
static inline lanes lanes_expand(uint8_t bits, const double *cells) {
  return _mm512_maskz_expandloadu_pd(bits, cells);
}

#else

typedef double lanes_pair __attribute__((vector_size(16)));
typedef int64_t lanes_mask __attribute__((vector_size(16)));
typedef struct {
  lanes_pair pair[4];
} lanes;

static inline lanes lanes_load(const double *x) {
  lanes a;
  memcpy(&a, x, sizeof a);
  return a;
}

static inline void lanes_store(double *to, lanes a) {
  memcpy(to, &a, sizeof a);
}

static inline lanes lanes_all(double x) {
  return (lanes){{{x, x}, {x, x}, {x, x}, {x, x}}};
}

static inline lanes lanes_add(lanes a, lanes b) {
  for (int i = 0; i < 4; i++) a.pair[i] += b.pair[i];
  return a;
}

static inline lanes lanes_subtract(lanes a, lanes b) {
  for (int i = 0; i < 4; i++) a.pair[i] -= b.pair[i];
  return a;
}

static inline lanes lanes_multiply(lanes a, lanes b) {
  for (int i = 0; i < 4; i++) a.pair[i] *= b.pair[i];
  return a;
}

#ifdef __SSE2__
static inline lanes_pair lanes_pair_greater(lanes_pair a, lanes_pair b) {
  return (lanes_pair)_mm_max_pd((__m128d)a, (__m128d)b);
}

static inline lanes_pair lanes_pair_less(lanes_pair a, lanes_pair b) {
  return (lanes_pair)_mm_min_pd((__m128d)a, (__m128d)b);
}
#else
static inline lanes_pair lanes_pair_greater(lanes_pair a, lanes_pair b) {
  const lanes_mask first = a > b;
  return (lanes_pair)((first & (lanes_mask)a) | (~first & (lanes_mask)b));
}

static inline lanes_pair lanes_pair_less(lanes_pair a, lanes_pair b) {
  const lanes_mask first = a < b;
  return (lanes_pair)((first & (lanes_mask)a) | (~first & (lanes_mask)b));
}
#endif

static inline lanes lanes_greater(lanes a, lanes b) {
  for (int i = 0; i < 4; i++) a.pair[i] = lanes_pair_greater(a.pair[i], b.pair[i]);
  return a;
}

static inline lanes lanes_less(lanes a, lanes b) {
  for (int i = 0; i < 4; i++) a.pair[i] = lanes_pair_less(a.pair[i], b.pair[i]);
  return a;
}

static inline uint8_t lanes_reaching(lanes a, lanes b) {
  unsigned bits = 0;
  for (int i = 0; i < 8; i++) bits |= (unsigned)(a.pair[i / 2][i % 2] >= b.pair[i / 2][i % 2]) << i;
  return (uint8_t)bits;
}

static inline lanes lanes_pick(uint8_t bits, const double *there, lanes else_) {
  for (int i = 0; i < 8 && bits; i++)
    if (bits >> i & 1) else_.pair[i / 2][i % 2] = there[i];
  return else_;
}

static inline lanes lanes_expand(uint8_t bits, const double *cells) {
  double out[8] = {0};
  if (bits == UINT8_MAX) return lanes_load(cells);
  for (int i = 0; i < 8; i++) {
    if (bits >> i & 1) out[i] = *cells++;
  }
  return lanes_load(out);
}

#endif
#endif
