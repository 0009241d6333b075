/* X by single moves, as the general engine settles positions: each quiet edge is touched once per plane. */
#include "solver/own_row_work.h"

void own_row_note(own_row *all, tauler_error error) {
  int none = TAULER_OK;
  if (error) atomic_compare_exchange_strong(&all->failed, &none, (int)error);
}

static void turn_round(void *user) {
  own_row *all = user;
  const solve_checkpoints *checkpoints = all->job->checkpoints;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    uint64_t *marked = all->marked[plane];
    all->marked[plane] = all->following[plane];
    all->following[plane] = marked;
  }
  all->stage++;
  if (all->stage == SOLVE_NO_DEPTH) own_row_note(all, TAULER_INTERNAL);
  if (checkpoints && checkpoints->stop && checkpoints->stop(checkpoints->user))
    own_row_note(all, TAULER_STOPPED);
}

static void forget_news(void *user) {
  own_row *all = user;
  all->news = 0;
}

bool own_row_meet(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  if (member->news) atomic_fetch_add(&all->news, member->news);
  if (member->leaves) all->leaves = true;
  if (member->staying) atomic_fetch_add(&all->staying, member->staying);
  member->news = 0;
  member->staying = 0;
  member->leaves = false;
  crew_meet(crew, turn_round, all);
  const bool more = all->news > 0 && !all->failed;
  crew_meet(crew, forget_news, all);
  return more;
}

static tauler_error call(own_row_member *member, size_t n, own_row_visit *visit, bool forwards) {
  const own_row *all = member->all;
  const game *game = all->job->game;
  game_sink sink = {.edges = member->edges, .room = OWN_ROW_EDGES, .flush = visit, .user = member};
  const tauler_error error = forwards ? game->expand(all->job->rules, all->slice, member->index, n, &sink)
                                      : game->retract(all->job->rules, all->slice, member->index, n, &sink);
  return error ? error : game_sink_flush(&sink);
}

tauler_error own_row_moves(own_row_member *member, size_t n, own_row_visit *visit) {
  return call(member, n, visit, true);
}

/* Takes the marks of a block off and tells for them; lists may be cut short by the end of a batch. */
static tauler_error tell_block(own_row_member *member, uint64_t block, own_row_visit *visit) {
  const own_row *all = member->all;
  uint64_t *marked = all->marked[member->plane];
  const uint64_t first = block * (OWN_ROW_BLOCK / 64), words = (all->n + 63) / 64;
  const uint64_t end = first + OWN_ROW_BLOCK / 64 < words ? first + OWN_ROW_BLOCK / 64 : words;
  size_t used = 0;
  tauler_error error = TAULER_OK;
  for (uint64_t word = first; word < end && !error; word++) {
    for (uint64_t bits = marked[word]; bits; bits &= bits - 1) {
      member->index[used++] = word * 64 + (unsigned)__builtin_ctzll(bits);
    }
    marked[word] = 0;
    if (used + 64 <= OWN_ROW_BATCH && word + 1 < end) continue;
    if (used) error = call(member, used, visit, false);
    used = 0;
  }
  return error;
}

void own_row_tell(own_row_member *member, crew_member *crew, own_row_visit *visit) {
  own_row *all = member->all;
  const uint64_t blocks = own_row_blocks(all);
  uint64_t item;
  while (!all->failed && crew_next(crew, SOLVE_PLANES * blocks, &item)) {
    member->plane = (int)(item / blocks);
    own_row_note(all, tell_block(member, item % blocks, visit));
  }
}

static tauler_error count_conversion(own_row *all, const game_edge *edge, uint64_t i) {
  const finished_slices *finished = all->job->finished;
  int gives = edge->gain, leaves = -edge->gain; /* the mover, and the other side */
  if (edge->to.slice != GAME_OVER) {
    if (edge->to.slice >= finished->room || !finished->list[edge->to.slice].cells[0]) return TAULER_INTERNAL;
    const solved_slice *to = &finished->list[edge->to.slice];
    gives -= to->cells[1][edge->to.index];
    leaves += to->cells[0][edge->to.index];
  }
  int8_t *best = &all->cells[SIDE_MOVES][i], *worst = &all->cells[OTHER_MOVES][i];
  if (gives > *best) *best = (int8_t)gives;
  if (leaves < *worst) *worst = (int8_t)leaves;
  return TAULER_OK;
}

static tauler_error count_moves(void *user, const game_edge *edges, size_t n) {
  own_row_member *member = user;
  own_row *all = member->all;
  for (size_t e = 0; e < n; e++) {
    const uint64_t i = member->index[edges[e].from];
    if (edges[e].to.slice != all->slice) {
      const tauler_error error = count_conversion(all, &edges[e], i);
      if (error) return error;
    } else if (all->states[OTHER_MOVES][i]++ == STATE_COUNT) {
      return TAULER_INTERNAL;
    }
  }
  return TAULER_OK;
}

static void note_level(own_row *all, int level) {
  _Atomic bool *seen = &all->levels[level - INT8_MIN];
  if (!atomic_load_explicit(seen, memory_order_relaxed))
    atomic_store_explicit(seen, true, memory_order_relaxed);
}

static void note_levels(own_row *all, uint64_t first, size_t n) {
  for (uint64_t i = first; i < first + n; i++) {
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      note_level(all, all->cells[plane][i]);
      note_level(all, own_row_pays(all, plane, i));
    }
  }
}

static tauler_error look_at_batch(own_row_member *member, uint64_t first, size_t n) {
  own_row *all = member->all;
  const game *game = all->job->game;
  for (size_t i = 0; i < n; i++) member->index[i] = first + i;
  tauler_error error = game->ended(all->job->rules, all->slice, member->index, n, member->ended);
  if (error) return error;
  game->repeated(all->job->rules, all->slice, first, n, all->pays + first);
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    const bool ended = member->ended[i] != GAME_NOT_ENDED;
    all->cells[SIDE_MOVES][first + i] = ended ? (int8_t)member->ended[i] : INT8_MIN;
    all->cells[OTHER_MOVES][first + i] = ended ? (int8_t)-member->ended[i] : INT8_MAX;
    if (!ended) member->index[left++] = first + i;
  }
  error = own_row_moves(member, left, count_moves);
  note_levels(all, first, n);
  return error;
}

void own_row_look(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  const uint64_t batches = (all->n + OWN_ROW_BATCH - 1) / OWN_ROW_BATCH;
  uint64_t batch;
  while (!all->failed && crew_next(crew, batches, &batch)) {
    const uint64_t first = batch * OWN_ROW_BATCH, left = all->n - first;
    own_row_note(all, look_at_batch(member, first, left < OWN_ROW_BATCH ? (size_t)left : OWN_ROW_BATCH));
  }
  own_row_meet(member, crew);
}

static void begin_position(own_row_member *member, int plane, uint64_t i) {
  const own_row *all = member->all;
  uint8_t *state = &all->states[plane][i];
  if ((*state & STATE_SURE) || all->cells[plane][i] < all->threshold) return;
  if (plane == OTHER_MOVES && (*state & STATE_COUNT) != 0) return;
  *state |= STATE_SURE;
  own_row_settle(member, plane, i);
}

void own_row_begin(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  uint64_t block;
  while (!all->failed && crew_next(crew, own_row_blocks(all), &block)) {
    const uint64_t first = block * OWN_ROW_BLOCK, end = first + OWN_ROW_BLOCK;
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      for (uint64_t i = first; i < end && i < all->n; i++) begin_position(member, plane, i);
    }
  }
}

static tauler_error grow_by(void *user, const game_edge *edges, size_t n) {
  own_row_member *member = user;
  const own_row *all = member->all;
  const int plane = !member->plane;
  uint8_t *states = all->states[plane];
  for (size_t e = 0; e < n; e++) {
    const uint64_t i = edges[e].to.index;
    if (plane == SIDE_MOVES) {
      if (own_row_state(all, plane, i) & STATE_SURE) continue;
      if (__atomic_fetch_or(&states[i], STATE_SURE, __ATOMIC_RELAXED) & STATE_SURE) continue;
    } else {
      const uint8_t before = __atomic_fetch_sub(&states[i], 1, __ATOMIC_RELAXED);
      if ((before & STATE_SURE) || (before & STATE_COUNT) != 1 || all->cells[plane][i] < all->threshold)
        continue;
      __atomic_fetch_or(&states[i], STATE_SURE, __ATOMIC_RELAXED);
    }
    own_row_settle(member, plane, i);
  }
  return TAULER_OK;
}

void own_row_grow(own_row_member *member, crew_member *crew) {
  while (own_row_meet(member, crew)) own_row_tell(member, crew, grow_by);
}
