/* The grid's kernels on a slice in shards, without any comm: what each shard owns, and copies of only
 * those blocks that its tiles are said to read. All else in the copies is poison that would change
 * results, and finished cells may be read only within the runs that were declared. */
#include "games/registry.h"
#include "solver/engines/solve.h"
#include "solver/shards/layout.h"
#include "tests/support/solver/world.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

enum { MOST_SEEDS = 9, MOST_SHARDS = 7, RESERVED = INT8_MIN };
/* A cell that every move would prefer, changed cells everywhere. */
enum { POISON_CELL = -100, POISON_CHANGED = 0xFF, POISON_STIRRED = 1 };
enum { CHANGED_RISEN = 0, CHANGED_FALLEN = 1 };

static const uint32_t shard_counts[] = {1, 2, 3, MOST_SHARDS};
enum { SHARD_COUNTS = sizeof shard_counts / sizeof *shard_counts };

static const struct {
  const char *rules, *cycles;
} variants[] = {
    {"awari", "even"}, {"awari", "forced"}, {"abapa", "forced"}, {"awari,grand-slam=captures", "even"}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void *new_array(uint64_t bytes, int fill) {
  return memset(suite_zeros(bytes, 1), fill, bytes);
}

/* Cells that a tile declared to read; `order` wants them all and as declared, else any of them. */
typedef struct {
  const solved_slice *list;
  game_runs runs;
  bool order;
  size_t met; /* runs met so far, if in order */
} declared_runs;

typedef struct {
  shard_size size;
  uint8_t *reads; /* a byte per block */
  game_grid_state state;
  int8_t *cells[GRID_PLANES]; /* copies, in index order */
  uint8_t *changed[GRID_PLANES];
  uint8_t *dirty[GRID_PLANES];
  uint8_t *known;
  void *scratch;
} shard;

typedef struct {
  const world *whole;
  const game_grid *grid;
  const solved_slice *right;
  game_grid_plan plan;
  slice_layout *layout;
  declared_runs runs;
  game_finished finished;
  shard shards[MOST_SHARDS];
} sharing;

static bool is_met(const game_run *run, const game_run *wanted) {
  return run->slice == wanted->slice && run->first == wanted->first && run->count == wanted->count;
}

/* The planes of a run are read one after the other, so a run is met once or more. */
static bool is_next_in_order(declared_runs *declared, const game_run *wanted) {
  const game_run *next = declared->runs.runs + declared->met;
  if (declared->met > 0 && is_met(next - 1, wanted)) return true;
  if (declared->met == declared->runs.used || !is_met(next, wanted)) return false;
  declared->met++;
  return true;
}

static bool is_declared(const game_runs *runs, const game_run *wanted) {
  for (size_t i = 0; i < runs->used; i++) {
    const game_run *run = &runs->runs[i];
    if (run->slice == wanted->slice && run->first <= wanted->first &&
        wanted->first + wanted->count <= run->first + run->count)
      return true;
  }
  return false;
}

static const int8_t *read_declared(void *user, uint32_t slice, int plane, uint64_t first, size_t count,
                                   int8_t *scratch) {
  declared_runs *declared = user;
  const game_run wanted = {slice, first, count};
  if (declared->order ? !is_next_in_order(declared, &wanted) : !is_declared(&declared->runs, &wanted))
    ck_abort_msg("slice %u, cells from %llu: read, but not declared", slice, (unsigned long long)first);
  return memcpy(scratch, declared->list[slice].cells[plane] + first, count);
}

/* Calls back for every block that a shard has a copy of. */
typedef void block_work(const sharing *s, shard *one, const game_grid_group *group, uint64_t block);

static void for_copied_blocks(sharing *s, shard *one, block_work *work) {
  for (size_t i = 0; i < s->layout->groups_n; i++) {
    const game_grid_group *group = &s->layout->groups[i];
    for (uint64_t block = 0; block < group->blocks; block++) {
      if (one->reads[group->first_block + block]) work(s, one, group, block);
    }
  }
}

static uint64_t changed_width(uint64_t columns) {
  return (columns + 7) / 8;
}

static void clear_block(const sharing *s, shard *one, const game_grid_group *group, uint64_t block) {
  const uint64_t width = changed_width(group->columns);
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    if (plane < s->plan.planes)
      memset(one->cells[plane] + group->first_cell + block * group->columns, s->plan.open[plane],
             group->columns);
    memset(one->changed[plane] + group->first_changed + block * width, 0, width);
    one->dirty[plane][group->first_block + block] = 0;
  }
  memset(one->known + group->first_changed + block * width, 0, width);
}

static void open_shard(sharing *s, uint32_t number) {
  shard *one = &s->shards[number];
  one->size = layout_shard_size(s->layout, number);
  one->reads = new_array(s->plan.blocks, 0);
  for (uint64_t i = 0; i < one->size.tiles; i++) {
    s->grid->reads(s->whole->tables, s->right->slice, layout_tile(s->layout, number, i), one->reads);
  }
  one->state = (game_grid_state){.slice = s->right->slice,
                                 .planes = s->plan.planes,
                                 .slabs = layout_slabs(s->layout, number),
                                 .finished = &s->finished};
  one->known = new_array(s->plan.changed_bytes, POISON_CHANGED);
  one->scratch = new_array(s->plan.scratch_bytes, 0);
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    const bool used = plane < s->plan.planes;
    one->cells[plane] = new_array(s->right->positions, POISON_CELL);
    one->changed[plane] = new_array(s->plan.changed_bytes, POISON_CHANGED);
    one->dirty[plane] = new_array(s->plan.blocks, POISON_STIRRED);
    one->state.cells[plane] = one->cells[plane];
    one->state.changed[plane] = one->changed[plane];
    one->state.dirty[plane] = one->dirty[plane];
    one->state.own[plane] = new_array(one->size.cells, used ? s->plan.open[plane] : 0);
    one->state.bounds[plane] = new_array(one->size.bounds, 0);
    one->state.next_changed[plane] = new_array(one->size.changed, 0);
    one->state.next_dirty[plane] = new_array(s->plan.blocks, 0);
  }
  for_copied_blocks(s, one, clear_block);
}

static void open_sharing(sharing *s, const world *w, uint32_t slice, uint32_t shards) {
  *s = (sharing){.whole = w, .grid = w->game->grid, .right = &w->list[slice]};
  s->runs.list = w->list;
  s->finished = (game_finished){read_declared, &s->runs};
  s->grid->plan(w->rules, slice, &s->plan);
  MUST(layout_open(w->game, w->rules, slice, true, shards, 1, &s->layout, NULL));
  for (uint32_t i = 0; i < shards; i++) open_shard(s, i);
}

static void close_sharing(sharing *s) {
  layout_close(s->layout);
  free(s->runs.runs.runs);
}

/* One column of a slab's block, to the copies of all shards that read the block. */
static void send_cell(sharing *s, uint32_t from, size_t group_number, uint64_t block, uint64_t column,
                      int plane, bool as_changed) {
  const game_grid_group *group = &s->layout->groups[group_number];
  const game_grid_slab *slab = &s->shards[from].state.slabs[group_number];
  const uint64_t at = slab->from + column,
                 changed = group->first_changed + block * changed_width(group->columns);
  const int cell_plane = s->plan.planes == 1 ? 0 : plane;
  const int8_t value =
      s->shards[from].state.own[cell_plane][slab->first_cell + block * slab->columns + column];
  for (uint32_t to = 0; to < s->layout->shards; to++) {
    shard *one = &s->shards[to];
    if (!one->reads[group->first_block + block]) continue;
    one->cells[cell_plane][group->first_cell + block * group->columns + at] = value;
    if (!as_changed) continue;
    one->changed[plane][changed + at / 8] |= (uint8_t)(1u << at % 8);
    one->dirty[plane][group->first_block + block] = 1;
  }
}

/* Makes the dirty cells of a block of a shard changed cells; returns them. */
static uint64_t send_block(sharing *s, uint32_t from, size_t group_number, uint64_t block, int plane) {
  const game_grid_slab *slab = &s->shards[from].state.slabs[group_number];
  uint8_t *row =
      s->shards[from].state.next_changed[plane] + slab->first_changed + block * changed_width(slab->columns);
  uint64_t sent = 0;
  for (uint64_t column = 0; column < slab->columns; column++) {
    if (!(row[column / 8] >> column % 8 & 1)) continue;
    row[column / 8] &= (uint8_t) ~(1u << column % 8);
    send_cell(s, from, group_number, block, column, plane, true);
    sent++;
  }
  return sent;
}

static void check_all_sent(const shard *one) {
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    for (uint64_t i = 0; i < one->size.changed; i++) {
      if (one->state.next_changed[plane][i])
        ck_abort_msg("next_changed cells in a block that is not next_dirty");
    }
  }
}

/* After a round: only blocks that say so have fresh cells. */
static void send_next_changed(sharing *s) {
  for (uint32_t from = 0; from < s->layout->shards; from++) {
    for (size_t i = 0; i < s->layout->groups_n; i++) {
      const game_grid_group *group = &s->layout->groups[i];
      for (uint64_t at = 0; at < group->blocks * GRID_PLANES; at++) {
        const int plane = (int)(at % GRID_PLANES);
        uint8_t *next_dirty = &s->shards[from].state.next_dirty[plane][group->first_block + at / GRID_PLANES];
        if (*next_dirty && send_block(s, from, i, at / GRID_PLANES, plane) == 0)
          ck_abort_msg("a block is next_dirty for nothing");
        *next_dirty = 0;
      }
    }
    check_all_sent(&s->shards[from]);
  }
}

/* All cells, whether they changed or not. */
static void send_everything(sharing *s) {
  for (uint32_t from = 0; from < s->layout->shards; from++) {
    for (size_t i = 0; i < s->layout->groups_n; i++) {
      const game_grid_slab *slab = &s->shards[from].state.slabs[i];
      for (uint64_t at = 0; at < s->layout->groups[i].blocks * slab->columns; at++) {
        for (int plane = 0; plane < s->plan.planes; plane++)
          send_cell(s, from, i, at / slab->columns, at % slab->columns, plane, false);
      }
    }
  }
}

static void clear_risen(const sharing *s, shard *one, const game_grid_group *group, uint64_t block) {
  const uint64_t width = changed_width(group->columns);
  memset(one->changed[CHANGED_RISEN] + group->first_changed + block * width, 0, width);
  one->dirty[CHANGED_RISEN][group->first_block + block] = 0;
}

static void clear_fallen(const sharing *s, shard *one, const game_grid_group *group, uint64_t block) {
  const uint64_t width = changed_width(group->columns);
  memset(one->changed[CHANGED_FALLEN] + group->first_changed + block * width, 0, width);
  one->dirty[CHANGED_FALLEN][group->first_block + block] = 0;
}

static void learn_block(const sharing *s, shard *one, const game_grid_group *group, uint64_t block) {
  const uint64_t width = changed_width(group->columns), first = group->first_changed + block * width;
  for (uint64_t i = 0; i < width; i++) one->known[first + i] |= one->changed[CHANGED_RISEN][first + i];
}

static void for_all_copies(sharing *s, block_work *work) {
  for (uint32_t i = 0; i < s->layout->shards; i++) for_copied_blocks(s, &s->shards[i], work);
}

static void declare(sharing *s, uint64_t tile, bool order) {
  s->runs.runs.used = 0;
  s->runs.met = 0;
  s->runs.order = order;
  MUST(s->grid->reads_finished(s->whole->tables, s->right->slice, tile, &s->runs.runs));
}

/* One round of a kernel over the tiles of all shards. With `order` it must read all runs as declared. */
static uint64_t run_round(sharing *s, game_grid_kernel *kernel, bool order) {
  uint64_t n_changed = 0;
  for (uint32_t i = 0; i < s->layout->shards; i++) {
    shard *one = &s->shards[i];
    for (uint64_t t = 0; t < one->size.tiles; t++) {
      const uint64_t tile = layout_tile(s->layout, i, t);
      declare(s, tile, order);
      MUST(kernel(s->whole->tables, &one->state, tile, one->scratch, &n_changed));
      if (order && s->runs.met != s->runs.runs.used) ck_abort_msg("more runs declared than read");
    }
  }
  return n_changed;
}

static void solve_values(sharing *s) {
  run_round(s, s->grid->begin, true);
  while (run_round(s, s->grid->relax, false)) send_next_changed(s);
  for_all_copies(s, clear_risen);
  for_all_copies(s, clear_fallen);
}

static void find_depths(sharing *s) {
  for (uint32_t i = 0; i < s->layout->shards; i++) {
    shard *one = &s->shards[i];
    for (int plane = 0; plane < s->plan.planes; plane++) {
      one->state.depths[plane] = new_array(one->size.cells * sizeof(uint16_t), 0xFF);
    }
    one->state.known = one->known;
  }
  run_round(s, s->grid->begin_depths, false);
  uint64_t n_changed = 1;
  for (uint16_t wave = 1; wave <= 2 || n_changed; wave++) {
    send_next_changed(s);
    for_all_copies(s, learn_block);
    for (uint32_t i = 0; i < s->layout->shards; i++) s->shards[i].state.wave = wave;
    n_changed = run_round(s, s->grid->relax_depths, false);
    for_all_copies(s, clear_risen);
    for_all_copies(s, clear_fallen);
  }
}

typedef struct {
  const sharing *s;
  const shard *one;
  int8_t *const *right; /* cells or lookups of a whole slice */
  int8_t *const *found;
} comparison;

static void compare_cells(void *user, uint64_t index, uint64_t own, uint64_t n) {
  const comparison *c = user;
  for (int plane = 0; plane < c->s->plan.planes; plane++) {
    if (memcmp(c->found[plane] + own, c->right[plane] + index, n) == 0) continue;
    ck_abort_msg("slice %u, %u shards, plane %d: another value between %llu and %llu", c->s->right->slice,
                 c->s->layout->shards, plane, (unsigned long long)index, (unsigned long long)(index + n));
  }
}

static void compare_depths(void *user, uint64_t index, uint64_t own, uint64_t n) {
  const comparison *c = user;
  for (int plane = 0; plane < c->s->plan.planes; plane++) {
    const uint16_t *right = c->s->right->depths[plane] + index, *found = c->one->state.depths[plane] + own;
    if (memcmp(found, right, n * sizeof *right) == 0) continue;
    ck_abort_msg("slice %u, %u shards, plane %d: another depth between %llu and %llu", c->s->right->slice,
                 c->s->layout->shards, plane, (unsigned long long)index, (unsigned long long)(index + n));
  }
}

static void compare_shards(const sharing *s, layout_visit *compare, int8_t *const *right, bool bounds) {
  for (uint32_t i = 0; i < s->layout->shards; i++) {
    const shard *one = &s->shards[i];
    comparison c = {s, one, right, bounds ? one->state.bounds : one->state.own};
    layout_visit_range(s->layout, i, 0, s->right->positions, compare, &c);
  }
}

typedef void sharing_test(sharing *s);

static void for_all_slices(int variant, sharing_test *test) {
  world w = world_of_auale(variants[variant].rules, variants[variant].cycles, MOST_SEEDS);
  for (int i = 0; i < SHARD_COUNTS; i++) {
    for (uint32_t n = 0; n <= MOST_SEEDS; n += n < 6 ? 2 : SOME(3, 1)) {
      sharing s;
      open_sharing(&s, &w, n, shard_counts[i]);
      test(&s);
      close_sharing(&s);
    }
  }
}

static void test_values_and_depths(sharing *s) {
  solve_values(s);
  compare_shards(s, compare_cells, s->right->cells, false);
  find_depths(s);
  compare_shards(s, compare_depths, NULL, false);
}

CASE(shards_solve_the_whole_slice) {
  for_all_slices(_i, test_values_and_depths);
}

static void test_looks(sharing *s) {
  int8_t *lookups[SOLVE_PLANES] = {NULL};
  toy_lookups(&s->whole->job, s->right, lookups);
  run_round(s, s->grid->lookup, true);
  compare_shards(s, compare_cells, lookups, true);
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_free(s->whole->job.work.memory, lookups[plane]);
}

CASE(shards_look_as_the_whole_slice_does) {
  for_all_slices(_i, test_looks);
}

/* A shard's cells as a table gives them back. */
static void load_stored(void *user, uint64_t index, uint64_t own, uint64_t n) {
  comparison *c = user;
  const sharing *s = c->s;
  uint8_t *left_out = new_array(n, 0);
  s->whole->game->left_out(s->whole->rules, s->right->slice, index, n, left_out);
  for (int plane = 0; plane < s->plan.planes; plane++) {
    for (uint64_t i = 0; i < n; i++) {
      const int8_t cell = s->right->cells[plane][index + i];
      const bool goes = left_out[i] || cell == c->right[plane][index + i];
      c->one->state.own[plane][own + i] = goes ? RESERVED : cell;
    }
  }
}

static void recover(sharing *s, game_lookup pass) {
  static const int8_t reserved[GRID_PLANES] = {RESERVED, RESERVED};
  for (uint32_t i = 0; i < s->layout->shards; i++) {
    shard *one = &s->shards[i];
    for (uint64_t t = 0; t < one->size.tiles; t++) {
      const uint64_t tile = layout_tile(s->layout, i, t);
      declare(s, tile, false);
      MUST(s->grid->recover(s->whole->tables, &one->state, tile, one->scratch, pass, reserved));
    }
  }
}

static void test_recovery(sharing *s) {
  int8_t *lookups[SOLVE_PLANES] = {NULL};
  toy_lookups(&s->whole->job, s->right, lookups);
  for (uint32_t i = 0; i < s->layout->shards; i++) {
    comparison c = {.s = s, .one = &s->shards[i], .right = lookups};
    layout_visit_range(s->layout, i, 0, s->right->positions, load_stored, &c);
  }
  recover(s, LOOKUP_CONVERTING);
  send_everything(s);
  recover(s, LOOKUP_ALL);
  compare_shards(s, compare_cells, s->right->cells, false);
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_free(s->whole->job.work.memory, lookups[plane]);
}

CASE(shards_recover_the_whole_slice) {
  for_all_slices(_i, test_recovery);
}

/* The halo of a shard shrinks with its size, or shards would be in vain. */
CASE(shards_read_less_than_the_slice) {
  world w = world_of_auale(variants[0].rules, variants[0].cycles, MOST_SEEDS);
  sharing s;
  open_sharing(&s, &w, MOST_SEEDS, MOST_SHARDS);
  uint64_t read = 0;
  for (uint32_t i = 0; i < MOST_SHARDS; i++) {
    for (uint64_t block = 0; block < s.plan.blocks; block++) read += s.shards[i].reads[block];
  }
  ck_assert_uint_lt(read, MOST_SHARDS * s.plan.blocks / 2);
  close_sharing(&s);
}

SUITE("shards") {
  LOOP(shards_solve_the_whole_slice, VARIANTS);
  LOOP(shards_look_as_the_whole_slice_does, VARIANTS);
  LOOP(shards_recover_the_whole_slice, VARIANTS);
  TEST(shards_read_less_than_the_slice);
}
