/* The engine for games of win, draw and loss that have kernels over words (games/game_bitboards.h).
 *
 * A cell is a bit, so a kernel computes 64 cells in one step. Finished slices stay as words, about 1.3 bytes
 * per position, and not in the general store. They are in memory or, if the slice was cut, perhaps in files.
 * Most games of this kind have many small slices, so a slice is normally solved by one process, on one thread
 * while other threads solve other slices, or on all threads. A slice that is too large for that is cut
 * (cut.h). If job->ranks is greater than 1, that many ranks share the slice, and afterwards each has it
 * whole, in memory or on its disk.
 *
 * Arrays are charged to job->work.memory. Until a bitboard_slice is finished, only one call at a time uses
 * it; afterwards it is only read. */
#ifndef SOLVER_ENGINES_BITBOARD_BITBOARD_H
#define SOLVER_ENGINES_BITBOARD_BITBOARD_H

#include "solver/engines/engine.h"
#include "solver/tables/job.h"

typedef struct bitboard_disk bitboard_disk;

typedef struct {
  uint32_t slice;
  uint64_t positions;
  game_bitboards_plan plan;
  game_bitboards_cut cut; /* parts is 0 if the slice is whole in memory and no ranks share it */
  const game_bitboards *kernels;
  void *tables;
  uint64_t *won, *lost;     /* NULL if the sets are in the log */
  uint8_t *depth;           /* NULL if the depths are in the log */
  struct bitboard_log *log; /* NULL if the slice has no log */
  bitboard_disk *disk;      /* file with the arrays, or NULL if they are not on the disk */
  uint16_t longest;         /* last wave that decided a cell */
  uint16_t waves;
  /* Waves since the solve began or resumed that did not follow the changes of the wave before. */
  uint16_t swept;
} bitboard_slice;

/* True if ranks are to share a slice: the game can cut it so that messages fit into packets, the slice is
 * large enough to be worth the messages, and a share fits into memory or needs no more than the slice on one
 * process. If waves go by marks, ranks share a slice only if one process cannot hold it, or if it outweighs
 * its level (engine.h). */
bool bitboard_slice_is_shared(const solve_job *job, uint32_t slice, int ranks, bool outweighs);

/* Solves a slice whose needs are all in `finished`, by slice number, on at most job->work.threads threads.
 * Resumes and saves checkpoints as job->checkpoints says. If ranks share the slice, the call is collective,
 * and all ranks return the same error. Otherwise job->work.comm is used only to note progress. Errors:
 * TAULER_NO_MEMORY, TAULER_STOPPED, TAULER_INTERNAL (play is longer than depths can hold), TAULER_NO_SPACE
 * and TAULER_IO if the slice is cut or shared, errors of kernels and checkpoints. After an error *out is
 * empty. */
tauler_error bitboard_slice_solve(const solve_job *job, const game_bitboards_finished *finished,
                                  uint32_t slice, bitboard_slice *out, solve_effort *effort,
                                  tauler_message *message);

/* Loads a slice from its tables of values and depths, which must exist. Errors: TAULER_NO_MEMORY, errors of
 * tables; TAULER_DAMAGED_FILE if a table has cells that no solve gives. After an error *out is empty. */
tauler_error bitboard_slice_load(const build_job *build, const solve_job *job,
                                 const game_bitboards_finished *finished, uint32_t slice, bitboard_slice *out,
                                 tauler_message *message);

/* Writes the tables of values and depths on job->work.threads threads, and reports nothing. If ranks share
 * the slice, the call is collective, rank 0 writes the values, and rank 1 the depths. The headers of tables
 * that this rank did not write are zeros. */
enum { BITBOARD_VALUES, BITBOARD_DEPTHS, BITBOARD_TABLES };
tauler_error bitboard_slice_write(const build_job *build, const solve_job *job, const bitboard_slice *slice,
                                  table_header written[BITBOARD_TABLES], tauler_message *message);

void bitboard_slice_close(memory_budget *memory, bitboard_slice *slice);

/* Returns the bytes in memory while the slice is solved. Loading needs no more, unless the slice is cut. */
uint64_t bitboard_slice_bytes(const solve_job *job, uint32_t slice);
/* Returns the bytes that a solve of the slice has on the disks of all its ranks. *parts becomes the number of
 * parts, or 1 if the slice is whole or ranks share it. */
uint64_t bitboard_slice_waiting_bytes(const solve_job *job, uint32_t slice, uint32_t *parts);
/* Returns the bytes in memory when the slice is finished. */
uint64_t bitboard_slice_finished_bytes(const solve_job *job, uint32_t slice);

#endif
