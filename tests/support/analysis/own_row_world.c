#include "tests/support/analysis/own_row_world.h"

#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

own_row_job own_row_job_of(const solve_job *job) {
  return (own_row_job){.game = job->problem.game,
                       .rules = job->problem.rules,
                       .memory = job->work.memory,
                       .finished = store_plain(job->store)};
}

void own_row_world_open(own_row_world *w, uint32_t seeds, uint64_t budget) {
  *w = (own_row_world){.game = game_find("auale")};
  w->rules = suite_rules(w->game, "abapa", "own-row");
  w->memory = suite_budget(0);
  w->finished = toy_store_open(w->memory, seeds + 1, &w->list);
  w->job = toy_job(w->game, w->rules, 1, w->memory);
  w->job.store = w->finished;
  w->lines = own_row_job_of(&w->job);
  for (uint32_t n = 0; n <= seeds; n++) {
    MUST(solve_alone(&w->job, n, false, &w->list[n], NULL));
    MUST(own_row_lines_tighten(&w->lines, budget, &w->list[n], NULL));
  }
}

bool own_row_world_find(const own_row_world *w, const naive_board *board, game_place *out) {
  game_position position;
  char text[64] = "";
  for (int pit = 0; pit < 12; pit++) sprintf(text + strlen(text), pit ? " %d" : "%d", board->pit[pit]);
  MUST(w->game->parse(w->rules, text, &position, NULL));
  return w->game->locate(w->rules, &position, out);
}
