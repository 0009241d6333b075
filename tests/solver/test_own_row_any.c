/* Holds the engine for what can be had whatever was met before against the slow definition for aualé; and on
 * small random games against every line of play after every history. */
#include "solver/engines/cells.h"

#include "games/registry.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_store.h"

enum { MAX_SEEDS = 6, MOST_THREADS = 3, GAMES = 300, POSITIONS = 4, LARGEST = 3, BEYOND = 6 };

/* --- aualé --- */

static void compare(const naive_tables *tables, int seeds, const solved_slice *solved) {
  const naive_slice *slice = &tables->slices[seeds];
  for (int plane = 0; plane < 2; plane++) {
    for (int i = 0; i < slice->positions; i++) {
      if (solved->cells[plane][i] != slice->plain[plane][i])
        ck_abort_msg("%d seeds, plane %d, %d: %d, not %d", seeds, plane, i, solved->cells[plane][i],
                     slice->plain[plane][i]);
    }
  }
}

static void solve_and_compare(const naive_tables *tables, int threads) {
  memory_budget *memory = suite_budget(0);
  solved_slice *list;
  slice_store *finished = toy_store_open(memory, MAX_SEEDS + 1, &list);
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++)
    for (int plane = 0; plane < 2; plane++)
      list[seeds].cells[plane] = tables->fallback->slices[seeds].plain[plane];
  solve_job job = toy_job(tables->game, tables->rules, threads, memory);
  job.store = finished;
  for (uint32_t seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    solved_slice out = {0};
    const uint64_t before = memory_allocated(memory);
    MUST(solve_alone(&job, seeds, false, &out, NULL));
    ck_assert_uint_le(memory_peak(memory) - before,
                      engine_repetition.cells->bytes(&job, seeds, false, 1, 1, NULL));
    compare(tables, (int)seeds, &out);
    solved_slice_free(memory, &out);
  }
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) list[seeds] = (solved_slice){.positions = 0};
}

CASE(agrees_with_the_definition) {
  const char *const sets[] = {"abapa", "awari", "awari,grand-slam=captures"};
  naive_tables *tables = naive_tables_new(sets[_i], "own-row-any", MAX_SEEDS);
  for (int threads = 1; threads <= MOST_THREADS; threads++) solve_and_compare(tables, threads);
}

/* --- random games --- */

static bool toy_pays(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, int8_t *value) {
  const toy_slice *of = &toy_of(rules)->slices[slice];
  for (size_t i = 0; i < count; i++) {
    const uint64_t at = first + i;
    const int drawn =
        (int)(at * 7 + slice * 3 + of->first[1] + (uint64_t)of->largest) % (2 * of->largest + 1);
    value[i] = (int8_t)(of->ended[at] == GAME_NOT_ENDED ? drawn - of->largest : of->ended[at]);
  }
  return true;
}

static const char *toy_fallback_cycles(const game_rules *rules) {
  return "fresh";
}

static toy_game *random_toy(int number) {
  const int shape_of = number % 3;
  const toy_shape shape = {.kind = SOLVE_GUARANTEES,
                           .slices = 2,
                           .positions = {BEYOND, POSITIONS},
                           .most_moves = 2 + shape_of,
                           .ended_percent = 4,
                           .converts_percent = 6 + 8 * shape_of,
                           .finishes_percent = 3,
                           .most_gain = LARGEST};
  toy_game *toy = toy_random(&shape, (uint64_t)number, true);
  toy->game.repeated = toy_pays;
  toy->game.fallback_cycles = toy_fallback_cycles;
  return toy;
}

/* Positions of the smaller slice are worth what is drawn for them, exactly. */
typedef struct {
  const toy_game *toy;
  int8_t beyond[BEYOND];
  unsigned met; /* a bit per position and turn */
} line;

static unsigned bit_of(uint64_t i, int turn) {
  return 1U << (2 * (unsigned)i + (unsigned)turn);
}

static int play_on(line *l, uint64_t i, int turn, bool first) {
  const toy_slice *slice = &l->toy->slices[1];
  int8_t paid;
  if (slice->ended[i] != GAME_NOT_ENDED) return slice->ended[i];
  if (!first && (l->met & bit_of(i, turn))) {
    toy_pays(l->toy->rules, 1, i, 1, &paid);
    return paid;
  }
  const unsigned before = l->met;
  l->met |= bit_of(i, turn);
  int best = INT16_MIN;
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    int worth = edge->gain;
    if (edge->to.slice == 1) worth = -play_on(l, edge->to.index, !turn, false);
    if (edge->to.slice == 0) worth -= l->beyond[edge->to.index];
    if (worth > best) best = worth;
  }
  l->met = before;
  return best;
}

/* The least and the most that it is worth over all histories. */
static void check_position(line *l, uint64_t i, const solved_slice *solved, int number) {
  int least = INT16_MAX, most = INT16_MIN;
  for (unsigned met = 0; met < 1U << (2 * POSITIONS); met++) {
    l->met = met;
    const int worth = play_on(l, i, 0, true);
    if (worth < least) least = worth;
    if (worth > most) most = worth;
  }
  if (solved->cells[0][i] != least || solved->cells[1][i] != most)
    ck_abort_msg("game %d, position %d: %d to %d, not %d to %d", number, (int)i, solved->cells[0][i],
                 solved->cells[1][i], least, most);
}

CASE(least_and_most_over_all_histories) {
  for (int number = 0; number < GAMES; number++) {
    toy_game *toy = random_toy(number);
    memory_budget *memory = suite_budget(0);
    line l = {.toy = toy};
    uint64_t seed = (uint64_t)number;
    const int largest = toy->slices[0].largest;
    for (int i = 0; i < BEYOND; i++)
      l.beyond[i] = (int8_t)((int)(toy_draw(&seed) % (unsigned)(2 * largest + 1)) - largest);
    solved_slice *list;
    slice_store *finished = toy_store_open(memory, 2, &list);
    for (int plane = 0; plane < 2; plane++) list[0].cells[plane] = l.beyond;
    solve_job job = toy_job(&toy->game, toy->rules, 1, memory);
    job.store = finished;
    MUST(solve_alone(&job, 1, false, &list[1], NULL));
    for (uint64_t i = 0; i < POSITIONS; i++) check_position(&l, i, &list[1], number);
    list[0] = (solved_slice){.positions = 0};
  }
}

CASE(refuses_what_it_has_no_memory_for) {
  toy_game *toy = random_toy(1);
  int refused = 0;
  for (uint64_t nth = 1;; nth++) {
    memory_budget *memory = suite_budget(0);
    int8_t beyond[BEYOND] = {0};
    solved_slice *list, out;
    slice_store *finished = toy_store_open(memory, 2, &list);
    for (int plane = 0; plane < 2; plane++) list[0].cells[plane] = beyond;
    memory_fail_allocation(memory, nth, false);
    solve_job job = toy_job(&toy->game, toy->rules, 1, memory);
    job.store = finished;
    const tauler_error error = solve_alone(&job, 1, false, &out, NULL);
    solved_slice_free(memory, &out);
    list[0] = (solved_slice){.positions = 0};
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    refused++;
  }
  ck_assert_int_ge(refused, 8);
}

SUITE("own row any") {
  LOOP(agrees_with_the_definition, 3);
  TESTS(least_and_most_over_all_histories, refuses_what_it_has_no_memory_for);
}
