/* A game of chance written down edge by edge. */
#include "tests/support/analysis/toy_coin.h"

#include "games/game_chance.h"

/* A coin shows heads two times in three; slice 1 leads to slice 0. Rows of gains: none; 1/3 and 2 for
 * the first quantities; 1/4 for the second. Quantities 0 … 2 turn. */
typedef struct {
  uint32_t slice;
  uint64_t index;
  uint16_t roll;
  uint8_t turn, gain;
  game_place to;
} coin_edge;

static const chance_gain coin_rows[][CHANCE_MOST_QUANTITIES] = {
    {{0, 1}, {0, 1}, {0, 1}, {0, 1}}, {{1, 3}, {2, 1}, {0, 1}, {1, 1}}, {{0, 1}, {1, 4}, {0, 1}, {0, 1}}};

static const coin_edge coin_edges[] = {
    /* 1:7 rolls: heads 1:3 turned by 2 with row 1, tails back to itself turned by 1. */
    {1, 7, 0, 2, 1, {1, 3}},
    {1, 7, 1, 1, 0, {1, 7}},
    /* 1:3 must pass to 0:5, turned by 1, with row 2. */
    {1, 3, CHANCE_CERTAIN, 1, 2, {0, 5}},
    /* 0:5 ends with row 1, or goes to 0:0, which has ended. */
    {0, 5, 0, 0, 1, {GAME_OVER, 0}},
    {0, 5, 1, 2, 2, {0, 0}},
    /* 1:20 chooses. */
    {1, 20, 0, 0, 0, {0, 5}},
    {1, 20, 0, 0, 0, {0, 0}},
    /* 1:30 goes to and fro with 1:31 for ever, or to the end. */
    {1, 29, 0, 0, 0, {1, 30}},
    {1, 29, 1, 0, 0, {GAME_OVER, 0}},
    {1, 30, CHANCE_CERTAIN, 0, 1, {1, 31}},
    {1, 31, CHANCE_CERTAIN, 0, 0, {1, 30}},
};

static size_t coin_rolls(const game_rules *rules, const chance_roll **out) {
  static const chance_roll coin[] = {{"heads", 2}, {"tails", 1}};
  *out = coin;
  return 2;
}

static size_t coin_gains(const game_rules *rules, uint32_t slice,
                         const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  *rows = coin_rows;
  return 3;
}

static void coin_quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  *out = (chance_quantities){.used = 4, .seats = 3};
}

static tauler_error coin_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                chance_sink *sink) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n; i++) {
    for (size_t e = 0; e < sizeof coin_edges / sizeof *coin_edges && !error; e++) {
      const coin_edge *edge = &coin_edges[e];
      if (edge->slice != slice || edge->index != index[i]) continue;
      error =
          chance_sink_push(sink, (chance_edge){(uint32_t)i, edge->roll, edge->turn, edge->gain, edge->to});
    }
  }
  return error;
}

static const game_chance coin_chance = {
    .rolls = coin_rolls, .quantities = coin_quantities, .gains = coin_gains, .expand = coin_expand};
const game toy_coin_game = {.name = "coin", .chance = &coin_chance};
