/* The data that threads share while they work on the tiles of a slice. Private to the bitboard engine.
 *
 * A bitboard_work owns the working space of its threads and points to the arrays of its slice. One thread
 * opens and closes it; all of its workers call bitboard_work_next.
 */
#ifndef SOLVER_ENGINES_BITBOARD_WORK_H
#define SOLVER_ENGINES_BITBOARD_WORK_H

#include "parallel/failure.h"
#include "parallel/workers.h"
#include "recover/bitboards.h"
#include "solver/engines/bitboard/bitboard.h"

/* Fewest blocks for which threads pay. In a smaller slice a wave takes less time than a barrier. */
enum { BITBOARDS_WORTH_THREADS = 1 << 12 };

typedef struct {
  const solve_job *job;
  const bitboard_slice *slice;
  const game_bitboards *kernels;
  game_bitboards_state state;
  int threads;
  uint64_t item_tiles;  /* tiles that a worker gets at once */
  char *scratch;        /* [threads] */
  size_t scratch_bytes; /* bytes per thread */
  failure failed;
} bitboard_work;

/* Opens the game's tables and allocates won, lost and depth of an empty slice. If `cuts`, the slice is cut as
 * job->room requires; otherwise it is whole. After an error *out is empty. */
tauler_error bitboard_slice_open(const solve_job *job, uint32_t slice, bool cuts, bitboard_slice *out,
                                 tauler_message *message);

tauler_error bitboard_work_open(bitboard_work *work, const solve_job *job, const bitboard_slices *finished,
                                const bitboard_slice *slice, tauler_message *message);
void bitboard_work_close(bitboard_work *work);

/* Gives this worker the tiles [*from, *to) of [first, end). Returns false when none is left in this round. */
bool bitboard_work_next(const bitboard_work *work, worker *self, uint64_t first, uint64_t end, uint64_t *from,
                        uint64_t *to);
char *bitboard_work_scratch(const bitboard_work *work, const worker *self);

/* The first failure, always with a message. */
tauler_error bitboard_work_outcome(const bitboard_work *work, tauler_message *message);

int bitboard_threads(const workspace *work, const game_bitboards_plan *plan);

/* Bytes of a whole slice while it is solved or loaded. */
uint64_t bitboard_whole_bytes(const workspace *work, const game_bitboards_plan *plan);
/* Bytes of a whole slice when it is finished. */
uint64_t bitboard_whole_finished_bytes(const game_bitboards_plan *plan);
/* Bytes of the kernels' working space. */
uint64_t bitboard_scratch_bytes(const game_bitboards_plan *plan, int threads);

/* Bytes that waves (waves.c) need in addition to a finished slice, without the kernels' working space. */
uint64_t bitboard_waves_bytes(const game_bitboards_plan *plan);

/* Reads the cells of a solved slice. After bitboard_reader_move, `state` has the cells first … end − 1 of the
 * table, among them the one that was asked for. Each thread opens and closes its own reader. */
typedef struct {
  game_bitboards_state state;
  uint64_t first, end;
  bool depths;
  uint64_t sets[2][BITBOARDS_MOST_UNIT]; /* the sets of a slice that has them in its log */
} bitboard_reader;
void bitboard_reader_open(bool depths, bitboard_reader *reader);
tauler_error bitboard_reader_move(const bitboard_slice *slice, uint64_t cell, bitboard_reader *reader,
                                  tauler_message *message);
void bitboard_reader_close(const bitboard_slice *slice, bitboard_reader *reader);

/* The state of a slice for its kernels. */
game_bitboards_state bitboard_slice_state(const bitboard_slices *finished, const bitboard_slice *slice);

#endif
