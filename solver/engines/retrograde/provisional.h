/* Private to the retrograde engine: the cells of a sharded slice among the store of finished slices, for a
 * while, so that they can be asked for like those of finished ones. */
#ifndef SOLVER_ENGINES_RETROGRADE_PROVISIONAL_H
#define SOLVER_ENGINES_RETROGRADE_PROVISIONAL_H

#include "solver/engines/solve.h"

/* For slices of ranges of indexes, one after the other by ranks. To be dropped by store_drop, plane by
 * plane, also after an error. Collective. Errors: TAULER_NO_MEMORY, TAULER_IO; TAULER_NO_SPACE. */
tauler_error provisional_pack(const solve_job *job, sharded_slice *slice, tauler_message *message);

#endif
