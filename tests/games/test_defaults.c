/* The defaults, made from a game's rules one position at a time, agree with the game's own batches. */
#include "games/defaults.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_batches.h"

static const struct {
  const char *game, *rules;
  game_request request;
} cases[] = {
    {"auale", "awari", {.largest = "4"}},
    {"auale", "awari,grand-slam=captures", {.largest = "4"}},
    {"auale", "abapa", {.largest = "4"}},
    {"doushouqi", "base", {.material = "Lr"}},
    {"doushouqi", "liacs", {.material = "Rr"}},
    {"phutball", "base", {.board = "3x3"}},
    {"phutball", "base,corner=exit,goal-line=stop", {.board = "4x2"}},
};
enum { CASES = sizeof cases / sizeof *cases, BATCH = 300 };

/* Batches of the whole slice, or of so many indexes spread over it. */
static size_t pick(uint64_t positions, uint64_t index[BATCH]) {
  const size_t n = positions < BATCH ? (size_t)positions : BATCH;
  for (size_t i = 0; i < n; i++) index[i] = positions * i / n;
  return n;
}

static void compare_edges(toy_batch *own, toy_batch *made, const game_rules *rules, uint32_t slice,
                          const uint64_t *index, size_t n) {
  toy_edges right = {0}, found = {0};
  toy_edges_of(own, rules, slice, index, n, &right);
  toy_edges_of(made, rules, slice, index, n, &found);
  toy_edges_sort(&right, 0);
  toy_edges_sort(&found, 0);
  ck_assert_uint_eq(toy_edges_differ(&found, &right), SIZE_MAX);
}

static void compare_slice(const game *g, const game_rules *rules, uint32_t slice) {
  uint64_t index[BATCH], open[BATCH];
  int16_t right[BATCH], found[BATCH];
  const size_t n = pick(g->positions(rules, slice), index);
  size_t used = 0;
  ck_assert(!g->ended(rules, slice, index, n, right));
  ck_assert(!game_base_ended(rules, slice, index, n, found));
  for (size_t i = 0; i < n; i++) {
    ck_assert_int_eq(found[i], right[i]);
    if (right[i] == GAME_NOT_ENDED) open[used++] = index[i];
  }
  compare_edges(g->expand, game_base_expand, rules, slice, open, used);
  compare_edges(g->retract, game_base_retract, rules, slice, index, n);
}

CASE(derived_batches_are_the_games_own) {
  const game *g = game_find(cases[_i].game);
  game_rules *rules = suite_rules(g, cases[_i].rules, NULL);
  const game_slices slices = suite_slices(g, rules, &cases[_i].request);
  for (size_t i = 0; i < slices.used; i++) compare_slice(g, rules, slices.slices[i].slice);
}

/* --- an index that stands for nothing --- */

static const game *whole;

static void position_twice(const game_rules *rules, game_place place, game_position *out) {
  whole->position_at(rules, (game_place){place.slice, place.index % whole->positions(rules, place.slice)},
                     out);
}

CASE(an_index_with_another_place_has_ended) {
  const game_request request = {.board = "3x3"};
  whole = game_find("phutball");
  game twice = *whole;
  twice.position_at = position_twice;
  game_rules *rules = suite_rules(&twice, NULL, NULL);
  ((game_base *)(void *)rules)->game = &twice;
  const game_slices slices = suite_slices(&twice, rules, &request);
  const uint32_t slice = slices.slices[0].slice;
  const uint64_t index[] = {5, 5 + twice.positions(rules, slice)};
  int16_t value[2];
  ck_assert(!game_base_ended(rules, slice, index, 2, value));
  ck_assert_int_eq(value[0], GAME_NOT_ENDED);
  ck_assert_int_eq(value[1], 0);
  toy_edges edges = {0};
  toy_edges_of(game_base_expand, rules, slice, index, 2, &edges);
  ck_assert_uint_gt(edges.used, 0);
  for (size_t i = 0; i < edges.used; i++) ck_assert_uint_eq(edges.edges[i].from, 0);
}

/* A member that a group makes, or the game gives itself, is there in every game. */
CASE(games_are_complete) {
  const char *names = GAME_NAMES;
  for (const game *const *each = game_list(); *each; each++) {
    const game *g = *each;
    ck_assert(strncmp(names, g->name, strlen(g->name)) == 0 && names[strlen(g->name)] == ' ');
    names += strlen(g->name) + 1;
    ck_assert(g->open && g->parse && g->print && g->positions && g->locate && g->position_at);
    ck_assert(g->unit && g->size_help && g->position_ended && g->close && g->rules_text && g->kind &&
              g->cycles_text);
    ck_assert(g->largest_value && g->draw && g->turn && g->slices && g->slice_name && g->slice_of);
    ck_assert(g->chance ? !g->moves : g->moves && g->ended && g->expand);
  }
}

CASE(help_does_without_texts) {
  const game bare = {.name = "heap"}, started = {.name = "heap", .start = "3"};
  const game_help help = game_help_of(&bare);
  ck_assert_str_eq(help.title, "heap");
  ck_assert_str_eq(help.rule_sets, "there is no choice");
  ck_assert_str_eq(help.notation, "as in the example");
  ck_assert_str_eq(help.example, "POSITION");
  ck_assert_str_eq(game_help_of(&started).example, "3");
  ck_assert_uint_eq(game_index_version(&bare), 1);
}

CASE(a_game_may_have_no_flags) {
  static const rule_set sets[] = {{.name = "base"}};
  static const rule_flags known = {.game = "heap", .sets = sets, .n_sets = 1, .endless = "play ends"};
  rule_choice choice;
  MUST(game_base_read(&known, NULL, NULL, &choice, hear()));
  ck_assert_int_eq(game_base_read(&known, "far", NULL, &choice, hear()), TAULER_BAD_USAGE);
  ck_assert_str_eq(said.text, "heap has no rule set or flag 'far'; its one rule set is base");
  ck_assert_int_eq(game_base_read(&known, NULL, "even", &choice, hear()), TAULER_BAD_USAGE);
  ck_assert_str_eq(said.text, "heap has no --cycles: play ends, not 'even'");
}

SUITE("defaults") {
  LOOP(derived_batches_are_the_games_own, CASES);
  TESTS(an_index_with_another_place_has_ended, games_are_complete, help_does_without_texts,
        a_game_may_have_no_flags);
}
