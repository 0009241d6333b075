/* The arrays of a slice, or of the share of it that is here; what they take; and their way to checkpoints and
 * back. Between thresholds nothing is marked, and what may stay is found anew. */
#include <string.h>

#include "solver/engines/engines.h"
#include "solver/engines/repetition/work.h"
#include "solver/shards/packed_talk.h"

static const char *const what = "the own-row solver";

static tauler_error open_cells(own_row *all, int plane, tauler_message *message) {
  memory_budget *memory = all->job->memory;
  if (all->spread) {
    spread_share *share = &all->spread->shares[0];
    tauler_error error = spread_take(all->spread, 0, SPREAD_CELLS + plane, message);
    if (!error && all->with_stages) error = spread_take(all->spread, 0, SPREAD_DEPTHS + plane, message);
    all->cells[plane] = share->parts[SPREAD_CELLS + plane];
    all->stages[plane] = all->with_stages ? share->parts[SPREAD_DEPTHS + plane] : NULL;
    return error;
  }
  solved_slice *out = all->whole;
  tauler_error error = memory_take(memory, all->n, what, &out->cells[plane], message);
  if (!error && all->with_stages)
    error = memory_take_array(memory, all->n, sizeof *out->depths[plane], what, &out->depths[plane], message);
  all->cells[plane] = out->cells[plane];
  all->stages[plane] = all->with_stages ? out->depths[plane] : NULL;
  return error;
}

static tauler_error open_plane(own_row *all, int plane, tauler_message *message) {
  memory_budget *memory = all->job->memory;
  tauler_error error = open_cells(all, plane, message);
  if (!error) error = memory_take(memory, all->n, what, &all->states[plane], message);
  for (int i = 0; i < 2 && !error; i++) {
    error = memory_take_array(memory, own_row_mark_words(all->n), sizeof(uint64_t), what,
                              i ? &all->following[plane] : &all->marked[plane], message);
  }
  return error;
}

static tauler_error find_shares(own_row *all, tauler_message *message) {
  const slice_layout *layout = all->layout;
  const tauler_error error = memory_take_array(all->job->memory, (uint64_t)layout->shares + 1,
                                               sizeof *all->share_starts, what, &all->share_starts, message);
  if (error) return error;
  for (uint32_t share = 0; share < layout->shares; share++)
    all->share_starts[share] = layout_strips(layout, share)->from;
  all->share_starts[layout->shares] = layout->positions;
  all->first = all->share_starts[all->share];
  all->n = all->share_starts[all->share + 1] - all->first;
  return TAULER_OK;
}

static exchange_settings settings_for(const solve_job *job, uint32_t shares) {
  return (exchange_settings){.team = job->team,
                             .shares = shares,
                             .shares_per_rank = 1,
                             .piece_bytes = job->piece_bytes,
                             .threads = job->threads};
}

static tauler_error open_exchange(own_row *all, tauler_message *message) {
  const solve_job *job = all->job;
  const uint32_t shares = all->layout->shares;
  if (shares == 1) return TAULER_OK;
  const exchange_settings settings = settings_for(job, shares);
  tauler_error error = exchange_open(&settings, job->memory, &all->exchange, message);
  const size_t piece = error ? 0 : exchange_piece_bytes(all->exchange);
  for (int i = 0; i < job->threads && !error; i++)
    error = memory_take(job->memory, piece, what, &all->members[i].piece, message);
  if (!error)
    error = wave_updates_open(&all->updates, job->memory, all->share_starts, shares, job->threads, piece,
                              message);
  if (!error) wave_updates_aim(&all->updates, all->share);
  return error;
}

static tauler_error open_arrays(own_row *all, tauler_message *message) {
  const solve_job *job = all->job;
  tauler_error error = find_shares(all, message);
  for (int plane = 0; plane < SOLVE_PLANES && !error; plane++) error = open_plane(all, plane, message);
  if (!error) error = memory_take(job->memory, all->n, what, &all->pays, message);
  if (!error)
    error = memory_take_array(job->memory, (uint64_t)job->threads, sizeof *all->members, what, &all->members,
                              message);
  if (!error)
    error = inquiry_open(&all->inquiry, job, all->slice, SOLVE_PLANES, false, all->spread != NULL,
                         job->threads, message);
  return error ? error : open_exchange(all, message);
}

static uint64_t tile_range(const own_row *all, uint64_t tile, uint64_t *first) {
  const uint64_t size = all->layout->groups[0].tile_columns, rest = all->layout->positions - tile * size;
  *first = tile * size;
  return rest < size ? rest : size;
}

static size_t unit_bytes(void *user, uint64_t tile) {
  const own_row *all = user;
  uint64_t first;
  return (size_t)(tile_range(all, tile, &first) * SOLVE_PLANES * (all->with_stages ? 4 : 2));
}

typedef struct {
  void *array;
  size_t bytes;
} tile_piece;

enum { TILE_PIECES = 3 * SOLVE_PLANES };

static int list_pieces(const own_row *all, uint64_t tile, tile_piece pieces[TILE_PIECES]) {
  uint64_t first;
  const size_t n = (size_t)tile_range(all, tile, &first);
  const uint64_t own = first - all->first;
  int used = 0;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    pieces[used++] = (tile_piece){all->cells[plane] + own, n};
    pieces[used++] = (tile_piece){all->states[plane] + own, n};
    if (all->stages[plane])
      pieces[used++] = (tile_piece){all->stages[plane] + own, n * sizeof *all->stages[plane]};
  }
  return used;
}

static void pack_unit(void *user, uint64_t tile, void *bytes) {
  tile_piece pieces[TILE_PIECES];
  const int used = list_pieces(user, tile, pieces);
  uint8_t *to = bytes;
  for (int i = 0; i < used; to += pieces[i++].bytes) memcpy(to, pieces[i].array, pieces[i].bytes);
}

static void unpack_unit(void *user, uint64_t tile, const void *bytes) {
  const own_row *all = user;
  tile_piece pieces[TILE_PIECES];
  const int used = list_pieces(all, tile, pieces);
  const uint8_t *from = bytes;
  for (int i = 0; i < used; from += pieces[i++].bytes) memcpy(pieces[i].array, from, pieces[i].bytes);
  uint64_t first;
  const size_t n = (size_t)tile_range(all, tile, &first);
  all->job->game->repeated(all->job->rules, all->slice, first, n, all->pays + (first - all->first));
}

void own_row_fill_kept(void *user) {
  own_row *all = user;
  for (int i = 0; i < 4; i++) all->kept.levels[i] = all->levels[i];
  all->kept.threshold = all->threshold;
}

static tauler_error take_up(own_row *all, tauler_message *message) {
  all->units = (keeper_units){.user = all,
                              .layout = all->layout,
                              .first_share = all->share,
                              .shares_here = 1,
                              .run = &all->kept,
                              .run_bytes = sizeof all->kept,
                              .unit_bytes = unit_bytes,
                              .pack = pack_unit,
                              .unpack = unpack_unit};
  keeper_open(&all->keeper, all->job, all->slice, all->with_stages ? "own-row-stages" : "own-row",
              &all->units);
  const tauler_error error = keeper_resume(&all->keeper, &all->resumed, message);
  if (error || !all->resumed) return error;
  for (int i = 0; i < 4; i++) all->levels[i] = all->kept.levels[i];
  all->threshold = (int)all->kept.threshold;
  return TAULER_OK;
}

tauler_error own_row_open(own_row *all, tauler_message *message) {
  const tauler_error error = team_agree(all->team, open_arrays(all, message), message);
  return error ? error : take_up(all, message);
}

void own_row_close(own_row *all) {
  memory_budget *memory = all->job->memory;
  wave_updates_close(&all->updates);
  inquiry_close(&all->inquiry);
  for (int i = 0; i < all->job->threads && all->members; i++) {
    memory_give(memory, all->members[i].piece);
    exchange_taker_free(&all->members[i].taker);
  }
  exchange_close(all->exchange);
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, all->states[plane]);
    memory_give(memory, all->marked[plane]);
    memory_give(memory, all->following[plane]);
  }
  memory_give(memory, all->pays);
  memory_give(memory, all->members);
  memory_give(memory, all->share_starts);
}

static uint64_t engine_bytes(const solve_job *job, uint64_t n, uint32_t shares, bool stages, bool asking) {
  const uint64_t planes =
      SOLVE_PLANES * (2 * n + (stages ? sizeof(uint16_t) * n : 0) + 16 * own_row_mark_words(n));
  return planes + n + (uint64_t)job->threads * sizeof(own_row_member) +
         inquiry_bytes(asking, SOLVE_PLANES, job->threads) + ((uint64_t)shares + 1) * sizeof(uint64_t);
}

uint64_t own_row_solve_bytes(const solve_job *job, uint32_t slice, bool stages) {
  return engine_bytes(job, job->game->positions(job->rules, slice), 1, stages, false);
}

static uint64_t largest_share(const solve_job *job, uint32_t slice, uint32_t shares) {
  slice_layout *layout;
  if (layout_open(job->game, job->rules, slice, false, shares, 1, &layout, NULL))
    return job->game->positions(job->rules, slice) / shares + (UINT64_C(1) << 20);
  uint64_t largest = 0;
  for (uint32_t share = 0; share < shares; share++) {
    const uint64_t cells = layout_share_size(layout, share).cells;
    if (cells > largest) largest = cells;
  }
  layout_close(layout);
  return largest;
}

uint64_t own_row_spread_bytes(const solve_job *job, uint32_t slice, bool stages, uint32_t shares) {
  const uint64_t n = largest_share(job, slice, shares);
  const uint64_t bytes = engine_bytes(job, n, shares, stages, true) + sizeof(spread_share);
  if (shares == 1) return bytes;
  const exchange_settings settings = settings_for(job, shares);
  return bytes + exchange_bytes(&settings) + (uint64_t)job->threads * EXCHANGE_PIECE +
         wave_updates_bytes(n, shares, job->threads, EXCHANGE_PIECE) +
         packed_talk_bytes((int)shares, UINT64_MAX);
}
