/* Private to the solver: the tables of one slice, to and from cells. */
#ifndef SOLVER_SLICE_TABLES_H
#define SOLVER_SLICE_TABLES_H

#include "solver/build.h"

enum { SLICE_STREAMS = 2 * SOLVE_PLANES, SLICE_RESERVED = INT8_MIN };

/* The streams of value (one or two), then those of depth. */
typedef struct {
  const char *names[SLICE_STREAMS];
  int planes;
} slice_streams;

slice_streams slice_streams_of(const game *game, const game_rules *rules);

/* Opens the table of a stream if it is there; *out is NULL when it is not. A table that is not what
 * its place says is TAULER_DAMAGED_FILE. */
tauler_error slice_table_find(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message);

tauler_error slice_values_write(const build_job *job, const solve_job *solving, const solved_slice *solved,
                                tauler_message *message);
tauler_error slice_depths_write(const build_job *job, const solved_slice *solved, tauler_message *message);

/* Reads the values of a slice back into cells taken from the budget, what was left out included. */
tauler_error slice_values_load(const build_job *job, const solve_job *solving, uint32_t slice,
                               solved_slice *out, tauler_message *message);

/* Reads the depths of a slice back beside its values; conversions of outcomes count on with them. A game
 * that leaves cells out is refused (TAULER_INTERNAL): nothing gives their depths back yet. */
tauler_error slice_depths_load(const build_job *job, solved_slice *out, tauler_message *message);

#endif
