/* Random bytes by getentropy. */
#ifndef WASM_SYS_RANDOM_H
#define WASM_SYS_RANDOM_H

#include <unistd.h>

#define getrandom(bytes, n, flags) (getentropy(bytes, n) == 0 ? (ssize_t)(n) : -1)

#endif
