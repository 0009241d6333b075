/* All slices of a rule set of aualé, solved whole. */
#include "tests/support/solver/toy_auale.h"

#include "games/registry.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

void toy_auale_open(toy_auale *w, const char *rules, const char *cycles, uint32_t seeds) {
  *w = (toy_auale){.game = game_find("auale")};
  MUST(w->game->open(rules, cycles, &w->rules, NULL));
  MUST(w->game->grid->prepare(w->rules, seeds, &w->tables));
  memory_budget_open(&w->memory, 0);
  w->finished = toy_store_open(&w->memory, seeds + 1, &w->list);
  w->job = (solve_job){.problem.game = w->game,
                       .problem.rules = w->rules,
                       .work.threads = 1,
                       .work.memory = &w->memory,
                       .grid_tables = w->tables,
                       .store = w->finished};
  for (uint32_t n = 0; n <= seeds; n++) MUST(solve_alone(&w->job, n, true, &w->list[n], NULL));
}

void toy_auale_close(toy_auale *w) {
  store_close(w->finished);
  ck_assert_uint_eq(memory_allocated(&w->memory), 0);
  w->game->grid->release(w->tables);
  w->game->close(w->rules);
}
