/* Solves, loads and stores slices of chance for a build. Every rank has each slice whole. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "databases/names.h"
#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/engines/chance/chance.h"
#include "solver/engines/engine.h"
#include "solver/tables/slice_tables.h"

/* --- tables ---
 *
 * Each bound of each quantity has a table of plain doubles (chance_stream_name). Its header has the width,
 * the largest difference of two bounds in the slice. Bounds of different builds enclose the same numbers, but
 * only two bounds of one build differ by at most the width in its headers.
 */

enum { LOWER, UPPER, BOUNDS };

/* Bytes of a bound in a table, a little more than the 7.0 to 7.5 measured at level 9. The last bits of
 * doubles are noise, which is not compressed. */
static const double cell_bytes = 7.6;

static chance_quantities quantities_of(const solve_problem *problem, uint32_t slice) {
  chance_quantities quantities;
  problem->game->chance->quantities(problem->rules, slice, &quantities);
  return quantities;
}

static uint64_t table_bytes(const build_job *job, uint32_t slice) {
  const uint64_t tables = BOUNDS * (uint64_t)quantities_of(&job->problem, slice).used;
  const uint64_t positions = job->problem.game->positions(job->problem.rules, slice);
  return tables * ((uint64_t)((double)positions * cell_bytes) + 4096);
}

static void note_shortcomings(const build_job *job, uint32_t slice, double width, uint64_t endless) {
  if (!job->work.shown || (width <= job->width && endless == 0)) return;
  char name[GAME_TEXT_BYTES];
  job->problem.game->slice_name(job->problem.rules, slice, name);
  if (endless > 0)
    progress_note(job->work.shown, "slice %s: from %llu positions play may go on for ever", name,
                  (unsigned long long)endless);
  if (width > job->width)
    progress_note(job->work.shown,
                  "slice %s: bounds lie up to %.3g apart, not %.3g as asked; they hold all the same", name,
                  width, job->width);
}

/* The tables of a slice. Tables BOUNDS · q and BOUNDS · q + 1 have the lower and upper bounds of quantity q.
 * A missing table is NULL, and then `whole` is false. */
typedef struct {
  chance_quantities quantities;
  int n;
  table *tables[CHANCE_MOST_QUANTITIES * BOUNDS];
  bool whole;
} open_tables;

static void close_tables(open_tables *open) {
  for (int i = 0; i < open->n; i++) table_close(open->tables[i]);
}

static tauler_error open_table(const build_job *job, uint32_t slice, open_tables *open, int number,
                               tauler_message *message) {
  char stream[CHANCE_STREAM_BYTES];
  chance_stream_name(&open->quantities, number / BOUNDS, number % BOUNDS == UPPER, stream);
  table **out = &open->tables[number];
  const tauler_error error = slice_table_find(job, slice, stream, out, message);
  if (error) return error;
  open->whole = open->whole && *out;
  if (!*out || table_get_header(*out)->cell == TABLE_F64) return TAULER_OK;
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the %s table of slice %s has cells that are no doubles; remove it and build it again",
                     stream, table_get_header(*out)->slice);
}

static tauler_error open_all_tables(const build_job *job, uint32_t slice, open_tables *open,
                                    tauler_message *message) {
  *open = (open_tables){.quantities = quantities_of(&job->problem, slice), .whole = true};
  open->n = BOUNDS * open->quantities.used;
  tauler_error error = TAULER_OK;
  for (int i = 0; i < open->n && !error; i++) error = open_table(job, slice, open, i, message);
  return error;
}

/* True if the headers agree, as those of one build do, and that build reached the job's width or asked for at
 * most this width. In the second case another build would not reach it either. */
static bool are_narrow_enough(const build_job *job, const open_tables *open) {
  const table_header *first = table_get_header(open->tables[0]);
  bool near = first->width <= job->width || first->asked_width <= job->width;
  for (int i = 0; i < open->n; i++) {
    const table_header *one = table_get_header(open->tables[i]);
    near = near && one->width == first->width && one->asked_width == first->asked_width &&
           one->endless == first->endless;
  }
  return near;
}

static tauler_error find_tables(const build_job *job, uint32_t slice, bool *there, tauler_message *message) {
  open_tables open;
  const tauler_error error = open_all_tables(job, slice, &open, message);
  *there = !error && open.whole && are_narrow_enough(job, &open);
  if (*there) {
    const table_header *header = table_get_header(open.tables[0]);
    for (int i = 0; i < open.n; i++) slice_table_report(job, table_get_header(open.tables[i]), false);
    note_shortcomings(job, slice, header->width, header->endless);
  }
  close_tables(&open);
  return error;
}

typedef struct {
  const build_job *job;
  const double *cells;
} bound_source;

static tauler_error fill_bound(void *user, uint64_t first, size_t count, void *stored, void *plain,
                               tauler_message *message) {
  const bound_source *source = user;
  comm_note_progress(source->job->work.comm);
  memcpy(stored, source->cells + first, count * sizeof *source->cells);
  return TAULER_OK;
}

static tauler_error write_bound(const build_job *job, const chance_slice *slice, const char *stream,
                                const double *cells, tauler_message *message) {
  table_header header, written;
  names_header(job->problem.game, job->problem.rules, slice->slice, stream, &header);
  header.cell = TABLE_F64;
  header.coding = TABLE_PLAIN;
  header.width = slice->width;
  header.asked_width = job->width;
  header.endless = slice->endless;
  bound_source source = {job, cells};
  const tauler_error error = slice_table_write(job, slice->slice, &header, job->work.threads, fill_bound,
                                               &source, &written, message);
  if (!error) slice_table_report(job, &written, true);
  return error;
}

static tauler_error write_tables(const build_job *job, const chance_slice *slice, tauler_message *message) {
  const chance_quantities quantities = quantities_of(&job->problem, slice->slice);
  tauler_error error = TAULER_OK;
  for (int i = 0; i < BOUNDS * quantities.used && !error; i++) {
    const int q = i / BOUNDS, bound = i % BOUNDS;
    char stream[CHANCE_STREAM_BYTES];
    chance_stream_name(&quantities, q, bound == UPPER, stream);
    error = write_bound(job, slice, stream, bound == UPPER ? slice->upper[q] : slice->lower[q], message);
  }
  return error;
}

enum { CHUNK = 1 << 15 };

typedef struct {
  const build_job *job;
  const open_tables *open;
  chance_slice *out;
  double width; /* largest difference of two bounds that is accepted */
  failure failed;
} loading;

static tauler_error check_bounds(const loading *l, int quantity, uint64_t first, size_t count,
                                 tauler_message *message) {
  const double *lower = l->out->lower[quantity] + first, *upper = l->out->upper[quantity] + first;
  for (size_t i = 0; i < count; i++) {
    const bool right = lower[i] <= upper[i] && isfinite(lower[i]); /* false for NaN */
    if (right && upper[i] - lower[i] <= l->width) continue;
    const table_header *header = table_get_header(l->open->tables[BOUNDS * quantity + LOWER]);
    return tauler_fail(message, TAULER_DAMAGED_FILE,
                       right ? "the tables %s of slice %s and of its upper bounds lie further apart at "
                               "position %llu than their headers say; remove them and build again"
                             : "the tables %s of slice %s and of its upper bounds contradict each other at "
                               "position %llu; remove them and build again",
                       header->stream, header->slice, (unsigned long long)(first + i));
  }
  return TAULER_OK;
}

static tauler_error load_chunk(const loading *l, uint64_t first, tauler_message *message) {
  const uint64_t rest = l->out->positions - first;
  const size_t count = rest < CHUNK ? (size_t)rest : CHUNK;
  tauler_error error = TAULER_OK;
  for (int q = 0; q < l->out->quantities && !error; q++) {
    table *const *tables = &l->open->tables[BOUNDS * q];
    error = table_read(tables[LOWER], first, count, l->out->lower[q] + first, message);
    if (!error) error = table_read(tables[UPPER], first, count, l->out->upper[q] + first, message);
    if (!error) error = check_bounds(l, q, first, count, message);
  }
  return error;
}

static void load_chunks(void *user, worker *self) {
  loading *l = user;
  const uint64_t chunks = (l->out->positions + CHUNK - 1) / CHUNK;
  uint64_t chunk;
  while (!l->failed.error && worker_next(self, chunks, &chunk)) {
    tauler_message message = {""};
    comm_note_progress(l->job->work.comm);
    failure_note(&l->failed, load_chunk(l, chunk * CHUNK, &message), &message);
  }
}

static tauler_error load_open_tables(const build_job *job, const open_tables *open, chance_slice *out,
                                     tauler_message *message) {
  if (!open->whole)
    return tauler_fail(message, TAULER_TABLE_MISSING, "a table of slice %u went away during the build",
                       out->slice);
  const table_header *header = table_get_header(open->tables[0]);
  out->width = header->width;
  out->endless = header->endless;
  const tauler_error error =
      chance_allocate_bounds(job->work.memory, "the bounds of a finished slice", out->positions,
                             out->quantities, out->lower, out->upper, message);
  if (error) return error;
  loading l = {.job = job, .open = open, .out = out, .width = header->width};
  workers_run(job->work.threads, load_chunks, &l);
  return failure_outcome(&l.failed, message);
}

/* After an error *out has no arrays. */
static tauler_error load_tables(const build_job *job, uint32_t slice, chance_slice *out,
                                tauler_message *message) {
  open_tables open;
  tauler_error error = open_all_tables(job, slice, &open, message);
  *out = (chance_slice){.slice = slice,
                        .positions = job->problem.game->positions(job->problem.rules, slice),
                        .quantities = open.quantities.used};
  if (!error) error = load_open_tables(job, &open, out, message);
  if (error) chance_slice_free(job->work.memory, out);
  close_tables(&open);
  return error;
}

/* --- functions of the engine --- */

static void free_slice(memory_budget *memory, void *slice) {
  chance_slice_free(memory, slice);
}

static tauler_error load_slice(engine_run *run, engine_task *task, void *slice, tauler_message *message) {
  const tauler_error error = load_tables(run->job, run->slices.slices[task->place].slice, slice, message);
  return comm_agree(run->job->work.comm, error, message);
}

/* Returns the finished slices that a slice needs, and no others, since its cells must not depend on other
 * slices that happen to be in memory. */
static chance_slices gather_needs(const engine_run *run, size_t place) {
  const chance_slices needs = {run->whole.views, run->whole.room};
  const slice_levels *levels = &run->levels;
  for (uint32_t s = 0; s < needs.room; s++) needs.list[s] = (chance_slice){.slice = s};
  for (size_t k = levels->first_need[place]; k < levels->first_need[place + 1]; k++) {
    const chance_slice *need = whole_at(run, levels->need[k]);
    needs.list[need->slice] = *need;
  }
  return needs;
}

static void note_effort(build_cost *cost, uint64_t positions, const chance_effort *effort) {
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
    cost->sweeps[kind].sweeps += effort->sweeps[kind].sweeps;
    cost->sweeps[kind].updates += effort->sweeps[kind].updates;
    cost->sweeps[kind].seconds += effort->sweeps[kind].seconds;
  }
  if (positions < cost->largest_solved) return;
  cost->largest_solved = positions;
  memcpy(cost->sweeps_of_largest, effort->sweeps, sizeof effort->sweeps);
}

static tauler_error solve_and_time(engine_run *run, engine_task *task, chance_slice *out,
                                   tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  const game_slice *slice = &run->slices.slices[task->place];
  const chance_slices needs = gather_needs(run, task->place);
  const chance_job job = {.job = task->solving, .finished = &needs, .width = run->job->width};
  chance_effort effort = {0};
  const tauler_error error = chance_solve(&job, slice->slice, out, &effort, message);
  engine_note_solving(run, start, wall);
  task->shown = effort.shown;
  note_effort(run->cost, slice->positions, &effort);
  return comm_agree(run->job->work.comm, error, message);
}

static tauler_error solve_and_store(engine_run *run, engine_task *task, void *out, tauler_message *message) {
  const chance_slice *slice = out;
  tauler_error error = solve_and_time(run, task, out, message);
  if (error || !task->stores) return error;
  const double start = clock_process_cpu();
  if (comm_is_root(run->job->work.comm)) error = write_tables(run->job, slice, message);
  error = comm_agree(run->job->work.comm, error, message);
  task->wrote = clock_process_cpu() - start;
  if (error) return error;
  run->cost->width = fmax(run->cost->width, slice->width);
  note_shortcomings(run->job, slice->slice, slice->width, slice->endless);
  return TAULER_OK;
}

static bool serves(const game *game, const game_rules *rules) {
  return game->kind(rules) == SOLVE_CHANCE;
}

static uint64_t finished_bytes(const solve_job *job, uint32_t slice) {
  return BOUNDS * sizeof(double) * (uint64_t)quantities_of(&job->problem, slice).used *
         job->problem.game->positions(job->problem.rules, slice);
}

static const whole_engine chance_whole = {.loads_alone = true,
                                          .slice_bytes = sizeof(chance_slice),
                                          .view_bytes = sizeof(chance_slice),
                                          .solve = solve_and_store,
                                          .load = load_slice,
                                          .free = free_slice,
                                          .task_bytes = chance_solve_bytes,
                                          .finished_bytes = finished_bytes,
                                          .table_bytes = table_bytes,
                                          .find = find_tables};

const engine engine_chance = {.name = "chance", .serves = serves, .whole = &chance_whole};
const engine engine_chance_edges = {.name = "chance-edges", .serves = serves, .whole = &chance_whole};
