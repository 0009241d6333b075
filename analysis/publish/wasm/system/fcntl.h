/* Files of a system that neither duplicates descriptors nor frees parts of files. */
#ifndef WASM_FCNTL_H
#define WASM_FCNTL_H

#include_next <fcntl.h>

enum { F_DUPFD_CLOEXEC = 1030, FALLOC_FL_KEEP_SIZE = 1, FALLOC_FL_PUNCH_HOLE = 2 };
#define fallocate(descriptor, mode, at, n) ((void)(mode), (void)(at), (void)(n), -1)

#endif
