/* Compiles the kernel for strips for processors with AVX-512. */
#include "solver/engines/chance/sweeps.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define LANES_WIDE
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt"))),  \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")
#endif
#define STRIP_RELAX relax_wide
static strip_kernel relax_wide;
#include "solver/engines/chance/kernel_rows.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

strip_kernel *strip_relax_wide(void) {
  const bool is_served = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                         __builtin_cpu_supports("popcnt");
  return is_served ? relax_wide : NULL;
}
#else
strip_kernel *strip_relax_wide(void) {
  return NULL;
}
#endif
