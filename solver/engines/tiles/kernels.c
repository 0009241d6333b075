/* Runs kernels over the tiles of a shard, after bringing the finished cells that they read. */
#include <stdlib.h>
#include <string.h>

#include "solver/engines/tiles/tiles.h"

/* The tiles [run->first_tile, run->end_tile) of the share at work. After a failure nothing may be touched:
 * the arrays may not be there, or without room on the disk. */
static void work_on_tiles(grid_spread_run *run, crew_member *member, game_grid_kernel *kernel) {
  char *scratch = run->scratch + (size_t)member->number * run->scratch_bytes;
  const uint32_t share = grid_share_number(run);
  uint64_t i, changed = 0;
  while (!run->failed && crew_next(member, run->end_tile - run->first_tile, &i)) {
    const uint64_t tile = layout_tile(run->layout, share, run->first_tile + i);
    const tauler_error error = kernel ? kernel(run->job->grid_tables, &run->state, tile, scratch, &changed)
                                      : run->grid->recover(run->job->grid_tables, &run->state, tile, scratch,
                                                           run->pass, run->reserved);
    grid_note_failure(run, error, NULL);
    team_note_progress(run->job->team);
  }
  atomic_fetch_add(&run->changed, changed);
}

void grid_work_on_tiles(grid_spread_run *run, crew_member *member, game_grid_kernel *kernel) {
  work_on_tiles(run, member, kernel);
  crew_meet(member, NULL, NULL);
}

void grid_take_all_tiles(grid_spread_run *run) {
  run->first_tile = 0;
  run->end_tile = layout_share_size(run->layout, grid_share_number(run)).tiles;
}

uint64_t grid_finished_limit(const slice_layout *layout, int planes) {
  const uint64_t share = layout->positions / layout->shares * (uint64_t)planes / 4;
  const uint64_t least = UINT64_C(4) << 20, most = UINT64_C(256) << 20;
  return share < least ? least : share > most ? most : share;
}

static uint64_t count_cells(const game_runs *runs, size_t from) {
  uint64_t cells = 0;
  for (size_t i = from; i < runs->used; i++) cells += runs->runs[i].count;
  return cells;
}

/* Lists what the tiles from `first` on read, as many tiles as the limit allows and one at least. */
static tauler_error list_finished(grid_spread_run *run, uint64_t first, uint64_t tiles, game_runs *runs,
                                  uint64_t *end) {
  const uint64_t limit = grid_finished_limit(run->layout, run->plan.planes) / (uint64_t)run->plan.planes;
  uint64_t cells = 0;
  runs->used = 0;
  for (*end = first; *end < tiles && cells < limit;) {
    const size_t before = runs->used;
    const uint64_t tile = layout_tile(run->layout, grid_share_number(run), (*end)++);
    const tauler_error error =
        run->grid->reads_finished(run->job->grid_tables, run->slice->slice, tile, runs);
    if (error) return error;
    cells += count_cells(runs, before);
    if (cells < limit) continue;
    runs->used = packed_merge_runs(runs->runs, runs->used);
    cells = count_cells(runs, 0);
  }
  return TAULER_OK;
}

static void point_at_finished(grid_spread_run *run) {
  run->finished = packed_plain_reader(run->job->packed);
  run->state.finished = &run->finished;
  run->more = false;
  grid_take_all_tiles(run);
}

/* Has the finished cells of the next chunk of tiles at hand. A rank that failed, or has no tiles left,
 * still comes to what is collective. */
static void bring_finished(void *user) {
  grid_spread_run *run = user;
  if (solve_has_at_hand(run->job)) {
    point_at_finished(run);
    return;
  }
  const uint64_t tiles = layout_share_size(run->layout, grid_share_number(run)).tiles;
  game_runs runs = {NULL, 0, 0};
  packed_cells_free(run->cells);
  run->cells = NULL;
  run->first_tile = run->end_tile;
  grid_note_failure(run, list_finished(run, run->first_tile, tiles, &runs, &run->end_tile), NULL);
  if (run->failed) {
    runs.used = 0;
    run->first_tile = run->end_tile = tiles;
  }
  uint64_t more = run->end_tile < tiles;
  tauler_error error =
      packed_gather(run->job->packed, runs.runs, runs.used, run->plan.planes, &run->cells, &run->message);
  if (!error) error = team_combine(run->job->team, TEAM_ANY, &more, 1, &run->message);
  free(runs.runs);
  grid_note_failure(run, error, NULL);
  if (error) run->first_tile = run->end_tile;
  run->more = more && !error;
  run->finished = packed_reader(run->cells);
  run->state.finished = &run->finished;
}

static void drop_finished(void *user) {
  grid_spread_run *run = user;
  packed_cells_free(run->cells);
  run->cells = NULL;
  run->state.finished = NULL;
  grid_take_all_tiles(run);
}

static void begin_chunks(void *user) {
  grid_spread_run *run = user;
  run->first_tile = run->end_tile = 0;
}

void grid_work_with_finished(grid_spread_run *run, crew_member *member, game_grid_kernel *kernel) {
  crew_meet(member, begin_chunks, run);
  bool more = true;
  while (more) {
    crew_lead(member, bring_finished, run);
    more = run->more;
    work_on_tiles(run, member, kernel);
  }
  crew_meet(member, drop_finished, run);
}

enum { BLOCKS_AT_ONCE = 512 };

static void forget_block(grid_spread_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const uint64_t width = (group->columns + 7) / 8;
  memset(run->news[plane] + group->first_news + row * width, 0, width);
  run->stirred[plane][group->first_block + row] = 0;
}

static void note_block(grid_spread_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const uint64_t width = (group->columns + 7) / 8, at = group->first_news + row * width;
  for (uint64_t i = 0; i < width; i++) run->known[at + i] |= run->news[plane][at + i];
}

typedef void block_work(grid_spread_run *run, int plane, const game_grid_group *group, uint64_t row);

/* The blocks with news of a plane, so many from the item-th on. */
static void work_on_blocks(grid_spread_run *run, int plane, uint64_t item, block_work *work) {
  const slice_layout *layout = run->layout;
  const uint64_t from = item * BLOCKS_AT_ONCE;
  const uint64_t to = from + BLOCKS_AT_ONCE < layout->blocks ? from + BLOCKS_AT_ONCE : layout->blocks;
  size_t g = 0;
  for (uint64_t block = from; block < to; block++) {
    block = grid_next_marked(run->stirred[plane], block, to);
    if (block == to) return;
    while (block >= layout->groups[g].first_block + layout->groups[g].blocks) g++;
    work(run, plane, &layout->groups[g], block - layout->groups[g].first_block);
  }
}

void grid_note_known(grid_spread_run *run, crew_member *member) {
  uint64_t item;
  while (!run->failed && crew_next(member, run->layout->blocks / BLOCKS_AT_ONCE + 1, &item))
    work_on_blocks(run, 0, item, note_block);
  crew_meet(member, NULL, NULL);
}

/* Where most blocks of all that there is have news, clearing it all costs less than finding them. */
static bool is_dense(const grid_spread_run *run) {
  return grid_is_alone(run) && run->in_turn > run->layout->blocks / 4;
}

enum { BYTES_AT_ONCE = 1 << 19 };

static uint64_t forget_items(const grid_spread_run *run) {
  return is_dense(run) ? run->plan.news_bytes / BYTES_AT_ONCE + 1 : run->layout->blocks / BLOCKS_AT_ONCE + 1;
}

static void forget_news(grid_spread_run *run, int plane, uint64_t item) {
  if (!is_dense(run)) {
    work_on_blocks(run, plane, item, forget_block);
    return;
  }
  const uint64_t from = item * BYTES_AT_ONCE, rest = run->plan.news_bytes - from;
  memset(run->news[plane] + from, 0, rest < BYTES_AT_ONCE ? rest : BYTES_AT_ONCE);
  if (from == 0) memset(run->stirred[plane], 0, run->layout->blocks);
}

/* Planes are forgotten before anything is told again; where only one was taken in, the other is told. */
void grid_end_kernel(grid_spread_run *run, crew_member *member, grid_news_plane taken_in, grid_telling what) {
  const uint64_t items = forget_items(run);
  const bool both = taken_in == NEWS_OF_BOTH;
  uint64_t item;
  if (both) {
    while (!run->failed && crew_next(member, 2 * items, &item))
      forget_news(run, (int)(item / items), item % items);
    crew_meet(member, NULL, NULL);
    grid_tell_self(run, member, what);
    return;
  }
  const uint64_t tellings = grid_self_items(run, what);
  while (!run->failed && crew_next(member, items + tellings, &item)) {
    if (item < items) {
      forget_news(run, (int)taken_in, item);
    } else {
      grid_tell_self_item(run, what, item - items);
    }
  }
  crew_meet(member, NULL, NULL);
}

void grid_tell_state(grid_spread_run *run, crew_member *member) {
  grid_tell_self(run, member, TELL_CELLS);
  grid_tell(run, member, TELL_CELLS);
  if (run->purpose != RUN_DEPTHS) return;
  grid_tell_self(run, member, TELL_KNOWN);
  grid_tell(run, member, TELL_KNOWN);
}

/* As if the last turn's kernels had just told it. */
static void take_back_told(void *user) {
  grid_spread_run *run = user;
  const uint64_t bytes = layout_share_size(run->layout, grid_share_number(run)).news;
  if (run->failed) return;
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    memcpy(run->fresh[plane], run->told[plane], bytes);
    memcpy(run->stirring[plane], run->told_blocks[plane], run->layout->blocks);
  }
}

void grid_tell_self_again(grid_spread_run *run, crew_member *member) {
  if (!run->told[0]) return;
  crew_meet(member, take_back_told, run);
  grid_tell_self(run, member, run->purpose == RUN_DEPTHS ? TELL_DECISIONS : TELL_CHANGES);
}
