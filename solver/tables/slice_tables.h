/* Private to the solver: the tables of one slice, to and from cells. */
#ifndef SOLVER_TABLES_SLICE_TABLES_H
#define SOLVER_TABLES_SLICE_TABLES_H

#include "solver/tables/job.h"

enum { SLICE_STREAMS = 2 * SOLVE_PLANES, SLICE_RESERVED = INT8_MIN };

/* The streams of value (one or two), then those of depth. */
typedef struct {
  const char *names[SLICE_STREAMS];
  int planes, depth_planes;
} slice_streams;

/* exact: the bounds of the slice meet everywhere. */
slice_streams slice_streams_of(const solve_problem *problem, bool exact);

/* Opens the table of a stream if it is there; *out is NULL when it is not. A table that is not what
 * its place says is TAULER_DAMAGED_FILE. */
tauler_error slice_table_find(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message);

/* Headers of the tables of a plane; depths above 254 need wide cells. */
void slice_values_header(const solve_problem *problem, uint32_t slice, unsigned traits, int plane,
                         table_header *header);
void slice_depths_header(const build_job *job, uint32_t slice, int plane, bool wide, table_header *header);
/* True if depths of left-out cells are left out too. Stages do not come back by a lookup of the moves, so all
 * of them are stored. */
bool slice_leaves_out_depths(const solve_problem *problem);
bool slice_needs_wide_depths(const uint16_t *depths, uint64_t n);

/* Cells from `first` on as tables store them: reserved where a cell is left out or equals its lookup (NULL:
 * there are none); and of depths the plain ones, 0 where there is none. */
void slice_code_values(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const int8_t *cells, const int8_t *lookups, int8_t *stored);
void slice_code_depths(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const uint16_t *depths, bool wide, void *stored, void *plain);

/* Reports a table, built by this call or there before. */
void slice_table_report(const build_job *job, const table_header *header, bool built);

/* n depths of a table as they are in memory, SOLVE_NO_DEPTH where one is reserved. Those of one byte are
 * given in the upper half of the array. */
void slice_decode_depths(const table_header *header, uint16_t *depths, uint64_t n);

#endif
