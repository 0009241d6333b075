/* Chooses the cut of a slice. If waves sweep, loads and saves the blocks of its parts; the log has the
 * others. */
#include "solver/engines/bitboard/cut.h"

#include <string.h>

#include "solver/engines/bitboard/work.h"

/* --- bytes --- */

static uint64_t set_bytes(const game_bitboards_plan *plan) {
  return plan->blocks * sizeof(uint64_t);
}

static uint64_t part_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  const uint64_t words = bitboard_cut_is_shared(cut) ? cut->part_pages * BITBOARDS_PAGE
                                                     : cut->part_units * bitboards_unit(plan->blocks);
  const uint64_t most = words * sizeof(uint64_t);
  return cut->parts == 1 || most > set_bytes(plan) ? set_bytes(plan) : most;
}

static uint64_t unit_list_bytes(const game_bitboards_cut *cut) {
  return cut->part_units * sizeof(uint32_t);
}

uint64_t bitboard_cut_finished_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut,
                                     int threads) {
  if (!plan->sweeps)
    return cut->in_memory ? bitboard_arrays_bytes(plan, 0, ARRAYS_KEPT)
                          : bitboard_disk_bytes(plan, cut, ARRAYS_KEPT);
  return (cut->parts == 1 ? 2 * set_bytes(plan) : 0) +
         bitboard_log_bytes(plan->blocks, plan->columns, threads);
}

/* If waves sweep, memory holds one whole set, the buffers of the log, and the spare words. In one process it
 * also holds a part of the other set and of the decided cells; over ranks it also holds this rank's parts of
 * the other set, and packets. */
uint64_t bitboard_cut_bytes(const workspace *work, const game_bitboards_plan *plan,
                            const game_bitboards_cut *cut) {
  if (!plan->sweeps)
    return (cut->in_memory ? bitboard_arrays_bytes(plan, 0, ARRAYS_KEPT) + bitboard_waves_bytes(plan)
                           : bitboard_disk_bytes(plan, cut, ARRAYS)) +
           (bitboard_cut_is_shared(cut) ? bitboard_ranks_bytes(work, plan, cut) : 0);
  const int threads = bitboard_threads(work, plan);
  const uint64_t part = part_bytes(plan, cut);
  return set_bytes(plan) + bitboard_log_bytes(plan->blocks, plan->columns, threads) + unit_list_bytes(cut) +
         (bitboard_cut_is_shared(cut) ? part + bitboard_ranks_bytes(work, plan, cut)
                                      : 2 * part + plan->spare * sizeof(uint64_t)) +
         bitboard_changes_bytes(plan, cut);
}

/* The numbers are bits per position, a little more than measured: 0.5 for decided cells, and for both sets
 * 0.6, or 2 over ranks, where sets are not compressed. */
uint64_t bitboard_cut_waiting_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  if (cut->in_memory) return 0;
  if (!plan->sweeps) return bitboard_disk_waiting_bytes(plan) * cut->ranks;
  const double decided = 0.5, sets = bitboard_cut_is_shared(cut) ? 2 : cut->parts > 1 ? 0.6 : 0;
  return (uint64_t)((double)plan->positions * cut->ranks * (decided + sets) / 8);
}

/* Plans a cut of this fineness. Over ranks, part p belongs to rank p mod ranks. If the game has no cut of
 * this fineness, returns false and does not change *cut. */
static bool plan_parts(const solve_job *job, uint32_t slice, uint32_t fineness, game_bitboards_cut *cut) {
  game_bitboards_cut found;
  const uint32_t ranks = job->ranks > 1 ? (uint32_t)job->ranks : 1;
  if (!job->problem.game->bitboards->parts->plan(job->problem.rules, slice, fineness, &found)) return false;
  *cut = found;
  cut->ranks = ranks;
  for (uint32_t part = 0; part < cut->parts; part++) cut->owner[part] = (uint16_t)(part % ranks);
  return true;
}

static uint64_t cut_bytes(const solve_job *job, const game_bitboards_plan *plan,
                          const game_bitboards_cut *cut) {
  return bitboard_cut_bytes(&job->work, plan, cut) +
         bitboard_scratch_bytes(plan, bitboard_threads(&job->work, plan));
}

static bool cut_fits(const solve_job *job, const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  return !job->room || cut_bytes(job, plan, cut) <= job->room;
}

/* Plans four parts per rank or more, if the game has such a cut, so that ranks have about the same work in
 * each wave. Returns false if the game cannot cut the slice or memory does not hold all blocks. */
static bool choose_in_memory(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                             game_bitboards_cut *cut) {
  enum { PARTS_OF_RANK = 4 };
  uint32_t fineness = 0;
  while (plan_parts(job, slice, fineness, cut) && cut->parts < PARTS_OF_RANK * cut->ranks) fineness++;
  cut->in_memory = cut->parts > 0;
  return cut->in_memory && cut_fits(job, plan, cut);
}

bool bitboard_cut_choose(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                         game_bitboards_cut *cut) {
  const game_bitboards_parts *parts = job->problem.game->bitboards->parts;
  const bool shared = job->ranks > 1;
  *cut = (game_bitboards_cut){.parts = 0};
  if (!parts) return false;
  if (shared && plan->sweeps) return parts->deal(job->problem.rules, slice, (uint32_t)job->ranks, cut);
  if (!shared && (!job->room || bitboard_whole_bytes(&job->work, plan) <= job->room)) return false;
  if (shared && choose_in_memory(job, slice, plan, cut)) return true;
  /* If no cut fits, chooses the one that needs least: the allocation that fails then says what is missing. */
  uint64_t least = shared ? UINT64_MAX : bitboard_whole_bytes(&job->work, plan);
  uint32_t smallest = 0;
  for (uint32_t fineness = 0; plan_parts(job, slice, fineness, cut); ++fineness) {
    const uint64_t bytes = cut_bytes(job, plan, cut);
    if (cut->parts < cut->ranks || bytes >= least) continue;
    if (cut_fits(job, plan, cut)) return true;
    least = bytes;
    smallest = fineness;
  }
  const bool found = shared || least < bitboard_whole_bytes(&job->work, plan);
  return found && plan_parts(job, slice, smallest, cut);
}

tauler_error bitboard_cut_agree(const solve_job *job, uint32_t slice, const game_bitboards_plan *plan,
                                game_bitboards_cut *cut, tauler_message *message) {
  if (!bitboard_cut_is_shared(cut) || plan->sweeps) return TAULER_OK;
  const bool waits =
      job->work.spill_folder && !cut->in_memory; /* without a folder, the slice is not spilled */
  uint64_t most[] = {cut->fineness, waits};
  const tauler_error error = comm_allreduce(job->work.comm, COMM_MAX, most, 2, message);
  if (!error) plan_parts(job, slice, (uint32_t)most[0], cut);
  cut->in_memory = !most[1];
  return error;
}

/* --- memory --- */

static tauler_error allocate_part(memory_budget *memory, const bitboard_slice *slice, const char *what,
                                  void *slot, tauler_message *message) {
  const uint64_t all = set_bytes(&slice->plan);
  if (slice->cut.parts == 1) return memory_allocate(memory, all, what, slot, message);
  return memory_allocate_sparse(memory, all, part_bytes(&slice->plan, &slice->cut), what, slot, message);
}

tauler_error bitboard_cut_allocate(const workspace *work, bitboard_slice *slice, tauler_message *message) {
  const game_bitboards_plan *plan = &slice->plan;
  workspace own = *work;
  own.threads = bitboard_threads(work, plan);
  tauler_error error = bitboard_log_open(&own, plan->blocks, plan->columns, &slice->log, message);
  if (!error)
    error = memory_allocate(work->memory, set_bytes(plan), "the won cells of a slice", &slice->won, message);
  if (error) return error;
  return allocate_part(work->memory, slice, "the lost cells of a slice", &slice->lost, message);
}

tauler_error bitboard_cut_open(bitboard_cut *cut, bitboard_work *work, tauler_message *message) {
  const bitboard_slice *slice = work->slice;
  memory_budget *memory = work->job->work.memory;
  *cut = (bitboard_cut){.work = work};
  const tauler_error error = memory_allocate(memory, unit_list_bytes(&slice->cut),
                                             "the list of a part of a slice", &cut->units, message);
  if (error || bitboard_cut_is_shared(&slice->cut)) return error;
  return allocate_part(memory, slice, "cells that a wave decides", &work->state.decided, message);
}

void bitboard_cut_close(bitboard_cut *cut) {
  if (!cut->work) return;
  memory_budget *memory = cut->work->job->work.memory;
  exchange_close(cut->exchange);
  memory_free(memory, cut->parts_of);
  memory_free(memory, cut->ends);
  memory_free(memory, cut->packets);
  memory_free(memory, cut->units);
  memory_free(memory, cut->work->state.decided);
  cut->work->state.decided = NULL;
}

/* --- units --- */

/* The work on a unit, whose first block is `at`. */
typedef tauler_error unit_work(bitboard_cut *cut, uint64_t unit, uint64_t at, tauler_message *message);

static void work_on_units(bitboard_cut *cut, worker *self, const uint32_t *units, uint64_t n,
                          unit_work *does) {
  uint64_t item;
  while (worker_next(self, n, &item)) {
    tauler_message message = {""};
    const uint64_t unit = units ? units[item] : item;
    tauler_error error = (tauler_error)cut->work->failed.error;
    if (!error) error = does(cut, unit, unit * bitboards_unit(cut->work->slice->plan.blocks), &message);
    failure_note(&cut->work->failed, error, &message);
    comm_note_progress(cut->work->job->work.comm);
  }
}

static uint64_t count_units(const bitboard_cut *cut) {
  return bitboards_units(cut->work->slice->plan.blocks);
}

static bool is_odd_wave(const bitboard_cut *cut) {
  return cut->work->state.wave % 2 == 1;
}

int bitboard_cut_written_set(const bitboard_cut *cut) {
  return is_odd_wave(cut) ? LOG_WON : LOG_LOST;
}

static uint64_t *written_words(const bitboard_cut *cut) {
  return is_odd_wave(cut) ? cut->work->state.won : cut->work->state.lost;
}

static bool has_several_parts(const bitboard_cut *cut) {
  return cut->work->slice->cut.parts > 1;
}

static bool is_shared(const bitboard_cut *cut) {
  return bitboard_cut_is_shared(&cut->work->slice->cut);
}

/* --- waves --- */

static tauler_error get_read_set(bitboard_cut *cut, uint64_t unit, uint64_t at, tauler_message *message) {
  const int set = is_odd_wave(cut) ? LOG_LOST : LOG_WON;
  return bitboard_log_get(cut->work->slice->log, set, unit, cut->work->slice->won + at, message);
}

static tauler_error get_set_to_copy(bitboard_cut *cut, uint64_t unit, uint64_t at, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  return bitboard_log_get(slice->log, bitboard_cut_written_set(cut), unit, slice->won + at, message);
}

/* Copies blocks of the set that the last wave read, since this wave writes that set. */
static void copy_run(void *user, uint64_t first, uint64_t blocks) {
  const bitboard_cut *cut = user;
  const bitboard_slice *slice = cut->work->slice;
  memcpy(slice->lost + first, slice->won + first, blocks * sizeof *slice->won);
}

static void begin_wave(void *user) {
  bitboard_cut *cut = user;
  const bitboard_slice *slice = cut->work->slice;
  if (is_shared(cut)) slice->kernels->parts->visit(slice->tables, cut->parts, copy_run, cut);
  cut->has_begun = true;
  cut->work->state.won = is_odd_wave(cut) ? slice->lost : slice->won;
  cut->work->state.lost = is_odd_wave(cut) ? slice->won : slice->lost;
}

void bitboard_cut_begin_wave(bitboard_cut *cut, worker *self) {
  if (!has_several_parts(cut) || cut->work->state.wave == 0) return;
  if (is_shared(cut) && !cut->has_begun) work_on_units(cut, self, NULL, count_units(cut), get_set_to_copy);
  worker_barrier(self, begin_wave, cut);
  work_on_units(cut, self, NULL, count_units(cut), get_read_set);
  worker_barrier(self, NULL, NULL);
}

static void list_units(void *user, uint64_t first, uint64_t blocks) {
  bitboard_cut *cut = user;
  const uint64_t next = cut->units_used ? cut->units[cut->units_used - 1] + UINT64_C(1) : 0;
  const uint64_t each = bitboards_unit(cut->work->slice->plan.blocks);
  const uint64_t from = first / each, last = (first + blocks - 1) / each;
  for (uint64_t unit = from > next ? from : next; unit <= last; unit++)
    cut->units[cut->units_used++] = (uint32_t)unit;
}

void bitboard_cut_list_units(void *user) {
  bitboard_cut *cut = user;
  const bitboard_slice *slice = cut->work->slice;
  cut->units_used = 0;
  slice->kernels->parts->visit(slice->tables, cut->parts, list_units, cut);
}

void bitboard_cut_list_changed(void *user) {
  bitboard_cut *cut = user;
  const bitboard_slice *slice = cut->work->slice;
  const game_bitboards_changes *changes = cut->work->state.changes;
  const uint64_t units = count_units(cut), each = bitboards_unit(slice->plan.blocks);
  if (changes->used > changes->room) {
    bitboard_cut_list_units(cut);
    return;
  }
  memset(cut->units, 0, units * sizeof *cut->units);
  for (uint64_t i = 0; i < changes->used; i++) cut->units[changes->list[i].block / each] = 1;
  cut->units_used = 0;
  for (uint64_t unit = 0; unit < units; unit++) {
    if (cut->units[unit]) cut->units[cut->units_used++] = (uint32_t)unit;
  }
}

static tauler_error get_written_set(bitboard_cut *cut, uint64_t unit, uint64_t at, tauler_message *message) {
  return bitboard_log_get(cut->work->slice->log, bitboard_cut_written_set(cut), unit, written_words(cut) + at,
                          message);
}

void bitboard_cut_load(bitboard_cut *cut, worker *self, uint32_t part) {
  if (self->number == 0) cut->parts = UINT64_C(1) << part;
  worker_barrier(self, bitboard_cut_list_units, cut);
  if (!has_several_parts(cut)) return;
  work_on_units(cut, self, cut->units, cut->units_used, get_written_set);
  worker_barrier(self, NULL, NULL);
}

static bool holds_any(const uint64_t *words, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    if (words[i]) return true;
  }
  return false;
}

tauler_error bitboard_cut_save_unit(bitboard_cut *cut, uint64_t unit, uint8_t *copy, size_t *n,
                                    tauler_message *message) {
  bitboard_log *log = cut->work->slice->log;
  const game_bitboards_state *state = &cut->work->state;
  const uint64_t blocks = bitboard_log_blocks(log, unit),
                 at = unit * bitboards_unit(cut->work->slice->plan.blocks);
  uint64_t own[BITBOARDS_MOST_UNIT], *decided = is_shared(cut) ? own : state->decided + at;
  tauler_error error = TAULER_OK;
  *n = 0;
  if (is_shared(cut)) {
    memcpy(own, written_words(cut) + at, blocks * sizeof *own);
    error = bitboard_log_join(log, bitboard_cut_written_set(cut), unit, own, message);
  }
  if (error || !holds_any(decided, blocks)) return error;
  error = bitboard_log_add_cells(log, unit, decided, bitboards_code(state->wave), copy, n, message);
  if (!error && has_several_parts(cut) && !is_shared(cut))
    error = bitboard_log_put(log, bitboard_cut_written_set(cut), unit, written_words(cut) + at, message);
  memset(decided, 0, blocks * sizeof *decided);
  return error;
}

static tauler_error save_unit(bitboard_cut *cut, uint64_t unit, uint64_t at, tauler_message *message) {
  size_t n;
  return bitboard_cut_save_unit(cut, unit, NULL, &n, message);
}

static void drop_part(void *user) {
  bitboard_cut *cut = user;
  if (!has_several_parts(cut)) return;
  memory_clear(cut->work->state.decided, set_bytes(&cut->work->slice->plan));
  memory_clear(written_words(cut), set_bytes(&cut->work->slice->plan));
}

void bitboard_cut_save(bitboard_cut *cut, worker *self) {
  worker_barrier(self, NULL, NULL);
  work_on_units(cut, self, cut->units, cut->units_used, save_unit);
  worker_barrier(self, drop_part, cut);
}

/* --- finished slices --- */

void bitboard_cut_finish(const workspace *work, bitboard_slice *slice) {
  if (!slice->log || slice->cut.parts <= 1) return;
  memory_free(work->memory, slice->won);
  memory_free(work->memory, slice->lost);
  slice->won = slice->lost = NULL;
}

/* --- checkpoints --- */

/* The units of the log in one unit of the checkpoint: [first, end). */
typedef struct {
  uint64_t unit; /* blocks in a unit of the log */
  uint64_t first, end;
  size_t words; /* bytes of a set in the unit of the checkpoint */
  size_t codes; /* bytes of a block's codes */
} kept_unit;

static kept_unit find_kept_units(const bitboard_cut *cut, uint64_t tile) {
  const game_bitboards_plan *plan = &cut->work->slice->plan;
  const uint64_t each = cut->layout->groups[0].tile_columns, from = tile * each;
  const uint64_t blocks = plan->blocks - from < each ? plan->blocks - from : each;
  const uint64_t unit = bitboards_unit(plan->blocks);
  return (kept_unit){unit, from / unit, (from + blocks + unit - 1) / unit, blocks * sizeof(uint64_t),
                     plan->columns};
}

static size_t kept_bytes(void *user, uint64_t tile) {
  const kept_unit kept = find_kept_units(user, tile);
  return kept.words / sizeof(uint64_t) * (2 * sizeof(uint64_t) + kept.codes);
}

static tauler_error pack_unit(bitboard_cut *cut, const kept_unit *kept, uint64_t unit, char *bytes,
                              tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const uint64_t at = (unit - kept->first) * kept->unit, blocks = bitboard_log_blocks(slice->log, unit);
  const uint64_t *const sets[LOG_SETS] = {slice->won, slice->lost};
  uint64_t words[BITBOARDS_MOST_UNIT];
  tauler_error error = TAULER_OK;
  for (int set = 0; set < LOG_SETS && !error; set++) {
    if (has_several_parts(cut)) {
      error = bitboard_log_get(slice->log, set, unit, words, message);
    } else {
      memcpy(words, sets[set] + unit * kept->unit, blocks * sizeof *words);
    }
    memcpy(bytes + (size_t)set * kept->words + at * sizeof *words, words, blocks * sizeof *words);
  }
  game_bitboards_state codes = {.depth = NULL};
  if (!error)
    error = bitboard_log_read_codes(slice->log, slice->kernels->parts, slice->tables, unit, &codes, message);
  if (error) return error;
  memcpy(bytes + LOG_SETS * kept->words + at * kept->codes, codes.depth, blocks * kept->codes);
  bitboard_log_leave_codes(slice->log, &codes);
  return TAULER_OK;
}

static tauler_error unpack_set(bitboard_cut *cut, int set, uint64_t unit, const void *bytes,
                               tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const size_t n = bitboard_log_blocks(slice->log, unit) * sizeof(uint64_t);
  uint64_t words[BITBOARDS_MOST_UNIT];
  memcpy(words, bytes, n);
  if (has_several_parts(cut))
    return holds_any(words, n / sizeof *words) ? bitboard_log_put(slice->log, set, unit, words, message)
                                               : TAULER_OK;
  memcpy((set == LOG_WON ? slice->won : slice->lost) + unit * bitboards_unit(slice->plan.blocks), words, n);
  return TAULER_OK;
}

static tauler_error unpack_unit(bitboard_cut *cut, const kept_unit *kept, uint64_t unit, const char *bytes,
                                tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const uint64_t at = (unit - kept->first) * kept->unit;
  tauler_error error = TAULER_OK;
  for (int set = 0; set < LOG_SETS && !error; set++)
    error = unpack_set(cut, set, unit, bytes + (size_t)set * kept->words + at * sizeof(uint64_t), message);
  const char *codes = bytes + LOG_SETS * kept->words + at * kept->codes;
  return error ? error : bitboard_log_add_codes(slice->log, unit, (const uint8_t *)codes, message);
}

/* If `to` is NULL, unpacks from `from`. */
static void pack_or_unpack_units(bitboard_cut *cut, uint64_t tile, char *to, const char *from) {
  const kept_unit kept = find_kept_units(cut, tile);
  tauler_message message = {""};
  tauler_error error = TAULER_OK;
  for (uint64_t unit = kept.first; unit < kept.end && !error; unit++)
    error = to ? pack_unit(cut, &kept, unit, to, &message) : unpack_unit(cut, &kept, unit, from, &message);
  failure_note(&cut->work->failed, error, &message);
}

static void pack_tile(void *user, uint64_t tile, void *bytes) {
  pack_or_unpack_units(user, tile, bytes, NULL);
}

static void unpack_tile(void *user, uint64_t tile, const void *bytes) {
  pack_or_unpack_units(user, tile, NULL, bytes);
}

static tauler_error check_failures(void *user, uint32_t shard, bool changed, tauler_message *message) {
  const bitboard_cut *cut = user;
  return bitboard_work_outcome(cut->work, message);
}

checkpoint_units bitboard_cut_checkpoint_units(bitboard_cut *cut, const slice_layout *layout, void *run,
                                               size_t run_bytes) {
  cut->layout = layout;
  return (checkpoint_units){.user = cut,
                            .layout = layout,
                            .shards_here = 1,
                            .everywhere = bitboard_cut_is_shared(&cut->work->slice->cut),
                            .run = run,
                            .run_bytes = run_bytes,
                            .unload = check_failures,
                            .unit_bytes = kept_bytes,
                            .pack = pack_tile,
                            .unpack = unpack_tile};
}
