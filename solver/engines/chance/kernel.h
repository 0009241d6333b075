/* The kernel for strips: computes one strip of lanes, with all rows, in a sweep. Private to the solver.
 *
 * Eight lanes are computed side by side, since their plays are mostly the same. The cells that a strip reads
 * are unpacked into scratch, eight lanes to a row. Rows are computed in the section's order and then packed
 * again. Values after plays that send a token back differ from lane to lane and are read from the cells
 * themselves. Any number of threads may work on strips of one stage, each with scratch of its own.
 */
#ifndef SOLVER_ENGINES_CHANCE_KERNEL_H
#define SOLVER_ENGINES_CHANCE_KERNEL_H

#include "solver/engines/chance/sweeps.h"

typedef struct strip_scratch strip_scratch;

/* Computes both bounds, or the marks of endless play. Adds what it measures to `measures`. */
typedef void strip_kernel(const strip_section *section, uint32_t strip, const chance_work *work, bool endless,
                          strip_scratch *scratch, chance_measures *measures);

/* The kernel with registers of eight doubles; NULL if the processor has none. */
strip_kernel *strip_relax_wide(void);

#endif
