/* Computes the score and the length of matches between two policies. */
#include "analysis/dice/matches.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

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

/* --- solution --- */

typedef struct {
  const match_job *job;
  policy_game *players;
  solve_job of;
  chance_slices finished;
  uint64_t endless;
} match;

static uint64_t slice_positions(const match_job *job, const game_slice *slice) {
  return job->game->positions(job->rules, slice->slice);
}

static tauler_error open_match(const match_job *job, match *m, tauler_message *message) {
  const uint32_t last = job->slices->slices[job->slices->used - 1].slice;
  *m = (match){.job = job};
  const tauler_error error = policy_game_open(job->game, job->rules, last, job->reached, &job->raises,
                                              &job->lowers, &m->players, message);
  if (error) return error;
  m->of = (solve_job){.problem.game = policy_game_table(m->players),
                      .problem.rules = policy_game_rules(m->players),
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
  policy_game_close(m->players);
}

/* All slices stay until the match is solved. */
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
  while (error == TAULER_BAD_USAGE && policy_game_cut(m->players));
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
