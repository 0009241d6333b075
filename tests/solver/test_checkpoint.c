/* A solve that was stopped anywhere ends with the same cells, whatever the threads; ranks stop and save
 * together, and what they saved is taken up by other numbers of ranks and shards. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/registry.h"
#include "solver/checkpoint/units.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

/* A solve that is stopped after every few rounds, by other numbers of threads each time. */
typedef struct {
  int asked, every;
} stopper;

static bool stop_now(void *user) {
  stopper *s = user;
  return ++s->asked % s->every == 0;
}

static tauler_error solve_once(const char *folder, const char *cycles, int threads, bool general, stopper *s,
                               slice_store *finished, uint32_t slice, memory_budget *memory) {
  const game *game = game_find("auale");
  void *tables;
  game_rules *rules = suite_rules(game, "abapa", cycles);
  MUST(game->grid->prepare(rules, slice, &tables));
  const solve_checkpoints checkpoints = {folder, 0, s ? stop_now : NULL, s};
  const solve_job job = {.problem.game = game,
                         .problem.rules = rules,
                         .work.threads = threads,
                         .problem.engine = general ? &engine_retrograde : NULL,
                         .work.memory = memory,
                         .grid_tables = tables,
                         .store = finished,
                         .checkpoints = &checkpoints};
  sharded_slice solved;
  solve_effort effort = {0};
  tauler_error error = solve_open(&job, slice, true, &solved, NULL);
  if (!error) error = solve_slice(&job, general, &solved, &effort, NULL);
  if (!error && !general) error = solve_depths(&job, &solved, &effort, NULL);
  if (error)
    sharded_free(&solved);
  else
    store_plain(finished).list[slice] = sharded_release(&solved);
  game->grid->release(tables);
  return error;
}

static void solve_in_pieces(const char *cycles, bool general, int every) {
  enum { SLICE = 5 };
  make_folder();
  memory_budget *memory = suite_budget(0);
  solved_slice *finished, *again;
  slice_store *stores[] = {toy_store_open(memory, SLICE + 1, &finished),
                           toy_store_open(memory, SLICE + 1, &again)};
  for (uint32_t n = 0; n <= SLICE; n++) {
    MUST(solve_once(folder, cycles, 1, general, NULL, stores[0], n, memory));
    stopper s = {0, every};
    int stops = 0;
    tauler_error error;
    while ((error = solve_once(folder, cycles, 1 + stops % 3, general, &s, stores[1], n, memory)) ==
           TAULER_STOPPED)
      stops++;
    ck_assert_int_eq(error, TAULER_OK);
    if (n == SLICE) ck_assert_int_gt(stops, 3);
    for (int plane = 0; plane < finished[n].planes; plane++) {
      const uint64_t size = finished[n].positions;
      ck_assert_int_eq(memcmp(finished[n].cells[plane], again[n].cells[plane], size), 0);
      ck_assert_int_eq(memcmp(finished[n].depths[plane], again[n].depths[plane], 2 * size), 0);
    }
  }
}

CASE(stopped_grid_solves_end_alike) {
  solve_in_pieces("even", false, 5);
  solve_in_pieces("forced", false, 7);
}
CASE(stopped_general_solves_end_alike) {
  solve_in_pieces("even", true, 11);
  solve_in_pieces("forced", true, 23);
}

SUITE("checkpoint") {
  TESTS(stopped_grid_solves_end_alike, stopped_general_solves_end_alike);
}
