/* Keeps shards in memory: all the time where there is one, in turn where there are several.
 *
 * A shard in memory stays until another is wanted, so a wave that moves in one shard alone touches no disk.
 */
#include <string.h>

#include "solver/engines/retrograde/retrograde.h"

/* Beside the parts of the slice. */
enum { PART_STATE = SPREAD_PARTS, PART_HIGH };

static void point_at(retrograde *r, uint32_t home) {
  const uint64_t *starts = r->frontier.starts + r->first_share + home;
  wave_share_lay(&r->share, starts[0], starts[1] - starts[0]);
  const spread_share *share = &r->spread->shares[home];
  for (int plane = 0; plane < r->planes; plane++) {
    r->share.best[plane] = share->parts[SPREAD_CELLS + plane];
    r->share.depth[plane] = share->parts[SPREAD_DEPTHS + plane];
  }
  frontier_enter(&r->frontier, r->first_share + home, r->share.next);
}

static tauler_error take_arrays(retrograde *r, uint32_t home, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < r->planes && !error; plane++) {
    error = spread_take(r->spread, home, SPREAD_CELLS + plane, message);
    if (!error && r->with_depths) error = spread_take(r->spread, home, SPREAD_DEPTHS + plane, message);
  }
  return error;
}

static tauler_error load_arrays(retrograde *r, uint32_t home, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < r->planes && !error; plane++) {
    error = spread_load(r->spread, home, SPREAD_CELLS + plane, message);
    if (!error && r->with_depths) error = spread_load(r->spread, home, SPREAD_DEPTHS + plane, message);
  }
  return error;
}

static void clear(retrograde *r) {
  const wave_share *share = &r->share;
  memset(share->state, 0, wave_share_state_bytes(share->n, r->planes));
  for (int plane = 0; plane < r->planes && r->with_depths; plane++) {
    memset(share->depth[plane], 0xFF, share->n * sizeof *share->depth[plane]);
  }
}

tauler_error retrograde_put_away(retrograde *r, tauler_message *message) {
  const uint32_t home = r->at_home, share = r->first_share + home;
  if (home == r->shares_here || !r->frontier.waits) return TAULER_OK;
  frontier_leave(&r->frontier);
  r->at_home = r->shares_here;
  mapped_give(r->spread->mapped, share, PART_STATE);
  mapped_give(r->spread->mapped, share, PART_HIGH);
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < r->planes && !error; plane++) {
    error = spread_unload(r->spread, home, SPREAD_CELLS + plane, message);
    if (!error && r->with_depths) error = spread_unload(r->spread, home, SPREAD_DEPTHS + plane, message);
  }
  return error;
}

/* Room for the state is reserved on the disk, for high bytes when there are any. */
static tauler_error map_state(retrograde *r, uint32_t home, bool fresh, tauler_message *message) {
  const uint32_t share = r->first_share + home;
  const uint64_t n = r->frontier.starts[share + 1] - r->frontier.starts[share];
  const uint64_t bytes = wave_share_state_bytes(n, r->planes);
  mapped_arrays *mapped = r->spread->mapped;
  tauler_error error = mapped_take(mapped, share, PART_STATE, bytes, bytes, &r->share.state, message);
  if (!error && fresh) error = mapped_reserve(mapped, share, PART_STATE, 0, bytes, message);
  return error ? error : mapped_take(mapped, share, PART_HIGH, n, 0, &r->share.open_high, message);
}

tauler_error retrograde_bring(retrograde *r, uint32_t home, bool fresh, tauler_message *message) {
  if (r->at_home == home && !fresh) return TAULER_OK;
  tauler_error error = retrograde_put_away(r, message);
  if (!error) error = fresh ? take_arrays(r, home, message) : load_arrays(r, home, message);
  if (!error && r->frontier.waits) error = map_state(r, home, fresh, message);
  if (error) return error;
  point_at(r, home);
  r->at_home = home;
  if (!fresh) return TAULER_OK;
  clear(r);
  r->marks[home] = 0;
  return TAULER_OK;
}

tauler_error retrograde_widen(retrograde *r) {
  const uint64_t n = r->share.n;
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&r->widening);
  if (!*r->share.wide && r->high_bytes < n) {
    error = memory_charge(r->job->memory, n - r->high_bytes, "positions of many moves", NULL);
    if (!error) r->high_bytes = n;
  }
  if (!error && !*r->share.wide && r->frontier.waits)
    error = mapped_reserve(r->spread->mapped, r->frontier.shard, PART_HIGH, 0, n, NULL);
  if (!error) *r->share.wide = 1;
  pthread_mutex_unlock(&r->widening);
  return error;
}

void retrograde_drop(retrograde *r) {
  memory_budget *memory = r->job->memory;
  memory_discharge(memory, r->high_bytes);
  if (!r->frontier.waits) {
    memory_give(memory, r->share.state);
    memory_give(memory, r->share.open_high);
    return;
  }
  for (uint32_t share = r->first_share; share < r->first_share + r->shares_here; share++) {
    for (uint32_t part = PART_STATE; part <= PART_HIGH; part++) {
      mapped_give(r->spread->mapped, share, part);
      mapped_clear(r->spread->mapped, share, part);
    }
  }
}
