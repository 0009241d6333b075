/* Solves, loads and stores slices as bitboards for a build. */
#include "parallel/receive_queue.h"
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/bitboard/cut.h"
#include "solver/engines/bitboard/work.h"
#include <zstd.h>

static void publish_slice(const engine_run *run, const bitboard_slice *slice) {
  game_bitboards_finished *finished = run->whole.views;
  finished[slice->slice] = (game_bitboards_finished){slice->won, slice->lost, slice->depth};
}

static bool is_here(const void *slice) {
  return ((const bitboard_slice *)slice)->tables != NULL;
}

static void free_slice(memory_budget *memory, void *slice) {
  bitboard_slice_close(memory, slice);
}

/* --- bytes that ranks send each other, measured on a solved slice --- */

enum { DEPTHS = BITBOARDS_MOST_WAVES + 2 };

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

/* Returns the bytes in which a rank sends the first `count` cells of the sample: for each depth, a record
 * with the number of the unit and the compressed cells of that depth. */
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

/* Measures, on some units of a solved slice, the bytes per position in which a rank sends decided cells in
 * waves that sweep. Returns 0 if waves go by marks, the game cannot cut slices, the sets are not in memory,
 * or memory is missing. */
static double measure_packed_bytes(const bitboard_slice *slice) {
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

/* Returns the bytes that ranks send each other while they share a slice whose waves sweep, otherwise 0. If
 * several ranks write blocks of a unit, each sends a piece of its own. */
static uint64_t sent_bytes(const solve_job *job, uint32_t slice, double waves, double packed) {
  const double frame = 24; /* mean bytes per wave of a further piece of a unit */
  const game_bitboards *kernels = job->problem.game->bitboards;
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  kernels->plan(job->problem.rules, slice, &plan);
  if (!plan.sweeps || !bitboard_slice_is_shared(job, slice, job->ranks, false) ||
      !bitboard_cut_choose(job, slice, &plan, &cut))
    return 0;
  const uint64_t units = bitboards_units(plan.blocks);
  const double more = (double)(cut.rank_units > units ? cut.rank_units - units : 0);
  const double cells = packed * (double)plan.positions + frame * more * waves;
  return (uint64_t)(waves * (double)cut.sent_bytes + (double)(cut.ranks - 1) * cells);
}

/* --- functions of the engine --- */

static tauler_error solve_task(engine_run *run, engine_task *task, void *out, tauler_message *message) {
  bitboard_slice *slice = out;
  solve_effort effort = {0};
  const double start = engine_task_time(task);
  tauler_error error = bitboard_slice_solve(task->solving, run->whole.views,
                                            run->slices.slices[task->place].slice, slice, &effort, message);
  const double solved = engine_task_time(task);
  task->shown = effort.shown;
  task->solved = solved - start;
  if (error) return error;
  if (task->stores) error = bitboard_slice_write(run->job, task->solving, slice, task->written, message);
  task->wrote = engine_task_time(task) - solved;
  if (error) return error;
  task->tables = task->stores ? BITBOARD_TABLES : 0;
  if (!task->stores) task->tried = (engine_trial){slice->waves, slice->swept, measure_packed_bytes(slice)};
  publish_slice(run, slice);
  return TAULER_OK;
}

static tauler_error load_task(engine_run *run, engine_task *task, void *slice, tauler_message *message) {
  const tauler_error error = bitboard_slice_load(run->job, task->solving, run->whole.views,
                                                 run->slices.slices[task->place].slice, slice, message);
  if (!error) publish_slice(run, slice);
  return error;
}

static bool serves(const game *game, const game_rules *rules) {
  return game->bitboards != NULL;
}

static const whole_engine bitboard_whole = {.side_by_side = true,
                                            .slice_bytes = sizeof(bitboard_slice),
                                            .view_bytes = sizeof(game_bitboards_finished),
                                            .solve = solve_task,
                                            .load = load_task,
                                            .free = free_slice,
                                            .is_here = is_here,
                                            .task_bytes = bitboard_slice_bytes,
                                            .finished_bytes = bitboard_slice_finished_bytes,
                                            .sent_bytes = sent_bytes,
                                            .waiting_bytes = bitboard_slice_waiting_bytes,
                                            .is_shared = bitboard_slice_is_shared};

const engine engine_bitboard = {.name = "bitboard", .serves = serves, .whole = &bitboard_whole};
