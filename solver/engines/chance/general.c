/* Sweeps over a slice of any game of chance, by the edges that the game lists.
 *
 * A sweep computes the stages from the last to the first. The positions of a stage read the arrays, in which
 * their own stage is not changed yet. Their results stay in a buffer until the whole stage is finished, so
 * they do not depend on the order within a stage, on threads or on ranks. Each rank computes its part of a
 * stage, and then the ranks exchange their results. */
#include <math.h>
#include <string.h>

#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/engines/chance/means.h"

static const char *const what = "a stage of a slice of chance";

typedef struct {
  char *array, *waiting;
  size_t item_bytes;
} stage_array;

typedef struct general_sweep general_sweep;

typedef struct {
  chance_edges edges;
  chance_means means;
  general_sweep *now;
  arena lists;
  double *waiting; /* two doubles per quantity and position of the largest part */
  uint64_t largest_part, position_bytes;
  chance_measures *measures; /* [threads] */
} general_own;

struct general_sweep {
  chance_work *work;
  general_own *own;
  chance_step step;
  stage_array arrays[2 * CHANCE_MOST_QUANTITIES];
  int written;
  uint64_t stage;
  failure failed;
  tauler_error travel;
};

static void list_general_arrays(arena *a, void *of) {
  general_own *own = of;
  own->waiting = arena_allocate(a, own->largest_part, own->position_bytes);
  own->measures = arena_allocate(a, (uint64_t)own->edges.threads, sizeof *own->measures);
}

static tauler_error open_general(chance_work *work, tauler_message *message) {
  memory_budget *memory = work->job->job->work.memory;
  general_own *own;
  tauler_error error = memory_allocate(memory, sizeof *own, what, &own, message);
  work->own = own;
  if (error) return error;
  error = chance_edges_open(&own->edges, work, message);
  if (error) return error;
  chance_means_open(&own->means, work);
  for (uint64_t s = 0; s < own->edges.stages; s++) {
    const uint64_t n = own->edges.parts[s].end - own->edges.parts[s].first;
    if (n > own->largest_part) own->largest_part = n;
  }
  own->position_bytes = 2 * (uint64_t)work->quantities.used * sizeof(double);
  return arena_fill(&own->lists, memory, what, list_general_arrays, own, message);
}

static void close_general(chance_work *work) {
  memory_budget *memory = work->job->job->work.memory;
  general_own *own = work->own;
  if (!own) return;
  chance_edges_close(&own->edges);
  arena_close(&own->lists);
  memory_free(memory, own);
  work->own = NULL;
}

static uint64_t general_bytes(const solve_job *job, uint32_t slice) {
  chance_quantities quantities;
  job->problem.game->chance->quantities(job->problem.rules, slice, &quantities);
  const uint64_t stages = chance_stages(&job->problem, slice);
  uint64_t largest = 0;
  for (uint64_t s = 0; s < stages; s++) {
    const uint64_t n =
        chance_stage_first(&job->problem, slice, s + 1) - chance_stage_first(&job->problem, slice, s);
    if (n > largest) largest = n;
  }
  general_own planned = {.edges = {.threads = job->work.threads < 1 ? 1 : job->work.threads},
                         .largest_part = largest / (uint64_t)comm_ranks(job->work.comm) + 1,
                         .position_bytes = 2 * (uint64_t)quantities.used * sizeof(double)};
  return sizeof planned + chance_edges_bytes(job, slice) + arena_bytes(list_general_arrays, &planned);
}

/* --- steps for one position, whose place in its part of the stage is `at` --- */

static double *buffer_of(const general_sweep *sweep, int array) {
  return (double *)(void *)sweep->arrays[array].waiting;
}

static void find_value(const general_sweep *sweep, const chance_link *link, uint64_t i, uint64_t at,
                       chance_measures *measures) {
  const chance_work *work = sweep->work;
  double mean[CHANCE_MOST_QUANTITIES];
  chance_means_of(&sweep->own->means, link, MEAN_OF_MIDDLES, mean);
  for (int q = 0; q < work->quantities.used; q++) {
    chance_raise_to(&measures->change[q], fabs(mean[q] - work->lower[q][i]));
    buffer_of(sweep, q)[at] = mean[q];
  }
}

static void find_bounds(const general_sweep *sweep, const chance_link *link, uint64_t i, uint64_t at,
                        chance_measures *measures) {
  const chance_work *work = sweep->work;
  const chance_means *means = &sweep->own->means;
  const int quantities = work->quantities.used;
  double low[CHANCE_MOST_QUANTITIES], high[CHANCE_MOST_QUANTITIES];
  chance_means_of(means, link, MEAN_OF_LOWER, low);
  chance_means_of(means, link, MEAN_OF_UPPER, high);
  bool refused = false;
  for (int q = 0; q < quantities; q++) {
    const double old_low = work->lower[q][i], old_high = work->upper[q][i];
    double new_low = chance_round_down(means, low[q]), new_high = chance_round_up(means, high[q]);
    refused =
        refused || new_low < old_low || (new_high > old_high && old_high < work->quantities.list[q].most);
    new_low = fmax(new_low, old_low);
    new_high = fmin(new_high, old_high);
    if (new_low > old_low) chance_raise_to(&measures->change[q], new_low - old_low);
    if (new_high < old_high) chance_raise_to(&measures->change[q], old_high - new_high);
    chance_raise_to(&measures->width, new_high - new_low);
    buffer_of(sweep, q)[at] = new_low;
    buffer_of(sweep, quantities + q)[at] = new_high;
  }
  measures->refused += refused;
}

static void find_potential(const general_sweep *sweep, const chance_link *link, uint64_t i, uint64_t at,
                           chance_measures *measures) {
  const double potential = chance_means_potential(&sweep->own->means, link);
  chance_raise_to(&measures->change[0], potential - (double)sweep->work->potential[i]);
  ((float *)(void *)sweep->arrays[0].waiting)[at] = (float)potential;
}

static void prove_potential(const general_sweep *sweep, const chance_link *link, uint64_t i, uint64_t at,
                            chance_measures *measures) {
  const chance_means *means = &sweep->own->means;
  const double potential = chance_round_up(means, chance_means_potential(means, link));
  measures->refused += (double)sweep->work->potential[i] < potential;
}

static void find_endless(const general_sweep *sweep, const chance_link *link, uint64_t i, uint64_t at,
                         chance_measures *measures) {
  const bool was = sweep->work->endless[i], is = was && chance_means_endless(&sweep->own->means, link);
  measures->refused += was && !is;
  sweep->arrays[0].waiting[at] = is;
}

/* --- stages --- */

static void compute_stage(general_sweep *sweep, worker *self, chance_measures *measures) {
  static void (*const steps[])(const general_sweep *sweep, const chance_link *link, uint64_t i, uint64_t at,
                               chance_measures *measures) = {[CHANCE_POTENTIAL] = find_potential,
                                                             [CHANCE_PROOF] = prove_potential,
                                                             [CHANCE_VALUES] = find_value,
                                                             [CHANCE_BOUNDS] = find_bounds,
                                                             [CHANCE_ENDLESS] = find_endless};
  chance_edges *edges = &sweep->own->edges;
  const chance_part *part = &edges->parts[sweep->stage];
  uint64_t chunk;
  while (!sweep->failed.error && worker_next(self, chance_part_chunks(part), &chunk)) {
    chance_links links;
    const tauler_error error = chance_edges_of(edges, self->number, sweep->stage, chunk, &links);
    if (error) {
      failure_note(&sweep->failed, error, &edges->askers[self->number].message);
      break;
    }
    uint64_t at = chunk * CHANCE_CHUNK;
    for (uint64_t l = 0; l < links.used; l += chance_means_span(&links.list[l]), at++)
      steps[sweep->step](sweep, &links.list[l], part->first + at, at, measures);
    comm_note_progress(sweep->work->job->job->work.comm);
  }
}

static uint64_t rank_part_first(const void *of, int rank) {
  const general_sweep *sweep = of;
  return chance_part_first(&sweep->own->edges, sweep->stage, rank);
}

/* All ranks end all stages even after a failure, since each stage has a collective call. */
static void end_stage(void *user) {
  general_sweep *sweep = user;
  const chance_part *part = &sweep->own->edges.parts[sweep->stage];
  const uint64_t n = part->end - part->first;
  mail_part parts[2 * CHANCE_MOST_QUANTITIES];
  for (int a = 0; a < sweep->written; a++) {
    const stage_array *array = &sweep->arrays[a];
    if (!sweep->failed.error && n)
      memcpy(array->array + part->first * array->item_bytes, array->waiting, n * array->item_bytes);
    parts[a] = (mail_part){array->array, array->item_bytes, .first = rank_part_first, .of = sweep};
  }
  if (!sweep->travel) {
    tauler_message message = {""};
    sweep->travel = mail_share(&sweep->work->mail, parts, sweep->written, &message);
    failure_note(&sweep->failed, sweep->travel, &message);
  }
  if (sweep->stage) sweep->stage--;
}

static void run_stages(void *user, worker *self) {
  general_sweep *sweep = user;
  chance_measures measures = {0};
  for (uint64_t stages = sweep->own->edges.stages; stages > 0; stages--) {
    compute_stage(sweep, self, &measures);
    sweep->own->measures[self->number] = measures;
    worker_barrier_main(self, end_stage, sweep);
  }
}

static void help_general(chance_work *of, worker *self) {
  const general_own *own = of->own;
  run_stages(own->now, self);
}

static void add_written_array(general_sweep *sweep, void *array, size_t item_bytes) {
  char *waiting = (char *)sweep->own->waiting;
  const uint64_t before = (uint64_t)sweep->written * sweep->own->largest_part * sizeof(double);
  sweep->arrays[sweep->written++] = (stage_array){array, waiting + before, item_bytes};
}

static void list_written_arrays(general_sweep *sweep) {
  const chance_work *of = sweep->work;
  if (sweep->step == CHANCE_POTENTIAL) add_written_array(sweep, of->potential, sizeof *of->potential);
  if (sweep->step == CHANCE_ENDLESS) add_written_array(sweep, of->endless, sizeof *of->endless);
  if (sweep->step != CHANCE_VALUES && sweep->step != CHANCE_BOUNDS) return;
  for (int q = 0; q < of->quantities.used; q++) add_written_array(sweep, of->lower[q], sizeof(double));
  for (int q = 0; q < of->quantities.used && sweep->step == CHANCE_BOUNDS; q++)
    add_written_array(sweep, of->upper[q], sizeof(double));
}

/* Starting a thread for little work takes more time than it saves. */
static int general_threads(const chance_work *of) {
  const general_own *own = of->own;
  enum { LEAST_CHUNKS = 32 };
  const uint64_t chunks = (own->largest_part + CHANCE_CHUNK - 1) / CHANCE_CHUNK;
  if (own->edges.chunks < LEAST_CHUNKS) return 1;
  return chunks < (uint64_t)own->edges.threads ? (int)chunks : own->edges.threads;
}

static tauler_error run_sweep(chance_work *of, chance_step step, chance_measures *out,
                              tauler_message *message) {
  general_own *own = of->own;
  general_sweep sweep = {.work = of, .own = own, .step = step};
  sweep.stage = own->edges.stages ? own->edges.stages - 1 : 0;
  list_written_arrays(&sweep);
  memset(own->measures, 0, (size_t)own->edges.threads * sizeof *own->measures);
  own->now = &sweep;
  worker_barrier(of->lead, NULL, NULL);
  run_stages(&sweep, of->lead);
  tauler_error error = failure_outcome(&sweep.failed, message);
  if (error && !sweep.failed.message.text[0])
    error =
        tauler_fail(message, error, "slice %u cannot be solved (%s)", of->slice, tauler_error_name(error));
  *out = (chance_measures){0};
  for (int i = 0; i < own->edges.threads; i++) chance_measures_add(out, &own->measures[i]);
  return chance_measures_combine(of, error, out, message);
}

const chance_engine chance_general = {"general",     open_general,    run_sweep,   close_general,
                                      general_bytes, general_threads, help_general};
