/* Makes the game without choices that two policies play. */
#include "analysis/dice/matches.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct policy_game {
  game table;
  game_chance chance;
  const game *of;
  const game_rules *rules;
  const reached *among; /* positions with moves, or NULL for every stored one */
  simulate_policy raises, lowers;
  chance_quantity score;
  chance_roll rolls[CHANCE_MOST_ROLLS];
  size_t cuts; /* parts into which each roll is cut */
  size_t own_rolls;
  _Atomic size_t wanted; /* cuts that are needed, or 0 if `cuts` suffice */
  chance_gain gains[CHANCE_MOST_GAINS][CHANCE_MOST_QUANTITIES];
  size_t own_gains, most_turns;
};

static const policy_game *players_of(const game_rules *rules) {
  return (const policy_game *)(const void *)rules;
}

/* --- slices, rolls and quantities --- */

static uint64_t positions(const game_rules *rules, uint32_t slice) {
  const policy_game *p = players_of(rules);
  return p->of->positions(p->rules, slice);
}

static uint64_t stages(const game_rules *rules, uint32_t slice) {
  const policy_game *p = players_of(rules);
  return p->of->chance->stages(p->rules, slice);
}

static uint64_t stage_first(const game_rules *rules, uint32_t slice, uint64_t stage) {
  const policy_game *p = players_of(rules);
  return p->of->chance->stage_first(p->rules, slice, stage);
}

static size_t list_rolls(const game_rules *rules, const chance_roll **out) {
  const policy_game *p = players_of(rules);
  *out = p->rolls;
  return p->own_rolls * p->cuts;
}

static void list_quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  (void)slice;
  *out = (chance_quantities){.used = POLICY_QUANTITIES};
  out->list[POLICY_SCORE] = players_of(rules)->score;
  out->list[POLICY_TURNS] = (chance_quantity){"turns", INFINITY};
}

static size_t list_gains(const game_rules *rules, uint32_t slice,
                         const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  const policy_game *p = players_of(rules);
  (void)slice;
  *rows = p->gains;
  return p->own_gains * (p->most_turns + 1);
}

static void list_aims(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n, int8_t *aim) {
  (void)rules;
  (void)slice;
  (void)index;
  memset(aim, 0, n);
}

/* --- edges --- */

typedef struct {
  size_t gain, turns; /* row of the game's gains, and number of turns */
  game_place to;
} outcome;

static bool ends_turn(const policy_game *p, const game_position *position, const game_move *move) {
  return move->over || strcmp(p->of->turn(p->rules, position), p->of->turn(p->rules, &move->child)) != 0;
}

static tauler_error add_to_outcome(int gain, bool ends, outcome *out) {
  if (gain && out->gain) return TAULER_INTERNAL; /* two gains on one edge have no row */
  if (gain) out->gain = (size_t)gain;
  out->turns += ends;
  return TAULER_OK;
}

/* Follows a move and the passes after it to a position with an index or the end of the game. */
static tauler_error follow_turn(const policy_game *p, const game_position *position, const game_move *first,
                                outcome *out) {
  *out = (outcome){.to = {GAME_OVER, 0}};
  tauler_error error = add_to_outcome(first->gain, ends_turn(p, position, first), out);
  bool over = first->over;
  game_position at = first->child;
  while (!error && !over && !p->of->locate(p->rules, &at, &out->to)) {
    int value, gain;
    out->to = (game_place){GAME_OVER, 0};
    if (p->of->position_ended(p->rules, &at, &value)) return TAULER_OK;
    if (out->turns > p->most_turns) return TAULER_INTERNAL;
    error = simulate_pass(p->of, p->rules, &at, &gain, &over);
    if (!error) error = add_to_outcome(gain, true, out);
  }
  return error;
}

static tauler_error push_edge(const policy_game *p, const game_position *position, const game_move *move,
                              chance_edge edge, chance_sink *sink) {
  outcome of;
  const tauler_error error = follow_turn(p, position, move, &of);
  if (error) return error;
  if (of.turns > p->most_turns || of.gain >= p->own_gains) return TAULER_INTERNAL;
  edge.gain = (uint8_t)(of.turns * p->own_gains + of.gain);
  edge.to = of.to;
  return chance_sink_push(sink, edge);
}

/* Notes the cuts that are needed, since the number of moves does not divide the present ones. Returns
 * TAULER_BAD_USAGE. */
static tauler_error request_cuts(const policy_game *p, size_t moves) {
  policy_game *own = (policy_game *)(uintptr_t)p; /* Any thread may write `wanted`, which is atomic. */
  own->wanted = chance_common_multiple(p->cuts, moves);
  return TAULER_BAD_USAGE;
}

static int pick_by_policy(const policy_game *p, const game_position *position, size_t roll,
                          const game_moves *moves) {
  if (moves->used < 2) return 0;
  const int aim = p->of->chance->aim(p->rules, position);
  const simulate_policy *policy = aim > 0 ? &p->raises : &p->lowers;
  return aim && policy->pick ? policy->pick(policy->user, p->rules, position, roll, moves) : -1;
}

static tauler_error push_moves(const policy_game *p, const game_position *position, size_t roll,
                               const game_moves *moves, uint32_t from, chance_sink *sink) {
  const int picked = pick_by_policy(p, position, roll, moves);
  const bool any = picked < 0;
  tauler_error error = TAULER_OK;
  if (moves->used == 0 || (!any && (size_t)picked >= moves->used)) return TAULER_INTERNAL;
  if (any && p->cuts % moves->used) return request_cuts(p, moves->used);
  for (size_t cut = 0; cut < p->cuts && !error; cut++) {
    const size_t i = any ? cut * moves->used / p->cuts : (size_t)picked;
    const chance_edge edge = {.from = from, .roll = (uint16_t)(roll * p->cuts + cut)};
    error = push_edge(p, position, &moves->moves[i], edge, sink);
  }
  return error;
}

static tauler_error expand_roll(const policy_game *p, const game_position *position, size_t roll,
                                uint32_t from, chance_sink *sink) {
  game_moves moves = {0};
  tauler_error error = p->of->chance->moves(p->rules, position, roll, &moves);
  if (!error && roll == CHANCE_CERTAIN)
    error = moves.used != 1 ? TAULER_INTERNAL
                            : push_edge(p, position, &moves.moves[0],
                                        (chance_edge){.from = from, .roll = CHANCE_CERTAIN}, sink);
  else if (!error)
    error = push_moves(p, position, roll, &moves, from, sink);
  game_moves_free(&moves);
  return error;
}

static tauler_error expand_position(const policy_game *p, game_place place, uint32_t from,
                                    chance_sink *sink) {
  game_position position;
  uint8_t copies = 1;
  int value;
  if (p->among && !reached_has(p->among, place)) return TAULER_OK;
  if (p->of->copies) p->of->copies(p->rules, place.slice, place.index, 1, &copies);
  if (copies == 0) return TAULER_OK;
  p->of->position_at(p->rules, place, &position);
  if (p->of->position_ended(p->rules, &position, &value)) return TAULER_OK;
  if (p->of->chance->must_pass(p->rules, &position))
    return expand_roll(p, &position, CHANCE_CERTAIN, from, sink);
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < p->own_rolls && !error; roll++)
    error = expand_roll(p, &position, roll, from, sink);
  return error;
}

static tauler_error expand_positions(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                     chance_sink *sink) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++)
    error = expand_position(players_of(rules), (game_place){slice, index[i]}, (uint32_t)i, sink);
  return error ? error : chance_sink_flush(sink);
}

/* --- opening --- */

static void cut_rolls(policy_game *p, size_t cuts) {
  const chance_roll *own;
  p->own_rolls = p->of->chance->rolls(p->rules, &own);
  p->cuts = cuts;
  for (size_t roll = 0; roll < p->own_rolls * cuts; roll++) p->rolls[roll] = own[roll / cuts];
}

bool policy_game_cut(policy_game *p) {
  const size_t cuts = p->wanted;
  p->wanted = 0;
  if (cuts <= p->cuts || p->own_rolls * cuts > CHANCE_MOST_ROLLS) return false;
  cut_rolls(p, cuts);
  return true;
}

/* Fills the rows of gains: row t · own_gains + g has t turns and the game's row g. */
static void make_gains(policy_game *p, uint32_t slice) {
  const chance_gain(*own)[CHANCE_MOST_QUANTITIES];
  p->own_gains = p->of->chance->gains(p->rules, slice, &own);
  p->most_turns = CHANCE_MOST_GAINS / p->own_gains - 1;
  for (size_t row = 0; row < p->own_gains * (p->most_turns + 1); row++) {
    p->gains[row][POLICY_SCORE] = own[row % p->own_gains][0];
    p->gains[row][POLICY_TURNS] = (chance_gain){(int32_t)(row / p->own_gains), 1};
  }
}

tauler_error policy_game_open(const game *of, const game_rules *rules, uint32_t slice, const reached *among,
                              const simulate_policy *raises, const simulate_policy *lowers, policy_game **out,
                              tauler_message *message) {
  chance_quantities quantities = {0};
  const game_chance *chance = of->chance;
  *out = NULL;
  if (chance) chance->quantities(rules, slice, &quantities);
  if (quantities.used != 1 || !quantities.chosen)
    return tauler_fail(message, TAULER_BAD_USAGE, "nobody chooses in %s, so there are no policies", of->name);
  policy_game *p = calloc(1, sizeof *p);
  if (!p) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a game of two policies");
  p->of = of;
  p->rules = rules;
  p->among = among;
  p->raises = *raises;
  p->lowers = *lowers;
  p->score = quantities.list[0];
  p->chance = (game_chance){.rolls = list_rolls,
                            .quantities = list_quantities,
                            .gains = list_gains,
                            .aims = list_aims,
                            .expand = expand_positions,
                            .stages = chance->stages ? stages : NULL,
                            .stage_first = chance->stage_first ? stage_first : NULL};
  p->table = (game){.name = of->name, .unit = of->unit, .positions = positions, .chance = &p->chance};
  cut_rolls(p, 1);
  make_gains(p, slice);
  *out = p;
  return TAULER_OK;
}

void policy_game_close(policy_game *players) {
  free(players);
}

const game *policy_game_table(const policy_game *players) {
  return &players->table;
}

const game_rules *policy_game_rules(const policy_game *players) {
  return (const game_rules *)(const void *)players;
}
