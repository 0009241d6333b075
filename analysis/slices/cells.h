/* Plain cells of whole slices, piece by piece: for statistics and whatever else goes through all
 * positions. Private to analysis/. Any number of threads may read different pieces at once. */
#ifndef ANALYSIS_SLICES_CELLS_H
#define ANALYSIS_SLICES_CELLS_H

#include "analysis/probe/probe_tables.h"

/* Scores and outcomes have equal bounds and equal depths. */
typedef struct {
  int16_t lower, upper;
  int32_t depth_lower, depth_upper; /* TAULER_NO_DEPTH: none, or not asked for */
} plain_cell;

/* Fills cells[0 … count − 1] with the positions from `first` on. Each frame is decoded once; cells
 * that the table leaves out are worked out from their moves. `all`: values of this slice and of those that
 * its moves lead to, by slice number, where they are in memory already, else NULL. Errors: as slice_table. */
tauler_error cells_read(tauler_tables *tables, uint32_t slice, const solved_slice *all, uint64_t first,
                        size_t count, bool with_depths, plain_cell *cells, tauler_message *message);

/* --- games of dice --- */

/* Worths of neighbouring positions of a game of dice, each table read once. The range is of the slice.
 * Errors: as slice_table. */
tauler_error numbered_dice(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                           tauler_worth *worths, tauler_message *message);

/* --- one slice in memory, for calls that go through it by index ---
 *
 * Loading reads the slice and all that it needs, so a slice is loaded when the cells that were asked for are
 * a share of these. The values stay with the tauler_tables until another slice is asked for. */

/* The values of the slice by plane, to be read until whole_slice_leave; `count`: how many will be. False:
 * they are not in memory, cells must be read from the tables, and there is nothing to leave. */
bool whole_slice_enter(tauler_tables *tables, slice_entry *entry, size_t count, solved_slice *out);
void whole_slice_leave(tauler_tables *tables);

/* That a slice, or the positions of it that no move leads to, have these numbers. Errors: TAULER_BAD_USAGE,
 * TAULER_NO_MEMORY. */
tauler_error numbered_check(tauler_tables *tables, uint32_t slice, bool outside, uint64_t first,
                            uint64_t count, tauler_message *message);

/* Threads for so many positions, `least` for each or more; 0 asked for: as many as there are processors. */
int numbered_workers(int threads, uint64_t count, uint64_t least);

#endif
