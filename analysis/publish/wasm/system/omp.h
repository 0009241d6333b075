/* OpenMP for a system of one thread. */
#ifndef WASM_OMP_H
#define WASM_OMP_H

#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#define omp_get_num_procs() 1

#endif
