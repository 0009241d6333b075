#include "tests/support/toy/toy_odds.h"

#include <math.h>

#include "games/defaults.h"
#include "tests/naive/naive_chance.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

struct game_rules {
  const toy_odds *toy;
};

enum { SEATS = 3 };

static solve_kind kind(const game_rules *rules) {
  return SOLVE_CHANCE;
}

static const char *rules_text(const game_rules *rules) {
  return "odds";
}

static tauler_error slices(const game_rules *rules, const game_request *request, game_slices *out,
                           tauler_message *message) {
  *out = (game_slices){calloc(rules->toy->slices, sizeof *out->slices), rules->toy->slices};
  for (uint32_t s = 0; s < rules->toy->slices; s++)
    out->slices[s] = (game_slice){s, true, rules->toy->slice[s].positions};
  return TAULER_OK;
}

static void slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

static uint64_t positions_of(const game_rules *rules, uint32_t slice) {
  return rules->toy->slice[slice].positions;
}

static size_t rolls_of(const game_rules *rules, const chance_roll **out) {
  *out = rules->toy->roll;
  return rules->toy->rolls;
}

static void quantities_of(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  *out = rules->toy->quantities;
}

static size_t gains_of(const game_rules *rules, uint32_t slice,
                       const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  *rows = (const chance_gain(*)[CHANCE_MOST_QUANTITIES])rules->toy->rows;
  return TOY_ODDS_ROWS;
}

static void aims_of(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n, int8_t *aim) {
  for (size_t i = 0; i < n; i++) aim[i] = rules->toy->slice[slice].aim[index[i]];
}

static tauler_error expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                           chance_sink *sink) {
  const toy_odds_slice *of = &rules->toy->slice[slice];
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < n; i++) {
    for (uint64_t e = of->first[index[i]]; e < of->first[index[i] + 1] && !error; e++) {
      chance_edge edge = of->edges[e];
      edge.from = i;
      error = chance_sink_push(sink, edge);
    }
  }
  return error;
}

static uint64_t stages_of(const game_rules *rules, uint32_t slice) {
  const uint64_t each = rules->toy->stage;
  return (positions_of(rules, slice) + each - 1) / each;
}

static uint64_t stage_first(const game_rules *rules, uint32_t slice, uint64_t stage) {
  return stage * rules->toy->stage;
}

static const game_chance odds_chance = {
    .rolls = rolls_of, .quantities = quantities_of, .gains = gains_of, .aims = aims_of, .expand = expand};

static const game odds_table = {.name = "odds",
                                .title = "a random graph of chance",
                                .unit = "positions",
                                .kind = kind,
                                .rules_text = rules_text,
                                .cycles_text = game_no_cycles,
                                .slices = slices,
                                .slice_name = slice_name,
                                .positions = positions_of};

static void set_gains(toy_odds *toy) {
  for (int row = 0; row < TOY_ODDS_ROWS; row++)
    for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) toy->rows[row][q] = (chance_gain){0, 1};
  if (toy->kind == TOY_ODDS_SEATS) {
    for (int row = 1; row < TOY_ODDS_ROWS; row++) toy->rows[row][SEATS] = (chance_gain){1, 1};
    for (int seat = 0; seat < SEATS; seat++) toy->rows[2 + seat][seat] = (chance_gain){1, 1};
    return;
  }
  toy->rows[1][0] = (chance_gain){1, 2};
  toy->rows[2][0] = (chance_gain){1, 1};
  toy->rows[3][0] = (chance_gain){1, 3};
  toy->rows[4][0] = (chance_gain){2, 3};
}

static void set_quantities(toy_odds *toy) {
  toy->quantities = (chance_quantities){.used = 1, .chosen = true};
  toy->quantities.list[0] = (chance_quantity){"score-1", toy->kind == TOY_ODDS_ENDS ? 1 : INFINITY};
  if (toy->kind != TOY_ODDS_SEATS) return;
  toy->quantities =
      (chance_quantities){.used = SEATS + 1,
                          .seats = SEATS,
                          .list = {{"win-1", 1}, {"win-2", 1}, {"win-3", 1}, {"turns", INFINITY}}};
}

static void odds_free(void *thing) {
  toy_odds *toy = thing;
  for (uint32_t s = 0; s < toy->slices; s++) free(toy->slice[s].edges);
}

toy_odds *toy_odds_new(toy_odds_kind of, size_t rolls, uint32_t used, const uint64_t positions[]) {
  toy_odds *toy = suite_zeros(1, sizeof *toy);
  toy->game = odds_table;
  toy->chance = odds_chance;
  toy->game.chance = &toy->chance;
  toy->rules = suite_zeros(1, sizeof *toy->rules);
  toy->rules->toy = toy;
  toy->kind = of;
  toy->rolls = rolls;
  static const chance_roll each[TOY_ODDS_ROLLS] = {{"1", 3}, {"2", 1}, {"3", 2},
                                                   {"4", 5}, {"5", 1}, {"6", 1}};
  for (size_t r = 0; r < rolls; r++) toy->roll[r] = each[r];
  set_quantities(toy);
  set_gains(toy);
  toy->slices = used;
  for (uint32_t s = 0; s < used; s++) {
    toy->slice[s].positions = positions[s];
    toy->slice[s].aim = suite_zeros(positions[s], 1);
    toy->slice[s].first = suite_zeros(positions[s] + 1, sizeof(uint64_t));
  }
  suite_own(toy, odds_free);
  return toy;
}

void toy_odds_add(toy_odds *toy, uint32_t slice, uint64_t from, chance_edge edge) {
  toy_odds_slice *of = &toy->slice[slice];
  if (of->used == of->room) {
    of->room = 2 * of->room + 64;
    of->edges = realloc(of->edges, of->room * sizeof *of->edges);
    if (!of->edges) abort();
  }
  while (of->open < from) of->first[++of->open] = of->used;
  of->edges[of->used++] = edge;
}

void toy_odds_seal(toy_odds *toy) {
  for (uint32_t s = 0; s < toy->slices; s++)
    while (toy->slice[s].open < toy->slice[s].positions) {
      toy->slice[s].first[++toy->slice[s].open] = toy->slice[s].used;
    }
  if (!toy->stage) return;
  toy->chance.stages = stages_of;
  toy->chance.stage_first = stage_first;
}

/* --- random graphs --- */

typedef struct {
  toy_odds *toy;
  uint64_t seed;
  int leaves_percent;
} odds_maker;

static uint64_t pick(odds_maker *maker, uint64_t n) {
  return toy_draw(&maker->seed) % n;
}

/* Gains of a position that is not the last, and of the end. */
static uint8_t pick_gain(odds_maker *maker, bool over) {
  if (maker->toy->kind == TOY_ODDS_SEATS) return (uint8_t)(over ? 2 + pick(maker, SEATS) : pick(maker, 2));
  if (maker->toy->kind == TOY_ODDS_WAYS) return (uint8_t)(pick(maker, TOY_ODDS_ROWS));
  return (uint8_t)(over ? pick(maker, 3) : 0);
}

static chance_edge pick_edge(odds_maker *maker, uint32_t slice, uint64_t from, uint16_t roll) {
  toy_odds *toy = maker->toy;
  const uint64_t n = toy->slice[slice].positions;
  const bool onwards = roll == 0 || roll == CHANCE_CERTAIN;
  chance_edge edge = {.roll = roll, .to = {slice, pick(maker, n)}};
  if (onwards && from + 1 < n) edge.to.index = from + 1 + pick(maker, n - from - 1);
  if ((onwards && from + 1 == n) || pick(maker, 100) < (uint64_t)maker->leaves_percent) {
    edge.to = (game_place){GAME_OVER, 0};
    if (slice > 0 && pick(maker, 2)) {
      edge.to.slice = (uint32_t)pick(maker, slice);
      edge.to.index = pick(maker, toy->slice[edge.to.slice].positions);
    }
  }
  edge.gain = pick_gain(maker, edge.to.slice == GAME_OVER);
  if (toy->kind == TOY_ODDS_SEATS && edge.to.slice != GAME_OVER) edge.turn = (uint8_t)pick(maker, SEATS);
  return edge;
}

static void add_random(odds_maker *maker, uint32_t slice, uint64_t from) {
  toy_odds *toy = maker->toy;
  const uint64_t what = pick(maker, 12);
  const bool chooses = toy->kind != TOY_ODDS_SEATS && what != 2;
  toy->slice[slice].aim[from] = (int8_t)(chooses ? 1 - 2 * (int)pick(maker, 2) : 0);
  if (what == 0) return;
  if (what == 1) {
    toy_odds_add(toy, slice, from, pick_edge(maker, slice, from, CHANCE_CERTAIN));
    return;
  }
  for (size_t roll = 0; roll < toy->rolls; roll++)
    for (uint64_t choices = chooses ? 1 + pick(maker, 3) : 1; choices > 0; choices--)
      toy_odds_add(toy, slice, from, pick_edge(maker, slice, from, (uint16_t)roll));
}

toy_odds *toy_odds_random(toy_odds_kind of, size_t rolls, uint32_t used, const uint64_t positions[],
                          int leaves_percent, uint64_t seed) {
  odds_maker maker = {toy_odds_new(of, rolls, used, positions), seed, leaves_percent};
  for (uint32_t s = 0; s < used; s++)
    for (uint64_t i = 0; i < positions[s]; i++) add_random(&maker, s, i);
  return maker.toy;
}

/* --- what it is worth --- */

typedef struct {
  const toy_odds *toy;
  naive_chance *graph;
  int seats;                   /* 1 if no seat rotates */
  int before[TOY_ODDS_SLICES]; /* positions of the slices before */
} odds_naive;

static int node_of(const odds_naive *n, game_place place, int seat) {
  return (n->before[place.slice] + (int)place.index) * n->seats + seat;
}

/* Quantities of a node are counted from seat 0, those of a position from its own. */
static void name_gains(odds_naive *n) {
  for (int row = 0; row < TOY_ODDS_ROWS; row++)
    for (int seat = 0; seat < n->seats; seat++)
      for (int q = 0; q < n->toy->quantities.used; q++) {
        const chance_gain gain = n->toy->rows[row][q];
        const int whose = q < n->toy->quantities.seats ? (q + seat) % n->seats : q;
        n->graph->gains[row * n->seats + seat][whose] = (long double)gain.numerator / gain.denominator;
      }
}

static void add_node(odds_naive *n, game_place place, int seat) {
  const toy_odds_slice *slice = &n->toy->slice[place.slice];
  naive_chance_add_node(n->graph, slice->aim[place.index]);
  for (uint64_t e = slice->first[place.index]; e < slice->first[place.index + 1]; e++) {
    const chance_edge *edge = &slice->edges[e];
    const bool certain = edge->roll == CHANCE_CERTAIN;
    naive_way way = {NAIVE_CHANCE_OVER, (short)(certain ? 0 : edge->roll), 1,
                     (short)(edge->gain * n->seats + seat)};
    if (!certain) way.weight = (short)n->toy->roll[edge->roll].weight;
    if (edge->to.slice != GAME_OVER) way.to = node_of(n, edge->to, (seat + edge->turn) % n->seats);
    naive_chance_add_way(n->graph, way);
  }
}

void toy_odds_settle(const toy_odds *toy, long double from, long double *values[TOY_ODDS_SLICES]) {
  odds_naive n = {
      toy, naive_chance_new(toy->quantities.used), toy->quantities.seats ? toy->quantities.seats : 1, {0}};
  for (uint32_t s = 1; s < toy->slices; s++) n.before[s] = n.before[s - 1] + (int)toy->slice[s - 1].positions;
  name_gains(&n);
  for (uint32_t s = 0; s < toy->slices; s++)
    for (uint64_t i = 0; i < toy->slice[s].positions; i++)
      for (int seat = 0; seat < n.seats; seat++) add_node(&n, (game_place){s, i}, seat);
  long double *all = naive_chance_settle(n.graph, from);
  if (!all) abort();
  const uint64_t each = (uint64_t)toy->quantities.used;
  for (uint32_t s = 0; s < toy->slices; s++) {
    values[s] = suite_zeros(toy->slice[s].positions * each, sizeof **values);
    for (uint64_t i = 0; i < toy->slice[s].positions; i++)
      for (uint64_t q = 0; q < each; q++)
        values[s][i * each + q] = all[(uint64_t)node_of(&n, (game_place){s, i}, 0) * each + q];
  }
}
