/* Declares the kernel for strips, which computes one strip of lanes, with all rows, in a sweep. Private to
 * the solver.
 *
 * Eight lanes are computed side by side, since their plays are mostly the same. The kernel unpacks the cells
 * that a strip reads into scratch, eight lanes to a row, computes the rows in the section's order, and packs
 * them again. A play that sends a token back leads to other lanes, a different one from each lane, so values
 * after such plays are read from the cells directly. Any number of threads may work on strips of one stage,
 * each with its own scratch.
 */
#ifndef SOLVER_ENGINES_CHANCE_KERNEL_H
#define SOLVER_ENGINES_CHANCE_KERNEL_H

#include "solver/engines/chance/sweeps.h"

typedef struct strip_scratch strip_scratch;

/* Computes both bounds of a strip or, if `endless`, its marks of endless play. Adds its measures to
 * *measures. */
typedef void strip_kernel(const strip_section *section, uint32_t strip, const chance_work *work, bool endless,
                          strip_scratch *scratch, chance_measures *measures);

/* Returns the kernel for registers of eight doubles, or NULL if the processor has no such registers. */
strip_kernel *strip_relax_wide(void);

#endif
