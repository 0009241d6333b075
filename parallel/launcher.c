/* Finds how this process was started. */
#include "parallel/launcher.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static bool find_number(const char *const *names, int *number) {
  for (; *names; names++) {
    const char *text = getenv(*names);
    uint64_t value;
    if (!text || !text_read_unsigned(text, 0, INT32_MAX, &value)) continue;
    *number = (int)value;
    return true;
  }
  return false;
}

launcher launcher_find(void) {
  /* Slurm sets SLURM_STEP_NUM_TASKS only in a step of srun, not for a program in a batch script. */
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", NULL};
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", NULL};
  static const char *const tasks[] = {"SLURM_PROCID", NULL};
  launcher found = {.ranks = 1};
  const bool counted = find_number(sizes, &found.ranks);
  found.is_there = find_number(ranks, &found.rank) || getenv("PMIX_NAMESPACE");
  if (!found.is_there && counted && found.ranks > 1) {
    find_number(tasks, &found.rank);
    found.is_there = true;
  }
  if (found.ranks < 1) found.ranks = 1;
  return found;
}

char *launcher_program(char path[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (n <= 0) return NULL;
  path[n] = '\0';
  return strrchr(path, '/');
}

void launcher_wait_asleep(char **argv) {
  char path[PATH_MAX];
  if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
  if (launcher_program(path) && setenv("OMP_WAIT_POLICY", "passive", 1) == 0) execv(path, argv);
}
