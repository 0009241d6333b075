/* The plain values of one slice in memory, for calls that go through it by index. Private to analysis/.
 *
 * Loading reads the slice and all that it needs, so a slice is loaded when the cells that were asked for are
 * a share of these. The values stay with the tauler_tables until another slice is asked for. Any number of
 * threads may ask. */
#ifndef ANALYSIS_SLICES_WHOLE_H
#define ANALYSIS_SLICES_WHOLE_H

#include "analysis/probe/probe_tables.h"

/* The values of the slice by plane, to be read until whole_slice_leave; `count`: how many will be. False:
 * they are not in memory, cells must be read from the tables, and there is nothing to leave. */
bool whole_slice_enter(tauler_tables *tables, slice_entry *entry, size_t count, solved_slice *out);
void whole_slice_leave(tauler_tables *tables);

#endif
