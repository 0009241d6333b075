/* The tables of a slice of chance. Private to the solver.
 *
 * There is a table of plain doubles for each bound of each quantity (chance_stream_name). Its header says how
 * far bounds are apart in the slice. Bounds of different builds enclose the same numbers, but only those of
 * one build are as close to each other as its headers say.
 */
#ifndef SOLVER_ENGINES_CHANCE_TABLES_H
#define SOLVER_ENGINES_CHANCE_TABLES_H

#include "solver/engines/chance/chance.h"
#include "solver/tables/job.h"

/* Sets *there if all tables of the slice exist and are of one build. They must also be as close as the job
 * wants, or have been built for at most the width that the job asks for, since a new build would come no
 * closer. If so, reports them. Errors: TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error chance_tables_find(const build_job *job, uint32_t slice, bool *there, tauler_message *message);

/* Writes all tables over existing ones and reports them. */
tauler_error chance_tables_write(const build_job *job, const chance_slice *slice, tauler_message *message);

/* Reads the tables. The caller frees the slice with chance_slice_free. TAULER_DAMAGED_FILE: a lower bound is
 * above its upper bound, a cell is no number, or bounds are further apart than the header says. After an
 * error nothing must be freed. */
tauler_error chance_tables_load(const build_job *job, uint32_t slice, chance_slice *out,
                                tauler_message *message);

/* Notes in the job's progress what the bounds of a slice lack, if anything. */
void chance_tables_note(const build_job *job, uint32_t slice, double width, uint64_t endless);

/* About the bytes of all tables on the disk. */
uint64_t chance_tables_bytes(const build_job *job, uint32_t slice);

#endif
