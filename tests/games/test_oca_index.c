/* Oca behind game.h and game_chance.h: where positions stand, what rolls lead to, against the slow rules one
 * position at a time and against the slow definition. */
#include "tests/naive/naive_oca.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_oca.h"

/* Rule sets, and the same as the slow definition has them. */
static const struct {
  const char *text;
  naive_oca_rules naive;
  bool other_board; /* which the slow definition does not know */
} sets[] = {
    {"base", {0}, false},
    {"dice=2", {.two_dice = true}, false},
    {"start=1", {.start_1 = true}, false},
    {"goose-59=bounce", {.goose_59 = NAIVE_OCA_BOUNCE}, false},
    {"goose-59=stay", {.goose_59 = NAIVE_OCA_STAY}, false},
    {"goose-1=off", {.goose_1_off = true}, false},
    {"inn=1", {.inn_1 = true}, false},
    {"prison=2", {.prison_2 = true}, false},
    {"labyrinth=30", {.labyrinth_30 = true}, false},
    {"death=start", {.death_start = true}, false},
    {"well=off", {.well_off = true}, false},
    {"dice=2,goose-59=bounce,labyrinth=30,death=start,well=off",
     {.two_dice = true,
      .goose_59 = NAIVE_OCA_BOUNCE,
      .labyrinth_30 = true,
      .death_start = true,
      .well_off = true},
     false},
    {TOY_OCA_BOARD_20, {0}, true},
    {TOY_OCA_BOARD_12, {0}, true},
    {TOY_OCA_BOARD_7, {0}, true},
    {TOY_OCA_BOARD_99, {0}, true},
};
enum { SETS = sizeof sets / sizeof *sets };

/* Calls `look` for all positions, or for about `most` runs of a few neighbours. */
typedef void looker(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, void *user);

static void for_positions(const game_rules *rules, uint32_t slice, int most, looker *look, void *user) {
  enum { RUN = 500, SHORT = 9 };
  const uint64_t positions = oca_game.positions(rules, slice);
  uint64_t state = 88172645463325252u;
  if (positions <= (uint64_t)most * SHORT) {
    for (uint64_t first = 0; first < positions; first += RUN)
      look(rules, slice, first, first + RUN < positions ? RUN : (size_t)(positions - first), user);
    return;
  }
  for (int i = 0; i < most; i++) look(rules, slice, draw_below(&state, positions - SHORT), SHORT, user);
  look(rules, slice, 0, SHORT, user);
  look(rules, slice, positions - SHORT, SHORT, user);
}

static uint8_t copies_of(const game_rules *rules, game_place place) {
  uint8_t copies;
  oca_game.copies(rules, place.slice, place.index, 1, &copies);
  return copies;
}

/* --- what a roll leads to, slowly ----------------------------------------------------------------------- */

static chance_edge slow_edge(const game_rules *rules, const oca_position *from, int roll) {
  const bool passes = oca_must_pass(rules, from);
  oca_step step = {.next = *from};
  if (passes) {
    step.next = oca_pass(rules, from);
  } else {
    step = oca_roll(rules, from, roll);
  }
  chance_edge edge = {.roll = passes ? CHANCE_CERTAIN : (uint16_t)(roll - rules->dice),
                      .gain = passes       ? PASSES
                              : step.won   ? WON
                              : step.again ? ROLLS_ON
                                           : ROLL_ENDS,
                      .turn = from->players > 1 && !step.won && !step.again,
                      .to = {GAME_OVER, 0}};
  if (step.won) return edge;
  game_position child;
  oca_to_game(&step.next, &child);
  EXPECT(oca_game.locate(rules, &child, &edge.to), "%s: no place for a child", rules->base.text);
  EXPECT(copies_of(rules, edge.to) == 1, "%s: a child that stands for nothing", rules->base.text);
  return edge;
}

static bool same_edge(const chance_edge *a, const chance_edge *b) {
  return a->roll == b->roll && a->gain == b->gain && a->turn == b->turn && a->to.slice == b->to.slice &&
         a->to.index == b->to.index;
}

/* Edges as they come out of a sink with little room. */
enum { MOST_EDGES = 500 * OCA_MOST_ROLLS };

typedef struct {
  chance_edge edges[MOST_EDGES];
  size_t used;
} collected;

static tauler_error collect(void *user, const chance_edge *edges, size_t n) {
  collected *all = user;
  EXPECT(all->used + n <= MOST_EDGES, "too many edges");
  memcpy(all->edges + all->used, edges, n * sizeof *edges);
  all->used += n;
  return TAULER_OK;
}

static void expand_roll(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        collected *out) {
  chance_edge room[7];
  chance_sink sink = {room, 0, sizeof room / sizeof *room, collect, out};
  out->used = 0;
  MUST(oca_chance.expand(rules, slice, index, n, &sink));
  MUST(chance_sink_flush(&sink));
}

/* --- the batch against it ------------------------------------------------------------------------------- */

/* Returns the edges of this one. */
static size_t check_edges(const game_rules *rules, game_place place, uint32_t from, const chance_edge *edges,
                          size_t left) {
  game_position game;
  oca_game.position_at(rules, place, &game);
  const oca_position position = oca_from_game(&game);
  if (!copies_of(rules, place) || oca_is_stuck(rules, &position)) {
    EXPECT(left == 0 || edges->from != from, "%s: edges where there are none", rules->base.text);
    return 0;
  }
  const int rolls = oca_must_pass(rules, &position) ? 1 : 5 * rules->dice + 1;
  EXPECT(left >= (size_t)rolls, "%s: edges are missing", rules->base.text);
  for (int i = 0; i < rolls; i++) {
    const chance_edge wanted = slow_edge(rules, &position, rules->dice + i);
    EXPECT(edges[i].from == from && same_edge(&edges[i], &wanted), "%s, slice %u, index %llu, roll %d",
           rules->base.text, place.slice, (unsigned long long)place.index, rules->dice + i);
  }
  return (size_t)rolls;
}

static void look_at_batch(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, void *user) {
  static collected all;
  uint64_t index[500];
  size_t at = 0;
  const bool backwards = *(bool *)user;
  for (size_t i = 0; i < count; i++) index[i] = first + (backwards ? count - 1 - i : i);
  expand_roll(rules, slice, index, count, &all);
  for (size_t i = 0; i < count; i++)
    at += check_edges(rules, (game_place){slice, index[i]}, (uint32_t)i, all.edges + at, all.used - at);
  EXPECT(at == all.used, "%s: too many edges", rules->base.text);
}

CASE(expands_as_the_rules_say) {
  game_rules *rules = suite_rules(&oca_game, sets[_i].text, NULL);
  for (uint32_t slice = 1; slice <= OCA_MOST_PLAYERS; slice++) {
    bool backwards = false;
    for_positions(rules, slice, slice <= 2 ? 2100 : 300, look_at_batch, &backwards);
    backwards = true;
    for_positions(rules, slice, 100, look_at_batch, &backwards);
  }
}

/* --- the rules of the game against the slow definition
 * -----------------------------------------------------------
 */

static naive_oca_position naive_position(const oca_position *from) {
  naive_oca_position position = {.players = from->players, .seat = from->seat};
  for (int seat = 0; seat < from->players; seat++)
    position.token[seat] = (naive_oca_token){from->token[seat].square, from->token[seat].lost};
  return position;
}

static bool same_position(const naive_oca_position *a, const naive_oca_position *b) {
  bool same = a->players == b->players && a->seat == b->seat;
  for (int seat = 0; seat < a->players; seat++)
    same =
        same && a->token[seat].square == b->token[seat].square && a->token[seat].lost == b->token[seat].lost;
  return same;
}

static void expect_event(const game_rules *rules, const naive_oca_event *event, const oca_position *next,
                         bool won, bool ends) {
  const naive_oca_position after = naive_position(next);
  EXPECT((event->winner != NAIVE_OCA_NOBODY) == won, "%s: who wins", rules->base.text);
  if (won) return;
  EXPECT(event->turn_ends == ends && same_position(&event->after, &after), "%s: where a roll leads",
         rules->base.text);
}

static void look_at_position(const game_rules *rules, uint32_t slice, uint64_t index, void *user) {
  const naive_oca_rules *naive = user;
  game_position game;
  oca_game.position_at(rules, (game_place){slice, index}, &game);
  const oca_position own = oca_from_game(&game);
  const naive_oca_position position = naive_position(&own);
  const bool is = copies_of(rules, (game_place){slice, index});
  EXPECT(naive_oca_is_position(naive, &position) == is, "%s: is it a position?", rules->base.text);
  if (!is) return;
  EXPECT(naive_oca_must_pass(naive, &position) == oca_must_pass(rules, &own), "%s: who passes",
         rules->base.text);
  if (oca_must_pass(rules, &own)) {
    const naive_oca_event event = naive_oca_pass(naive, &position);
    const oca_position next = oca_pass(rules, &own);
    if (!oca_is_stuck(rules, &own)) expect_event(rules, &event, &next, false, true);
    return;
  }
  const chance_roll *rolls;
  oca_chance.rolls(rules, &rolls);
  for (int roll = rules->dice; roll <= 6 * rules->dice; roll++) {
    const naive_oca_event event = naive_oca_roll(naive, &position, roll);
    const oca_step step = oca_roll(rules, &own, roll);
    expect_event(rules, &event, &step.next, step.won, !step.again);
    EXPECT(naive_oca_cases(naive, roll) == (int)rolls[roll - rules->dice].weight, "%s: weight",
           rules->base.text);
  }
}

static void look_at_positions(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                              void *user) {
  for (size_t i = 0; i < count; i++) look_at_position(rules, slice, first + i, user);
}

CASE(plays_as_the_slow_definition) {
  if (sets[_i].other_board) return;
  game_rules *rules = suite_rules(&oca_game, sets[_i].text, NULL);
  naive_oca_rules naive = sets[_i].naive;
  for (uint32_t slice = 1; slice <= OCA_MOST_PLAYERS; slice++)
    for_positions(rules, slice, slice <= 2 ? 2100 : 300, look_at_positions, &naive);
}

/* --- where positions stand ------------------------------------------------------------------------------ */

/* The same with another seat to roll. */
static void turn_seats(oca_position *position, int seats) {
  oca_position turned = *position;
  for (int seat = 0; seat < position->players; seat++)
    turned.token[(seat + seats) % position->players] = position->token[seat];
  turned.seat = (uint8_t)((position->seat + seats) % position->players);
  *position = turned;
}

static int sum_of(const game_rules *rules, const oca_position *position) {
  int sum = 0;
  for (int seat = 0; seat < position->players; seat++) sum += oca_status_of(rules, position->token[seat]);
  return sum;
}

static void look_at_places(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                           void *user) {
  int last_sum = 0;
  for (uint64_t index = first; index < first + count; index++) {
    const game_place place = {slice, index};
    game_position game;
    game_place found;
    oca_game.position_at(rules, place, &game);
    oca_position position = oca_from_game(&game);
    EXPECT(position.players == slice && position.seat == 0, "%s: who is to roll", rules->base.text);
    EXPECT(oca_game.locate(rules, &game, &found) == copies_of(rules, place), "%s: copies", rules->base.text);
    EXPECT(sum_of(rules, &position) >= last_sum, "%s: the order of sums", rules->base.text);
    last_sum = sum_of(rules, &position);
    if (!copies_of(rules, place)) continue;
    for (int turns = 0; turns < position.players; turns++, turn_seats(&position, 1)) {
      oca_to_game(&position, &game);
      EXPECT(oca_game.locate(rules, &game, &found) && found.slice == slice && found.index == index,
             "%s: %llu", rules->base.text, (unsigned long long)index);
      EXPECT(oca_game.slice_of(rules, &game) == slice, "%s: slice", rules->base.text);
    }
  }
}

CASE(finds_every_position) {
  game_rules *rules = suite_rules(&oca_game, sets[_i].text, NULL);
  for (uint32_t slice = 1; slice <= OCA_MOST_PLAYERS; slice++)
    for_positions(rules, slice, _i == 0 && slice == 3 ? 40000 : 2100, look_at_places, NULL);
}

/* Tokens that the slow definition lets stand, in all ways. */
static uint64_t count_naively(const naive_oca_rules *naive, int players) {
  naive_oca_position position = {.players = players};
  uint64_t count = 0;
  int code[3] = {0}, place = 0;
  do {
    for (int i = 0; i < players; i++) position.token[i] = (naive_oca_token){code[i] / 4, code[i] % 4};
    count += naive_oca_is_position(naive, &position);
    for (place = 0; place < players && ++code[place] == 64 * 4; place++) code[place] = 0;
  } while (place < players);
  return count;
}

CASE(counts_positions) {
  static uint8_t copies[71 * 71 * 71];
  if (sets[_i].other_board) return;
  game_rules *rules = suite_rules(&oca_game, sets[_i].text, NULL);
  for (uint32_t slice = 1; slice <= (_i == 0 ? 3 : 2); slice++) {
    const uint64_t positions = oca_game.positions(rules, slice);
    ck_assert_uint_le(positions, sizeof copies);
    oca_game.copies(rules, slice, 0, positions, copies);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < positions; i++) sum += copies[i];
    ck_assert_uint_eq(sum, count_naively(&sets[_i].naive, (int)slice));
  }
}

/* By hand: 63 squares and the start, less the last one, and 2 + 3 + 2 statuses with turns to lose. */
CASE(numbers_the_board_of_63) {
  static const struct {
    const char *rules;
    uint64_t statuses;
  } cases[] = {{"base", 70},     {"goose-59=bounce", 71}, {"inn=1", 69},
               {"prison=2", 69}, {"labyrinth=30", 68},    {"inn=1,prison=2,labyrinth=30", 66}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    game_rules *rules = suite_rules(&oca_game, cases[i].rules, NULL);
    uint64_t positions = 1;
    for (uint32_t slice = 1; slice <= OCA_MOST_PLAYERS; slice++)
      ck_assert_uint_eq(oca_game.positions(rules, slice), positions *= cases[i].statuses);
    ck_assert_uint_eq(oca_game.positions(rules, 0), 0);
    ck_assert_uint_eq(oca_game.positions(rules, 5), 0);
  }
}

/* --- stages --------------------------------------------------------------------------------------------- */

/* Play that goes forward, and every pass, leads to a later stage. */
CASE(stages_rise) {
  game_rules *rules = suite_rules(&oca_game, "base", NULL);
  for (uint32_t slice = 1; slice <= 3; slice++) {
    const uint64_t positions = oca_game.positions(rules, slice), stages = oca_chance.stages(rules, slice);
    uint64_t end = 0;
    ck_assert_uint_eq(oca_chance.stage_first(rules, slice, 0), 0);
    for (uint64_t stage = 0; stage < stages; stage++) {
      const uint64_t first = end;
      end = stage + 1 < stages ? oca_chance.stage_first(rules, slice, stage + 1) : positions;
      EXPECT(first < end, "stage %llu is empty", (unsigned long long)stage);
      for (uint64_t index = first; index < end; index++) {
        const game_place place = {slice, index};
        game_position game;
        oca_game.position_at(rules, place, &game);
        const oca_position position = oca_from_game(&game);
        if (!copies_of(rules, place) || oca_is_stuck(rules, &position)) continue;
        for (int roll = 1; roll <= 6; roll++) {
          const oca_step step = oca_roll(rules, &position, roll);
          const bool passes = oca_must_pass(rules, &position);
          const bool forward = passes || (step.next.token[0].square > position.token[0].square &&
                                          step.next.token[0].square != 31);
          if (!forward || (!passes && step.won)) continue;
          const chance_edge edge = slow_edge(rules, &position, roll);
          EXPECT(edge.to.index >= end, "slice %u, stage %llu", slice, (unsigned long long)stage);
        }
      }
    }
  }
}

SUITE("oca_index") {
  LOOP(finds_every_position, SETS);
  LOOP(counts_positions, SETS);
  TESTS(numbers_the_board_of_63, stages_rise);
  LOOP(expands_as_the_rules_say, SETS);
  LOOP(plays_as_the_slow_definition, SETS);
}
