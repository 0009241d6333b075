/* Builds the fallback tables first: those of another cycle rule, to which converting moves lead. Guarantees
 * that hold whatever positions occurred before are based on them. They are in the same folder and are used
 * instead of finished slices. */
#include "solver/run/run.h"

static void add_cost(build_cost *to, const build_cost *of) {
  to->setup += of->setup;
  to->solving += of->solving;
  to->writing += of->writing;
  to->loading += of->loading;
  to->solving_wall += of->solving_wall;
  to->positions_solved += of->positions_solved;
}

bool build_has_fallback(const solve_problem *problem) {
  return problem->game->fallback_cycles && problem->game->fallback_cycles(problem->rules);
}

tauler_error build_fallback_open(engine_run *run, tauler_message *message) {
  const game *game = run->job->problem.game;
  if (!build_has_fallback(&run->job->problem)) return TAULER_OK;
  return game->open(game->rules_text(run->job->problem.rules), game->fallback_cycles(run->job->problem.rules),
                    &run->fallback_rules, message);
}

tauler_error build_fallback_tables(engine_run *run, tauler_message *message) {
  run->fallback = *run->job;
  run->fallback.problem.rules = run->fallback_rules;
  run->fallback.report = NULL;
  if (run->needed > 0) run->fallback.approve = NULL; /* the plan of the tables above them counts these, too */
  return build_tables(&run->fallback, &run->fallback_cost, message);
}

void build_fallback_close(engine_run *run) {
  if (!run->fallback_rules) return;
  add_cost(run->cost, &run->fallback_cost);
  run->job->problem.game->close(run->fallback_rules);
}
