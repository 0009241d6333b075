/* Holds what positions are worth after a history, under rules where the first repetition ends play, against
 * every line of play: on small random games for all kinds of histories, and on aualé. Values on a fresh
 * history are held against them in the proof check, too. */
#include "lines/lines.h"

#include "analysis/verify/verify_slice.h"
#include "solver/engines/solve.h"
#include "tests/support/analysis/own_row_world.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_repetition.h"
#include "tests/support/toy_store.h"

enum {
  GAMES = 600,
  POSITIONS = 7,
  LARGEST = 3,
  HISTORIES = 6,
  MAX_LINES = 3,
  MAX_BOUNDED = 5,
  MAX_SEARCHED = 7,
  MAX_PLAYED = 8
};

static const uint64_t all_the_way = 1 << 24;

/* --- random games --- */

/* The knowledge of the smaller slice: exact, or between bounds that are too wide by `slack` at most. */
typedef struct {
  const toy_game *toy;
  memory_budget *memory;
  solved_slice *list;
  slice_store *finished;
  solve_job job;
  own_row_job lines;
} toy_world;

static void open_world(toy_world *world, const toy_game *toy) {
  *world = (toy_world){.toy = toy};
  world->memory = suite_budget(0);
  world->finished = toy_store_open(world->memory, TOY_SLICES, &world->list);
  world->job = toy_job(&toy->game, toy->rules, 1, world->memory);
  world->job.store = world->finished;
  world->lines = own_row_job_of(&world->job);
}

/* Some positions, by chance; of the first history none. */
static size_t draw_history(toy_line *l, uint64_t *seed, int number, own_row_met *history) {
  size_t met = 0;
  memset(l->met, 0, sizeof l->met);
  for (int turn = 0; turn < 2; turn++) {
    for (uint64_t i = 0; i < POSITIONS; i++) {
      if ((int)(toy_draw(seed) % 10) >= number) continue;
      l->met[turn][i] = true;
      history[met++] = (own_row_met){i, turn};
    }
  }
  return met;
}

/* Checks the findings of several budgets; the first finds everything. */
static int check_asked(toy_line *l, own_row_lines *lines, uint64_t index, const own_row_met *history,
                       size_t met, int number) {
  static const uint64_t budgets[] = {1 << 24, 0, 20, 60};
  int bounds[2], cut_short = 0;
  for (int favoured = 0; favoured < 2; favoured++) {
    l->favoured = favoured;
    bounds[favoured] = toy_line_value(l, index, 0);
  }
  for (size_t k = 0; k < sizeof budgets / sizeof *budgets; k++) {
    own_row_worth worth;
    MUST(own_row_lines_ask(lines, index, history, met, budgets[k], &worth, NULL));
    EXPECT(k > 0 ? worth.lower <= bounds[0] && worth.upper >= bounds[1]
                 : worth.lower == bounds[0] && worth.upper == bounds[1],
           "game %d, slice %u, position %d, %d met, budget %d: %d to %d, not %d to %d", number, l->slice,
           (int)index, (int)met, (int)k, worth.lower, worth.upper, bounds[0], bounds[1]);
    cut_short |= (worth.lower < bounds[0] || worth.upper > bounds[1]) << k;
  }
  return cut_short;
}

static int check_histories(const toy_world *world, uint32_t slice, int number) {
  own_row_lines *lines;
  toy_line l = {.toy = world->toy, .list = world->list, .slice = slice};
  own_row_met history[2 * POSITIONS];
  uint64_t seed = (uint64_t)number;
  int cut_short = 0;
  MUST(own_row_lines_open(&world->lines, slice, &lines, NULL));
  for (int h = 0; h < HISTORIES; h++) {
    const size_t met = draw_history(&l, &seed, h, history);
    for (uint64_t i = 0; i < POSITIONS; i++) cut_short |= check_asked(&l, lines, i, history, met, number);
  }
  own_row_lines_close(lines);
  return cut_short;
}

static void tighten(toy_world *world, uint32_t slice, uint64_t budget) {
  MUST(solve_alone(&world->job, slice, false, &world->list[slice], NULL));
  if (!budget) return;
  MUST(own_row_lines_tighten(&world->lines, budget, &world->list[slice], NULL));
}

/* Tightened bounds of a slice are those that lines have. */
static void check_tightened(const toy_world *world, uint32_t slice, int number) {
  toy_line l = {.toy = world->toy, .list = world->list, .slice = slice};
  for (uint64_t i = 0; i < POSITIONS; i++) {
    for (int favoured = 0; favoured < 2; favoured++) {
      l.favoured = favoured;
      const int found = world->list[slice].cells[favoured][i], wanted = toy_line_value(&l, i, 0);
      EXPECT(found == wanted, "game %d, slice %u, position %d: %d, not %d", number, slice, (int)i, found,
             wanted);
    }
  }
}

CASE(random_games_with_histories) {
  int cut_short = 0;
  for (int number = 0; number < GAMES; number++) {
    toy_game *toy = toy_repetition_random(number, POSITIONS, LARGEST);
    toy_world world;
    open_world(&world, toy);
    const bool exact = number % 2;
    tighten(&world, 0, exact ? all_the_way : 0);
    if (exact) check_tightened(&world, 0, number);
    cut_short |= check_histories(&world, 1, number);
    tighten(&world, 1, all_the_way);
    check_tightened(&world, 1, number);
  }
  ck_assert_int_eq(cut_short >> 1, 7); /* the games need what budgets leave out */
}

/* --- the proof check --- */

typedef struct {
  verify_set set;
  int8_t *cells[2];
  int8_t pairs[2][2 * POSITIONS];
} toy_check;

/* The bounds that lines have, over those of the smaller slice. */
static void fill_check(toy_check *c, toy_world *world, toy_line *l) {
  *c = (toy_check){.set = {.game = &world->toy->game,
                           .rules = world->toy->rules,
                           .planes = 2,
                           .threads = 1,
                           .memory = world->memory,
                           .cells = c->cells,
                           .slices = 2}};
  for (int slice = 0; slice < 2; slice++) c->cells[slice] = c->pairs[slice];
  for (int at = 0; at < 2 * POSITIONS; at++) {
    l->favoured = at % 2;
    c->pairs[0][at] = world->list[0].cells[at % 2][at / 2];
    c->pairs[1][at] = (int8_t)toy_line_value(l, (uint64_t)(at / 2), 0);
  }
}

static verify_fault check_cells(const toy_check *c, uint64_t budget, uint64_t *searched) {
  const verify_slice slice = {.slice = 1, .positions = POSITIONS, .all_stored = true, .searched = searched};
  verify_set set = c->set;
  verify_fault values, depths;
  set.lines_budget = budget;
  MUST(verify_slice_logic(&set, &slice, &values, &depths, NULL));
  return values;
}

/* Each bound in turn says a little more, or less. */
static void check_changed(toy_check *c, int number) {
  for (int at = 0; at < 2 * POSITIONS; at++) {
    for (int by = -1; by <= 1; by += 2) {
      c->pairs[1][at] = (int8_t)(c->pairs[1][at] + by);
      const verify_fault fault = check_cells(c, 0, NULL);
      const bool sound = by == (at % 2 ? 1 : -1);
      EXPECT(sound ? !fault.kind : fault.kind && fault.index == (uint64_t)at / 2 && fault.plane == at % 2,
             "game %d, cell %d, by %d: fault %d at %d", number, at, by, (int)fault.kind, (int)fault.index);
      c->pairs[1][at] = (int8_t)(c->pairs[1][at] - by);
    }
  }
}

CASE(the_proof_check_finds_the_same) {
  uint64_t searched = 0;
  int hasty = 0;
  for (int number = 0; number < GAMES; number++) {
    toy_game *toy = toy_repetition_random(number, POSITIONS, LARGEST);
    toy_world world;
    toy_check c;
    open_world(&world, toy);
    tighten(&world, 0, number % 2 ? all_the_way : 0);
    fill_check(&c, &world, &(toy_line){.toy = world.toy, .list = world.list, .slice = 1});
    const verify_fault fault = check_cells(&c, 0, &searched);
    EXPECT(!fault.kind, "game %d: fault %d at %d", number, (int)fault.kind, (int)fault.index);
    for (uint64_t budget = 1; budget <= 64; budget *= 2) {
      const verify_fault_kind kind = check_cells(&c, budget, NULL).kind;
      EXPECT(kind == FAULT_NONE || kind == FAULT_OPEN, "game %d: fault %d", number, (int)kind);
      hasty += kind == FAULT_OPEN;
    }
    if (number % SOME(8, 1) == 0) check_changed(&c, number);
  }
  ck_assert_uint_gt(searched, 100);
  ck_assert_int_gt(hasty, 10);
}

/* Returns how many requests for memory there were, each of which was refused once. */
static int refuse_each(const toy_game *toy) {
  const verify_slice slice = {.slice = 1, .positions = POSITIONS, .all_stored = true};
  for (uint64_t nth = 1;; nth++) {
    toy_world world;
    toy_check c;
    verify_fault values, depths;
    open_world(&world, toy);
    tighten(&world, 0, all_the_way);
    fill_check(&c, &world, &(toy_line){.toy = world.toy, .list = world.list, .slice = 1});
    memory_fail_allocation(world.memory, nth, false);
    const tauler_error error = verify_slice_logic(&c.set, &slice, &values, &depths, NULL);
    if (!error) return (int)nth - 1;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
  }
}

CASE(a_proof_without_memory_is_an_error) {
  int most = 0;
  for (int number = 0; number < 20; number++) {
    toy_game *toy = toy_repetition_random(number, POSITIONS, LARGEST);
    const int refused = refuse_each(toy);
    if (refused > most) most = refused;
  }
  ck_assert_int_gt(most, 3); /* lines of play were searched */
}

/* --- aualé --- */

CASE(exact_on_a_fresh_history) {
  static const uint64_t budgets[] = {1 << 24, 5000, 0};
  const int most = (_i ? MAX_BOUNDED : MAX_SEARCHED) - SOME(1, 0);
  own_row_world world;
  naive_game *naive = naive_game_new(NAIVE_ABAPA, most);
  naive_bounds *exact = naive_solve_own_row_search(naive);
  own_row_world_open(&world, (uint32_t)most, budgets[_i]);
  for (int seeds = 0; seeds <= most; seeds++) {
    const solved_slice *slice = &world.list[seeds];
    uint64_t compared = 0;
    for (int rank = 0; rank < naive->layers[seeds].count; rank++) {
      game_place place;
      if (!own_row_world_find(&world, &naive->layers[seeds].boards[rank], &place)) continue;
      compared++;
      const int lower = slice->cells[0][place.index], upper = slice->cells[1][place.index];
      const int wanted = 2 * exact[seeds].mover[rank] - seeds;
      EXPECT(_i ? lower <= wanted && wanted <= upper : lower == wanted && upper == wanted,
             "%d seeds, board %d: %d to %d, not %d", seeds, rank, lower, upper, wanted);
    }
    ck_assert_uint_eq(compared, slice->positions);
  }
}

CASE(no_lines_give_the_fixpoint) {
  own_row_world world;
  own_row_world_open(&world, MAX_BOUNDED, 0);
  for (uint32_t seeds = 1; seeds <= MAX_BOUNDED; seeds++) {
    const solved_slice *slice = &world.list[seeds];
    const int most = (int)seeds;
    solved_slice again = *slice;
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      again.cells[plane] = suite_zeros(slice->positions, 1);
      memset(again.cells[plane], plane ? most : -most, slice->positions);
    }
    MUST(own_row_lines_tighten(&world.lines, 0, &again, NULL));
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      ck_assert_mem_eq(again.cells[plane], slice->cells[plane], slice->positions);
    }
  }
}

/* Seeds that the mover ends with, boards met before taken into account: all lines by the slow definition. */
typedef struct {
  const naive_game *naive;
  const naive_layer *layer;
  int8_t **fresh;
  bool *met[2];
} naive_line;

static int keeps(const naive_line *l, int rank, int turn) {
  const naive_layer *layer = l->layer;
  if (layer->ended[rank]) return (layer->seeds + layer->net[rank]) / 2;
  int best = 0;
  for (int pit = 0; pit < 6 && l->met[turn][rank]; pit++) best += layer->boards[rank].pit[pit];
  if (l->met[turn][rank]) return best;
  l->met[turn][rank] = true;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    const naive_edge edge = layer->edges[rank][e];
    const int others =
        edge.captured > 0 ? l->fresh[layer->seeds - edge.captured][edge.child] : keeps(l, edge.child, !turn);
    if (layer->seeds - others > best) best = layer->seeds - others;
  }
  l->met[turn][rank] = false;
  return best;
}

/* Walks at random from a board that has been met alone, so that the history is one of play. */
static void check_walk(const own_row_world *world, naive_line *l, own_row_lines *lines, uint64_t *seed) {
  own_row_met history[64];
  size_t met = 0;
  const naive_layer *layer = l->layer;
  int rank = (int)(toy_draw(seed) % (uint64_t)layer->count), turn = 0;
  for (int turns = 0; turns < 2; turns++) memset(l->met[turns], 0, (size_t)layer->count);
  for (int ply = 0; ply < 30 && !layer->ended[rank] && !l->met[turn][rank]; ply++) {
    game_place place;
    if (own_row_world_find(world, &layer->boards[rank], &place)) {
      own_row_worth worth;
      own_row_met seen[64];
      for (size_t i = 0; i < met; i++)
        seen[i] = (own_row_met){history[i].index, history[i].other != (turn == 1)};
      MUST(own_row_lines_ask(lines, place.index, seen, met, all_the_way, &worth, NULL));
      const int wanted = 2 * keeps(l, rank, turn) - layer->seeds;
      EXPECT(worth.lower == wanted && worth.upper == wanted, "%d seeds, board %d after %d: %d to %d, not %d",
             layer->seeds, rank, (int)met, worth.lower, worth.upper, wanted);
      history[met++] = (own_row_met){place.index, turn == 1};
    }
    l->met[turn][rank] = true;
    int quiet[6], used = 0;
    for (int e = 0; e < layer->edge_count[rank]; e++)
      if (layer->edges[rank][e].captured == 0) quiet[used++] = layer->edges[rank][e].child;
    if (used == 0) return;
    rank = quiet[toy_draw(seed) % (uint64_t)used];
    turn = !turn;
  }
}

CASE(exact_after_walks) {
  own_row_world world;
  naive_game *naive = naive_game_new(NAIVE_ABAPA, MAX_LINES);
  naive_line l = {.naive = naive, .fresh = naive_solve_own_row_lines(naive)};
  uint64_t seed = 7;
  own_row_world_open(&world, MAX_LINES, all_the_way);
  for (uint32_t slice = 1; slice <= MAX_LINES; slice++) {
    own_row_lines *lines;
    l.layer = &naive->layers[slice];
    for (int turn = 0; turn < 2; turn++) l.met[turn] = suite_zeros((size_t)l.layer->count, sizeof **l.met);
    MUST(own_row_lines_open(&world.lines, slice, &lines, NULL));
    for (int walk = 0; walk < (slice < MAX_LINES ? SOME(60, 150) : SOME(3, 8)); walk++)
      check_walk(&world, &l, lines, &seed);
    own_row_lines_close(lines);
  }
}

/* --- trouble --- */

static bool stop_at_once(void *user) {
  ++*(int *)user;
  return true;
}

CASE(stops_when_asked) {
  int stopped = 0;
  for (int number = 0; number < 60; number++) {
    toy_game *toy = toy_repetition_random(number, POSITIONS, LARGEST);
    toy_world world;
    int asked = 0;
    open_world(&world, toy);
    tighten(&world, 0, 0);
    tighten(&world, 1, 0);
    world.lines.stop = stop_at_once;
    world.lines.user = &asked;
    own_row_lines *lines;
    own_row_worth worth;
    tauler_message said = {"stopped"};
    MUST(own_row_lines_open(&world.lines, 1, &lines, NULL));
    for (uint64_t i = 0; i < POSITIONS && !asked; i++) {
      const tauler_error error = own_row_lines_ask(lines, i, NULL, 0, all_the_way, &worth, &said);
      ck_assert_int_eq(error, asked ? TAULER_STOPPED : TAULER_OK);
      ck_assert_ptr_nonnull(strstr(said.text, "stopped"));
    }
    own_row_lines_close(lines);
    asked = 0;
    const tauler_error error = own_row_lines_tighten(&world.lines, all_the_way, &world.list[1], NULL);
    ck_assert_int_eq(error, asked ? TAULER_STOPPED : TAULER_OK);
    stopped += asked;
  }
  ck_assert_int_gt(stopped, 10);
}

CASE(trouble_is_reported) {
  toy_game *toy = toy_repetition_random(1, POSITIONS, LARGEST);
  int refused = 0;
  for (uint64_t nth = 1;; nth++) {
    toy_world world;
    own_row_lines *lines;
    own_row_worth worth;
    open_world(&world, toy);
    tighten(&world, 0, 0);
    memory_fail_allocation(world.memory, nth, false);
    tauler_error error = own_row_lines_open(&world.lines, 1, &lines, NULL);
    if (!error) error = own_row_lines_ask(lines, 3, NULL, 0, all_the_way, &worth, NULL);
    own_row_lines_close(lines);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    refused++;
  }
  ck_assert_int_gt(refused, 8);
  toy_world world;
  own_row_lines *lines;
  own_row_worth worth;
  const own_row_met nowhere = {POSITIONS, false};
  open_world(&world, toy);
  tighten(&world, 0, 0);
  MUST(own_row_lines_open(&world.lines, 1, &lines, NULL));
  ck_assert_int_eq(own_row_lines_ask(lines, POSITIONS, NULL, 0, all_the_way, &worth, NULL), TAULER_INTERNAL);
  ck_assert_int_eq(own_row_lines_ask(lines, 0, &nowhere, 1, all_the_way, &worth, NULL), TAULER_INTERNAL);
  own_row_lines_close(lines);
  tauler_message said = {""};
  world.lines.finished.room = 0;
  ck_assert_int_eq(own_row_lines_open(&world.lines, 1, &lines, &said), TAULER_INTERNAL);
  ck_assert_str_eq(said.text, "the moves of slice 1 cannot be read");
}

SUITE("own row lines") {
  TESTS(random_games_with_histories, the_proof_check_finds_the_same, a_proof_without_memory_is_an_error);
  LOOP(exact_on_a_fresh_history, 3);
  TESTS(no_lines_give_the_fixpoint, exact_after_walks, stops_when_asked, trouble_is_reported);
}
