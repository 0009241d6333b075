/* Bounds that tables have for the positions that a search meets. Private to analysis/.
 *
 * A known_tables belongs to one search and one thread; other threads may use the tables meanwhile.
 */
#ifndef ANALYSIS_SEARCH_KNOWN_H
#define ANALYSIS_SEARCH_KNOWN_H

#include "analysis/probe/probe_tables.h"
#include "base/memory.h"

typedef struct {
  tauler_tables *tables;
  memory_budget *budget;
  uint8_t *slices; /* by slice number: whether there are tables */
  uint64_t probes; /* number of bounds that tables gave */
  tauler_message *message;
} known_tables;

/* It may be closed after an error too. Errors: TAULER_NO_MEMORY. */
tauler_error known_open(known_tables *known, tauler_tables *tables, memory_budget *budget,
                        tauler_message *message);
void known_close(known_tables *known);

/* Sets *is_known, and the bounds for the side to move if tables have the position. Errors: those of
 * slice_table except TAULER_TABLE_MISSING. */
tauler_error known_bounds(known_tables *known, const game_position *position, bool *is_known, int bounds[2]);

#endif
