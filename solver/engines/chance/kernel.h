/* Private to the solver: what becomes of one strip of lanes, under all rows, in one sweep.
 *
 * The cells that a strip reads are unpacked, eight lanes to a row, into scratch; then rows are worked off
 * in the section's order, lanes abreast; then they are put back. Values of plays that send a token back are
 * read where they stand. Any number of threads may work on strips of one stage, each with a scratch of its
 * own.
 */
#ifndef SOLVER_ENGINES_CHANCE_KERNEL_H
#define SOLVER_ENGINES_CHANCE_KERNEL_H

#include "solver/engines/chance/sweeps.h"

typedef struct strip_scratch strip_scratch;

/* Errors: TAULER_NO_MEMORY. */
tauler_error strip_scratch_open(const strip_tables *tables, memory_budget *memory, strip_scratch **out,
                                tauler_message *message);
void strip_scratch_close(memory_budget *memory, strip_scratch *scratch);
uint64_t strip_scratch_bytes(uint64_t source_rows);

/* Both bounds, or the marks of what is endless. Adds what it met to the round. */
typedef void strip_kernel(const strip_section *section, uint32_t strip, const chance_work *work, bool endless,
                          strip_scratch *scratch, chance_round *round);

/* The same cells, bit by bit. */
strip_kernel strip_relax_narrow;
/* In registers of eight doubles; NULL: the processor has none. */
strip_kernel *strip_relax_wide(void);

#endif
