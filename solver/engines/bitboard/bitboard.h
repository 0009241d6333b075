/* The engine for games of win, draw and loss with kernels over words (games/game_bitboards.h).
 *
 * Readers of whole slices load them here as builds do; of the build_job they set game, rules, folder, threads
 * and memory.
 *
 * A slice is solved in one process, wave by wave, on as many threads as are given: one, while others work on
 * other slices, or all. Or the ranks of job->work.comm share it, if job->ranks says so: then each has all of
 * it when it is solved, in memory or on its disk. A solved slice stays in words for the slices that convert
 * to it, about 1.3 bytes per position, until bitboard_slice_close. Everything is taken from job->work.memory.
 * One call at a time per bitboard_slice; finished ones are only read.
 */
#ifndef SOLVER_ENGINES_BITBOARD_BITBOARD_H
#define SOLVER_ENGINES_BITBOARD_BITBOARD_H

#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "solver/tables/job.h"

typedef struct bitboard_disk bitboard_disk;

typedef struct {
  uint32_t slice;
  uint64_t positions;
  game_bitboards_plan plan;
  game_bitboards_cut cut; /* 0 parts: it is in memory whole, and no ranks share it */
  const game_bitboards *kernels;
  void *tables;             /* of the game */
  uint64_t *won, *lost;     /* NULL: they are in the log */
  uint8_t *depth;           /* NULL: it is in the log */
  struct bitboard_log *log; /* or NULL */
  bitboard_disk *disk;      /* has won, lost and depth; or NULL */
  uint16_t longest;         /* the last wave that decided anything */
  uint16_t waves;           /* the beginning counted; of a slice that was solved */
} bitboard_slice;

/* Finished slices by number, as kernels see them, and the engine's own side of them; arrays of `room`. */
typedef struct {
  game_bitboards_finished *cells;
  bitboard_slice *slices; /* without tables: not here */
  uint32_t room;
} bitboard_slices;

/* True if ranks are to share a slice: the game cuts it, it is worth their messages, and a share fits into
 * memory, or the slice does not fit into one process either. If waves go by marks, ranks share it only if one
 * process does not hold it, or if it outweighs its level (engine.h). */
bool bitboard_slice_is_shared(const solve_job *job, uint32_t slice, int ranks, bool outweighs);

/* Solves a slice whose needs are all in `finished`, on job->work.threads threads; takes up and keeps
 * checkpoints as job->checkpoints says. Unless ranks share it, alone: job->work.comm only notes that work
 * goes on. Where they do the call is collective, and errors are the same on all. Errors: TAULER_NO_MEMORY,
 * TAULER_STOPPED, TAULER_INTERNAL (play longer than depths can hold), errors of checkpoints. After an
 * error *out is empty. */
tauler_error bitboard_slice_solve(const solve_job *job, const bitboard_slices *finished, uint32_t slice,
                                  bitboard_slice *out, solve_effort *effort, tauler_message *message);

/* The same slice from its tables of values and depths, which must be there. Errors: TAULER_NO_MEMORY, of
 * tables; cells that no solve gives are TAULER_DAMAGED_FILE. After an error *out is empty. */
tauler_error bitboard_slice_load(const build_job *build, const solve_job *job,
                                 const bitboard_slices *finished, uint32_t slice, bitboard_slice *out,
                                 tauler_message *message);

/* Writes the tables of values and depths on job->work.threads threads; where ranks share the slice, each its
 * own, and the call is collective. The caller passes what was written to slice_table_report, in its own
 * order. */
enum { BITBOARD_VALUES, BITBOARD_DEPTHS, BITBOARD_TABLES };
tauler_error bitboard_slice_write(const build_job *build, const solve_job *job, const bitboard_slice *slice,
                                  table_header written[BITBOARD_TABLES], tauler_message *message);

void bitboard_slice_close(memory_budget *memory, bitboard_slice *slice);

/* Bytes while it is solved or loaded, and when finished; what waits on the disk meanwhile, and in how many
 * parts. */
uint64_t bitboard_slice_bytes(const solve_job *job, uint32_t slice);
uint64_t bitboard_slice_waiting(const solve_job *job, uint32_t slice, uint32_t *parts);
uint64_t bitboard_slice_finished_bytes(const solve_job *job, uint32_t slice);

/* sent.c: bytes a position of the cells that waves decided, as ranks send them, from some units of a solved
 * slice in memory; 0 if ranks send no such. And what job->ranks that share a slice send each other, by that
 * many waves, the beginning counted. */
double bitboard_slice_packed(const bitboard_slice *slice);
uint64_t bitboard_slice_sent(const solve_job *job, uint32_t slice, double waves, double packed);

#endif
