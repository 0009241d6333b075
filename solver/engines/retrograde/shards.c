/* Keeps shards in memory: all the time where there is one, in turn where there are several.
 *
 * A shard in memory stays until another is wanted, so a wave that moves in one shard alone touches no disk.
 */
#include <string.h>

#include "solver/engines/retrograde/retrograde.h"

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
  const uint32_t home = r->at_home;
  if (home == r->shares_here || !r->frontier.waits) return TAULER_OK;
  frontier_leave(&r->frontier);
  r->at_home = r->shares_here;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < r->planes && !error; plane++) {
    error = spread_unload(r->spread, home, SPREAD_CELLS + plane, message);
    if (!error && r->with_depths) error = spread_unload(r->spread, home, SPREAD_DEPTHS + plane, message);
  }
  if (error || !r->changed) return error;
  r->changed = false;
  return spill_put(r->states, r->first_share + home, 0, r->share.state,
                   wave_share_state_bytes(r->share.n, r->planes), message);
}

tauler_error retrograde_bring(retrograde *r, uint32_t home, bool fresh, tauler_message *message) {
  if (r->at_home == home && !fresh) return TAULER_OK;
  tauler_error error = r->at_home == home ? TAULER_OK : retrograde_put_away(r, message);
  if (!error) error = fresh ? take_arrays(r, home, message) : load_arrays(r, home, message);
  if (error) return error;
  point_at(r, home);
  r->at_home = home;
  r->changed = fresh;
  if (fresh) {
    clear(r);
    r->marks[home] = 0;
    return TAULER_OK;
  }
  wave_share *share = &r->share;
  return spill_get(r->states, r->first_share + home, 0, share->state,
                   wave_share_state_bytes(share->n, r->planes), message);
}
