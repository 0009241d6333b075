/* Writes the bounds of a slice of chance to tables, and reads and checks them. */
#include "solver/engines/chance/chance.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "databases/names.h"
#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/tables/slice_tables.h"

enum { LOWER, UPPER, BOUNDS };

/* Bytes of a bound in a table, a little more than the 7.0 to 7.5 measured at level 9: the last bits of
 * doubles are noise. */
static const double cell_bytes = 7.6;

static chance_quantities quantities_of(const solve_problem *problem, uint32_t slice) {
  chance_quantities quantities;
  problem->game->chance->quantities(problem->rules, slice, &quantities);
  return quantities;
}

uint64_t chance_tables_bytes(const build_job *job, uint32_t slice) {
  const uint64_t tables = BOUNDS * (uint64_t)quantities_of(&job->problem, slice).used;
  const uint64_t positions = job->problem.game->positions(job->problem.rules, slice);
  return tables * ((uint64_t)((double)positions * cell_bytes) + 4096);
}

void chance_tables_note(const build_job *job, uint32_t slice, double width, uint64_t endless) {
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

/* The tables of a slice; NULL if one is missing. */
typedef struct {
  chance_quantities quantities;
  table *tables[CHANCE_MOST_QUANTITIES][BOUNDS];
  bool whole;
} open_tables;

static void close_tables(open_tables *open) {
  for (int q = 0; q < open->quantities.used; q++) {
    for (int bound = 0; bound < BOUNDS; bound++) table_close(open->tables[q][bound]);
  }
}

static tauler_error open_one(const build_job *job, uint32_t slice, open_tables *open, int quantity, int bound,
                             tauler_message *message) {
  char stream[CHANCE_STREAM_BYTES];
  chance_stream_name(&open->quantities, quantity, bound == UPPER, stream);
  table **out = &open->tables[quantity][bound];
  const tauler_error error = slice_table_find(job, slice, stream, out, message);
  if (error) return error;
  open->whole = open->whole && *out;
  if (!*out || table_get_header(*out)->cell == TABLE_F64) return TAULER_OK;
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the %s table of slice %s has cells that are no doubles; remove it and build it again",
                     stream, table_get_header(*out)->slice);
}

static tauler_error open_all(const build_job *job, uint32_t slice, open_tables *open,
                             tauler_message *message) {
  *open = (open_tables){.quantities = quantities_of(&job->problem, slice), .whole = true};
  tauler_error error = TAULER_OK;
  for (int q = 0; q < open->quantities.used && !error; q++) {
    for (int bound = 0; bound < BOUNDS && !error; bound++)
      error = open_one(job, slice, open, q, bound, message);
  }
  return error;
}

/* If a build asked for the same width and did not reach it, another would not reach it either. */
static bool is_near_enough(const build_job *job, const open_tables *open) {
  const table_header *first = table_get_header(open->tables[0][LOWER]);
  bool near = first->width <= job->width || first->asked_width <= job->width;
  for (int q = 0; q < open->quantities.used; q++) {
    for (int bound = 0; bound < BOUNDS; bound++) {
      const table_header *one = table_get_header(open->tables[q][bound]);
      near = near && one->width == first->width && one->asked_width == first->asked_width &&
             one->endless == first->endless;
    }
  }
  return near;
}

tauler_error chance_tables_find(const build_job *job, uint32_t slice, bool *there, tauler_message *message) {
  open_tables open;
  const tauler_error error = open_all(job, slice, &open, message);
  *there = !error && open.whole && is_near_enough(job, &open);
  if (*there) {
    const table_header *header = table_get_header(open.tables[0][LOWER]);
    for (int q = 0; q < open.quantities.used; q++) {
      for (int bound = 0; bound < BOUNDS; bound++)
        slice_table_report(job, table_get_header(open.tables[q][bound]), false);
    }
    chance_tables_note(job, slice, header->width, header->endless);
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
  (void)plain;
  (void)message;
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

tauler_error chance_tables_write(const build_job *job, const chance_slice *slice, tauler_message *message) {
  const chance_quantities quantities = quantities_of(&job->problem, slice->slice);
  tauler_error error = TAULER_OK;
  for (int q = 0; q < quantities.used; q++) {
    for (int bound = 0; bound < BOUNDS && !error; bound++) {
      char stream[CHANCE_STREAM_BYTES];
      chance_stream_name(&quantities, q, bound == UPPER, stream);
      error = write_bound(job, slice, stream, bound == UPPER ? slice->upper[q] : slice->lower[q], message);
    }
  }
  return error;
}

enum { CHUNK = 1 << 15 };

typedef struct {
  const build_job *job;
  const open_tables *open;
  chance_slice *out;
  double width; /* most that two bounds may be apart */
  failure failed;
} loading;

static tauler_error check_bounds(const loading *l, int quantity, uint64_t first, size_t count,
                                 tauler_message *message) {
  const double *lower = l->out->lower[quantity] + first, *upper = l->out->upper[quantity] + first;
  for (size_t i = 0; i < count; i++) {
    const bool right = lower[i] <= upper[i] && isfinite(lower[i]); /* no bound is NaN */
    if (right && upper[i] - lower[i] <= l->width) continue;
    const table_header *header = table_get_header(l->open->tables[quantity][LOWER]);
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
    error = table_read(l->open->tables[q][LOWER], first, count, l->out->lower[q] + first, message);
    if (!error)
      error = table_read(l->open->tables[q][UPPER], first, count, l->out->upper[q] + first, message);
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

static tauler_error load_open(const build_job *job, const open_tables *open, chance_slice *out,
                              tauler_message *message) {
  if (!open->whole)
    return tauler_fail(message, TAULER_TABLE_MISSING, "a table of slice %u went away during the build",
                       out->slice);
  const table_header *header = table_get_header(open->tables[0][LOWER]);
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

tauler_error chance_tables_load(const build_job *job, uint32_t slice, chance_slice *out,
                                tauler_message *message) {
  open_tables open;
  tauler_error error = open_all(job, slice, &open, message);
  *out = (chance_slice){.slice = slice,
                        .positions = job->problem.game->positions(job->problem.rules, slice),
                        .quantities = open.quantities.used};
  if (!error) error = load_open(job, &open, out, message);
  if (error) chance_slice_free(job->work.memory, out);
  close_tables(&open);
  return error;
}
