/* Private to the bitboard engine: what threads share while they go through the tiles of a slice.
 *
 * A bitboard_work owns the working space of its threads and points to the arrays of its slice. It is opened
 * and closed by one thread; bitboard_work_next is for all of its workers.
 */
#ifndef SOLVER_ENGINES_BITBOARD_WORK_H
#define SOLVER_ENGINES_BITBOARD_WORK_H

#include "parallel/failure.h"
#include "parallel/workers.h"
#include "recover/bitboards.h"
#include "solver/engines/bitboard/bitboard.h"

/* Below this many blocks a wave is over sooner than threads have met. */
enum { BITBOARDS_WORTH_THREADS = 1 << 12 };

typedef struct {
  const solve_job *job;
  const bitboard_slice *slice;
  const game_bitboards *kernels;
  game_bitboards_state state;
  int threads;
  uint64_t item_tiles; /* taken at once */
  char *scratch;
  size_t scratch_bytes; /* per thread */
  failure failed;
} bitboard_work;

/* Takes won, lost and depth of an empty slice, and opens the game's tables; with `cuts` as room tells,
 * without it whole. After an error *out is empty. */
tauler_error bitboard_slice_open(const solve_job *job, uint32_t slice, bool cuts, bitboard_slice *out,
                                 tauler_message *message);

tauler_error bitboard_work_open(bitboard_work *work, const solve_job *job, const bitboard_slices *finished,
                                const bitboard_slice *slice, tauler_message *message);
void bitboard_work_close(bitboard_work *work);

/* Tiles [*from, *to) of [first, end) for this worker; false when none are left in this round. */
bool bitboard_work_next(const bitboard_work *work, worker *self, uint64_t first, uint64_t end, uint64_t *from,
                        uint64_t *to);
char *bitboard_work_scratch(const bitboard_work *work, const worker *self);

/* The first failure, with a message in any case. */
tauler_error bitboard_work_outcome(const bitboard_work *work, tauler_message *message);

int bitboard_threads(const workspace *work, const game_bitboards_plan *plan);

/* Bytes of a slice that is held whole while it is solved or loaded; of these what stays, and the working
 * space of kernels. */
uint64_t bitboard_whole_bytes(const workspace *work, const game_bitboards_plan *plan);
uint64_t bitboard_whole_finished_bytes(const game_bitboards_plan *plan);
uint64_t bitboard_scratch_bytes(const game_bitboards_plan *plan, int threads);

/* Bytes of waves (waves.c) beyond those of a finished slice, the working space of kernels left out. */
uint64_t bitboard_waves_bytes(const game_bitboards_plan *plan);

/* Cells of a solved slice: what its kernels see up to cell `end` of the table, from the cell on that was
 * asked for, with depths or without. Each thread has a reader of its own, opened so, and closes it. */
typedef struct {
  game_bitboards_state state;
  uint64_t first, end;
  bool depths;
  uint64_t sets[2][BITBOARDS_MOST_UNIT]; /* of a slice whose sets lie in its log */
} bitboard_reader;
void bitboard_reader_open(bool depths, bitboard_reader *reader);
tauler_error bitboard_reader_move(const bitboard_slice *slice, uint64_t cell, bitboard_reader *reader,
                                  tauler_message *message);
void bitboard_reader_close(const bitboard_slice *slice, bitboard_reader *reader);

/* The state of a slice for its kernels. */
game_bitboards_state bitboard_slice_state(const bitboard_slices *finished, const bitboard_slice *slice);

#endif
