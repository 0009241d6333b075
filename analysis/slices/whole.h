/* The plain values of one slice in memory, for calls that go through it by index. Private to analysis/.
 *
 * Loading reads the slice and all that it needs, so a slice is loaded when the cells that were asked for are
 * a share of these. The values stay with the tauler_tables until another slice is asked for. Any number of
 * threads may ask. */
#ifndef ANALYSIS_SLICES_WHOLE_H
#define ANALYSIS_SLICES_WHOLE_H

#include "analysis/probe/probe_tables.h"

/* Fills the worths of a range of the slice, without depths. False: the values are not in memory, and cells
 * must be read from the tables. */
bool whole_slice_read(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                      tauler_worth *worths);

#endif
