/* The moves of the proof of Dou Shou Qi against those of its batches, on cells of any value: each move then
 * has a chance to be the best. Cells that are left out show what the proof makes of their moves. */
#include "analysis/dice/dice_random.h"
#include "analysis/verify/verify_slice.h"
#include "games/game_proof.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { RESERVED = 5, EVERY = 16, ITEMS = 4, MOST_SLICES = 1 << 16, MOST_EDGES = 64 };
enum { PLACE_AND_FILL = 2, STEPS = 4 };

static const struct {
  const char *rules, *slice;
} cases[] = {{"base", "Rr"},
             {"base", "Rc"},
             {"base", "RLr"},
             {"base", "LTe"},
             {"base", "ERcl"},
             {"base", "ELel"},
             {"liacs", "ERl"},
             {"liacs", "LPrt"},
             {"base,leopard=wide,clearings", "LPRr"},
             {"base,lakes=plain,wolf-over-dog", "DWw"},
             {"base,lakes=drink", "LRtr"},
             {"base,lakes=drink,drinkers=block", "TEcr"},
             {"base,lakes=drink", "LRt"},
             {"base,lakes=drink", "TRr"},
             {"base,jump-block=path,stalemate=loss,rat-shore=liacs", "LRr"},
             {"base,elephant-takes-rat", "ERr"}};

typedef struct {
  const game *game;
  game_rules *rules;
  uint32_t slice;
  int8_t **cells;
  uint16_t **depths;
  int8_t *before; /* the cells of the slice before the proof filled any */
  dice_random random;
  int best, depth; /* best worth and depth of the moves met so far */
  bool unknown;
} bench;

/* Any outcome, with a depth that it may have. Where two mirror images have a number each, they must have the
 * same outcome. */
static void fill_slice(bench *b, uint32_t slice) {
  const uint64_t n = b->game->positions(b->rules, slice);
  b->cells[slice] = suite_zeros(n, 1);
  b->depths[slice] = suite_zeros(n, sizeof *b->depths[slice]);
  for (uint64_t i = 0; i < n; i++) {
    uint8_t copies;
    b->game->copies(b->rules, slice, i, 1, &copies);
    const int8_t cell = copies == 1 ? 0 : (int8_t)((int)dice_random_below(&b->random, 3) - 1);
    b->cells[slice][i] = cell;
    b->depths[slice][i] = cell ? (uint16_t)(dice_random_below(&b->random, 120) * 2 + (cell > 0)) : 0;
  }
}

static void open_bench(bench *b, int number) {
  *b = (bench){.game = game_find("doushouqi"), .random = dice_random_open(5, 0)};
  b->rules = suite_rules(b->game, cases[number].rules, NULL);
  b->cells = suite_zeros(MOST_SLICES, sizeof *b->cells);
  b->depths = suite_zeros(MOST_SLICES, sizeof *b->depths);
  const game_request request = {.material = cases[number].slice};
  const game_slices slices = suite_slices(b->game, b->rules, &request);
  for (size_t i = 0; i < slices.used; i++) {
    if (slices.slices[i].asked) b->slice = slices.slices[i].slice;
    fill_slice(b, slices.slices[i].slice);
  }
}

/* A sooner win is better, and a later loss. */
static bool is_better(const bench *b, int value, int depth) {
  if (value != b->best) return value > b->best;
  return value > 0 ? depth < b->depth : value < 0 && depth > b->depth;
}

static tauler_error receive_edges(void *user, const game_edge *edges, size_t n) {
  bench *b = user;
  for (size_t i = 0; i < n; i++) {
    int value = edges[i].gain, depth = value ? 1 : 0;
    if (edges[i].to.slice != GAME_OVER) {
      const int8_t cell = b->cells[edges[i].to.slice][edges[i].to.index];
      b->unknown |= edges[i].to.slice == b->slice && b->before[edges[i].to.index] == RESERVED;
      value = -cell;
      depth = cell ? b->depths[edges[i].to.slice][edges[i].to.index] + 1 : 0;
    }
    if (!is_better(b, value, depth)) continue;
    b->best = value;
    b->depth = depth;
  }
  return TAULER_OK;
}

static void expand(bench *b, uint64_t index) {
  game_edge edges[MOST_EDGES];
  game_sink sink = {edges, 0, MOST_EDGES, receive_edges, b};
  int16_t ended;
  b->best = INT8_MIN;
  b->unknown = false;
  b->depth = 0;
  MUST(b->game->ended(b->rules, b->slice, &index, 1, &ended));
  if (ended != GAME_NOT_ENDED) {
    b->best = ended;
    return;
  }
  MUST(b->game->expand(b->rules, b->slice, &index, 1, &sink));
  MUST(game_sink_flush(&sink));
}

static void leave_out(bench *b, uint64_t n) {
  b->before = suite_zeros(n, 1);
  for (uint64_t i = 0; i < n; i++) {
    if (dice_random_below(&b->random, EVERY) == 0) {
      b->cells[b->slice][i] = RESERVED;
      b->depths[b->slice][i] = UINT16_MAX;
    }
    b->before[i] = b->cells[b->slice][i];
  }
}

/* The steps of both sides to move, of a part of the items where the slice is large. */
static uint64_t run_steps(const game_proof *page, game_proof_run *run, uint64_t first, uint64_t end,
                          bool all) {
  const uint64_t each = page->parts(run, PROOF_VALUES) / STEPS;
  uint64_t cells = 0;
  for (uint64_t part = first * each; part < end * each; part++) {
    const uint64_t items = page->items(run, PROOF_VALUES, part);
    for (uint64_t i = 0; i < items && (all || i < ITEMS); i++)
      cells += page->work(run, PROOF_VALUES, part, all || items <= ITEMS ? i : i * (items / ITEMS));
  }
  return cells;
}

/* Compares the cells that were filled. */
static void compare_rows(bench *b, uint64_t n) {
  uint64_t compared = 0;
  for (uint64_t i = 0; i < n; i++) {
    const int filled = b->cells[b->slice][i], depth = b->depths[b->slice][i];
    if (b->before[i] != RESERVED || filled == RESERVED) continue;
    expand(b, i);
    HOLDS(!b->unknown);
    EXPECT(filled == b->best && depth == b->depth, "cell %llu is %d in %d, not %d in %d",
           (unsigned long long)i, filled, depth, b->best, b->depth);
    compared++;
  }
  HOLDS(compared > 10);
}

static void undo(bench *b, game_proof_run *run, uint64_t n) {
  const game_proof *page = b->game->proof;
  for (uint64_t part = 0; part < page->parts(run, PROOF_UNDO); part++) {
    for (uint64_t item = 0; item < page->items(run, PROOF_UNDO, part); item++)
      ck_assert_uint_eq(page->work(run, PROOF_UNDO, part, item), 0);
  }
  HOLDS(memcmp(b->before, b->cells[b->slice], n) == 0);
  for (uint64_t i = 0; i < n; i++) HOLDS(b->before[i] != RESERVED || b->depths[b->slice][i] == UINT16_MAX);
}

CASE(rows_have_the_moves_of_batches) {
  const int reserved[] = {RESERVED};
  bench b;
  open_bench(&b, _i);
  const uint64_t n = b.game->positions(b.rules, b.slice);
  leave_out(&b, n);
  const game_proof_job job = {b.rules, b.slice, 1, b.cells, reserved, b.depths[b.slice], b.depths};
  arena arrays;
  arena_open(&arrays, suite_budget(0), "rows");
  game_proof_run *run = b.game->proof->open(&job, &arrays);
  ck_assert_int_eq(arrays.error, TAULER_OK);
  ck_assert_uint_eq(run_steps(b.game->proof, run, 0, 1, true), 0);
  HOLDS(run_steps(b.game->proof, run, 1, PLACE_AND_FILL, n < 1 << 20) > 0);
  compare_rows(&b, n);
  undo(&b, run, n);
  arena_close(&arrays);
}

/* --- every change of a cell --- */

enum {
  WEAKEST = 1, /* the case that is solved */
  STEP = 11    /* distance of the cells that are changed */
};

/* Goes over all positions until no cell changes, from draws. */
static void solve(bench *b, uint64_t n) {
  b->before = suite_zeros(n, 1);
  if (!b->before || !b->cells[b->slice] || !b->depths[b->slice]) abort();
  memset(b->cells[b->slice], 0, n);
  memset(b->depths[b->slice], 0, n * sizeof *b->depths[b->slice]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t i = 0; i < n; i++) {
      expand(b, i);
      if (b->cells[b->slice][i] == b->best && b->depths[b->slice][i] == b->depth) continue;
      b->cells[b->slice][i] = (int8_t)b->best;
      b->depths[b->slice][i] = (uint16_t)b->depth;
      changed = true;
    }
  }
}

/* The kinds of the faults that verify finds in values and in depths. */
static void judge(bench *b, uint64_t n, verify_fault_kind *values, verify_fault_kind *depths) {
  memory_budget *memory = suite_budget(0);
  const verify_set set = {.game = b->game,
                          .rules = b->rules,
                          .planes = 1,
                          .threads = 1,
                          .memory = memory,
                          .cells = b->cells,
                          .depths = b->depths,
                          .slices = MOST_SLICES};
  const verify_slice slice = {
      .slice = b->slice, .positions = n, .reserved = {RESERVED}, .depths = b->depths[b->slice]};
  verify_fault value, depth;
  MUST(verify_slice_logic(&set, &slice, &value, &depth, NULL));
  *values = value.kind;
  *depths = depth.kind;
}

static void change(bench *b, uint64_t n, uint64_t i, int8_t cell, uint16_t depth) {
  const int8_t true_cell = b->cells[b->slice][i];
  const uint16_t true_depth = b->depths[b->slice][i];
  verify_fault_kind values, depths;
  b->cells[b->slice][i] = cell;
  b->depths[b->slice][i] = depth;
  judge(b, n, &values, &depths);
  EXPECT(values || depths, "cell %llu passes as %d in %d", (unsigned long long)i, cell, depth);
  b->cells[b->slice][i] = true_cell;
  b->depths[b->slice][i] = true_depth;
}

CASE(a_changed_cell_is_refused) {
  bench b;
  open_bench(&b, WEAKEST);
  const uint64_t n = b.game->positions(b.rules, b.slice);
  verify_fault_kind values, depths;
  solve(&b, n);
  judge(&b, n, &values, &depths);
  HOLDS(values == FAULT_NONE && depths == FAULT_NONE);
  for (uint64_t i = 0; i < n; i += STEP) {
    const int8_t cell = b.cells[b.slice][i];
    const uint16_t depth = b.depths[b.slice][i];
    change(&b, n, i, cell == 1 ? 0 : 1, cell == 1 ? 0 : 9);
    change(&b, n, i, cell, (uint16_t)(depth + 2));
  }
}

SUITE("verify_rows") {
  LOOP(rows_have_the_moves_of_batches, ROWS(cases));
  TEST(a_changed_cell_is_refused);
}
