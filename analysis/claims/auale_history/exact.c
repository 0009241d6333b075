/* Narrows the bounds of abapa's own-row rule by lines of play. */
#include "analysis/claims/auale_history/exact.h"

/* A hundredth of it leaves some boards of eight seeds open. */
static const own_row_effort effort = {UINT64_C(1) << 25, OWN_ROW_ANY_DEPTH, true};

bool auale_exact_open(auale_exact *e, const claim_tables *own_row) {
  report *out = e->out = own_row->out;
  const store_settings settings = {.plain = true, .room = CLAIM_MOST_LAYERS};
  e->solve = (solve_job){.problem.game = own_row->game,
                         .problem.rules = own_row->rules,
                         .work.threads = own_row->job->threads,
                         .work.memory = own_row->job->memory};
  const bool open =
      !REPORT_CATCH(out, store_open(&settings, e->solve.work.memory, &e->solve.store, &out->message));
  e->lines = (own_row_job){.game = own_row->game,
                           .rules = own_row->rules,
                           .memory = own_row->job->memory,
                           .finished = store_plain(e->solve.store)};
  e->layers = e->lines.finished.list;
  return open;
}

void auale_exact_close(auale_exact *e) {
  store_close(e->solve.store);
}

uint64_t auale_exact_count(const int8_t *lower, const int8_t *upper, uint64_t boards) {
  uint64_t met = 0;
  for (uint64_t i = 0; i < boards; i++) met += lower[i] == upper[i];
  return met;
}

uint64_t auale_exact_solve(auale_exact *e, int n) {
  report *out = e->out;
  solved_slice *layer = &e->layers[n];
  if (REPORT_CATCH(out, solve_alone(&e->solve, (uint32_t)n, false, layer, &out->message))) return 0;
  const uint64_t met = auale_exact_count(layer->cells[0], layer->cells[1], layer->positions);
  REPORT_CATCH(out, own_row_lines_tighten(&e->lines, &effort, layer, &out->message));
  return met;
}
