/* File locks of a system of one process. */
#ifndef WASM_SYS_FILE_H
#define WASM_SYS_FILE_H

enum { LOCK_EX = 2, LOCK_NB = 4 };
#define flock(descriptor, how) ((void)(descriptor), 0)

#endif
