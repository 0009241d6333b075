/* Asks the system how much room a disk has. */
#include "base/disk_room.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>

uint64_t disk_room(const char *folder) {
  char path[PATH_MAX];
  struct statvfs room;
  const size_t n = strlen(folder);
  if (n >= sizeof path) return UINT64_MAX;
  memcpy(path, folder, n + 1);
  while (statvfs(path, &room) != 0) {
    char *last = strrchr(path, '/');
    if (errno != ENOENT || strcmp(path, ".") == 0 || last == path) return UINT64_MAX;
    memcpy(last ? last : path, last ? "" : ".", last ? 1 : 2);
  }
  return (uint64_t)room.f_bavail * room.f_frsize;
}
