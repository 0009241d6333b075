/* Lists the benchmarks, and makes and removes their scratch folders. */
#include "analysis/bench/bench.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about;
  (void)kind;
  (void)place;
  return remove(path);
}

void bench_remove_folder(const char *folder) {
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

tauler_error bench_make_scratch(const char *parent, char scratch[512], tauler_message *message) {
  const char *temporary = getenv("TMPDIR");
  if (!parent) parent = temporary && *temporary ? temporary : "/tmp";
  snprintf(scratch, 512, "%s/tauler-bench-XXXXXX", parent);
  if (mkdtemp(scratch)) return TAULER_OK;
  return tauler_fail(message, TAULER_IO, "cannot make a folder in %.300s; name another one with --scratch",
                     parent);
}

const benchmark *bench_at(size_t i) {
  static const benchmark *const games[] = {bench_of_auale, bench_of_doushouqi, bench_of_phutball,
                                           bench_of_dice, NULL};
  for (const benchmark *const *game = games; *game; game++) {
    for (const benchmark *one = *game; one->name; one++) {
      if (i-- == 0) return one;
    }
  }
  return NULL;
}
