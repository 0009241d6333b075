/* The general engine over shards: several ranks (threads of this process), several shards per rank with the
 * others on the disk, and both must give what a slice that is held whole gives, which test_retrograde.c
 * compares with slow definitions. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/auale/auale.h"
#include "solver/engines/cells.h"
#include "solver/engines/engine.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

enum { MOST_SLICES = 10 };
static const uint64_t LIMIT = UINT64_C(1) << 32;

/* How a game is solved in shards. */
typedef struct {
  int ranks, shards_per_rank, threads;
  size_t packet_bytes;
} spreading;

static const spreading spreadings[] = {{1, 1, 1, 0}, {1, 3, 1, 0},    {1, 3, 2, 1024}, {2, 1, 1, 1024},
                                       {3, 1, 1, 0}, {4, 1, 2, 1024}, {2, 2, 1, 0},    {2, 3, 2, 1024}};
enum { SPREADINGS = sizeof spreadings / sizeof *spreadings };

/* All slices of a game solved in shards, gathered into whole ones by the ranks. */
typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slices;
  spreading how;
  bool depths, recovers;
  const char *folder;
  uint64_t fail_take;           /* of the last rank's, in the last slice; 0: none */
  bool by_plan;                 /* no more memory than was planned */
  uint64_t planned[8], peak[8]; /* of the last slice */
  solve_checkpoints *checkpoints;
  solved_slice found[MOST_SLICES], lookups[MOST_SLICES], recovered[MOST_SLICES];
  uint64_t bytes_sent[MOST_SLICES][8];
  tauler_error error[8];
  tauler_message message[8];
} attempt;

static void *allocate(uint64_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  ck_assert_ptr_nonnull(memory);
  return memory;
}

static void take_slice(solved_slice *slice, const attempt *a, uint32_t number) {
  slice->slice = number;
  slice->positions = a->game->positions(a->rules, number);
  slice->planes = a->game->kind(a->rules) == SOLVE_GUARANTEES ? 2 : 1;
  for (int plane = 0; plane < slice->planes; plane++) {
    slice->cells[plane] = allocate(slice->positions, 1);
    slice->depths[plane] = allocate(slice->positions, sizeof(uint16_t));
  }
}

static bool has_depths(const attempt *a) {
  return a->depths || a->game->kind(a->rules) == SOLVE_OUTCOMES;
}

/* Copies a part of the shards here to its place in the whole slice, or back. */
static tauler_error copy_part(sharded_slice *slice, int part, void *whole, bool back,
                              tauler_message *message) {
  const size_t size = sharded_cell_bytes(part);
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < slice->shards_here && !error; i++) {
    const uint64_t from = layout_slabs(slice->layout, slice->first_shard + i)->from;
    uint8_t *there = (uint8_t *)whole + from * size;
    error = back ? sharded_take(slice, i, part, message) : sharded_load(slice, i, part, message);
    if (error) return error;
    void *here = slice->shards[i].parts[part];
    memcpy(back ? here : there, back ? there : here, slice->shards[i].n * size);
    sharded_unload(slice, i);
  }
  return error;
}

static tauler_error pack(const attempt *a, comm *comm, slice_store *store, const solved_slice *slice,
                         int plane, const void *cells, size_t size, tauler_message *message) {
  (void)a;
  tauler_error error = store_begin(store, slice->slice, plane, slice->positions, NULL, message);
  const uint64_t windows = (slice->positions + STORE_CHUNK - 1) / STORE_CHUNK;
  for (uint64_t w = (uint64_t)comm_rank(comm); w < windows && !error; w += (uint64_t)comm_ranks(comm)) {
    const uint8_t *from = (const uint8_t *)cells + w * STORE_CHUNK * size;
    error = store_put(store, slice->slice, plane, w, from, message);
  }
  return error;
}

static tauler_error gather(attempt *a, comm *comm, slice_store *store, sharded_slice *slice, uint32_t number,
                           tauler_message *message) {
  solved_slice *found = &a->found[number];
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = copy_part(slice, SHARD_CELLS + plane, found->cells[plane], false, message);
    if (!error && has_depths(a))
      error = copy_part(slice, SHARD_DEPTHS + plane, found->depths[plane], false, message);
  }
  error = comm_agree(comm, error, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = pack(a, comm, store, found, plane, found->cells[plane], 1, message);
    if (!error && a->game->kind(a->rules) == SOLVE_OUTCOMES)
      error = pack(a, comm, store, found, STORE_DEPTHS + plane, found->depths[plane], 2, message);
  }
  return comm_agree(comm, error, message);
}

/* Leaves out what a table would and has it put back, over the cells in `recovered`. */
static tauler_error leave_out_and_recover(attempt *a, const solve_job *job, sharded_slice *slice,
                                          uint32_t number, tauler_message *message) {
  static const int8_t reserved[SOLVE_PLANES] = {INT8_MIN, INT8_MIN};
  solved_slice *lookups = &a->lookups[number], *recovered = &a->recovered[number];
  const solved_slice *found = &a->found[number];
  tauler_error error = ranges_lookup(job, slice, NULL, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = copy_part(slice, SHARD_LOOKUPS + plane, lookups->cells[plane], false, message);
    for (uint32_t i = 0; i < slice->shards_here; i++) sharded_drop(slice, i, SHARD_LOOKUPS + plane);
  }
  error = comm_agree(job->work.comm, error, message);
  uint8_t *left_out = allocate(found->positions, 1);
  if (a->game->left_out) a->game->left_out(a->rules, number, 0, found->positions, left_out);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    int8_t *cells = allocate(found->positions, 1);
    for (uint64_t i = 0; i < found->positions; i++) {
      const bool implied = a->game->lookup(a->rules, (game_place){number, i}) == LOOKUP_CONVERTING
                               ? found->cells[plane][i] == lookups->cells[plane][i]
                               : left_out[i];
      cells[i] = implied ? INT8_MIN : found->cells[plane][i];
    }
    error = copy_part(slice, SHARD_CELLS + plane, cells, true, message);
    free(cells);
  }
  free(left_out);
  error = comm_agree(job->work.comm, error, message);
  if (!error && number > 0) {
    for (int plane = 0; plane < slice->planes; plane++) store_drop(job->store, number, plane);
  }
  if (!error) error = ranges_lookup(job, slice, reserved, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = copy_part(slice, SHARD_CELLS + plane, recovered->cells[plane], false, message);
  }
  error = comm_agree(job->work.comm, error, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    store_drop(job->store, number, plane);
    error = pack(a, job->work.comm, job->store, found, plane, found->cells[plane], 1, message);
  }
  return comm_agree(job->work.comm, error, message);
}

static tauler_error solve_slices(attempt *a, const solve_job *job, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t number = 0; number < a->slices && !error; number++) {
    sharded_slice slice;
    solve_effort effort = {0};
    const bool fails = a->fail_take && number + 1 == a->slices;
    error = ranges_open(job, number, (uint32_t)a->how.shards_per_rank, &slice, message);
    if (error) return error;
    const uint64_t before = comm_bytes_sent(job->work.comm), taken = memory_taken(job->work.memory);
    const int rank = comm_rank(job->work.comm);
    a->planned[rank] =
        engine_retrograde.cells->bytes(job, number, a->depths, slice.layout->shards, slice.shards_here, NULL);
    if (a->by_plan) job->work.memory->limit = taken + a->planned[rank];
    job->work.memory->peak = taken;
    if (fails && rank + 1 == a->how.ranks) memory_fail_take(job->work.memory, a->fail_take, false);
    error = engine_retrograde.cells->solve(job, a->depths, &slice, &effort, message);
    if (fails) memory_fail_take(job->work.memory, 0, false);
    a->peak[rank] = memory_peak(job->work.memory) - taken;
    job->work.memory->limit = LIMIT;
    a->bytes_sent[number][rank] = comm_bytes_sent(job->work.comm) - before;
    if (!error) error = gather(a, job->work.comm, job->store, &slice, number, message);
    if (!error && a->recovers) error = leave_out_and_recover(a, job, &slice, number, message);
    sharded_free(&slice);
  }
  return error;
}

static void run_rank(comm *comm, void *user) {
  attempt *a = user;
  const int rank = comm_rank(comm);
  memory_budget memory;
  memory_budget_open(&memory, LIMIT);
  const store_settings settings = {.comm = comm, .threads = 1, .room = a->slices};
  slice_store *store = NULL;
  tauler_error error = store_open(&settings, &memory, &store, &a->message[rank]);
  const solve_job job = {.problem.game = a->game,
                         .problem.rules = a->rules,
                         .work.threads = a->how.threads,
                         .problem.engine = &engine_retrograde,
                         .work.memory = &memory,
                         .work.comm = comm,
                         .store = store,
                         .checkpoints = a->checkpoints,
                         .work.spill_folder = a->folder,
                         .work.packet_bytes = a->how.packet_bytes};
  if (!error) error = solve_slices(a, &job, &a->message[rank]);
  a->error[rank] = error;
  store_close(store);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}

/* All ranks must come to the same end. */
static tauler_error try_in_shards(attempt *a) {
  make_folder();
  a->folder = folder;
  toy_comm_run(a->how.ranks, run_rank, a);
  for (int r = 1; r < a->how.ranks; r++) ck_assert_int_eq(a->error[r], a->error[0]);
  remove_empty_folder();
  return a->error[0];
}

static attempt *begin(const game *of, const game_rules *rules, uint32_t slices, spreading how, bool depths) {
  attempt *a = allocate(1, sizeof *a);
  a->game = of;
  a->rules = rules;
  a->slices = slices;
  a->how = how;
  a->depths = depths;
  for (uint32_t s = 0; s < slices; s++) {
    take_slice(&a->found[s], a, s);
    take_slice(&a->lookups[s], a, s);
    take_slice(&a->recovered[s], a, s);
  }
  return a;
}

static void free_slices(solved_slice *slices, uint32_t n) {
  for (uint32_t s = 0; s < n; s++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      free(slices[s].cells[plane]);
      free(slices[s].depths[plane]);
    }
  }
}

static void end(attempt *a) {
  free_slices(a->found, a->slices);
  free_slices(a->lookups, a->slices);
  free_slices(a->recovered, a->slices);
  free(a);
}

typedef struct {
  memory_budget memory;
  solved_slice *list;
  slice_store *finished;
  solve_job job;
} whole;

static void solve_whole(const game *of, const game_rules *rules, uint32_t slices, bool depths, whole *out) {
  *out = (whole){0};
  memory_budget_open(&out->memory, UINT64_C(1) << 32);
  out->finished = toy_store_open(&out->memory, slices, &out->list);
  out->job = (solve_job){.problem.game = of,
                         .problem.rules = rules,
                         .work.threads = 1,
                         .problem.engine = &engine_retrograde,
                         .work.memory = &out->memory,
                         .store = out->finished};
  for (uint32_t s = 0; s < slices; s++) {
    tauler_message message = {""};
    ck_assert_msg(!solve_alone(&out->job, s, depths, &out->list[s], &message), "%s", message.text);
  }
}

static void free_whole(whole *solved) {
  store_close(solved->finished);
  ck_assert_uint_eq(memory_taken(&solved->memory), 0);
}

static void compare(const attempt *a, const whole *right) {
  for (uint32_t s = 0; s < a->slices; s++) {
    const solved_slice *found = &a->found[s], *expected = &right->list[s];
    for (int plane = 0; plane < found->planes; plane++) {
      for (uint64_t i = 0; i < found->positions; i++) {
        const int depth = has_depths(a) ? found->depths[plane][i] : 0;
        const int expected_depth = has_depths(a) ? expected->depths[plane][i] : 0;
        if (found->cells[plane][i] != expected->cells[plane][i] || depth != expected_depth)
          ck_abort_msg(
              "%d ranks, %d shards each, slice %u, plane %d, position %llu: value %d depth %d, not %d "
              "and %d",
              a->how.ranks, a->how.shards_per_rank, s, plane, (unsigned long long)i, found->cells[plane][i],
              depth, expected->cells[plane][i], expected_depth);
      }
    }
  }
}

static const solve_kind kinds[] = {SOLVE_OUTCOMES, SOLVE_SCORES, SOLVE_GUARANTEES};
enum { KINDS = 3 };

/* Several ranges of indexes in each slice, so that each shard has some. */
static toy_game *random_game(solve_kind kind, uint64_t seed, bool predecessors) {
  const toy_shape shape = {.kind = kind,
                           .slices = 2,
                           .positions = {9000, 21000},
                           .most_moves = 2 + (int)(seed % 3),
                           .ended_percent = 3,
                           .converts_percent = 10,
                           .finishes_percent = 2,
                           .draws_percent = 20,
                           .most_gain = 3};
  return toy_random(&shape, seed, predecessors);
}

START_TEST(shards_give_what_the_whole_gives) {
  const spreading how = spreadings[_i % SPREADINGS];
  const solve_kind kind = kinds[_i / SPREADINGS];
  const uint64_t games = suite_is_check() ? 3 : 1, any = (uint64_t)_i % 3;
  for (uint64_t seed = any; seed < any + games; seed++) {
    const bool depths = seed % 3 != 2;
    toy_game *toy = random_game(kind, 100 * (uint64_t)_i + seed, true);
    whole right;
    solve_whole(&toy->game, toy->rules, toy->used, depths, &right);
    attempt *a = begin(&toy->game, toy->rules, toy->used, how, depths);
    ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
    compare(a, &right);
    end(a);
    free_whole(&right);
    toy_free(toy);
  }
}
END_TEST

START_TEST(one_shard_needs_no_predecessors) {
  toy_game *toy = random_game(kinds[_i], 7, false);
  whole right;
  solve_whole(&toy->game, toy->rules, toy->used, true, &right);
  attempt *a = begin(&toy->game, toy->rules, toy->used, spreadings[0], true);
  ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
  compare(a, &right);
  end(a);
  for (int i = 1; i < SPREADINGS; i += suite_is_check() ? 1 : 3) {
    a = begin(&toy->game, toy->rules, toy->used, spreadings[i], true);
    ck_assert_int_eq(try_in_shards(a), TAULER_INTERNAL);
    ck_assert_ptr_nonnull(strstr(a->message[0].text, "without predecessors"));
    end(a);
  }
  free_whole(&right);
  toy_free(toy);
}
END_TEST

START_TEST(all_ranks_end_when_one_gets_no_memory) {
  const spreading hows[] = {{3, 1, 1, 1024}, {2, 2, 1, 1024}};
  toy_game *toy = random_game(SOLVE_SCORES, 5, true);
  uint64_t nth = 1;
  for (tauler_error error = TAULER_NO_MEMORY; error != TAULER_OK; nth += 1 + nth / 4) {
    attempt *a = begin(&toy->game, toy->rules, toy->used, hows[_i], true);
    a->fail_take = nth;
    error = try_in_shards(a);
    if (error) ck_assert_int_eq(error, TAULER_NO_MEMORY);
    end(a);
  }
  ck_assert_uint_gt(nth, 15);
  toy_free(toy);
}
END_TEST

/* The plan is enough for each rank, and where shards do not fit it is less than for all of them at once. */
START_TEST(the_memory_that_was_planned_is_enough) {
  static const spreading hows[] = {{1, 1, 1, 0}, {2, 1, 2, 0}, {3, 1, 1, 1024}, {1, 4, 2, 0}, {2, 2, 1, 0}};
  enum { HOWS = sizeof hows / sizeof *hows };
  const toy_shape shape = {.kind = kinds[_i],
                           .slices = 2,
                           .positions = {9000, 400000},
                           .most_moves = 3,
                           .ended_percent = 4,
                           .converts_percent = 10,
                           .most_gain = 2};
  toy_game *toy = toy_random(&shape, 21, true);
  for (int i = 0; i < HOWS; i += suite_is_check() ? 1 : 2) {
    attempt *a = begin(&toy->game, toy->rules, toy->used, hows[i], true);
    a->by_plan = true;
    ck_assert_msg(!try_in_shards(a), "%d: %s", i, a->message[0].text);
    for (int r = 0; r < hows[i].ranks; r++) {
      const uint64_t talk = hows[i].ranks > 1 ? UINT64_C(33) << 20 : 0;
      const uint64_t shard = 400000 / (uint64_t)(hows[i].ranks * hows[i].shards_per_rank);
      const uint64_t fixed = (UINT64_C(36) << 20) * (uint64_t)hows[i].threads;
      ck_assert_uint_lt(a->peak[r], a->planned[r]);
      ck_assert_msg(a->planned[r] < talk + fixed + 30 * shard, "%d: %llu planned, %llu taken", i,
                    (unsigned long long)a->planned[r], (unsigned long long)a->peak[r]);
    }
    end(a);
  }
  toy_free(toy);
}
END_TEST

/* A path of so many plies to a loss, the last of them in the second shard: what it must be told comes with
 * the last wave there is. Nothing else moves. */
static tauler_error solve_path(uint64_t plies, int *value, int *depth) {
  enum { TILES = 34, HALF = TILES / 2 * 4096, LAST = HALF + 5 };
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (const uint64_t[]){TILES * 4096});
  for (uint64_t i = plies; i < TILES * 4096; i++) {
    if (i != LAST) toy_end(toy, 0, i, 0);
  }
  toy_end(toy, 0, 0, -1);
  for (uint64_t i = 1; i < plies; i++) toy_quiet(toy, 0, i, i - 1);
  toy_quiet(toy, 0, LAST, plies - 1);
  toy_seal(toy, true);
  const spreading how = {1, 2, 1, 0};
  attempt *a = begin(&toy->game, toy->rules, 1, how, true);
  const tauler_error error = try_in_shards(a);
  *value = a->found[0].cells[0][LAST];
  *depth = a->found[0].depths[0][LAST];
  end(a);
  toy_free(toy);
  return error;
}

START_TEST(depths_end_in_shards_where_they_end_in_the_whole) {
  int value, depth;
  ck_assert_int_eq(solve_path(SOLVE_NO_DEPTH - 1, &value, &depth), TAULER_OK);
  ck_assert_int_eq(value, -1);
  ck_assert_int_eq(depth, SOLVE_NO_DEPTH - 1);
  ck_assert_int_eq(solve_path(SOLVE_NO_DEPTH, &value, &depth), TAULER_INTERNAL);
}
END_TEST

/* Without conversions nothing travels but updates: a few bytes per quiet edge. */
START_TEST(updates_are_small) {
  const toy_shape shape = {
      .kind = SOLVE_OUTCOMES, .slices = 1, .positions = {200000}, .most_moves = 3, .ended_percent = 4};
  toy_game *toy = toy_random(&shape, 3, true);
  const spreading how = {4, 1, 1, 0};
  attempt *a = begin(&toy->game, toy->rules, toy->used, how, true);
  ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
  uint64_t edges = 0, bytes = 0;
  for (uint64_t i = 0; i < shape.positions[0]; i++) {
    if (a->found[0].cells[0][i] == 0) continue;
    const uint64_t *first = toy->slices[0].back_first;
    edges += first[i + 1] - first[i];
  }
  for (int r = 0; r < how.ranks; r++) bytes += a->bytes_sent[0][r];
  const uint64_t crossing = edges / 4 * 3;
  ck_assert_uint_gt(crossing, 50000);
  ck_assert_msg(bytes <= 4 * crossing, "%llu bytes for %llu edges", (unsigned long long)bytes,
                (unsigned long long)crossing);
  end(a);
  toy_free(toy);
}
END_TEST

static const char *const cycles[] = {"even", "forced"};

START_TEST(auale_in_shards) {
  enum { SEEDS = 7 };
  game_rules *rules;
  tauler_message message = {""};
  ck_assert_int_eq(auale_game.open("abapa", cycles[_i % 2], &rules, &message), TAULER_OK);
  static const spreading hows[] = {{3, 1, 1, 0}, {1, 3, 2, 0}, {2, 2, 1, 1024}};
  whole right;
  solve_whole(&auale_game, rules, SEEDS + 1, true, &right);
  attempt *a = begin(&auale_game, rules, SEEDS + 1, hows[_i / 2], true);
  a->recovers = true;
  ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
  compare(a, &right);
  uint64_t left_out = 0;
  for (uint32_t s = 0; s <= SEEDS; s++) {
    int8_t *lookups[SOLVE_PLANES] = {NULL, NULL};
    toy_lookups(&right.job, &right.list[s], lookups);
    for (int plane = 0; plane < right.list[s].planes; plane++) {
      const uint64_t n = right.list[s].positions;
      ck_assert_mem_eq(lookups[plane], a->lookups[s].cells[plane], n);
      ck_assert_mem_eq(right.list[s].cells[plane], a->recovered[s].cells[plane], n);
      for (uint64_t i = 0; i < n; i++) left_out += lookups[plane][i] == right.list[s].cells[plane][i];
      memory_give(&right.memory, lookups[plane]);
    }
  }
  ck_assert_uint_gt(left_out, 1000);
  end(a);
  free_whole(&right);
  auale_game.close(rules);
}
END_TEST

typedef struct {
  _Atomic uint64_t asked;
  uint64_t every;
} stopper;

static bool stop_now(void *user) {
  stopper *s = user;
  return ++s->asked % s->every == 0;
}

/* Counters of moves of which many take two bytes. */
static toy_game *many_moves(void) {
  const toy_shape shape = {.kind = SOLVE_SCORES,
                           .slices = 1,
                           .positions = {9000},
                           .most_moves = 400,
                           .ended_percent = 1,
                           .most_gain = 3};
  return toy_random(&shape, 5, true);
}

START_TEST(a_solve_goes_on_with_other_ranks_and_shards) {
  toy_game *toy = _i < KINDS ? random_game(kinds[_i], 11, true) : many_moves();
  whole right;
  solve_whole(&toy->game, toy->rules, 1, true, &right);
  char kept[SUITE_FOLDER_BYTES];
  make_folder_at(kept);
  stopper s = {0, suite_is_check() ? 3 : 9};
  solve_checkpoints checkpoints = {kept, 0, stop_now, &s};
  int stops = 0;
  attempt *a = NULL;
  for (tauler_error error = TAULER_STOPPED; error; stops++) {
    if (a) end(a);
    a = begin(&toy->game, toy->rules, 1, spreadings[stops * 3 % SPREADINGS], true);
    a->checkpoints = &checkpoints;
    error = try_in_shards(a);
    ck_assert_msg(!error || error == TAULER_STOPPED, "%s", a->message[0].text);
    ck_assert_int_lt(stops, 500);
  }
  ck_assert_int_gt(stops, 4);
  compare(a, &right);
  end(a);
  remove_folder_at(kept);
  free_whole(&right);
  toy_free(toy);
}
END_TEST

SUITE("waves") {
  LOOP(shards_give_what_the_whole_gives, SPREADINGS * KINDS);
  LOOP(one_shard_needs_no_predecessors, KINDS);
  LOOP(auale_in_shards, 6);
  TEST(updates_are_small);
  LOOP(all_ranks_end_when_one_gets_no_memory, 2);
  TEST(depths_end_in_shards_where_they_end_in_the_whole);
  LOOP(the_memory_that_was_planned_is_enough, KINDS);
  LOOP(a_solve_goes_on_with_other_ranks_and_shards, KINDS + 1);
}
