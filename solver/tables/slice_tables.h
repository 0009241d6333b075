/* Finds, describes, writes and reports the tables of one slice, and codes cells as tables store them. Private
 * to the solver. */
#ifndef SOLVER_TABLES_SLICE_TABLES_H
#define SOLVER_TABLES_SLICE_TABLES_H

#include "solver/tables/job.h"

enum { SLICE_STREAMS = 2 * SOLVE_PLANES, SLICE_RESERVED = INT8_MIN };

/* The streams of values, from names[0] on, and of depths, from names[SOLVE_PLANES] on. Guarantees have two
 * streams of values or, if bounds are equal everywhere (`exact`), one. */
typedef struct {
  const char *names[SLICE_STREAMS];
  int planes, depth_planes;
} slice_streams;

slice_streams slice_streams_of(const solve_problem *problem, bool exact);

/* Sets *out to NULL if the table does not exist. slice_table_need fails with TAULER_TABLE_MISSING then.
 * Errors: those of opening; TAULER_DAMAGED_FILE if the file has another table than its name says. */
tauler_error slice_table_find(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message);
tauler_error slice_table_need(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message);

/* Fill *header. Depths above 254 need wide cells. */
void slice_values_header(const solve_problem *problem, uint32_t slice, unsigned traits, int plane,
                         table_header *header);
void slice_depths_header(const build_job *job, uint32_t slice, int plane, bool wide, table_header *header);
/* True if tables leave out depths together with cells. They leave out no stages, which a lookup of the moves
 * cannot recover. */
bool slice_leaves_out_depths(const solve_problem *problem);

/* Code the cells from index `first` on as tables store them: reserved if a cell is left out or a value equals
 * its lookup (`lookups` may be NULL). slice_code_depths also fills the plain depths, or 0 without a depth. */
void slice_code_values(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const int8_t *cells, const int8_t *lookups, int8_t *stored);
void slice_code_depths(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const uint16_t *depths, bool wide, void *stored, void *plain);

tauler_error slice_table_write(const build_job *job, uint32_t slice, const table_header *header, int threads,
                               table_fill fill, void *user, table_header *written, tauler_message *message);
/* If job->adaptive, codes the table at a path adaptively, in place, and sets *written to the new header if
 * the table became smaller. Leaves tables of TABLE_F64 as they are. Called for each table that
 * slice_table_write has not written. */
tauler_error slice_table_recode(const build_job *job, const char *path, table_header *written,
                                tauler_message *message);

void slice_table_report(const build_job *job, const table_header *header, bool built);

#endif
