/* Writes exact values of abapa as the endgame book of the engine Aalina, oware-leaves.bin. Private to
 * analysis/; docs/endgame-book.md describes the bytes. */
#ifndef ANALYSIS_EXPORT_AALINA_H
#define ANALYSIS_EXPORT_AALINA_H

#include "analysis/export/export.h"

#define AALINA_NAME "oware-leaves.bin"

/* Writes the boards of all slices of the job into its folder, and reports the file. Errors: TAULER_BAD_USAGE
 * (other rules, more seeds than the format has), those of tauler_bounds_at, TAULER_NO_MEMORY, those of
 * durable_file_commit. */
tauler_error aalina_export(const export_job *job, tauler_message *message);

#endif
