/* Private to the engine of words: what threads that go over the tiles of a slice share.
 *
 * A word_work owns the working space of its threads and points to the arrays of its slice. It is opened and
 * closed by one thread; word_work_next and word_work_fail are for all of its crew.
 */
#ifndef SOLVER_ENGINES_BITBOARD_WORK_H
#define SOLVER_ENGINES_BITBOARD_WORK_H

#include <stdatomic.h>

#include "solver/engines/bitboard/bitboard.h"
#include "solver/parallel/workers.h"

/* Below this many blocks a wave is over sooner than threads have met. */
enum { WORDS_WORTH_THREADS = 1 << 12 };

typedef struct {
  const solve_job *job;
  const word_slice *slice;
  const game_words *words;
  game_words_state state;
  int threads;
  uint64_t item_tiles; /* taken at once */
  char *scratch;
  size_t scratch_bytes; /* per thread */
  _Atomic int failed;   /* a tauler_error, the first */
  tauler_message message;
} word_work;

/* Takes won, lost and depth of an empty slice, and opens the game's tables. After an error *out is empty. */
tauler_error word_slice_open(const solve_job *job, uint32_t slice, word_slice *out, tauler_message *message);

tauler_error word_work_open(word_work *work, const solve_job *job, const word_slices *finished,
                            const word_slice *slice, tauler_message *message);
void word_work_close(word_work *work);

/* Tiles [*from, *to) of [first, end) for this member; false when none are left in this round. */
bool word_work_next(const word_work *work, crew_member *member, uint64_t first, uint64_t end, uint64_t *from,
                    uint64_t *to);
char *word_work_scratch(const word_work *work, const crew_member *member);

/* The first failure counts, and its message, which may be NULL. */
void word_work_fail(word_work *work, tauler_error error, const tauler_message *message);
tauler_error word_work_outcome(const word_work *work, tauler_message *message);

/* An array over blocks, of so many bytes each; what is charged for it. */
tauler_error word_array_take(memory_budget *memory, const game_words_plan *plan, uint64_t block_bytes,
                             const char *what, void *slot, tauler_message *message);
uint64_t word_array_bytes(const game_words_plan *plan, uint64_t block_bytes);

int word_threads(const solve_job *job, const game_words_plan *plan);

/* Bytes beyond those of a finished slice: of waves (word_waves.c) and of loading (word_load.c), the working
 * space of kernels left out. */
uint64_t word_waves_bytes(const game_words_plan *plan);
uint64_t word_load_bytes(const game_words_plan *plan, int threads);

/* What a slice's kernels see once it is solved. */
game_words_state word_slice_state(const word_slices *finished, const word_slice *slice);

#endif
