/* The repetition engine over ranks (threads of this process): random games and aualé must get the cells and
 * stages that slices held whole get, which test_own_row.c compares with slow definitions. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/registry.h"
#include "solver/engines/cells.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

enum { MOST_SLICES = 8, MOST_RANKS = 5 };
static const uint64_t LIMIT = UINT64_C(1) << 32;

/* How a game is solved in shards. */
typedef struct {
  int ranks, threads;
  size_t packet_bytes;
} spreading;

static const spreading spreadings[] = {{1, 1, 0},    {2, 1, 1024}, {3, 1, 0},
                                       {4, 1, 1024}, {5, 1, 1024}, {2, 2, 0}};
enum { SPREADINGS = sizeof spreadings / sizeof *spreadings };

/* All slices of a game solved in shards, gathered into whole ones by the ranks. */
typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slices;
  spreading how;
  bool stages;
  uint64_t fail_take;                             /* of the last rank's, in the last slice; 0: none */
  bool by_plan;                                   /* no more memory than was planned */
  uint64_t planned[MOST_RANKS], peak[MOST_RANKS]; /* of the last slice */
  solve_checkpoints *checkpoints;
  solved_slice found[MOST_SLICES];
  tauler_error error[MOST_RANKS];
  tauler_message message[MOST_RANKS];
} attempt;

static void *allocate(uint64_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  ck_assert_ptr_nonnull(memory);
  return memory;
}

static tauler_error pack(comm *comm, slice_store *store, const solved_slice *slice, int plane,
                         tauler_message *message) {
  tauler_error error = store_begin(store, slice->slice, plane, slice->positions, NULL, message);
  const uint64_t windows = (slice->positions + STORE_CHUNK - 1) / STORE_CHUNK;
  for (uint64_t w = (uint64_t)comm_rank(comm); w < windows && !error; w += (uint64_t)comm_ranks(comm))
    error = store_put(store, slice->slice, plane, w, slice->cells[plane] + w * STORE_CHUNK, message);
  return error;
}

/* The shard here to its place in the whole slice, which all ranks then pack. */
static tauler_error gather(attempt *a, const solve_job *job, const sharded_slice *slice,
                           tauler_message *message) {
  solved_slice *found = &a->found[slice->slice];
  const uint64_t from = layout_slabs(slice->layout, slice->first_shard)->from;
  const slice_shard *shard = &slice->shards[0];
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memcpy(found->cells[plane] + from, shard->parts[SHARD_CELLS + plane], shard->n);
    if (a->stages)
      memcpy(found->depths[plane] + from, shard->parts[SHARD_DEPTHS + plane], shard->n * sizeof(uint16_t));
  }
  tauler_error error = comm_agree(job->work.comm, TAULER_OK, message);
  for (int plane = 0; plane < SOLVE_PLANES && !error; plane++)
    error = pack(job->work.comm, job->store, found, plane, message);
  return comm_agree(job->work.comm, error, message);
}

static tauler_error solve_measured(attempt *a, const solve_job *job, sharded_slice *slice,
                                   tauler_message *message) {
  const bool fails = a->fail_take && slice->slice + 1 == a->slices;
  const uint64_t taken = memory_taken(job->work.memory);
  const int rank = comm_rank(job->work.comm);
  solve_effort effort = {0};
  a->planned[rank] =
      engine_repetition.cells->bytes(job, slice->slice, a->stages, slice->layout->shards, 1, NULL);
  if (a->by_plan) job->work.memory->limit = taken + a->planned[rank];
  job->work.memory->peak = taken;
  if (fails && rank + 1 == a->how.ranks) memory_fail_take(job->work.memory, a->fail_take, false);
  const tauler_error error = solve_slice(job, a->stages, slice, &effort, message);
  if (fails) memory_fail_take(job->work.memory, 0, false);
  a->peak[rank] = memory_peak(job->work.memory) - taken;
  job->work.memory->limit = LIMIT;
  return error;
}

static tauler_error solve_slices(attempt *a, const solve_job *job, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t number = 0; number < a->slices && !error; number++) {
    sharded_slice slice;
    error = solve_open(job, number, a->stages, &slice, message);
    if (error) return error;
    error = solve_measured(a, job, &slice, message);
    if (!error) error = gather(a, job, &slice, message);
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
                         .work.memory = &memory,
                         .work.comm = comm,
                         .store = store,
                         .checkpoints = a->checkpoints,
                         .work.packet_bytes = a->how.packet_bytes};
  if (!error) error = solve_slices(a, &job, &a->message[rank]);
  a->error[rank] = error;
  store_close(store);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}

/* All ranks must come to the same end. */
static tauler_error try_in_shards(attempt *a) {
  toy_comm_run(a->how.ranks, run_rank, a);
  for (int r = 1; r < a->how.ranks; r++) ck_assert_int_eq(a->error[r], a->error[0]);
  return a->error[0];
}

static attempt *begin(const game *of, const game_rules *rules, uint32_t slices, spreading how, bool stages) {
  attempt *a = allocate(1, sizeof *a);
  a->game = of;
  a->rules = rules;
  a->slices = slices;
  a->how = how;
  a->stages = stages;
  for (uint32_t s = 0; s < slices; s++) {
    solved_slice *slice = &a->found[s];
    *slice = (solved_slice){.slice = s, .positions = of->positions(rules, s), .planes = SOLVE_PLANES};
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      slice->cells[plane] = allocate(slice->positions, 1);
      slice->depths[plane] = allocate(slice->positions, sizeof(uint16_t));
    }
  }
  return a;
}

static void end(attempt *a) {
  for (uint32_t s = 0; s < a->slices; s++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      free(a->found[s].cells[plane]);
      free(a->found[s].depths[plane]);
    }
  }
  free(a);
}

typedef struct {
  memory_budget memory;
  solved_slice *list;
  slice_store *finished;
  solve_job job;
} whole;

static void solve_whole(const game *of, const game_rules *rules, uint32_t slices, whole *out) {
  *out = (whole){0};
  memory_budget_open(&out->memory, LIMIT);
  out->finished = toy_store_open(&out->memory, slices, &out->list);
  out->job = (solve_job){.problem.game = of,
                         .problem.rules = rules,
                         .work.threads = 1,
                         .work.memory = &out->memory,
                         .store = out->finished};
  for (uint32_t s = 0; s < slices; s++) {
    tauler_message message = {""};
    ck_assert_msg(!solve_alone(&out->job, s, true, &out->list[s], &message), "%s", message.text);
  }
}

static void free_whole(whole *solved) {
  store_close(solved->finished);
  ck_assert_uint_eq(memory_taken(&solved->memory), 0);
}

static void compare(const attempt *a, const whole *right) {
  for (uint32_t s = 0; s < a->slices; s++) {
    const solved_slice *found = &a->found[s], *expected = &right->list[s];
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      for (uint64_t i = 0; i < found->positions; i++) {
        const bool same_stage = !a->stages || found->depths[plane][i] == expected->depths[plane][i];
        if (found->cells[plane][i] != expected->cells[plane][i] || !same_stage)
          ck_abort_msg("%d ranks, slice %u, plane %d, position %llu: %d in stage %d, not %d in %d",
                       a->how.ranks, s, plane, (unsigned long long)i, found->cells[plane][i],
                       found->depths[plane][i], expected->cells[plane][i], expected->depths[plane][i]);
      }
    }
  }
}

/* A few positions in a hundred pay less than all others, so that regions hold and are large. */
static bool toy_pays(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, int8_t *value) {
  const int largest = toy_of(rules)->slices[slice].largest;
  for (size_t i = 0; i < count; i++) {
    const uint64_t mixed = (first + i + slice) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    value[i] = (int8_t)(mixed % 5 ? (int)(mixed / 5 % 3) - 1
                                  : (int)(mixed / 5 % (2 * (unsigned)largest + 1)) - largest);
  }
  return true;
}

/* Several ranges of indexes in each slice, so that most shards have some. */
static toy_game *random_game(uint64_t seed, uint64_t larger) {
  const toy_shape shape = {.kind = SOLVE_GUARANTEES,
                           .slices = 2,
                           .positions = {9000, larger},
                           .most_moves = 2 + (int)(seed % 3),
                           .ended_percent = 3,
                           .converts_percent = 10,
                           .finishes_percent = 2,
                           .draws_percent = 20,
                           .most_gain = 3};
  toy_game *toy = toy_random(&shape, seed, true);
  toy->game.repeated = toy_pays;
  return toy;
}

START_TEST(shards_give_what_the_whole_gives) {
  for (uint64_t seed = 0; seed < 2; seed++) {
    toy_game *toy = random_game(100 * (uint64_t)_i + seed, 13000);
    whole right;
    solve_whole(&toy->game, toy->rules, toy->used, &right);
    attempt *a = begin(&toy->game, toy->rules, toy->used, spreadings[_i], seed != 1);
    ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
    compare(a, &right);
    end(a);
    free_whole(&right);
    toy_free(toy);
  }
}
END_TEST

START_TEST(auale_in_shards) {
  enum { SEEDS = 6 };
  const game *auale = game_find("auale");
  game_rules *rules;
  ck_assert_int_eq(auale->open("abapa", "own-row", &rules, NULL), TAULER_OK);
  whole right;
  solve_whole(auale, rules, SEEDS + 1, &right);
  attempt *a = begin(auale, rules, SEEDS + 1, spreadings[2 + _i], true);
  ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
  compare(a, &right);
  end(a);
  free_whole(&right);
  auale->close(rules);
}
END_TEST

START_TEST(all_ranks_end_when_one_gets_no_memory) {
  toy_game *toy = random_game(5, 9000);
  uint64_t nth = 1;
  for (tauler_error error = TAULER_NO_MEMORY; error != TAULER_OK; nth += 1 + nth / 3) {
    attempt *a = begin(&toy->game, toy->rules, toy->used, (spreading){3, 1, 1024}, true);
    a->fail_take = nth;
    error = try_in_shards(a);
    if (error) ck_assert_int_eq(error, TAULER_NO_MEMORY);
    end(a);
  }
  ck_assert_uint_gt(nth, 15);
  toy_free(toy);
}
END_TEST

START_TEST(all_ranks_end_when_the_link_breaks) {
  toy_game *toy = random_game(6, 9000);
  for (uint64_t fails = 0; fails < 1000; fails += 1 + fails) {
    attempt *a = begin(&toy->game, toy->rules, toy->used, (spreading){3, 1, 1024}, false);
    toy_comm_run_failing(3, 1, fails, run_rank, a);
    for (int r = 0; r < 3; r++) ck_assert_int_eq(a->error[r], a->error[0]);
    if (fails < 100) ck_assert_int_eq(a->error[0], TAULER_IO);
    end(a);
  }
  toy_free(toy);
}
END_TEST

/* Hardly any position pays other than all. */
static bool toy_pays_alike(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                           int8_t *value) {
  (void)rules;
  (void)slice;
  for (size_t i = 0; i < count; i++) value[i] = (first + i) % 997 == 0 ? -1 : 0;
  return true;
}

/* So many moves that what a round has to tell is gathered and sent in several steps; and a large region. */
START_TEST(a_round_may_take_steps) {
  const toy_shape shape = {.kind = SOLVE_GUARANTEES,
                           .slices = 1,
                           .positions = {90000},
                           .most_moves = 20,
                           .ended_percent = 3,
                           .finishes_percent = 2,
                           .most_gain = 3};
  toy_game *toy = toy_random(&shape, 9, true);
  toy->game.repeated = toy_pays_alike;
  whole right;
  solve_whole(&toy->game, toy->rules, toy->used, &right);
  attempt *a = begin(&toy->game, toy->rules, toy->used, (spreading){3, 1, 0}, true);
  ck_assert_msg(!try_in_shards(a), "%s", a->message[0].text);
  compare(a, &right);
  end(a);
  free_whole(&right);
  toy_free(toy);
}
END_TEST

START_TEST(the_memory_that_was_planned_is_enough) {
  static const spreading hows[] = {{1, 2, 0}, {3, 1, 1024}};
  toy_game *toy = random_game(21, 300000);
  for (int i = 0; i < 2; i++) {
    attempt *a = begin(&toy->game, toy->rules, toy->used, hows[i], true);
    a->by_plan = true;
    ck_assert_msg(!try_in_shards(a), "%d: %s", i, a->message[0].text);
    for (int r = 0; r < hows[i].ranks; r++) {
      const uint64_t talk = hows[i].ranks > 1 ? UINT64_C(33) << 20 : 0;
      const uint64_t fixed = (UINT64_C(18) << 20) * (uint64_t)hows[i].threads;
      ck_assert_uint_lt(a->peak[r], a->planned[r]);
      ck_assert_msg(a->planned[r] < talk + fixed + 12 * (300000 / (uint64_t)hows[i].ranks),
                    "%d: %llu planned, %llu taken", i, (unsigned long long)a->planned[r],
                    (unsigned long long)a->peak[r]);
    }
    end(a);
  }
  toy_free(toy);
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

/* Rank counts differ from stop to stop, so work is taken up by other ranks. Each time some of it is done. */
START_TEST(a_solve_goes_on_with_other_ranks) {
  const bool stages = _i;
  toy_game *toy = random_game(11, 9000);
  whole right;
  solve_whole(&toy->game, toy->rules, 1, &right);
  make_folder();
  stopper s = {0, 3};
  solve_checkpoints checkpoints = {folder, 0, stop_now, &s};
  int stops = 0;
  attempt *a = NULL;
  for (tauler_error error = TAULER_STOPPED; error; stops++) {
    if (a) end(a);
    a = begin(&toy->game, toy->rules, 1, spreadings[stops % 3], stages);
    a->checkpoints = &checkpoints;
    error = try_in_shards(a);
    ck_assert_msg(!error || error == TAULER_STOPPED, "%s", a->message[0].text);
    ck_assert_int_lt(stops, 100);
  }
  ck_assert_int_gt(stops, 3);
  compare(a, &right);
  end(a);
  remove_folder();
  free_whole(&right);
  toy_free(toy);
}
END_TEST

SUITE("own row in shards") {
  LOOP(shards_give_what_the_whole_gives, SPREADINGS);
  LOOP(auale_in_shards, 2);
  TEST(a_round_may_take_steps);
  TEST(all_ranks_end_when_one_gets_no_memory);
  TEST(all_ranks_end_when_the_link_breaks);
  TEST(the_memory_that_was_planned_is_enough);
  LOOP(a_solve_goes_on_with_other_ranks, 2);
}
