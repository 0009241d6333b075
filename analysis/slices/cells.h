/* Reads plain cells of whole slices, piece by piece, for statistics and other code that visits all positions.
 * Any number of threads may read different pieces at once. Private to analysis/. */
#ifndef ANALYSIS_SLICES_CELLS_H
#define ANALYSIS_SLICES_CELLS_H

#include "analysis/probe/probe_tables.h"

/* A cell. Scores and outcomes have equal bounds and equal depths. */
typedef struct {
  int16_t lower, upper;
  int32_t depth_lower, depth_upper; /* TAULER_NO_DEPTH if there is none or none was asked for */
} plain_cell;

/* Reads the cells of the positions first … first + count − 1. Cells that the table leaves out are computed
 * from their moves. `all` has the values of this slice and of those to which its moves lead, by slice number,
 * or is NULL if they are not in memory. Errors: those of slice_table. */
tauler_error cells_read(tauler_tables *tables, uint32_t slice, const solved_slice *all, uint64_t first,
                        size_t count, bool with_depths, plain_cell *cells, tauler_message *message);

/* Checks that the indexes first … first + count − 1 lie in the slice or, if `outside`, are numbers of its
 * positions without an index. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error numbered_check_range(tauler_tables *tables, uint32_t slice, bool outside, uint64_t first,
                                  uint64_t count, tauler_message *message);

/* Returns the number of threads for `count` positions: `threads`, or the number of processors if that is 0,
 * but fewer if each would have far fewer than `least` positions. */
int numbered_count_workers(int threads, uint64_t count, uint64_t least);

#endif
