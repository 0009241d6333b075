/* Solving games of chance: known games, random graphs against a slow definition, and that neither threads nor
 * ranks nor the room for edges change a cell. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_dice.h"
#include "tests/support/toy_attempt.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

/* --- games whose worth is published --- */

/* The published figure is within the bounds, as far as its digits go. */
static void assert_published(const toy_odds *toy, double published, double digits, double width) {
  memory_budget *memory = suite_budget(TOY_ATTEMPT_ROOM);
  const solve_job of = toy_job(&toy->game, toy->rules, 1, memory);
  const chance_job job = {.job = &of, .width = width};
  chance_slice found;
  MUST(chance_solve(&job, 0, &found, NULL, hear()));
  ck_assert(found.width <= width && found.endless == 0);
  ck_assert(found.lower[0][0] <= found.upper[0][0]);
  ck_assert_double_le(found.lower[0][0], published + digits);
  ck_assert_double_ge(found.upper[0][0], published - digits);
  ck_assert(found.upper[0][0] - found.lower[0][0] <= found.width);
  chance_slice_free(memory, &found);
}

CASE(ladders) {
  assert_published(toy_ladders_new(), 39.225122308235, 6e-13, 1e-11);
}

CASE(pig) {
  static const struct {
    int target;
    double published;
  } games[] = {{10, 0.7094243225983}, {30, 0.5679147444935}, {100, 0.5305927252737}};
  for (int i = 0; i < (suite_is_long() ? 3 : 1); i++)
    assert_published(toy_pig_new(games[i].target), games[i].published, 6e-14, 1e-11);
}

/* --- random graphs --- */

static const uint64_t few[] = {12, 40, 1, 25}, many[] = {300, 12000};

CASE(random_graphs) {
  const toy_odds_kind kind = (toy_odds_kind)_i;
  const chance_engine engine = toy_attempt_watch();
  for (uint64_t seed = 1; seed <= (uint64_t)SOME(20, 40); seed++) {
    toy_odds *toy =
        toy_odds_random(kind, 1 + seed % TOY_ODDS_ROLLS, 1 + seed % 4, few, 2 + (int)(seed % 3) * 10, seed);
    toy->stage = seed % 5 * 3;
    toy->quantities.chosen = toy->quantities.chosen && seed % 2;
    toy_odds_seal(toy);
    toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
    a->engine = &engine;
    toy_attempt_solve_well(a);
    for (uint32_t s = 0; s < toy->slices; s++)
      EXPECT(a->list[s].width <= 1e-9 && a->list[s].endless == 0, "seed %u: width %g in slice %u",
             (unsigned)seed, a->list[s].width, s);
    toy_attempt_assert_hold(a);
  }
}

/* Makes what is to be proven in a sweep wrong in one place, which must be refused. */
static tauler_error meddling_sweep(chance_work *work, chance_step step, chance_measures *out,
                                   tauler_message *message) {
  toy_attempt *a = (toy_attempt *)(uintptr_t)work->job;
  const bool meddles = a->meddled < 2 && step == a->meddles;
  uint64_t longest = 0;
  for (uint64_t i = 0; i < work->positions; i++)
    if (work->potential[i] > work->potential[longest]) longest = i;
  if (meddles && step == CHANCE_PROOF) work->potential[longest] /= 2;
  if (meddles && step == CHANCE_BOUNDS && a->meddled == 0) work->lower[3][longest] += 1;
  if (meddles && step == CHANCE_BOUNDS && a->meddled == 1) work->upper[3][longest] -= 1;
  const tauler_error error = chance_general.sweep(work, step, out, message);
  EXPECT(meddles == (out->refused > 0) || error || (step != CHANCE_PROOF && step != CHANCE_BOUNDS),
         "step %d refuses %u", (int)step, (unsigned)out->refused);
  if (meddles) a->meddled = 2;
  return error;
}

CASE(refuses) {
  chance_engine engine = chance_general;
  engine.name = "meddling";
  engine.sweep = meddling_sweep;
  toy_odds *toy = toy_odds_random(TOY_ODDS_SEATS, 3, 1, few + 1, 10, 8);
  toy_odds_seal(toy);
  toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  a->engine = &engine;
  a->meddles = _i == 0 ? CHANCE_PROOF : CHANCE_BOUNDS;
  a->meddled = _i == 2;
  toy_attempt_solve_well(a);
  ck_assert_int_eq(a->meddled, 2);
  ck_assert(a->list[0].width <= 1e-9);
  toy_attempt_assert_hold(a);
}

/* --- the same cells --- */

static toy_odds *large_toy(toy_odds_kind kind) {
  toy_odds *toy = toy_odds_random(kind, 2, 2, many, 30, 17);
  toy->stage = 3300;
  toy_odds_seal(toy);
  return toy;
}

typedef struct {
  const toy_odds *toy;
  const toy_attempt *alone;
  int threads;
  double width;
} ranks_case;

static void solve_as_rank(comm *comm, void *user) {
  const ranks_case *of = user;
  toy_attempt *a = toy_attempt_new(of->toy, of->width, of->threads, comm, TOY_ATTEMPT_ROOM);
  a->of.work.packet_bytes = comm_ranks(comm) == 2 ? 1024 : 0; /* less than the cells of a stage */
  toy_attempt_solve_well(a);
  toy_attempt_assert_same(of->alone, a, "ranks");
}

CASE(threads_and_ranks) {
  toy_odds *toy = large_toy((toy_odds_kind)_i);
  toy_attempt *alone = toy_attempt_new(toy, 1e-6, 1, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(alone);
  EXPECT(alone->list[1].width <= 1e-6, "too wide");
  for (int threads = 2; threads <= (_i == 0 ? 3 : 2); threads++) {
    toy_attempt *a = toy_attempt_new(toy, 1e-6, threads, NULL, TOY_ATTEMPT_ROOM);
    toy_attempt_solve_well(a);
    toy_attempt_assert_same(alone, a, "threads");
  }
  for (int ranks = 1; ranks <= 3; ranks++) {
    ranks_case of = {toy, alone, _i == 1 && ranks == 2 ? 2 : 1, 1e-6};
    toy_comm_run(ranks, solve_as_rank, &of);
  }
}

/* With what was planned there may be no room for edges. */
CASE(little_room) {
  toy_odds *toy = large_toy(TOY_ODDS_ENDS);
  toy_attempt *alone = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM),
              *little = toy_attempt_new(toy, 1e-9, 2, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(alone);
  for (uint32_t s = 0; s < toy->slices; s++) {
    little->memory.limit = memory_allocated(&little->memory) + chance_solve_bytes(&little->of, s);
    EXPECT(chance_solve(&little->job, s, &little->list[s], NULL, &little->message) == TAULER_OK, "%s",
           little->message.text);
  }
  toy_attempt_assert_same(alone, little, "memory");
}

SUITE("chance_solve") {
  TESTS(ladders, pig);
  LOOP(random_graphs, 3);
  LOOP(refuses, 3);
  LOOP(threads_and_ranks, 3);
  TEST(little_room);
}
