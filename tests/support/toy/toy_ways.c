#include "tests/support/toy/toy_ways.h"

#include "games/defaults.h"
#include "tests/naive/naive_chance.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

struct game_rules {
  toy_ways *toy;
};

/* games are opened by name, which leads to no toy */
static toy_ways *latest;

typedef struct {
  uint64_t node, seat;
} toy_place;

static toy_place place_of(const game_position *position) {
  return (toy_place){position->words[0], position->words[1]};
}

static game_position position_of(uint64_t node, uint64_t seat) {
  game_position position = {{0}};
  position.words[0] = node;
  position.words[1] = seat;
  return position;
}

static const toy_node *node_of(const game_rules *rules, const game_position *position) {
  return &rules->toy->node[place_of(position).node];
}

/* --- game.h --- */

static tauler_error open_rules(const char *rules, const char *cycles, game_rules **out,
                               tauler_message *message) {
  *out = malloc(sizeof **out);
  (*out)->toy = latest;
  return TAULER_OK;
}

static void close_rules(game_rules *rules) {
  free(rules);
}

static solve_kind kind(const game_rules *rules) {
  return SOLVE_CHANCE;
}

static const char *rules_text(const game_rules *rules) {
  return "base";
}

static void slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

static bool slice_named(const game_rules *rules, const char *name, uint32_t *slice) {
  *slice = (uint32_t)strtoul(name, NULL, 10);
  return *slice < rules->toy->slices;
}

static uint64_t positions(const game_rules *rules, uint32_t slice) {
  return rules->toy->positions[slice];
}

static tauler_error needs(const game_rules *rules, uint32_t slice, game_slices *out,
                          tauler_message *message) {
  *out = (game_slices){.slices = calloc(slice + 1, sizeof *out->slices)};
  for (; out->used < slice; out->used++)
    out->slices[out->used] = (game_slice){(uint32_t)out->used, false, rules->toy->positions[out->used]};
  return TAULER_OK;
}

static void print(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  snprintf(text, GAME_TEXT_BYTES, "node %d", (int)place_of(position).node);
}

static bool position_ended(const game_rules *rules, const game_position *position, int *value) {
  *value = 0;
  return node_of(rules, position)->ended;
}

static uint32_t slice_of(const game_rules *rules, const game_position *position) {
  return node_of(rules, position)->slice;
}

static bool locate(const game_rules *rules, const game_position *position, game_place *out) {
  const toy_node *node = node_of(rules, position);
  *out = (game_place){node->slice, node->index};
  return node->indexed;
}

static uint64_t seats_of(const toy_ways *toy) {
  return toy->quantities.seats > 0 ? (uint64_t)toy->quantities.seats : 1;
}

/* Any seat, so that all that turns must be turned. */
static void position_at(const game_rules *rules, game_place place, game_position *out) {
  *out = position_of((uint64_t)rules->toy->node_at[place.slice][place.index],
                     place.index % seats_of(rules->toy));
}

static void copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = !rules->toy->node[rules->toy->node_at[slice][first + i]].nothing;
}

/* --- game_chance.h --- */

static size_t rolls(const game_rules *rules, const chance_roll **out) {
  *out = rules->toy->rolls;
  return rules->toy->rolls_used;
}

static void quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  *out = rules->toy->quantities;
}

static size_t gains(const game_rules *rules, uint32_t slice,
                    const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  *rows = (const chance_gain(*)[CHANCE_MOST_QUANTITIES])rules->toy->gains;
  return rules->toy->rows;
}

static bool must_pass(const game_rules *rules, const game_position *position) {
  return node_of(rules, position)->passes;
}

static tauler_error moves(const game_rules *rules, const game_position *position, size_t roll,
                          game_moves *out) {
  const toy_node *node = node_of(rules, position);
  const toy_place at = place_of(position);
  tauler_error error = TAULER_OK;
  for (int i = 0; i < node->ways && !error; i++) {
    const toy_way *way = &node->way[i];
    if ((size_t)way->roll != roll) continue;
    game_move move = {.name = "x", .gain = way->gain, .over = way->to == TOY_WAYS_OVER};
    if (!move.over)
      move.child = position_of((uint64_t)way->to, (at.seat + (uint64_t)way->turn) % seats_of(rules->toy));
    error = game_moves_add(out, &move);
  }
  return error;
}

static int first_seat(const game_rules *rules, const game_position *position) {
  return (int)place_of(position).seat;
}

static int aim(const game_rules *rules, const game_position *position) {
  return node_of(rules, position)->aim;
}

static void start(const game_rules *rules, uint32_t slice, game_position *out) {
  position_at(rules, (game_place){slice, 0}, out);
}

/* --- graphs --- */

static void ways_free(void *thing) {
  toy_ways *toy = thing;
  free(toy->rules);
  free(toy);
}

toy_ways *toy_ways_new(double most, size_t rolls_used, const uint32_t weights[]) {
  toy_ways *toy = calloc(1, sizeof *toy);
  toy->rules = malloc(sizeof *toy->rules);
  toy->rules->toy = latest = toy;
  toy->chance = (game_chance){.rolls = rolls,
                              .quantities = quantities,
                              .gains = gains,
                              .must_pass = must_pass,
                              .moves = moves,
                              .first_seat = first_seat,
                              .aim = aim,
                              .start = start};
  toy->game = (game){.name = "toy",
                     .unit = "nodes",
                     .open = open_rules,
                     .close = close_rules,
                     .kind = kind,
                     .rules_text = rules_text,
                     .cycles_text = game_no_cycles,
                     .slice_name = slice_name,
                     .slice_named = slice_named,
                     .positions = positions,
                     .needs = needs,
                     .chance = &toy->chance,
                     .print = print,
                     .position_ended = position_ended,
                     .slice_of = slice_of,
                     .locate = locate,
                     .position_at = position_at,
                     .copies = copies};
  toy->quantities = (chance_quantities){.used = 1, .list = {{"score-1", most}}};
  for (; toy->rolls_used < rolls_used; toy->rolls_used++)
    toy->rolls[toy->rolls_used] = (chance_roll){"r", weights[toy->rolls_used]};
  toy->rows = TOY_WAYS_ROWS;
  for (int row = 0; row < TOY_WAYS_ROWS; row++) {
    for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++)
      toy->gains[row][q] = (chance_gain){row > 0 ? row - 1 : 0, 2};
  }
  suite_own(toy, ways_free);
  return toy;
}

int toy_ways_node(toy_ways *toy, uint32_t slice, bool indexed, int aimed) {
  toy_node *node = &toy->node[toy->nodes];
  *node = (toy_node){.slice = slice, .indexed = indexed, .passes = !indexed, .aim = aimed};
  if (slice >= toy->slices) toy->slices = slice + 1;
  if (indexed) {
    node->index = toy->positions[slice]++;
    toy->node_at[slice][node->index] = toy->nodes;
  }
  return toy->nodes++;
}

void toy_ways_way(toy_ways *toy, int node, toy_way way) {
  toy_node *from = &toy->node[node];
  from->way[from->ways++] = way;
}

/* A node to go to: of a smaller slice, or of the same one. Those without an index lead on to later ones. */
static int any_node(const toy_ways *toy, int from, int slices, bool leaves, bool forwards, uint64_t *seed) {
  int found = TOY_WAYS_OVER, seen = 0;
  for (int to = 0; to < toy->nodes; to++) {
    const bool same = toy->node[to].slice == toy->node[from].slice;
    const bool ahead = to > from || !(forwards || toy->node[from].passes);
    if (toy->node[to].nothing ||
        (leaves ? same || toy->node[to].slice > toy->node[from].slice : !same || !ahead))
      continue;
    if (toy_draw(seed) % (unsigned)++seen == 0) found = to;
  }
  return slices > 1 || !leaves ? found : TOY_WAYS_OVER;
}

static void add_ways(toy_ways *toy, int node, const toy_ways_shape *shape, uint64_t *seed) {
  const toy_node *from = &toy->node[node];
  const int rolls_here = from->passes ? 1 : (int)toy->rolls_used;
  for (int roll = 0; roll < rolls_here; roll++) {
    const int choices = from->aim == 0 ? 1 : 1 + (int)(toy_draw(seed) % (unsigned)shape->most_choices);
    for (int i = 0; i < choices; i++) {
      const bool leaves = (int)(toy_draw(seed) % 100) < shape->leaves_percent;
      toy_way way = {.roll = from->passes ? CHANCE_CERTAIN : roll};
      way.to = any_node(toy, node, shape->slices, leaves, shape->forwards, seed);
      way.gain = way.to == TOY_WAYS_OVER ? 1 + (int)(toy_draw(seed) % 3) : 0;
      way.turn = shape->seats > 0 ? (int)(toy_draw(seed) % (unsigned)shape->seats) : 0;
      toy_ways_way(toy, node, way);
    }
  }
}

toy_ways *toy_ways_random(const toy_ways_shape *shape, uint64_t seed) {
  const uint32_t weights[] = {1, 2, 3};
  toy_ways *toy = toy_ways_new(1, 1 + seed % 3, weights);
  if (shape->seats > 0) {
    toy->quantities = (chance_quantities){.used = shape->seats + 1, .seats = shape->seats};
    for (int q = 0; q <= shape->seats; q++) {
      snprintf(toy->quantities.list[q].name, CHANCE_NAME_BYTES, q < shape->seats ? "win-%d" : "all", q + 1);
      toy->quantities.list[q].most = 1;
      for (int row = 1; row < TOY_WAYS_ROWS; row++) toy->gains[row][q] = (chance_gain){(row + q) % 3, 3};
    }
  }
  uint64_t drawn = seed;
  for (int node = 0; node < shape->nodes; node++) {
    const uint32_t slice = (uint32_t)(node * shape->slices / shape->nodes);
    const int aimed = shape->seats > 0 ? 0 : (int)(toy_draw(&drawn) % 3) - 1;
    const bool indexed = toy_draw(&drawn) % 8 > 0;
    toy_ways_node(toy, slice, indexed, indexed ? aimed : 0);
    toy->node[node].nothing = indexed && toy_draw(&drawn) % 16 == 0;
    toy->node[node].ended = indexed && toy_draw(&drawn) % 16 == 0;
  }
  for (int node = 0; node < shape->nodes; node++) {
    if (!toy->node[node].nothing && !toy->node[node].ended) add_ways(toy, node, shape, &drawn);
  }
  return toy;
}

long double *toy_ways_settle(const toy_ways *toy, long double from) {
  const int used = toy->quantities.used, seats = toy->quantities.seats, turns = seats > 0 ? seats : 1;
  naive_chance *graph = naive_chance_new(used);
  /* a row of gains for each seat that it may be counted from */
  for (int row = 0; row < TOY_WAYS_ROWS * turns; row++) {
    for (int q = 0; q < used; q++) {
      const int there = q < seats ? (q + seats - row % turns) % seats : q;
      const chance_gain gain = toy->gains[row / turns][there];
      graph->gains[row][q] = (long double)gain.numerator / gain.denominator;
    }
  }
  for (int node = 0; node < toy->nodes; node++) {
    for (int seat = 0; seat < turns; seat++) {
      const toy_node *here = &toy->node[node];
      naive_chance_add_node(graph, here->aim);
      for (int i = 0; i < here->ways; i++) {
        const toy_way *way = &here->way[i];
        const int to =
            way->to == TOY_WAYS_OVER ? NAIVE_CHANCE_OVER : way->to * turns + (seat + way->turn) % turns;
        const short weight = here->passes ? 1 : (short)toy->rolls[way->roll].weight;
        naive_chance_add_way(graph, (naive_way){to, (short)i, weight, (short)(way->gain * turns + seat)});
        graph->way[graph->ways - 1].roll = (short)(here->passes ? 0 : way->roll);
      }
    }
  }
  long double *all = naive_chance_settle(graph, from);
  for (int node = 0; all && node < toy->nodes; node++) {
    for (int q = 0; q < used; q++) all[node * used + q] = all[node * turns * used + q];
  }
  return all;
}
