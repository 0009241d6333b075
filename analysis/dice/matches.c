/* Computes the score and the length of matches between two policies. */
#include "analysis/dice/matches.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/chance_worth.h"
#include "solver/engines/chance/chance.h"

/* --- policies --- */

static int pick_simple(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                       const game_moves *moves) {
  const match_simple *simple = user;
  return simple->policies->pick(rules, simple->number, position, roll, moves);
}

simulate_policy match_policy(const match_simple *simple) {
  return (simulate_policy){pick_simple, simple};
}

static int first_best_move(const chance_move *ranked, size_t n) {
  size_t first = n;
  for (size_t i = 0; i < n; i++)
    if (ranked[i].best && ranked[i].ranked.order < first) first = ranked[i].ranked.order;
  return (int)first;
}

/* Means over several tables have rounding errors, so moves within this distance count as equal. */
static const double near_enough = 1e-7;

static int first_best_mean(const double *worth, size_t n) {
  double most = worth[0];
  size_t first = 0;
  for (size_t i = 1; i < n; i++) most = fmax(most, worth[i]);
  while (worth[first] < most - near_enough) first++;
  return (int)first;
}

static tauler_error pick_by_mean(match_best *best, const game_position *position, const game_moves *moves,
                                 chance_move *ranked, int *picked, tauler_message *message) {
  double *worth = calloc(moves->used, sizeof *worth);
  tauler_error error = worth ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for moves");
  for (size_t t = 0; t < best->used && !error; t++) {
    error = chance_rank_moves(best->tables[t], position, moves, ranked, message);
    for (size_t i = 0; i < moves->used && !error; i++) {
      const ranked_move *move = &ranked[i].ranked;
      worth[move->order] += (move->worth.lower + move->worth.upper) / 2 / (double)best->used;
    }
  }
  if (!error) *picked = first_best_mean(worth, moves->used);
  free(worth);
  return error;
}

static tauler_error pick_by_tables(match_best *best, const game_position *position, const game_moves *moves,
                                   int *picked, tauler_message *message) {
  chance_move *ranked = malloc(moves->used * sizeof *ranked);
  if (!ranked) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for moves");
  tauler_error error;
  if (best->used > 1) {
    error = pick_by_mean(best, position, moves, ranked, picked, message);
  } else {
    error = chance_rank_moves(best->tables[0], position, moves, ranked, message);
    if (!error) *picked = first_best_move(ranked, moves->used);
  }
  free(ranked);
  return error;
}

static int pick_best(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                     const game_moves *moves) {
  match_best *best = (match_best *)(uintptr_t)user; /* A policy is const, but an error must be noted. */
  (void)rules;
  (void)roll;
  tauler_message message = {""};
  int picked = (int)moves->used;
  const tauler_error error = pick_by_tables(best, position, moves, &picked, &message);
  if (error && !atomic_flag_test_and_set(&best->failed)) {
    best->message = message;
    best->error = (int)error;
  }
  return error ? (int)moves->used : picked;
}

void match_best_open(match_best *best, tauler_tables *tables) {
  *best = (match_best){.tables = {tables}, .used = 1, .failed = ATOMIC_FLAG_INIT};
}

void match_best_add(match_best *best, tauler_tables *tables) {
  best->tables[best->used++] = tables;
}

simulate_policy match_policy_best(match_best *best) {
  return (simulate_policy){pick_best, best};
}

/* --- the game without choices that two policies play ---
 *
 * It has the slices, the index and the stages of the original game. Its quantities are the original one and
 * the turns still to come; a turn is a chain of rolls of one seat, or a pass. If a policy takes any move with
 * even odds, each roll is cut into equal parts, whose number is a multiple of every number of moves. Stored
 * positions outside job->reached have no moves.
 */

typedef struct {
  const match_job *job;
  const game *game; /* the original game, as in `job` */
  const game_rules *rules;
  game table; /* the game of both policies, whose rules are the match */
  game_chance chance;
  chance_quantity score;
  chance_roll rolls[CHANCE_MOST_ROLLS];
  size_t cuts; /* parts into which each roll is cut */
  size_t own_rolls;
  _Atomic size_t wanted; /* cuts that are needed, or 0 if `cuts` suffice */
  chance_gain gains[CHANCE_MOST_GAINS][CHANCE_MOST_QUANTITIES];
  size_t own_gains, most_turns;
  solve_job of;
  chance_slices finished;
  uint64_t endless;
} match;

static const match *match_of(const game_rules *rules) {
  return (const match *)(const void *)rules;
}

static uint64_t positions(const game_rules *rules, uint32_t slice) {
  const match *m = match_of(rules);
  return m->game->positions(m->rules, slice);
}

static uint64_t stages(const game_rules *rules, uint32_t slice) {
  const match *m = match_of(rules);
  return m->game->chance->stages(m->rules, slice);
}

static uint64_t stage_first(const game_rules *rules, uint32_t slice, uint64_t stage) {
  const match *m = match_of(rules);
  return m->game->chance->stage_first(m->rules, slice, stage);
}

static size_t list_rolls(const game_rules *rules, const chance_roll **out) {
  const match *m = match_of(rules);
  *out = m->rolls;
  return m->own_rolls * m->cuts;
}

static void list_quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  (void)slice;
  *out = (chance_quantities){.used = POLICY_QUANTITIES};
  out->list[POLICY_SCORE] = match_of(rules)->score;
  out->list[POLICY_TURNS] = (chance_quantity){"turns", INFINITY};
}

static size_t list_gains(const game_rules *rules, uint32_t slice,
                         const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  const match *m = match_of(rules);
  (void)slice;
  *rows = m->gains;
  return m->own_gains * (m->most_turns + 1);
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

static bool ends_turn(const match *m, const game_position *position, const game_move *move) {
  return move->over || strcmp(m->game->turn(m->rules, position), m->game->turn(m->rules, &move->child)) != 0;
}

static tauler_error add_to_outcome(int gain, bool ends, outcome *out) {
  if (gain && out->gain) return TAULER_INTERNAL; /* two gains on one edge have no row */
  if (gain) out->gain = (size_t)gain;
  out->turns += ends;
  return TAULER_OK;
}

/* Follows a move and the passes after it to a position with an index or the end of the game. */
static tauler_error follow_turn(const match *m, const game_position *position, const game_move *first,
                                outcome *out) {
  *out = (outcome){.to = {GAME_OVER, 0}};
  tauler_error error = add_to_outcome(first->gain, ends_turn(m, position, first), out);
  bool over = first->over;
  game_position at = first->child;
  while (!error && !over && !m->game->locate(m->rules, &at, &out->to)) {
    int value, gain;
    out->to = (game_place){GAME_OVER, 0};
    if (m->game->position_ended(m->rules, &at, &value)) return TAULER_OK;
    if (out->turns > m->most_turns) return TAULER_INTERNAL;
    error = simulate_pass(m->game, m->rules, &at, &gain, &over);
    if (!error) error = add_to_outcome(gain, true, out);
  }
  return error;
}

static tauler_error push_edge(const match *m, const game_position *position, const game_move *move,
                              chance_edge edge, chance_sink *sink) {
  outcome of;
  const tauler_error error = follow_turn(m, position, move, &of);
  if (error) return error;
  if (of.turns > m->most_turns || of.gain >= m->own_gains) return TAULER_INTERNAL;
  edge.gain = (uint8_t)(of.turns * m->own_gains + of.gain);
  edge.to = of.to;
  return chance_sink_push(sink, edge);
}

/* Notes the cuts that are needed, since the number of moves does not divide the present ones. Returns
 * TAULER_BAD_USAGE. */
static tauler_error request_cuts(const match *m, size_t moves) {
  match *own = (match *)(uintptr_t)m; /* Any thread may write `wanted`, which is atomic. */
  own->wanted = chance_common_multiple(m->cuts, moves);
  return TAULER_BAD_USAGE;
}

static int pick_by_policy(const match *m, const game_position *position, size_t roll,
                          const game_moves *moves) {
  if (moves->used < 2) return 0;
  const int aim = m->game->chance->aim(m->rules, position);
  const simulate_policy *policy = aim > 0 ? &m->job->raises : &m->job->lowers;
  return aim && policy->pick ? policy->pick(policy->user, m->rules, position, roll, moves) : -1;
}

static tauler_error push_moves(const match *m, const game_position *position, size_t roll,
                               const game_moves *moves, uint32_t from, chance_sink *sink) {
  const int picked = pick_by_policy(m, position, roll, moves);
  if (picked < -1) return (tauler_error)(-1 - picked);
  const bool any = picked < 0;
  tauler_error error = TAULER_OK;
  if (moves->used == 0 || (!any && (size_t)picked >= moves->used)) return TAULER_INTERNAL;
  if (any && m->cuts % moves->used) return request_cuts(m, moves->used);
  for (size_t cut = 0; cut < m->cuts && !error; cut++) {
    const size_t i = any ? cut * moves->used / m->cuts : (size_t)picked;
    const chance_edge edge = {.from = from, .roll = (uint16_t)(roll * m->cuts + cut)};
    error = push_edge(m, position, &moves->moves[i], edge, sink);
  }
  return error;
}

static tauler_error expand_roll(const match *m, const game_position *position, size_t roll, uint32_t from,
                                chance_sink *sink) {
  game_moves moves = {0};
  tauler_error error = m->game->chance->moves(m->rules, position, roll, &moves);
  if (!error && roll == CHANCE_CERTAIN)
    error = moves.used != 1 ? TAULER_INTERNAL
                            : push_edge(m, position, &moves.moves[0],
                                        (chance_edge){.from = from, .roll = CHANCE_CERTAIN}, sink);
  else if (!error)
    error = push_moves(m, position, roll, &moves, from, sink);
  game_moves_free(&moves);
  return error;
}

static tauler_error expand_position(const match *m, game_place place, uint32_t from, chance_sink *sink) {
  game_position position;
  uint8_t copies = 1;
  int value;
  if (m->job->reached && !reached_has(m->job->reached, place)) return TAULER_OK;
  if (m->game->copies) m->game->copies(m->rules, place.slice, place.index, 1, &copies);
  if (copies == 0) return TAULER_OK;
  m->game->position_at(m->rules, place, &position);
  if (m->game->position_ended(m->rules, &position, &value)) return TAULER_OK;
  if (m->game->chance->must_pass(m->rules, &position))
    return expand_roll(m, &position, CHANCE_CERTAIN, from, sink);
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < m->own_rolls && !error; roll++)
    error = expand_roll(m, &position, roll, from, sink);
  return error;
}

static tauler_error expand_positions(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                     chance_sink *sink) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++)
    error = expand_position(match_of(rules), (game_place){slice, index[i]}, (uint32_t)i, sink);
  return error ? error : chance_sink_flush(sink);
}

/* --- opening --- */

static void cut_rolls(match *m, size_t cuts) {
  const chance_roll *own;
  m->own_rolls = m->game->chance->rolls(m->rules, &own);
  m->cuts = cuts;
  for (size_t roll = 0; roll < m->own_rolls * cuts; roll++) m->rolls[roll] = own[roll / cuts];
}

/* Cuts rolls further if a slice that failed needs this. Returns false if no cuts are needed or rolls would be
 * too many. Finished slices stay valid. */
static bool cut_further(match *m) {
  const size_t cuts = m->wanted;
  m->wanted = 0;
  if (cuts <= m->cuts || m->own_rolls * cuts > CHANCE_MOST_ROLLS) return false;
  cut_rolls(m, cuts);
  return true;
}

/* Fills the rows of gains: row t · own_gains + g has t turns and the game's row g. */
static void make_gains(match *m, uint32_t slice) {
  const chance_gain(*own)[CHANCE_MOST_QUANTITIES];
  m->own_gains = m->game->chance->gains(m->rules, slice, &own);
  m->most_turns = CHANCE_MOST_GAINS / m->own_gains - 1;
  for (size_t row = 0; row < m->own_gains * (m->most_turns + 1); row++) {
    m->gains[row][POLICY_SCORE] = own[row % m->own_gains][0];
    m->gains[row][POLICY_TURNS] = (chance_gain){(int32_t)(row / m->own_gains), 1};
  }
}

static tauler_error open_game(match *m, uint32_t slice, tauler_message *message) {
  chance_quantities quantities = {0};
  const game *of = m->game;
  const game_chance *chance = of->chance;
  if (chance) chance->quantities(m->rules, slice, &quantities);
  if (quantities.used != 1 || !quantities.chosen)
    return tauler_fail(message, TAULER_BAD_USAGE, "nobody chooses in %s, so there are no policies", of->name);
  m->score = quantities.list[0];
  m->chance = (game_chance){.rolls = list_rolls,
                            .quantities = list_quantities,
                            .gains = list_gains,
                            .aims = list_aims,
                            .expand = expand_positions,
                            .stages = chance->stages ? stages : NULL,
                            .stage_first = chance->stage_first ? stage_first : NULL};
  m->table = (game){.name = of->name, .unit = of->unit, .positions = positions, .chance = &m->chance};
  cut_rolls(m, 1);
  make_gains(m, slice);
  return TAULER_OK;
}

/* --- solution --- */

static uint64_t slice_positions(const match_job *job, const game_slice *slice) {
  return job->game->positions(job->rules, slice->slice);
}

static tauler_error open_match(const match_job *job, match *m, tauler_message *message) {
  *m = (match){.job = job, .game = job->game, .rules = job->rules};
  const tauler_error error = open_game(m, job->slices->slices[job->slices->used - 1].slice, message);
  if (error) return error;
  m->of = (solve_job){.problem.game = &m->table,
                      .problem.rules = (const game_rules *)(const void *)m,
                      .work.threads = job->threads,
                      .work.memory = job->memory,
                      .work.shown = job->shown};
  m->finished.room = game_slices_largest(job->slices) + 1;
  return memory_allocate_array(job->memory, m->finished.room, sizeof *m->finished.list,
                               "the slices of a match", &m->finished.list, message);
}

static void close_match(match *m) {
  for (uint32_t slice = 0; m->finished.list && slice < m->finished.room; slice++)
    chance_slice_free(m->job->memory, &m->finished.list[slice]);
  memory_free(m->job->memory, m->finished.list);
}

/* Returns the most bytes of a match at a time. All slices stay in memory until the match is solved. */
static uint64_t solution_bytes(const match *m) {
  const uint64_t cells = 2 * (uint64_t)POLICY_QUANTITIES * sizeof(double);
  uint64_t most = 0, finished = 0;
  for (size_t i = 0; i < m->job->slices->used; i++) {
    const game_slice *slice = &m->job->slices->slices[i];
    const uint64_t bytes = finished + chance_solve_bytes(&m->of, slice->slice);
    if (bytes > most) most = bytes;
    finished += slice_positions(m->job, slice) * cells;
  }
  return most;
}

static tauler_error solve_slice(match *m, uint32_t slice, tauler_message *message) {
  const chance_job job = {.job = &m->of, .finished = &m->finished, .width = m->job->width};
  tauler_error error;
  do error = chance_solve(&job, slice, &m->finished.list[slice], NULL, message);
  while (error == TAULER_BAD_USAGE && cut_further(m));
  m->endless += m->finished.list[slice].endless;
  if (error != TAULER_BAD_USAGE) return error;
  return tauler_fail(
      message, error,
      "the numbers of moves in %s are too many to give each move the same odds; choose other policies",
      m->job->game->name);
}

static tauler_error read_start(const match *m, match_result *out) {
  const match_job *job = m->job;
  game_position start;
  game_place place;
  size_t last = job->slices->used - 1;
  while (last > 0 && !job->slices->slices[last].asked) last--;
  job->game->chance->start(job->rules, job->slices->slices[last].slice, &start);
  if (!job->game->locate(job->rules, &start, &place)) return TAULER_INTERNAL;
  const chance_slice *found = &m->finished.list[place.slice];
  for (int q = 0; q < POLICY_QUANTITIES; q++) {
    out->lower[q] = found->lower[q][place.index];
    out->upper[q] = found->upper[q][place.index];
  }
  out->endless = m->endless;
  return TAULER_OK;
}

tauler_error match_solve(const match_job *job, match_result *out, tauler_message *message) {
  match m;
  *out = (match_result){.positions = 0};
  if (job->slices->used == 0) return tauler_fail(message, TAULER_BAD_USAGE, "there is no slice to play in");
  tauler_error error = open_match(job, &m, message);
  if (!error) error = memory_plan(job->memory, solution_bytes(&m), "a match", message);
  for (size_t i = 0; i < job->slices->used && !error; i++) {
    const game_slice *slice = &job->slices->slices[i];
    error = solve_slice(&m, slice->slice, message);
    out->positions += job->reached ? reached_count(job->reached, slice->slice) : slice_positions(job, slice);
  }
  if (!error) error = read_start(&m, out);
  close_match(&m);
  return error;
}
