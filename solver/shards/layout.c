/* Cuts a slice into shards, and finds the owner and place of each cell. */
#include "solver/shards/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* LEAST_RANGE, LARGEST_RANGE: limits of the cells of an index range. A slice has at most MOST_RANGES ranges,
 * unless they are the largest: enough that each of a thousand shards of a large slice gets a hundred. */
enum { LEAST_RANGE = 1 << 12, LARGEST_RANGE = 1 << 20, MOST_RANGES = 1 << 17 };

static void describe_ranges(uint64_t positions, game_grid_group *out) {
  uint64_t range = LEAST_RANGE;
  while (range < LARGEST_RANGE && positions > range * MOST_RANGES) range *= 2;
  *out = (game_grid_group){
      .tiles = (positions + range - 1) / range, .blocks = 1, .columns = positions, .tile_columns = range};
}

static inline uint64_t changed_width(uint64_t columns) {
  return (columns + 7) / 8;
}

static inline game_grid_slab *slab_of(const slice_layout *layout, uint32_t shard, size_t group) {
  return &layout->slabs[(size_t)shard * layout->groups_n + group];
}

static uint64_t count_slab_tiles(const game_grid_group *group, const game_grid_slab *slab) {
  return (slab->columns + group->tile_columns - 1) / group->tile_columns;
}

/* A group in the order in which groups are cut: by band, and within a band large tiles first, so that small
 * tiles fill the gaps. */
typedef struct {
  uint32_t band;
  uint64_t tile_cells;
  size_t group;
} group_order;

static int compare_groups(const void *a, const void *b) {
  const group_order *x = a, *y = b;
  if (x->band != y->band) return x->band < y->band ? -1 : 1;
  if (x->tile_cells != y->tile_cells) return x->tile_cells > y->tile_cells ? -1 : 1;
  return x->group < y->group ? -1 : 1;
}

/* A band while it is cut: the number of cells in earlier bands, in this band, and in those of its groups that
 * are cut so far, including the one being cut. */
typedef struct {
  double before, cells, done;
} band_cut;

static double group_cells(const game_grid_group *group) {
  return (double)group->blocks * (double)group->columns;
}

/* Returns the number of cells of a band that the shards before this one get. A shard that would end near an
 * end of the band ends exactly there: its size changes a little, and it sends less. */
static double share_of_band(const slice_layout *layout, const band_cut *band, uint32_t shard) {
  enum { PARTS_OF_SHARD = 50 };
  const double each = (double)layout->positions / layout->shards, near = each / PARTS_OF_SHARD;
  const double share = each * shard - band->before;
  return share < near ? 0 : share > band->cells - near ? band->cells : share;
}

/* Returns the first column of a group that does not belong to the shards before this one. These shards
 * already have `given` cells in earlier groups of the band. */
static uint64_t end_of_shards(const slice_layout *layout, const game_grid_group *group, const band_cut *band,
                              uint32_t shard, double given) {
  const double share = share_of_band(layout, band, shard);
  if (share <= 0) return 0;
  if (share >= band->cells) return group->columns;
  const double cells = share * (band->done / band->cells) - given;
  const double tiles = cells / (double)(group->blocks * group->tile_columns) + 0.5;
  const uint64_t end = tiles > 0 ? (uint64_t)tiles * group->tile_columns : 0;
  return end < group->columns ? end : group->columns;
}

/* Cuts a group so that each shard has its share of the groups of this band that are cut so far. given[s] is
 * the number of cells of the band that the shards before s have. */
static void cut_group(slice_layout *layout, size_t group_number, const band_cut *band, double *given) {
  const game_grid_group *group = &layout->groups[group_number];
  uint64_t from = 0;
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    const uint64_t wanted = shard + 1 < layout->shards
                                ? end_of_shards(layout, group, band, shard + 1, given[shard + 1])
                                : group->columns;
    const uint64_t to = wanted > from ? wanted : from;
    *slab_of(layout, shard, group_number) = (game_grid_slab){.from = from, .columns = to - from};
    given[shard + 1] += (double)to * (double)group->blocks;
    from = to;
  }
}

static void cut_band(slice_layout *layout, const group_order *order, size_t n, double before, double *given) {
  band_cut band = {.before = before};
  for (size_t i = 0; i < n; i++) band.cells += group_cells(&layout->groups[order[i].group]);
  memset(given, 0, (layout->shards + 1) * sizeof *given);
  for (size_t i = 0; i < n; i++) {
    band.done += group_cells(&layout->groups[order[i].group]);
    cut_group(layout, order[i].group, &band, given);
  }
}

static tauler_error cut_groups(slice_layout *layout) {
  group_order *order = calloc(layout->groups_n, sizeof *order);
  double *given = calloc(layout->shards + (size_t)1, sizeof *given);
  if (order && given) {
    for (size_t i = 0; i < layout->groups_n; i++) {
      const game_grid_group *group = &layout->groups[i];
      const uint64_t widest = group->columns < group->tile_columns ? group->columns : group->tile_columns;
      order[i] = (group_order){group->band, group->blocks * widest, i};
    }
    qsort(order, layout->groups_n, sizeof *order, compare_groups);
    double before = 0;
    for (size_t i = 0, end; i < layout->groups_n; i = end) {
      for (end = i; end < layout->groups_n && order[end].band == order[i].band;) end++;
      cut_band(layout, order + i, end - i, before, given);
      before += given[layout->shards];
    }
  }
  const bool room = order && given;
  free(order);
  free(given);
  return room ? TAULER_OK : TAULER_NO_MEMORY;
}

/* Returns the end of a slab in each of the shard's arrays, where the next slab begins. */
static shard_size end_of_slab(const game_grid_group *group, const game_grid_slab *slab) {
  return (shard_size){.cells = slab->first_cell + group->blocks * slab->columns,
                      .bounds = slab->first_bound + group->bounds * slab->columns,
                      .changed = slab->first_changed + group->blocks * changed_width(slab->columns)};
}

static void place_slabs(slice_layout *layout) {
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    shard_size end = {0};
    for (size_t i = 0; i < layout->groups_n; i++) {
      game_grid_slab *slab = slab_of(layout, shard, i);
      slab->first_cell = end.cells;
      slab->first_bound = end.bounds;
      slab->first_changed = end.changed;
      slab->width = slab->columns;
      slab->changed_width = changed_width(slab->columns);
      end = end_of_slab(&layout->groups[i], slab);
    }
  }
}

static void describe_groups(slice_layout *layout, const game *game, const game_rules *rules, bool by_grid) {
  if (!by_grid) describe_ranges(layout->positions, &layout->groups[0]);
  for (size_t i = 0; by_grid && i < layout->groups_n; i++) {
    game->grid->group(rules, layout->slice, i, &layout->groups[i]);
  }
}

static size_t count_groups(const game *game, const game_rules *rules, uint32_t slice, bool by_grid) {
  if (!by_grid) return 1;
  game_grid_plan plan;
  game->grid->plan(rules, slice, &plan);
  return plan.groups;
}

/* Returns a copy of *like with empty groups and slabs, or NULL if memory is missing. */
static slice_layout *allocate_layout(const slice_layout *like) {
  slice_layout *layout = calloc(1, sizeof *layout);
  if (!layout) return NULL;
  *layout = *like;
  layout->groups = calloc(layout->groups_n, sizeof *layout->groups);
  layout->slabs = calloc(layout->shards * layout->groups_n, sizeof *layout->slabs);
  if (layout->groups && layout->slabs) return layout;
  layout_close(layout);
  return NULL;
}

/* Cuts the groups and places the slabs. Fails if `layout` is NULL, since memory was missing. */
static tauler_error finish_layout(slice_layout *layout, uint32_t slice, slice_layout **out,
                                  tauler_message *message) {
  if (!layout || cut_groups(layout)) {
    layout_close(layout);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to cut slice %u into shards", slice);
  }
  const game_grid_group *last = &layout->groups[layout->groups_n - 1];
  layout->tiles = last->first_tile + last->tiles;
  layout->blocks = last->first_block + last->blocks;
  place_slabs(layout);
  *out = layout;
  return TAULER_OK;
}

tauler_error layout_open(const game *game, const game_rules *rules, uint32_t slice, bool by_grid,
                         uint32_t shards, uint32_t shards_per_rank, slice_layout **out,
                         tauler_message *message) {
  *out = NULL;
  slice_layout *layout =
      allocate_layout(&(slice_layout){.slice = slice,
                                      .positions = game->positions(rules, slice),
                                      .shards = shards,
                                      .shards_per_rank = shards_per_rank,
                                      .groups_n = count_groups(game, rules, slice, by_grid)});
  if (layout) describe_groups(layout, game, rules, by_grid);
  return finish_layout(layout, slice, out, message);
}

tauler_error layout_open_items(uint32_t slice, uint64_t items, uint64_t run_items, uint64_t tile_items,
                               slice_layout **out, tauler_message *message) {
  *out = NULL;
  const uint64_t tiles = (run_items + tile_items - 1) / tile_items;
  slice_layout *layout = allocate_layout(&(slice_layout){.slice = slice,
                                                         .positions = items,
                                                         .shards = 1,
                                                         .shards_per_rank = 1,
                                                         .groups_n = (size_t)(items / run_items)});
  for (size_t i = 0; layout && i < layout->groups_n; i++) {
    layout->groups[i] = (game_grid_group){.first_tile = i * tiles,
                                          .tiles = tiles,
                                          .first_block = i,
                                          .blocks = 1,
                                          .first_cell = i * run_items,
                                          .columns = run_items,
                                          .tile_columns = tile_items};
  }
  return finish_layout(layout, slice, out, message);
}

void layout_close(slice_layout *layout) {
  if (!layout) return;
  free(layout->groups);
  free(layout->slabs);
  free(layout);
}

uint64_t layout_bytes(const slice_layout *layout) {
  return sizeof *layout + layout->groups_n * sizeof *layout->groups +
         (uint64_t)layout->shards * layout->groups_n * sizeof *layout->slabs;
}

const game_grid_slab *layout_slabs(const slice_layout *layout, uint32_t shard) {
  return slab_of(layout, shard, 0);
}

game_grid_slab layout_place_in_slice(const game_grid_group *group, const game_grid_slab *slab) {
  game_grid_slab placed = *slab;
  placed.first_cell = group->first_cell + slab->from;
  placed.first_changed = group->first_changed + slab->from / 8;
  placed.width = group->columns;
  placed.changed_width = changed_width(group->columns);
  return placed;
}

shard_size layout_shard_size(const slice_layout *layout, uint32_t shard) {
  const size_t last = layout->groups_n - 1;
  shard_size size = end_of_slab(&layout->groups[last], slab_of(layout, shard, last));
  for (size_t i = 0; i < layout->groups_n; i++) {
    size.tiles += count_slab_tiles(&layout->groups[i], slab_of(layout, shard, i));
  }
  return size;
}

uint64_t layout_slab_tiles(const slice_layout *layout, uint32_t shard, size_t group) {
  return count_slab_tiles(&layout->groups[group], slab_of(layout, shard, group));
}

uint64_t layout_tile(const slice_layout *layout, uint32_t shard, uint64_t i) {
  size_t group = 0;
  for (;; group++) {
    const uint64_t tiles = count_slab_tiles(&layout->groups[group], slab_of(layout, shard, group));
    if (i < tiles) break;
    i -= tiles;
  }
  const game_grid_group *found = &layout->groups[group];
  return found->first_tile + slab_of(layout, shard, group)->from / found->tile_columns + i;
}

/* Returns the last group that begins at or before a place, where `first` is the place of the first group. An
 * empty group begins where the next one does, so it is never found. */
static inline size_t find_group(const slice_layout *layout, const uint64_t *first, uint64_t place) {
  return memory_find_last(first, sizeof *layout->groups, layout->groups_n, place);
}

/* Returns the owner of a column: the last shard whose slab begins at or before it, which is not empty. */
static uint32_t owner_of_column(const slice_layout *layout, size_t group, uint64_t column) {
  return (uint32_t)memory_find_last(&slab_of(layout, 0, group)->from,
                                    layout->groups_n * sizeof *layout->slabs, layout->shards, column);
}

uint32_t layout_owner_of_tile(const slice_layout *layout, uint64_t tile) {
  const size_t group = find_group(layout, &layout->groups->first_tile, tile);
  const game_grid_group *found = &layout->groups[group];
  return owner_of_column(layout, group, (tile - found->first_tile) * found->tile_columns);
}

static void visit_group(const game_grid_group *group, const game_grid_slab *slab, uint64_t first,
                        uint64_t end, layout_visit *visit, void *user) {
  if (slab->columns == group->columns) {
    visit(user, group->first_cell + first, slab->first_cell + first, end - first);
    return;
  }
  uint64_t block = first / group->columns;
  for (uint64_t row = block * group->columns; row < end; row += group->columns, block++) {
    const uint64_t left = row + slab->from, right = left + slab->columns;
    const uint64_t from = left > first ? left : first, to = right < end ? right : end;
    if (from >= to) continue;
    visit(user, group->first_cell + from, slab->first_cell + block * slab->columns + (from - left),
          to - from);
  }
}

void layout_visit_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                        layout_visit *visit, void *user) {
  const uint64_t end = first + count;
  for (size_t i = find_group(layout, &layout->groups->first_cell, first); i < layout->groups_n; i++) {
    const game_grid_group *group = &layout->groups[i];
    const game_grid_slab *slab = slab_of(layout, shard, i);
    if (group->first_cell >= end) break;
    const uint64_t cells = group->blocks * group->columns, rest = end - group->first_cell;
    const uint64_t from = first > group->first_cell ? first - group->first_cell : 0;
    const uint64_t to = rest < cells ? rest : cells;
    if (slab->columns > 0 && from < to) visit_group(group, slab, from, to, visit, user);
  }
}

typedef struct {
  layout_array to, from;
  size_t cell_bytes;
  uint64_t first, n;
} copying;

static char *cells_at(const copying *c, layout_array array, uint64_t index, uint64_t own) {
  const uint64_t at = array.order == CELLS_OF_RANGE   ? index - c->first
                      : array.order == CELLS_OF_SHARD ? own
                                                      : c->n;
  return (char *)array.cells + at * c->cell_bytes;
}

static void copy_cells(void *user, uint64_t index, uint64_t own, uint64_t n) {
  copying *c = user;
  if (c->to.cells)
    memcpy(cells_at(c, c->to, index, own), cells_at(c, c->from, index, own), n * c->cell_bytes);
  c->n += n;
}

uint64_t layout_copy_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                           size_t cell_bytes, layout_array to, layout_array from) {
  copying copied = {to, from, cell_bytes, first, 0};
  layout_visit_range(layout, shard, first, count, copy_cells, &copied);
  return copied.n;
}

/* Returns the number of cells of a slab among the first `n` cells of its group. */
static uint64_t count_slab_cells(const game_grid_group *group, const game_grid_slab *slab, uint64_t n) {
  const uint64_t blocks = n / group->columns, rest = n % group->columns;
  const uint64_t more = rest > slab->from ? rest - slab->from : 0;
  return blocks * slab->columns + (more < slab->columns ? more : slab->columns);
}

/* Adds to held[rank] the number of the cells [first, end) that each rank holds. */
static void count_held(const slice_layout *layout, uint64_t first, uint64_t end, uint64_t *held) {
  for (size_t i = find_group(layout, &layout->groups->first_cell, first); i < layout->groups_n; i++) {
    const game_grid_group *group = &layout->groups[i];
    if (group->first_cell >= end) break;
    const uint64_t cells = group->blocks * group->columns, rest = end - group->first_cell;
    const uint64_t from = first > group->first_cell ? first - group->first_cell : 0;
    const uint64_t to = rest < cells ? rest : cells;
    if (from >= to) continue;
    const bool whole = from / group->columns != (to - 1) / group->columns;
    const uint32_t last = owner_of_column(layout, i, whole ? group->columns - 1 : (to - 1) % group->columns);
    for (uint32_t s = owner_of_column(layout, i, whole ? 0 : from % group->columns); s <= last; s++) {
      const game_grid_slab *slab = slab_of(layout, s, i);
      held[s / layout->shards_per_rank] +=
          count_slab_cells(group, slab, to) - count_slab_cells(group, slab, from);
    }
  }
}

/* Returns the rank that holds most cells of a chunk. A rank without room for the chunk counts as if it held
 * none. */
static uint32_t choose_owner(const uint64_t *held, const uint64_t *room, uint32_t ranks, uint64_t cells) {
  uint32_t best = 0;
  for (uint32_t r = 1; r < ranks; r++) {
    const uint64_t own = room[r] < cells ? 0 : held[r], most = room[best] < cells ? 0 : held[best];
    if (own > most || (own == most && room[r] > room[best])) best = r;
  }
  return best;
}

tauler_error layout_chunk_owners(const slice_layout *layout, uint64_t chunk_cells, uint32_t *owners,
                                 tauler_message *message) {
  enum { PARTS_OVER = 16 };
  const uint32_t ranks = layout->shards / layout->shards_per_rank;
  uint64_t *held = calloc(2 * (size_t)ranks, sizeof *held);
  if (!held)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to cut slice %u into shards", layout->slice);
  uint64_t *room = held + ranks;
  for (uint32_t s = 0; s < layout->shards; s++)
    room[s / layout->shards_per_rank] += layout_shard_size(layout, s).cells;
  for (uint32_t r = 0; r < ranks; r++) room[r] += room[r] / PARTS_OVER + chunk_cells;
  for (uint64_t first = 0, w = 0; first < layout->positions; first += chunk_cells, w++) {
    const uint64_t left = layout->positions - first, cells = left < chunk_cells ? left : chunk_cells;
    memset(held, 0, ranks * sizeof *held);
    count_held(layout, first, first + cells, held);
    owners[w] = choose_owner(held, room, ranks, cells);
    room[owners[w]] -= cells < room[owners[w]] ? cells : room[owners[w]];
  }
  free(held);
  return TAULER_OK;
}
