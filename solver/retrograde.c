/* The engine for games that give batches only: scores settled from the extreme inward, wave by wave.
 *
 * For a threshold t, a position is settled at t when its mover can force t (best ≥ t), or at −t when
 * all its moves are known and none is worth more (open = 0, best = −t). Scores run t from the largest
 * value to 1, one pair of bounds at once, and what is left is worth 0; outcomes are the case t = 1;
 * guarantees are two bounds apart, t running on to the worst, and what is left guarantees nothing.
 * The wave in which a position is settled is its depth. Every quiet edge is touched once, backwards,
 * when its child is settled; without predecessors all open positions are looked at in every wave. */
#include <stdatomic.h>
#include <string.h>

#include "solver/engines.h"
#include "solver/exchange.h"
#include "solver/keeper.h"
#include "solver/positions.h"

/* The frontier of a wave is worked off in so many parts, to bound the updates under way. */
enum { PARTS = 8 };

enum { ROLE_LOWER, ROLE_UPPER, ROLE_BOTH };

typedef struct {
  const solve_job *job;
  const solved_slice *slice;
  bool outcomes; /* depths count through conversions, and t = 1 only */
  bool depths;
  int planes, threads;
  int8_t *best[SOLVE_PLANES];
  uint16_t *open;                    /* quiet moves whose child is not settled against the mover */
  uint16_t *depth[SOLVE_PLANES];     /* of settled positions; of others, when a conversion falls due */
  uint64_t *settled[SOLVE_PLANES];   /* a bit per position */
  uint64_t *frontier[SOLVE_PLANES];  /* to be settled in this wave */
  uint64_t *following[SOLVE_PLANES]; /* in the next one */
  uint64_t *ended;
  exchange *updates;
  walker *walkers; /* per thread */
  int threshold, least_threshold;
  uint16_t wave;
  bool swapped;            /* frontier and following stand in each other's first place */
  _Atomic uint64_t marked; /* positions of the following wave */
  uint64_t marked_last;
  _Atomic uint32_t latest_due; /* conversions fall due up to this wave */
  _Atomic int failed;
  keeper keeper;
  bool resumed;
  struct {
    uint64_t marked, marked_last;
    uint32_t latest_due;
    int32_t threshold;
    uint16_t wave;
    uint8_t swapped, unused;
  } kept; /* of the fields above, in a checkpoint */
} retrograde;

static inline bool has_bit(const uint64_t *bits, uint64_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t i) {
  bits[i / 64] |= UINT64_C(1) << (i % 64);
}

static void note_failure(retrograde *r, tauler_error error) {
  if (error) atomic_store(&r->failed, (int)error);
}

static int upper_plane(const retrograde *r) {
  return r->planes - 1;
}

static void note_due(retrograde *r, uint16_t due) {
  uint32_t latest = atomic_load(&r->latest_due);
  while (latest < due && !atomic_compare_exchange_weak(&r->latest_due, &latest, due)) {}
}

/* First look: ended positions, converting moves, quiet moves counted. */
static tauler_error count_move(void *user, const walk_edge *edge) {
  retrograde *r = user;
  if (edge->quiet) {
    if (r->open[edge->index] == UINT16_MAX) return TAULER_INTERNAL;
    r->open[edge->index]++;
    return TAULER_OK;
  }
  const int8_t before = r->best[0][edge->index];
  for (int plane = 0; plane < r->planes; plane++) {
    int8_t *best = &r->best[plane][edge->index];
    if (edge->worth[plane] > *best) *best = (int8_t)edge->worth[plane];
  }
  if (!r->outcomes) return TAULER_OK;
  const uint16_t due = (uint16_t)(edge->child_depth + 1);
  uint16_t *depth = &r->depth[0][edge->index];
  const int worth = edge->worth[0];
  const bool better = worth > before, as_good = worth == before;
  if (better || (as_good && worth > 0 && due < *depth) || (as_good && worth < 0 && due > *depth))
    *depth = due;
  if (worth != 0) note_due(r, due);
  return TAULER_OK;
}

static tauler_error count_batch(retrograde *r, walker *walker, uint64_t first, size_t n) {
  uint64_t index[WALK_BATCH] = {0};
  for (size_t i = 0; i < n; i++) index[i] = first + i;
  tauler_error error = r->job->game->ended(r->job->rules, r->slice->slice, index, n, walker->values);
  if (error) return error;
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    for (int plane = 0; plane < r->planes; plane++) r->best[plane][first + i] = INT8_MIN;
    if (walker->values[i] == GAME_NOT_ENDED) {
      index[left++] = first + i;
      continue;
    }
    for (int plane = 0; plane < r->planes; plane++) r->best[plane][first + i] = (int8_t)walker->values[i];
    set_bit(r->ended, first + i);
  }
  return walk_moves(walker, index, left, count_move, r);
}

/* Calls a function on every batch of every shard, shards shared out among the crew. */
typedef tauler_error batch_work(retrograde *r, walker *walker, uint64_t first, size_t n);

static void for_batches(retrograde *r, crew_member *member, batch_work *work) {
  uint64_t shard;
  while (crew_next(member, exchange_shards(r->updates), &shard)) {
    const uint64_t end = exchange_shard_start(r->updates, shard + 1);
    for (uint64_t first = exchange_shard_start(r->updates, shard); first < end && !r->failed;
         first += WALK_BATCH) {
      const size_t n = end - first < WALK_BATCH ? (size_t)(end - first) : WALK_BATCH;
      note_failure(r, work(r, &r->walkers[member->number], first, n));
    }
  }
}

static void mark(retrograde *r, int plane, uint64_t i) {
  if (has_bit(r->following[plane], i)) return;
  set_bit(r->following[plane], i);
  atomic_fetch_add_explicit(&r->marked, 1, memory_order_relaxed);
}

/* Whether a bound that nobody has forced is already at the threshold. */
static bool forces(const retrograde *r, uint64_t i) {
  return r->best[0][i] >= r->threshold;
}
static bool yields(const retrograde *r, uint64_t i) {
  return r->open[i] == 0 && r->best[upper_plane(r)][i] == -r->threshold;
}

static bool is_due(const retrograde *r, uint64_t i) {
  return !r->outcomes || r->depth[0][i] == r->wave;
}

/* Whether a loser holds out by a conversion beyond the next wave. */
static bool holds_out(const retrograde *r, uint64_t i) {
  return r->outcomes && r->depth[0][i] != SOLVE_NO_DEPTH && r->depth[0][i] > r->wave + 1;
}

/* Marks what needs no other position of the slice: ended positions in wave 0, conversions when they
 * fall due. */
static tauler_error find_conversions(retrograde *r, walker *walker, uint64_t first, size_t n) {
  (void)walker;
  const int upper = upper_plane(r);
  for (uint64_t i = first; i < first + n; i++) {
    if (has_bit(r->ended, i) ? r->wave != 0 : (r->wave == 0 || !is_due(r, i))) continue;
    if (!has_bit(r->settled[0], i) && forces(r, i)) mark(r, 0, i);
    if (!has_bit(r->settled[upper], i) && yields(r, i)) mark(r, upper, i);
  }
  return TAULER_OK;
}

static void absorb(retrograde *r, const exchange_update *update) {
  const uint64_t i = update->index;
  const int upper = upper_plane(r), plane = update->role == ROLE_LOWER ? 0 : upper;
  /* Part of this wave's frontier may still wait for its turn to be settled. */
  if (has_bit(r->settled[plane], i) || has_bit(r->frontier[plane], i)) return;
  int8_t *best = &r->best[plane][i];
  if (update->worth > *best) *best = (int8_t)update->worth;
  /* The update itself must force: a conversion that does may not be due yet. */
  if (update->role != ROLE_UPPER && update->worth >= r->threshold) mark(r, 0, i);
  if (update->role == ROLE_LOWER) return;
  r->open[i]--;
  if (yields(r, i) && !holds_out(r, i)) mark(r, upper, i);
}

static void absorb_updates(retrograde *r, crew_member *member) {
  uint64_t shard;
  while (crew_next(member, exchange_shards(r->updates), &shard)) {
    const exchange_update *updates;
    size_t n;
    for (int part = 0; exchange_pull(r->updates, shard, part, &updates, &n); part++) {
      for (size_t i = 0; i < n; i++) absorb(r, &updates[i]);
    }
    exchange_forget(r->updates, shard);
  }
}

typedef struct {
  retrograde *r;
  int member, plane;
} sender;

static tauler_error send_update(void *user, const walk_edge *edge) {
  const sender *from = user;
  const retrograde *r = from->r;
  const uint8_t role = r->planes == 1 ? ROLE_BOTH : from->plane == 0 ? ROLE_UPPER : ROLE_LOWER;
  const exchange_update update = {.index = edge->child & ((UINT64_C(1) << 48) - 1),
                                  .worth = -r->best[from->plane][edge->index],
                                  .role = role};
  return exchange_push(r->updates, from->member, update);
}

static tauler_error send_batch(retrograde *r, crew_member *member, int plane, const uint64_t *index,
                               size_t n) {
  sender from = {r, member->number, plane};
  if (!r->job->game->retract || n == 0) return TAULER_OK;
  return walk_predecessors(&r->walkers[member->number], index, n, send_update, &from);
}

/* Settles one part of the frontier of a shard and tells its predecessors. */
static void settle_words(retrograde *r, crew_member *member, int plane, uint64_t from, uint64_t to) {
  uint64_t index[WALK_BATCH];
  size_t n = 0;
  for (uint64_t w = from; w < to; w++) {
    r->settled[plane][w] |= r->frontier[plane][w];
    for (uint64_t word = r->frontier[plane][w]; word; word &= word - 1) {
      const uint64_t i = w * 64 + (uint64_t)__builtin_ctzll(word);
      if (r->depth[plane]) r->depth[plane][i] = r->wave;
      index[n++] = i;
      if (n < WALK_BATCH) continue;
      note_failure(r, send_batch(r, member, plane, index, n));
      n = 0;
    }
    r->frontier[plane][w] = 0;
  }
  note_failure(r, send_batch(r, member, plane, index, n));
}

static void settle_part(retrograde *r, crew_member *member, uint64_t part) {
  uint64_t shard;
  while (crew_next(member, exchange_shards(r->updates), &shard)) {
    const uint64_t first = exchange_shard_start(r->updates, shard) / 64;
    const uint64_t end = (exchange_shard_start(r->updates, shard + 1) + 63) / 64, words = end - first;
    for (int plane = 0; plane < r->planes && !r->failed; plane++) {
      settle_words(r, member, plane, first + words * part / PARTS, first + words * (part + 1) / PARTS);
    }
  }
}

/* Without predecessors: every open position looks at its children again. */
typedef struct {
  retrograde *r;
  uint64_t first;
  int8_t lower[WALK_BATCH], upper[WALK_BATCH];
  uint16_t open[WALK_BATCH];
} second_look;

static tauler_error look_at_move(void *user, const walk_edge *edge) {
  second_look *look = user;
  const retrograde *r = look->r;
  const int upper = upper_plane(r);
  const size_t i = (size_t)(edge->index - look->first);
  int lower_worth = edge->worth[0], upper_worth = edge->worth[upper];
  bool lower_known = true, upper_known = true;
  if (edge->quiet) {
    lower_known = has_bit(r->settled[upper], edge->child);
    upper_known = has_bit(r->settled[0], edge->child);
    /* The best of a child that is not settled may be written just now. */
    if (lower_known) lower_worth = -r->best[upper][edge->child];
    if (upper_known) upper_worth = -r->best[0][edge->child];
  }
  /* Conversions that force are found when they fall due. */
  if (edge->quiet && lower_known && lower_worth > look->lower[i]) look->lower[i] = (int8_t)lower_worth;
  if (upper_known && upper_worth > look->upper[i]) look->upper[i] = (int8_t)upper_worth;
  if (!upper_known) look->open[i]++;
  return TAULER_OK;
}

static tauler_error look_again(retrograde *r, walker *walker, uint64_t first, size_t n) {
  second_look look = {.r = r, .first = first};
  uint64_t index[WALK_BATCH] = {0};
  size_t left = 0;
  const int upper = upper_plane(r);
  for (size_t i = 0; i < n; i++) {
    look.lower[i] = look.upper[i] = INT8_MIN;
    const bool done = has_bit(r->settled[0], first + i) && has_bit(r->settled[upper], first + i);
    if (!done && !has_bit(r->ended, first + i)) index[left++] = first + i;
  }
  const tauler_error error = walk_moves(walker, index, left, look_at_move, &look);
  for (size_t k = 0; k < left && !error; k++) {
    const uint64_t i = index[k], at = i - first;
    if (!has_bit(r->settled[0], i) && look.lower[at] >= r->threshold) {
      r->best[0][i] = look.lower[at];
      mark(r, 0, i);
    }
    if (has_bit(r->settled[upper], i) || look.open[at] > 0) continue;
    const bool news = r->open[i] != 0;
    r->open[i] = 0;
    if (look.upper[at] > r->best[upper][i]) r->best[upper][i] = look.upper[at];
    if (news && yields(r, i) && !holds_out(r, i)) mark(r, upper, i);
  }
  return error;
}

static void start_wave(void *user) {
  retrograde *r = user;
  for (int plane = 0; plane < r->planes; plane++) {
    uint64_t *frontier = r->following[plane];
    r->following[plane] = r->frontier[plane];
    r->frontier[plane] = frontier;
  }
  r->swapped = !r->swapped;
  r->marked_last = r->marked;
  r->marked = 0;
}

static void next_wave(void *user) {
  ((retrograde *)user)->wave++;
}

static bool conversions_fall_due(const retrograde *r) {
  return r->outcomes ? r->wave <= r->latest_due : r->wave <= 1;
}

/* One wave: settle what is due, tell the predecessors, take in what was told. */
static void run_wave(retrograde *r, crew_member *member) {
  if (conversions_fall_due(r)) for_batches(r, member, find_conversions);
  crew_meet(member, start_wave, r);
  for (uint64_t part = 0; part < PARTS && r->marked_last; part++) {
    settle_part(r, member, part);
    exchange_advance(r->updates, member);
    absorb_updates(r, member);
    crew_meet(member, NULL, NULL);
  }
  if (!r->job->game->retract && r->marked_last) {
    for_batches(r, member, look_again);
    crew_meet(member, NULL, NULL);
  }
  crew_meet(member, next_wave, r);
}

static void start_threshold(void *user) {
  retrograde *r = user;
  const bool too_deep = r->wave == SOLVE_NO_DEPTH && (r->marked || conversions_fall_due(r));
  if (too_deep) note_failure(r, TAULER_INTERNAL);
  r->threshold--;
  r->wave = 0;
}

static void fill_kept(void *user) {
  retrograde *r = user;
  r->kept.marked = r->marked;
  r->kept.marked_last = r->marked_last;
  r->kept.latest_due = r->latest_due;
  r->kept.threshold = r->threshold;
  r->kept.wave = r->wave;
  r->kept.swapped = r->swapped;
}

static void use_kept(retrograde *r) {
  r->marked = r->kept.marked;
  r->marked_last = r->kept.marked_last;
  r->latest_due = r->kept.latest_due;
  r->threshold = r->kept.threshold;
  r->wave = r->kept.wave;
  r->swapped = r->kept.swapped;
  for (int plane = 0; plane < r->planes && r->swapped; plane++) {
    uint64_t *frontier = r->following[plane];
    r->following[plane] = r->frontier[plane];
    r->frontier[plane] = frontier;
  }
}

/* Between waves no update is under way, and all that the next one needs are these arrays. */
static tauler_error take_up(retrograde *r, tauler_message *message) {
  keeper *keeper = &r->keeper;
  const uint64_t n = r->slice->positions, words = n / 64 + 1;
  keeper_open(keeper, r->job, r->slice->slice, r->depths ? "waves-depths" : "waves");
  keeper_add(keeper, &r->kept, sizeof r->kept);
  keeper_add(keeper, r->open, n * sizeof *r->open);
  keeper_add(keeper, r->ended, words * 8);
  for (int plane = 0; plane < r->planes; plane++) {
    keeper_add(keeper, r->best[plane], n);
    keeper_add(keeper, r->depth[plane], n * sizeof *r->depth[plane]);
    keeper_add(keeper, r->settled[plane], words * 8);
    keeper_add(keeper, r->frontier[plane], words * 8);
    keeper_add(keeper, r->following[plane], words * 8);
  }
  const tauler_error error = keeper_resume(keeper, &r->resumed, message);
  if (r->resumed) use_kept(r);
  return error;
}

static void work(void *user, crew_member *member) {
  retrograde *r = user;
  if (!r->resumed) for_batches(r, member, count_batch);
  crew_meet(member, NULL, NULL);
  while (!r->failed && r->threshold >= r->least_threshold) {
    do {
      run_wave(r, member);
      if (keeper_meet(&r->keeper, member, fill_kept, r)) return;
    } while (!r->failed && r->wave < SOLVE_NO_DEPTH &&
             (r->marked_last || r->marked || conversions_fall_due(r)));
    crew_meet(member, start_threshold, r);
  }
}

static void close_retrograde(retrograde *r) {
  memory_budget *memory = r->job->memory;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, r->settled[plane]);
    memory_give(memory, r->frontier[plane]);
    memory_give(memory, r->following[plane]);
  }
  memory_give(memory, r->open);
  memory_give(memory, r->ended);
  memory_give(memory, r->walkers);
  exchange_free(r->updates);
}

static tauler_error open_retrograde(retrograde *r, solved_slice *out, tauler_message *message) {
  memory_budget *memory = r->job->memory;
  const uint64_t n = out->positions, words = n / 64 + 1;
  const char *what = "the general solver";
  tauler_error error = memory_take_array(memory, n, sizeof *r->open, what, &r->open, message);
  if (!error) error = memory_take_array(memory, words, 8, what, &r->ended, message);
  if (!error)
    error = memory_take_array(memory, (uint64_t)r->threads, sizeof *r->walkers, what, &r->walkers, message);
  for (int plane = 0; plane < r->planes && !error; plane++) {
    if (!out->cells[plane]) error = memory_take(memory, n, what, &out->cells[plane], message);
    if (!error) error = memory_take_array(memory, words, 8, what, &r->settled[plane], message);
    if (!error) error = memory_take_array(memory, words, 8, what, &r->frontier[plane], message);
    if (!error) error = memory_take_array(memory, words, 8, what, &r->following[plane], message);
    if (error || !(r->depths || r->outcomes)) continue;
    error = memory_take_array(memory, n, sizeof *out->depths[plane], what, &out->depths[plane], message);
    if (!error) memset(out->depths[plane], 0xFF, n * sizeof *out->depths[plane]);
  }
  if (!error) error = exchange_new(memory, n, r->threads, &r->updates, message);
  for (int i = 0; i < r->threads && !error; i++) {
    walker_open(&r->walkers[i], r->job, out->slice, r->planes, r->outcomes);
  }
  for (int plane = 0; plane < r->planes; plane++) {
    r->best[plane] = out->cells[plane];
    r->depth[plane] = out->depths[plane];
  }
  return error;
}

/* What nobody could force: a draw, or guarantees of nothing. */
static void fill_open_cells(const retrograde *r, int largest) {
  for (int plane = 0; plane < r->planes; plane++) {
    const int8_t open = (int8_t)(r->planes == 1 ? 0 : plane == 0 ? -largest : largest);
    for (uint64_t i = 0; i < r->slice->positions; i++) {
      if (has_bit(r->settled[plane], i)) continue;
      r->best[plane][i] = open;
      if (r->depth[plane]) r->depth[plane][i] = SOLVE_NO_DEPTH;
    }
  }
}

tauler_error general_solve(const solve_job *job, bool depths, solved_slice *out, solve_effort *effort,
                           tauler_message *message) {
  const solve_kind kind = job->game->kind(job->rules);
  const int largest = job->game->largest_value(job->rules, out->slice);
  out->planes = kind == SOLVE_GUARANTEES ? 2 : 1;
  retrograde r = {.job = job,
                  .slice = out,
                  .outcomes = kind == SOLVE_OUTCOMES,
                  .depths = depths,
                  .planes = out->planes,
                  .threads = job->threads,
                  .threshold = largest,
                  .least_threshold = out->planes == 2 ? 1 - largest : 1};
  tauler_error error = open_retrograde(&r, out, message);
  if (!error) error = take_up(&r, message);
  if (!error) {
    crew_run(r.threads, work, &r);
    error = (tauler_error)r.failed;
    if (error)
      error = tauler_fail(message, error, "slice %u could not be solved (%s)", out->slice,
                          tauler_error_name(error));
  }
  if (!error) error = keeper_outcome(&r.keeper, message);
  if (!error) fill_open_cells(&r, largest);
  (void)effort;
  close_retrograde(&r);
  return error;
}

uint64_t general_solve_bytes(const solve_job *job, uint32_t slice, bool depths) {
  const uint64_t n = job->game->positions(job->rules, slice);
  const solve_kind kind = job->game->kind(job->rules);
  const uint64_t planes = kind == SOLVE_GUARANTEES ? 2 : 1, words = n / 64 + 1;
  const uint64_t depth_bytes = depths || kind == SOLVE_OUTCOMES ? 2 * n : 0;
  return planes * (n + 3 * 8 * words + depth_bytes) + 2 * n + 8 * words +
         (uint64_t)job->threads * sizeof(walker) + exchange_least_bytes(n, job->threads) +
         4 * n; /* updates under way, beyond what buffers hold at first */
}
