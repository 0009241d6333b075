/* Lays out, loads and unloads shards. A single shard is always in memory. If there are several, the loaded
 * one stays until another is wanted, so that a wave that concerns one shard only touches no disk. */
#include <string.h>

#include "solver/engines/retrograde/retrograde.h"

/* Parts of mapped.h behind those of the slice. */
enum { PART_STATE = SHARD_PARTS, PART_HIGH };

static uint64_t bit_bytes(uint64_t n) {
  return (n + 63) / 64 * 8;
}

/* A word and bits come first, then the set, then counters, so that all are aligned. */
uint64_t wave_shard_state_bytes(uint64_t n, int planes) {
  return sizeof(uint64_t) + bit_bytes(n) * (1 + (uint64_t)planes) + frontier_set_bytes(n, planes) + n;
}

/* Sets the pointers to the arrays of n positions from index `first` on. The contents of the block stay as
 * they are. */
static void lay(wave_shard *shard, uint64_t first, uint64_t n) {
  const uint64_t words = (n + 63) / 64;
  uint64_t *at = shard->state;
  shard->first = first;
  shard->n = n;
  shard->wide = at;
  shard->ended = ++at;
  for (int plane = 0; plane < shard->planes; plane++) shard->settled[plane] = at += words;
  shard->next = at + words;
  shard->open = (uint8_t *)shard->next + frontier_set_bytes(n, shard->planes);
}

void wave_shard_list(const wave_shard *shard, const changed_set *marked, unit_arrays *kept) {
  kept->n = 0;
  unit_arrays_list(kept, UNIT_BITS, shard->ended, 0);
  for (int plane = 0; plane < shard->planes; plane++) {
    unit_arrays_list(kept, UNIT_BITS, shard->settled[plane], 0);
    unit_arrays_list(kept, UNIT_BITS, marked->bits[plane], 0);
  }
  unit_arrays_list(kept, UNIT_COUNTS, shard->open, 0)->high = shard->open_high;
  for (int plane = 0; plane < shard->planes; plane++) {
    unit_arrays_list(kept, UNIT_CELLS, shard->best[plane], sizeof *shard->best[plane]);
    if (shard->with_depths)
      unit_arrays_list(kept, UNIT_CELLS, shard->depth[plane], sizeof *shard->depth[plane]);
  }
}

bool wave_shard_packed_wide(const wave_shard *shard, uint64_t n, const void *bytes) {
  const uint8_t *open = (const uint8_t *)bytes + bit_bytes(n) * (1 + 2 * (uint64_t)shard->planes);
  uint8_t high = 0;
  for (uint64_t i = 0; i < n; i++) high |= open[2 * i + 1];
  return high != 0;
}

static void point_at(retrograde *r, uint32_t local) {
  const uint64_t *starts = r->frontier.starts + r->first_shard + local;
  lay(&r->shard, starts[0], starts[1] - starts[0]);
  const slice_shard *shard = &r->sharded->shards[local];
  for (int plane = 0; plane < r->planes; plane++) {
    r->shard.best[plane] = shard->parts[SHARD_CELLS + plane];
    r->shard.depth[plane] = shard->parts[SHARD_DEPTHS + plane];
  }
  frontier_select(&r->frontier, r->first_shard + local, r->shard.next);
}

typedef tauler_error open_part(sharded_slice *slice, uint32_t i, int part, tauler_message *message);

static tauler_error open_arrays(retrograde *r, uint32_t local, open_part *open, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < r->planes && !error; plane++) {
    error = open(r->sharded, local, SHARD_CELLS + plane, message);
    if (!error && r->with_depths) error = open(r->sharded, local, SHARD_DEPTHS + plane, message);
  }
  return error;
}

static void clear(retrograde *r) {
  const wave_shard *shard = &r->shard;
  memset(shard->state, 0, wave_shard_state_bytes(shard->n, r->planes));
  for (int plane = 0; plane < r->planes && r->with_depths; plane++) {
    memset(shard->depth[plane], 0xFF, shard->n * sizeof *shard->depth[plane]);
  }
}

void retrograde_unload(retrograde *r) {
  const uint32_t local = r->local_shard, shard = r->first_shard + local;
  if (local == r->shards_here || !r->frontier.waits) return;
  frontier_write_back(&r->frontier);
  r->local_shard = r->shards_here;
  mapped_unmap(r->sharded->mapped, shard, PART_STATE);
  mapped_unmap(r->sharded->mapped, shard, PART_HIGH);
  sharded_unload(r->sharded, local);
}

/* Reserves room on the disk for the state. Room for high bytes is reserved once there are any. */
static tauler_error map_state(retrograde *r, uint32_t local, bool is_new, tauler_message *message) {
  const uint32_t shard = r->first_shard + local;
  const uint64_t n = r->frontier.starts[shard + 1] - r->frontier.starts[shard];
  const uint64_t bytes = wave_shard_state_bytes(n, r->planes);
  mapped_arrays *mapped = r->sharded->mapped;
  tauler_error error = mapped_map(mapped, shard, PART_STATE, bytes, bytes, &r->shard.state, message);
  if (!error && is_new) error = mapped_reserve(mapped, shard, PART_STATE, 0, bytes, message);
  return error ? error : mapped_map(mapped, shard, PART_HIGH, n, 0, &r->shard.open_high, message);
}

tauler_error retrograde_load(retrograde *r, uint32_t local, bool is_new, tauler_message *message) {
  if (r->local_shard == local && !is_new) return TAULER_OK;
  retrograde_unload(r);
  tauler_error error = open_arrays(r, local, is_new ? sharded_allocate : sharded_load, message);
  if (!error && r->frontier.waits) error = map_state(r, local, is_new, message);
  if (error) return error;
  point_at(r, local);
  r->local_shard = local;
  if (!is_new) return TAULER_OK;
  clear(r);
  r->marks[local] = 0;
  return TAULER_OK;
}

tauler_error retrograde_widen(retrograde *r) {
  const uint64_t n = r->shard.n;
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&r->widening);
  if (!*r->shard.wide && r->high_bytes < n) {
    error = memory_charge(r->job->work.memory, n - r->high_bytes, "positions of many moves", NULL);
    if (!error) r->high_bytes = n;
  }
  if (!error && !*r->shard.wide && r->frontier.waits)
    error = mapped_reserve(r->sharded->mapped, r->frontier.shard, PART_HIGH, 0, n, NULL);
  if (!error) *r->shard.wide = 1;
  pthread_mutex_unlock(&r->widening);
  return error;
}

void retrograde_drop(retrograde *r) {
  memory_budget *memory = r->job->work.memory;
  memory_discharge(memory, r->high_bytes);
  if (!r->frontier.waits) {
    memory_free(memory, r->shard.state);
    memory_free(memory, r->shard.open_high);
    return;
  }
  for (uint32_t shard = r->first_shard; shard < r->first_shard + r->shards_here; shard++) {
    for (uint32_t part = PART_STATE; part <= PART_HIGH; part++) {
      mapped_unmap(r->sharded->mapped, shard, part);
      mapped_clear(r->sharded->mapped, shard, part);
    }
  }
}
