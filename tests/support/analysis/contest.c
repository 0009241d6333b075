/* Rule sets of la oca asesina for two players, and tables of them. */
#include "tests/support/analysis/contest.h"

#include <stdlib.h>

#include "games/oca_asesina/oca_asesina.h"
#include "solver/run/build.h"
#include "tests/support/suite.h"

static const game *const ase = &oca_asesina_game;

void contest_open(const char *rules, const char *tokens, contest *t) {
  tauler_message message = {""};
  t->rules = toy_ase_open(rules);
  memory_budget_open(&t->memory, UINT64_C(1) << 30);
  if (ase->slices(t->rules, &(game_request){.largest = tokens}, &t->slices, &message))
    ck_abort_msg("%s: %s", rules, message.text);
  for (size_t p = 0; p < CONTEST_POLICIES; p++) t->simple[p] = (match_simple){ase->chance->policies, p};
}

void contest_close(contest *t) {
  ck_assert_uint_eq(memory_allocated(&t->memory), 0);
  free(t->slices.slices);
  ase_close(t->rules);
}

tauler *contest_db;

void contest_open_folder(void) {
  tauler_message message = {""};
  make_folder();
  MUST(tauler_open(folder, NULL, &contest_db, &message));
}

void contest_close_folder(void) {
  tauler_close(contest_db);
  remove_folder();
}

tauler_tables *contest_build(const char *rules, const char *tokens) {
  game_rules *own = toy_ase_open(rules);
  memory_budget memory;
  tauler_tables *tables;
  build_cost cost;
  tauler_message message = {""};
  memory_budget_open(&memory, UINT64_C(1) << 30);
  const game_request request = {.largest = tokens};
  const build_job job = {.problem.game = ase,
                         .problem.rules = own,
                         .request = &request,
                         .folder = folder,
                         .width = 1e-11,
                         .level = 1,
                         .work.threads = 1,
                         .work.memory = &memory};
  if (build_tables(&job, &cost, &message)) ck_abort_msg("%s", message.text);
  if (tables_select(contest_db, ase, own, &tables, &message)) ck_abort_msg("%s", message.text);
  return tables;
}
