/* Room on the disk that a folder is on, or will be on. Nothing is owned; any thread may call. */
#ifndef BASE_DISK_ROOM_H
#define BASE_DISK_ROOM_H

#include <stdint.h>

/* Bytes that are free in a folder, or where it would be made; UINT64_MAX: not known. */
uint64_t disk_room(const char *folder);

#endif
