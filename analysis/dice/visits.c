/* Propagates the visits of a game between two policies forward from its start. */
#include "analysis/dice/visits.h"

#include <math.h>

/* Waiting visits of a position are propagated only if they are more than this. In a slice of 5·10^7
 * positions, all others together are at most half of VISITS_LEFT. In a larger slice the limit is lower. */
static const double least_visits = 1e-21;

typedef struct {
  visits *v;
  double *waiting; /* [positions] visits that are not yet propagated */
  bool *expanded;  /* [positions] true if the edges are known */
} work;

size_t visits_slice(const visits *v, uint32_t number) {
  size_t slice = 0;
  while (number >= v->first[slice + 1]) slice++;
  return slice;
}

void visits_position(const visits *v, uint32_t number, game_position *out) {
  const size_t slice = visits_slice(v, number);
  const game_place place = {v->job->slices->slices[slice].slice, number - v->first[slice]};
  v->job->game->position_at(v->job->rules, place, out);
}

static tauler_error find_number(const visits *v, game_place place, uint32_t *out) {
  for (size_t i = 0; i < v->job->slices->used; i++)
    if (v->job->slices->slices[i].slice == place.slice) {
      *out = v->first[i] + (uint32_t)place.index;
      return TAULER_OK;
    }
  return TAULER_INTERNAL;
}

/* --- edges --- */

/* Follows passes to a position with an index or the end of the game; *out becomes its number or VISITS_OVER.
 */
static tauler_error follow_passes(const visits *v, const game_move *made, uint32_t *out) {
  const visits_job *job = v->job;
  game_position at = made->child;
  bool over = made->over;
  game_place place;
  tauler_error error = TAULER_OK;
  int value, gain;
  *out = VISITS_OVER;
  while (!error && !over && !job->game->position_ended(job->rules, &at, &value)) {
    if (job->game->locate(job->rules, &at, &place)) return find_number(v, place, out);
    error = simulate_pass(job->game, job->rules, &at, &gain, &over);
  }
  return error;
}

static tauler_error expand_roll(const visits *v, const game_position *position, size_t roll,
                                visits_edge *out) {
  const visits_job *job = v->job;
  const simulate_policy *policy =
      job->game->chance->aim(job->rules, position) > 0 ? &job->raises : &job->lowers;
  game_moves moves = {0};
  tauler_error error = job->game->chance->moves(job->rules, position, roll, &moves);
  int picked = 0;
  if (!error && moves.used > 1)
    picked = policy->pick ? policy->pick(policy->user, job->rules, position, roll, &moves) : -1;
  if (picked < 0) error = picked < -1 ? (tauler_error)(-1 - picked) : TAULER_BAD_USAGE;
  if (!error && (size_t)picked >= moves.used) error = TAULER_INTERNAL;
  if (!error) {
    out->note = job->note(job->rules, position, roll, (size_t)picked);
    error = follow_passes(v, &moves.moves[picked], &out->to);
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error expand_position(work *w, uint32_t number) {
  visits *v = w->v;
  game_position position;
  tauler_error error = TAULER_OK;
  visits_position(v, number, &position);
  for (size_t roll = 0; roll < v->rolls && !error; roll++)
    error = expand_roll(v, &position, roll, &v->edges[number * v->rolls + roll]);
  w->expanded[number] = true;
  return error;
}

/* --- propagation --- */

static tauler_error propagate_position(work *w, uint32_t number) {
  visits *v = w->v;
  const double now = w->waiting[number];
  tauler_error error = w->expanded[number] ? TAULER_OK : expand_position(w, number);
  if (error) return error;
  w->waiting[number] = 0;
  v->times[number] += now;
  const visits_edge *edge = v->edges + number * v->rolls;
  for (size_t roll = 0; roll < v->rolls; roll++)
    if (edge[roll].to != VISITS_OVER) w->waiting[edge[roll].to] += now * v->odds[roll];
  return TAULER_OK;
}

static tauler_error propagate_slice(work *w, size_t slice) {
  const uint32_t first = w->v->first[slice], end = w->v->first[slice + 1];
  const double least = fmin(least_visits, VISITS_LEFT / 2 / (end - first));
  double left = 1;
  tauler_error error = TAULER_OK;
  while (left > VISITS_LEFT && !error) {
    left = 0;
    for (uint32_t number = first; number < end && !error; number++)
      if (w->waiting[number] > least) error = propagate_position(w, number);
    for (uint32_t number = first; number < end; number++) left += w->waiting[number];
  }
  return error;
}

static tauler_error propagate_all(work *w) {
  visits *v = w->v;
  const game_slices *slices = v->job->slices;
  size_t last = slices->used - 1;
  game_position start;
  game_place place;
  while (last > 0 && !slices->slices[last].asked) last--;
  v->job->game->chance->start(v->job->rules, slices->slices[last].slice, &start);
  if (!v->job->game->locate(v->job->rules, &start, &place)) return TAULER_INTERNAL;
  tauler_error error = find_number(v, place, &v->start);
  if (!error) w->waiting[v->start] = 1;
  for (size_t slice = slices->used; slice-- > 0 && !error;) error = propagate_slice(w, slice);
  return error;
}

static void set_odds(visits *v, const chance_roll *rolls) {
  double sum = 0;
  for (size_t roll = 0; roll < v->rolls; roll++) sum += rolls[roll].weight;
  for (size_t roll = 0; roll < v->rolls; roll++) v->odds[roll] = rolls[roll].weight / sum;
}

static tauler_error allocate_visits(const visits_job *job, work *w, tauler_message *message) {
  static const char what[] = "visits of positions";
  visits *v = w->v;
  const chance_roll *rolls;
  uint64_t positions = 0;
  tauler_error error =
      memory_allocate_array(job->memory, job->slices->used + 1, sizeof *v->first, what, &v->first, message);
  for (size_t i = 0; i < job->slices->used && !error; i++) {
    positions += job->game->positions(job->rules, job->slices->slices[i].slice);
    v->first[i + 1] = (uint32_t)positions;
  }
  v->rolls = job->game->chance->rolls(job->rules, &rolls);
  if (!error && positions >= VISITS_OVER)
    error = tauler_fail(message, TAULER_BAD_USAGE, "too many positions to count visits of");
  const struct {
    uint64_t items, item_bytes;
    void *slot;
  } arrays[] = {{v->rolls, sizeof *v->odds, &v->odds},
                {positions, sizeof *v->times, &v->times},
                {positions * v->rolls, sizeof *v->edges, &v->edges},
                {positions, sizeof *w->waiting, &w->waiting},
                {positions, sizeof *w->expanded, &w->expanded}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !error; i++)
    error = memory_allocate_array(job->memory, arrays[i].items, arrays[i].item_bytes, what, arrays[i].slot,
                                  message);
  if (!error) set_odds(v, rolls);
  return error;
}

tauler_error visits_open(const visits_job *job, visits *out, tauler_message *message) {
  work w = {.v = out};
  *out = (visits){.job = job};
  if (job->slices->used == 0) return tauler_fail(message, TAULER_BAD_USAGE, "there is no slice to play in");
  tauler_error error = allocate_visits(job, &w, message);
  if (!error) {
    error = propagate_all(&w);
    if (error)
      error = tauler_fail(message, error, "%s cannot be played on by these policies", job->game->name);
  }
  memory_free(job->memory, w.expanded);
  memory_free(job->memory, w.waiting);
  if (error) visits_close(out);
  return error;
}

void visits_close(visits *v) {
  memory_free(v->job->memory, v->edges);
  memory_free(v->job->memory, v->times);
  memory_free(v->job->memory, v->odds);
  memory_free(v->job->memory, v->first);
  *v = (visits){.job = v->job};
}
