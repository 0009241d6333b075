/* Solves a slice under a rule by which a repetition ends play: visits all moves once, then solves threshold
 * after threshold. Guarantees hold either on a fresh history or on every history.
 *
 * On a fresh history thresholds fall from the largest value. X is the set of positions from which a side gets
 * at least the threshold t. It has one plane of positions in which this side moves, and one of positions in
 * which the other side moves (work.h). Positions that guarantee more than t are in X from the start, and each
 * position enters X at most once per plane, over all thresholds. At each threshold X grows by single moves
 * and by regions in turn:
 *
 *    plane         enters X by single moves if
 *    SIDE_MOVES    a quiet move leads to X, or a conversion is worth t or more to the side
 *    OTHER_MOVES   all quiet moves lead to X, and all conversions are worth t or more to the side
 *
 * A position in which play has ended enters X only if this end is worth t or more to the side.
 *
 * A further region is sought only if, since the last search, X has received a position that pays less than t
 * (`leaves`): only such a position can enlarge the next region. If no position pays, ends or converts for
 * exactly t, X does not change, and t is skipped. docs/proofs.md, "Own row", proves both.
 *
 * On every history thresholds rise, and a set Y takes the place of X (any_history.c). */
#include "solver/engines/repetition/work.h"

#include "solver/engines/cells.h"
#include "solver/shards/store_talk.h"

enum { SUM_CHANGED, SUM_STAYING, SUM_LEAVES, SUM_FAILED, SUMS };

static void receive_sums(void *user) {
  own_row *all = user;
  frontier *f = &all->frontier;
  tauler_message message = f->failed.message;
  if (f->sums[SUM_FAILED])
    failure_note(&f->failed, comm_agree(all->comm, (tauler_error)f->failed.error, &message), &message);
  all->changed = f->sums[SUM_CHANGED];
  all->staying += (int64_t)f->sums[SUM_STAYING];
  all->leaves = all->leaves || f->sums[SUM_LEAVES];
  all->any_failed = f->sums[SUM_FAILED] > 0;
}

static void begin_round(void *user) {
  own_row *all = user;
  frontier *f = &all->frontier;
  if (++all->stage == SOLVE_NO_DEPTH) failure_note(&f->failed, TAULER_INTERNAL, NULL);
  f->sums[SUM_CHANGED] = frontier_count_marked(f);
  f->sums[SUM_STAYING] = (uint64_t)all->staying_here;
  f->sums[SUM_LEAVES] = all->leaves_here;
  f->sums[SUM_FAILED] = f->failed.error != TAULER_OK;
  f->summed = f->exchange ? SUMS : 0;
  all->staying_here = 0;
  all->leaves_here = false;
  all->changed = 0;
  frontier_begin_round(f);
  if (!f->exchange) receive_sums(all);
  comm_note_progress(all->comm);
}

bool own_row_run_round(own_row_member *mine, worker *self, frontier_receive *receive) {
  own_row *all = mine->all;
  if (own_row_has_failed(all)) return false;
  if (mine->staying) atomic_fetch_add(&all->staying_here, mine->staying);
  if (mine->leaves) all->leaves_here = true;
  mine->staying = 0;
  mine->leaves = false;
  frontier_barrier(&all->frontier, self, begin_round, all);
  if (all->frontier.exchange || all->changed > 0) frontier_propagate(&all->frontier, self, receive);
  return all->changed > 0;
}

void own_row_propagate(own_row_member *mine, worker *self, frontier_receive *receive) {
  while (own_row_run_round(mine, self, receive)) continue;
}

void own_row_each_block(own_row_member *mine, worker *self, own_row_block *work) {
  const own_row *all = mine->all;
  const uint64_t blocks = (all->n + OWN_ROW_BLOCK - 1) / OWN_ROW_BLOCK;
  uint64_t block;
  while (!all->frontier.failed.error && worker_next(self, blocks, &block)) {
    const uint64_t first = block * OWN_ROW_BLOCK, end = first + OWN_ROW_BLOCK;
    work(mine, first, end < all->n ? end : all->n);
  }
}

/* --- first pass ---
 *
 * It finds the values of conversions and ends, the numbers of quiet moves, the payments of repetitions, and
 * the thresholds at which a set can change. */

static tauler_error count_move(void *user, const expand_edge *edge) {
  own_row *all = user;
  const uint64_t i = edge->index - all->first;
  if (edge->quiet) {
    const int counted = all->program == OWN_ROW_ANY ? SIDE_MOVES : OTHER_MOVES;
    return all->states[counted][i]++ == STATE_COUNT ? TAULER_INTERNAL : TAULER_OK;
  }
  int8_t *best = &all->cells[SIDE_MOVES][i], *worst = &all->cells[OTHER_MOVES][i];
  /* the side's guarantee after this move: as_mover if the side makes it, as_other if the other side does */
  const int as_mover = edge->worth[0], as_other = -edge->worth[1];
  if (as_mover > *best) *best = (int8_t)as_mover;
  if (as_other < *worst) *worst = (int8_t)as_other;
  return TAULER_OK;
}

static void begin_positions(void *user, const uint64_t *index, size_t n, const int16_t *ended) {
  own_row *all = user;
  const uint64_t first = index[0] - all->first;
  all->job->problem.game->repeated(all->job->problem.rules, all->slice, index[0], n, all->pays + first);
  for (size_t i = 0; i < n; i++) {
    const bool has_ended = ended[i] != GAME_NOT_ENDED;
    all->cells[SIDE_MOVES][first + i] = has_ended ? (int8_t)ended[i] : INT8_MIN;
    all->cells[OTHER_MOVES][first + i] = has_ended ? (int8_t)-ended[i] : INT8_MAX;
  }
}

static void begin_first_pass(void *user) {
  own_row *all = user;
  all->first_pass = (lookup_round){.lookup = &all->lookup,
                                   .first = all->first,
                                   .positions = all->n,
                                   .begin = begin_positions,
                                   .visit = count_move,
                                   .user = all,
                                   .failed = &all->frontier.failed};
}

static void note_worths(own_row_member *mine, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  bool seen[UINT8_MAX + 1] = {false};
  for (uint64_t i = first; i < end; i++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      seen[all->cells[plane][i] - INT8_MIN] = true;
      seen[own_row_pays(all, plane, i) - INT8_MIN] = true;
    }
  }
  for (int worth = 0; worth <= UINT8_MAX; worth++) {
    if (seen[worth]) atomic_fetch_or(&all->run.worths[worth / 64], UINT64_C(1) << worth % 64);
  }
}

static void agree_on_worths(void *user) {
  own_row *all = user;
  uint64_t worths[] = {all->run.worths[0], all->run.worths[1], all->run.worths[2], all->run.worths[3]};
  tauler_message message = all->frontier.failed.message;
  tauler_error error = comm_agree(all->comm, (tauler_error)all->frontier.failed.error, &message);
  if (!error) error = comm_allreduce(all->comm, COMM_OR, worths, sizeof worths / sizeof *worths, &message);
  failure_note(&all->frontier.failed, error, &message);
  all->any_failed = all->frontier.failed.error != TAULER_OK;
  for (int i = 0; i < 4; i++) all->run.worths[i] = worths[i];
}

static void run_first_pass(own_row_member *mine, worker *self) {
  own_row *all = mine->all;
  worker_barrier(self, begin_first_pass, all);
  lookup_round_run(&all->first_pass, self);
  own_row_each_block(mine, self, note_worths);
  frontier_barrier(&all->frontier, self, agree_on_worths, all);
}

/* --- growth of X by single moves, in which each quiet edge is used at most once per plane --- */

static void add_known_to_x(own_row_member *mine, int plane, uint64_t i) {
  const own_row *all = mine->all;
  uint8_t *state = &all->states[plane][i];
  if ((*state & STATE_IN_X) || all->cells[plane][i] < all->run.threshold) return;
  if (plane == OTHER_MOVES && (*state & STATE_COUNT) != 0) return;
  *state |= STATE_IN_X;
  own_row_settle(mine, plane, i);
}

static void begin_threshold_block(own_row_member *mine, uint64_t first, uint64_t end) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    for (uint64_t i = first; i < end; i++) add_known_to_x(mine, plane, i);
  }
}

static void grow_by_own_move(own_row_member *mine, const wave_run *run) {
  uint8_t *states = mine->all->states[SIDE_MOVES];
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    if (states[i] & STATE_IN_X) continue;
    states[i] |= STATE_IN_X;
    own_row_settle(mine, SIDE_MOVES, i);
  }
}

static void grow_by_all_moves(own_row_member *mine, const wave_run *run) {
  const own_row *all = mine->all;
  uint8_t *states = all->states[OTHER_MOVES];
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    const uint8_t before = states[i]--;
    if ((before & STATE_IN_X) || (before & STATE_COUNT) != 1 ||
        all->cells[OTHER_MOVES][i] < all->run.threshold)
      continue;
    states[i] |= STATE_IN_X;
    own_row_settle(mine, OTHER_MOVES, i);
  }
}

static void grow_x(void *user, int mine, const wave_run *run) {
  own_row *all = user;
  if (run->lane == SIDE_MOVES) {
    grow_by_own_move(&all->members[mine], run);
  } else {
    grow_by_all_moves(&all->members[mine], run);
  }
}

/* --- thresholds --- */

static void begin_region(void *user) {
  own_row *all = user;
  all->leaves = false;
  all->staying = 0;
}

static void advance_threshold(void *user) {
  own_row *all = user;
  all->stage = 1;
  all->run.threshold += all->program == OWN_ROW_ANY ? 1 : -1;
}

static bool has_worth(const own_row *all, int worth) {
  worth -= INT8_MIN;
  return all->run.worths[worth / 64] >> worth % 64 & 1;
}

/* True if the set of this threshold can differ from that of the previous one. When thresholds fall, it can
 * only if a position pays, ends or converts for exactly this threshold; when they rise, only if one does for
 * exactly the previous threshold. The first of rising thresholds is always due. */
static bool is_due(const own_row *all) {
  if (all->program == OWN_ROW_FRESH) return has_worth(all, (int)all->run.threshold);
  return all->run.threshold == 1 - all->largest || has_worth(all, (int)all->run.threshold - 1);
}

static bool is_done(const own_row *all) {
  return all->program == OWN_ROW_ANY ? all->run.threshold > all->largest
                                     : all->run.threshold <= -all->largest;
}

static void solve_threshold(own_row_member *mine, worker *self) {
  own_row *all = mine->all;
  if (all->program == OWN_ROW_ANY) {
    own_row_solve_any_threshold(mine, self);
    return;
  }
  own_row_each_block(mine, self, begin_threshold_block);
  own_row_propagate(mine, self, grow_x);
  do {
    worker_barrier(self, begin_region, all);
    own_row_find_region(mine, self);
    own_row_propagate(mine, self, grow_x);
  } while (all->leaves && !own_row_has_failed(all));
}

static void make_bounds(own_row_member *mine, uint64_t first, uint64_t end) {
  const own_row *all = mine->all;
  for (uint64_t i = first; i < end; i++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      const bool in_x = all->states[plane][i] & STATE_IN_X;
      const int guaranteed = in_x ? all->cells[plane][i] : -all->largest;
      all->cells[plane][i] = (int8_t)(plane == SIDE_MOVES ? guaranteed : -guaranteed);
      if (!in_x && all->stages[plane]) all->stages[plane][i] = SOLVE_NO_DEPTH;
    }
  }
}

static void run_solve(void *user, worker *self) {
  own_row *all = user;
  own_row_member *mine = &all->members[self->number];
  mine->all = all;
  mine->number = self->number;
  if (!all->resumed) run_first_pass(mine, self);
  while (!own_row_has_failed(all) && !is_done(all)) {
    if (checkpointer_barrier(&all->checkpointer, self, NULL, NULL)) return;
    if (is_due(all)) solve_threshold(mine, self);
    worker_barrier(self, advance_threshold, all);
  }
  if (!all->any_failed)
    own_row_each_block(mine, self, all->program == OWN_ROW_ANY ? own_row_any_finish : make_bounds);
}

/* --- arrays --- */

static const char *const what = "the own-row solver";

static tauler_error open_cells(own_row *all, int plane, tauler_message *message) {
  const slice_shard *shard = &all->sharded->shards[0];
  tauler_error error = sharded_allocate(all->sharded, 0, SHARD_CELLS + plane, message);
  if (!error && all->with_stages) error = sharded_allocate(all->sharded, 0, SHARD_DEPTHS + plane, message);
  all->cells[plane] = shard->parts[SHARD_CELLS + plane];
  all->stages[plane] = all->with_stages ? shard->parts[SHARD_DEPTHS + plane] : NULL;
  return error;
}

/* An update tells a parent, which is in the other plane, only that a child was marked. */
static void fill_updates(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates) {
  for (size_t k = 0; k < n; k++) updates[k] = (frontier_update){(int8_t)!plane, 0};
}

static void list_arrays(arena *a, void *of) {
  own_row *all = of;
  all->next = arena_allocate(a, frontier_bytes_of_sets(all->n, SOLVE_PLANES), 1);
  all->pays = arena_allocate(a, all->n, sizeof *all->pays);
  all->members = arena_allocate(a, (uint64_t)all->job->work.threads, sizeof *all->members);
  for (int plane = 0; plane < SOLVE_PLANES; plane++)
    all->states[plane] = arena_allocate(a, all->n, sizeof *all->states[plane]);
}

static tauler_error open_arrays(own_row *all, tauler_message *message) {
  frontier *f = &all->frontier;
  *f = (frontier){.job = all->job,
                  .slice = all->slice,
                  .planes = SOLVE_PLANES,
                  .send = fill_updates,
                  .use_sums = receive_sums,
                  .user = all};
  tauler_error error = frontier_open(f, all->layout, message);
  if (error) return error;
  all->n = f->starts[all->shard + 1] - f->starts[all->shard];
  error = arena_fill(&all->lists, all->job->work.memory, what, list_arrays, all, message);
  if (error) return error;
  frontier_select(f, all->shard, all->next);
  all->first = f->first;
  for (int plane = 0; plane < SOLVE_PLANES && !error; plane++) error = open_cells(all, plane, message);
  return error ? error : remote_lookup_open(&all->lookup, all->job, all->slice, SOLVE_PLANES, false, message);
}

/* close_own_row must be called, also after an error. A checkpoint contains no marks and no region, since
 * between thresholds no position is marked and regions are found anew. */
static tauler_error open_own_row(own_row *all, tauler_message *message) {
  tauler_error error = comm_agree(all->comm, open_arrays(all, message), message);
  if (error) return error;
  all->arrays = (unit_arrays){.layout = all->layout};
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    unit_arrays_append(&all->arrays, UNIT_CELLS, all->cells[plane], sizeof *all->cells[plane]);
    unit_arrays_append(&all->arrays, UNIT_CELLS, all->states[plane], sizeof *all->states[plane]);
    if (all->with_stages)
      unit_arrays_append(&all->arrays, UNIT_CELLS, all->stages[plane], sizeof *all->stages[plane]);
  }
  all->units = unit_arrays_checkpoint_units(&all->arrays, &all->run, sizeof all->run);
  all->units.first_shard = all->shard;
  const char *stage = all->program == OWN_ROW_ANY ? "own-row-any"
                      : all->with_stages          ? "own-row-stages"
                                                  : "own-row";
  checkpointer_open(&all->checkpointer, all->job, all->slice, stage, &all->units);
  error = checkpointer_resume(&all->checkpointer, &all->resumed, message);
  if (error || !all->resumed) return error;
  all->job->problem.game->repeated(all->job->problem.rules, all->slice, all->first, all->n, all->pays);
  return TAULER_OK;
}

static void close_own_row(own_row *all) {
  frontier_close(&all->frontier);
  remote_lookup_close(&all->lookup);
  arena_close(&all->lists);
}

static uint64_t own_row_bytes(const solve_job *job, uint32_t slice, bool stages, uint32_t shards,
                              uint32_t shards_per_rank, uint64_t *waiting) {
  const uint64_t n = frontier_largest_shard(&job->problem, slice, shards, shards_per_rank);
  own_row planned = {.job = job, .n = n};
  const uint64_t cells = SOLVE_PLANES * (n + (stages ? sizeof(uint16_t) * n : 0));
  return cells + arena_bytes(list_arrays, &planned) +
         frontier_bytes(job, n, SOLVE_PLANES, shards, shards_per_rank) +
         remote_lookup_bytes(job, SOLVE_PLANES) + sizeof(slice_shard) +
         (shards == 1 ? 0 : store_talk_bytes((int)shards, UINT64_MAX));
}

static own_row make_own_row(const solve_job *job, bool stages, sharded_slice *slice) {
  const game *game = job->problem.game;
  const int largest = game->largest_value(job->problem.rules, slice->slice);
  const bool any = game->fallback_cycles && game->fallback_cycles(job->problem.rules);
  return (own_row){.job = job,
                   .comm = job->work.comm,
                   .slice = slice->slice,
                   .shard = slice->first_shard,
                   .layout = slice->layout,
                   .sharded = slice,
                   .program = any ? OWN_ROW_ANY : OWN_ROW_FRESH,
                   .with_stages = stages && !any,
                   .largest = largest,
                   .stage = 1,
                   .run.threshold = any ? 1 - largest : largest};
}

static tauler_error own_row_solve(const solve_job *job, bool stages, sharded_slice *slice,
                                  solve_effort *effort, tauler_message *message) {
  if (slice->shards_here != 1)
    return tauler_fail(message, TAULER_INTERNAL, "slice %u: the own-row solver has one shard per rank",
                       slice->slice);
  own_row all = make_own_row(job, stages, slice);
  tauler_error error = open_own_row(&all, message);
  if (!error) {
    workers_run(job->work.threads, run_solve, &all);
    error = frontier_outcome(&all.frontier, message);
  }
  if (!error) error = checkpointer_outcome(&all.checkpointer, message);
  close_own_row(&all);
  return error;
}

/* If one shard owns the slice and the job has tables of moves for grid kernels, uses the lookups of the
 * engine tiles: the cells are then in index order, as in a grid of one shard. */
static tauler_error own_row_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                                   tauler_message *message) {
  const bool has_kernels = job->problem.game->grid && job->grid_tables && slice->layout->shards == 1;
  if (!has_kernels) return ranges_lookup(job, slice, reserved, message);
  slice_layout *grid, *const own = slice->layout;
  tauler_error error =
      layout_open(job->problem.game, job->problem.rules, slice->slice, true, 1, 1, &grid, message);
  if (error) return error;
  slice->layout = grid;
  error = tiles_lookup(job, slice, reserved, message);
  slice->layout = own;
  layout_close(grid);
  return error;
}

static const cell_engine repetition_cells = {.move_tables = true,
                                             .moves_alone = true,
                                             .stages = true,
                                             .open = ranges_open,
                                             .solve = own_row_solve,
                                             .lookup = own_row_lookup,
                                             .bytes = own_row_bytes};

const engine engine_repetition = {
    .name = "repetition", .serves = game_ends_by_repetition, .cells = &repetition_cells};
