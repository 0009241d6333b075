/* Packs the arrays of a slice of chance for checkpoints, in ranges of positions. */
#include "solver/engines/chance/sweeps.h"

#include <stdio.h>
#include <string.h>

static char *array_at(const chance_kept *kept, size_t i) {
  char *array;
  memcpy(&array, kept->list[i].slot, sizeof array);
  return array;
}

static size_t unit_positions(const chance_kept *kept, uint64_t unit) {
  const uint64_t rest = kept->positions - unit * CHANCE_KEPT_POSITIONS;
  return rest < CHANCE_KEPT_POSITIONS ? (size_t)rest : CHANCE_KEPT_POSITIONS;
}

static size_t unit_bytes(void *user, uint64_t unit) {
  const chance_kept *kept = user;
  size_t bytes = 0;
  for (size_t i = 0; i < kept->arrays; i++) bytes += kept->list[i].item_bytes;
  return unit_positions(kept, unit) * bytes;
}

static void pack_unit(void *user, uint64_t unit, void *bytes) {
  const chance_kept *kept = user;
  char *to = bytes;
  for (size_t i = 0; i < kept->arrays; i++) {
    const size_t each = kept->list[i].item_bytes, part = unit_positions(kept, unit) * each;
    const char *array = array_at(kept, i);
    if (array) {
      memcpy(to, array + unit * CHANCE_KEPT_POSITIONS * each, part);
    } else {
      memset(to, 0, part);
    }
    to += part;
  }
}

static void unpack_unit(void *user, uint64_t unit, const void *bytes) {
  const chance_kept *kept = user;
  const char *from = bytes;
  for (size_t i = 0; i < kept->arrays; i++) {
    const size_t each = kept->list[i].item_bytes, part = unit_positions(kept, unit) * each;
    char *array = array_at(kept, i);
    if (array) memcpy(array + unit * CHANCE_KEPT_POSITIONS * each, from, part);
    from += part;
  }
}

static tauler_error visit_slice(void *user, uint32_t shard, bool is_new, tauler_message *message) {
  const chance_kept *kept = user;
  (void)shard;
  return is_new ? kept->prepare(kept->user, message) : TAULER_OK;
}

tauler_error chance_checkpointer_open(checkpointer *checkpointer, const chance_job *job, uint32_t slice,
                                      const char *engine, chance_kept *kept, tauler_message *message) {
  const tauler_error error = layout_open_items(slice, kept->positions, kept->positions, CHANCE_KEPT_POSITIONS,
                                               &kept->layout, message);
  if (error) return error;
  kept->units.user = kept;
  kept->units.layout = kept->layout;
  kept->units.shards_here = 1;
  kept->units.everywhere = true;
  kept->units.visit = visit_slice;
  kept->units.unit_bytes = unit_bytes;
  kept->units.pack = pack_unit;
  kept->units.unpack = unpack_unit;
  checkpointer_open(checkpointer, job->job, slice, "chance", &kept->units);
  const size_t used = strlen(checkpointer->identity);
  snprintf(checkpointer->identity + used, sizeof checkpointer->identity - used, " %.16s width %a", engine,
           job->width);
  return TAULER_OK;
}
