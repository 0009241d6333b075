#include "analysis/claims/auale_history/exact.h"

#include "solver/engines/solve.h"

tauler_error auale_exact_open(auale_exact *e, const auale_tables *own_row, tauler_message *message) {
  const tauler_tables *tables = own_row->t.tables;
  const store_settings settings = {.plain = true, .room = AUALE_MOST_SEEDS + 1};
  e->solve = (solve_job){.problem.game = tables->game,
                         .problem.rules = tables->rules,
                         .work.threads = own_row->t.job->threads,
                         .work.memory = own_row->t.job->memory};
  const tauler_error error = store_open(&settings, e->solve.work.memory, &e->solve.packed, message);
  e->layers = store_plain(e->solve.packed).list;
  return error;
}

void auale_exact_close(auale_exact *e) {
  store_close(e->solve.packed);
}

uint64_t auale_exact_count(const int8_t *lower, const int8_t *upper, uint64_t boards) {
  uint64_t met = 0;
  for (uint64_t i = 0; i < boards; i++) met += lower[i] == upper[i];
  return met;
}

tauler_error auale_exact_solve(auale_exact *e, int n, const own_row_effort *effort, uint64_t *met,
                               tauler_message *message) {
  own_row_lines *lines;
  solved_slice *layer = &e->layers[n];
  tauler_error error = solve_alone(&e->solve, (uint32_t)n, false, layer, message);
  if (error) return error;
  *met = auale_exact_count(layer->cells[0], layer->cells[1], layer->positions);
  if (!effort) return TAULER_OK;
  error = own_row_lines_open(&e->solve, (uint32_t)n, &lines, message);
  if (error) return error;
  error = own_row_lines_tighten(lines, effort, layer, message);
  own_row_lines_close(lines);
  return error;
}

tauler_error auale_exact_outside(const auale_exact *e, int n, uint64_t i, auale_bounds *out,
                                 tauler_message *message) {
  const game *g = e->solve.problem.game;
  game_position position;
  game_moves moves = {0};
  g->outside_at(e->solve.problem.rules, (uint32_t)n, i, &position);
  if (g->position_ended(e->solve.problem.rules, &position, &out->lower)) {
    out->upper = out->lower;
    return TAULER_OK;
  }
  tauler_error error = g->moves(e->solve.problem.rules, &position, &moves);
  if (error) tauler_fail(message, error, "the moves of a board cannot be had");
  *out = (auale_bounds){INT8_MIN, INT8_MIN};
  for (size_t k = 0; k < moves.used && !error; k++) {
    const game_move *move = &moves.moves[k];
    game_place to;
    if (!g->locate(e->solve.problem.rules, &move->child, &to)) {
      error = tauler_fail(message, TAULER_INTERNAL, "a move leads to a board without index");
      break;
    }
    const int least = move->gain - e->layers[to.slice].cells[1][to.index];
    const int most = move->gain - e->layers[to.slice].cells[0][to.index];
    out->lower = least > out->lower ? least : out->lower;
    out->upper = most > out->upper ? most : out->upper;
  }
  game_moves_free(&moves);
  return error;
}
