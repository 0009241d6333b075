/* Writes a game of dice as explicit files of the model checker PRISM. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"

/* Numbers of labels. Those of the final states are OWN_LABELS and the next ones. */
enum { INIT, DEADLOCK, OVER, RAISES, LOWERS, OWN_LABELS };
enum { STATES, TRANSITIONS, LABELS, REWARDS, FILES = REWARDS + CHANCE_MOST_QUANTITIES };
enum { MOST_TARGETS = CHANCE_MOST_ROLLS * (CHANCE_MOST_QUANTITIES + 1) };

static const double ROUNDING = 1e-12;

/* The states that a choice may lead to, with their probabilities. */
typedef struct {
  struct {
    uint64_t to;
    double chance;
  } list[MOST_TARGETS];
  size_t used;
} targets;

/* A model. Its states are, in this order: the positions, each once for every seat that may be the first one;
 * a final state for each quantity that is a probability, and one for the rest; and a state for each roll
 * after which a seat chooses. */
typedef struct {
  const graph *g;
  uint64_t seats; /* number of states of each position */
  uint64_t final; /* number of the first final state */
  int chances;    /* number of quantities that are probabilities, which are the first */
  uint64_t states, choices, transitions, rewards[CHANCE_MOST_QUANTITIES];
  uint64_t chosen; /* number of states of choices so far in this walk */
  bool writes;     /* true if the walk writes files, false if it counts */
  targets targets;
  graph_file files[FILES];
} model;

static uint64_t nothing_state(const model *m) {
  return m->final + (uint64_t)m->chances;
}

static uint64_t first_choice_state(const model *m) {
  return nothing_state(m) + 1;
}

static uint64_t state_number(const model *m, game_place place, uint64_t seat) {
  return graph_number(m->g, place) * m->seats + seat;
}

/* Returns the number of a quantity. `relative` is its number counted from the first seat, `seat`. */
static int quantity_number(const model *m, int relative, uint64_t seat) {
  const int seats = m->g->quantities.seats;
  return relative < seats ? (relative + (int)seat) % seats : relative;
}

/* --- targets --- */

static void add_target(targets *all, uint64_t to, double chance) {
  if (chance <= 0) return;
  for (size_t i = 0; i < all->used; i++)
    if (all->list[i].to == to) {
      all->list[i].chance += chance;
      return;
    }
  all->list[all->used].to = to;
  all->list[all->used++].chance = chance;
}

/* Adds an edge to the targets. At the end of the game it leads to the final state of each quantity with the
 * probability that it gains, and to the last one with the rest. */
static void add_edge(model *m, const graph_node *node, uint64_t seat, const chance_edge *edge,
                     double chance) {
  if (edge->to.slice != GAME_OVER) {
    add_target(&m->targets, state_number(m, edge->to, (seat + edge->turn) % m->seats), chance);
    return;
  }
  double rest = 1;
  for (int q = 0; q < m->chances; q++) {
    const double gain = graph_gain(m->g, node->place, edge, q);
    add_target(&m->targets, m->final + (uint64_t)quantity_number(m, q, seat), chance * gain);
    rest -= gain;
  }
  if (rest > ROUNDING) add_target(&m->targets, nothing_state(m), chance * rest);
}

static void put_targets(model *m, uint64_t state, uint64_t choice) {
  m->choices++;
  m->transitions += m->targets.used;
  for (size_t i = 0; i < m->targets.used && m->writes; i++) {
    graph_file_print(&m->files[TRANSITIONS], "%" PRIu64 " ", state);
    if (m->g->quantities.chosen) graph_file_print(&m->files[TRANSITIONS], "%" PRIu64 " ", choice);
    graph_file_print(&m->files[TRANSITIONS], "%" PRIu64 " %.17g\n", m->targets.list[i].to,
                     m->targets.list[i].chance);
  }
  m->targets.used = 0;
}

static void put_state(model *m, uint64_t state, int64_t slice, uint64_t index, uint64_t seat, size_t roll) {
  if (m->writes)
    graph_file_print(&m->files[STATES], "%" PRIu64 ":(%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%zu)\n", state,
                     slice, index, seat, roll);
}

static void put_label(model *m, uint64_t state, uint64_t label) {
  if (m->writes) graph_file_print(&m->files[LABELS], "%" PRIu64 ": %" PRIu64 "\n", state, label);
}

/* --- positions --- */

static size_t edges_of_roll(const graph_node *node, size_t first) {
  size_t end = first + 1;
  while (end < node->used && node->edges[end].roll == node->edges[first].roll) end++;
  return end - first;
}

/* Returns the expected gain of the next roll in a quantity that is not a probability. */
static double expected_reward(const model *m, const graph_node *node, int quantity) {
  double reward = 0;
  for (size_t i = 0; i < node->used; i += edges_of_roll(node, i))
    reward += graph_chance(m->g, &node->edges[i]) * graph_gain(m->g, node->place, &node->edges[i], quantity);
  return reward;
}

static void put_rewards(model *m, const graph_node *node, uint64_t state, uint64_t seat) {
  for (int q = m->chances; q < m->g->quantities.used; q++) {
    const double reward = expected_reward(m, node, q);
    const int name = quantity_number(m, q, seat);
    if (reward <= 0) continue;
    m->rewards[name]++;
    if (m->writes) graph_file_print(&m->files[REWARDS + name], "%" PRIu64 " %.17g\n", state, reward);
  }
}

/* True if a model can express an edge. Probabilities are gained at the end only, and at most 1 in all. A
 * state has one reward, so choices under a roll must not differ in it. */
static bool can_express(const model *m, const graph_node *node, size_t i) {
  const chance_edge *edge = &node->edges[i];
  double chances = 0;
  for (int q = 0; q < m->g->quantities.used; q++) {
    const double gain = graph_gain(m->g, node->place, edge, q);
    if (q < m->chances)
      chances += gain;
    else if (i && edge[-1].roll == edge->roll && gain != graph_gain(m->g, node->place, edge - 1, q))
      return false;
  }
  return chances <= (edge->to.slice == GAME_OVER ? 1 + ROUNDING : 0);
}

static tauler_error check_gains(const model *m, const graph_node *node) {
  for (size_t i = 0; i < node->used; i++)
    if (!can_express(m, node, i))
      return tauler_fail(m->g->message, TAULER_BAD_USAGE,
                         "moves of %s gain what a model cannot say; use --graph csv", m->g->game->name);
  return TAULER_OK;
}

static tauler_error put_position(void *user, const graph_node *node) {
  model *m = user;
  const uint64_t before = m->chosen;
  for (uint64_t seat = 0; seat < m->seats; seat++) {
    const uint64_t state = state_number(m, node->place, seat);
    uint64_t chosen = before + seat;
    put_state(m, state, node->place.slice, node->place.index, seat, 0);
    put_rewards(m, node, state, seat);
    for (size_t i = 0, n; i < node->used; i += n) {
      n = edges_of_roll(node, i);
      const double chance = graph_chance(m->g, &node->edges[i]);
      if (n == 1) {
        add_edge(m, node, seat, &node->edges[i], chance);
      } else {
        add_target(&m->targets, first_choice_state(m) + chosen, chance);
        chosen += m->seats;
      }
    }
    if (node->used == 0) add_target(&m->targets, nothing_state(m), 1);
    put_targets(m, state, 0);
    if (seat + 1 == m->seats) m->chosen = chosen + 1 - m->seats;
  }
  return m->writes ? m->files[TRANSITIONS].error : check_gains(m, node);
}

static tauler_error put_choices(void *user, const graph_node *node) {
  model *m = user;
  for (size_t i = 0, n; i < node->used; i += n) {
    n = edges_of_roll(node, i);
    for (uint64_t seat = 0; seat < m->seats && n > 1; seat++) {
      const uint64_t state = first_choice_state(m) + m->chosen++;
      put_state(m, state, node->place.slice, node->place.index, seat, node->edges[i].roll + 1U);
      put_label(m, state, node->aim > 0 ? RAISES : LOWERS);
      for (size_t choice = 0; choice < n; choice++) {
        add_edge(m, node, seat, &node->edges[i + choice], 1);
        put_targets(m, state, choice);
      }
    }
  }
  return m->files[TRANSITIONS].error;
}

static void put_final_states(model *m) {
  for (uint64_t i = 0; i <= (uint64_t)m->chances; i++) {
    put_state(m, m->final + i, -1, i, 0, 0);
    add_target(&m->targets, m->final + i, 1);
    put_targets(m, m->final + i, 0);
    if (m->writes)
      graph_file_print(&m->files[LABELS], "%" PRIu64 ": %d %" PRIu64 "\n", m->final + i, OVER,
                       OWN_LABELS + i);
  }
}

static tauler_error walk_states(model *m, const char *step) {
  m->choices = m->transitions = m->chosen = 0;
  memset(m->rewards, 0, sizeof m->rewards);
  tauler_error error = graph_walk(m->g, step, put_position, m);
  if (error) return error;
  m->states = first_choice_state(m) + m->chosen;
  m->chosen = 0;
  put_final_states(m);
  return graph_walk(m->g, step, put_choices, m);
}

/* --- files --- */

/* Writes and returns the name of a quantity as an identifier of PRISM. */
static const char *write_quantity_name(const model *m, int quantity, char name[CHANCE_NAME_BYTES]) {
  memcpy(name, m->g->quantities.list[quantity].name, CHANCE_NAME_BYTES);
  for (char *c = name; *c; c++)
    if (*c == '-') *c = '_';
  return name;
}

static void label_starts(model *m) {
  const graph *g = m->g;
  const game_chance *chance = g->game->chance;
  for (size_t i = 0; i < g->job->slices->used; i++) {
    const uint32_t slice = g->job->slices->slices[i].slice;
    game_position start;
    game_place place;
    if (chance->origin && chance->origin(g->rules, slice) != slice) continue;
    chance->start(g->rules, slice, &start);
    if (g->game->locate(g->rules, &start, &place))
      put_label(m, state_number(m, place, (uint64_t)chance->first_seat(g->rules, &start)), INIT);
  }
}

static void write_file_heads(model *m) {
  const chance_quantities *all = &m->g->quantities;
  char name[CHANCE_NAME_BYTES];
  graph_file_print(&m->files[STATES], "(slice,index,seat,roll)\n");
  graph_file_print(&m->files[TRANSITIONS], "%" PRIu64 " ", m->states);
  if (all->chosen) graph_file_print(&m->files[TRANSITIONS], "%" PRIu64 " ", m->choices);
  graph_file_print(&m->files[TRANSITIONS], "%" PRIu64 "\n", m->transitions);
  graph_file_print(&m->files[LABELS], "%d=\"init\" %d=\"deadlock\" %d=\"over\" %d=\"raises\" %d=\"lowers\"",
                   INIT, DEADLOCK, OVER, RAISES, LOWERS);
  for (int q = 0; q < all->used; q++) {
    if (q < m->chances)
      graph_file_print(&m->files[LABELS], " %d=\"%s\"", OWN_LABELS + q, write_quantity_name(m, q, name));
    else
      graph_file_print(&m->files[REWARDS + q], "%" PRIu64 " %" PRIu64 "\n", m->states, m->rewards[q]);
  }
  graph_file_print(&m->files[LABELS], " %d=\"nothing\"\n", OWN_LABELS + m->chances);
}

static tauler_error open_files(model *m) {
  static const char *const names[REWARDS] = {"model.sta", "model.tra", "model.lab"};
  tauler_error error = TAULER_OK;
  for (int i = 0; i < REWARDS + m->g->quantities.used && !error; i++) {
    char name[CHANCE_NAME_BYTES + 16], quantity[CHANCE_NAME_BYTES];
    if (i >= REWARDS && i < REWARDS + m->chances) continue;
    if (i >= REWARDS)
      snprintf(name, sizeof name, "model.%s.srew", write_quantity_name(m, i - REWARDS, quantity));
    error = graph_file_open(&m->files[i], m->g->job->folder, i < REWARDS ? names[i] : name, m->g->message);
  }
  return error;
}

static tauler_error close_files(model *m, tauler_error error) {
  for (int i = 0; i < FILES; i++) {
    graph_file *f = &m->files[i];
    const bool open = f->file != NULL;
    error = graph_file_close(f, error);
    if (open && !error) export_report(m->g->job, "model", f->path, m->g->positions, f->bytes);
  }
  return error;
}

tauler_error graph_model(const graph *g) {
  model *m;
  tauler_error error = memory_allocate(g->job->memory, sizeof *m, "files of a model", &m, g->message);
  if (error) return error;
  m->g = g;
  m->seats = g->quantities.seats ? (uint64_t)g->quantities.seats : 1;
  while (m->chances < g->quantities.used && g->quantities.list[m->chances].most == 1) m->chances++;
  m->final = g->positions * m->seats;
  error = walk_states(m, "states");
  if (!error) error = open_files(m);
  m->writes = true;
  if (!error) write_file_heads(m);
  if (!error) label_starts(m);
  if (!error) error = walk_states(m, "model");
  error = close_files(m, error);
  memory_free(g->job->memory, m);
  return error;
}
