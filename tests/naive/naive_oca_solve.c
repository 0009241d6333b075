#include "naive_oca_solve.h"

#include "naive_chance.h"
#include "naive_memory.h"

enum { SQUARES = NAIVE_OCA_HOME + 1, MOST_LOST = 3, STATUSES = SQUARES * (MOST_LOST + 1) };
enum { TURNS = NAIVE_OCA_MOST_SOLVED, ROLLS, QUANTITIES };
/* Rows of gains: after them one for each winner. */
enum { PASS, ROLL_ON, ROLL_ENDS, WON_BY };

/* A code is a status for each player and the seat. Most of them are no position: a token that has turns to
 * lose where nobody loses any. */
struct naive_oca_world {
  naive_oca_rules rules;
  int players, codes;
  int *number_of; /* [code], -1: no position */
  int *code_of;   /* [number] */
  naive_chance *graph;
  long double *values;
};

static int code_of(const naive_oca_position *position) {
  int code = 0;
  for (int seat = position->players - 1; seat >= 0; seat--)
    code = code * STATUSES + position->token[seat].square * (MOST_LOST + 1) + position->token[seat].lost;
  return code * position->players + position->seat;
}

static naive_oca_position position_of(const naive_oca_world *world, int code) {
  naive_oca_position position = {.players = world->players, .seat = code % world->players};
  code /= world->players;
  for (int seat = 0; seat < world->players; seat++) {
    position.token[seat].square = code % STATUSES / (MOST_LOST + 1);
    position.token[seat].lost = code % (MOST_LOST + 1);
    code /= STATUSES;
  }
  return position;
}

static int list_positions(naive_oca_world *world) {
  int count = 0;
  for (int code = 0; code < world->codes; code++) {
    naive_oca_position position = position_of(world, code);
    bool is = naive_oca_is_position(&world->rules, &position);
    world->number_of[code] = is ? count : -1;
    if (is) world->code_of[count++] = code;
  }
  return count;
}

static bool is_stuck(const naive_oca_world *world, const naive_oca_position *position) {
  return world->players == 1 && !world->rules.well_off && position->token[0].square == NAIVE_OCA_WELL;
}

static void add_event(naive_oca_world *world, const naive_oca_event *event, int roll, int cases, int gain) {
  naive_way way = {.roll = (short)roll, .weight = (short)cases};
  way.to = event->winner == NAIVE_OCA_NOBODY ? world->number_of[code_of(&event->after)] : NAIVE_CHANCE_OVER;
  way.gain = (short)(event->winner == NAIVE_OCA_NOBODY ? gain : WON_BY + event->winner);
  naive_chance_add_way(world->graph, way);
}

static void add_position(naive_oca_world *world, const naive_oca_position *position) {
  naive_chance_add_node(world->graph, 0);
  if (is_stuck(world, position)) return;
  if (naive_oca_must_pass(&world->rules, position)) {
    naive_oca_event event = naive_oca_pass(&world->rules, position);
    add_event(world, &event, 0, 1, PASS);
    return;
  }
  for (int roll = 1; roll <= 12; roll++) {
    int cases = naive_oca_cases(&world->rules, roll);
    if (cases == 0) continue;
    naive_oca_event event = naive_oca_roll(&world->rules, position, roll);
    add_event(world, &event, roll, cases, event.turn_ends ? ROLL_ENDS : ROLL_ON);
  }
}

/* A turn is counted where it ends. */
static void set_gains(naive_chance *graph, int players) {
  graph->gains[PASS][TURNS] = 1;
  graph->gains[ROLL_ON][ROLLS] = 1;
  for (int row = ROLL_ENDS; row < WON_BY + players; row++)
    graph->gains[row][TURNS] = graph->gains[row][ROLLS] = 1;
  for (int seat = 0; seat < players; seat++) graph->gains[WON_BY + seat][seat] = 1;
}

naive_oca_world *naive_oca_solve(const naive_oca_rules *rules, int players) {
  if (players < 1 || players > NAIVE_OCA_MOST_SOLVED) return NULL;
  naive_oca_world *world = naive_allocate(1, sizeof *world);
  *world = (naive_oca_world){.rules = *rules, .players = players, .codes = players};
  for (int seat = 0; seat < players; seat++) world->codes *= STATUSES;
  world->number_of = naive_allocate(world->codes, sizeof *world->number_of);
  world->code_of = naive_allocate(world->codes, sizeof *world->code_of);
  world->graph = naive_chance_new(QUANTITIES);
  const int count = list_positions(world);
  set_gains(world->graph, players);
  for (int number = 0; number < count; number++) {
    naive_oca_position position = naive_oca_position_of(world, number);
    add_position(world, &position);
  }
  world->values = naive_chance_settle(world->graph, 0);
  return world->values != NULL ? world : NULL;
}

int naive_oca_positions(const naive_oca_world *world) {
  return world->graph->nodes;
}

naive_oca_position naive_oca_position_of(const naive_oca_world *world, int number) {
  return position_of(world, world->code_of[number]);
}

naive_oca_worth naive_oca_worth_of(const naive_oca_world *world, const naive_oca_position *position) {
  const long double *value = &world->values[world->number_of[code_of(position)] * QUANTITIES];
  naive_oca_worth worth = {.turns = value[TURNS], .rolls = value[ROLLS]};
  for (int seat = 0; seat < world->players; seat++) worth.win[seat] = value[seat];
  return worth;
}
