/* Rule sets of la oca asesina for two players, and tables of them. */
#include "tests/support/analysis/contest.h"
#include "tests/support/analysis/asked.h"

#include "games/registry.h"
#include "solver/run/build.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

static const game *const ase = &oca_asesina_game;

void contest_open(const char *rules, const char *tokens, contest *t) {
  t->rules = toy_ase_open(rules);
  t->memory = suite_budget(UINT64_C(1) << 30);
  t->slices = suite_slices(ase, t->rules, &(game_request){.largest = tokens});
  for (size_t p = 0; p < CONTEST_POLICIES; p++) t->simple[p] = (match_simple){ase->chance->policies, p};
}

tauler *contest_db;

void contest_open_folder(void) {
  make_folder();
  contest_db = asked_folder();
}

tauler_tables *contest_build(const char *rules, const char *tokens) {
  game_rules *own; /* by the tables */
  MUST(ase_open(rules, NULL, &own, hear()));
  tauler_tables *tables;
  build_cost cost;
  memory_budget *memory = suite_budget(UINT64_C(1) << 30);
  const game_request request = {.largest = tokens};
  const build_job job = {.problem.game = ase,
                         .problem.rules = own,
                         .request = &request,
                         .folder = folder,
                         .width = 1e-11,
                         .level = 1,
                         .work.threads = 1,
                         .work.memory = memory};
  if (build_tables(&job, &cost, hear())) ck_abort_msg("%s", said.text);
  if (tables_select(contest_db, ase, own, &tables, hear())) ck_abort_msg("%s", said.text);
  return tables;
}
