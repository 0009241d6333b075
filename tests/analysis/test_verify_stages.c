/* The proof check on stages of own-row bounds, as the engine gives them: a stage that its moves do not bear
 * out is refused, one that they do is a proof, and values are proven either way or refused. */
#include "analysis/verify/verify_slice.h"
#include "solver/engines/solve.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

enum { SEEDS = 4, MOST = 2 * 1365 };

typedef struct {
  naive_tables *tables;
  int seeds;
  memory_budget *memory;
  int8_t *cells[SEEDS + 1];
  uint16_t stages[MOST]; /* position by position, as the proof check has them */
} bench;

static void allocate_cells(bench *b, int seeds) {
  const naive_slice *slice = &b->tables->slices[seeds];
  b->cells[seeds] = suite_zeros(2 * (size_t)slice->positions, 1);
  for (int i = 0; i < 2 * slice->positions; i++) b->cells[seeds][i] = slice->plain[i % 2][i / 2];
}

/* Values are the slow definition's; the engine says of the last slice at which stages it has them. */
static void solve_stages(bench *b) {
  solved_slice *list;
  slice_store *finished = toy_store_open(b->memory, SEEDS + 1, &list);
  for (int seeds = 0; seeds < b->seeds; seeds++)
    for (int plane = 0; plane < 2; plane++) list[seeds].cells[plane] = b->tables->slices[seeds].plain[plane];
  solve_job job = toy_job(b->tables->game, b->tables->rules, 1, b->memory);
  job.store = finished;
  solved_slice out = {0};
  MUST(solve_alone(&job, (uint32_t)b->seeds, true, &out, NULL));
  for (uint64_t i = 0; i < 2 * out.positions; i++) {
    const uint16_t stage = out.depths[i % 2][i / 2];
    b->stages[i] = stage == SOLVE_NO_DEPTH ? 0 : stage;
  }
  solved_slice_free(b->memory, &out);
  for (int seeds = 0; seeds < b->seeds; seeds++) list[seeds] = (solved_slice){.positions = 0};
}

static bench *new_bench(int seeds) {
  bench *b = suite_zeros(1, sizeof *b);
  b->tables = naive_tables_new("abapa", "own-row", seeds);
  b->seeds = seeds;
  b->memory = suite_budget(0);
  for (int n = 0; n <= seeds; n++) allocate_cells(b, n);
  solve_stages(b);
  return b;
}

static void run(bench *b, verify_fault *values, verify_fault *stages) {
  const naive_slice *last = &b->tables->slices[b->seeds];
  memory_budget memory;
  const verify_set set = {.game = b->tables->game,
                          .rules = b->tables->rules,
                          .planes = 2,
                          .threads = 1,
                          .memory = &memory,
                          .cells = b->cells,
                          .slices = (uint32_t)b->seeds + 1};
  verify_slice slice = {.slice = (uint32_t)b->seeds,
                        .positions = (uint64_t)last->positions,
                        .reserved = {VERIFY_NO_RESERVED, VERIFY_NO_RESERVED},
                        .depths = b->stages};
  memory_budget_open(&memory, verify_slice_bytes(&set, slice.positions));
  MUST(verify_slice_logic(&set, &slice, values, stages, NULL));
}

/* --- what stages promise, in the words of the slow definition --- */

/* To the side that moves (plane 0) or does not. */
static int guaranteed(const bench *b, int seeds, int plane, int i) {
  const int8_t cell = b->tables->slices[seeds].plain[plane][i];
  return plane ? -cell : cell;
}

static int paid(const bench *b, int plane, int i) {
  const naive_slice *slice = &b->tables->slices[b->seeds];
  const naive_board *board = &b->tables->naive->layers[b->seeds].boards[slice->rank[i]];
  int net = -b->seeds;
  for (int pit = 0; pit < 6; pit++) net += 2 * board->pit[pit];
  return plane ? -net : net;
}

static bool serves(const bench *b, int plane, int i, naive_edge edge) {
  const int sure = guaranteed(b, b->seeds, plane, i), left = b->seeds - edge.captured;
  const int child = b->tables->slices[left].index[edge.child];
  const int there = guaranteed(b, left, !plane, child) + (plane ? -edge.captured : edge.captured);
  if (edge.captured) return there >= sure;
  const uint16_t own = b->stages[2 * i + plane], next = b->stages[2 * child + !plane];
  return there > sure || (there == sure && (next < own || (next == own && paid(b, plane, i) >= sure)));
}

static bool keeps_promise(const bench *b, int plane, int i) {
  const naive_layer *layer = &b->tables->naive->layers[b->seeds];
  const int rank = b->tables->slices[b->seeds].rank[i];
  const uint16_t stage = b->stages[2 * i + plane];
  if (guaranteed(b, b->seeds, plane, i) == -b->seeds) return stage == 0;
  if (stage == 0 || stage == UINT16_MAX) return false;
  if (layer->ended[rank]) return true;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    if (serves(b, plane, i, layer->edges[rank][e]) == (plane == 0)) return plane == 0;
  }
  return plane == 1;
}

static int first_broken(const bench *b) {
  for (int i = 0; i < b->tables->slices[b->seeds].positions; i++) {
    if (!keeps_promise(b, 0, i) || !keeps_promise(b, 1, i)) return i;
  }
  return -1;
}

CASE(the_engine_s_stages_are_a_proof) {
  bench *b = new_bench(_i);
  verify_fault values, stages;
  run(b, &values, &stages);
  ck_assert_int_eq(values.kind, FAULT_NONE);
  ck_assert_int_eq(stages.kind, FAULT_NONE);
  ck_assert_int_eq(first_broken(b), -1);
}

static void judge(bench *b, int *refused) {
  verify_fault values, stages;
  const int broken = first_broken(b);
  run(b, &values, &stages);
  if (values.kind != FAULT_NONE) ck_abort_msg("values are refused, whose proof needs no stages");
  if ((stages.kind == FAULT_STAGE) != (broken >= 0) || (broken >= 0 && stages.index != (uint64_t)broken))
    ck_abort_msg("fault %d at %d, but the first is at %d", stages.kind, (int)stages.index, broken);
  *refused += broken >= 0;
}

CASE(changed_stages_are_refused_unless_they_prove_as_much) {
  bench *b = new_bench(3);
  int refused = 0, runs = 0;
  for (int at = 0; at < 2 * b->tables->slices[3].positions; at++) {
    const uint16_t before = b->stages[at];
    const int changed[] = {0, 1, before - 2, before - 1, before + 1, before + 2, UINT16_MAX};
    for (size_t c = 0; c < sizeof changed / sizeof *changed; c++) {
      if (changed[c] < 0) continue;
      b->stages[at] = (uint16_t)changed[c];
      judge(b, &refused);
      runs++;
    }
    b->stages[at] = before;
  }
  ck_assert_int_gt(refused, runs / 2);
}

/* Any stages may stand beside values that rest on each other. */
CASE(no_stages_prove_a_cycle_that_believes_itself) {
  bench *b = new_bench(2);
  ck_assert_int_gt(naive_tables_believe(b->tables, 2), 0);
  allocate_cells(b, 2);
  for (uint16_t stage = 1; stage <= 3; stage++) {
    for (int i = 0; i < 2 * b->tables->slices[2].positions; i++) {
      const bool none = guaranteed(b, 2, i % 2, i / 2) == -2;
      const int meant = stage == 3 ? 1 + i % 7 : stage;
      b->stages[i] = (uint16_t)(none ? 0 : meant);
    }
    verify_fault values, stages;
    run(b, &values, &stages);
    ck_assert_int_eq(values.kind, FAULT_ENDLESS);
  }
}

SUITE("verify stages") {
  LOOP(the_engine_s_stages_are_a_proof, SEEDS + 1);
  TESTS(changed_stages_are_refused_unless_they_prove_as_much, no_stages_prove_a_cycle_that_believes_itself);
}
