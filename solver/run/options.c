/* Reads the options that the commands build, plan and claims share. */
#include "solver/run/options.h"

#include "base/command/threads.h"
#include "games/game_options.h"

enum { DEFAULT_LEVEL = 9 };

/* The least width. Doubles just below 1 are 1.1e-16 apart, and a solve rounds many times. */
static const double least_width = 1e-14;

static tauler_error read_width(const options *parsed, build_job *job, tauler_message *message) {
  const char *given = options_get(parsed, "width");
  job->width = BUILD_USUAL_WIDTH;
  if (!given) return TAULER_OK;
  if (job->problem.game->kind(job->problem.rules) != SOLVE_CHANCE)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s has exact values and no --width",
                       job->problem.game->name);
  const tauler_error error = options_real(parsed, "width", 0, 1e300, &job->width, message);
  if (error || job->width >= least_width) return error;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "--width %s is finer than doubles can keep two bounds apart: 1e-14 is the least", given);
}

static tauler_error read_lines_budget(const options *parsed, build_job *job, tauler_message *message) {
  if (!options_has(parsed, "lines-budget")) return TAULER_OK;
  if (!game_may_be_exact(job->problem.game, job->problem.rules))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--lines-budget is for --cycles own-row: no other table needs lines of play");
  return options_number(parsed, "lines-budget", 1, UINT64_C(1) << 40, &job->lines_budget, message);
}

static tauler_error read_engine(const options *parsed, build_job *job, tauler_message *message) {
  size_t number = 0; /* index of the option's word. Only the word's text is used */
  if (!options_has(parsed, "engine")) return TAULER_OK;
  const tauler_error error = options_word(parsed, "engine", &number, message);
  if (error) return error;
  job->problem.engine = engine_named(options_get(parsed, "engine"));
  return engine_check(job, message);
}

tauler_error build_options_read(const options *parsed, build_job *job, memory_budget *memory,
                                tauler_message *message) {
  uint64_t level = DEFAULT_LEVEL, limit = 0;
  size_t coder = 0;
  tauler_error error = threads_option(parsed, &job->work.threads, message);
  if (!error) error = options_number(parsed, "level", 1, 22, &level, message);
  if (!error) error = options_word(parsed, "coder", &coder, message);
  if (!error) error = options_size(parsed, "memory", &limit, message);
  if (!error) error = read_engine(parsed, job, message);
  if (!error) error = read_width(parsed, job, message);
  job->depths = options_has(parsed, "depth");
  if (!error) error = build_check_depths(&job->problem, job->depths, message);
  if (!error) error = read_lines_budget(parsed, job, message);
  if (error) return error;
  memory_budget_open(memory, limit);
  job->folder = game_options_folder(parsed);
  job->level = (int)level;
  job->adaptive = coder > 0;
  job->work.memory = memory;
  return TAULER_OK;
}
