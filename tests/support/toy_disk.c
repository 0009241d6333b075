#include "tests/support/toy_disk.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/suite.h"

int toy_hidden_file(const char *folder) {
  DIR *list = opendir("/proc/self/fd");
  int found = -1;
  for (const struct dirent *entry; list && (entry = readdir(list));) {
    char link[300], target[400] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%s", entry->d_name);
    if (readlink(link, target, sizeof target - 1) > 0 && strstr(target, folder) &&
        strstr(target, "(deleted)"))
      found = atoi(entry->d_name);
  }
  if (list) closedir(list);
  ck_assert_int_ge(found, 0);
  return found;
}

struct stat toy_look_at_hidden(const char *folder) {
  struct stat about;
  ck_assert_int_eq(fstat(toy_hidden_file(folder), &about), 0);
  return about;
}

uint64_t toy_hidden_bytes(const char *folder) {
  return (uint64_t)toy_look_at_hidden(folder).st_blocks * 512;
}

uint64_t toy_resident_bytes(const void *address) {
  FILE *maps = fopen("/proc/self/smaps", "r");
  char line[600];
  bool here = false, found = false;
  uintptr_t first, end;
  uint64_t kilobytes = 0;
  ck_assert_ptr_nonnull(maps);
  while (!found && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2)
      here = first <= (uintptr_t)address && (uintptr_t)address < end;
    found = here && sscanf(line, "Rss: %" SCNu64, &kilobytes) == 1;
  }
  fclose(maps);
  ck_assert(found);
  return kilobytes * 1024;
}

void toy_limit_files(uint64_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes ? (rlim_t)bytes : limit.rlim_max;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
