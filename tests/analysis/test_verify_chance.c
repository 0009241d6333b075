/* The proof check of games of chance on random graphs and small games: right bounds are proven, every bound
 * that its moves do not allow is found at the least index, whatever is proven is true, and what only agrees
 * with itself is not proven. Beside it stand a plain reckoning (tests/support/toy/toy_bounds.h) and the slow
 * definition. */
#include <math.h>

#include "analysis/verify/verify_chance.h"
#include "games/oca/rules.h"
#include "games/registry.h"
#include "solver/engines/chance/chance.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bounds.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

enum { TOYS = 200, CHANGES = 12 };

static chance_verdict judge(toy_bounds *t, uint32_t slice, int threads) {
  const verify_set set = {.game = &t->toy->game,
                          .rules = t->toy->rules,
                          .threads = threads,
                          .memory = &t->budget,
                          .bounds = t->cells,
                          .slices = t->toy->slices};
  chance_verdict found;
  MUST(verify_chance_logic(&set, slice, &found, NULL));
  ck_assert_uint_eq(memory_allocated(&t->budget), 0);
  return found;
}

/* --- right and wrong bounds --- */

static toy_ways_shape shape_of(uint64_t seed, bool forwards) {
  return (toy_ways_shape){.nodes = 6 + (int)(seed % 20),
                          .seats = seed % 3 == 0 ? 2 + (int)(seed / 3 % 2) : 0,
                          .slices = 1 + (int)(seed / 3 % 3),
                          .leaves_percent = forwards ? 20 : 10 + (int)(seed % 30),
                          .most_choices = 3,
                          .forwards = forwards};
}

/* At one position; of kind NONE where nothing is wrong. */
static verify_fault fault_at(const toy_bounds *t, uint32_t slice, uint64_t index, int kind, int q,
                             bool ranges) {
  const toy_node *node = &t->toy->node[t->toy->node_at[slice][index]];
  const double stored = *toy_bounds_cell(t, node, kind, q), upper = *toy_bounds_cell(t, node, BOUND_UPPER, q);
  const double most = t->toy->quantities.list[q].most;
  if (ranges && !(stored >= 0 && stored <= most))
    return (verify_fault){FAULT_RANGE, index, kind, stored, most};
  if (ranges && kind == BOUND_LOWER && upper >= 0 && upper <= most && stored > upper)
    return (verify_fault){FAULT_ORDER, index, kind, stored, upper};
  if (ranges || toy_bounds_allowed(t, node, kind, q, stored)) return (verify_fault){.kind = FAULT_NONE};
  const bool possible = toy_bounds_possible(t, node, kind, q, stored);
  return (verify_fault){possible ? FAULT_VALUE : FAULT_FALSE, index, kind, stored, 0};
}

/* The first that is false, or else the first of all. */
static bool expected_fault(const toy_bounds *t, uint32_t slice, int kind, int q, bool ranges,
                           verify_fault *out) {
  *out = (verify_fault){.kind = FAULT_NONE};
  for (uint64_t index = 0; index < t->toy->positions[slice]; index++) {
    const verify_fault here = fault_at(t, slice, index, kind, q, ranges);
    const bool first_false = here.kind == FAULT_FALSE && out->kind != FAULT_FALSE;
    if (out->kind == FAULT_NONE || first_false) *out = here;
  }
  return out->kind != FAULT_NONE;
}

static int unfounded, untrue; /* faults of both kinds met */

/* All streams against the plain reckoning; returns whether anything is wrong. */
static bool expect_verdict(toy_bounds *t, uint32_t slice) {
  const chance_verdict found = judge(t, slice, 2);
  verify_fault fault;
  bool ranges = false, wrong = false;
  const int bounds = BOUND_KINDS * t->toy->quantities.used;
  for (int b = 0; b < bounds; b++)
    ranges = expected_fault(t, slice, b % BOUND_KINDS, b / BOUND_KINDS, true, &fault) || ranges;
  for (int b = 0; b < bounds; b++) {
    const verify_fault *met = &found.fault[b % BOUND_KINDS][b / BOUND_KINDS];
    const bool is = expected_fault(t, slice, b % BOUND_KINDS, b / BOUND_KINDS, ranges, &fault);
    if (met->kind != (is ? fault.kind : FAULT_NONE)) ck_abort_msg("stream %d: fault %d", b, met->kind);
    wrong = wrong || is;
    if (!is) continue;
    ck_assert_uint_eq(met->index, fault.index);
    ck_assert_mem_eq(&met->stored, &fault.stored, sizeof(double));
    if (fault.kind < FAULT_VALUE) ck_assert(met->expected == fault.expected);
    if (fault.kind < FAULT_VALUE) continue;
    const int by = fault.kind == FAULT_VALUE ? b % BOUND_KINDS : 1 - b % BOUND_KINDS;
    *(fault.kind == FAULT_VALUE ? &unfounded : &untrue) += 1;
    ck_assert(b % BOUND_KINDS == BOUND_LOWER ? met->expected < met->stored : met->expected > met->stored);
    const toy_node *node = &t->toy->node[t->toy->node_at[slice][fault.index]];
    const double close = toy_bounds_by_moves(t, node, by, b / BOUND_KINDS);
    ck_assert(fabs(met->expected - close) < 1e-12);
  }
  ck_assert_int_eq(found.wrong, wrong);
  return wrong;
}

/* Another number, often hardly another one. */
static double changed_bound(double bound, uint64_t *seed) {
  switch (toy_draw(seed) % 8) {
  case 0:
    return (double)(toy_draw(seed) % 1000) / 999;
  case 1:
    return toy_draw(seed) % 2 ? NAN : INFINITY;
  case 2:
    return toy_draw(seed) % 2 ? -0x1p-1074 : nextafter(1, 2);
  case 3:
    return toy_draw(seed) % 2 ? 0 : 1;
  default:
    return bound > 0 ? nextafter(bound, toy_draw(seed) % 2 ? 1 : 0) : TOY_BOUNDS_TINY;
  }
}

CASE(every_wrong_bound_is_found) {
  int wrong = 0, right = 0;
  for (uint64_t seed = 1; seed <= TOYS; seed++) {
    const toy_ways_shape shape = shape_of(seed, seed % 2);
    toy_bounds *t = toy_bounds_new(toy_ways_random(&shape, seed));
    toy_bounds_set(t, 0, 1);
    toy_bounds_settle(t, false);
    uint64_t drawn = seed;
    const uint32_t last = t->toy->slices - 1;
    for (uint32_t slice = 0; slice <= last; slice++) ck_assert(!expect_verdict(t, slice));
    if (shape.forwards) ck_assert_uint_eq(judge(t, last, 1).endless[BOUND_LOWER], 0);
    for (int change = 0; change < CHANGES; change++) {
      const toy_node *node = &t->toy->node[toy_draw(&drawn) % (unsigned)t->toy->nodes];
      if (!node->indexed) continue;
      double *cell = toy_bounds_cell(t, node, toy_draw(&drawn) % 2,
                                     (int)(toy_draw(&drawn) % (unsigned)t->toy->quantities.used));
      const double before = *cell;
      *cell = changed_bound(before, &drawn);
      /* a stored NaN is refused in its own slice, before others look at it */
      const bool number = *cell >= 0 && *cell <= 1;
      for (uint32_t slice = node->slice; slice <= (number ? last : node->slice); slice++)
        *(expect_verdict(t, slice) ? &wrong : &right) += 1;
      *cell = before;
    }
  }
  ck_assert_int_gt(wrong, 1500);
  ck_assert_int_gt(unfounded, 100);
  ck_assert_int_gt(untrue, 100);
  ck_assert_int_gt(right, 500);
}

/* --- play that does not end --- */

/* Positions that stay, as verify_chance.h says; with `together` everybody wishes to go on. */
static uint64_t count_staying(const toy_bounds *t, uint32_t slice, int kind, bool together) {
  const toy_ways *toy = t->toy;
  bool stays[TOY_WAYS_NODES], changed = true;
  for (int i = 0; i < toy->nodes; i++) {
    const toy_node *node = &toy->node[i];
    stays[i] = node->indexed && node->slice == slice && !node->ended && !node->nothing;
  }
  while (changed) {
    changed = false;
    for (int i = 0; i < toy->nodes; i++) {
      const toy_node *node = &toy->node[i];
      const bool protects = !together && node->aim == (kind == BOUND_LOWER ? 1 : -1);
      for (int from = 0, next; stays[i] && from < node->ways; from = next) {
        const toy_wide best = toy_bounds_best(t, node, from, kind, 0, &next);
        bool some = false, all = true;
        for (int way = from; way < next; way++) {
          int to;
          const bool good = toy_bounds_worth(t, &node->way[way], kind, 0, &to) == best;
          const bool out = to == TOY_WAYS_OVER || !stays[to];
          all = all && out;
          some = some || (good && out);
        }
        if (protects ? some : all) stays[i] = false;
        changed = changed || !stays[i];
      }
    }
  }
  uint64_t count = 0;
  for (int i = 0; i < toy->nodes; i++) count += stays[i];
  return count;
}

/* Where endless play is worth nothing, lower bounds are at most the values; where it is worth all, upper ones
 * at least. */
static bool is_true(const toy_bounds *t, int kind, const long double *values) {
  const int used = t->toy->quantities.used;
  for (int i = 0; i < t->toy->nodes * used; i++) {
    const toy_node *node = &t->toy->node[i / used];
    if (!node->indexed) continue;
    const long double bound = *toy_bounds_cell(t, node, kind, i % used);
    if (kind == BOUND_LOWER ? bound > values[i] + 1e-9L : bound < values[i] - 1e-9L) return false;
  }
  return true;
}

/* Bounds from anywhere that come to agree with their moves. */
CASE(what_is_proven_is_true) {
  int lies = 0, by_choice = 0, proven = 0;
  for (uint64_t seed = 1; seed <= 4 * TOYS; seed++) {
    toy_ways_shape shape = shape_of(seed, false);
    shape.slices = 1;
    toy_bounds *t = toy_bounds_new(toy_ways_random(&shape, seed));
    uint64_t drawn = seed;
    toy_bounds_set(t, 0, 1);
    for (int i = 0; i < t->toy->nodes * t->toy->quantities.used * BOUND_KINDS; i++) {
      const toy_node *node = &t->toy->node[i % t->toy->nodes];
      double *cell =
          toy_bounds_cell(t, node, i / t->toy->nodes % BOUND_KINDS, i / t->toy->nodes / BOUND_KINDS);
      if (node->indexed) *cell = (double)(toy_draw(&drawn) % 9) / 8;
    }
    long double *least = toy_ways_settle(t->toy, 0), *greatest = toy_ways_settle(t->toy, 1);
    if (toy_bounds_settle(t, true) && least && greatest) {
      const chance_verdict found = judge(t, 0, 1);
      const long double *values[BOUND_KINDS] = {least, greatest};
      for (int kind = 0; kind < BOUND_KINDS; kind++) {
        for (int q = 0; q < t->toy->quantities.used; q++) ck_assert(found.fault[kind][q].kind != FAULT_VALUE);
        const bool good = is_true(t, kind, values[kind]), ends = count_staying(t, 0, kind, true) == 0;
        const uint64_t staying = count_staying(t, 0, kind, false);
        if (!found.wrong) ck_assert_uint_eq(found.endless[kind], staying);
        if (!found.wrong) ck_assert_uint_eq(found.together, count_staying(t, 0, kind, true));
        ck_assert(good || staying > 0);
        ck_assert(!ends || staying == 0);
        lies += !good && !found.wrong;
        by_choice += !ends && staying == 0;
        proven += staying == 0;
      }
    }
  }
  ck_assert_int_gt(lies, 20);
  ck_assert_int_gt(by_choice, 20);
  ck_assert_int_gt(proven, 500);
}

/* One who wants more may stay or take 0, one who wants less may stay or give 1/2. Between 0 and 1/2
 * everything agrees; what holds whatever endless play is worth is 0 and 1/2. */
CASE(agreement_alone_proves_nothing) {
  toy_ways *toy = toy_ways_new(1, 1, (uint32_t[]){1});
  for (int node = 0; node < 2; node++) toy_ways_node(toy, 0, true, node ? -1 : 1);
  for (int node = 0; node < 2; node++) {
    toy_ways_way(toy, node, (toy_way){.to = 1 - node});
    toy_ways_way(toy, node, (toy_way){.to = TOY_WAYS_OVER, .gain = 1 + node});
  }
  toy_bounds *t = toy_bounds_new(toy);
  toy_bounds_set(t, 0, 0.5);
  chance_verdict found = judge(t, 0, 1);
  ck_assert(!found.wrong && found.endless[BOUND_LOWER] == 0 && found.endless[BOUND_UPPER] == 0);
  toy_bounds_set(t, 0.25, 0.25);
  found = judge(t, 0, 1);
  ck_assert(!found.wrong && found.endless[BOUND_LOWER] == 2 && found.endless[BOUND_UPPER] == 2);
}

/* --- games --- */

static const struct {
  const game *game;
  const char *rules, *size;
  bool is_long;
} games[] = {{&oca_game, "base", "1", false},
             {&oca_game, "goose-59=bounce,dice=2,death=start", "1", false},
             {&oca_game, "base", "2", false},
             {&oca_asesina_game, "board=20", "1", false},
             {&oca_asesina_game, "board=20,last-turn=off", "1", false},
             {&oca_asesina_game, "base", "1", true},
             {&oca_asesina_game, "goose-1=off,capture=final-square", "1", true}};

typedef struct {
  const game *game;
  game_rules *rules;
  memory_budget *memory;
  game_slices slices;
  uint32_t room;
  chance_slices solved;
  chance_cells *cells;
} solved_game;

static void solve_slice_of(solved_game *g, uint32_t slice) {
  const solve_job of = toy_job(g->game, g->rules, 2, g->memory);
  const chance_job job = {.job = &of, .finished = &g->solved, .width = 1e-9};
  chance_effort effort;
  if (chance_solve(&job, slice, &g->solved.list[slice], &effort, hear())) ck_abort_msg("%s", said.text);
  for (int q = 0; q < g->solved.list[slice].quantities; q++) {
    g->cells[slice].bound[BOUND_LOWER][q] = g->solved.list[slice].lower[q];
    g->cells[slice].bound[BOUND_UPPER][q] = g->solved.list[slice].upper[q];
  }
}

static solved_game solve_game(int number) {
  solved_game g = {.game = games[number].game};
  const game_request request = {.largest = games[number].size};
  g.memory = suite_budget(0);
  g.rules = suite_rules(g.game, games[number].rules, NULL);
  g.slices = suite_slices(g.game, g.rules, &request);
  ck_assert_uint_gt(g.slices.used, 0);
  g.room = game_slices_largest(&g.slices) + 1;
  g.cells = suite_zeros(g.room, sizeof *g.cells);
  g.solved = (chance_slices){suite_zeros(g.room, sizeof *g.solved.list), g.room};
  for (size_t i = 0; i < g.slices.used; i++) solve_slice_of(&g, g.slices.slices[i].slice);
  return g;
}

static void free_game(solved_game *g) {
  for (uint32_t i = 0; i < g->room; i++) chance_slice_free(g->memory, &g->solved.list[i]);
}

enum { MOST_RANKS = 5 };

typedef struct {
  verify_set set;
  uint32_t slice;
  chance_verdict found[MOST_RANKS];
} judged;

static void judge_on_rank(comm *comm, void *user) {
  judged *j = user;
  verify_set set = j->set;
  set.ranks = comm;
  if (verify_chance_logic(&set, j->slice, &j->found[comm_rank(comm)], hear())) abort();
}

static void expect_same_verdict(const chance_verdict *found, const chance_verdict *right) {
  ck_assert_int_eq(found->wrong, right->wrong);
  for (int i = 0; i < BOUND_KINDS * CHANCE_MOST_QUANTITIES; i++) {
    const verify_fault *a = &found->fault[i % BOUND_KINDS][i / BOUND_KINDS],
                       *b = &right->fault[i % BOUND_KINDS][i / BOUND_KINDS];
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_uint_eq(a->index, b->index);
    ck_assert(a->stored == b->stored && a->expected == b->expected);
  }
  if (right->wrong) return;
  for (int kind = 0; kind < BOUND_KINDS; kind++)
    ck_assert_uint_eq(found->endless[kind], right->endless[kind]);
  ck_assert_uint_eq(found->together, right->together);
  ck_assert(found->width == right->width);
}

/* The same by any number of ranks. */
static chance_verdict judge_game(solved_game *g, uint32_t slice, int threads) {
  static const int counts[] = {1, 2, 3, MOST_RANKS};
  static judged alone, shared;
  alone = shared = (judged){.set = {.game = g->game,
                                    .rules = g->rules,
                                    .threads = threads,
                                    .memory = g->memory,
                                    .bounds = g->cells,
                                    .slices = g->room},
                            .slice = slice};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    judged *j = i ? &shared : &alone;
    toy_comm_run(counts[i], judge_on_rank, j);
    for (int rank = 0; rank < counts[i]; rank++) expect_same_verdict(&j->found[rank], &alone.found[0]);
  }
  return alone.found[0];
}

/* All bounds from some on are wrong, the first of them at the end of what one thread takes at a time: another
 * thread meets those behind it later. */
static void expect_first_fault(solved_game *g, uint32_t slice) {
  enum { FIRST = 1023, TIMES = 6 };
  const chance_slice *solved = &g->solved.list[slice];
  if (solved->positions < 3 * FIRST) return;
  for (uint64_t i = FIRST; i < solved->positions; i++) solved->lower[0][i] = solved->upper[0][i];
  const chance_verdict one = judge_game(g, slice, 1);
  ck_assert(one.wrong);
  for (int again = 0; again < TIMES; again++)
    ck_assert_uint_eq(judge_game(g, slice, 2).fault[BOUND_LOWER][0].index, one.fault[BOUND_LOWER][0].index);
}

/* The tables of the solver are proven, and tables that are a little better are not. */
CASE(solved_games_are_proven) {
  if (games[_i].is_long && !suite_is_long()) return;
  solved_game g = solve_game(_i);
  for (size_t i = 0; i < g.slices.used; i++) {
    const chance_verdict found = judge_game(&g, g.slices.slices[i].slice, 2);
    ck_assert(!found.wrong && found.endless[BOUND_LOWER] == 0 && found.endless[BOUND_UPPER] == 0);
  }
  const uint32_t slice = g.slices.slices[g.slices.used - 1].slice;
  const uint64_t index = g.solved.list[slice].positions / 3;
  for (int kind = 0; kind < BOUND_KINDS; kind++) {
    double *cell = &g.cells[slice].bound[kind][0][index];
    const double before = *cell,
                 middle = (g.solved.list[slice].lower[0][index] + g.solved.list[slice].upper[0][index]) / 2;
    *cell = middle + (kind == BOUND_LOWER ? 1e-9 : -1e-9);
    const chance_verdict one = judge_game(&g, slice, 1), two = judge_game(&g, slice, 2);
    ck_assert(one.wrong && one.fault[kind][0].index <= index);
    for (int other = 0; other < BOUND_KINDS; other++)
      ck_assert_uint_eq(one.fault[other][0].index, two.fault[other][0].index);
    *cell = before;
  }
  expect_first_fault(&g, slice);
  free_game(&g);
}

SUITE("verify_chance") {
  TESTS(every_wrong_bound_is_found, what_is_proven_is_true, agreement_alone_proves_nothing);
  LOOP(solved_games_are_proven, ROWS(games));
}
