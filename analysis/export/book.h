/* Writes the values of a rule set as a file of another program (game_book of game_record.h). Private to
 * analysis/. */
#ifndef ANALYSIS_EXPORT_BOOK_H
#define ANALYSIS_EXPORT_BOOK_H

#include "analysis/export/export.h"

/* Writes the positions of all slices of the job into its folder, and reports the file. Errors:
 * TAULER_BAD_USAGE (no such format, other rules, more than it can have), those of tauler_bounds_at,
 * TAULER_NO_MEMORY, those of durable_file_commit. */
tauler_error export_book(const export_job *job, tauler_message *message);

#endif
