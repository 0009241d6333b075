/* Slices of aualé solved in shards by the tiles engine: the same cells and depths as whole, for any number
 * of ranks, shards, threads and size of packets; also where it was stopped and goes on with others. */
#include <limits.h>
#include <time.h>

#include "games/registry.h"
#include "parallel/receive_queue.h"
#include "solver/engines/cells.h"
#include "solver/engines/engine.h"
#include "tests/support/solver/world.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

/* SCARCE: bytes of a budget that is smaller than the process, so that a slice in pages drops them before each
 * tile. */
enum { MOST_SEEDS = 9, MOST_RANKS = 4, SCARCE = 24 << 20 };

static const struct {
  const char *rules, *cycles;
} variants[] = {{"awari", "even"}, {"awari,grand-slam=captures", "even"}, {"abapa", "forced"}};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* Of rule sets that differ in captures alone one is enough. */
static int variant_of(int i) {
  return SOME(2 * i, i);
}

typedef struct {
  world *w;
  uint32_t slice, parts;
  int threads;
  size_t packet_bytes;
  int stop_after;   /* rounds, or 0 for never */
  uint64_t plan;    /* by which packets are delayed and reordered */
  double bandwidth; /* between ranks, or 0: measured */
  uint64_t memory;  /* bytes of a rank's budget, or 0: as much as the machine has */
  bool depths, recovers;
  const char *checkpoints; /* folder, or NULL */
  tauler_error outcome;    /* result of rank 0 */
  tauler_message message;
  int rounds; /* at the ends of which the last rank was asked whether to stop */
  uint64_t sent[MOST_RANKS];
} trial;

typedef struct {
  const trial *trial;
  int rank, ranks;
  int asked;
} stopping;

/* One rank alone is asked to stop; all must. */
static bool asks_to_stop(void *user) {
  stopping *s = user;
  return s->rank == s->ranks - 1 && ++s->asked >= s->trial->stop_after;
}

static void pack_finished(const trial *t, slice_store *store, comm *comm) {
  for (uint32_t n = 0; n < t->slice; n++) {
    const solved_slice *from = &t->w->list[n];
    for (int plane = 0; plane < from->planes; plane++) {
      MUST(store_begin(store, n, plane, from->positions, NULL, NULL));
      for (uint64_t chunk = 0; chunk * STORE_CHUNK < from->positions; chunk++) {
        if (chunk % (uint64_t)comm_ranks(comm) != (uint64_t)comm_rank(comm)) continue;
        MUST(store_put(store, n, plane, chunk, from->cells[plane] + chunk * STORE_CHUNK, NULL));
      }
    }
  }
}

typedef struct {
  const void *own;
  const void *right;
  size_t item;
  bool copy;
  uint64_t wrong;
} comparison;

static void compare_range(void *user, uint64_t index, uint64_t own, uint64_t n) {
  comparison *c = user;
  char *here = (char *)(uintptr_t)c->own + own * c->item;
  if (c->copy) {
    memcpy(here, (const char *)c->right + index * c->item, n * c->item);
  } else if (memcmp(here, (const char *)c->right + index * c->item, n * c->item) != 0) {
    c->wrong++;
  }
}

static void compare_part(const trial *t, sharded_slice *found, uint32_t i, int part, const void *right,
                         const char *what) {
  MUST(sharded_load(found, i, part, NULL));
  comparison c = {found->shards[i].parts[part], right, sharded_cell_bytes(part), false, 0};
  layout_visit_range(found->layout, found->first_shard + i, 0, found->positions, compare_range, &c);
  ck_assert_msg(c.wrong == 0, "%s of slice %u, shard %u of %u, %d threads: %llu runs differ", what, t->slice,
                found->first_shard + i, found->layout->shards, t->threads, (unsigned long long)c.wrong);
  sharded_unload(found, i);
}

static void compare(const trial *t, sharded_slice *found, bool depths) {
  const solved_slice *right = &t->w->list[t->slice];
  ck_assert_int_eq(found->planes, right->planes);
  for (uint32_t i = 0; i < found->shards_here; i++) {
    for (int plane = 0; plane < found->planes; plane++) {
      compare_part(t, found, i, SHARD_CELLS + plane, right->cells[plane], "values");
      if (depths) compare_part(t, found, i, SHARD_DEPTHS + plane, right->depths[plane], "depths");
    }
  }
}

static void compare_looks(const trial *t, const solve_job *job, sharded_slice *found) {
  solve_job whole = toy_job(job->problem.game, job->problem.rules, 1, job->work.memory);
  whole.grid_tables = job->grid_tables;
  whole.store = t->w->finished;
  int8_t *lookups[SOLVE_PLANES] = {NULL, NULL};
  toy_lookups(&whole, &t->w->list[t->slice], lookups);
  MUST(tiles_lookup(job, found, NULL, hear()));
  for (uint32_t i = 0; i < found->shards_here; i++)
    for (int plane = 0; plane < found->planes; plane++)
      compare_part(t, found, i, SHARD_LOOKUPS + plane, lookups[plane], "lookups");
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_free(job->work.memory, lookups[plane]);
}

/* Cells that a table would leave out, back in shards from what it stores. */
static void recover(const trial *t, const solve_job *job, sharded_slice *slice) {
  static const int8_t reserved[SOLVE_PLANES] = {INT8_MIN, INT8_MIN};
  const solved_slice *right = &t->w->list[t->slice];
  solve_job whole = toy_job(job->problem.game, job->problem.rules, 1, job->work.memory);
  whole.grid_tables = job->grid_tables;
  whole.store = t->w->finished;
  int8_t *lookups[SOLVE_PLANES] = {NULL, NULL};
  uint8_t *left_out = suite_zeros(right->positions + 1, 1);
  toy_lookups(&whole, right, lookups);
  job->problem.game->left_out(job->problem.rules, t->slice, 0, right->positions, left_out);
  for (int plane = 0; plane < right->planes; plane++) {
    for (uint64_t i = 0; i < right->positions; i++) {
      if (left_out[i] || right->cells[plane][i] == lookups[plane][i]) {
        lookups[plane][i] = INT8_MIN;
      } else {
        lookups[plane][i] = right->cells[plane][i];
      }
    }
    for (uint32_t i = 0; i < slice->shards_here; i++) {
      MUST(sharded_allocate(slice, i, SHARD_CELLS + plane, NULL));
      comparison c = {slice->shards[i].parts[SHARD_CELLS + plane], lookups[plane], 1, true, 0};
      layout_visit_range(slice->layout, slice->first_shard + i, 0, slice->positions, compare_range, &c);
      sharded_unload(slice, i);
    }
  }
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_free(job->work.memory, lookups[plane]);
  MUST(tiles_lookup(job, slice, reserved, hear()));
}

static tauler_error fill_slice(const trial *t, const solve_job *job, sharded_slice *slice,
                               tauler_message *message) {
  solve_effort effort = {0};
  tauler_error error = TAULER_OK;
  if (t->recovers) {
    recover(t, job, slice);
  } else {
    error = engine_tiles.cells->solve(job, false, slice, &effort, message);
    if (!error) compare(t, slice, false);
    if (!error && t->depths) error = engine_tiles.cells->depths(job, slice, &effort, message);
  }
  return error;
}

static void solve_on_rank(comm *comm, void *user) {
  trial *t = user;
  if (comm) comm_set_bandwidth(comm, t->bandwidth);
  memory_budget *memory = suite_budget(t->memory);
  const store_settings settings = {.comm = comm, .threads = t->threads, .room = t->slice + 1};
  stopping stop = {t, comm_rank(comm), comm_ranks(comm), 0};
  const solve_checkpoints checkpoints = {
      .folder = t->checkpoints, .stop = t->stop_after ? asks_to_stop : NULL, .user = &stop};
  slice_store *store;
  MUST(store_open(&settings, memory, &store, NULL));
  const solve_job job = {.problem.game = t->w->game,
                         .problem.rules = t->w->rules,
                         .work.threads = t->threads,
                         .work.memory = memory,
                         .grid_tables = t->w->tables,
                         .checkpoints = t->checkpoints ? &checkpoints : NULL,
                         .work.comm = comm,
                         .store = store,
                         .work.spill_folder = folder,
                         .work.packet_bytes = t->packet_bytes};
  pack_finished(t, store, comm);
  sharded_slice slice;
  tauler_message message = {""};
  MUST(engine_tiles.cells->open(&job, t->slice, t->parts, &slice, &message));
  const tauler_error error = fill_slice(t, &job, &slice, &message);
  if (comm_is_root(comm)) {
    t->outcome = error;
    t->message = message;
  }
  if (!t->stop_after) ck_assert_msg(!error, "%s", message.text);
  if (!error) compare(t, &slice, t->depths);
  if (!error && !t->recovers) compare_looks(t, &job, &slice);
  if (stop.asked) t->rounds = stop.asked;
  if (comm_ranks(comm) > 1) ck_assert_double_gt(comm_bandwidth(comm), 0);
  t->sent[comm_rank(comm)] = comm_bytes_sent(comm);
  sharded_free(&slice);
  store_close(store);
}

CASE(shards_agree_with_whole_slices) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    for (uint32_t per_rank = 1; per_rank <= 3; per_rank += 2) {
      if (!suite_is_check() && (uint32_t)ranks % 2 != per_rank / 2) continue;
      for (uint32_t n = 0; n <= MOST_SEEDS; n += n < 5 ? 5 : 4) {
        trial t = {.w = &w,
                   .slice = n,
                   .parts = per_rank,
                   .threads = 1 + (int)((uint32_t)ranks + per_rank) % 2,
                   .packet_bytes = ranks == 3 ? 1024 : 0,
                   .bandwidth = n == MOST_SEEDS ? ranks * 40e6 : 0,
                   .memory = per_rank > 1 ? SCARCE : 0,
                   .depths = true};
        toy_comm_run(ranks, solve_on_rank, &t);
      }
    }
  }
}

CASE(left_out_cells_come_back_in_shards) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  for (int ranks = 1; ranks <= 3; ranks += 2) {
    for (uint32_t per_rank = 1; per_rank <= 2; per_rank++) {
      trial t = {.w = &w,
                 .slice = MOST_SEEDS,
                 .parts = per_rank,
                 .threads = 2,
                 .memory = per_rank > 1 ? SCARCE : 0,
                 .recovers = true};
      toy_comm_run(ranks, solve_on_rank, &t);
    }
  }
}

/* Stopped every few rounds, and taken up each time by another number of ranks and shards. */
CASE(a_stopped_solve_goes_on_with_other_ranks) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  static const int ranks[] = {4, 1, 3, 2, 2}, per_rank[] = {1, 1, 2, 1, 3};
  int runs = 0;
  trial t = {.w = &w, .slice = MOST_SEEDS, .depths = true, .checkpoints = folder, .threads = 2};
  do {
    ck_assert_int_lt(runs, 100);
    t.parts = (uint32_t)per_rank[runs % 5];
    t.memory = per_rank[runs % 5] > 1 ? SCARCE : 0;
    t.stop_after = SOME(7, 3);
    toy_comm_run(ranks[runs % 5], solve_on_rank, &t);
    ck_assert_msg(t.outcome == TAULER_OK || t.outcome == TAULER_STOPPED, "run %d: %s", runs, t.message.text);
    runs++;
  } while (t.outcome == TAULER_STOPPED);
  ck_assert_int_gt(runs, 4);
}

/* A comm over another one that delays each call and reorders the packets for each rank by a plan. */
typedef struct {
  comm *below;
  uint64_t plan, reordered;
} reordering;

static uint64_t draw(reordering *r, uint64_t n) {
  r->plan = r->plan * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (r->plan >> 33) % n;
}

static void delay(reordering *r) {
  nanosleep(&(struct timespec){0, (long)draw(r, 200000)}, NULL);
}

/* Leaves what holds fewer than two packets after its head as it is. */
static void reorder(reordering *r, comm_buffer *buffer) {
  enum { MOST_PACKETS = 4096 };
  uint64_t flags = 0;
  if (buffer->n >= sizeof flags) memcpy(&flags, buffer->bytes, sizeof flags);
  const size_t head = (1 + (flags >> 8)) * sizeof flags;
  size_t starts[MOST_PACKETS + 1] = {head}, n = 0, used = head;
  exchange_packet packet;
  while (n < MOST_PACKETS && starts[n] < buffer->n) {
    const size_t end = packet_read(buffer->bytes, starts[n], buffer->n, EXCHANGE_PACKET, &packet);
    if (!end) return;
    starts[++n] = end;
  }
  if (n < 2 || starts[n] != buffer->n) return;
  uint8_t *copy = suite_zeros(buffer->n, 1);
  for (bool taken[MOST_PACKETS] = {false}; used < buffer->n;) {
    const size_t i = draw(r, n), bytes = starts[i + 1] - starts[i];
    if (taken[i]) continue;
    taken[i] = true;
    memcpy(copy + used, (const uint8_t *)buffer->bytes + starts[i], bytes);
    used += bytes;
  }
  memcpy((uint8_t *)buffer->bytes + head, copy + head, buffer->n - head);
  r->reordered++;
}

static tauler_error swap_reordered(void *link, const comm_buffer *out, comm_buffer *in, size_t room,
                                   bool wait) {
  reordering *r = link;
  delay(r);
  const tauler_error error = comm_alltoallv(r->below, out, in, room, NULL);
  for (int from = 0; from < comm_ranks(r->below) && !error; from++) reorder(r, &in[from]);
  return error;
}

static tauler_error combine_delayed(void *link, comm_operation operation, uint64_t *numbers, size_t n) {
  delay(link);
  return comm_allreduce(((reordering *)link)->below, operation, numbers, n, NULL);
}

static tauler_error spread_delayed(void *link, int from, void *bytes, size_t n) {
  delay(link);
  return comm_bcast(((reordering *)link)->below, from, bytes, n, NULL);
}

static void solve_reordered(comm *below, void *user) {
  const trial *t = user;
  reordering r = {below, t->plan * 100 + (uint64_t)comm_rank(below), 0};
  const comm_link link = {.link = &r,
                          .rank = comm_rank(below),
                          .ranks = comm_ranks(below),
                          .finish = swap_reordered,
                          .allreduce = combine_delayed,
                          .bcast = spread_delayed};
  comm *own;
  MUST(comm_open(&link, &own, NULL));
  solve_on_rank(own, user);
  comm_close(own);
  ck_assert_uint_gt(r.reordered, 0);
}

/* Late ranks and packets in another order change neither cells nor rounds. */
CASE(packets_may_come_late_and_in_any_order) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  int rounds = 0;
  for (uint64_t plan = 0; plan < 5; plan++) {
    trial t = {.w = &w,
               .slice = MOST_SEEDS,
               .parts = 1,
               .threads = 1 + (int)plan % 2,
               .packet_bytes = 1024,
               .bandwidth = plan % 2 ? 1e6 : 1e9,
               .checkpoints = folder,
               .stop_after = INT_MAX,
               .plan = plan,
               .depths = true};
    toy_comm_run(3, plan ? solve_reordered : solve_on_rank, &t);
    if (plan == 0) rounds = t.rounds;
    ck_assert_int_eq(t.outcome, TAULER_OK);
    ck_assert_int_eq(t.rounds, rounds);
  }
}

/* A change takes a round to cross ranks, and none within a rank: ranks take more rounds than one rank, but
 * not many times as many. */
CASE(ranks_take_few_more_rounds_than_one) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  int alone = 0;
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
    trial t = {
        .w = &w, .slice = MOST_SEEDS, .parts = 1, .threads = 1, .checkpoints = folder, .stop_after = INT_MAX};
    toy_comm_run(ranks, solve_on_rank, &t);
    if (ranks == 1) alone = t.rounds;
    ck_assert_int_gt(t.rounds, 5);
    ck_assert_int_le(t.rounds, 4 * alone);
  }
}

static tauler_error begin_uncounted(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                                    uint64_t *n_changed) {
  uint64_t uncounted = 0;
  return game_find("auale")->grid->begin_depths(tables, state, tile, scratch, &uncounted);
}

/* The first wave has conversions, whether or not a board has ended. */
CASE(depths_go_on_where_no_board_has_ended) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  const game *whole = w.game;
  game_grid grid = *whole->grid;
  game changed = *whole;
  grid.begin_depths = begin_uncounted;
  changed.grid = &grid;
  w.game = &changed;
  for (int ranks = 1; ranks <= 2; ranks++) {
    trial t = {.w = &w, .slice = MOST_SEEDS, .parts = 1, .threads = 1, .depths = true};
    toy_comm_run(ranks, solve_on_rank, &t);
  }
  w.game = whole;
}

static uint64_t count_sent(world *w, double bandwidth) {
  trial t = {.w = w, .slice = MOST_SEEDS, .parts = 1, .threads = 1, .bandwidth = bandwidth};
  toy_comm_run(3, solve_on_rank, &t);
  return t.sent[0] + t.sent[1] + t.sent[2];
}

CASE(slow_links_carry_less) {
  world w = world_of_auale(variants[variant_of(_i)].rules, variants[variant_of(_i)].cycles, MOST_SEEDS);
  const uint64_t slow = count_sent(&w, 1e6), fast = count_sent(&w, 1e9);
  ck_assert_uint_lt(slow, fast);
}

SUITE("tiles_relax") {
  FIXTURE(make_folder, remove_folder);
  LOOP(shards_agree_with_whole_slices, SOME(2, VARIANTS));
  LOOP(ranks_take_few_more_rounds_than_one, SOME(2, VARIANTS));
  LOOP(depths_go_on_where_no_board_has_ended, SOME(2, VARIANTS));
  LOOP(packets_may_come_late_and_in_any_order, SOME(2, VARIANTS));
  LOOP(slow_links_carry_less, SOME(2, VARIANTS));
  LOOP(left_out_cells_come_back_in_shards, SOME(2, VARIANTS));
  LOOP(a_stopped_solve_goes_on_with_other_ranks, SOME(2, VARIANTS));
}
