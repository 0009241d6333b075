/* Slices solved in shards by ranks that are threads, beside the same slices held whole. */
#include "tests/support/solver/toy_shards.h"

#include "solver/engines/cells.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

static const uint64_t LIMIT = UINT64_C(1) << 32;

void toy_shards_make_slices(const toy_shards *a, solved_slice *slices) {
  for (uint32_t s = 0; s < a->slices; s++) {
    slices[s] = (solved_slice){.slice = s,
                               .positions = a->game->positions(a->rules, s),
                               .planes = a->game->kind(a->rules) == SOLVE_GUARANTEES ? SOLVE_PLANES : 1};
    for (int plane = 0; plane < slices[s].planes; plane++) {
      slices[s].cells[plane] = suite_zeros(slices[s].positions, 1);
      slices[s].depths[plane] = suite_zeros(slices[s].positions, sizeof(uint16_t));
    }
  }
}

toy_shards *toy_shards_new(const engine *engine, const game *game, const game_rules *rules, uint32_t slices) {
  toy_shards *a = suite_zeros(1, sizeof *a);
  a->engine = engine;
  a->game = game;
  a->rules = rules;
  a->slices = slices;
  a->depths = true;
  toy_shards_make_slices(a, a->found);
  return a;
}

static bool has_depths(const toy_shards *a) {
  return a->depths || a->game->kind(a->rules) == SOLVE_OUTCOMES;
}

tauler_error toy_shards_copy(sharded_slice *slice, int part, void *whole, bool back,
                             tauler_message *message) {
  const size_t size = sharded_cell_bytes(part);
  for (uint32_t i = 0; i < slice->shards_here; i++) {
    const uint64_t from = layout_slabs(slice->layout, slice->first_shard + i)->from;
    uint8_t *there = (uint8_t *)whole + from * size;
    const tauler_error error =
        back ? sharded_allocate(slice, i, part, message) : sharded_load(slice, i, part, message);
    if (error) return error;
    void *here = slice->shards[i].parts[part];
    memcpy(back ? here : there, back ? there : here, slice->shards[i].n * size);
    sharded_unload(slice, i);
  }
  return TAULER_OK;
}

tauler_error toy_shards_pack(const solve_job *job, const solved_slice *slice, int plane,
                             tauler_message *message) {
  const bool depths = plane >= STORE_DEPTHS;
  const uint8_t *cells =
      depths ? (const uint8_t *)slice->depths[plane - STORE_DEPTHS] : (const uint8_t *)slice->cells[plane];
  const size_t size = depths ? sizeof(uint16_t) : 1;
  tauler_error error = store_begin(job->store, slice->slice, plane, slice->positions, NULL, message);
  const uint64_t chunks = (slice->positions + STORE_CHUNK - 1) / STORE_CHUNK;
  const uint64_t ranks = (uint64_t)comm_ranks(job->work.comm);
  for (uint64_t c = (uint64_t)comm_rank(job->work.comm); c < chunks && !error; c += ranks)
    error = store_put(job->store, slice->slice, plane, c, cells + c * STORE_CHUNK * size, message);
  return error;
}

/* The shards here to their place in the whole slice, which all ranks then pack. */
static tauler_error gather(toy_shards *a, const solve_job *job, sharded_slice *slice,
                           tauler_message *message) {
  solved_slice *found = &a->found[slice->slice];
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = toy_shards_copy(slice, SHARD_CELLS + plane, found->cells[plane], false, message);
    if (!error && has_depths(a))
      error = toy_shards_copy(slice, SHARD_DEPTHS + plane, found->depths[plane], false, message);
  }
  error = comm_agree(job->work.comm, error, message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = toy_shards_pack(job, found, plane, message);
    if (!error && a->game->kind(a->rules) == SOLVE_OUTCOMES)
      error = toy_shards_pack(job, found, STORE_DEPTHS + plane, message);
  }
  return comm_agree(job->work.comm, error, message);
}

static tauler_error solve_measured(toy_shards *a, const solve_job *job, sharded_slice *slice,
                                   tauler_message *message) {
  const bool fails = a->fail_take && slice->slice + 1 == a->slices;
  const uint64_t before = comm_bytes_sent(job->work.comm), taken = memory_allocated(job->work.memory);
  const int rank = comm_rank(job->work.comm);
  solve_effort effort = {0};
  a->planned[rank] =
      a->engine->cells->bytes(job, slice->slice, a->depths, slice->layout->shards, slice->shards_here, NULL);
  if (a->by_plan) job->work.memory->limit = taken + a->planned[rank];
  job->work.memory->peak = taken;
  if (fails && rank + 1 == a->cut.ranks) memory_fail_allocation(job->work.memory, a->fail_take, false);
  const tauler_error error = a->engine->cells->solve(job, a->depths, slice, &effort, message);
  if (fails) memory_fail_allocation(job->work.memory, 0, false);
  a->peak[rank] = memory_peak(job->work.memory) - taken;
  job->work.memory->limit = LIMIT;
  a->bytes_sent[slice->slice][rank] = comm_bytes_sent(job->work.comm) - before;
  return error;
}

static tauler_error solve_slices(toy_shards *a, const solve_job *job, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t number = 0; number < a->slices && !error; number++) {
    sharded_slice slice = {0};
    error = a->engine->cells->open(job, number, (uint32_t)a->cut.shards_per_rank, &slice, message);
    error = comm_agree(job->work.comm, error, message);
    if (!error) error = solve_measured(a, job, &slice, message);
    if (!error) error = gather(a, job, &slice, message);
    if (!error && a->then) error = a->then(a, job, &slice, message);
    sharded_free(&slice);
  }
  return error;
}

static void run_rank(comm *comm, void *user) {
  toy_shards *a = user;
  const int rank = comm_rank(comm);
  memory_budget *memory = suite_budget(LIMIT);
  const store_settings settings = {.comm = comm, .threads = 1, .room = a->slices};
  slice_store *store = NULL;
  tauler_error error = store_open(&settings, memory, &store, &a->message[rank]);
  const solve_job job = {.problem = {.game = a->game, .rules = a->rules, .engine = a->engine},
                         .work.threads = a->cut.threads,
                         .work.memory = memory,
                         .work.comm = comm,
                         .work.spill_folder = folder,
                         .work.packet_bytes = a->cut.packet_bytes,
                         .store = store,
                         .checkpoints = a->checkpoints};
  if (!error) error = solve_slices(a, &job, &a->message[rank]);
  a->error[rank] = error;
  store_close(store);
}

static tauler_error common_error(const toy_shards *a) {
  for (int r = 1; r < a->cut.ranks; r++) ck_assert_int_eq(a->error[r], a->error[0]);
  remove_empty_folder();
  return a->error[0];
}

tauler_error toy_shards_solve(toy_shards *a, toy_cut cut) {
  make_folder();
  a->cut = cut;
  toy_comm_run(cut.ranks, run_rank, a);
  return common_error(a);
}

tauler_error toy_shards_solve_failing(toy_shards *a, toy_cut cut, uint64_t call) {
  make_folder();
  a->cut = cut;
  toy_comm_run_failing(cut.ranks, 1, call, run_rank, a);
  return common_error(a);
}

typedef struct {
  _Atomic uint64_t asked;
  uint64_t every;
} stopper;

static bool stop_now(void *user) {
  stopper *s = user;
  return ++s->asked % s->every == 0;
}

int toy_shards_solve_stopped(toy_shards *a, const toy_cut *cuts, int n, int step, uint64_t every) {
  enum { MOST_STOPS = 500 };
  char kept[SUITE_FOLDER_BYTES];
  make_folder_at(kept);
  stopper s = {0, every};
  solve_checkpoints checkpoints = {kept, 0, stop_now, &s};
  a->checkpoints = &checkpoints;
  int stops = 0;
  for (tauler_error error = TAULER_STOPPED; error; stops++) {
    toy_shards_make_slices(a, a->found);
    error = toy_shards_solve(a, cuts[stops * step % n]);
    ck_assert_msg(!error || error == TAULER_STOPPED, "%s", a->message[0].text);
    ck_assert_int_lt(stops, MOST_STOPS);
  }
  a->checkpoints = NULL;
  remove_folder_at(kept);
  return stops;
}

void toy_whole_solve(const toy_shards *a, toy_whole *whole) {
  *whole = (toy_whole){0};
  whole->memory = suite_budget(LIMIT);
  whole->finished = toy_store_open(whole->memory, a->slices, &whole->list);
  whole->job = (solve_job){.problem = {.game = a->game, .rules = a->rules, .engine = a->engine},
                           .work.threads = 1,
                           .work.memory = whole->memory,
                           .store = whole->finished};
  for (uint32_t s = 0; s < a->slices; s++) {
    MUST(solve_alone(&whole->job, s, true, &whole->list[s], hear()));
  }
}

static void compare_plane(const toy_shards *a, const solved_slice *found, const solved_slice *expected,
                          int plane) {
  for (uint64_t i = 0; i < found->positions; i++) {
    const int depth = has_depths(a) ? found->depths[plane][i] : 0;
    const int expected_depth = has_depths(a) ? expected->depths[plane][i] : 0;
    if (found->cells[plane][i] != expected->cells[plane][i] || depth != expected_depth)
      ck_abort_msg("%d ranks, %d shards each, slice %u, plane %d, position %llu: value %d depth %d, not %d "
                   "and %d",
                   a->cut.ranks, a->cut.shards_per_rank, found->slice, plane, (unsigned long long)i,
                   found->cells[plane][i], depth, expected->cells[plane][i], expected_depth);
  }
}

void toy_shards_compare(const toy_shards *a, const toy_whole *whole) {
  for (uint32_t s = 0; s < a->slices; s++) {
    for (int plane = 0; plane < a->found[s].planes; plane++)
      compare_plane(a, &a->found[s], &whole->list[s], plane);
  }
}

void toy_shards_check(toy_shards *a, toy_cut cut) {
  toy_whole whole;
  toy_whole_solve(a, &whole);
  ck_assert_msg(!toy_shards_solve(a, cut), "%s", a->message[0].text);
  toy_shards_compare(a, &whole);
}
