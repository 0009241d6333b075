/* Statistics of games without dice: how many positions have which value, printed slice by slice. Private to
 * analysis/. */
#ifndef ANALYSIS_STATS_STATS_COUNTS_H
#define ANALYSIS_STATS_STATS_COUNTS_H

#include "analysis/stats/print_counts.h"
#include "analysis/stats/stats_plot.h"
#include "base/memory.h"

typedef struct {
  tauler_tables *tables;
  tally_settings settings;
  const game_request *request;
  const game_slices *slices;
  progress *shown;
  memory_budget
      *memory; /* tables that do not fit, on the disk if they may lie there, are looked up cell by cell */
  comm *ranks; /* the ranks that share the slices, or NULL for one. Rank 0 prints and draws */
  bool with_total, colored;
  int form;         /* FORM_TEXT, FORM_CSV, FORM_JSON */
  stats_plot *plot; /* drawing of the printed counts, or NULL */
} stats_counts_job;

/* Nothing is printed when a table is missing. Errors: TAULER_TABLE_MISSING, TAULER_NO_MEMORY, of reading
 * tables, of stats_plot_draw. */
tauler_error stats_counts(const stats_counts_job *job, tauler_message *message);

#endif
