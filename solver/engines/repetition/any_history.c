/* Thresholds from the least value up: Y only shrinks, so a position is dropped once per plane, over all
 * thresholds, and then told to its predecessors; each quiet edge is touched once forwards and once backwards.
 * What it was still in Y for is all that is kept of a position. A last look at all moves makes bounds of
 * that, since where play stands needs not pay: only where it goes. */
#include "solver/engines/repetition/any_history.h"

#include <stdatomic.h>
#include <string.h>

#include "solver/parallel/workers.h"
#include "solver/propagate/expand.h"

/* Planes by whose move it is: the side that guarantees, or the other one. */
enum { SIDE_MOVES = 0, OTHER_MOVES = 1 };

/* A byte of state per position and plane. Counted are, where the side moves, its quiet moves into Y. */
enum { STATE_DROPPED = 0x80, STATE_COUNT = 0x1F };

enum { BLOCK = 4096 };

typedef struct own_row_any own_row_any;

typedef struct {
  own_row_any *all;
  int plane;     /* of the positions whose moves are at hand */
  uint64_t news; /* marked in this round */
  walker walker;
  uint64_t index[WALK_BATCH];
} any_member;

struct own_row_any {
  const solve_job *job;
  uint32_t slice;
  uint64_t n;
  int largest, threshold;
  /* What converting moves give the side at best, or leave it at worst, while a position is in Y; then the
   * greatest threshold at which it was. */
  int8_t *kept[SOLVE_PLANES];
  uint8_t *states[SOLVE_PLANES]; /* at the end: the bounds */
  int8_t *pays;                  /* the mover, if it repeats */
  uint64_t *marked[SOLVE_PLANES], *following[SOLVE_PLANES];
  any_member *members;
  _Atomic uint64_t news;              /* positions marked for the next round */
  _Atomic bool levels[UINT8_MAX + 1]; /* INT8_MIN …: somebody is paid, ends or converts for exactly this */
  _Atomic int failed;
};

static const char *const what = "the own-row-any solver";

static uint64_t blocks_of(const own_row_any *all) {
  return (all->n + BLOCK - 1) / BLOCK;
}

static uint64_t mark_words(uint64_t n) {
  return (n + 63) / 64;
}

static void note(own_row_any *all, tauler_error error) {
  int none = TAULER_OK;
  if (error) atomic_compare_exchange_strong(&all->failed, &none, (int)error);
}

static int load(const int8_t *kept) {
  return __atomic_load_n(kept, __ATOMIC_RELAXED);
}

/* --- what positions pay, end and convert for -------------------------------------------------------------
 */

static tauler_error count_move(void *user, const walk_edge *edge) {
  own_row_any *all = ((any_member *)user)->all;
  if (edge->quiet) return all->states[SIDE_MOVES][edge->index]++ == STATE_COUNT ? TAULER_INTERNAL : TAULER_OK;
  int8_t *gives = &all->kept[SIDE_MOVES][edge->index], *leaves = &all->kept[OTHER_MOVES][edge->index];
  if (edge->worth[0] > *gives) *gives = (int8_t)edge->worth[0];
  if (-edge->worth[1] < *leaves) *leaves = (int8_t)-edge->worth[1];
  return TAULER_OK;
}

static void note_level(own_row_any *all, int level) {
  _Atomic bool *seen = &all->levels[level - INT8_MIN];
  if (!atomic_load_explicit(seen, memory_order_relaxed))
    atomic_store_explicit(seen, true, memory_order_relaxed);
}

static void note_levels(own_row_any *all, uint64_t first, size_t n) {
  for (uint64_t i = first; i < first + n; i++) {
    note_level(all, all->pays[i]);
    note_level(all, -all->pays[i]);
    note_level(all, all->kept[SIDE_MOVES][i]);
    note_level(all, all->kept[OTHER_MOVES][i]);
  }
}

static tauler_error look_at_batch(any_member *member, uint64_t first, size_t n) {
  own_row_any *all = member->all;
  const game *game = all->job->game;
  for (size_t i = 0; i < n; i++) member->index[i] = first + i;
  tauler_error error = game->ended(all->job->rules, all->slice, member->index, n, member->walker.values);
  if (error) return error;
  game->repeated(all->job->rules, all->slice, first, n, all->pays + first);
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    const int value = member->walker.values[i];
    const bool ended = value != GAME_NOT_ENDED;
    all->kept[SIDE_MOVES][first + i] = ended ? (int8_t)value : INT8_MIN;
    all->kept[OTHER_MOVES][first + i] = ended ? (int8_t)-value : INT8_MAX;
    if (!ended) member->index[left++] = first + i;
  }
  error = walk_moves(&member->walker, member->index, left, count_move, member);
  note_levels(all, first, n);
  return error;
}

typedef tauler_error batch_work(any_member *member, uint64_t first, size_t n);

static void for_all(any_member *member, crew_member *crew, batch_work *work) {
  own_row_any *all = member->all;
  uint64_t batch;
  while (!all->failed && crew_next(crew, (all->n + WALK_BATCH - 1) / WALK_BATCH, &batch)) {
    const uint64_t first = batch * WALK_BATCH, left = all->n - first;
    note(all, work(member, first, left < WALK_BATCH ? (size_t)left : WALK_BATCH));
  }
  crew_meet(crew, NULL, NULL);
}

/* --- what cannot stay ------------------------------------------------------------------------------------
 */

static void drop(any_member *member, int plane, uint64_t i) {
  own_row_any *all = member->all;
  if (__atomic_fetch_or(&all->states[plane][i], STATE_DROPPED, __ATOMIC_RELAXED) & STATE_DROPPED) return;
  __atomic_store_n(&all->kept[plane][i], (int8_t)(all->threshold - 1), __ATOMIC_RELAXED);
  __atomic_fetch_or(&all->following[plane][i / 64], UINT64_C(1) << (i % 64), __ATOMIC_RELAXED);
  member->news++;
}

/* By what it pays and what its own moves give: what others lead to is told. */
static bool can_stay(const own_row_any *all, int plane, uint64_t i) {
  const int t = all->threshold, paid = plane == SIDE_MOVES ? all->pays[i] : -all->pays[i];
  if (paid < t) return false;
  return all->kept[plane][i] >= t || (plane == SIDE_MOVES && (all->states[plane][i] & STATE_COUNT) > 0);
}

static void drop_at_once(any_member *member, crew_member *crew) {
  own_row_any *all = member->all;
  uint64_t block;
  while (!all->failed && crew_next(crew, blocks_of(all), &block)) {
    const uint64_t first = block * BLOCK, end = first + BLOCK;
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      for (uint64_t i = first; i < end && i < all->n; i++) {
        if (!(all->states[plane][i] & STATE_DROPPED) && !can_stay(all, plane, i)) drop(member, plane, i);
      }
    }
  }
}

static tauler_error drop_before(void *user, const walk_edge *edge) {
  any_member *member = user;
  own_row_any *all = member->all;
  const int plane = !member->plane;
  const uint64_t i = edge->child;
  uint8_t *state = &all->states[plane][i];
  if (plane == SIDE_MOVES) {
    const uint8_t before = __atomic_fetch_sub(state, 1, __ATOMIC_RELAXED);
    if ((before & STATE_DROPPED) || (before & STATE_COUNT) != 1) return TAULER_OK;
    if (load(&all->kept[plane][i]) >= all->threshold) return TAULER_OK;
  }
  drop(member, plane, i);
  return TAULER_OK;
}

static tauler_error tell_block(any_member *member, uint64_t block) {
  const own_row_any *all = member->all;
  uint64_t *marked = all->marked[member->plane];
  const uint64_t first = block * (BLOCK / 64), words = mark_words(all->n);
  const uint64_t end = first + BLOCK / 64 < words ? first + BLOCK / 64 : words;
  size_t used = 0;
  tauler_error error = TAULER_OK;
  for (uint64_t word = first; word < end && !error; word++) {
    for (uint64_t bits = marked[word]; bits; bits &= bits - 1)
      member->index[used++] = word * 64 + (unsigned)__builtin_ctzll(bits);
    marked[word] = 0;
    if (used + 64 <= WALK_BATCH && word + 1 < end) continue;
    if (used) error = walk_predecessors(&member->walker, member->index, used, drop_before, member);
    used = 0;
  }
  return error;
}

static void turn_round(void *user) {
  own_row_any *all = user;
  const solve_checkpoints *checkpoints = all->job->checkpoints;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    uint64_t *marked = all->marked[plane];
    all->marked[plane] = all->following[plane];
    all->following[plane] = marked;
  }
  if (checkpoints && checkpoints->stop && checkpoints->stop(checkpoints->user)) note(all, TAULER_STOPPED);
}

static void forget_news(void *user) {
  own_row_any *all = user;
  all->news = 0;
}

/* Whether anything was marked in the round that ends here. */
static bool meet(any_member *member, crew_member *crew) {
  own_row_any *all = member->all;
  atomic_fetch_add(&all->news, member->news);
  member->news = 0;
  crew_meet(crew, turn_round, all);
  const bool more = all->news > 0 && !all->failed;
  crew_meet(crew, forget_news, all);
  return more;
}

static void solve_threshold(any_member *member, crew_member *crew) {
  own_row_any *all = member->all;
  const uint64_t blocks = blocks_of(all);
  drop_at_once(member, crew);
  while (meet(member, crew)) {
    uint64_t item;
    while (!all->failed && crew_next(crew, SOLVE_PLANES * blocks, &item)) {
      member->plane = (int)(item / blocks);
      note(all, tell_block(member, item % blocks));
    }
  }
}

/* Nothing falls out of Y at a threshold that nobody fails to reach who reached the one before. */
static bool is_level(const own_row_any *all) {
  return all->threshold == 1 - all->largest || all->levels[all->threshold - 1 - INT8_MIN];
}

static void raise_threshold(void *user) {
  own_row_any *all = user;
  all->threshold++;
}

/* --- bounds ----------------------------------------------------------------------------------------------
 */

static tauler_error take_move(void *user, const walk_edge *edge) {
  own_row_any *all = ((any_member *)user)->all;
  int worth[SOLVE_PLANES] = {edge->worth[0], edge->worth[1]};
  if (edge->quiet) {
    worth[0] = all->kept[OTHER_MOVES][edge->child];
    worth[1] = -all->kept[SIDE_MOVES][edge->child];
  }
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    int8_t *bound = (int8_t *)&all->states[plane][edge->index];
    if (worth[plane] > *bound) *bound = (int8_t)worth[plane];
  }
  return TAULER_OK;
}

static tauler_error bound_batch(any_member *member, uint64_t first, size_t n) {
  own_row_any *all = member->all;
  for (size_t i = 0; i < n; i++) member->index[i] = first + i;
  const tauler_error error =
      all->job->game->ended(all->job->rules, all->slice, member->index, n, member->walker.values);
  if (error) return error;
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    const int value = member->walker.values[i];
    const bool ended = value != GAME_NOT_ENDED;
    for (int plane = 0; plane < SOLVE_PLANES; plane++)
      all->states[plane][first + i] = (uint8_t)(ended ? value : INT8_MIN);
    if (!ended) member->index[left++] = first + i;
  }
  return walk_moves(&member->walker, member->index, left, take_move, member);
}

static tauler_error keep_the_rest(any_member *member, uint64_t first, size_t n) {
  own_row_any *all = member->all;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    for (uint64_t i = first; i < first + n; i++)
      if (!(all->states[plane][i] & STATE_DROPPED)) all->kept[plane][i] = (int8_t)all->largest;
  }
  return TAULER_OK;
}

static void work(void *user, crew_member *crew) {
  own_row_any *all = user;
  any_member *member = &all->members[crew->number];
  member->all = all;
  walker_open(&member->walker, all->job, all->slice, SOLVE_PLANES, false);
  for_all(member, crew, look_at_batch);
  while (!all->failed && all->threshold <= all->largest) {
    if (is_level(all)) solve_threshold(member, crew);
    crew_meet(crew, raise_threshold, all);
  }
  for_all(member, crew, keep_the_rest);
  for_all(member, crew, bound_batch);
  walker_close(&member->walker);
}

static tauler_error open_plane(own_row_any *all, int plane, tauler_message *message) {
  memory_budget *memory = all->job->memory;
  tauler_error error = memory_take(memory, all->n, what, &all->kept[plane], message);
  if (!error) error = memory_take(memory, all->n, what, &all->states[plane], message);
  for (int i = 0; i < 2 && !error; i++)
    error = memory_take_array(memory, mark_words(all->n), sizeof(uint64_t), what,
                              i ? &all->marked[plane] : &all->following[plane], message);
  return error;
}

static void close_work(own_row_any *all, bool whole, solved_slice *out) {
  memory_budget *memory = all->job->memory;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, all->kept[plane]);
    memory_give(memory, all->marked[plane]);
    memory_give(memory, all->following[plane]);
    if (!whole) memory_give(memory, all->states[plane]);
    out->cells[plane] = whole ? (int8_t *)all->states[plane] : NULL;
  }
  memory_give(memory, all->pays);
  memory_give(memory, all->members);
}

tauler_error own_row_any_solve(const solve_job *job, uint32_t slice, solved_slice *out,
                               tauler_message *message) {
  const int largest = job->game->largest_value(job->rules, slice);
  own_row_any all = {.job = job,
                     .slice = slice,
                     .n = job->game->positions(job->rules, slice),
                     .largest = largest,
                     .threshold = 1 - largest};
  *out = (solved_slice){.slice = slice, .positions = all.n, .planes = SOLVE_PLANES};
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < SOLVE_PLANES && !error; plane++) error = open_plane(&all, plane, message);
  if (!error) error = memory_take(job->memory, all.n, what, &all.pays, message);
  if (!error)
    error = memory_take_array(job->memory, (uint64_t)job->threads, sizeof *all.members, what, &all.members,
                              message);
  if (!error) {
    crew_run(job->threads, work, &all);
    error = (tauler_error)all.failed;
    if (error) tauler_fail(message, error, "slice %u could not be solved by %s", slice, what);
  }
  close_work(&all, !error, out);
  return error;
}

uint64_t own_row_any_solve_bytes(const solve_job *job, uint32_t slice) {
  const uint64_t n = job->game->positions(job->rules, slice);
  return SOLVE_PLANES * (2 * n + 16 * mark_words(n)) + n + (uint64_t)job->threads * sizeof(any_member);
}
