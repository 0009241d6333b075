#include "solver/build_options.h"

#include <sched.h>

#include "games/game_options.h"

enum { MOST_THREADS = 4096, DEFAULT_LEVEL = 9 };

int build_default_threads(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const int n = CPU_COUNT(&set);
  return n > 0 ? n : 1;
}

tauler_error build_options_read(const options *parsed, build_job *job, memory_budget *memory,
                                tauler_message *message) {
  uint64_t threads = (uint64_t)build_default_threads(), level = DEFAULT_LEVEL, limit = 0;
  size_t engine = 0;
  tauler_error error = options_number(parsed, "threads", 1, MOST_THREADS, &threads, message);
  if (!error) error = options_number(parsed, "level", 1, 22, &level, message);
  if (!error) error = options_size(parsed, "memory", &limit, message);
  if (!error) error = options_word(parsed, "engine", &engine, message);
  if (error) return error;
  memory_budget_open(memory, limit);
  job->folder = game_options_folder(parsed);
  job->depths = options_has(parsed, "depth");
  job->general = engine == 1;
  job->level = (int)level;
  job->threads = (int)threads;
  job->memory = memory;
  return TAULER_OK;
}
