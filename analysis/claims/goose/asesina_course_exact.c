/* Computes the means over games of la oca asesina exactly, through all positions.
 *
 * The expected visits of positions are propagated forward from the start, slice by slice. Sums over visits
 * and edges are exact, up to rounding and VISITS_LEFT.
 */
#include <math.h>
#include <string.h>

#include "analysis/claims/goose/asesina_course.h"
#include "analysis/probe/chance_worth.h"
#include "games/oca_asesina/turn.h"

#define OVER UINT32_MAX

/* The largest sum of visits that may stay in a slice without being propagated. */
#define VISITS_LEFT 1e-13

/* Waiting visits of a position are propagated only if they are more than this. So in a slice of 5·10^7
 * positions at most half of VISITS_LEFT stays for this reason. In a larger slice the limit is lower. */
static const double least_visits = 1e-21;
static const double odds = 1.0 / ASE_DIE;

typedef struct {
  uint32_t to;   /* number of the position after all passes, or OVER */
  uint32_t note; /* number of the move (course_encode_move) */
} edge;

typedef struct {
  const claim_tables *t;
  const asesina_table *at;
  asesina_course *out;
  simulate_policy policy;
  uint32_t start;
  double *times;          /* [positions] expected visits */
  edge (*edges)[ASE_DIE]; /* [positions] edges of visited positions */
  double *waiting;        /* [positions] visits that are not yet propagated */
  bool *expanded;         /* [positions] true if the edges are known */
  double *turns;          /* [positions] expected turns that begin in the position */
  double *now;            /* [positions] expected turns before the present roll */
  double *next;           /* [positions] expected turns before the next roll */
} flows;

static game_position position_at(const flows *s, uint32_t number) {
  return claim_position_at(s->t, asesina_place(s->at, number));
}

static tauler_error find_number(const flows *s, game_place place, uint32_t *out) {
  const uint64_t number = asesina_number(s->at, place);
  *out = (uint32_t)number;
  return number == ASESINA_NOWHERE ? TAULER_INTERNAL : TAULER_OK;
}

/* --- visits --- */

/* Follows passes to a position with an index or the end of the game; *out becomes its number or OVER. */
static tauler_error follow_passes(const flows *s, const game_move *made, uint32_t *out) {
  const game *game = s->t->game;
  game_position at = made->child;
  bool over = made->over;
  game_place place;
  tauler_error error = TAULER_OK;
  int value, gain;
  *out = OVER;
  while (!error && !over && !game->position_ended(s->t->rules, &at, &value)) {
    if (game->locate(s->t->rules, &at, &place)) return find_number(s, place, out);
    error = simulate_pass(game, s->t->rules, &at, &gain, &over);
  }
  return error;
}

static tauler_error expand_roll(const flows *s, const game_position *position, size_t roll, edge *out) {
  const game_rules *rules = s->t->rules;
  game_moves moves = {0};
  tauler_error error = s->t->game->chance->moves(rules, position, roll, &moves);
  int picked = 0;
  if (!error && moves.used > 1) picked = s->policy.pick(s->policy.user, rules, position, roll, &moves);
  if (!error && (size_t)picked >= moves.used) error = TAULER_INTERNAL;
  if (!error) {
    out->note = course_encode_move(rules, position, roll, (size_t)picked);
    error = follow_passes(s, &moves.moves[picked], &out->to);
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error expand_position(flows *s, uint32_t number) {
  const game_position position = position_at(s, number);
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < ASE_DIE && !error; roll++)
    error = expand_roll(s, &position, roll, &s->edges[number][roll]);
  s->expanded[number] = true;
  return error;
}

static tauler_error propagate_position(flows *s, uint32_t number) {
  const double now = s->waiting[number];
  const tauler_error error = s->expanded[number] ? TAULER_OK : expand_position(s, number);
  if (error) return error;
  s->waiting[number] = 0;
  s->times[number] += now;
  const edge *edges = s->edges[number];
  for (size_t roll = 0; roll < ASE_DIE; roll++)
    if (edges[roll].to != OVER) s->waiting[edges[roll].to] += now * odds;
  return TAULER_OK;
}

static tauler_error propagate_slice(flows *s, size_t slice) {
  const uint32_t first = (uint32_t)s->at->first[slice], end = (uint32_t)s->at->first[slice + 1];
  const double least = fmin(least_visits, VISITS_LEFT / 2 / (end - first));
  double left = 1;
  tauler_error error = TAULER_OK;
  while (left > VISITS_LEFT && !error) {
    left = 0;
    for (uint32_t number = first; number < end && !error; number++)
      if (s->waiting[number] > least) error = propagate_position(s, number);
    for (uint32_t number = first; number < end; number++) left += s->waiting[number];
  }
  return error;
}

static tauler_error propagate_visits(flows *s) {
  const game_position start = asesina_start_position(s->at);
  game_place place;
  if (!s->t->game->locate(s->t->rules, &start, &place)) return TAULER_INTERNAL;
  tauler_error error = find_number(s, place, &s->start);
  if (!error) s->waiting[s->start] = 1;
  for (size_t slice = s->at->slices.used; slice-- > 0 && !error;) error = propagate_slice(s, slice);
  return error;
}

/* --- figures --- */

static course_standing standing_at(const flows *s, uint32_t number) {
  return course_find_standing(s->t->rules, asesina_place(s->at, number).slice, s->out->tokens);
}

/* Counts games whose tokens home have just changed; their score from there on is that of the tables. */
static tauler_error count_arrival(flows *s, uint32_t number, double flow) {
  const course_standing to = standing_at(s, number);
  const game_position position = position_at(s, number);
  chance_values values;
  if (to.pair < 0) return TAULER_OK;
  const tauler_error error = chance_values_of(s->t->tables, &position, &values, &s->t->kept->message);
  const double first = (values.lower[0] + values.upper[0]) / 2;
  s->out->of[COURSE_REACHED + to.pair].top += flow;
  if (to.leader >= 0)
    course_add(&s->out->of[COURSE_BEHIND + to.pair], flow * (to.leader ? first : 1 - first), flow);
  if (to.one_each) course_add(&s->out->of[COURSE_EVEN], flow * fmin(first, 1 - first), flow);
  return error;
}

static tauler_error survey_edges(flows *s, uint32_t from) {
  const course_standing at = standing_at(s, from);
  const int phase = at.home[0] + at.home[1];
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < ASE_DIE && !error; roll++) {
    const edge *e = &s->edges[from][roll];
    const double flow = s->times[from] * odds;
    if (at.pair >= 0) course_add(&s->out->of[COURSE_CAPTURES + phase], flow * (e->note & COURSE_TAKEN), flow);
    if (e->to == OVER) {
      s->out->of[COURSE_LEFT + (e->note >> COURSE_LEFT_SHIFT)].top += flow;
      continue;
    }
    if (e->note & COURSE_ENDS_TURN) s->turns[e->to] += flow;
    if (asesina_place(s->at, from).slice != asesina_place(s->at, e->to).slice)
      error = count_arrival(s, e->to, flow);
  }
  return error;
}

static tauler_error survey_positions(flows *s) {
  tauler_error error = count_arrival(s, s->start, 1);
  s->turns[s->start] = 1;
  for (uint32_t number = 0; number < asesina_positions(s->at) && !error; number++) {
    double lower = 0;
    if (s->times[number] <= 0) continue;
    const game_position position = position_at(s, number);
    error = course_lower_score(s->t->tables, &position, &lower, &s->t->kept->message);
    course_add(&s->out->of[COURSE_OPEN], 2 * lower * s->times[number], s->times[number]);
    if (!error) error = survey_edges(s, number);
  }
  for (int pair = 0; pair < COURSE_PAIRS; pair++) s->out->of[COURSE_REACHED + pair].bottom = 1;
  for (int left = 0; left <= COURSE_TOKENS; left++) s->out->of[COURSE_LEFT + left].bottom = 1;
  return error;
}

/* Follows one roll of the turns in s->now. Returns the expected number of turns that continue after it. */
static double follow_roll(flows *s, uint32_t positions) {
  double sum = 0;
  memset(s->next, 0, positions * sizeof *s->next);
  for (uint32_t number = 0; number < positions; number++) {
    if (s->now[number] <= 0) continue;
    for (size_t roll = 0; roll < ASE_DIE; roll++) {
      const edge *e = &s->edges[number][roll];
      if (e->to == OVER || e->note & COURSE_ENDS_TURN) continue;
      s->next[e->to] += s->now[number] * odds;
      sum += s->now[number] * odds;
    }
  }
  double *const swap = s->now;
  s->now = s->next;
  s->next = swap;
  return sum;
}

static void survey_turns(flows *s, int home) {
  const uint32_t positions = (uint32_t)asesina_positions(s->at);
  double turns = 0, going = 0;
  for (uint32_t number = 0; number < positions; number++) {
    s->now[number] = 0;
    if (s->turns[number] <= 0) continue;
    const game_position position = position_at(s, number);
    if (standing_at(s, number).home[ase_from_game(&position).seat] != home) continue;
    s->now[number] = s->turns[number];
    turns += s->now[number];
  }
  course_add(&s->out->of[COURSE_ROLLS + home], turns, turns);
  for (int rolls = 2; rolls == 2 || going > VISITS_LEFT; rolls++) {
    going = follow_roll(s, positions);
    s->out->of[COURSE_ROLLS + home].top += going;
    if (rolls <= COURSE_LONGEST) course_add(&s->out->of[course_long(home, rolls)], going, turns);
  }
}

/* --- arrays --- */

static void allocate_array(flows *s, void *slot, size_t item_bytes, const char *what) {
  claim_error *kept = s->t->kept;
  CLAIM_CATCH(kept, memory_allocate_array(s->t->job->memory, asesina_positions(s->at), item_bytes, what, slot,
                                          &kept->message));
}

static void survey_visits(flows *s) {
  static const char what[] = "visits of positions";
  claim_error *kept = s->t->kept;
  memory_budget *memory = s->t->job->memory;
  if (asesina_positions(s->at) >= OVER)
    claim_fail(kept, TAULER_BAD_USAGE, "too many positions to count visits of");
  allocate_array(s, &s->times, sizeof *s->times, what);
  allocate_array(s, &s->edges, sizeof *s->edges, what);
  allocate_array(s, &s->waiting, sizeof *s->waiting, what);
  allocate_array(s, &s->expanded, sizeof *s->expanded, what);
  const tauler_error error = kept->error ? TAULER_OK : propagate_visits(s);
  if (error) claim_fail(kept, error, "%s cannot be played on by these policies", s->t->game->name);
  memory_free(memory, s->expanded);
  memory_free(memory, s->waiting);
  allocate_array(s, &s->turns, sizeof *s->turns, "turns");
  allocate_array(s, &s->now, sizeof *s->now, "turns");
  allocate_array(s, &s->next, sizeof *s->next, "turns");
  CLAIM_CATCH(kept, survey_positions(s));
  for (int home = 0; home < s->out->tokens && !kept->error; home++) survey_turns(s, home);
  double *const arrays[] = {s->times, s->turns, s->now, s->next};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) memory_free(memory, arrays[i]);
  memory_free(memory, s->edges);
}

void asesina_course_exact(const asesina_table *at, int tokens, asesina_course *out) {
  match_best best;
  match_best_open(&best, at->t->tables);
  flows s = {.t = at->t, .at = at, .out = out, .policy = match_policy_best(&best)};
  *out = (asesina_course){.tokens = tokens};
  survey_visits(&s);
}
