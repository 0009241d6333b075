/* Private to the solver: what becomes of one strip of lanes, under all rows, in one sweep.
 *
 * The cells that a strip reads are spread out, eight lanes to a row, into scratch; then rows are worked off
 * in the section's order, lanes abreast; then they are put back. Values of plays that send a token back are
 * read where they stand. Any number of threads may work on strips of one stage, each with a scratch of its
 * own.
 */
#ifndef SOLVER_ENGINES_CHANCE_KERNEL_H
#define SOLVER_ENGINES_CHANCE_KERNEL_H

#include "solver/engines/chance/sweeps.h"

/* Where cells of a slice are read: bounds of one side, or marks of what is endless; neither: all are 0. */
typedef struct {
  const double *bounds;
  const uint8_t *endless;
} strip_view;

/* What one pass over a strip reads and writes. */
typedef enum { STRIP_LOWER, STRIP_UPPER, STRIP_ENDLESS } strip_pass;

typedef struct strip_scratch strip_scratch;

/* Errors: TAULER_NO_MEMORY. */
tauler_error strip_scratch_open(const strip_tables *tables, memory_budget *memory, strip_scratch **out,
                                tauler_message *message);
void strip_scratch_close(memory_budget *memory, strip_scratch *scratch);
uint64_t strip_scratch_bytes(uint64_t source_rows);

/* Adds what it met to the round. The width is that of lower bounds which have been worked on before. */
void strip_relax(const strip_section *section, uint32_t strip, const chance_work *work, strip_pass pass,
                 strip_scratch *scratch, chance_round *round);

#endif
