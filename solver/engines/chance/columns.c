/* Sweeps over a slice of chance by strips of lanes: section after section, and in a section stage after
 * stage. Workers compute the strips of a stage side by side, each with all its rows. */
#include <stdlib.h>

#include "parallel/comm.h"
#include "parallel/workers.h"
#include "solver/engines/chance/sweeps.h"
#include "solver/engines/engine.h"

/* The kernel for all processors. It computes the same cells as the wide kernel, bit by bit. */
#define STRIP_RELAX relax_narrow
static strip_kernel relax_narrow;
#include "solver/engines/chance/kernel_rows.h"

typedef struct {
  strip_tables *tables;
  strip_kernel *relax;
  strip_scratch **scratch; /* [threads] */
  int threads;
} own_state;

/* True only for games with choices, since strips compute only bounds that start from 0 and `most`. */
bool chance_strips_serve(const solve_problem *problem, uint32_t slice) {
  const game_chance *chance = problem->game->chance;
  chance_quantities quantities;
  if (problem->engine == &engine_chance_edges || !chance->strips) return false;
  chance->quantities(problem->rules, slice, &quantities);
  return quantities.chosen && quantities.used == 1 && quantities.list[0].most == 1 &&
         chance->strips->serve(problem->rules, slice);
}

static tauler_error open_scratch(const strip_tables *tables, memory_budget *memory, strip_scratch **out,
                                 tauler_message *message) {
  tauler_error error = memory_allocate(memory, sizeof **out, "the work on a strip", out, message);
  for (int i = 0; i < tables->sections && !error; i++) {
    for (int k = 0; k < tables->section[i].sources; k++) {
      const strip_source *source = &tables->section[i].source[k];
      const uint64_t rows = source->way == STRIP_CONSTANT ? 1 : source->mover_first[source->mover_strips];
      if (rows > (*out)->room[k]) (*out)->room[k] = rows;
    }
  }
  for (int k = 0; k < STRIP_SOURCES && !error; k++) {
    if ((*out)->room[k] == 0) continue;
    error = memory_allocate_array(memory, (*out)->room[k], ROW * sizeof(double), "the rows of a strip",
                                  &(*out)->local[k], message);
  }
  return error;
}

static uint64_t strips_bytes(const solve_job *job, uint32_t slice) {
  uint64_t rows = 0;
  const uint64_t bytes = job->problem.game->chance->strips->bytes(job->problem.rules, slice, &rows);
  return bytes + (uint64_t)job->work.threads * (sizeof(strip_scratch) + rows * ROW * sizeof(double));
}

/* With one thread, a sweep of a small slice ends before another thread has started. */
static int choose_threads(const chance_work *work) {
  enum { POSITIONS_EACH = 100000 };
  const uint64_t further = work->positions / POSITIONS_EACH;
  const int threads = work->job->job->work.threads < 1 ? 1 : work->job->job->work.threads;
  return further < (uint64_t)threads ? (int)further + 1 : threads;
}

static tauler_error open_with_kernel(chance_work *work, strip_kernel *relax, tauler_message *message) {
  const solve_job *job = work->job->job;
  const int threads = choose_threads(work);
  own_state *own = calloc(1, sizeof *own);
  work->own = own;
  tauler_error error =
      own ? job->problem.game->chance->strips->open(job->problem.rules, work->slice, &own->tables)
          : TAULER_NO_MEMORY;
  if (error) return tauler_fail(message, error, "no memory for the plays of %s", job->problem.game->name);
  own->relax = relax;
  own->scratch = calloc((size_t)threads, sizeof *own->scratch);
  if (!own->scratch) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the work on strips");
  own->threads = threads;
  for (int i = 0; i < threads && !error; i++)
    error = open_scratch(own->tables, job->work.memory, &own->scratch[i], message);
  return error;
}

static tauler_error open_strips(chance_work *work, tauler_message *message) {
  strip_kernel *wide = strip_relax_wide();
  return open_with_kernel(work, wide ? wide : relax_narrow, message);
}

static tauler_error open_narrow_strips(chance_work *work, tauler_message *message) {
  return open_with_kernel(work, relax_narrow, message);
}

static void close_strips(chance_work *work) {
  own_state *own = work->own;
  const solve_job *job = work->job->job;
  if (!own) return;
  for (int i = 0; i < own->threads; i++) {
    for (int k = 0; own->scratch[i] && k < STRIP_SOURCES; k++)
      memory_free(job->work.memory, own->scratch[i]->local[k]);
    memory_free(job->work.memory, own->scratch[i]);
  }
  free(own->scratch);
  if (own->tables) job->problem.game->chance->strips->close(own->tables);
  free(own);
  work->own = NULL;
}

typedef struct {
  chance_work *work;
  own_state *own;
  chance_step step;
  chance_measures *total;
  const strip_section *section; /* section of the finished stage, set by worker 0 */
  /* Strips [first, end) of the finished stage, of all ranks. Worker 0 sets both. */
  uint32_t first, end;
  tauler_error failed;
  tauler_message *message;
} sweeping;

static uint32_t rank_first_strip(uint32_t from, uint32_t to, int rank, int ranks) {
  return from + (uint32_t)((uint64_t)(to - from) * (uint64_t)rank / (uint64_t)ranks);
}

/* The cells of one plane of a stage, for mail_share. */
typedef struct {
  const sweeping *sweep;
  int plane, ranks;
} stage_plane;

static uint64_t rank_first_cell(const void *of, int rank) {
  const stage_plane *at = of;
  const sweeping *s = at->sweep;
  const strip_source *source = &s->section->source[at->plane];
  const strip_pairs *pairs = s->section->source[0].pairs;
  const uint64_t strip = rank_first_strip(s->first, s->end, rank, at->ranks);
  return source->first_cell + pairs->tile[strip * pairs->row_strips].first;
}

static void share_stage(void *user) {
  sweeping *s = user;
  chance_work *work = s->work;
  stage_plane planes[STRIP_PLANES];
  mail_part parts[2 * STRIP_PLANES];
  int n = 0;
  if (work->mail.ranks == 1) return;
  for (int plane = 0; plane < s->section->planes; plane++) {
    const stage_plane *at = &planes[plane];
    planes[plane] = (stage_plane){s, plane, comm_ranks(work->job->job->work.comm)};
    if (s->step == CHANCE_ENDLESS) {
      parts[n++] = (mail_part){work->endless, 1, .first = rank_first_cell, .of = at};
      continue;
    }
    parts[n++] = (mail_part){work->lower[0], sizeof(double), .first = rank_first_cell, .of = at};
    parts[n++] = (mail_part){work->upper[0], sizeof(double), .first = rank_first_cell, .of = at};
  }
  s->failed = mail_share(&work->mail, parts, n, s->message);
}

static void run_stages(void *user, worker *self) {
  sweeping *s = user;
  chance_measures measures = {.change = {0}};
  const int rank = comm_rank(s->work->job->job->work.comm), ranks = comm_ranks(s->work->job->job->work.comm);
  for (int i = 0; i < s->own->tables->sections; i++) {
    const strip_section *section = &s->own->tables->section[i];
    for (uint32_t stage = 0; stage < section->stages && !s->failed; stage++) {
      const uint32_t from = section->stage_first[stage], to = section->stage_first[stage + 1];
      const uint32_t first = rank_first_strip(from, to, rank, ranks),
                     end = rank_first_strip(from, to, rank + 1, ranks);
      uint64_t item;
      while (worker_next(self, end - first, &item)) {
        s->own->relax(section, first + (uint32_t)item, s->work, s->step == CHANCE_ENDLESS,
                      s->own->scratch[self->number], &measures);
        comm_note_progress(s->work->job->job->work.comm);
      }
      if (self->number == 0) {
        s->section = section;
        s->first = from;
        s->end = to;
      }
      worker_barrier_main(self, share_stage, s);
    }
  }
#pragma omp critical(strips_round)
  chance_measures_add(s->total, &measures);
}

static tauler_error sweep_strips(chance_work *work, chance_step step, chance_measures *out,
                                 tauler_message *message) {
  *out = (chance_measures){.change = {0}};
  if (step != CHANCE_BOUNDS && step != CHANCE_ENDLESS)
    return tauler_fail(message, TAULER_INTERNAL, "strips know bounds from far, and no other step");
  sweeping s = {.work = work, .own = work->own, .step = step, .total = out, .message = message};
  workers_run(s.own->threads, run_stages, &s);
  return chance_measures_combine(work, s.failed, out, message);
}

#define ENGINE_OF_STRIPS .name = "strips", .sweep = sweep_strips, .close = close_strips, .bytes = strips_bytes

const chance_engine chance_strips = {ENGINE_OF_STRIPS, .open = open_strips};
const chance_engine chance_strips_narrow = {ENGINE_OF_STRIPS, .open = open_narrow_strips};
