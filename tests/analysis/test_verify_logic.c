/* The proof check on the cells of one slice: every single change of a cell is refused, and so are values
 * that agree with each other alone. The cells come from the slow definition (naive_tables.h). */
#include "analysis/verify/verify_slice.h"

#include "analysis/dice/dice_random.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"

/* Families with depths; then those without, of which the last is proven by its moves alone. */
enum { FAMILIES = 6, WITHOUT_DEPTHS = 2, SEEDS = 5, ALONE = FAMILIES + 1 };

static const struct {
  const char *rules, *cycles;
} families[FAMILIES + WITHOUT_DEPTHS] = {{"awari", "even"},
                                         {"awari,grand-slam=captures", "even"},
                                         {"abapa", "even"},
                                         {"awari", "forced"},
                                         {"awari,grand-slam=captures", "forced"},
                                         {"abapa", "forced"},
                                         {"abapa", "own-row"},
                                         {"abapa", "own-row-any"}};

static naive_tables *solve_slices(int family, int seeds) {
  return naive_tables_new(families[family].rules, families[family].cycles, seeds);
}

/* --- every change of every cell --- */

typedef struct {
  const naive_tables *tables;
  int seeds;
  verify_set set;
  game changed; /* the game, but for what a test replaces */
  memory_budget *budget;
  int8_t *cells[SEEDS + 1], *beyond[SEEDS + 1];
  uint16_t *depths;
} bench;

static void put_beyond(bench *b, int seeds) {
  const naive_slice *slice = &b->tables->fallback->slices[seeds];
  const int planes = b->tables->planes;
  b->beyond[seeds] = suite_zeros((size_t)slice->positions * (size_t)planes, 1);
  for (int i = 0; i < slice->positions * planes; i++)
    b->beyond[seeds][i] = slice->plain[i % planes][i / planes];
}

static void put_cells(bench *b, int seeds, bool stored) {
  const naive_slice *slice = &b->tables->slices[seeds];
  const int planes = b->tables->planes;
  for (int i = 0; i < slice->positions * planes; i++)
    b->cells[seeds][i] = (stored ? slice->stored : slice->plain)[i % planes][i / planes];
}

/* How values without depths are proven: by the page of the game for that, or batch by batch. */
typedef enum { BY_BATCHES, BY_PAGE } way;

static bench *new_bench(const naive_tables *tables, int seeds, int threads, way by) {
  bench *b = suite_zeros(1, sizeof *b);
  b->budget = suite_budget(0);
  b->tables = tables;
  b->seeds = seeds;
  b->changed = *tables->game;
  if (by == BY_BATCHES) b->changed.proof = NULL;
  b->set = (verify_set){.game = &b->changed,
                        .rules = tables->rules,
                        .planes = tables->planes,
                        .threads = threads,
                        .memory = b->budget,
                        .cells = b->cells,
                        .beyond = tables->fallback ? b->beyond : NULL,
                        .slices = (uint32_t)seeds + 1};
  for (int n = 0; n <= seeds; n++) {
    b->cells[n] = suite_zeros((size_t)tables->slices[n].positions * (size_t)tables->planes, 1);
    put_cells(b, n, false);
    if (tables->fallback) put_beyond(b, n);
  }
  b->depths =
      suite_zeros((size_t)tables->slices[seeds].positions * (size_t)tables->planes, sizeof *b->depths);
  return b;
}

typedef struct {
  tauler_error error;
  verify_fault values, depths;
} verdict;

/* Runs the check on the stored cells of the slice, as they are now. */
static verdict run(bench *b, bool with_depths) {
  const naive_slice *slice = &b->tables->slices[b->seeds];
  const int planes = b->tables->planes;
  put_cells(b, b->seeds, true);
  for (int i = 0; i < slice->positions * planes; i++)
    b->depths[i] = slice->stored_depths[i % planes][i / planes];
  const verify_slice check = {.slice = (uint32_t)b->seeds,
                              .positions = (uint64_t)slice->positions,
                              .reserved = {NAIVE_RESERVED, NAIVE_RESERVED},
                              .depths = with_depths ? b->depths : NULL};
  verdict found;
  found.error = verify_slice_logic(&b->set, &check, &found.values, &found.depths, NULL);
  return found;
}

static bool is_plain(const bench *b) {
  const naive_slice *slice = &b->tables->slices[b->seeds];
  const int planes = b->tables->planes;
  for (int i = 0; i < slice->positions * planes; i++)
    if (b->cells[b->seeds][i] != slice->plain[i % planes][i / planes]) return false;
  return true;
}

static bool is_same(const verify_fault *a, const verify_fault *b) {
  return a->kind == b->kind && (!a->kind || (a->index == b->index && a->plane == b->plane &&
                                             a->stored == b->stored && a->expected == b->expected));
}

/* On every way the check finds the same. */
static verdict run_both(bench *b, bool with_depths) {
  const verdict found = run(b, with_depths);
  const game_proof *page = b->changed.proof;
  if (with_depths || !page) return found;
  b->changed.proof = NULL;
  const verdict by_batches = run(b, with_depths);
  b->changed.proof = page;
  if (found.error != by_batches.error || !is_same(&found.values, &by_batches.values))
    ck_abort_msg("the page finds %d, the batches %d", found.values.kind, by_batches.values.kind);
  return found;
}

/* A changed cell must be refused, unless the plain cells are the true ones after all: what was to be
 * looked up is then written out. */
static void judge_change(bench *b, bool with_depths, int value, bool was_reserved, bool *refused) {
  const verdict found = run_both(b, with_depths);
  ck_assert_int_eq(found.error, TAULER_OK);
  *refused = found.values.kind != FAULT_NONE;
  if (*refused) {
    if (value != NAIVE_RESERVED && abs(value) > b->seeds) ck_assert_int_eq(found.values.kind, FAULT_RANGE);
    return;
  }
  if (!is_plain(b)) ck_abort_msg("%d is accepted", value);
  if (value == NAIVE_RESERVED && !was_reserved) ck_abort_msg("nothing is there to look up");
}

static bool is_proven(bench *b, bool with_depths) {
  const verdict found = run(b, with_depths);
  return !found.error && found.values.kind == FAULT_NONE && found.depths.kind == FAULT_NONE && is_plain(b);
}

/* `step` 1: of every position. */
static void change_each_value(bench *b, bool with_depths, int step) {
  const naive_slice *slice = &b->tables->slices[b->seeds];
  for (int plane = 0; plane < b->tables->planes; plane++) {
    for (int i = 0; i < slice->positions; i += step) {
      const int8_t before = slice->stored[plane][i];
      int refusals = 0;
      for (int value = -b->seeds - 2; value <= b->seeds + 1; value++) {
        bool refused;
        slice->stored[plane][i] = value < -b->seeds - 1 ? NAIVE_RESERVED : (int8_t)value;
        judge_change(b, with_depths, slice->stored[plane][i], before == NAIVE_RESERVED, &refused);
        refusals += refused;
      }
      slice->stored[plane][i] = before;
      /* 2n + 4 cells, of which one or two are right: the value, and that it is looked up */
      const int right = before == NAIVE_RESERVED ? 2 : 1;
      if (refusals != 2 * b->seeds + 4 - right) ck_abort_msg("%d refusals at %d", refusals, i);
    }
  }
}

CASE(every_changed_value_is_refused) {
  const bool both = _i < 2 * FAMILIES, with_depths = both && _i % 2;
  naive_tables *tables = solve_slices(both ? _i / 2 : _i - FAMILIES, 4);
  for (int seeds = 0; seeds <= 4; seeds++) {
    bench *b = new_bench(tables, seeds, 1, BY_PAGE);
    ck_assert(is_proven(b, with_depths));
    change_each_value(b, with_depths, suite_is_long() ? 1 : seeds < 4 ? SOME(1 + seeds, 1) : SOME(61, 11));
  }
}

CASE(every_changed_depth_is_refused) {
  naive_tables *tables = solve_slices(_i, 4);
  bench *b = new_bench(tables, 4, 1, BY_BATCHES);
  ck_assert(is_proven(b, true));
  const naive_slice *slice = &tables->slices[4];
  for (int plane = 0; plane < tables->planes; plane++) {
    for (int i = 0; i < slice->positions; i += suite_is_long() ? 1 : SOME(17, 3)) {
      uint16_t *depth = &slice->stored_depths[plane][i];
      const uint16_t before = *depth;
      if (before == UINT16_MAX) continue;
      for (int change = -2; change <= 2; change++) {
        if (change == 0 || before + change < 0) continue;
        *depth = (uint16_t)(before + change);
        const verdict found = run(b, true);
        if (found.error || found.values.kind || found.depths.kind != FAULT_DEPTH)
          ck_abort_msg("depth %d of %d as %d", before, i, *depth);
      }
      *depth = before;
    }
  }
}

/* --- values that agree with each other, and with nothing that ends --- */

CASE(a_cycle_that_believes_itself_is_refused) {
  naive_tables *tables = solve_slices(_i, 2);
  ck_assert_int_gt(naive_tables_believe(tables, 2), 0);
  bench *b = new_bench(tables, 2, 1, BY_PAGE);
  ck_assert_int_eq(run(b, false).values.kind, FAULT_ENDLESS);
  b->changed.proof = NULL;
  ck_assert_int_eq(run(b, false).values.kind, FAULT_ENDLESS);
  ck_assert_int_eq(run(b, true).values.kind, FAULT_ENDLESS); /* under any depths */
  b->changed.retract = NULL;
  ck_assert_int_eq(run(b, false).values.kind, FAULT_ENDLESS);
}

/* Draws some cells and gives all boards the worth of their moves until nothing changes, if that comes to an
 * end. */
static bool draw_beliefs(naive_tables *tables, int seeds, dice_random *random) {
  const naive_slice *slice = &tables->slices[seeds];
  for (int i = 0; i < slice->positions * tables->planes; i++)
    if (dice_random_below(random, 3) == 0)
      slice->plain[i % tables->planes][i / tables->planes] =
          (int8_t)((int)dice_random_below(random, 2 * (uint64_t)seeds + 1) - seeds);
  bool changed = true;
  for (int sweep = 0; sweep < 100 && changed; sweep++) {
    changed = false;
    for (int i = 0; i < slice->positions * tables->planes; i++) {
      int8_t *cell = &slice->plain[i % tables->planes][i / tables->planes];
      const int best = naive_tables_best(tables, seeds, i / tables->planes, i % tables->planes);
      changed = changed || best != *cell;
      *cell = (int8_t)best;
    }
  }
  naive_tables_encode(tables, seeds);
  return !changed;
}

CASE(the_page_proves_what_batches_prove) {
  naive_tables *tables = solve_slices(_i, 4);
  dice_random random = dice_random_open(11, 0);
  int refused = 0;
  for (int seeds = 2; seeds <= 4; seeds++) {
    bench *b = new_bench(tables, seeds, 1, BY_PAGE);
    for (int draw = 0; draw < 40; draw++) {
      if (!draw_beliefs(tables, seeds, &random)) continue;
      refused += run_both(b, false).values.kind != FAULT_NONE;
    }
  }
  ck_assert_int_gt(refused, 5);
}

/* --- games that contradict themselves --- */

static const game *true_game;

typedef struct {
  game_sink *to;
  uint32_t drop; /* edges from this one are dropped, from the next one doubled */
} twist;

static tauler_error twist_edges(void *user, const game_edge *edges, size_t n) {
  const twist *t = user;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++) {
    if (edges[i].from != t->drop) error = game_sink_push(t->to, edges[i]);
    if (edges[i].from == t->drop + 1 && !error) error = game_sink_push(t->to, edges[i]);
  }
  return error;
}

static tauler_error retract_wrongly(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                    game_sink *sink) {
  game_edge edges[64];
  twist t = {sink, 0};
  game_sink twisted = {edges, 0, 64, twist_edges, &t};
  const tauler_error error = true_game->retract(rules, slice, index, n, &twisted);
  return error ? error : game_sink_flush(&twisted);
}

static tauler_error expand_outside(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                   game_sink *sink) {
  return game_sink_push(sink, (game_edge){0, 0, {slice + 1, 0}});
}

CASE(a_game_that_contradicts_itself_proves_nothing) {
  naive_tables *tables = solve_slices(_i, 5);
  true_game = tables->game;
  bench *b = new_bench(tables, 5, 1, BY_BATCHES);
  ck_assert_int_eq(run(b, false).error, TAULER_OK);
  b->changed.retract = retract_wrongly;
  ck_assert_int_eq(run(b, false).error, TAULER_INTERNAL);
  b->changed.expand = expand_outside;
  ck_assert_int_eq(run(b, true).error, TAULER_INTERNAL);
}

CASE(a_game_without_retract_is_proven_by_sweeps) {
  naive_tables *tables = solve_slices(_i, 5);
  bench *b = new_bench(tables, 5, 2, BY_BATCHES);
  b->changed.retract = NULL;
  const verdict found = run(b, false);
  ck_assert_int_eq(found.error, TAULER_OK);
  ck_assert_int_eq(found.values.kind, FAULT_NONE);
  ck_assert(is_plain(b));
}

/* Batches that fail are not asked where the page proves all. */
CASE(a_page_proves_without_batches) {
  naive_tables *tables = solve_slices(_i, SEEDS);
  for (int seeds = 0; seeds <= SEEDS; seeds++) {
    bench *b = new_bench(tables, seeds, 2, BY_PAGE);
    b->changed.expand = expand_outside;
    ck_assert(is_proven(b, false));
    tables->slices[seeds].stored[0][0] ^= 1;
    ck_assert(!is_proven(b, false));
    tables->slices[seeds].stored[0][0] ^= 1;
  }
}

SUITE("verify_logic") {
  LOOP(every_changed_value_is_refused, 2 * FAMILIES + WITHOUT_DEPTHS);
  LOOP(every_changed_depth_is_refused, FAMILIES);
  LOOP(a_cycle_that_believes_itself_is_refused, ALONE);
  LOOP(the_page_proves_what_batches_prove, ALONE);
  LOOP(a_game_that_contradicts_itself_proves_nothing, ALONE);
  LOOP(a_page_proves_without_batches, ALONE);
  LOOP(a_game_without_retract_is_proven_by_sweeps, FAMILIES + WITHOUT_DEPTHS);
}
