/* Dou Shou Qi in batches: against its rules one position at a time, and against itself turned round. */
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_batches.h"
#include "tests/support/toy/toy_doushouqi.h"

static const game *const dsq = &doushouqi_game;

enum { BATCH = 512 };

static game_slices list_slices(const game_rules *rules, const char *pieces, const char *material) {
  const game_request request = {.largest = pieces, .material = material};
  return suite_slices(dsq, rules, &request);
}

/* --- expand and ended against moves and locate --- */

static void add_slow_moves(const game_rules *rules, game_place place, uint32_t from, int16_t ended,
                           toy_edges *out) {
  game_position position;
  game_moves moves = {0};
  int value = 0;
  dsq->position_at(rules, place, &position);
  toy_require(!dsq->moves(rules, &position, &moves), "moves fail");
  const size_t first = out->used;
  for (size_t i = 0; i < moves.used; i++) {
    const game_move *move = &moves.moves[i];
    game_edge edge = {from, (int16_t)move->gain, {GAME_OVER, 0}};
    if (!move->over) toy_require(dsq->locate(rules, &move->child, &edge.to), "a child has no place");
    toy_require(move->converts == (edge.to.slice != place.slice),
                "a capture is quiet, or another move is not");
    toy_edges_add(out, &edge, 1);
  }
  game_moves_free(&moves);
  toy_edges_once(out, first);
  const bool over = dsq->position_ended(rules, &position, &value);
  toy_require(over == (out->used == first), "a position ends with moves, or goes on without");
  toy_require(ended == (over ? value : GAME_NOT_ENDED), "ended is not as position_ended says");
}

typedef struct {
  uint64_t positions, edges, over, captures, ended, folded;
} census;

static bool leads_on(const game_slices *needs, uint32_t slice, uint32_t to) {
  if (to == slice || to == GAME_OVER) return true;
  for (size_t i = 0; i < needs->used; i++) {
    if (needs->slices[i].slice == to) return to < slice;
  }
  return false;
}

static void compare_edges(const game_rules *rules, uint32_t slice, const uint64_t *index,
                          const toy_edges *found, const toy_edges *right) {
  const size_t other = toy_edges_differ(found, right);
  if (other == SIZE_MAX) return;
  const uint64_t at = index[(other < right->used ? right : found)->edges[other].from];
  char text[GAME_TEXT_BYTES];
  game_position position;
  dsq->position_at(rules, (game_place){slice, at}, &position);
  dsq->print(rules, &position, text);
  ck_abort_msg("%s, slice %u, index %llu (%s): other moves", dsq->rules_text(rules), slice,
               (unsigned long long)at, text);
}

static void check_moves(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        const game_slices *needs, toy_edges lists[2], census *met) {
  int16_t ended[BATCH];
  MUST(dsq->ended(rules, slice, index, n, ended));
  toy_edges_of(dsq->expand, rules, slice, index, n, &lists[0]);
  toy_edges_sort(&lists[0], 0);
  lists[1].used = 0;
  for (uint32_t i = 0; i < n; i++) {
    add_slow_moves(rules, (game_place){slice, index[i]}, i, ended[i], &lists[1]);
    met->ended += ended[i] != GAME_NOT_ENDED;
  }
  compare_edges(rules, slice, index, &lists[0], &lists[1]);
  for (size_t i = 0; i < lists[0].used; i++) {
    const game_edge *edge = &lists[0].edges[i];
    toy_require(leads_on(needs, slice, edge->to.slice), "a move leads to a slice that is not needed");
    met->over += edge->to.slice == GAME_OVER;
    met->captures += edge->to.slice != GAME_OVER && edge->to.slice != slice;
  }
  met->positions += n;
  met->edges += lists[0].used;
}

/* Every `step`th position of a slice, and a run of neighbours at each of so many. */
static void check_slice(const game_rules *rules, uint32_t slice, uint64_t step, uint64_t run, census *met) {
  const game_slices needs = suite_needs(dsq, rules, slice);
  const uint64_t positions = dsq->positions(rules, slice);
  uint64_t index[BATCH];
  size_t n = 0;
  toy_edges lists[2] = {{0}, {0}};
  for (uint64_t first = 0; first < positions; first += step) {
    for (uint64_t i = first; i < positions && i < first + run; i++) {
      index[n++] = i;
      if (n == BATCH) check_moves(rules, slice, index, n, &needs, lists, met);
      n %= BATCH;
    }
  }
  check_moves(rules, slice, index, n, &needs, lists, met);
}

/* --- retract against expand --- */

static void sample_retract(const game_rules *rules, uint32_t slice, uint64_t step) {
  toy_edges lists[2] = {{0}, {0}};
  for (uint64_t at = step / 2; at < dsq->positions(rules, slice); at += step)
    toy_turned_round_at(dsq, rules, (game_place){slice, at}, SIZE_MAX, lists);
}

/* Of all rule sets one in so many, odd so that every flag is met, unless there is time. */
enum { GROUPS = 4 };

static const char *const more_pieces[] = {"RLr",  "RTe",  "PCr",  "LEd",   "Rrle",
                                          "RWpt", "CWde", "ELrt", "RCLre", "TWDrcl"};
enum { MORE_PIECES = sizeof more_pieces / sizeof *more_pieces };

CASE(expand_gives_the_moves_of_every_rule_set) {
  const int step = suite_is_long() ? 1 : SOME(7, 3);
  census met = {0};
  for (int i = _i * step; i < TOY_DSQ_RULE_SETS; i += GROUPS * step) {
    char text[RULE_BYTES];
    toy_dsq_rule_set(i, text);
    game_rules *rules = toy_dsq_open(text);
    game_slices pairs = list_slices(rules, "2", NULL);
    ck_assert_uint_gt(pairs.used, 1);
    for (size_t s = 0; s < pairs.used; s++) {
      check_slice(rules, pairs.slices[s].slice, suite_is_long() ? 97 : 997 + (uint64_t)i, 60, &met);
    }
    game_slices more = list_slices(rules, NULL, more_pieces[i / (GROUPS * step) % MORE_PIECES]);
    const uint32_t largest = more.slices[more.used - 1].slice;
    check_slice(rules, largest, dsq->positions(rules, largest) / 7, 60, &met);
  }
  ck_assert(met.positions > 20000 && met.captures > 400 && met.over > 400 && met.ended > 0);
}

/* All positions of two pieces. */
static const char *const whole[] = {"base",
                                    "liacs",
                                    "base,lakes=plain",
                                    "base,clearings,wolf-over-dog",
                                    "base,lakes=drink",
                                    "base,lakes=drink,drinkers=block,leopard=wide",
                                    "base,lakes=drink,drinkers=block,jump-block=path,rat-shore=liacs"};
enum { WHOLE = sizeof whole / sizeof *whole };

CASE(expand_gives_all_moves_of_two_pieces) {
  game_rules *rules = toy_dsq_open(whole[_i]);
  game_slices pairs = list_slices(rules, "2", NULL);
  census met = {0};
  uint64_t positions = 0;
  for (size_t s = 0; s < pairs.used; s++) {
    positions += pairs.slices[s].positions;
    check_slice(rules, pairs.slices[s].slice, UINT64_MAX / 2, UINT64_MAX / 2, &met);
  }
  ck_assert_uint_eq(met.positions, positions);
  ck_assert_uint_gt(met.over, 100);
}

CASE(retract_is_expand_turned_round_in_every_rule_set) {
  const int step = suite_is_long() ? 1 : SOME(13, 7);
  uint64_t met = 0;
  for (int i = _i * step; i < TOY_DSQ_RULE_SETS; i += GROUPS * step) {
    char text[RULE_BYTES];
    toy_dsq_rule_set(i, text);
    game_rules *rules = toy_dsq_open(text);
    game_slices pairs = list_slices(rules, "2", NULL);
    for (size_t s = 0; s < pairs.used; s++) met += toy_turned_round(dsq, rules, pairs.slices[s].slice);
    game_slices more = list_slices(rules, NULL, more_pieces[i / (GROUPS * step) % MORE_PIECES]);
    const uint32_t largest = more.slices[more.used - 1].slice;
    sample_retract(rules, largest, dsq->positions(rules, largest) / 199);
  }
  ck_assert_uint_gt(met, 500000);
}

/* Three pieces: swimmers, jumpers and drinkers beside each other. */
static const struct {
  const char *rules, *material;
} triples[] = {{"base", "RLr"},
               {"base", "PTd"},
               {"liacs", "LTr"},
               {"base,lakes=drink", "WLr"},
               {"base,lakes=drink,drinkers=block", "LCd"},
               {"base,lakes=drink,drinkers=block,jump-block=path", "TRe"},
               {"base,lakes=drink,leopard=wide,rat-shore=liacs", "PRw"}};
enum { TRIPLES = sizeof triples / sizeof *triples };

CASE(retract_is_expand_turned_round_with_three_pieces) {
  game_rules *rules = toy_dsq_open(triples[_i].rules);
  game_slices list = list_slices(rules, NULL, triples[_i].material);
  ck_assert_uint_gt(toy_turned_round(dsq, rules, list.slices[list.used - 1].slice), 300000);
}

/* A slice that is its own colour flip, its pieces in another order after each move. */
CASE(a_slice_that_is_its_own_flip) {
  static const char *const materials[] = {"LTlt", "RCrc", "RErc", "DWdw"};
  game_rules *rules = toy_dsq_open(_i % 2 ? "base,lakes=drink" : "base");
  game_slices list = list_slices(rules, NULL, materials[_i / 2]);
  const uint32_t slice = list.slices[list.used - 1].slice;
  census met = {0};
  check_slice(rules, slice, dsq->positions(rules, slice) / 50, 100, &met);
  sample_retract(rules, slice, dsq->positions(rules, slice) / 499);
}

/* Positions of which samples may have none: moves, and places that they lead to. */
static const struct {
  const char *text;
  size_t moves, places;
} folded[] = {{"7/7/7/7/7/7/2cLw2/7/7 w", 4, 3}, /* the rest behaves alike, whichever piece is captured */
              {"7/7/7/7/7/7/2cLe2/7/7 w", 3, 3}, /* no such thing */
              {"7/7/7/3r3/7/7/3L3/7/7 w", 4, 3}, /* all on the middle file */
              {"7/7/3r3/7/3R3/7/3L3/7/7 w", 8, 6},
              {"7/7/3r3/7/3R3/7/3L3/7/7 b", 4, 4}}; /* both images have an index */
enum { FOLDED = sizeof folded / sizeof *folded };

CASE(moves_to_mirror_images_are_one) {
  game_rules *rules = toy_dsq_open(NULL);
  game_position position;
  game_place place;
  game_moves moves = {0};
  toy_edges list = {0};
  MUST(dsq->parse(rules, folded[_i].text, &position, NULL));
  MUST(dsq->moves(rules, &position, &moves));
  ck_assert_uint_eq(moves.used, folded[_i].moves);
  ck_assert(dsq->locate(rules, &position, &place));
  toy_edges_of(dsq->expand, rules, place.slice, &place.index, 1, &list);
  ck_assert_uint_eq(list.used, folded[_i].places);
  toy_edges_once(&list, 0);
  ck_assert_uint_eq(list.used, folded[_i].places);
  game_moves_free(&moves);
}

/* The same placement on both sides of a slice, one after the other. */
CASE(batches_may_go_to_and_fro) {
  game_rules *rules = toy_dsq_open("base");
  game_slices list = list_slices(rules, NULL, "RLe");
  const uint32_t slice = list.slices[list.used - 1].slice;
  const uint64_t half = dsq->positions(rules, slice) / 2;
  uint64_t index[BATCH];
  for (uint64_t i = 0; i < BATCH; i++) index[i] = (i % 3 ? half : 0) + half / 2 - i / 2 * 5;
  toy_edges lists[2] = {{0}, {0}};
  census met = {0};
  const game_slices needs = suite_needs(dsq, rules, slice);
  check_moves(rules, slice, index, BATCH, &needs, lists, &met);
}

CASE(who_cannot_move_draws_or_loses) {
  game_rules *rules = toy_dsq_open(_i ? "base,stalemate=loss" : "base");
  game_position position;
  game_place place;
  int16_t value = 5;
  toy_edges list = {0};
  MUST(dsq->parse(rules, "7/7/7/7/7/7/7/l6/Ct5 w", &position, NULL));
  ck_assert(dsq->locate(rules, &position, &place));
  MUST(dsq->ended(rules, place.slice, &place.index, 1, &value));
  ck_assert_int_eq(value, _i ? -1 : 0);
  toy_edges_of(dsq->expand, rules, place.slice, &place.index, 1, &list);
  ck_assert_uint_eq(list.used, 0);
}

static tauler_error fail_to_keep(void *user, const game_edge *edges, size_t n) {
  return TAULER_IO;
}

CASE(errors_of_the_sink_are_handed_on) {
  game_rules *rules = toy_dsq_open(NULL);
  game_slices pairs = list_slices(rules, "2", NULL);
  uint64_t index[BATCH];
  for (uint64_t i = 0; i < BATCH; i++) index[i] = i;
  game_edge room[TOY_SINK_ROOM];
  game_sink sink = {room, 0, TOY_SINK_ROOM, fail_to_keep, NULL};
  toy_batch *const batch = _i ? dsq->retract : dsq->expand;
  ck_assert_int_eq(batch(rules, pairs.slices[0].slice, index, BATCH, &sink), TAULER_IO);
}

CASE(cycles_are_refused) {
  game_rules *rules = NULL;
  REFUSED(TAULER_BAD_USAGE, "--cycles", dsq->open("base", "even", &rules, hear()));
  ck_assert_ptr_null(rules);
  rules = toy_dsq_open(NULL);
  ck_assert_str_eq(dsq->cycles_text(rules), "");
  ck_assert_str_eq(dsq->rules_text(rules), "base");
  ck_assert_int_eq(dsq->kind(rules), SOLVE_OUTCOMES);
}

CASE(the_example_can_be_read) {
  game_rules *rules = toy_dsq_open(NULL);
  game_position position;
  char text[GAME_TEXT_BYTES];
  MUST(dsq->parse(rules, dsq->example, &position, hear()));
  dsq->print(rules, &position, text);
  ck_assert_str_eq(text, dsq->example);
  ck_assert_str_eq(dsq->turn(rules, &position), "w");
  dsq->position_slice(rules, &position, text);
  ck_assert_str_eq(text, "Lr");
}

SUITE("dou shou qi in batches") {
  LOOP(expand_gives_the_moves_of_every_rule_set, GROUPS);
  LOOP(expand_gives_all_moves_of_two_pieces, WHOLE);
  LOOP(retract_is_expand_turned_round_in_every_rule_set, GROUPS);
  LOOP(retract_is_expand_turned_round_with_three_pieces, TRIPLES);
  LOOP(a_slice_that_is_its_own_flip, 8);
  LOOP(moves_to_mirror_images_are_one, FOLDED);
  TEST(batches_may_go_to_and_fro);
  LOOP(who_cannot_move_draws_or_loses, 2);
  LOOP(errors_of_the_sink_are_handed_on, 2);
  TESTS(cycles_are_refused, the_example_can_be_read);
}
