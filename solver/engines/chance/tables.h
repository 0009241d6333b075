/* Private to the solver: the tables of a slice of chance, to and from its bounds.
 *
 * A table for each bound of each quantity (chance_stream_name), of plain doubles, whose header says how far
 * bounds lie apart in the slice. Bounds of any two builds are bounds of the same numbers; but only those of
 * one build are as near to each other as it says.
 */
#ifndef SOLVER_ENGINES_CHANCE_TABLES_H
#define SOLVER_ENGINES_CHANCE_TABLES_H

#include "solver/engines/chance/chance.h"
#include "solver/tables/job.h"

/* True if all tables of the slice are there, of one build, and as near as the job wants them or as the same
 * wish would bring them. If so they are reported. Errors: TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY.
 */
tauler_error chance_tables_find(const build_job *job, uint32_t slice, bool *there, tauler_message *message);

/* Writes all of them, in place of those that are there, and reports them. */
tauler_error chance_tables_write(const build_job *job, const chance_slice *slice, tauler_message *message);

/* Reads them back into memory taken from the budget, to be given back with chance_slice_free. A lower bound
 * above the upper one, a cell that is no number, or bounds further apart than the header says are
 * TAULER_DAMAGED_FILE. After an error nothing is to be freed. */
tauler_error chance_tables_load(const build_job *job, uint32_t slice, chance_slice *out,
                                tauler_message *message);

/* Says on the job's progress what the bounds of a slice lack, if anything. */
void chance_tables_note(const build_job *job, uint32_t slice, double width, uint64_t endless);

/* About what they take on the disk. */
uint64_t chance_tables_bytes(const build_job *job, uint32_t slice);

#endif
