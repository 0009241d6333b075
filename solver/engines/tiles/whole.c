/* The engine for games with a grid: rounds of kernels over tiles until no tile has news.
 *
 * Memory per position while values are solved: a cell and a bound per plane and two bits of news.
 * Every thread takes tiles from one queue; a tile's thread alone writes its cells, bounds and words
 * of news, so nothing is locked, and a round ends when all tiles are done. */
#include <stdatomic.h>
#include <string.h>

#include "solver/engines/engines.h"
#include "solver/engines/tiles/state.h"
#include "solver/parallel/workers.h"

typedef struct {
  const solve_job *job;
  const game_grid *grid;
  int threads;
  uint64_t positions;
  game_grid_plan plan;
  game_finished finished;
  game_grid_state state;
  game_grid_strip *strips; /* one per group, all of it */
  int8_t *bounds[SOLVE_PLANES];
  uint8_t *news[2][GRID_PLANES];    /* of depths: this wave's and the next one's, in turn */
  uint8_t *stirred[2][GRID_PLANES]; /* the same */
  uint8_t *known;                   /* of depths: see game_grid_state */
  char *scratch;
  size_t scratch_bytes; /* per thread */
  grid_progress run;
  _Atomic uint64_t changed; /* in this round */
  keeper keeper;
  slice_layout *layout; /* of one share; for the keeper */
  unit_arrays kept;
  keeper_units units;
  int turns; /* sets of news */
  bool resumed;
  _Atomic int failed; /* a tauler_error; may rise while others work, so rounds end by what follows */
  bool gave_up;       /* failed, as all members saw it when the last round ended */
  game_look pass;
  const int8_t *reserved;
  game_grid_kernel *single; /* for one round over all tiles */
} relaxation;

static void relaxation_close(relaxation *r) {
  memory_budget *memory = r->job->memory;
  memory_give(memory, r->scratch);
  layout_close(r->layout);
  memory_give(memory, r->strips);
  memory_give(memory, r->known);
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    memory_give(memory, r->bounds[plane]);
    for (int turn = 0; turn < 2; turn++) {
      memory_give(memory, r->news[turn][plane]);
      memory_give(memory, r->stirred[turn][plane]);
    }
  }
}

/* `turns` sets of news: none, one for values, two for depths. */
static tauler_error take_arrays(relaxation *r, int turns, tauler_message *message) {
  memory_budget *memory = r->job->memory;
  tauler_error error = memory_take_array(memory, (uint64_t)r->threads, r->scratch_bytes,
                                         "the working space of the threads", &r->scratch, message);
  if (!error)
    error = memory_take_array(memory, r->plan.groups, sizeof *r->strips, "the parts of a slice", &r->strips,
                              message);
  if (!error && turns == 2)
    error = memory_take(memory, r->plan.news_bytes, "what is known of a slice", &r->known, message);
  for (int plane = 0; plane < r->plan.planes && !error; plane++) {
    error = memory_take(memory, r->plan.bounds, "the bounds of a slice", &r->bounds[plane], message);
  }
  for (int i = 0; i < turns * GRID_PLANES && !error; i++) {
    const int turn = i / GRID_PLANES, plane = i % GRID_PLANES;
    error = memory_take(memory, r->plan.news_bytes, "the news of a slice", &r->news[turn][plane], message);
    if (error) break;
    error = memory_take(memory, r->plan.blocks, "the news of blocks", &r->stirred[turn][plane], message);
  }
  return error;
}

static void own_everything(relaxation *r, uint32_t slice) {
  for (size_t i = 0; i < r->plan.groups; i++) {
    game_grid_group group;
    r->grid->group(r->job->rules, slice, i, &group);
    r->strips[i] = (game_grid_strip){.columns = group.columns,
                                     .first_cell = group.first_cell,
                                     .first_news = group.first_news,
                                     .first_bound = group.first_bound};
  }
}

static tauler_error relaxation_open(relaxation *r, const solve_job *job, const solved_slice *slice, int turns,
                                    tauler_message *message) {
  *r = (relaxation){.job = job, .grid = job->game->grid, .positions = slice->positions};
  r->threads = slice->positions < GRID_WORTH_THREADS ? 1 : job->threads;
  r->grid->plan(job->rules, slice->slice, &r->plan);
  r->finished = finished_reader(job->finished);
  r->scratch_bytes = (r->plan.scratch_bytes + 127) / 64 * 64;
  const tauler_error error = take_arrays(r, turns, message);
  if (error) {
    relaxation_close(r);
    return error;
  }
  own_everything(r, slice->slice);
  r->state = (game_grid_state){.slice = slice->slice,
                               .planes = r->plan.planes,
                               .strips = r->strips,
                               .known = r->known,
                               .finished = &r->finished};
  for (int plane = 0; plane < r->plan.planes; plane++) {
    r->state.cells[plane] = r->state.own[plane] = slice->cells[plane];
    r->state.bounds[plane] = r->bounds[plane];
    r->state.depths[plane] = slice->depths[plane];
  }
  return TAULER_OK;
}

static tauler_error said_failure(const relaxation *r, tauler_message *message) {
  const tauler_error error = (tauler_error)r->failed;
  if (!error) return TAULER_OK;
  return tauler_fail(message, error, "slice %u could not be solved: a smaller slice could not be read",
                     r->state.slice);
}

static char *scratch_of(const relaxation *r, const crew_member *member) {
  return r->scratch + (size_t)member->number * r->scratch_bytes;
}

static void run_tiles(relaxation *r, crew_member *member, game_grid_kernel *kernel) {
  game_grid_state state = r->state;
  uint64_t tile, changed = 0;
  while (crew_next(member, r->plan.tiles, &tile)) {
    const tauler_error error = kernel(r->job->grid_tables, &state, tile, scratch_of(r, member), &changed);
    if (error) atomic_store(&r->failed, (int)error);
    team_note_progress(r->job->team);
  }
  atomic_fetch_add(&r->changed, changed);
}

/* How many rounds are left is not known; each is told as a part of what is open. */
static void show_progress(relaxation *r) {
  if (!r->job->shown) return;
  const uint64_t step = (r->positions - r->run.shown) / 32;
  r->run.shown += step;
  progress_add(r->job->shown, step);
}

static void end_round(void *user) {
  relaxation *r = user;
  r->run.round++;
  show_progress(r);
  r->run.changed_before = r->run.changed_last;
  r->run.changed_last = r->changed;
  r->changed = 0;
  r->gave_up = r->failed != 0;
}

/* The news that the next wave takes in; of values there is one set. */
static int turn_taken_in_next(const relaxation *r) {
  return r->turns == 2 ? (int)((r->run.round + 1) % 2) : 0;
}

static void swap_turns(relaxation *r) {
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    uint8_t *news = r->news[0][plane], *stirred = r->stirred[0][plane];
    r->news[0][plane] = r->news[1][plane];
    r->stirred[0][plane] = r->stirred[1][plane];
    r->news[1][plane] = news;
    r->stirred[1][plane] = stirred;
  }
}

/* What the next round depends on. */
static void name_turn(relaxation *r, int turn) {
  grid_state_arrays state = {.planes = r->plan.planes, .known = r->known};
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    state.own[plane] = r->state.own[plane];
    state.bounds[plane] = r->bounds[plane];
    state.depths[plane] = r->state.depths[plane];
    state.news[plane] = r->news[turn][plane];
    state.stirred[plane] = r->stirred[turn][plane];
  }
  grid_add_state(&r->kept, &state);
}

static void name_arrays(void *user) {
  name_turn(user, turn_taken_in_next(user));
}

/* Clears the thread's share of news that have been taken in, of one plane or of both, and lets the
 * keeper save; true when the solve must end now. */
static bool forget_news(relaxation *r, crew_member *member, int turn, int first_plane, int planes) {
  enum { BYTES = 1 << 19 };
  const uint64_t parts = r->plan.news_bytes / BYTES + 1;
  uint64_t item;
  while (crew_next(member, parts * (uint64_t)planes, &item)) {
    const int plane = first_plane + (int)(item / parts);
    const uint64_t from = item % parts * BYTES, rest = r->plan.news_bytes - from;
    memset(r->news[turn][plane] + from, 0, rest < BYTES ? rest : BYTES);
    if (from == 0) memset(r->stirred[turn][plane], 0, r->plan.blocks);
  }
  if (r->keeper.plan) return keeper_meet(&r->keeper, member, name_arrays, r);
  crew_meet(member, NULL, NULL);
  return false;
}

static void point_to_news(relaxation *r, int news, int fresh) {
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    r->state.news[plane] = r->news[news][plane];
    r->state.stirred[plane] = r->stirred[news][plane];
    r->state.fresh[plane] = r->news[fresh][plane];
    r->state.stirring[plane] = r->stirred[fresh][plane];
  }
}

static void set_open(relaxation *r, crew_member *member) {
  enum { CELLS = 1 << 20 };
  uint64_t part;
  while (crew_next(member, r->positions / CELLS + 1, &part)) {
    const uint64_t from = part * CELLS, rest = r->positions - from, n = rest < CELLS ? rest : CELLS;
    for (int plane = 0; plane < r->plan.planes; plane++) {
      memset(r->state.own[plane] + from, r->plan.open[plane], n);
    }
  }
  crew_meet(member, NULL, NULL);
}

/* Rounds in turn until neither kind changes anything; the first after the beginning raises. */
static void work_on_values(void *user, crew_member *member) {
  relaxation *r = user;
  if (!r->resumed) {
    set_open(r, member);
    run_tiles(r, member, r->grid->begin);
    crew_meet(member, end_round, r);
  }
  while (!r->gave_up && (r->run.changed_last || r->run.changed_before)) {
    const bool upper = r->run.round % 2 == 0;
    run_tiles(r, member, upper ? r->grid->relax_upper : r->grid->relax_lower);
    crew_meet(member, end_round, r);
    if (forget_news(r, member, 0, upper ? NEWS_OF_UPPER : NEWS_OF_LOWER, 1)) return;
  }
}

static void start_wave(void *user) {
  relaxation *r = user;
  r->state.wave = (uint16_t)r->run.round;
  point_to_news(r, (int)((r->run.round + 1) % 2), (int)(r->run.round % 2));
}

/* Remembers which guarantees of movers were decided in the last wave. */
static void learn(relaxation *r, crew_member *member) {
  enum { BYTES = 1 << 19 };
  const uint8_t *news = r->state.news[NEWS_OF_UPPER];
  uint64_t part;
  while (crew_next(member, r->plan.news_bytes / BYTES + 1, &part)) {
    const uint64_t from = part * BYTES, rest = r->plan.news_bytes - from, n = rest < BYTES ? rest : BYTES;
    for (uint64_t i = from; i < from + n; i++) r->known[i] |= news[i];
  }
  crew_meet(member, NULL, NULL);
}

/* Waves until one decides nothing; the first takes in what had ended before. */
static void work_on_depths(void *user, crew_member *member) {
  relaxation *r = user;
  if (!r->resumed) {
    run_tiles(r, member, r->grid->begin_depths);
    crew_meet(member, end_round, r);
  }
  while (!r->gave_up && (r->run.round == 1 || r->run.changed_last) && r->run.round < SOLVE_NO_DEPTH) {
    const int taken_in = (int)((r->run.round + 1) % 2);
    crew_meet(member, start_wave, r);
    learn(r, member);
    run_tiles(r, member, r->grid->relax_depths);
    crew_meet(member, end_round, r);
    if (forget_news(r, member, taken_in, 0, GRID_PLANES)) return;
  }
}

static void work_once(void *user, crew_member *member) {
  relaxation *r = user;
  run_tiles(r, member, r->single);
}

static void work_on_recovery(void *user, crew_member *member) {
  relaxation *r = user;
  static const game_look passes[] = {LOOK_CONVERTING, LOOK_ALL};
  for (int i = 0; i < 2; i++) {
    game_grid_state state = r->state;
    uint64_t tile;
    while (crew_next(member, r->plan.tiles, &tile)) {
      const tauler_error error =
          r->grid->recover(r->job->grid_tables, &state, tile, scratch_of(r, member), passes[i], r->reserved);
      if (error) atomic_store(&r->failed, (int)error);
    }
    crew_meet(member, NULL, NULL);
  }
}

/* `turns` as in take_arrays. */
static tauler_error take_up(relaxation *r, const char *stage, int turns, tauler_message *message) {
  if (!r->job->checkpoints) return TAULER_OK;
  tauler_error error =
      layout_open(r->job->game, r->job->rules, r->state.slice, true, 1, 1, &r->layout, message);
  if (error) return error;
  r->kept.layout = r->layout;
  r->turns = turns;
  r->units = unit_arrays_keep(&r->kept, &r->run, sizeof r->run);
  name_turn(r, 0);
  keeper_open(&r->keeper, r->job, r->state.slice, stage, &r->units);
  error = keeper_resume(&r->keeper, &r->resumed, message);
  if (r->resumed && turns == 2 && turn_taken_in_next(r) != 0) swap_turns(r);
  return error;
}

static tauler_error end_run(relaxation *r, tauler_message *message) {
  tauler_error error = said_failure(r, message);
  if (!error) error = keeper_outcome(&r->keeper, message);
  relaxation_close(r);
  return error;
}

static tauler_error solve_values(const solve_job *job, const game_grid_plan *plan, solved_slice *out,
                                 solve_effort *effort, tauler_message *message) {
  out->planes = plan->planes;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < plan->planes && !error; plane++) {
    error = memory_take(job->memory, out->positions, "the cells of a slice", &out->cells[plane], message);
  }
  relaxation r;
  if (!error) error = relaxation_open(&r, job, out, 1, message);
  if (error) return error;
  point_to_news(&r, 0, 0);
  error = take_up(&r, "values", 1, message);
  if (!error) crew_run(r.threads, work_on_values, &r);
  effort->shown = r.run.shown;
  return error ? relaxation_close(&r), error : end_run(&r, message);
}

static tauler_error solve_depths(const solve_job *job, const game_grid_plan *plan, solved_slice *out,
                                 solve_effort *effort, tauler_message *message) {
  const uint64_t bytes = out->positions * sizeof *out->depths[0];
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < plan->planes && !error; plane++) {
    error = memory_take(job->memory, bytes, "the depths of a slice", &out->depths[plane], message);
    if (!error) memset(out->depths[plane], 0xFF, bytes);
  }
  relaxation r;
  if (!error) error = relaxation_open(&r, job, out, 2, message);
  if (error) return error;
  point_to_news(&r, 1, 0);
  error = take_up(&r, "depths", 2, message);
  if (!r.resumed) r.run.shown = effort->shown;
  if (!error) crew_run(r.threads, work_on_depths, &r);
  effort->shown = r.run.shown;
  if (!error && r.run.changed_last != 0 && r.run.round >= SOLVE_NO_DEPTH) {
    error = tauler_fail(message, TAULER_INTERNAL, "slice %u needs more than %d waves", out->slice,
                        SOLVE_NO_DEPTH - 1);
  }
  return error ? relaxation_close(&r), error : end_run(&r, message);
}

tauler_error grid_solve(const solve_job *job, bool depths, solved_slice *out, solve_effort *effort,
                        tauler_message *message) {
  game_grid_plan plan;
  job->game->grid->plan(job->rules, out->slice, &plan);
  if (!out->cells[0]) {
    const tauler_error error = solve_values(job, &plan, out, effort, message);
    if (error) return error;
  }
  return depths ? solve_depths(job, &plan, out, effort, message) : TAULER_OK;
}

uint64_t grid_solve_bytes(const solve_job *job, uint32_t slice, bool depths) {
  game_grid_plan plan;
  job->game->grid->plan(job->rules, slice, &plan);
  const uint64_t n = job->game->positions(job->rules, slice), planes = (uint64_t)plan.planes;
  const uint64_t turns = depths ? 2 : 1, known = depths ? plan.news_bytes : 0;
  const uint64_t news = turns * GRID_PLANES * (plan.news_bytes + plan.blocks) + known;
  const uint64_t threads = n < GRID_WORTH_THREADS ? 1 : (uint64_t)job->threads;
  return planes * ((depths ? 3 : 1) * n + plan.bounds) + news + plan.groups * sizeof(game_grid_strip) +
         threads * ((plan.scratch_bytes + 127) / 64 * 64);
}

tauler_error grid_looks(const solve_job *job, const solved_slice *solved, int8_t *looks[SOLVE_PLANES],
                        tauler_message *message) {
  relaxation r;
  const tauler_error error = relaxation_open(&r, job, solved, 0, message);
  if (error) return error;
  r.single = r.grid->look;
  crew_run(r.threads, work_once, &r);
  for (int plane = 0; plane < r.plan.planes && !r.failed; plane++) {
    looks[plane] = r.bounds[plane];
    r.bounds[plane] = NULL;
  }
  relaxation_close(&r);
  return said_failure(&r, message);
}

tauler_error grid_recover_cells(const solve_job *job, solved_slice *slice,
                                const int8_t reserved[SOLVE_PLANES], tauler_message *message) {
  relaxation r;
  const tauler_error error = relaxation_open(&r, job, slice, 0, message);
  if (error) return error;
  r.reserved = reserved;
  crew_run(r.threads, work_on_recovery, &r);
  relaxation_close(&r);
  return said_failure(&r, message);
}
