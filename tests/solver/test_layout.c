/* Tests the owners of cells of a slice in shards: each cell has one owner; ranks agree on owner and place. */
#include "games/registry.h"
#include "solver/shards/layout.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { MOST_SEEDS = 12, RANGES = 12 };

static const uint32_t shard_counts[] = {1, 2, 3, 5, 16};
enum { SHARD_COUNTS = sizeof shard_counts / sizeof *shard_counts };

/* A game without a grid of which nothing is known but its size: its rules are the number of positions. */
static uint64_t count_of_rules(const game_rules *rules, uint32_t slice) {
  return *(const uint64_t *)(const void *)rules;
}

static const uint64_t range_sizes[] = {0, 1, 4095, 4096, 4097, 20000, 300001};
enum { RANGE_SIZES = sizeof range_sizes / sizeof *range_sizes };

static slice_layout *open_ranges(const uint64_t *positions, uint32_t shards) {
  const game ranges = {.name = "ranges", .positions = count_of_rules};
  slice_layout *layout;
  const game_rules *rules = (const game_rules *)(const void *)positions;
  MUST(layout_open(&ranges, rules, 0, false, shards, 1, &layout, NULL));
  return layout;
}

static slice_layout *open_auale(uint32_t seeds, uint32_t shards) {
  const game *auale = game_find("auale");
  slice_layout *layout;
  game_rules *rules = suite_rules(auale, "awari", "even");
  MUST(layout_open(auale, rules, seeds, true, shards, 2, &layout, NULL));
  return layout;
}

/* Places of the loop tests: all slices of aualé, then all sizes of ranges. */
enum { PLACES = MOST_SEEDS + 1 + RANGE_SIZES };

static slice_layout *open_place(int place, uint32_t shards) {
  if (place <= MOST_SEEDS) return open_auale((uint32_t)place, shards);
  return open_ranges(&range_sizes[place - MOST_SEEDS - 1], shards);
}

/* The owner of a cell, and where it stands in the owner's cells. */
static uint32_t owner_of(const slice_layout *layout, uint64_t index, uint64_t *own) {
  size_t g = layout->groups_n - 1;
  while (g > 0 && layout->groups[g].first_cell > index) g--;
  const game_grid_group *group = &layout->groups[g];
  const uint64_t place = index - group->first_cell, column = place % group->columns;
  uint32_t shard = layout->shards - 1;
  while (shard > 0 && layout_slabs(layout, shard)[g].from > column) shard--;
  const game_grid_slab *slab = &layout_slabs(layout, shard)[g];
  *own = slab->first_cell + place / group->columns * slab->columns + (column - slab->from);
  return shard;
}

static void check_tiles(const slice_layout *layout) {
  uint8_t *owned = suite_zeros(layout->tiles, 1);
  uint64_t tiles = 0;
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    const shard_size size = layout_shard_size(layout, shard);
    tiles += size.tiles;
    for (uint64_t i = 0; i < size.tiles; i++) {
      const uint64_t tile = layout_tile(layout, shard, i);
      ck_assert_uint_lt(tile, layout->tiles);
      ck_assert_uint_eq(owned[tile]++, 0);
      ck_assert_uint_eq(layout_owner_of_tile(layout, tile), shard);
    }
  }
  ck_assert_uint_eq(tiles, layout->tiles);
}

static uint64_t tile_of(const slice_layout *layout, uint64_t index) {
  const game_grid_group *group = layout->groups;
  while (index >= group->first_cell + group->blocks * group->columns) group++;
  return group->first_tile + (index - group->first_cell) % group->columns / group->tile_columns;
}

/* Where all cells are said to stand, checked to be a bijection. */
typedef struct {
  uint32_t *owner;
  uint64_t *own;
} whereabouts;

static whereabouts ask_for_cells(const slice_layout *layout) {
  whereabouts at = {suite_zeros(layout->positions, sizeof *at.owner),
                    suite_zeros(layout->positions, sizeof *at.own)};
  uint8_t **seen = suite_zeros(layout->shards, sizeof *seen);
  uint64_t cells = 0;
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    seen[shard] = suite_zeros(layout_shard_size(layout, shard).cells, 1);
    cells += layout_shard_size(layout, shard).cells;
  }
  ck_assert_uint_eq(cells, layout->positions);
  for (uint64_t i = 0; i < layout->positions; i++) {
    at.owner[i] = owner_of(layout, i, &at.own[i]);
    if (at.owner[i] >= layout->shards) ck_abort_msg("no such shard");
    if (at.own[i] >= layout_shard_size(layout, at.owner[i]).cells) ck_abort_msg("beyond the shard");
    if (seen[at.owner[i]][at.own[i]]++) ck_abort_msg("two cells in one place");
    if (layout_owner_of_tile(layout, tile_of(layout, i)) != at.owner[i]) ck_abort_msg("not the tile's owner");
  }
  return at;
}

/* For many numbers of shards, the owners of tiles alone. */
CASE(every_tile_has_one_owner) {
  for (uint32_t shards = 1; shards <= 17; shards++) {
    slice_layout *layout = open_place(_i, shards);
    check_tiles(layout);
    layout_close(layout);
  }
}

CASE(everything_has_one_owner) {
  for (int s = 0; s < SHARD_COUNTS; s++) {
    slice_layout *layout = open_place(_i, shard_counts[s]);
    check_tiles(layout);
    (void)ask_for_cells(layout);
    layout_close(layout);
  }
}

/* How many cells lie with the owners of their chunks; no rank owns much more than its shards hold. */
static uint64_t count_staying(const slice_layout *layout, uint64_t chunk_cells) {
  const uint32_t ranks = layout->shards / layout->shards_per_rank;
  uint64_t *owned = suite_zeros(2 * (uint64_t)ranks, sizeof *owned), *held = owned + ranks, staying = 0, own;
  uint32_t *owners = suite_zeros(layout->positions / chunk_cells + 1, sizeof *owners);
  MUST(layout_chunk_owners(layout, chunk_cells, owners, NULL));
  for (uint64_t i = 0; i < layout->positions; i++) {
    const uint32_t owner = owners[i / chunk_cells],
                   rank = owner_of(layout, i, &own) / layout->shards_per_rank;
    ck_assert_uint_lt(owner, ranks);
    owned[owner]++;
    held[rank]++;
    staying += rank == owner;
  }
  for (uint32_t r = 0; r < ranks; r++) ck_assert_uint_le(owned[r], held[r] + held[r] / 16 + chunk_cells);
  return staying;
}

/* On one, two, four and eight ranks. If chunks lay with the ranks in turn 100, 50, 25 and 12 % would stay.
 */
CASE(chunks_lie_where_most_of_their_cells_are) {
  static const uint32_t shards[] = {2, 4, 8, 16};
  static const unsigned least_percent[] = {100, 90, 70, 50};
  for (int s = 0; s < 4; s++) {
    slice_layout *layout = open_auale(12, shards[s]);
    const uint64_t staying = count_staying(layout, 4096);
    ck_assert_uint_ge(100 * staying, least_percent[s] * layout->positions);
    layout_close(layout);
    const uint64_t positions = 300001;
    layout = open_ranges(&positions, shards[s]);
    ck_assert_uint_ge(count_staying(layout, 1000), positions - shards[s] * 1000);
    layout_close(layout);
  }
}

typedef struct {
  const whereabouts *at;
  uint32_t shard;
  uint64_t first, end, next; /* the range, and the least index that may come */
  uint8_t *visits;
} tour;

static void visit(void *user, uint64_t index, uint64_t own, uint64_t n) {
  tour *t = user;
  if (n == 0 || index < t->next || index < t->first || index + n > t->end) ck_abort_msg("out of order");
  for (uint64_t i = 0; i < n; i++) {
    if (t->at->owner[index + i] != t->shard || t->at->own[index + i] != own + i) ck_abort_msg("not its cell");
    t->visits[index + i - t->first]++;
  }
  t->next = index + n;
}

static uint64_t draw(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *seed >> 20;
}

static void tour_range(const slice_layout *layout, const whereabouts *at, uint64_t first, uint64_t count) {
  uint8_t *visits = calloc(count + 1, 1); /* one of many ranges */
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    tour t = {at, shard, first, first + count, first, visits};
    layout_visit_range(layout, shard, first, count, visit, &t);
  }
  for (uint64_t i = 0; i < count; i++) {
    if (visits[i] != 1)
      ck_abort_msg("cell %llu visited %d times", (unsigned long long)(first + i), visits[i]);
  }
  free(visits);
}

CASE(ranges_are_visited_once) {
  uint64_t seed = (uint64_t)_i;
  for (int s = 0; s < SHARD_COUNTS; s++) {
    slice_layout *layout = open_place(_i, shard_counts[s]);
    const whereabouts at = ask_for_cells(layout);
    tour_range(layout, &at, 0, layout->positions);
    for (int i = 0; i < SOME(RANGES / 4, RANGES) && layout->positions; i++) {
      const uint64_t first = draw(&seed) % layout->positions, rest = layout->positions - first;
      tour_range(layout, &at, first, draw(&seed) % (i % 2 ? rest + 1 : rest % 100 + 1));
    }
    layout_close(layout);
  }
}

/* Slabs follow each other without gaps or overlaps, and begin and end with tiles. */
CASE(slabs_are_whole_and_follow_each_other) {
  for (int s = 0; s < SHARD_COUNTS; s++) {
    slice_layout *layout = open_place(_i, shard_counts[s]);
    uint64_t *columns = suite_zeros(layout->groups_n, sizeof *columns);
    for (uint32_t shard = 0; shard < layout->shards; shard++) {
      const game_grid_slab *slabs = layout_slabs(layout, shard);
      shard_size end = {0};
      for (size_t i = 0; i < layout->groups_n; i++) {
        const game_grid_group *group = &layout->groups[i];
        const uint64_t to = slabs[i].from + slabs[i].columns;
        ck_assert_uint_eq(slabs[i].from, columns[i]);
        ck_assert(slabs[i].columns == 0 || slabs[i].from % group->tile_columns == 0);
        ck_assert(slabs[i].columns % 8 == 0 || to == group->columns);
        ck_assert(to == group->columns || to % group->tile_columns == 0);
        ck_assert_uint_eq(slabs[i].first_cell, end.cells);
        ck_assert_uint_eq(slabs[i].first_bound, end.bounds);
        ck_assert_uint_eq(slabs[i].first_changed, end.changed);
        end.cells += group->blocks * slabs[i].columns;
        end.bounds += group->bounds * slabs[i].columns;
        end.changed += group->blocks * ((slabs[i].columns + 7) / 8);
        columns[i] = to;
      }
      const shard_size size = layout_shard_size(layout, shard);
      ck_assert_uint_eq(size.cells, end.cells);
      ck_assert_uint_eq(size.bounds, end.bounds);
      ck_assert_uint_eq(size.changed, end.changed);
    }
    for (size_t i = 0; i < layout->groups_n; i++) ck_assert_uint_eq(columns[i], layout->groups[i].columns);
    layout_close(layout);
  }
}

CASE(tiles_do_not_depend_on_shards) {
  slice_layout *one = open_place(_i, 1);
  for (int s = 1; s < SHARD_COUNTS; s++) {
    slice_layout *layout = open_place(_i, shard_counts[s]);
    ck_assert_uint_eq(layout->tiles, one->tiles);
    ck_assert_uint_eq(layout->blocks, one->blocks);
    ck_assert_uint_eq(layout->groups_n, one->groups_n);
    ck_assert_mem_eq(layout->groups, one->groups, one->groups_n * sizeof *one->groups);
    ck_assert_uint_gt(layout_bytes(layout), layout_bytes(one));
    layout_close(layout);
  }
  layout_close(one);
}

/* Groups of a grid follow each other without gaps, and are all of the slice. */
CASE(groups_are_the_whole_slice) {
  const game *auale = game_find("auale");
  game_rules *rules = suite_rules(auale, "awari", "even");
  for (uint32_t seeds = 0; seeds <= 48; seeds++) {
    game_grid_plan plan;
    game_grid_group group, end = {0};
    auale->grid->plan(rules, seeds, &plan);
    for (size_t i = 0; i < plan.groups; i++) {
      auale->grid->group(rules, seeds, i, &group);
      ck_assert_uint_eq(group.first_tile, end.first_tile);
      ck_assert_uint_eq(group.first_block, end.first_block);
      ck_assert_uint_eq(group.first_cell, end.first_cell);
      ck_assert_uint_eq(group.first_changed, end.first_changed);
      ck_assert_uint_eq(group.first_bound, end.first_bound);
      ck_assert_uint_eq(group.tiles, (group.columns + group.tile_columns - 1) / group.tile_columns);
      ck_assert(group.tiles == 1 || group.tile_columns % 8 == 0);
      end.first_tile += group.tiles;
      end.first_block += group.blocks;
      end.first_cell += group.blocks * group.columns;
      end.first_changed += group.blocks * ((group.columns + 7) / 8);
      end.first_bound += group.bounds * group.columns;
    }
    ck_assert_uint_eq(end.first_cell, auale->positions(rules, seeds));
    ck_assert_uint_eq(end.first_tile, plan.tiles);
    ck_assert_uint_eq(end.first_block, plan.blocks);
    ck_assert_uint_eq(end.first_bound, plan.bounds);
    ck_assert_uint_le(end.first_changed, plan.changed_bytes);
  }
}

/* Shards differ from the mean by a few percent and a tile of the largest kind; without care a shard of small
 * groups would get all that cannot be divided. Where there are tiles enough, by a few percent alone. */
CASE(shards_are_alike) {
  for (uint32_t seeds = 8; seeds <= 24; seeds += 2) {
    for (uint32_t shards = 1; shards <= 17; shards++) {
      slice_layout *layout = open_auale(seeds, shards);
      uint64_t most = 0, largest_tile = 0;
      for (uint32_t shard = 0; shard < layout->shards; shard++) {
        const uint64_t cells = layout_shard_size(layout, shard).cells;
        most = cells > most ? cells : most;
      }
      for (size_t i = 0; i < layout->groups_n; i++) {
        const game_grid_group *group = &layout->groups[i];
        const uint64_t widest = group->columns < group->tile_columns ? group->columns : group->tile_columns;
        const uint64_t tile = widest * group->blocks;
        largest_tile = tile > largest_tile ? tile : largest_tile;
      }
      const uint64_t mean = layout->positions / shards;
      ck_assert_uint_le(most, mean + mean / 20 + (seeds < 16 ? largest_tile : 0));
      layout_close(layout);
    }
  }
}

/* Aualé as a game that names no bands, so that all groups are cut into columns alike. */
static void describe_without_band(const game_rules *rules, uint32_t slice, size_t i, game_grid_group *out) {
  game_find("auale")->grid->group(rules, slice, i, out);
  out->band = 0;
}

/* Moves inside the slice from one shard to another, of every board by the rules of the game. */
static uint64_t count_crossing(const game *game, const game_rules *rules, const slice_layout *layout) {
  uint64_t crossing = 0, own;
  for (uint64_t index = 0; index < layout->positions; index++) {
    game_position position;
    game_moves moves = {0};
    game_place child;
    game->position_at(rules, (game_place){layout->slice, index}, &position);
    MUST(game->moves(rules, &position, &moves));
    const uint32_t owner = owner_of(layout, index, &own);
    for (size_t i = 0; i < moves.used; i++) {
      if (moves.moves[i].converts) continue;
      ck_assert(game->locate(rules, &moves.moves[i].child, &child));
      crossing += owner_of(layout, child.index, &own) != owner;
    }
    game_moves_free(&moves);
  }
  return crossing;
}

/* At most so many percent of the moves that cross where no bands are named. */
CASE(bands_keep_moves_within_shards) {
  static const struct { uint32_t shards, percent; } cases[] = {{2, 40}, {4, 60}, {8, 85}};
  const game *auale = game_find("auale");
  game columns = *auale;
  game_grid grid = *auale->grid;
  grid.group = describe_without_band;
  columns.grid = &grid;
  game_rules *rules = suite_rules(auale, "awari", "even");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    slice_layout *by_bands, *by_columns;
    MUST(layout_open(auale, rules, 10, true, cases[i].shards, 1, &by_bands, NULL));
    MUST(layout_open(&columns, rules, 10, true, cases[i].shards, 1, &by_columns, NULL));
    const uint64_t less = count_crossing(auale, rules, by_bands);
    const uint64_t more = count_crossing(auale, rules, by_columns);
    ck_assert_uint_le(less * 100, more * cases[i].percent);
    layout_close(by_bands);
    layout_close(by_columns);
  }
}

/* Large slices have tiles enough for a thousand shards; the grain grows with the slice only. */
CASE(ranges_fit_the_size_of_the_slice) {
  static const struct {
    uint64_t positions, range;
  } cases[] = {{1, 1 << 12},
               {1 << 29, 1 << 12},
               {(1 << 29) + 1, 1 << 13},
               {UINT64_C(1) << 36, 1 << 19},
               {UINT64_C(1) << 42, 1 << 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    slice_layout *layout = open_ranges(&cases[i].positions, 1024);
    ck_assert_uint_eq(layout->groups[0].tile_columns, cases[i].range);
    ck_assert_uint_eq(layout->tiles, (cases[i].positions + cases[i].range - 1) / cases[i].range);
    ck_assert(cases[i].positions < 1 << 29 || layout->tiles >= 64 * 1024);
    uint64_t own;
    const uint32_t last = owner_of(layout, cases[i].positions - 1, &own);
    ck_assert_uint_eq(own + 1, layout_shard_size(layout, last).cells);
    layout_close(layout);
  }
}

SUITE("layout") {
  LOOP(every_tile_has_one_owner, PLACES);
  TEST(chunks_lie_where_most_of_their_cells_are);
  LOOP(everything_has_one_owner, PLACES);
  LOOP(ranges_are_visited_once, PLACES);
  LOOP(slabs_are_whole_and_follow_each_other, PLACES);
  LOOP(tiles_do_not_depend_on_shards, PLACES);
  TESTS(groups_are_the_whole_slice, shards_are_alike, bands_keep_moves_within_shards,
        ranges_fit_the_size_of_the_slice);
}
