#include "tests/support/toy/toy_dice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "games/defaults.h"

enum { SQUARES = 100, DIE = 6 };

struct game_rules {
  int target; /* target of Pig, or 0 for Chutes and Ladders */
};

static const chance_roll die[DIE] = {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}, {"5", 1}, {"6", 1}};
static const chance_gain one_or_none[][CHANCE_MOST_QUANTITIES] = {{{0, 1}}, {{1, 1}}};

static size_t rolls(const game_rules *rules, const chance_roll **out) {
  (void)rules;
  *out = die;
  return DIE;
}

static size_t gains(const game_rules *rules, uint32_t slice,
                    const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  (void)rules;
  (void)slice;
  *rows = one_or_none;
  return sizeof one_or_none / sizeof *one_or_none;
}

static void quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  (void)slice;
  *out = (chance_quantities){.used = 1, .chosen = rules->target > 0};
  out->list[0] = rules->target ? (chance_quantity){"score-1", 1} : (chance_quantity){"turns", INFINITY};
}

static solve_kind kind(const game_rules *rules) {
  (void)rules;
  return SOLVE_CHANCE;
}

static tauler_error slices(const game_rules *rules, const game_request *request, game_slices *out,
                           tauler_message *message) {
  (void)request;
  *out = (game_slices){calloc(1, sizeof *out->slices), 1};
  if (!out->slices) return tauler_fail(message, TAULER_NO_MEMORY, "no memory");
  out->slices[0].asked = true;
  out->slices[0].positions =
      rules->target ? 2 * (uint64_t)(rules->target * rules->target * rules->target) : (uint64_t)SQUARES;
  return TAULER_OK;
}

static void slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  (void)slice;
  snprintf(name, GAME_TEXT_BYTES, "%d", rules->target ? rules->target : SQUARES);
}

static const char *rules_text(const game_rules *rules) {
  return rules->target ? "pig" : "ladders";
}

/* --- Pig: both scores, who is to throw, what the turn has brought so far --- */

typedef struct {
  int mine, yours, seat, turn;
} pig;

static uint64_t pig_index(int target, pig at) {
  const int index = ((at.mine * target + at.yours) * 2 + at.seat) * target + at.turn;
  return (uint64_t)index;
}

static pig pig_at(int target, uint64_t index) {
  const int i = (int)index, rows = i / target;
  return (pig){rows / 2 / target, rows / 2 % target, rows % 2, i % target};
}

static uint64_t pig_positions(const game_rules *rules, uint32_t slice) {
  (void)slice;
  return pig_index(rules->target, (pig){rules->target, 0, 0, 0});
}

static void pig_aims(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n, int8_t *aim) {
  (void)slice;
  for (size_t i = 0; i < n; i++) aim[i] = pig_at(rules->target, index[i]).seat ? -1 : 1;
}

static tauler_error pig_throw(int target, pig at, uint32_t from, uint16_t roll, chance_sink *sink) {
  const int turn = at.turn + roll + 1;
  chance_edge edge = {.from = from, .roll = roll};
  if (roll > 0 && at.mine + turn >= target) {
    edge.gain = at.seat == 0;
    edge.to.slice = GAME_OVER;
    return chance_sink_push(sink, edge);
  }
  const int held = roll > 0 ? at.mine + turn : at.mine;
  edge.to.index = pig_index(target, (pig){at.yours, held, 1 - at.seat, 0});
  tauler_error error = chance_sink_push(sink, edge);
  if (error || roll == 0) return error;
  edge.to.index = pig_index(target, (pig){at.mine, at.yours, at.seat, turn});
  return chance_sink_push(sink, edge);
}

static tauler_error pig_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                               chance_sink *sink) {
  (void)slice;
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < n; i++) {
    const pig at = pig_at(rules->target, index[i]);
    if (at.mine + at.turn >= rules->target) continue;
    for (uint16_t roll = 0; roll < DIE && !error; roll++) error = pig_throw(rules->target, at, i, roll, sink);
  }
  return error;
}

static const game_chance pig_chance = {
    .rolls = rolls, .quantities = quantities, .gains = gains, .aims = pig_aims, .expand = pig_expand};

static const game pig_table = {.name = "pig",
                               .title = "Pig",
                               .unit = "positions",
                               .kind = kind,
                               .rules_text = rules_text,
                               .cycles_text = game_no_cycles,
                               .slices = slices,
                               .slice_name = slice_name,
                               .positions = pig_positions,
                               .chance = &pig_chance};

/* --- Chutes and Ladders --- */

static uint64_t ladders_positions(const game_rules *rules, uint32_t slice) {
  (void)rules;
  (void)slice;
  return SQUARES;
}

static void ladders_aims(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         int8_t *aim) {
  (void)rules;
  (void)slice;
  (void)index;
  for (size_t i = 0; i < n; i++) aim[i] = 0;
}

static int ladders_end(int square) {
  static const int from[] = {1, 4, 9, 21, 28, 36, 51, 71, 80, 16, 47, 49, 56, 62, 64, 87, 93, 95, 98};
  static const int to[] = {38, 14, 31, 42, 84, 44, 67, 91, 100, 6, 26, 11, 53, 19, 60, 24, 73, 75, 78};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++)
    if (square == from[i]) return to[i];
  return square;
}

static tauler_error ladders_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                   chance_sink *sink) {
  (void)rules;
  (void)slice;
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < n; i++) {
    const int square = (int)index[i];
    for (uint16_t roll = 0; roll < DIE && !error; roll++) {
      const int reached = square + roll + 1, end = reached > SQUARES ? square : ladders_end(reached);
      chance_edge edge = {.from = i, .roll = roll, .gain = 1, .to = {0, (uint64_t)end}};
      if (end == SQUARES) edge.to = (game_place){GAME_OVER, 0};
      error = chance_sink_push(sink, edge);
    }
  }
  return error;
}

static const game_chance ladders_chance = {
    .rolls = rolls, .quantities = quantities, .gains = gains, .aims = ladders_aims, .expand = ladders_expand};

static const game ladders_table = {.name = "ladders",
                                   .title = "Chutes and Ladders",
                                   .unit = "squares",
                                   .kind = kind,
                                   .rules_text = rules_text,
                                   .cycles_text = game_no_cycles,
                                   .slices = slices,
                                   .slice_name = slice_name,
                                   .positions = ladders_positions,
                                   .chance = &ladders_chance};

static toy_dice dice_of(const game *table, int target) {
  toy_dice dice = {*table, calloc(1, sizeof *dice.rules)};
  if (!dice.rules) abort();
  dice.rules->target = target;
  return dice;
}

toy_dice toy_pig_open(int target) {
  return dice_of(&pig_table, target);
}

uint64_t toy_pig_start(const toy_dice *pig_game) {
  return pig_index(pig_game->rules->target, (pig){0, 0, 0, 0});
}

toy_dice toy_ladders_open(void) {
  return dice_of(&ladders_table, 0);
}

void toy_dice_close(toy_dice *dice) {
  free(dice->rules);
  dice->rules = NULL;
}
