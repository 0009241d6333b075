/* Computes the expectations of games of dice without choices as exact rationals. */
#include "analysis/exact/exact.h"

#include <stdlib.h>
#include <string.h>

static const char *const what = "positions for exact values";

/* The end of play, in place of a node. */
#define LEAVES UINT32_MAX

enum { BATCH = 256, MOST_SCALE = 1 << 29, MOST_MET = 1 << 16 };
_Static_assert(MOST_MET > 2 * EXACT_MOST_UNKNOWNS, "the hash table is never full");

/* A step of play from a node, after a roll, to a node or LEAVES. */
typedef struct {
  uint32_t from, to;
  int64_t weight;
  uint8_t gain, turn;
} step;

typedef struct {
  const game *game;
  const game_rules *rules;
  memory_budget *memory;
  progress *shown;
  const chance_roll *rolls;
  chance_quantities quantities;
  int64_t all_weights, scale; /* sum of the weights of rolls, and common denominator of all gains */
  arena arrays;
  game_place *nodes; /* nodes in the order in which they were found, later sorted */
  uint32_t nodes_used;
  uint32_t *met;      /* [MOST_MET] hash table of node + 1 */
  game_place *before; /* copy of `nodes` while they are sorted */
  uint8_t *ends;      /* [node] 1 if play from it may end */
  step *steps;
  uint32_t steps_used, steps_room;
  uint32_t first_of_batch;
  uint32_t last_from;
  int last_roll;
  tauler_message *message;
} chain;

static void list_node_arrays(arena *a, void *of) {
  chain *c = of;
  c->nodes = arena_allocate(a, EXACT_MOST_UNKNOWNS, sizeof *c->nodes);
  c->before = arena_allocate(a, EXACT_MOST_UNKNOWNS, sizeof *c->before);
  c->ends = arena_allocate(a, EXACT_MOST_UNKNOWNS, 1);
  c->met = arena_allocate(a, MOST_MET, sizeof *c->met);
}

static tauler_error make_room_for_step(chain *c) {
  if (c->steps_used < c->steps_room) return TAULER_OK;
  const uint32_t room = c->steps_room ? 2 * c->steps_room : 1024;
  const tauler_error error =
      memory_resize(c->memory, (uint64_t)room * sizeof *c->steps, what, &c->steps, c->message);
  if (!error) c->steps_room = room;
  return error;
}

static uint32_t *slot_of(const chain *c, game_place place) {
  uint64_t hash = (place.index * 31 + place.slice) * UINT64_C(0x9E3779B97F4A7C15);
  uint32_t at = (uint32_t)(hash >> 32) & (MOST_MET - 1);
  for (; c->met[at]; at = (at + 1) & (MOST_MET - 1)) {
    const game_place *known = &c->nodes[c->met[at] - 1];
    if (known->slice == place.slice && known->index == place.index) break;
  }
  return &c->met[at];
}

static tauler_error find_or_add_node(chain *c, game_place place, uint32_t *node) {
  uint32_t *slot = slot_of(c, place);
  *node = *slot - 1;
  if (*slot) return TAULER_OK;
  const uint32_t places = c->quantities.seats ? (uint32_t)c->quantities.seats : 1;
  if ((c->nodes_used + 1) * places > EXACT_MOST_UNKNOWNS)
    return tauler_fail(c->message, TAULER_BAD_USAGE,
                       "exact values need at most %d equations; this slice has more", EXACT_MOST_UNKNOWNS);
  *node = c->nodes_used++;
  c->nodes[*node] = place;
  *slot = c->nodes_used;
  return TAULER_OK;
}

static tauler_error add_step(chain *c, const chance_edge *edge) {
  const bool certain = edge->roll == CHANCE_CERTAIN;
  step s = {.from = c->first_of_batch + edge->from,
            .to = LEAVES,
            .weight = certain ? c->all_weights : c->rolls[edge->roll].weight,
            .gain = edge->gain,
            .turn = edge->turn};
  if (c->steps_used > 0 && c->last_from == s.from && c->last_roll == edge->roll)
    return tauler_fail(c->message, TAULER_BAD_USAGE,
                       "exact values need a game without choices; this one has some");
  c->last_from = s.from;
  c->last_roll = edge->roll;
  tauler_error error = TAULER_OK;
  if (edge->to.slice != GAME_OVER) error = find_or_add_node(c, edge->to, &s.to);
  if (!error) error = make_room_for_step(c);
  if (!error) c->steps[c->steps_used++] = s;
  return error;
}

static tauler_error add_steps(void *user, const chance_edge *edges, size_t n) {
  chain *c = user;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++) error = add_step(c, &edges[i]);
  return error;
}

/* Adds the steps of a batch of nodes of one slice, from `first` on. *end becomes the node after them. */
static tauler_error expand_nodes(chain *c, uint32_t first, uint32_t *end) {
  uint64_t index[BATCH];
  chance_edge room[BATCH];
  chance_sink sink = {room, 0, BATCH, add_steps, c};
  const uint32_t slice = c->nodes[first].slice;
  uint32_t n = 0;
  for (; n < BATCH && first + n < c->nodes_used && c->nodes[first + n].slice == slice; n++)
    index[n] = c->nodes[first + n].index;
  c->first_of_batch = first;
  *end = first + n;
  const tauler_error error = c->game->chance->expand(c->rules, slice, index, n, &sink);
  return error ? error : chance_sink_flush(&sink);
}

static tauler_error reach_nodes(chain *c, game_place from) {
  uint32_t node;
  tauler_error error = arena_fill(&c->arrays, c->memory, what, list_node_arrays, c, c->message);
  if (!error) error = find_or_add_node(c, from, &node);
  for (uint32_t at = 0; !error && at < c->nodes_used;) error = expand_nodes(c, at, &at);
  return error;
}

static int compare_nodes(const void *left, const void *right) {
  const game_place *a = left, *b = right;
  if (a->slice != b->slice) return a->slice > b->slice ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_steps(const void *left, const void *right) {
  const step *a = left, *b = right;
  return a->from < b->from ? -1 : a->from > b->from;
}

static void sort_nodes(chain *c) {
  memcpy(c->before, c->nodes, c->nodes_used * sizeof *c->nodes);
  qsort(c->nodes, c->nodes_used, sizeof *c->nodes, compare_nodes);
  memset(c->met, 0, MOST_MET * sizeof *c->met);
  for (uint32_t node = 0; node < c->nodes_used; node++) *slot_of(c, c->nodes[node]) = node + 1;
  for (uint32_t i = 0; i < c->steps_used; i++) {
    step *s = &c->steps[i];
    s->from = *slot_of(c, c->before[s->from]) - 1;
    if (s->to != LEAVES) s->to = *slot_of(c, c->before[s->to]) - 1;
  }
  if (c->steps_used > 0) qsort(c->steps, c->steps_used, sizeof *c->steps, compare_steps);
}

/* Refuses nodes from which play cannot end. A node without steps has ended. */
static tauler_error check_ends(const chain *c) {
  uint8_t *ends = c->ends;
  memset(ends, 1, c->nodes_used);
  for (uint32_t i = 0; i < c->steps_used; i++) ends[c->steps[i].from] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = c->steps_used; i-- > 0;) {
      const step *s = &c->steps[i];
      if (ends[s->from] || (s->to != LEAVES && !ends[s->to])) continue;
      ends[s->from] = 1;
      changed = true;
    }
  }
  if (!memchr(ends, 0, c->nodes_used)) return TAULER_OK;
  return tauler_fail(c->message, TAULER_BAD_USAGE,
                     "exact values need play that is certain to end; here it may go on for ever");
}

static tauler_error find_scale(chain *c) {
  uint32_t last = GAME_NO_SLICE;
  for (uint32_t node = 0; node < c->nodes_used; node++) {
    const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
    if (c->nodes[node].slice == last) continue;
    last = c->nodes[node].slice;
    const size_t n = c->game->chance->gains(c->rules, last, &rows);
    for (size_t i = 0; i < n * (size_t)c->quantities.used; i++) {
      const size_t quantities = (size_t)c->quantities.used;
      const int64_t denominator = rows[i / quantities][i % quantities].denominator;
      if (denominator > 0)
        c->scale = (int64_t)chance_common_multiple((uint64_t)c->scale, (uint64_t)denominator);
      if (denominator <= 0 || c->scale > MOST_SCALE)
        return tauler_fail(c->message, TAULER_INTERNAL, "the gains of %s are of too many kinds",
                           c->game->name);
    }
  }
  return TAULER_OK;
}

static int64_t gain_of(const chain *c, const step *s, int quantity) {
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  c->game->chance->gains(c->rules, c->nodes[s->from].slice, &rows);
  const chance_gain gain = rows[s->gain][quantity];
  return gain.numerator * (c->scale / gain.denominator);
}

/* --- equations --- */

/* The quantities that one system is solved for. Those of seats have one right side and, in each node, an
 * unknown for each seat. The other quantities have a right side each, and one unknown in each node. */
typedef struct {
  int first, used; /* first quantity, and number of quantities */
  uint32_t places; /* number of unknowns of a node */
} family;

typedef struct {
  exact_system system;
  uint64_t entries; /* number of entries that there is space for */
} equations;

static void list_system_arrays(arena *a, void *of) {
  equations *e = of;
  exact_system *s = &e->system;
  s->first = arena_allocate(a, (uint64_t)s->unknowns + 1, sizeof *s->first);
  s->column = arena_allocate(a, e->entries, sizeof *s->column);
  s->weight = arena_allocate(a, e->entries, sizeof *s->weight);
  s->diagonal = arena_allocate(a, s->unknowns, sizeof *s->diagonal);
  for (uint32_t r = 0; r < s->rights; r++) s->right[r] = arena_allocate(a, s->unknowns, sizeof *s->right[r]);
}

/* Writes the row of one place of a node, whose steps are `first` … `end` − 1. */
static void write_row(const chain *c, const family *f, uint32_t node, uint32_t place, uint32_t first,
                      uint32_t end, exact_system *s) {
  const uint32_t row = node * f->places + place;
  uint32_t used = s->first[row];
  s->diagonal[row] = first < end ? c->all_weights : 1;
  for (uint32_t i = first; i < end; i++) {
    const step *t = &c->steps[i];
    for (uint32_t r = 0; r < s->rights; r++)
      s->right[r][row] += t->weight * gain_of(c, t, f->first + (int)(f->places > 1 ? place : r));
    if (t->to == LEAVES) continue;
    const uint32_t theirs = (place + f->places - t->turn % f->places) % f->places;
    const uint32_t column = t->to * f->places + theirs;
    if (column == row) {
      s->diagonal[row] -= t->weight;
    } else {
      s->column[used] = column;
      s->weight[used++] = t->weight;
    }
  }
  s->first[row + 1] = used;
}

static void write_system(const chain *c, const family *f, exact_system *s) {
  uint32_t at = 0;
  for (uint32_t node = 0; node < c->nodes_used; node++) {
    const uint32_t first = at;
    while (at < c->steps_used && c->steps[at].from == node) at++;
    for (uint32_t place = 0; place < f->places; place++) write_row(c, f, node, place, first, at, s);
  }
}

static tauler_error solve_family(chain *c, const family *f, uint32_t node, mpq_t *out) {
  if (f->used == 0) return TAULER_OK;
  equations e = {.system.unknowns = c->nodes_used * f->places,
                 .system.rights = f->places > 1 ? 1 : (uint32_t)f->used,
                 .entries = (uint64_t)c->steps_used * f->places};
  uint32_t wanted[CHANCE_MOST_QUANTITIES];
  arena arrays;
  tauler_error error = arena_fill(&arrays, c->memory, what, list_system_arrays, &e, c->message);
  for (uint32_t place = 0; place < f->places; place++) wanted[place] = node * f->places + place;
  if (!error) {
    write_system(c, f, &e.system);
    error = exact_system_solve(&e.system, c->memory, c->shown, wanted, f->places, out + f->first, c->message);
  }
  arena_close(&arrays);
  mpq_t scale;
  mpq_init(scale);
  mpq_set_si(scale, (long)c->scale, 1);
  for (int q = 0; q < f->used; q++) mpq_div(out[f->first + q], out[f->first + q], scale);
  mpq_clear(scale);
  return error;
}

static tauler_error solve_quantities(chain *c, game_place from, mpq_t *out) {
  const int seats = c->quantities.seats;
  const family turning = {0, seats, seats ? (uint32_t)seats : 1},
               still = {seats, c->quantities.used - seats, 1};
  const uint32_t node = *slot_of(c, from) - 1;
  const tauler_error error = solve_family(c, &turning, node, out);
  return error ? error : solve_family(c, &still, node, out);
}

tauler_error exact_chain_solve(const game *game, const game_rules *rules, game_place from,
                               memory_budget *memory, progress *shown, mpq_t *out, tauler_message *message) {
  chain c = {.game = game, .rules = rules, .memory = memory, .shown = shown, .scale = 1, .message = message};
  const size_t rolls = game->chance->rolls(rules, &c.rolls);
  for (size_t i = 0; i < rolls; i++) c.all_weights += c.rolls[i].weight;
  game->chance->quantities(rules, from.slice, &c.quantities);
  tauler_error error = reach_nodes(&c, from);
  if (!error) sort_nodes(&c);
  if (!error) error = check_ends(&c);
  if (!error) error = find_scale(&c);
  if (!error) error = solve_quantities(&c, from, out);
  arena_close(&c.arrays);
  memory_free(memory, c.steps);
  return error;
}
