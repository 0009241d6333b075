/* Three men's morris against the slow definition: texts, moves, values and depths of every position under
 * every rule set; its index; the published value of the first moves. */
#include "games/registry.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/naive/naive_morris.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_batches.h"
#include "tests/support/toy_store.h"

enum { RULES = 4 };
static const char *const names[RULES] = {"base", "base,diagonals=no", "base,moves=any",
                                         "base,diagonals=no,moves=any"};
static const game *const g = &morris_game;

static naive_morris_rules naive_rules(int number) {
  return (naive_morris_rules){.no_diagonals = number & 1, .any_point = number & 2};
}

static game_rules *open_rules(int number) {
  game_rules *rules = suite_rules(g, names[number], NULL);
  ck_assert_str_eq(g->rules_text(rules), names[number]);
  return rules;
}

static game_position parsed(const game_rules *rules, const char *text) {
  game_position position;
  if (g->parse(rules, text, &position, hear())) ck_abort_msg("%s", said.text);
  return position;
}

static void compare_text(const game_rules *rules, int position, const char *text) {
  char printed[GAME_TEXT_BYTES];
  const game_position own = parsed(rules, text);
  g->print(rules, &own, printed);
  ck_assert_str_eq(printed, text);
  ck_assert_str_eq(g->turn(rules, &own), naive_morris_black_moves(position) ? "b" : "w");
}

static void compare_move(const game_rules *rules, const game_moves *found, const naive_morris_move *wanted,
                         const char *text) {
  char child[16], printed[GAME_TEXT_BYTES];
  size_t i = 0;
  while (i < found->used && strcmp(found->moves[i].name, wanted->name) != 0) i++;
  if (i == found->used) ck_abort_msg("%s: no move %s", text, wanted->name);
  const game_move *move = &found->moves[i];
  ck_assert(move->over == wanted->wins && move->converts == wanted->wins && move->gain == wanted->wins);
  naive_morris_write(wanted->child, child);
  g->print(rules, &move->child, printed);
  ck_assert_str_eq(printed, child);
}

static void compare_moves(const game_rules *rules, const naive_morris_rules *naive, int position,
                          const char *text) {
  naive_morris_move wanted[NAIVE_MORRIS_MOVES];
  const game_position own = parsed(rules, text);
  const int n = naive_morris_moves(naive, position, wanted);
  game_moves found = {0};
  int value = 7;
  toy_require(!g->moves(rules, &own, &found), "moves fail");
  if (found.used != (size_t)n) ck_abort_msg("%s: %zu moves, not %d", text, found.used, n);
  for (int i = 0; i < n; i++) compare_move(rules, &found, &wanted[i], text);
  game_moves_free(&found);
  toy_require(g->position_ended(rules, &own, &value) == (n == 0),
              "a game ends with moves, or goes on without");
  toy_require(value == (n ? 7 : -1), "a side that is stuck has not lost");
}

CASE(rules_agree_with_the_slow_definition) {
  game_rules *rules = open_rules(_i);
  const naive_morris_rules naive = naive_rules(_i);
  for (int p = 0; p < NAIVE_MORRIS_POSITIONS; p++) {
    char text[16];
    game_position refused;
    naive_morris_write(p, text);
    if (!naive_morris_is_position(p) || naive_morris_is_won(&naive, p)) {
      toy_require(g->parse(rules, text, &refused, NULL) == TAULER_BAD_POSITION, text);
      continue;
    }
    compare_text(rules, p, text);
    compare_moves(rules, &naive, p, text);
  }
}

/* --- the index --- */

CASE(positions_have_one_index_each) {
  game_rules *rules = open_rules(_i);
  const naive_morris_rules naive = naive_rules(_i);
  uint64_t sum = 0, wanted = 0;
  for (uint64_t i = 0; i < g->positions(rules, 0); i++) {
    game_position position;
    game_place back;
    uint8_t copies;
    g->position_at(rules, (game_place){0, i}, &position);
    toy_require(g->locate(rules, &position, &back) && back.slice == 0 && back.index == i, "another index");
    g->copies(rules, 0, i, 1, &copies);
    sum += copies;
  }
  for (int p = 0; p < NAIVE_MORRIS_POSITIONS; p++)
    wanted += naive_morris_is_position(p) && !naive_morris_is_won(&naive, p) &&
              !(naive_morris_has_all_men(p) && naive_morris_black_moves(p)); /* colours exchanged */
  ck_assert_uint_eq(sum, wanted);
}

CASE(retract_is_expand_turned_round) {
  game_rules *rules = open_rules(_i);
  ck_assert_uint_gt(toy_turned_round(g, rules, 0), 0);
}

/* --- values --- */

typedef struct {
  game_rules *rules;
  memory_budget *memory;
  solved_slice solved;
} world;

static void open_solved(world *w, int number) {
  *w = (world){.rules = open_rules(number)};
  w->memory = suite_budget(0);
  solve_job job = toy_job(g, w->rules, 2, w->memory);
  job.problem.engine = &engine_retrograde;
  MUST(solve_alone(&job, 0, true, &w->solved, hear()));
}

static void close_world(world *w) {
  solved_slice_free(w->memory, &w->solved);
}

static naive_wdl worth_of(const world *w, const char *text) {
  game_place place = {0, 0};
  const game_position position = parsed(w->rules, text);
  toy_require(g->locate(w->rules, &position, &place), text);
  const int value = w->solved.cells[0][place.index];
  return (naive_wdl){(signed char)value, value ? w->solved.depths[0][place.index] : -1};
}

CASE(values_agree_with_the_slow_definition) {
  const naive_morris_rules naive = naive_rules(_i);
  world w;
  open_solved(&w, _i);
  const naive_wdl *wanted = naive_morris_solve(&naive);
  for (int p = 0; p < NAIVE_MORRIS_POSITIONS; p++) {
    if (!naive_morris_is_position(p) || naive_morris_is_won(&naive, p)) continue;
    char text[16];
    naive_morris_write(p, text);
    const naive_wdl found = worth_of(&w, text);
    if (found.value != wanted[p].value || found.depth != wanted[p].depth)
      ck_abort_msg("%s, %s: value %d, depth %d, not %d and %d", names[_i], text, found.value, found.depth,
                   wanted[p].value, wanted[p].depth);
  }
  close_world(&w);
}

/* "There is a winning strategy for the player who goes first, unless the first player is not allowed to place
 * the first piece in the centre, in which case neither player has a winning strategy" (Wikipedia, Three men's
 * morris). */
CASE(the_first_man_wins_in_the_centre_alone) {
  int best_elsewhere = -1;
  world w;
  open_solved(&w, 0);
  ck_assert_int_eq(worth_of(&w, "3/3/3 w").value, 1);
  ck_assert_int_eq(worth_of(&w, "3/3/3 w moves b2").value, -1);
  for (const char *first = "a1b1c1a2c2a3b3c3"; *first; first += 2) {
    char text[32];
    snprintf(text, sizeof text, "3/3/3 w moves %.2s", first);
    if (-worth_of(&w, text).value > best_elsewhere) best_elsewhere = -worth_of(&w, text).value;
  }
  ck_assert_int_eq(best_elsewhere, 0);
  close_world(&w);
}

/* --- what is wrong with a text --- */

static const char *const bad[][2] = {
    {"", "ranks 3 to 1"},
    {"3/3 w", "ranks 3 to 1"},
    {"3/4/3 w", "ranks 3 to 1"},
    {"3/3/3", "ranks 3 to 1"},
    {"3/x2/3 w", "ranks 3 to 1"},
    {"3/3/3 x", "the side to move, w or b"},
    {"3/3/3 b", "men are placed in turn"},
    {"3/1w1/3 w", "men are placed in turn"},
    {"www/bb1/3 b", "three in a row end the game"},
    {"ww1/1ww/bbb w", "three in a row end the game"},
    {"ww1/bww/b1b w", "each side has three men"},
    {"3/3/3 w b2", "only moves follow"},
    {"3/3/3 wmoves b2", "only moves follow"},
    {"3/3/3 w moves b2 b2", "move 2, 'b2', is not legal there; the moves are: a1, b1"},
    {"ww1/1bb/3 w moves c3", "move 1, 'c3', ends the game"},
};

CASE(bad_texts_are_named) {
  game_rules *rules = open_rules(0);
  game_position position;
  REFUSED(TAULER_BAD_POSITION, bad[_i][1], g->parse(rules, bad[_i][0], &position, hear()));
}

SUITE("morris") {
  LOOP(rules_agree_with_the_slow_definition, RULES);
  LOOP(positions_have_one_index_each, RULES);
  LOOP(retract_is_expand_turned_round, RULES);
  LOOP(values_agree_with_the_slow_definition, RULES);
  TEST(the_first_man_wins_in_the_centre_alone);
  LOOP(bad_texts_are_named, sizeof bad / sizeof *bad);
}
