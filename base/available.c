/* Reads the resources that the machine, the control groups and the limits of this process allow. A container
 * often sees its own group as the root of /sys/fs/cgroup while /proc/self/cgroup still names the path
 * outside. A walk from that path up to the root that skips absent folders is right in both cases. */
#include "base/available.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const uint64_t UNLIMITED = UINT64_MAX;

static uint64_t smaller_of(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Opens the file root + folder + name. Returns NULL if it cannot be opened. */
static FILE *open_below(const char *root, const char *folder, const char *name) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s%s%s", root, folder, name);
  return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* Reads up to two numbers after `key` from a file of lines "key number", or from its first line if `key` is
 * "". Returns how many it reads: 0 if file or line is missing; "max" is no number. */
static int read_numbers(const char *root, const char *folder, const char *name, const char *key,
                        unsigned long long numbers[2]) {
  FILE *file = open_below(root, folder, name);
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

/* Returns the limit of a group less its use; UNLIMITED without a limit. `names` are the files of both and the
 * key of the file cache that can be dropped, which does not count as use. */
static uint64_t group_memory_left(const char *root, const char *folder, const char *const names[3]) {
  uint64_t limit = read_figure(root, folder, names[0], "", UNLIMITED);
  if (limit == UNLIMITED) return UNLIMITED;
  uint64_t usage = read_figure(root, folder, names[1], "", 0);
  uint64_t cache = read_figure(root, folder, "/memory.stat", names[2], 0);
  usage -= smaller_of(usage, cache);
  return limit - smaller_of(limit, usage);
}

static uint64_t memory_v1(const char *root, const char *folder) {
  static const char *const names[] = {"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                      "total_inactive_file"};
  return group_memory_left(root, folder, names);
}

static uint64_t memory_v2(const char *root, const char *folder) {
  static const char *const names[] = {"/memory.max", "/memory.current", "inactive_file"};
  return group_memory_left(root, folder, names);
}

static uint64_t quota_processors(uint64_t time, uint64_t period) {
  return period == 0 ? UNLIMITED : time <= period ? 1 : (time - 1) / period + 1;
}

/* Returns the processors of a group of version 1, whose quota is −1 if there is none. */
static uint64_t processors_v1(const char *root, const char *folder) {
  const uint64_t time = read_figure(root, folder, "/cpu.cfs_quota_us", "", UNLIMITED);
  return time > INT64_MAX ? UNLIMITED
                          : quota_processors(time, read_figure(root, folder, "/cpu.cfs_period_us", "", 0));
}

static uint64_t processors_v2(const char *root, const char *folder) {
  unsigned long long numbers[2];
  return read_numbers(root, folder, "/cpu.max", "", numbers) == 2 ? quota_processors(numbers[0], numbers[1])
                                                                  : UNLIMITED;
}

/* A figure of a control group and the functions that read it. */
typedef struct {
  const char *controller, *mount; /* used by version 1 only */
  uint64_t (*v1)(const char *root, const char *folder), (*v2)(const char *root, const char *folder);
} group_limit;

/* Returns the least figure of the group `path` and the groups above it. Shortens `path`. */
static uint64_t least_of_groups(const char *root, const char *mount, char *path,
                                uint64_t (*read)(const char *root, const char *folder)) {
  uint64_t found = UNLIMITED;
  for (;;) {
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
    if (length > 0 && (size_t)length < sizeof folder) found = smaller_of(found, read(root, folder));
    char *slash = strrchr(path, '/');
    if (slash == NULL) return found;
    *slash = '\0';
  }
}

/* Returns the least limit of the group in a line of /proc/self/cgroup, "number:controllers:path", and those
 * above it; UNLIMITED if the line is of other controllers. A line of version 2 names no controllers. */
static uint64_t limit_of_line(const char *root, char *line, const group_limit *limit) {
  line[strcspn(line, "\n")] = '\0';
  char *controllers = strchr(line, ':');
  char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
  if (path == NULL) return UNLIMITED;
  *path++ = '\0';
  controllers++;
  if (*controllers == '\0') return least_of_groups(root, "/sys/fs/cgroup", path, limit->v2);
  for (char *next = controllers; next != NULL;) {
    char *controller = strsep(&next, ",");
    if (strcmp(controller, limit->controller) == 0)
      return least_of_groups(root, limit->mount, path, limit->v1);
  }
  return UNLIMITED;
}

static uint64_t limit_of_groups(const char *root, const group_limit *limit) {
  FILE *file = open_below(root, "/proc/self/", "cgroup");
  if (file == NULL) return UNLIMITED;
  uint64_t found = UNLIMITED;
  char line[PATH_MAX];
  while (fgets(line, sizeof line, file) != NULL) found = smaller_of(found, limit_of_line(root, line, limit));
  fclose(file);
  return found;
}

uint64_t available_group_memory(const char *root) {
  static const group_limit memory = {"memory", "/sys/fs/cgroup/memory", memory_v1, memory_v2};
  return limit_of_groups(root, &memory);
}

uint64_t available_group_processors(const char *root) {
  static const group_limit processors = {"cpu", "/sys/fs/cgroup/cpu", processors_v1, processors_v2};
  return limit_of_groups(root, &processors);
}

static uint64_t machine_available(const char *root) {
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
  uint64_t available = smaller_of(machine_available(root), available_group_memory(root));
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
