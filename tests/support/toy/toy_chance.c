#include "tests/support/toy/toy_chance.h"

#include <math.h>

#include "games/defaults.h"
#include "tests/support/suite.h"

enum { ROLLS = 3, CHOICES = 3, ALONE = 4, OWN_PERCENT = 50, OVER_PERCENT = 25 };
enum { NOTHING, WON, TURN, MINE, YOURS, ROWS }; /* gains */

static const chance_roll rolls[ROLLS] = {{"1", 1}, {"2", 2}, {"3", 3}};
static const chance_gain rows[ROWS][CHANCE_MOST_QUANTITIES] = {
    [NOTHING] = {{0, 1}, {0, 1}, {0, 1}}, [WON] = {{1, 1}, {0, 1}, {0, 1}},
    [TURN] = {{0, 1}, {0, 1}, {1, 1}},    [MINE] = {{1, 1}, {0, 1}, {1, 1}},
    [YOURS] = {{0, 1}, {1, 1}, {1, 1}},
};

static toy_chance *toy_of(const game_rules *rules) {
  return (toy_chance *)(uintptr_t)rules;
}

bool toy_chance_needs(uint32_t slice, uint32_t other) {
  return slice == 3 ? other == 1 || other == 2 : (slice == 1 || slice == 2) && other == 0;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a ^ (a >> 31)) * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

static solve_kind kind_of(const game_rules *rules) {
  return SOLVE_CHANCE;
}

static const char *text_of(const game_rules *rules) {
  return toy_of(rules)->text;
}

static tauler_error list_slices(const game_rules *rules, const game_request *request, game_slices *out,
                                tauler_message *message) {
  *out = (game_slices){calloc(TOY_CHANCE_SLICES, sizeof *out->slices), TOY_CHANCE_SLICES};
  if (!out->slices) return tauler_fail(message, TAULER_NO_MEMORY, "no memory");
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++)
    out->slices[s] = (game_slice){s, true, toy_of(rules)->positions[s]};
  return TAULER_OK;
}

static tauler_error list_needs(const game_rules *rules, uint32_t slice, game_slices *out,
                               tauler_message *message) {
  const tauler_error error = list_slices(rules, NULL, out, message);
  if (error) return error;
  out->used = 0;
  for (uint32_t s = 0; s < slice; s++) {
    if (toy_chance_needs(slice, s))
      out->slices[out->used++] = (game_slice){s, false, toy_of(rules)->positions[s]};
  }
  return TAULER_OK;
}

static void name_slice(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

static uint64_t positions_of(const game_rules *rules, uint32_t slice) {
  return toy_of(rules)->positions[slice];
}

static size_t list_rolls(const game_rules *rules, const chance_roll **out) {
  *out = rolls;
  return ROLLS;
}

static void list_quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  if (slice == ALONE) {
    *out =
        (chance_quantities){.used = 3, .seats = 2, .list = {{"win-1", 1}, {"win-2", 1}, {"turns", INFINITY}}};
  } else {
    *out = (chance_quantities){.used = 1, .chosen = true, .list = {{"score", 1}}};
  }
}

static size_t list_gains(const game_rules *rules, uint32_t slice,
                         const chance_gain (**out)[CHANCE_MOST_QUANTITIES]) {
  *out = rows;
  return ROWS;
}

static void find_aims(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n, int8_t *aim) {
  for (size_t i = 0; i < n; i++)
    aim[i] = slice == ALONE ? 0 : mix(toy_of(rules)->seed + slice, index[i]) % 2 ? 1 : -1;
}

static bool is_endless(const toy_chance *toy, uint32_t slice, uint64_t index) {
  return slice != ALONE && index < toy->endless;
}

static chance_edge draw_edge(const toy_chance *toy, uint32_t slice, uint64_t index, uint32_t roll,
                             uint32_t choice) {
  const uint64_t noise = mix(mix(toy->seed + slice, index), roll * CHOICES + choice);
  const uint64_t percent = noise % 100, more = noise / 100;
  chance_edge edge = {.roll = (uint16_t)roll, .to = {GAME_OVER, 0}};
  if (is_endless(toy, slice, index)) {
    edge.to = (game_place){slice, more % toy->endless};
  } else if (roll == 0 || percent < OVER_PERCENT) {
    edge.gain = (uint8_t)(slice == ALONE ? (more % 2 ? MINE : YOURS) : more % 2 ? WON : NOTHING);
  } else {
    uint32_t to = slice;
    if (slice == 3 && percent >= OVER_PERCENT + OWN_PERCENT) to = 1 + (uint32_t)(more % 2);
    if ((slice == 1 || slice == 2) && percent >= OVER_PERCENT + OWN_PERCENT) to = 0;
    edge.to = (game_place){to, more / 2 % toy->positions[to]};
    edge.gain = slice == ALONE ? TURN : NOTHING;
    edge.turn = slice == ALONE;
  }
  return edge;
}

static tauler_error expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                           chance_sink *sink) {
  toy_chance *toy = toy_of(rules);
  atomic_fetch_add(&toy->expanded[slice], n);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n; i++) {
    const uint32_t choices = slice == ALONE ? 1 : CHOICES;
    for (uint32_t k = 0; k < ROLLS * choices && !error; k++) {
      chance_edge edge = draw_edge(toy, slice, index[i], k / choices, k % choices);
      edge.from = (uint32_t)i;
      error = chance_sink_push(sink, edge);
    }
  }
  return error;
}

static uint64_t count_stages(const game_rules *rules, uint32_t slice) {
  return 2;
}

static uint64_t find_stage(const game_rules *rules, uint32_t slice, uint64_t stage) {
  return stage ? toy_of(rules)->positions[slice] / 3 : 0;
}

static const game_chance chance = {.rolls = list_rolls,
                                   .quantities = list_quantities,
                                   .gains = list_gains,
                                   .aims = find_aims,
                                   .expand = expand,
                                   .stages = count_stages,
                                   .stage_first = find_stage};

toy_chance *toy_chance_new(uint64_t positions, uint64_t seed) {
  toy_chance *toy = calloc(1, sizeof *toy);
  if (!toy) abort();
  toy->game = (game){.name = "toy",
                     .title = "a toy",
                     .unit = "positions",
                     .size_option = "size",
                     .kind = kind_of,
                     .rules_text = text_of,
                     .cycles_text = game_no_cycles,
                     .slices = list_slices,
                     .slice_name = name_slice,
                     .positions = positions_of,
                     .needs = list_needs,
                     .chance = &chance};
  toy->rules = (game_rules *)toy;
  toy->seed = seed;
  toy->text = "toy";
  for (uint32_t s = 0; s < TOY_CHANCE_SLICES; s++) toy->positions[s] = positions + 7 * s;
  return toy;
}

void toy_chance_free(toy_chance *toy) {
  free(toy);
}
