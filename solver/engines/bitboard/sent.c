/* Predicts how much ranks that share a slice will send each other, from a slice that was solved. */
#include <zstd.h>

#include "parallel/receive_queue.h"
#include "solver/engines/bitboard/cut.h"

enum { DEPTHS = BITBOARDS_MOST_WAVES + 2 };

/* Buffers for one unit. */
typedef struct {
  ZSTD_CCtx *compressor;
  uint64_t cells; /* cells in a unit */
  size_t piece_bytes;
  arena lists;
  int8_t *values;
  uint16_t *depths;
  uint64_t *words;
  void *piece;
} unit_sample;

static void list_buffers(arena *a, void *of) {
  unit_sample *sample = of;
  sample->values = arena_allocate(a, sample->cells, sizeof *sample->values);
  sample->depths = arena_allocate(a, sample->cells, sizeof *sample->depths);
  sample->words = arena_allocate(a, sample->cells / 64, sizeof *sample->words);
  sample->piece = arena_allocate(a, sample->piece_bytes, 1);
}

/* Bytes of one piece for each depth among these cells, with the number of its unit. */
static uint64_t packed_bytes(unit_sample *sample, uint64_t count) {
  bool seen[DEPTHS] = {false};
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < count; i++) seen[sample->depths[i]] = true;
  for (int depth = 1; depth < DEPTHS; depth++) {
    if (!seen[depth]) continue;
    for (uint64_t i = 0; i < sample->cells; i += 64) {
      uint64_t word = 0;
      for (uint64_t j = 0; j < 64 && i + j < count; j++)
        word |= (uint64_t)(sample->depths[i + j] == depth) << j;
      sample->words[i / 64] = word;
    }
    const size_t used = ZSTD_compress2(sample->compressor, sample->piece, sample->piece_bytes, sample->words,
                                       sample->cells / 8);
    bytes += packet_record_bytes(sizeof(uint64_t) + (ZSTD_isError(used) ? 0 : used));
  }
  return bytes;
}

double bitboard_slice_packed(const bitboard_slice *slice) {
  enum { SAMPLES = 48 };
  const game_bitboards_state state = bitboard_slice_state(NULL, slice);
  uint64_t bytes = 0, seen = 0;
  if (!slice->plan.sweeps || !slice->kernels->parts || !slice->won) return 0;
  unit_sample sample = {.compressor = bitboard_log_compressor(),
                        .cells = bitboards_unit(slice->plan.blocks) * 64,
                        .piece_bytes = bitboard_log_piece_bytes(slice->plan.blocks)};
  if (!arena_fill(&sample.lists, NULL, "a sample of a slice", list_buffers, &sample, NULL) &&
      sample.compressor) {
    const uint64_t step = (slice->positions / sample.cells / SAMPLES + 1) * sample.cells;
    for (uint64_t first = 0; first < slice->positions; first += step) {
      const uint64_t rest = slice->positions - first, count = rest < sample.cells ? rest : sample.cells;
      slice->kernels->gather(slice->tables, &state, first, count, sample.values, sample.depths);
      bytes += packed_bytes(&sample, count);
      seen += count;
    }
  }
  ZSTD_freeCCtx(sample.compressor);
  arena_close(&sample.lists);
  return seen ? (double)bytes / (double)seen : 0;
}

/* If several ranks write blocks of a unit, each sends a piece of its own, in at most half of the waves. */
uint64_t bitboard_slice_sent(const solve_job *job, uint32_t slice, double waves, double packed) {
  const double frame = 24; /* bytes of a further piece, over all waves */
  const game_bitboards *kernels = job->problem.game->bitboards;
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  kernels->plan(job->problem.rules, slice, &plan);
  if (!plan.sweeps || !bitboard_slice_is_shared(job, slice, job->ranks, false) ||
      !bitboard_cut_choose(job, slice, &plan, &cut))
    return 0;
  const uint64_t units = (plan.blocks - 1) / bitboards_unit(plan.blocks) + 1;
  const double more = (double)(cut.rank_units > units ? cut.rank_units - units : 0);
  const double cells = packed * (double)plan.positions + frame * more * waves;
  return (uint64_t)(waves * (double)cut.sent_bytes + (double)(cut.ranks - 1) * cells);
}
