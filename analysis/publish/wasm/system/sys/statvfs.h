/* Free disk space of a system that does not report it. */
#ifndef WASM_SYS_STATVFS_H
#define WASM_SYS_STATVFS_H

#include <stdint.h>

struct statvfs {
  uint64_t f_bavail, f_frsize;
};

#define statvfs(path, room) ((void)(path), (void)(room), -1)

#endif
