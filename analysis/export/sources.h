/* Opens the tables that the options of a command name, for an export_job, which points into the
 * export_sources. The caller closes it, after errors too. */
#ifndef ANALYSIS_EXPORT_SOURCES_H
#define ANALYSIS_EXPORT_SOURCES_H

#include "analysis/export/export.h"
#include "base/command/options.h"

typedef struct {
  const game *game;
  game_rules *rules; /* NULL after the tables own them */
  game_request request;
  game_slices slices;
  memory_budget memory;
  progress shown;
  tauler *db;
} export_sources;

/* Reads GAME, its options, --threads, --memory and --quiet. Errors: as game_options_open, options_size. */
tauler_error export_sources_read(const options *parsed, export_sources *sources, export_job *job,
                                 tauler_message *message);

/* Opens slices and tables. Errors: as tauler_open, tauler_select. */
tauler_error export_sources_open(const options *parsed, export_sources *sources, export_job *job,
                                 tauler_message *message);
void export_sources_close(export_sources *sources);

#endif
