/* Opens the tables that the options of a command name. */
#include "analysis/export/export.h"

#include <stdlib.h>

#include "analysis/print/open_folders.h"
#include "base/command/threads.h"
#include "games/game_options.h"

tauler_error export_sources_read(const options *parsed, export_sources *sources, export_job *job,
                                 tauler_message *message) {
  uint64_t bytes = 0;
  *sources = (export_sources){.rules = NULL};
  progress_open(&sources->shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  tauler_error error = game_options_open(parsed, &sources->game, &sources->rules, &sources->request, message);
  if (!error) error = threads_option(parsed, &job->threads, message);
  if (!error) error = options_size(parsed, "memory", &bytes, message);
  memory_budget_open(&sources->memory, bytes);
  job->slices = &sources->slices;
  job->request = &sources->request;
  job->memory = &sources->memory;
  job->shown = &sources->shown;
  return error;
}

tauler_error export_sources_open(const options *parsed, export_sources *sources, export_job *job,
                                 tauler_message *message) {
  tauler_error error = sources->game->slices(sources->rules, &sources->request, &sources->slices, message);
  if (!error) error = open_folders(parsed, 0, &sources->db, message);
  if (error) return error;
  game_rules *rules = sources->rules;
  sources->rules = NULL;
  return tables_select(sources->db, sources->game, rules, &job->tables, message);
}

void export_sources_close(export_sources *sources) {
  if (sources->rules) sources->game->close(sources->rules);
  tauler_close(sources->db);
  free(sources->slices.slices);
}
