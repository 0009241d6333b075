/* The proof check on random graphs: of all values that agree with each other, move by move, it accepts the
 * true ones and no others, and says where the first is that nobody can make good. */
#include "analysis/verify/verify_slice.h"
#include "tests/support/suite.h"
#include "tests/support/toy_union.h"

enum { TOYS = 400, ATTEMPTS = 12, SWEEPS = 60, MOST = 32, NONE = -1000 };

/* A slice of a toy with some values in its cells, and the check that is to judge them. */
typedef struct {
  toy_game *toy;
  naive_forced *truth;
  solve_kind kind;
  uint32_t slice;
  int planes, positions;
  int8_t *cells[TOY_SLICES];
  uint16_t depths[MOST * NAIVE_PLANES];
  uint16_t *finished[TOY_SLICES]; /* depths of outcomes */
  memory_budget *budget;
} trial;

static const toy_slice *slice_of(const trial *t) {
  return &t->toy->slices[t->slice];
}

static int8_t *cell_of(const trial *t, int index, int plane) {
  return &t->cells[t->slice][index * t->planes + plane];
}

static void put_truth(trial *t, uint32_t slice) {
  for (uint64_t i = 0; i < t->toy->slices[slice].positions; i++) {
    for (int plane = 0; plane < t->planes; plane++)
      t->cells[slice][i * (unsigned)t->planes + (unsigned)plane] = (int8_t)t->truth[slice].value[plane][i];
  }
}

static int worth_of(const trial *t, const game_edge *edge, int plane) {
  if (edge->to.slice == GAME_OVER) return edge->gain;
  const uint64_t child = edge->to.index * (unsigned)t->planes + (unsigned)(t->planes - 1 - plane);
  return edge->gain - t->cells[edge->to.slice][child];
}

static int best_of(const trial *t, int index, int plane) {
  const toy_slice *slice = slice_of(t);
  if (slice->ended[index] != GAME_NOT_ENDED) return slice->ended[index];
  int best = NONE;
  for (uint64_t e = slice->first[index]; e < slice->first[index + 1]; e++) {
    const int worth = worth_of(t, &slice->edges[e], plane);
    if (worth > best) best = worth;
  }
  return best;
}

/* From any values, each position takes the worth of its moves, again and again; false if that never ends. */
static bool find_agreement(trial *t, uint64_t *seed) {
  const int largest = slice_of(t)->largest;
  for (int i = 0; i < t->positions * t->planes; i++)
    t->cells[t->slice][i] = (int8_t)((int)(toy_draw(seed) % (unsigned)(2 * largest + 1)) - largest);
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    bool changed = false;
    for (int i = 0; i < t->positions * t->planes; i++) {
      int8_t *cell = cell_of(t, i / t->planes, i % t->planes);
      const int best = best_of(t, i / t->planes, i % t->planes);
      if (abs(best) > largest) return false;
      changed = changed || *cell != best;
      *cell = (int8_t)best;
    }
    if (!changed) return true;
  }
  return false;
}

/* Whether somebody must force the value: 1 the mover, −1 the other side. */
static int forcer_of(const trial *t, int value, int plane) {
  if (t->planes == 1) return value > 0 ? 1 : value < 0 ? -1 : 0;
  if (plane == 0) return value > -slice_of(t)->largest ? 1 : 0;
  return value < slice_of(t)->largest ? -1 : 0;
}

static bool is_made_good(const trial *t, const bool proven[MOST][NAIVE_PLANES], int index, int plane) {
  const toy_slice *slice = slice_of(t);
  const int value = *cell_of(t, index, plane), forcer = forcer_of(t, value, plane);
  if (slice->ended[index] != GAME_NOT_ENDED || forcer == 0) return true;
  bool some = false, all = true;
  for (uint64_t e = slice->first[index]; e < slice->first[index + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    if (worth_of(t, edge, plane) != value) continue;
    const bool good = edge->to.slice != t->slice || proven[edge->to.index][t->planes - 1 - plane];
    some = some || good;
    all = all && good;
  }
  return forcer > 0 ? some : all;
}

/* The first position of which not all is made good by play that ends, or -1. */
static int first_endless(const trial *t) {
  bool proven[MOST][NAIVE_PLANES] = {{false}};
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < t->positions * t->planes; i++) {
      bool *good = &proven[i / t->planes][i % t->planes];
      if (*good || !is_made_good(t, proven, i / t->planes, i % t->planes)) continue;
      *good = changed = true;
    }
  }
  for (int i = 0; i < t->positions * t->planes; i++)
    if (!proven[i / t->planes][i % t->planes]) return i / t->planes;
  return -1;
}

static bool is_true(const trial *t) {
  for (int i = 0; i < t->positions * t->planes; i++) {
    if (*cell_of(t, i / t->planes, i % t->planes) != t->truth[t->slice].value[i % t->planes][i / t->planes])
      return false;
  }
  return true;
}

static verify_fault judge(trial *t, bool with_depths, verify_fault *depths) {
  const verify_set set = {.game = &t->toy->game,
                          .rules = t->toy->rules,
                          .planes = t->planes,
                          .threads = 2,
                          .memory = t->budget,
                          .cells = t->cells,
                          .depths = t->kind == SOLVE_OUTCOMES ? t->finished : NULL,
                          .slices = t->toy->used};
  const verify_slice slice = {.slice = t->slice,
                              .positions = (uint64_t)t->positions,
                              .reserved = {VERIFY_NO_RESERVED, VERIFY_NO_RESERVED},
                              .depths = with_depths ? t->depths : NULL};
  verify_fault values;
  MUST(verify_slice_logic(&set, &slice, &values, depths, NULL));
  return values;
}

static void put_true_depths(trial *t) {
  for (int i = 0; i < t->positions * t->planes; i++) {
    const int depth = t->truth[t->slice].depth[i % t->planes][i / t->planes];
    t->depths[i] = depth == NAIVE_NO_DEPTH ? 0 : (uint16_t)depth;
  }
}

static void expect_judgement(trial *t, int *wrong) {
  const int endless = first_endless(t);
  verify_fault depths;
  const verify_fault found = judge(t, false, &depths);
  ck_assert_int_eq(endless < 0, is_true(t));
  ck_assert_int_eq(found.kind, endless < 0 ? FAULT_NONE : FAULT_ENDLESS);
  if (endless >= 0) ck_assert_uint_eq(found.index, (uint64_t)endless);
  /* depths of the truth fit the truth alone */
  put_true_depths(t);
  ck_assert_int_eq(judge(t, true, &depths).kind, endless < 0 ? FAULT_NONE : FAULT_ENDLESS);
  ck_assert(endless >= 0 || depths.kind == FAULT_NONE);
  *wrong += endless >= 0;
}

/* As toy_solve_slowly answers. */
static naive_forced *solve_outcomes(const toy_game *toy) {
  toy_union all = toy_unite(toy);
  naive_forced *answers = suite_zeros(TOY_SLICES, sizeof *answers);
  for (uint32_t s = 0; s < 2; s++) {
    const uint64_t positions = toy->slices[s].positions;
    answers[s].planes = 1;
    answers[s].value[0] = suite_zeros(positions, sizeof(int));
    answers[s].depth[0] = suite_zeros(positions, sizeof(int));
    for (uint64_t i = 0; i < positions; i++) {
      answers[s].value[0][i] = all.answer[all.offset[s] + (int)i].value;
      answers[s].depth[0][i] = all.answer[all.offset[s] + (int)i].depth;
    }
  }
  return answers;
}

static trial *new_trial(solve_kind kind, uint64_t seed) {
  const toy_shape shape = {.kind = kind,
                           .slices = 2,
                           .positions = {5, 6 + seed % 20},
                           .most_moves = 2 + (int)(seed / 3 % 3),
                           .ended_percent = 5,
                           .converts_percent = 8,
                           .finishes_percent = 4,
                           .draws_percent = 20,
                           .most_gain = 2};
  trial *t = suite_zeros(1, sizeof *t);
  t->budget = suite_budget(0);
  t->toy = toy_random(&shape, seed, seed % 4 != 0);
  t->kind = kind;
  t->truth = kind == SOLVE_OUTCOMES ? solve_outcomes(t->toy) : toy_solve_slowly(t->toy);
  t->planes = kind == SOLVE_GUARANTEES ? 2 : 1;
  t->slice = 1;
  t->positions = (int)t->toy->slices[1].positions;
  for (uint32_t slice = 0; slice < 2; slice++) {
    t->cells[slice] = suite_zeros(t->toy->slices[slice].positions, (unsigned)t->planes);
    put_truth(t, slice);
    t->finished[slice] = suite_zeros(t->toy->slices[slice].positions, sizeof *t->finished[slice]);
    for (uint64_t i = 0; i < t->toy->slices[slice].positions; i++)
      t->finished[slice][i] = (uint16_t)t->truth[slice].depth[0][i];
  }
  return t;
}

static const solve_kind kinds[] = {SOLVE_SCORES, SOLVE_GUARANTEES, SOLVE_OUTCOMES};

CASE(only_the_truth_is_proven) {
  const solve_kind kind = kinds[_i];
  int wrong = 0;
  for (uint64_t seed = 1; seed <= TOYS; seed++) {
    uint64_t drawn = seed;
    trial *t = new_trial(kind, seed);
    expect_judgement(t, &wrong);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (find_agreement(t, &drawn)) expect_judgement(t, &wrong);
    }
  }
  ck_assert_int_gt(wrong, 500);
}

static bool is_found(trial *t) {
  verify_fault depths;
  const verify_fault values = judge(t, true, &depths);
  return values.kind || depths.kind;
}

/* Values and depths of wins, draws and losses: the truth holds, and no cell of it may be another. */
CASE(every_other_cell_of_outcomes_is_refused) {
  uint64_t changes = 0, through = 0;
  for (uint64_t seed = 1; seed <= TOYS / 3; seed++) {
    trial *t = new_trial(SOLVE_OUTCOMES, seed);
    put_true_depths(t);
    ck_assert(!is_found(t));
    for (int i = 0; i < t->positions; i++) {
      const int8_t value = *cell_of(t, i, 0);
      const uint16_t depth = t->depths[i];
      for (int8_t other = -1; other <= 1; other++) {
        *cell_of(t, i, 0) = other;
        ck_assert(other == value || is_found(t));
        t->depths[i] = other ? (uint16_t)(depth + 1) : 0;
        ck_assert(other == value || is_found(t));
        t->depths[i] = depth;
      }
      *cell_of(t, i, 0) = value;
      for (uint16_t other = 0; other < 6; other++) {
        t->depths[i] = other;
        ck_assert(other == depth || is_found(t));
        changes += other != depth;
      }
      t->depths[i] = depth;
    }
    for (uint64_t i = 0; i < t->toy->slices[0].positions; i++) {
      t->finished[0][i]++;
      through += is_found(t);
      t->finished[0][i]--;
    }
  }
  ck_assert_uint_gt(changes, 5000);
  ck_assert_uint_gt(through, 10); /* depths that others rest on */
}

/* Everything has ended, worth 0, and all cells from some on say 1. The first of them stands at the end of
 * what one thread takes at a time: another thread meets those behind it sooner. */
CASE(the_first_fault_is_found_by_any_threads) {
  enum { POSITIONS = 200000, FIRST = 40 * 1024 - 1 };
  toy_game *toy = toy_new(SOLVE_SCORES, 1, (uint64_t[]){POSITIONS});
  for (uint64_t i = 0; i < POSITIONS; i++) toy_end(toy, 0, i, i == 0);
  toy_seal(toy, true);
  int8_t *cells = suite_zeros(POSITIONS, 1);
  for (uint64_t i = 0; i < POSITIONS; i++) cells[i] = i == 0 || i >= FIRST;
  memory_budget *budget = suite_budget(0);
  for (int again = 0; again < 30; again++) {
    const verify_set set = {.game = &toy->game,
                            .rules = toy->rules,
                            .planes = 1,
                            .threads = 1 + again % 3,
                            .memory = budget,
                            .cells = &cells,
                            .slices = 1};
    const verify_slice slice = {.positions = POSITIONS, .reserved = {VERIFY_NO_RESERVED}};
    verify_fault values, depths;
    MUST(verify_slice_logic(&set, &slice, &values, &depths, NULL));
    ck_assert_int_eq(values.kind, FAULT_VALUE);
    ck_assert_uint_eq(values.index, FIRST);
  }
}

SUITE("verify_toys") {
  LOOP(only_the_truth_is_proven, 3);
  TESTS(every_other_cell_of_outcomes_is_refused, the_first_fault_is_found_by_any_threads);
}
