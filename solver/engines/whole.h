/* Finished slices of engines that have them whole on a rank. Private to the solver. */
#ifndef SOLVER_ENGINES_WHOLE_H
#define SOLVER_ENGINES_WHOLE_H

#include "solver/engines/engine.h"

/* Opens the lists of run->whole and sets run->solving.room to the least memory that is left on any rank, so
 * that all ranks choose alike. Collective. Errors: those of memory_take. */
tauler_error whole_open(engine_run *run, tauler_message *message);
void whole_close(engine_run *run);
/* Bytes of the lists. */
uint64_t whole_list_bytes(const engine *engine, const game_slices *slices);

/* The entry of a slice. */
void *whole_at(const engine_run *run, size_t place);
/* Frees a slice that nothing needs any more. */
void whole_forget(engine_run *run, size_t place);

#endif
