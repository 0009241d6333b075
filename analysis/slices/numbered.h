/* Positions by slice and index, many at once: for programs that go through a slice. Private to analysis/. */
#ifndef ANALYSIS_SLICES_NUMBERED_H
#define ANALYSIS_SLICES_NUMBERED_H

#include "analysis/probe/probe_tables.h"

/* Worths of neighbouring positions of a game of dice, each table read once. The range is of the slice.
 * Errors: as slice_table. */
tauler_error numbered_dice(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                           tauler_worth *worths, tauler_message *message);

#endif
