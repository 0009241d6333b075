/* Decides the cells of a slice wave by wave, until no wave can decide more.
 *
 * A wave computes the blocks that earlier waves marked or, if it sweeps, all blocks. It also decides the
 * cells whose conversions fall due in it. After two waves that decide nothing, only such a conversion can
 * decide further cells, and none falls due after wave `latest`.
 *
 * The sets are `won` and `lost`; a wave reads one and writes the other. run_wave calls one of these
 * functions for a wave. The right column says which arrays are in memory; the others are in the log or a
 * file.
 *
 *    waves   slice held by         function               in memory
 *    any     one process, whole    run_group, run_groups  all arrays
 *    sweep   one process, cut      run_parts (cut.c)      the set it reads, one part of the set it writes
 *    sweep   ranks that share it   run_steps (ranks.c)    the set it reads, this rank's parts of the other
 *    sweep   one process           run_changes            all arrays, or all but depths
 *    marks   one process, cut      run_marks (disk.c)     pages of one part
 *    marks   ranks that share it   run_marks (ranks.c)    all arrays, or pages of one part (disk.c)
 *
 * run_changes replaces a sweep if the wave before decided few cells, and computes the wave from these cells
 * alone.
 */
#include <stdio.h>
#include <string.h>

#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/bitboard/cut.h"
#include "solver/engines/bitboard/work.h"

typedef struct {
  uint64_t wave;
  uint64_t decided_last, decided_before; /* cells decided in the last wave, and in the one before it */
  uint64_t latest;                       /* last wave in which a conversion falls due */
  uint64_t longest;                      /* last wave that decided a cell */
  uint64_t shown;                        /* positions that the progress has counted as done */
} wave_progress;

typedef struct {
  bitboard_work work;
  wave_progress run;
  _Atomic uint64_t decided;
  /* last wave in which a conversion falls due, among those found in this wave or before */
  _Atomic uint64_t latest_found;
  /* Set when a wave ends. over: no wave follows. too_long: play is longer than codes can count. */
  bool over, too_long;
  bool failed_elsewhere; /* true if any rank that shares the slice has failed */
  bool resumed;
  uint64_t swept;                    /* waves that did not follow changes */
  bool follows;                      /* true if this wave starts from the changes of the wave before */
  game_bitboards_changes changes[2]; /* changes of even and of odd waves */
  bitboard_cut cut;                  /* used if the slice has a log or ranks share it */
  slice_layout *layout;              /* layout of the slice's blocks. Its tiles are a checkpoint's units */
  unit_arrays kept;
  checkpoint_units units;
  checkpointer checkpointer;
} bitboard_run;

/* Returns the number of tiles that a worker gets at once: so small that workers end together, and so large
 * that getting them costs little. */
static uint64_t choose_item_tiles(const game_bitboards_plan *plan, int threads) {
  enum { BLOCKS = 1024, ITEMS = 16 };
  const uint64_t blocks = plan->tile_blocks > 0 ? plan->tile_blocks : 1;
  uint64_t tiles = BLOCKS / blocks;
  const uint64_t fair = plan->tiles / ((uint64_t)threads * ITEMS);
  if (threads > 1 && tiles > fair) tiles = fair;
  return tiles > 0 ? tiles : 1;
}

static tauler_error open_work(bitboard_work *work, const solve_job *job,
                              const game_bitboards_finished *finished, const bitboard_slice *slice,
                              tauler_message *message) {
  const int threads = bitboard_threads(&job->work, &slice->plan);
  *work = (bitboard_work){.job = job,
                          .slice = slice,
                          .state = bitboard_slice_state(finished, slice),
                          .threads = threads,
                          .item_tiles = choose_item_tiles(&slice->plan, threads),
                          .scratch_bytes = bitboard_scratch_bytes(&slice->plan, 1)};
  return memory_allocate_array(job->work.memory, (uint64_t)threads, work->scratch_bytes,
                               "the working space of the threads", &work->scratch, message);
}

/* Sets [*from, *to) to the next items of this worker among the tiles or changes [first, end). Returns false
 * if none is left. */
static bool find_next_items(const bitboard_work *work, worker *self, uint64_t first, uint64_t end,
                            uint64_t *from, uint64_t *to) {
  const uint64_t tiles = end - first;
  uint64_t item;
  if (!worker_next(self, (tiles + work->item_tiles - 1) / work->item_tiles, &item)) return false;
  *from = first + item * work->item_tiles;
  *to = end - *from < work->item_tiles ? end : *from + work->item_tiles;
  comm_note_progress(work->job->work.comm);
  return true;
}

static tauler_error allocate_changes(bitboard_run *r, tauler_message *message) {
  const uint64_t room = bitboard_changes_room(&r->work.slice->plan, &r->work.slice->cut);
  game_bitboards_change *list;
  if (!room) return TAULER_OK;
  const tauler_error error = memory_allocate_array(r->work.job->work.memory, 2 * room, sizeof *list,
                                                   "the changes of a slice", &list, message);
  if (error) return error;
  r->changes[0] = (game_bitboards_changes){list, room, 0};
  r->changes[1] = (game_bitboards_changes){list + room, room, 0};
  r->work.state.changes = r->changes;
  return TAULER_OK;
}

static tauler_error allocate_arrays(bitboard_run *r, tauler_message *message) {
  memory_budget *memory = r->work.job->work.memory;
  const game_bitboards_plan *plan = &r->work.slice->plan;
  game_bitboards_state *state = &r->work.state;
  const bool shared = bitboard_cut_is_shared(&r->work.slice->cut);
  r->cut.work = &r->work;
  tauler_error error = bitboard_arrays_open(memory, r->work.slice, ARRAYS_KEPT, ARRAYS, state, message);
  if (!error && !r->work.slice->disk && plan->spare && !shared)
    error = memory_allocate_array(memory, plan->spare, sizeof(uint64_t), "the working words of a slice",
                                  &state->spare, message);
  if (!error && r->work.slice->log) error = bitboard_cut_open(&r->cut, &r->work, message);
  if (!error && shared) error = bitboard_ranks_open(&r->cut, message);
  return error || r->work.slice->disk ? error : allocate_changes(r, message);
}

uint64_t bitboard_waves_bytes(const game_bitboards_plan *plan) {
  return bitboard_arrays_bytes(plan, ARRAYS_KEPT, ARRAYS) + plan->spare * sizeof(uint64_t) +
         bitboard_changes_bytes(plan, &(game_bitboards_cut){.parts = 0});
}

static void close_run(bitboard_run *r) {
  memory_budget *memory = r->work.job->work.memory;
  game_bitboards_state *state = &r->work.state;
  bitboard_arrays_close(memory, r->work.slice, ARRAYS_KEPT, ARRAYS, state);
  memory_free(memory, state->spare);
  memory_free(memory, r->changes[0].list);
  bitboard_cut_close(&r->cut);
  layout_close(r->layout);
  memory_free(memory, r->work.scratch);
}

/* Returns the number of blocks in a unit of a checkpoint. Units are so small that threads can share the
 * packing, and so large that their heads cost little. */
static uint64_t blocks_of_unit(uint64_t blocks) {
  enum { LEAST = 1 << 12, MOST_UNITS = 1 << 16 };
  uint64_t unit = LEAST;
  while (blocks > unit * MOST_UNITS) unit *= 2;
  return unit;
}

static void note_read_unit(const bitboard_run *r) {
  const game_grid_group *group = &r->layout->groups[0];
  bitboard_disk_note_read(r->work.slice,
                          group->columns < group->tile_columns ? group->columns : group->tile_columns);
}

static void pack_unit(void *user, uint64_t tile, void *bytes) {
  unit_arrays_pack(user, tile, bytes);
  note_read_unit(((unit_arrays *)user)->owner);
}

static void unpack_unit(void *user, uint64_t tile, const void *bytes) {
  unit_arrays_unpack(user, tile, bytes);
  note_read_unit(((unit_arrays *)user)->owner);
}

static void report_progress(bitboard_run *r, uint64_t positions) {
  if (r->work.job->work.shown) progress_add(r->work.job->work.shown, positions);
}

/* Adds the order of blocks, so that a checkpoint with another order is refused. */
static void add_order_to_identity(bitboard_run *r) {
  const uint32_t order = r->work.slice->plan.order;
  char *identity = r->checkpointer.identity;
  const size_t used = strlen(identity);
  if (order) snprintf(identity + used, CHECKPOINT_IDENTITY_BYTES - used, " order %u", order);
}

/* True if this rank owns a unit. Only its owner has its marks and held cells. */
static bool owns_unit(void *user, uint64_t tile) {
  const bitboard_run *r = ((unit_arrays *)user)->owner;
  const uint64_t run = tile / r->layout->groups[0].tiles;
  const uint32_t part = bitboard_ranks_part_of(&r->cut, run * r->work.slice->plan.run_blocks);
  return r->work.slice->cut.owner[part] == (uint32_t)comm_rank(r->work.job->work.comm);
}

/* If ranks do not share the slice, this process solves it alone and owns the checkpoint, even if the job has
 * several ranks. */
static tauler_error resume_run(bitboard_run *r, tauler_message *message) {
  const solve_job *job = r->work.job;
  const bitboard_slice *slice = r->work.slice;
  if (!job->checkpoints) return TAULER_OK;
  const uint64_t blocks = slice->plan.blocks, run = slice->plan.run_blocks ? slice->plan.run_blocks : blocks;
  comm *shared = bitboard_cut_is_shared(&slice->cut) ? job->work.comm : NULL;
  tauler_error error = comm_agree(
      shared, layout_open_items(slice->slice, blocks, run, blocks_of_unit(blocks), &r->layout, message),
      message);
  if (error) return error;
  if (slice->log) {
    r->units = bitboard_cut_checkpoint_units(&r->cut, r->layout, &r->run, sizeof r->run);
  } else {
    r->kept = (unit_arrays){.layout = r->layout, .owner = r};
    for (int array = 0; array < ARRAYS; array++) {
      void *block;
      memcpy(&block, bitboard_array_slot(&r->work.state, array), sizeof block);
      unit_arrays_append(&r->kept, UNIT_SPARSE, block, bitboard_block_bytes(&slice->plan, array));
    }
    r->units = unit_arrays_checkpoint_units(&r->kept, &r->run, sizeof r->run);
    r->units.pack = pack_unit;
    r->units.unpack = unpack_unit;
    r->units.everywhere = bitboard_cut_is_shared(&slice->cut);
    r->units.saves = owns_unit;
  }
  r->units.done = &r->run.shown;
  solve_job own = *job;
  own.work.comm = shared;
  checkpointer_open(&r->checkpointer, &own, slice->slice, "words", &r->units);
  add_order_to_identity(r);
  error = checkpointer_resume(&r->checkpointer, &r->resumed, message);
  if (error || !r->resumed) return error;
  r->work.state.wave = (uint16_t)r->run.wave;
  report_progress(r, r->run.shown);
  return TAULER_OK;
}

/* Shows decided cells as positions. A slice may have more cells than positions: a position and its mirror
 * image may be two cells, while the table counts them as one position. */
static void show_decided(bitboard_run *r) {
  const uint64_t rest = r->work.slice->positions - r->run.shown;
  const uint64_t step = r->run.decided_last < rest ? r->run.decided_last : rest;
  r->run.shown += step;
  report_progress(r, step);
}

/* Only wave 0 finds conversions. */
static void add_up_ranks(bitboard_run *r) {
  uint64_t numbers[] = {r->decided, r->work.failed.error != TAULER_OK}, latest = r->latest_found;
  bitboard_ranks_reduce(&r->cut, COMM_SUM, numbers, 2);
  if (r->run.wave == 0) bitboard_ranks_reduce(&r->cut, COMM_MAX, &latest, 1);
  r->latest_found = latest;
  r->decided = numbers[0];
  r->failed_elsewhere = numbers[1] > 0;
}

/* True if `wave` is a depth that no code holds (game_bitboards.h). Such a wave runs only to find out whether
 * play is longer than codes can count. */
static bool is_beyond_codes(const bitboard_run *r, uint64_t wave) {
  return wave > bitboards_most_waves(&r->work.slice->plan);
}

static bool is_over(const bitboard_run *r, uint64_t wave) {
  const wave_progress *run = &r->run;
  if (r->work.failed.error || r->failed_elsewhere || is_beyond_codes(r, wave)) return true;
  return wave >= 2 && !run->decided_last && !run->decided_before && wave >= run->latest;
}

/* Decides whether the next wave follows the changes of this wave. It does if all changes are in the list and
 * `spare` has the words that `follow` reads (game_bitboards.h): after an even wave that swept, except wave 0,
 * and after a wave that followed changes itself. */
static void choose_to_follow(bitboard_run *r, uint64_t wave) {
  const game_bitboards_changes *decided = r->work.state.changes;
  if (!decided) return;
  r->follows = decided->used <= decided->room && (r->follows || (wave > 0 && wave % 2 == 0));
  r->work.state.changes = &r->changes[(wave + 1) & 1];
  r->work.state.changes->used = 0;
}

static void end_wave(void *user) {
  bitboard_run *r = user;
  wave_progress *run = &r->run;
  if (bitboard_cut_is_shared(&r->work.slice->cut)) add_up_ranks(r);
  const uint64_t wave = run->wave++;
  run->decided_before = run->decided_last;
  run->decided_last = r->decided;
  if (r->latest_found > run->latest) run->latest = r->latest_found;
  if (run->decided_last) run->longest = wave;
  r->decided = 0;
  r->work.state.wave = (uint16_t)run->wave;
  if (!r->follows) r->swept++;
  choose_to_follow(r, wave);
  show_decided(r);
  r->too_long = is_beyond_codes(r, wave) && (run->decided_last > 0 || run->latest > wave);
  r->over = is_over(r, wave);
}

static void run_group(bitboard_run *r, worker *self, game_bitboards_kernel *kernel, uint64_t first,
                      uint64_t end) {
  bitboard_work *work = &r->work;
  const bool shares_tiles = bitboard_cut_is_shared(&work->slice->cut) && work->slice->log;
  char *scratch = work->scratch + (size_t)self->number * work->scratch_bytes;
  uint64_t from, to, decided = 0;
  uint32_t latest = 0;
  while (find_next_items(work, self, first, end, &from, &to)) {
    tauler_error error = TAULER_OK;
    for (uint64_t tile = from; tile < to && !error; tile++) {
      if (!shares_tiles || bitboard_ranks_owns(&r->cut, tile))
        error = kernel(work->slice->tables, &work->state, tile, scratch, &decided, &latest);
    }
    failure_note(&work->failed, error, NULL);
  }
  atomic_fetch_add(&r->decided, decided);
  uint64_t known = atomic_load(&r->latest_found);
  while (known < latest && !atomic_compare_exchange_weak(&r->latest_found, &known, latest)) {}
}

/* Computes the tiles of the groups [first, end). *from is their first tile, and afterwards their end. */
static void run_groups(bitboard_run *r, worker *self, game_bitboards_kernel *kernel, uint32_t first,
                       uint32_t end, uint64_t *from) {
  for (uint32_t group = first; group < end; group++) {
    const uint64_t last = r->work.slice->kernels->group_end(r->work.slice->tables, group);
    if (last == *from) continue;
    run_group(r, self, kernel, *from, last);
    if (group + 1 < end) worker_barrier(self, NULL, NULL);
    *from = last;
  }
}

static void run_parts(bitboard_run *r, worker *self, game_bitboards_kernel *kernel) {
  const game_bitboards_cut *cut = &r->work.slice->cut;
  const uint32_t groups = cut->groups / cut->parts;
  uint64_t from = 0;
  bitboard_cut_begin_wave(&r->cut, self);
  for (uint32_t part = 0; part < cut->parts; part++) {
    bitboard_cut_load(&r->cut, self, part);
    run_groups(r, self, kernel, part * groups, (part + 1) * groups, &from);
    bitboard_cut_save(&r->cut, self);
  }
}

/* Keeps decided cells in memory, since ranks send them afterwards. */
static void drop_slice_pages(void *user) {
  const bitboard_run *r = user;
  if (r->work.slice->disk) bitboard_disk_drop_pages(r->work.slice->disk);
}

static void drop_part(void *user) {
  const bitboard_run *r = user;
  drop_slice_pages(user);
  if (r->work.slice->disk && r->work.state.decided)
    memory_clear(r->work.state.decided, r->work.slice->plan.blocks * sizeof *r->work.state.decided);
}

/* Runs the parts of a wave by marks in steps. In one process a step is one part. Over ranks it is one part
 * for each rank or, if all arrays are in memory, all parts. After each step the ranks send each other the
 * changes. Pages are freed before the first step, since a checkpoint may have touched some; before ranks
 * send; and after each step, since received changes touch other pages than the parts did. */
static void run_marks(bitboard_run *r, worker *self, game_bitboards_kernel *kernel) {
  const bitboard_slice *slice = r->work.slice;
  const game_bitboards_cut *cut = &slice->cut;
  const bool shared = bitboard_cut_is_shared(cut);
  const uint32_t groups = cut->groups / cut->parts,
                 rank = shared ? (uint32_t)comm_rank(r->work.job->work.comm) : 0;
  uint64_t from = 0;
  worker_barrier(self, drop_part, r);
  for (uint32_t first = 0, end; first < cut->parts; first = end) {
    end = cut->in_memory || cut->parts - first < cut->ranks ? cut->parts : first + cut->ranks;
    for (uint32_t part = first; part < end; part++) {
      if (cut->owner[part] == rank) {
        run_groups(r, self, kernel, part * groups, (part + 1) * groups, &from);
        worker_barrier(self, NULL, NULL);
      }
      from = slice->kernels->group_end(slice->tables, (part + 1) * groups - 1);
    }
    if (shared) {
      worker_barrier(self, drop_slice_pages, r);
      bitboard_ranks_send_changes(&r->cut, self, first, end);
    }
    worker_barrier(self, drop_part, r);
  }
}

static void run_steps(bitboard_run *r, worker *self, game_bitboards_kernel *kernel) {
  const game_bitboards_cut *cut = &r->work.slice->cut;
  const uint32_t groups = cut->groups / cut->steps;
  uint64_t from = 0;
  bitboard_cut_begin_wave(&r->cut, self);
  for (uint32_t step = 0; step < cut->steps; step++) {
    const uint64_t first = from;
    run_groups(r, self, kernel, step * groups, (step + 1) * groups, &from);
    if (step + 1 < cut->steps) bitboard_ranks_send_outgoing(&r->cut, self, first, from);
  }
  bitboard_ranks_send_cells(&r->cut, self);
}

static void run_changes(bitboard_run *r, worker *self) {
  const bitboard_slice *slice = r->work.slice;
  const game_bitboards_changes *before = &r->changes[!(r->work.state.wave & 1)];
  uint64_t from, to, decided = 0;
  while (find_next_items(&r->work, self, 0, before->used, &from, &to))
    slice->kernels->follow(slice->tables, &r->work.state, before->list + from, to - from, &decided);
  atomic_fetch_add(&r->decided, decided);
  if (!slice->log) return;
  worker_barrier(self, bitboard_cut_list_changed, &r->cut);
  bitboard_cut_save(&r->cut, self);
}

static void run_wave(bitboard_run *r, worker *self, game_bitboards_kernel *kernel) {
  const game_bitboards_plan *plan = &r->work.slice->plan;
  uint64_t from = 0;
  if (r->follows) {
    run_changes(r, self);
  } else if (r->work.slice->disk || r->work.slice->cut.in_memory) {
    run_marks(r, self, kernel);
  } else if (bitboard_cut_is_shared(&r->work.slice->cut)) {
    run_steps(r, self, kernel);
  } else if (r->work.slice->log) {
    run_parts(r, self, kernel);
  } else if (plan->groups > 1) {
    run_groups(r, self, kernel, 0, plan->groups, &from);
  } else {
    run_group(r, self, kernel, 0, plan->tiles);
  }
}

static void run_waves(void *user, worker *self) {
  bitboard_run *r = user;
  const game_bitboards *kernels = r->work.slice->kernels;
  const bool shared = bitboard_cut_is_shared(&r->work.slice->cut);
  while (!r->over) {
    run_wave(r, self, r->run.wave == 0 ? kernels->begin : kernels->relax);
    if (shared) {
      worker_barrier_main(self, end_wave, r);
    } else {
      worker_barrier(self, end_wave, r);
    }
    if (!r->over && checkpointer_barrier(&r->checkpointer, self, NULL, NULL)) return;
  }
}

static tauler_error find_outcome(const bitboard_run *r, tauler_message *message) {
  tauler_error error = bitboard_work_outcome(&r->work, message);
  if (!error && r->too_long)
    error = tauler_fail(message, TAULER_INTERNAL,
                        "play in slice %u is longer than the %u plies that depths in words can count",
                        r->work.slice->slice, bitboards_most_waves(&r->work.slice->plan));
  return error ? error : checkpointer_outcome(&r->checkpointer, message);
}

tauler_error bitboard_slice_solve(const solve_job *job, const game_bitboards_finished *finished,
                                  uint32_t slice, bitboard_slice *out, solve_effort *effort,
                                  tauler_message *message) {
  comm *shared = job->ranks > 1 ? job->work.comm : NULL;
  tauler_error error = comm_agree(shared, bitboard_slice_open(job, slice, true, out, message), message);
  if (error) {
    bitboard_slice_close(job->work.memory, out);
    return error;
  }
  bitboard_run r;
  memset(&r, 0, sizeof r);
  error = open_work(&r.work, job, finished, out, message);
  if (!error) error = allocate_arrays(&r, message);
  error = comm_agree(shared, error, message);
  if (!error) error = resume_run(&r, message);
  if (!error) {
    workers_run(r.work.threads, run_waves, &r);
    error = comm_agree(shared, find_outcome(&r, message), message);
  }
  effort->shown = r.run.shown;
  out->longest = (uint16_t)r.run.longest;
  out->waves = (uint16_t)r.run.wave;
  out->swept = (uint16_t)r.swept;
  close_run(&r);
  bitboard_cut_finish(&job->work, out);
  if (error) bitboard_slice_close(job->work.memory, out);
  return error;
}
