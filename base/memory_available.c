/* What the machine, the control groups and the limits of this process leave it to take. A container
 * often shows its own group as the root of /sys/fs/cgroup while /proc/self/cgroup still names the
 * path outside; walking from that path up to the root, with absent folders skipped, meets both. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"

static const uint64_t UNLIMITED = UINT64_MAX;

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Opens the file root + folder + name, or NULL. */
static FILE *open_below(const char *root, const char *folder, const char *name) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s%s%s", root, folder, name);
  return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* The number behind `key` in a file of lines "key number", or the file's only number when key is
 * "". `missing` when there is no such file, line or number ("max" of cgroup v2 is none). */
static uint64_t read_number(const char *root, const char *folder, const char *name, const char *key,
                            uint64_t missing) {
  FILE *file = open_below(root, folder, name);
  if (file == NULL) return missing;
  char line[256];
  uint64_t number = missing;
  while (fgets(line, sizeof line, file) != NULL) {
    size_t length = strlen(key);
    unsigned long long read;
    if (strncmp(line, key, length) != 0) continue;
    if (sscanf(line + length, " %llu", &read) == 1) number = read;
    break;
  }
  fclose(file);
  return number;
}

static uint64_t machine_available(const char *root) {
  uint64_t kilobytes = read_number(root, "/proc/", "meminfo", "MemAvailable:", UNLIMITED);
  if (kilobytes != UNLIMITED) return kilobytes * 1024;
  long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UNLIMITED;
}

typedef struct {
  const char *mount, *limit, *usage, *reclaimable;
} group_files;

/* What one group leaves: its limit less its use, where file cache that can be dropped is no use. */
static uint64_t group_leaves(const char *root, const char *folder, const group_files *files) {
  uint64_t limit = read_number(root, folder, files->limit, "", UNLIMITED);
  if (limit == UNLIMITED) return UNLIMITED;
  uint64_t usage = read_number(root, folder, files->usage, "", 0);
  uint64_t cache = read_number(root, folder, "/memory.stat", files->reclaimable, 0);
  usage -= least(usage, cache);
  return limit - least(limit, usage);
}

/* The least that a group and the groups above it leave. `path` is shortened on the way. */
static uint64_t groups_leave(const char *root, char *path, const group_files *files) {
  uint64_t available = UNLIMITED;
  for (;;) {
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s%s", files->mount, path);
    if (length > 0 && (size_t)length < sizeof folder)
      available = least(available, group_leaves(root, folder, files));
    char *slash = strrchr(path, '/');
    if (slash == NULL) return available;
    *slash = '\0';
  }
}

/* A line of /proc/self/cgroup is "number:controllers:path"; v2 has no controllers. */
static uint64_t line_leaves(const char *root, char *line) {
  static const group_files v1 = {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                 "total_inactive_file"};
  static const group_files v2 = {"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"};
  line[strcspn(line, "\n")] = '\0';
  char *controllers = strchr(line, ':');
  char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
  if (path == NULL) return UNLIMITED;
  *path++ = '\0';
  controllers++;
  if (*controllers == '\0') return groups_leave(root, path, &v2);
  for (char *next = controllers; next != NULL;) {
    char *controller = strsep(&next, ",");
    if (strcmp(controller, "memory") == 0) return groups_leave(root, path, &v1);
  }
  return UNLIMITED;
}

static uint64_t all_groups_leave(const char *root) {
  FILE *file = open_below(root, "/proc/self/", "cgroup");
  if (file == NULL) return UNLIMITED;
  uint64_t available = UNLIMITED;
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, file) > 0) available = least(available, line_leaves(root, line));
  free(line);
  fclose(file);
  return available;
}

static uint64_t address_space_leaves(const char *root) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UNLIMITED;
  uint64_t pages = read_number(root, "/proc/self/", "statm", "", 0);
  long page = sysconf(_SC_PAGESIZE);
  uint64_t used = page > 0 ? pages * (uint64_t)page : 0;
  return limit.rlim_cur - least(limit.rlim_cur, used);
}

uint64_t memory_available(const char *root) {
  uint64_t available = least(machine_available(root), all_groups_leave(root));
  available = least(available, address_space_leaves(root));
  return available == 0 ? 1 : available;
}
