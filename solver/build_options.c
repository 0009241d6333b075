#include "solver/build_options.h"

#include "base/threads.h"
#include "games/game_options.h"

enum { DEFAULT_LEVEL = 9 };

tauler_error build_options_read(const options *parsed, build_job *job, memory_budget *memory,
                                tauler_message *message) {
  uint64_t level = DEFAULT_LEVEL, limit = 0;
  size_t engine = 0;
  tauler_error error = threads_option(parsed, &job->threads, message);
  if (!error) error = options_number(parsed, "level", 1, 22, &level, message);
  if (!error) error = options_size(parsed, "memory", &limit, message);
  if (!error) error = options_word(parsed, "engine", &engine, message);
  if (error) return error;
  memory_budget_open(memory, limit);
  job->folder = game_options_folder(parsed);
  if (!*job->folder)
    return tauler_fail(message, TAULER_BAD_USAGE, "--db needs the name of a folder, not an empty one");
  job->depths = options_has(parsed, "depth");
  job->general = engine == 1;
  job->level = (int)level;
  job->memory = memory;
  return TAULER_OK;
}
