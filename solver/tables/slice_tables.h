/* The tables of one slice, and the coding of cells in them. Private to the solver. */
#ifndef SOLVER_TABLES_SLICE_TABLES_H
#define SOLVER_TABLES_SLICE_TABLES_H

#include "solver/tables/job.h"

enum { SLICE_STREAMS = 2 * SOLVE_PLANES, SLICE_RESERVED = INT8_MIN };

/* The streams of values (one or two), then those of depths. */
typedef struct {
  const char *names[SLICE_STREAMS];
  int planes, depth_planes;
} slice_streams;

/* `exact`: the bounds of the slice are equal everywhere. */
slice_streams slice_streams_of(const solve_problem *problem, bool exact);

/* Opens the table of a stream. *out is NULL if there is none. TAULER_DAMAGED_FILE if the table is not what
 * its place says. */
tauler_error slice_table_find(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message);
/* The same for a table that must be there. Errors: also TAULER_TABLE_MISSING. */
tauler_error slice_table_need(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message);

/* Headers of the tables of a plane. Depths above 254 need wide cells. */
void slice_values_header(const solve_problem *problem, uint32_t slice, unsigned traits, int plane,
                         table_header *header);
void slice_depths_header(const build_job *job, uint32_t slice, int plane, bool wide, table_header *header);
/* True if depths are left out together with cells. A lookup of the moves cannot recover stages, so all stages
 * are stored. */
bool slice_leaves_out_depths(const solve_problem *problem);

/* Codes cells from `first` on as tables store them: reserved if a cell is left out or equals its lookup
 * (`lookups` may be NULL). slice_code_depths also fills the plain depths, 0 if there is no depth. */
void slice_code_values(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const int8_t *cells, const int8_t *lookups, int8_t *stored);
void slice_code_depths(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const uint16_t *depths, bool wide, void *stored, void *plain);

/* Writes a table, and codes it adaptively if the job says so. */
tauler_error slice_table_write(const build_job *job, uint32_t slice, const table_header *header, int threads,
                               table_fill fill, void *user, table_header *written, tauler_message *message);
/* Codes the table at a path adaptively, in place, if the job says so; one call for each table written in
 * another way. */
tauler_error slice_table_recode(const build_job *job, const char *path, table_header *written,
                                tauler_message *message);

/* Reports a table that this call built or that existed. */
void slice_table_report(const build_job *job, const table_header *header, bool built);

#endif
