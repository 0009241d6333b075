/* Allocates and loads the bitboards of a slice, computes their sizes, and reads its cells. */
#include "solver/engines/bitboard/bitboard.h"

#include <string.h>

#include "databases/streams.h"
#include "recover/bitboards.h"
#include "solver/engines/bitboard/cut.h"
#include "solver/engines/bitboard/work.h"
#include "solver/tables/slice_tables.h"

int bitboard_threads(const workspace *work, const game_bitboards_plan *plan) {
  return plan->blocks < BITBOARDS_WORTH_THREADS || work->threads < 1 ? 1 : work->threads;
}

uint64_t bitboard_scratch_bytes(const game_bitboards_plan *plan, int threads) {
  return (uint64_t)threads * ((plan->scratch_bytes + 127) / 64 * 64);
}

uint64_t bitboard_whole_bytes(const workspace *work, const game_bitboards_plan *plan) {
  const int threads = bitboard_threads(work, plan);
  const uint64_t waves = bitboard_waves_bytes(plan) + bitboard_scratch_bytes(plan, threads),
                 load = recover_bitboards_bytes(plan, threads);
  return bitboard_arrays_bytes(plan, 0, ARRAYS_KEPT) + (waves > load ? waves : load);
}

typedef struct {
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  bool cuts;
  int threads;
} solve_plan;

static solve_plan plan_solve(const solve_job *job, uint32_t slice) {
  solve_plan w = {.cuts = false};
  job->problem.game->bitboards->plan(job->problem.rules, slice, &w.plan);
  w.cuts = bitboard_cut_choose(job, slice, &w.plan, &w.cut);
  w.threads = bitboard_threads(&job->work, &w.plan);
  return w;
}

/* Returns the job with `ranks` ranks, and with one thread, so that ranks that have different numbers of
 * threads find the same bytes. */
static solve_job job_with_one_thread(const solve_job *job, int ranks) {
  solve_job by = *job;
  by.work.threads = 1;
  by.ranks = ranks;
  return by;
}

bool bitboard_slice_is_shared(const solve_job *job, uint32_t slice, int ranks, bool outweighs) {
  const uint64_t least = UINT64_C(1) << 22; /* a smaller slice is solved in a tenth of a second */
  const game_bitboards_parts *parts = job->problem.game->bitboards->parts;
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  if (ranks <= 1 || !parts || job->problem.game->positions(job->problem.rules, slice) < least) return false;
  job->problem.game->bitboards->plan(job->problem.rules, slice, &plan);
  const solve_job alone = job_with_one_thread(job, 1), by_all = job_with_one_thread(job, ranks);
  const bool is_held = !job->room || bitboard_whole_bytes(&alone.work, &plan) <= job->room;
  if (!plan.sweeps && is_held && !outweighs) return false;
  if (plan.sweeps && (!parts->deal || !parts->deal(job->problem.rules, slice, (uint32_t)ranks, &cut) ||
                      cut.read_bytes > EXCHANGE_PACKET))
    return false;
  const uint64_t shared = bitboard_slice_bytes(&by_all, slice);
  return !job->room || shared <= job->room || shared <= bitboard_slice_bytes(&alone, slice);
}

uint64_t bitboard_slice_finished_bytes(const solve_job *job, uint32_t slice) {
  const solve_plan w = plan_solve(job, slice);
  return w.cuts ? bitboard_cut_finished_bytes(&w.plan, &w.cut, w.threads)
                : bitboard_arrays_bytes(&w.plan, 0, ARRAYS_KEPT);
}

uint64_t bitboard_slice_bytes(const solve_job *job, uint32_t slice) {
  const solve_plan w = plan_solve(job, slice);
  if (!w.cuts) return bitboard_whole_bytes(&job->work, &w.plan);
  return bitboard_cut_bytes(&job->work, &w.plan, &w.cut) + bitboard_scratch_bytes(&w.plan, w.threads);
}

uint64_t bitboard_slice_waiting_bytes(const solve_job *job, uint32_t slice, uint32_t *parts) {
  const solve_plan w = plan_solve(job, slice);
  *parts = w.cuts && !bitboard_cut_is_shared(&w.cut) ? w.cut.parts : 1;
  return w.cuts ? bitboard_cut_waiting_bytes(&w.plan, &w.cut) : 0;
}

tauler_error bitboard_slice_open(const solve_job *job, uint32_t slice, bool cuts, bitboard_slice *out,
                                 tauler_message *message) {
  const game_bitboards *kernels = job->problem.game->bitboards;
  *out = (bitboard_slice){.slice = slice,
                          .positions = job->problem.game->positions(job->problem.rules, slice),
                          .kernels = kernels};
  kernels->plan(job->problem.rules, slice, &out->plan);
  tauler_error error = kernels->open(job->problem.rules, slice, &out->tables);
  if (error) {
    out->tables = NULL;
    error = tauler_fail(message, error, "no memory for the tables of slice %u", slice);
  }
  if (cuts && (job->work.spill_folder || job->ranks > 1) &&
      bitboard_cut_choose(job, slice, &out->plan, &out->cut)) {
    const tauler_error lost = bitboard_cut_agree(job, slice, &out->plan, &out->cut, error ? NULL : message);
    if (!error) error = lost;
    if (!error) kernels->parts->order(out->tables, &out->cut);
    if (!error && out->plan.sweeps) error = bitboard_cut_allocate(&job->work, out, message);
    if (!error && !out->plan.sweeps && !out->cut.in_memory)
      error = bitboard_disk_open(&job->work, out, message);
  }
  if (!error && !out->log) {
    game_bitboards_state state = {.won = NULL};
    error = bitboard_arrays_open(job->work.memory, out, 0, ARRAYS_KEPT, &state, message);
    out->won = state.won;
    out->lost = state.lost;
    out->depth = state.depth;
  }
  if (error) bitboard_slice_close(job->work.memory, out);
  return error;
}

void bitboard_slice_close(memory_budget *memory, bitboard_slice *slice) {
  if (slice->tables) slice->kernels->close(slice->tables);
  bitboard_disk_close(slice);
  memory_free(memory, slice->won);
  memory_free(memory, slice->lost);
  memory_free(memory, slice->depth);
  bitboard_log_close(slice->log);
  memset(slice, 0, sizeof *slice);
}

game_bitboards_state bitboard_slice_state(const game_bitboards_finished *finished,
                                          const bitboard_slice *slice) {
  return (game_bitboards_state){
      .won = slice->won, .lost = slice->lost, .depth = slice->depth, .finished = finished};
}

static void note_progress(void *user) {
  comm_note_progress(user);
}

tauler_error bitboard_slice_load(const build_job *build, const solve_job *job,
                                 const game_bitboards_finished *finished, uint32_t slice, bitboard_slice *out,
                                 tauler_message *message) {
  table *values = NULL, *depths = NULL;
  uint32_t deepest = 0;
  tauler_error error = bitboard_slice_open(job, slice, false, out, message);
  if (error) return error;
  error = slice_table_need(build, slice, STREAM_VALUE, &values, message);
  if (!error) error = slice_table_need(build, slice, STREAM_DEPTH, &depths, message);
  const recover_bitboards_job load = {.game = job->problem.game,
                                      .rules = job->problem.rules,
                                      .slice = slice,
                                      .plan = &out->plan,
                                      .tables = out->tables,
                                      .state = bitboard_slice_state(finished, out),
                                      .values = values,
                                      .depths = depths,
                                      .folder = build->folder,
                                      .threads = bitboard_threads(&job->work, &out->plan),
                                      .memory = job->work.memory,
                                      .note = note_progress,
                                      .user = job->work.comm};
  if (!error) error = recover_bitboards(&load, &deepest, message);
  out->longest = (uint16_t)deepest;
  table_close(values);
  table_close(depths);
  if (error) bitboard_slice_close(job->work.memory, out);
  return error;
}

tauler_error bitboard_work_outcome(const bitboard_work *work, tauler_message *message) {
  const tauler_error error = failure_outcome(&work->failed, message);
  if (!error || work->failed.message.text[0]) return error;
  return tauler_fail(message, error, "a kernel gave slice %u up: %s", work->slice->slice,
                     tauler_error_name(error));
}

static tauler_error read_unit(const bitboard_slice *slice, uint64_t unit, bitboard_reader *reader,
                              tauler_message *message) {
  game_bitboards_state *state = &reader->state;
  const uint64_t from = unit * bitboards_unit(slice->plan.blocks);
  tauler_error error = TAULER_OK;
  uint64_t **const words[] = {[LOG_WON] = &state->won, [LOG_LOST] = &state->lost};
  state->depth_from = from;
  for (int set = 0; set < LOG_SETS && !error; set++) {
    if (*words[set]) {
      *words[set] += from;
      continue;
    }
    *words[set] = reader->sets[set];
    error = bitboard_log_get(slice->log, set, unit, reader->sets[set], message);
  }
  if (error || !reader->depths) return error;
  return bitboard_log_read_codes(slice->log, slice->kernels->parts, slice->tables, unit, state, message);
}

tauler_error bitboard_reader_move(const bitboard_slice *slice, uint64_t cell, bitboard_reader *reader,
                                  tauler_message *message) {
  const uint64_t each = bitboards_unit(slice->plan.blocks) * 64;
  if (cell >= reader->first && cell < reader->end) return TAULER_OK;
  bitboard_reader_close(slice, reader);
  reader->state = bitboard_slice_state(NULL, slice);
  reader->first = 0;
  reader->end = UINT64_MAX;
  if (!slice->log) return TAULER_OK;
  reader->first = cell / each * each;
  reader->end = reader->first + each;
  const tauler_error error = read_unit(slice, cell / each, reader, message);
  if (error) reader->end = 0;
  return error;
}

void bitboard_reader_close(const bitboard_slice *slice, bitboard_reader *reader) {
  if (slice->log) bitboard_log_leave_codes(slice->log, &reader->state);
}
