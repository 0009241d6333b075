/* Computes the means over games of la oca asesina exactly, through all positions. */
#include <math.h>
#include <string.h>

#include "analysis/claims/goose/asesina_course.h"
#include "analysis/dice/visits.h"
#include "analysis/probe/chance_worth.h"
#include "games/oca_asesina/turn.h"

typedef struct {
  const claim_tables *t;
  const visits *v;
  asesina_course *out;
  double *turns; /* [positions] expected turns that begin in the position */
  double *now;   /* [positions] expected turns before the present roll */
  double *next;  /* [positions] expected turns before the next roll */
} survey_of_visits;

static course_standing standing_at(const survey_of_visits *s, uint32_t number) {
  const visits *v = s->v;
  return course_find_standing(v->job->rules, v->job->slices->slices[visits_slice(v, number)].slice,
                              s->out->tokens);
}

/* Counts games whose tokens home have just changed; their score from there on is that of the tables. */
static tauler_error count_arrival(survey_of_visits *s, uint32_t number, double flow) {
  const course_standing to = standing_at(s, number);
  game_position position;
  chance_values values;
  if (to.pair < 0) return TAULER_OK;
  visits_position(s->v, number, &position);
  const tauler_error error = chance_values_of(s->t->tables, &position, &values, &s->t->kept->message);
  const double first = (values.lower[0] + values.upper[0]) / 2;
  s->out->of[COURSE_REACHED + to.pair].top += flow;
  if (to.leader >= 0)
    course_add(&s->out->of[COURSE_BEHIND + to.pair], flow * (to.leader ? first : 1 - first), flow);
  if (to.one_each) course_add(&s->out->of[COURSE_EVEN], flow * fmin(first, 1 - first), flow);
  return error;
}

static tauler_error survey_edges(survey_of_visits *s, uint32_t from) {
  const visits *v = s->v;
  const course_standing at = standing_at(s, from);
  const int phase = at.home[0] + at.home[1];
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < v->rolls && !error; roll++) {
    const visits_edge *edge = &v->edges[from * v->rolls + roll];
    const double flow = v->times[from] * v->odds[roll];
    if (at.pair >= 0)
      course_add(&s->out->of[COURSE_CAPTURES + phase], flow * (edge->note & COURSE_TAKEN), flow);
    if (edge->to == VISITS_OVER) {
      s->out->of[COURSE_LEFT + (edge->note >> COURSE_LEFT_SHIFT)].top += flow;
      continue;
    }
    if (edge->note & COURSE_ENDS_TURN) s->turns[edge->to] += flow;
    if (visits_slice(v, from) != visits_slice(v, edge->to)) error = count_arrival(s, edge->to, flow);
  }
  return error;
}

static tauler_error survey_positions(survey_of_visits *s) {
  const visits *v = s->v;
  tauler_error error = count_arrival(s, v->start, 1);
  s->turns[v->start] = 1;
  for (uint32_t number = 0; number < v->first[v->job->slices->used] && !error; number++) {
    game_position position;
    double lower = 0;
    if (v->times[number] <= 0) continue;
    visits_position(v, number, &position);
    error = course_lower_score(s->t->tables, &position, &lower, &s->t->kept->message);
    course_add(&s->out->of[COURSE_OPEN], 2 * lower * v->times[number], v->times[number]);
    if (!error) error = survey_edges(s, number);
  }
  for (int pair = 0; pair < COURSE_PAIRS; pair++) s->out->of[COURSE_REACHED + pair].bottom = 1;
  for (int left = 0; left <= COURSE_TOKENS; left++) s->out->of[COURSE_LEFT + left].bottom = 1;
  return error;
}

/* Follows one roll of the turns in s->now. Returns the expected number of turns that continue after it. */
static double follow_roll(survey_of_visits *s, uint32_t positions) {
  const visits *v = s->v;
  double sum = 0;
  memset(s->next, 0, positions * sizeof *s->next);
  for (uint32_t number = 0; number < positions; number++) {
    if (s->now[number] <= 0) continue;
    for (size_t roll = 0; roll < v->rolls; roll++) {
      const visits_edge *edge = &v->edges[number * v->rolls + roll];
      if (edge->to == VISITS_OVER || edge->note & COURSE_ENDS_TURN) continue;
      s->next[edge->to] += s->now[number] * v->odds[roll];
      sum += s->now[number] * v->odds[roll];
    }
  }
  double *const swap = s->now;
  s->now = s->next;
  s->next = swap;
  return sum;
}

static int seat_at(const visits *v, uint32_t number) {
  game_position position;
  visits_position(v, number, &position);
  return ase_from_game(&position).seat;
}

static void survey_turns(survey_of_visits *s, int home) {
  const visits *v = s->v;
  const uint32_t positions = v->first[v->job->slices->used];
  double turns = 0, going = 0;
  for (uint32_t number = 0; number < positions; number++) {
    const bool here = s->turns[number] > 0 && standing_at(s, number).home[seat_at(v, number)] == home;
    s->now[number] = here ? s->turns[number] : 0;
    turns += s->now[number];
  }
  course_add(&s->out->of[COURSE_ROLLS + home], turns, turns);
  for (int rolls = 2; rolls == 2 || going > VISITS_LEFT; rolls++) {
    going = follow_roll(s, positions);
    s->out->of[COURSE_ROLLS + home].top += going;
    if (rolls <= COURSE_LONGEST) course_add(&s->out->of[course_long(home, rolls)], going, turns);
  }
}

static void survey_visits(survey_of_visits *s) {
  claim_error *out = s->t->kept;
  memory_budget *memory = s->t->job->memory;
  const uint64_t positions = s->v->first[s->v->job->slices->used];
  double **const arrays[] = {&s->turns, &s->now, &s->next};
  for (size_t i = 0; i < 3; i++)
    CLAIM_CATCH(out,
                memory_allocate_array(memory, positions, sizeof(double), "turns", arrays[i], &out->message));
  CLAIM_CATCH(out, survey_positions(s));
  for (int home = 0; home < s->out->tokens && !out->error; home++) survey_turns(s, home);
  for (size_t i = 0; i < 3; i++) memory_free(memory, *arrays[i]);
}

void asesina_course_exact(const asesina_table *at, int tokens, asesina_course *out) {
  const claim_tables *t = at->t;
  match_best best;
  visits found;
  match_best_open(&best, t->tables);
  const visits_job job = {.game = t->game,
                          .rules = t->rules,
                          .slices = &at->slices,
                          .raises = match_policy_best(&best),
                          .lowers = match_policy_best(&best),
                          .note = course_encode_move,
                          .memory = t->job->memory};
  *out = (asesina_course){.tokens = tokens};
  if (CLAIM_CATCH(t->kept, visits_open(&job, &found, &t->kept->message))) return;
  survey_of_visits s = {.t = t, .v = &found, .out = out};
  survey_visits(&s);
  visits_close(&found);
}
