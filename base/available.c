/* Reads the resources that the machine, the control groups and the limits of this process allow. A container
 * often sees its own group as the root of /sys/fs/cgroup, while /proc/self/cgroup names the path outside. So
 * all folders from that path up to the root are read, and absent ones are skipped. */
#include "base/available.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const uint64_t UNLIMITED = UINT64_MAX;

static uint64_t smaller_of(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static FILE *open_file_below(const char *root, const char *folder, const char *name) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s%s%s", root, folder, name);
  return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* Reads up to two numbers after `key` from a file of lines "key number", or from its first line if `key` is
 * "". Returns how many it reads: 0 if the file or line is missing or has another word, such as "max". */
static int read_numbers(const char *root, const char *folder, const char *name, const char *key,
                        unsigned long long numbers[2]) {
  FILE *file = open_file_below(root, folder, name);
  int n = 0;
  if (file == NULL) return 0;
  char line[256];
  while (fgets(line, sizeof line, file) != NULL) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0) continue;
    n = sscanf(line + length, " %llu %llu", &numbers[0], &numbers[1]);
    break;
  }
  fclose(file);
  return n > 0 ? n : 0;
}

static uint64_t read_figure(const char *root, const char *folder, const char *name, const char *key,
                            uint64_t missing) {
  unsigned long long numbers[2];
  return read_numbers(root, folder, name, key, numbers) > 0 ? numbers[0] : missing;
}

/* Returns what a group leaves or allows; UNLIMITED if it has no limit. `v1` is true for version 1. */
typedef uint64_t read_limit(const char *root, const char *folder, bool v1);

/* Returns the limit less the use of a group. File cache that can be dropped is not counted as used. */
static uint64_t group_memory_left(const char *root, const char *folder, bool v1) {
  uint64_t limit = read_figure(root, folder, v1 ? "/memory.limit_in_bytes" : "/memory.max", "", UNLIMITED);
  if (limit == UNLIMITED) return UNLIMITED;
  uint64_t usage = read_figure(root, folder, v1 ? "/memory.usage_in_bytes" : "/memory.current", "", 0);
  uint64_t cache = read_figure(root, folder, "/memory.stat", v1 ? "total_inactive_file" : "inactive_file", 0);
  usage -= smaller_of(usage, cache);
  return limit - smaller_of(limit, usage);
}

static uint64_t group_processors(const char *root, const char *folder, bool v1) {
  unsigned long long numbers[] = {UNLIMITED, 0}; /* quota and period in µs. Version 1 has −1 for no quota */
  if (v1) {
    numbers[0] = read_figure(root, folder, "/cpu.cfs_quota_us", "", UNLIMITED);
    numbers[1] = read_figure(root, folder, "/cpu.cfs_period_us", "", 0);
  } else if (read_numbers(root, folder, "/cpu.max", "", numbers) < 2) {
    return UNLIMITED;
  }
  if (numbers[0] > INT64_MAX || numbers[1] == 0) return UNLIMITED;
  return numbers[0] <= numbers[1] ? 1 : (numbers[0] - 1) / numbers[1] + 1;
}

/* Returns the least limit of the group `path` and those above it. Shortens `path`. `controller` is "" for
 * version 2. */
static uint64_t least_of_groups(const char *root, const char *controller, char *path, read_limit *read) {
  uint64_t found = UNLIMITED;
  for (;;) {
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "/sys/fs/cgroup/%s%s", controller, path);
    if (length > 0 && (size_t)length < sizeof folder)
      found = smaller_of(found, read(root, folder, *controller != '\0'));
    char *slash = strrchr(path, '/');
    if (slash == NULL) return found;
    *slash = '\0';
  }
}

/* Returns the least limit of the group in a line of /proc/self/cgroup, "number:controllers:path", and those
 * above it; UNLIMITED if the line is of other controllers. A line of version 2 names no controllers. */
static uint64_t limit_of_line(const char *root, char *line, const char *controller, read_limit *read) {
  line[strcspn(line, "\n")] = '\0';
  char *controllers = strchr(line, ':');
  char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
  if (path == NULL) return UNLIMITED;
  *path++ = '\0';
  controllers++;
  if (*controllers == '\0') return least_of_groups(root, "", path, read);
  while (controllers != NULL)
    if (strcmp(strsep(&controllers, ","), controller) == 0)
      return least_of_groups(root, controller, path, read);
  return UNLIMITED;
}

static uint64_t limit_of_groups(const char *root, const char *controller, read_limit *read) {
  FILE *file = open_file_below(root, "/proc/self/", "cgroup");
  if (file == NULL) return UNLIMITED;
  uint64_t found = UNLIMITED;
  char line[PATH_MAX];
  while (fgets(line, sizeof line, file) != NULL)
    found = smaller_of(found, limit_of_line(root, line, controller, read));
  fclose(file);
  return found;
}

uint64_t available_group_memory(const char *root) {
  return limit_of_groups(root, "memory", group_memory_left);
}

uint64_t available_group_processors(const char *root) {
  return limit_of_groups(root, "cpu", group_processors);
}

static uint64_t machine_memory_left(const char *root) {
  uint64_t kilobytes = read_figure(root, "/proc/", "meminfo", "MemAvailable:", UNLIMITED);
  if (kilobytes != UNLIMITED) return kilobytes * 1024;
  long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UNLIMITED;
}

static uint64_t address_space_left(const char *root) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UNLIMITED;
  uint64_t pages = read_figure(root, "/proc/self/", "statm", "", 0);
  long page = sysconf(_SC_PAGESIZE);
  uint64_t used = page > 0 ? pages * (uint64_t)page : 0;
  return limit.rlim_cur - smaller_of(limit.rlim_cur, used);
}

uint64_t memory_available(const char *root) {
  uint64_t available = smaller_of(machine_memory_left(root), available_group_memory(root));
  available = smaller_of(available, address_space_left(root));
  return available == 0 ? 1 : available;
}

uint64_t disk_available(const char *folder) {
  char path[PATH_MAX];
  struct statvfs room;
  const size_t n = strlen(folder);
  if (n >= sizeof path) return UINT64_MAX;
  memcpy(path, folder, n + 1);
  while (statvfs(path, &room) != 0) {
    char *last = strrchr(path, '/');
    if (last == path) last++;
    if (errno != ENOENT || strcmp(path, ".") == 0 || (last && !*last)) return UINT64_MAX;
    memcpy(last ? last : path, last ? "" : ".", last ? 1 : 2);
  }
  return (uint64_t)room.f_bavail * room.f_frsize;
}
