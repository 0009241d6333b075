/* Plain values of whole slices in memory, put back by the games' kernels: far faster than cell by
 * cell, where all smaller slices fit. Private to analysis/.
 *
 * A bulk owns the cells of every slice loaded into it, until bulk_close; the budget is its owner's. One
 * thread drives it and may hand the cells to others. */
#ifndef ANALYSIS_BULK_H
#define ANALYSIS_BULK_H

#include "analysis/probe_tables.h"
#include "base/memory.h"
#include "solver/solve.h"

typedef struct bulk bulk;

/* For slices with numbers up to `largest`. Errors: TAULER_NO_MEMORY. */
tauler_error bulk_open(tauler_tables *tables, uint32_t largest, int threads, memory_budget *memory,
                       bulk **out, tauler_message *message);
void bulk_close(bulk *b);

/* Loads a slice whose converting moves all lead to slices loaded before. *out stays valid.
 * Errors: TAULER_NO_MEMORY, and as slice_table. */
tauler_error bulk_load(bulk *b, uint32_t slice, const solved_slice **out, tauler_message *message);

#endif
