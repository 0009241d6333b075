/* Rule sets of la oca asesina for two players, and tables of them. */
#include "tests/support/analysis/contest.h"
#include "tests/support/analysis/asked.h"

#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/solver/tables.h"
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
  const game_request request = {.largest = tokens};
  suite_build((build_job){.problem = {.game = ase, .rules = own},
                          .request = &request,
                          .width = 1e-11,
                          .work = {.threads = 1, .memory = suite_budget(UINT64_C(1) << 30)}});
  if (tables_select(contest_db, ase, own, &tables, hear())) ck_abort_msg("%s", said.text);
  return tables;
}
