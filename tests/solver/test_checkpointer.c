/* Ranks stop and save together, whoever of them was asked, and what they saved is taken up by other numbers
 * of ranks and shards; shards are visited one at a time. */
#include <fcntl.h>
#include <unistd.h>

#include "games/registry.h"
#include "solver/checkpoint/unit_arrays.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { SLICE = 8, MOST_RANKS = 4, MOST_SHARDS = 3, ROUNDS = 6 };

/* A case: the arrays of each rank, and the events. Only the threads of a rank write its fields. */
typedef struct {
  const game *game;
  game_rules *rules;
  bool by_grid;
  int ranks;
  uint32_t shards_per_rank;
  int stop_rank;  /* rank that is asked to stop, or −1 */
  int stop_round; /* round in which it is asked */
  double interval[MOST_RANKS];
  int failing_rank; /* −1: none */
  enum { FAIL_VISIT, FAIL_LEAVE, FAIL_UNPACKED_LEAVE } failing;
  tauler_error result[MOST_RANKS];
  tauler_message said[MOST_RANKS];
  bool resumed[MOST_RANKS];
  int rounds[MOST_RANKS], prepared[MOST_RANKS], wrong[MOST_RANKS];
} trial;

typedef struct {
  int8_t *cells;
  uint16_t *depths;
  uint8_t *bounds, *changed, *dirty;
  uint64_t *bits;
} shard_arrays;

/* An engine that only counts rounds: every byte that it holds sends its place and the round. */
typedef struct {
  trial *t;
  int rank;
  slice_layout *layout;
  shard_arrays shards[MOST_SHARDS];
  int visited; /* −1: none */
  unit_arrays arrays;
  checkpoint_units units;
  solve_checkpoints checkpoints;
  solve_job job;
  checkpointer checkpointer;
  struct {
    uint64_t round;
  } run;
} engine;

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu + c * 0x165667B19E3779F9u;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9u >> 17;
}

static void set_or_compare(engine *e, void *place, uint64_t value, size_t bytes, bool compare) {
  if (compare) {
    e->t->wrong[e->rank] += memcmp(place, &value, bytes) != 0;
  } else {
    memcpy(place, &value, bytes);
  }
}

static void go_over_block(engine *e, const shard_arrays *a, const game_grid_group *group,
                          const game_grid_slab *slab, uint64_t block, bool compare) {
  const uint64_t round = e->run.round, width = (slab->columns + 7) / 8;
  bool any = false;
  for (uint64_t i = 0; i < slab->columns; i++) {
    const uint64_t cell = group->first_cell + block * group->columns + slab->from + i;
    const uint64_t own = slab->first_cell + block * slab->columns + i;
    set_or_compare(e, &a->cells[own], mix(cell, round, 1), 1, compare);
    set_or_compare(e, &a->depths[own], mix(cell, round, 2), 2, compare);
  }
  for (uint64_t i = 0; i < width; i++) {
    const uint64_t there =
        (group->first_block + block) % 3 ? mix(slab->from / 8 + i, block, round) & 0x7F : 0;
    set_or_compare(e, &a->changed[slab->first_changed + block * width + i], there, 1, compare);
    any |= there != 0;
  }
  set_or_compare(e, &a->dirty[group->first_block + block], any, 1, compare);
}

static void go_over_shard(engine *e, uint32_t shard, bool compare) {
  const uint32_t first = (uint32_t)e->rank * e->layout->shards_per_rank;
  const game_grid_slab *slabs = layout_slabs(e->layout, first + shard);
  const shard_arrays *a = &e->shards[shard];
  for (size_t g = 0; g < e->layout->groups_n; g++) {
    const game_grid_group *group = &e->layout->groups[g];
    for (uint64_t block = 0; block < group->blocks; block++)
      go_over_block(e, a, group, &slabs[g], block, compare);
    for (uint64_t i = 0; i < slabs[g].columns * group->bounds; i++)
      set_or_compare(e, &a->bounds[slabs[g].first_bound + i],
                     mix(slabs[g].from * group->bounds + i, g, e->run.round), 1, compare);
    for (uint64_t i = 0; !e->t->by_grid && i < (slabs[g].columns + 63) / 64; i++)
      set_or_compare(e, &a->bits[i], mix(slabs[g].from / 64 + i, e->run.round, 4), 8, compare);
  }
}

static void go_over(engine *e, bool compare) {
  for (uint32_t shard = 0; shard < e->layout->shards_per_rank; shard++) go_over_shard(e, shard, compare);
}

static void point_to(engine *e, const shard_arrays *a) {
  e->arrays = (unit_arrays){.layout = e->layout};
  unit_arrays_append(&e->arrays, UNIT_CELLS, a->cells, 1);
  unit_arrays_append(&e->arrays, UNIT_CELLS, a->depths, 2);
  unit_arrays_append(&e->arrays, UNIT_BOUNDS, a->bounds, 1);
  unit_arrays_append(&e->arrays, UNIT_CHANGED, a->changed, 0)->dirty = a->dirty;
  if (!e->t->by_grid) unit_arrays_append(&e->arrays, UNIT_BITS, a->bits, 8);
}

static tauler_error visit(void *user, uint32_t shard, bool next_changed, tauler_message *message) {
  engine *e = user;
  const uint32_t here = shard - (uint32_t)e->rank * e->layout->shards_per_rank;
  if (e->visited >= 0 || here >= e->layout->shards_per_rank) e->t->wrong[e->rank]++;
  if (e->rank == e->t->failing_rank && e->t->failing == FAIL_VISIT)
    return tauler_fail(message, TAULER_IO, "shard %u cannot be read", shard);
  e->visited = (int)here;
  point_to(e, &e->shards[here]);
  return TAULER_OK;
}

static tauler_error leave(void *user, uint32_t shard, bool n_changed, tauler_message *message) {
  engine *e = user;
  if (e->visited != (int)(shard - (uint32_t)e->rank * e->layout->shards_per_rank)) e->t->wrong[e->rank]++;
  e->visited = -1;
  const bool fails = e->t->failing == (n_changed ? FAIL_UNPACKED_LEAVE : FAIL_LEAVE);
  return e->rank == e->t->failing_rank && fails
             ? tauler_fail(message, TAULER_IO, "shard %u cannot be left", shard)
             : TAULER_OK;
}

static size_t unit_bytes(void *user, uint64_t tile) {
  engine *e = user;
  return unit_arrays_bytes(&e->arrays, tile);
}

static void check_visited(engine *e, uint64_t tile) {
  const uint32_t owner = layout_owner_of_tile(e->layout, tile);
  if (e->visited < 0 || owner != (uint32_t)(e->rank * (int)e->layout->shards_per_rank + e->visited))
    __atomic_fetch_add(&e->t->wrong[e->rank], 1, __ATOMIC_RELAXED);
}

static void pack(void *user, uint64_t tile, void *bytes) {
  engine *e = user;
  check_visited(e, tile);
  unit_arrays_pack(&e->arrays, tile, bytes);
}

static void unpack(void *user, uint64_t tile, const void *bytes) {
  engine *e = user;
  check_visited(e, tile);
  unit_arrays_unpack(&e->arrays, tile, bytes);
}

static bool asked_to_stop(void *user) {
  const engine *e = user;
  return e->rank == e->t->stop_rank && (int)e->run.round == e->t->stop_round;
}

static void open_engine(engine *e, trial *t, comm *comm) {
  *e = (engine){.t = t, .rank = comm_rank(comm), .visited = -1};
  const uint32_t shards = (uint32_t)comm_ranks(comm) * t->shards_per_rank;
  MUST(layout_open(t->game, t->rules, SLICE, t->by_grid, shards, t->shards_per_rank, &e->layout, NULL));
  for (uint32_t i = 0; i < t->shards_per_rank; i++) {
    const shard_size size = layout_shard_size(e->layout, (uint32_t)e->rank * t->shards_per_rank + i);
    e->shards[i] = (shard_arrays){.cells = suite_zeros(size.cells + 1, 1),
                                  .depths = suite_zeros(size.cells + 1, 2),
                                  .bounds = suite_zeros(size.bounds + 1, 1),
                                  .changed = suite_zeros(size.changed + 1, 1),
                                  .dirty = suite_zeros(e->layout->blocks, 1),
                                  .bits = suite_zeros(size.cells / 64 + 1, 8)};
  }
  point_to(e, &e->shards[0]);
  e->checkpoints = (solve_checkpoints){folder, t->interval[e->rank], asked_to_stop, e};
  e->job = (solve_job){.problem.game = t->game,
                       .problem.rules = t->rules,
                       .work.threads = 2,
                       .checkpoints = &e->checkpoints,
                       .work.comm = comm};
  e->units = (checkpoint_units){.user = e,
                                .layout = e->layout,
                                .first_shard = (uint32_t)e->rank * t->shards_per_rank,
                                .shards_here = t->shards_per_rank,
                                .run = &e->run,
                                .run_bytes = sizeof e->run,
                                .load = visit,
                                .unload = leave,
                                .unit_bytes = unit_bytes,
                                .pack = pack,
                                .unpack = unpack};
  if (t->shards_per_rank == 1 && t->failing_rank < 0) {
    e->units.load = NULL; /* always in memory */
    e->units.unload = NULL;
    e->visited = 0;
  }
  checkpointer_open(&e->checkpointer, &e->job, SLICE, "values", &e->units);
}

static void close_engine(engine *e) {
  layout_close(e->layout);
}

static void do_round(void *user) {
  engine *e = user;
  e->run.round++;
  go_over(e, false);
}

static void prepare(void *user) {
  engine *e = user;
  e->t->prepared[e->rank]++;
}

static void work(void *user, worker *self) {
  engine *e = user;
  do {
    worker_barrier(self, do_round, e);
    if (checkpointer_barrier(&e->checkpointer, self, prepare, e)) return;
  } while (e->run.round < ROUNDS);
}

/* Takes up what there is, which must be right, and goes on. */
static void solve_rank(comm *comm, void *user) {
  trial *t = user;
  engine e;
  open_engine(&e, t, comm);
  tauler_message *message = &t->said[e.rank];
  tauler_error error = checkpointer_resume(&e.checkpointer, &t->resumed[e.rank], message);
  if (!error && t->resumed[e.rank]) go_over(&e, true);
  if (!error && e.run.round < ROUNDS) workers_run(2, work, &e);
  if (!error) error = checkpointer_outcome(&e.checkpointer, message);
  if (e.visited >= 0 && e.units.load) t->wrong[e.rank]++;
  t->rounds[e.rank] = (int)e.run.round;
  t->result[e.rank] = error;
  close_engine(&e);
}

static void open_trial(trial *t, bool by_grid) {
  *t = (trial){.game = game_find("auale"), .by_grid = by_grid, .stop_rank = -1, .failing_rank = -1};
  t->rules = suite_rules(t->game, NULL, NULL);
  make_folder();
}

/* How it went, the same on all ranks. */
static tauler_error solve(trial *t, int ranks, uint32_t shards_per_rank, int rounds) {
  t->ranks = ranks;
  t->shards_per_rank = shards_per_rank;
  memset(t->prepared, 0, sizeof t->prepared);
  memset(t->said, 0, sizeof t->said);
  if (ranks == 0) {
    solve_rank(NULL, t);
  } else {
    toy_comm_run(ranks, solve_rank, t);
  }
  for (int rank = 0; rank < (ranks ? ranks : 1); rank++) {
    ck_assert_int_eq(t->wrong[rank], 0);
    ck_assert_int_eq(t->result[rank], t->result[0]);
    ck_assert_int_eq(t->resumed[rank], t->resumed[0]);
    ck_assert_int_eq(t->prepared[rank], t->prepared[0]);
    ck_assert_str_eq(t->said[rank].text, t->said[0].text);
    ck_assert_int_eq(t->rounds[rank], rounds);
  }
  return t->result[0];
}

static int count_files(void) {
  char command[SUITE_FOLDER_BYTES + 32];
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *list = popen(command, "r");
  int n = -1;
  ck_assert_int_eq(fscanf(list, "%d", &n), 1);
  pclose(list);
  return n;
}

static const struct {
  int ranks;
  uint32_t shards_per_rank;
} shapes[] = {{0, 1}, {1, 1}, {2, 1}, {3, 2}, {1, 3}, {4, 1}, {2, 3}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void go_on_in_other_shapes(bool by_grid) {
  for (int from = 0; from < SHAPES; from++) {
    for (int to = 0; to < SHAPES; to++) {
      trial t;
      open_trial(&t, by_grid);
      t.stop_round = 2;
      t.stop_rank = shapes[from].ranks ? (from + to) % shapes[from].ranks : 0;
      ck_assert_int_eq(solve(&t, shapes[from].ranks, shapes[from].shards_per_rank, 2), TAULER_STOPPED);
      ck_assert(!t.resumed[0]);
      ck_assert_int_eq(t.prepared[0], 1);
      ck_assert_int_eq(count_files(), 1 + (shapes[from].ranks ? shapes[from].ranks : 1));
      t.stop_rank = -1;
      MUST(solve(&t, shapes[to].ranks, shapes[to].shards_per_rank, ROUNDS));
      ck_assert(t.resumed[0]);
      ck_assert_int_eq(t.prepared[0], 0);
    }
  }
}

CASE(grids_go_on_in_other_shapes) {
  go_on_in_other_shapes(true);
}
CASE(ranges_go_on_in_other_shapes) {
  go_on_in_other_shapes(false);
}

CASE(the_leading_clock_says_when_to_save) {
  trial t;
  open_trial(&t, false);
  t.interval[1] = 1e-9;
  MUST(solve(&t, 3, 1, ROUNDS));
  ck_assert_int_eq(t.prepared[0], 0);
  ck_assert_int_eq(count_files(), 0);
  t.interval[0] = 1e-9;
  t.interval[1] = 0;
  MUST(solve(&t, 3, 2, ROUNDS));
  ck_assert_int_eq(t.prepared[0], ROUNDS);
  ck_assert_int_eq(count_files(), 4);
  MUST(solve(&t, 2, 1, ROUNDS));
  ck_assert(t.resumed[0]);
  solve_checkpoints checkpoints = {.folder = folder};
  comm_link link = {.rank = 1, .ranks = 2};
  comm *second;
  MUST(comm_open(&link, &second, NULL));
  solve_job job = {
      .problem.game = t.game, .problem.rules = t.rules, .checkpoints = &checkpoints, .work.comm = second};
  checkpointer_remove(&job, SLICE, true);
  ck_assert_int_eq(count_files(), 4);
  job.work.comm = NULL;
  checkpointer_remove(&job, SLICE, true);
  ck_assert_int_eq(count_files(), 0);
  comm_close(second);
}

CASE(a_damaged_checkpoint_is_removed) {
  trial t;
  open_trial(&t, true);
  char command[SUITE_FOLDER_BYTES + 64];
  t.stop_rank = 1;
  t.stop_round = 3;
  ck_assert_int_eq(solve(&t, 2, 2, 3), TAULER_STOPPED);
  snprintf(command, sizeof command, "for f in %s/*-1; do printf x >>$f; done", folder);
  ck_assert_int_eq(system(command), 0);
  t.stop_rank = -1;
  MUST(solve(&t, 3, 1, ROUNDS));
  ck_assert(!t.resumed[0]);
  ck_assert_int_eq(count_files(), 0);
}

CASE(who_cannot_save_ends_the_solve_on_all_ranks) {
  trial t;
  open_trial(&t, true);
  t.stop_rank = 2;
  t.stop_round = 1;
  ck_assert_int_eq(solve(&t, 3, 2, 1), TAULER_STOPPED);
  t.stop_round = 4;
  for (t.failing_rank = 0; t.failing_rank < 3; t.failing_rank++) {
    t.failing = FAIL_LEAVE;
    ck_assert_int_eq(solve(&t, 3, 2, 4), TAULER_IO);
    ck_assert_ptr_nonnull(strstr(t.said[0].text, "cannot be left"));
    ck_assert(t.resumed[0]);
    ck_assert_int_eq(count_files(), 4);
    t.failing = FAIL_UNPACKED_LEAVE;
    ck_assert_int_eq(solve(&t, 3, 2, 1), TAULER_IO);
    ck_assert_ptr_nonnull(strstr(t.said[0].text, "cannot be left"));
    ck_assert_int_eq(solve(&t, 3, 1, 1), TAULER_IO); /* at the end of all */
    t.failing = FAIL_VISIT;
    ck_assert_int_eq(solve(&t, 3, 2, 1), TAULER_IO);
    ck_assert_ptr_nonnull(strstr(t.said[0].text, "cannot be read"));
  }
  t.failing_rank = -1;
  MUST(solve(&t, 2, 1, ROUNDS));
  ck_assert(t.resumed[0]);
}

CASE(who_cannot_write_ends_the_solve_on_all_ranks) {
  trial t;
  open_trial(&t, false);
  char moved[SUITE_FOLDER_BYTES + 16];
  snprintf(moved, sizeof moved, "%s.moved", folder);
  t.stop_rank = 0;
  t.stop_round = 5;
  ck_assert_int_eq(rename(folder, moved), 0);
  ck_assert_int_eq(solve(&t, 3, 1, 5), TAULER_IO);
  ck_assert_int_eq(solve(&t, 0, 1, 5), TAULER_IO);
  ck_assert_int_eq(rename(moved, folder), 0);
}

SUITE("checkpointer") {
  TESTS(grids_go_on_in_other_shapes, ranges_go_on_in_other_shapes, the_leading_clock_says_when_to_save,
        a_damaged_checkpoint_is_removed, who_cannot_save_ends_the_solve_on_all_ranks,
        who_cannot_write_ends_the_solve_on_all_ranks);
}
