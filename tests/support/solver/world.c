#include "tests/support/solver/world.h"

#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

world world_open(const game *game, game_rules *rules, uint32_t slices, int threads) {
  world w = {.game = game, .rules = rules, .memory = suite_budget(0)};
  w.finished = toy_store_open(w.memory, slices, &w.list);
  w.job = toy_job(game, rules, threads, w.memory);
  w.job.store = w.finished;
  return w;
}

void world_use_tiles(world *w) {
  MUST(w->game->grid->prepare(w->rules, store_plain(w->finished).room - 1, &w->tables));
  suite_own(w->tables, w->game->grid->release);
  w->job.grid_tables = w->tables;
}

void world_solve(world *w, bool depths) {
  for (uint32_t s = 0; s < store_plain(w->finished).room; s++)
    MUST(solve_alone(&w->job, s, depths, &w->list[s], hear()));
}

world world_of_auale(const char *rules, const char *cycles, uint32_t seeds) {
  const game *auale = game_find("auale");
  world w = world_open(auale, suite_rules(auale, rules, cycles), seeds + 1, 1);
  world_use_tiles(&w);
  world_solve(&w, true);
  return w;
}
