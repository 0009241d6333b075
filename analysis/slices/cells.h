/* Plain cells of whole slices, piece by piece, for statistics and all else that visits all positions. Private
 * to analysis/. Any number of threads may read different pieces at once. */
#ifndef ANALYSIS_SLICES_CELLS_H
#define ANALYSIS_SLICES_CELLS_H

#include "analysis/probe/probe_tables.h"

/* A cell. Scores and outcomes have equal bounds and equal depths. */
typedef struct {
  int16_t lower, upper;
  int32_t depth_lower, depth_upper; /* TAULER_NO_DEPTH: none, or not asked for */
} plain_cell;

/* Fills cells[0 … count − 1] with the positions from `first` on. Each frame is decoded once; cells that the
 * table leaves out are computed from their moves. `all` has the values of this slice and of those that its
 * moves lead to, by slice number, if they are in memory, otherwise it is NULL. Errors: those of
 * slice_table. */
tauler_error cells_read(tauler_tables *tables, uint32_t slice, const solved_slice *all, uint64_t first,
                        size_t count, bool with_depths, plain_cell *cells, tauler_message *message);

/* --- one slice in memory, for calls that visit it by index ---
 *
 * Loading reads the slice and all that it needs, so a slice is loaded when the cells asked for are a certain
 * share of these. The values stay with the tauler_tables until another slice is asked for.
 */

/* The values of the slice by plane, which may be read until whole_slice_unlock. `count` is the number of
 * cells to read. Returns false if they are not in memory: then cells must be read from the tables, and
 * whole_slice_unlock must not be called. */
bool whole_slice_lock(tauler_tables *tables, slice_entry *entry, size_t count, solved_slice *out);
void whole_slice_unlock(tauler_tables *tables);

/* Checks that a slice, or its positions that no move leads to, have these numbers. Errors: TAULER_BAD_USAGE,
 * TAULER_NO_MEMORY. */
tauler_error numbered_check(tauler_tables *tables, uint32_t slice, bool outside, uint64_t first,
                            uint64_t count, tauler_message *message);

/* Number of threads for `count` positions, with at least `least` for each. If `threads` is 0, as many as
 * there are processors. */
int numbered_workers(int threads, uint64_t count, uint64_t least);

#endif
