/* Rounds: marked positions tell their predecessors. Those in this share hear it at once; what concerns others
 * is gathered and shipped in steps, as in the general engine. Whoever hears may mark positions, for the round
 * after. */
#include "solver/engines/repetition/work.h"

void own_row_note(own_row *all, tauler_error error, const tauler_message *message) {
  int none = TAULER_OK;
  if (error && atomic_compare_exchange_strong(&all->failed, &none, (int)error) && message)
    all->message = *message;
}

void own_row_lead(own_row *all, crew_member *crew, void (*between)(void *user)) {
  if (team_ranks(all->team) > 1) {
    crew_lead(crew, between, all);
  } else {
    crew_meet(crew, between, all);
  }
}

static void swap_marks(own_row *all) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    uint64_t *marked = all->marked[plane];
    all->marked[plane] = all->following[plane];
    all->following[plane] = marked;
  }
}

static void agree(own_row *all) {
  uint64_t sums[] = {all->news_here, (uint64_t)all->staying_here, all->leaves_here, all->failed != TAULER_OK};
  tauler_message message = all->message;
  tauler_error error = team_combine(all->team, TEAM_SUM, sums, sizeof sums / sizeof *sums, &message);
  if (!error && sums[3]) error = team_agree(all->team, (tauler_error)all->failed, &message);
  own_row_note(all, error, &message);
  all->news = sums[0];
  all->staying += (int64_t)sums[1];
  all->leaves = all->leaves || sums[2];
  all->over = all->failed != TAULER_OK;
  all->news_here = 0;
  all->staying_here = 0;
  all->leaves_here = false;
}

static void turn_round(void *user) {
  own_row *all = user;
  if (++all->stage == SOLVE_NO_DEPTH) own_row_note(all, TAULER_INTERNAL, NULL);
  agree(all);
  swap_marks(all);
  all->cursor = 0;
  team_note_progress(all->team);
}

bool own_row_meet(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  if (member->news) atomic_fetch_add(&all->news_here, member->news);
  if (member->staying) atomic_fetch_add(&all->staying_here, member->staying);
  if (member->leaves) all->leaves_here = true;
  member->news = 0;
  member->staying = 0;
  member->leaves = false;
  own_row_lead(all, crew, turn_round);
  return all->news > 0 && !all->over;
}

/* Parts what concerns positions here from what goes to other shares. */
static tauler_error hand_on(void *user, const game_edge *edges, size_t n) {
  own_row_member *member = user;
  own_row *all = member->all;
  const int plane = !member->plane;
  const uint8_t *states = all->states[plane];
  size_t used = 0;
  for (size_t e = 0; e < n; e++) {
    const uint64_t own = edges[e].to.index - all->first;
    if (own < all->n) {
      __builtin_prefetch(&states[own], 1);
      member->told[used++] = own;
    } else {
      const tauler_error error =
          wave_updates_push(&all->updates, member->number, plane, 0, edges[e].to.index);
      if (error) return error;
    }
  }
  member->hear(member, plane, used);
  return TAULER_OK;
}

static tauler_error retract(own_row_member *member, size_t n) {
  const own_row *all = member->all;
  game_sink sink = {.edges = member->edges, .room = OWN_ROW_EDGES, .flush = hand_on, .user = member};
  const tauler_error error = all->job->game->retract(all->job->rules, all->slice, member->index, n, &sink);
  return error ? error : game_sink_flush(&sink);
}

/* Lists may be cut short by the end of a batch. */
static tauler_error tell_block(own_row_member *member, uint64_t block) {
  const own_row *all = member->all;
  uint64_t *marked = all->marked[member->plane];
  const uint64_t first = block * (OWN_ROW_BLOCK / 64), words = own_row_mark_words(all->n);
  const uint64_t end = first + OWN_ROW_BLOCK / 64 < words ? first + OWN_ROW_BLOCK / 64 : words;
  size_t used = 0;
  tauler_error error = TAULER_OK;
  for (uint64_t word = first; word < end && !error; word++) {
    for (uint64_t bits = marked[word]; bits; bits &= bits - 1) {
      member->index[used++] = all->first + word * 64 + (unsigned)__builtin_ctzll(bits);
    }
    marked[word] = 0;
    if (used + 64 <= OWN_ROW_BATCH && word + 1 < end) continue;
    if (used) error = retract(member, used);
    used = 0;
  }
  return error;
}

static uint64_t count_items(const own_row *all) {
  return SOLVE_PLANES * own_row_blocks(all);
}

static void tell_from_here(own_row_member *member) {
  own_row *all = member->all;
  const uint64_t items = count_items(all), blocks = own_row_blocks(all);
  while (!all->failed && !wave_updates_are_many(&all->updates)) {
    const uint64_t item = atomic_fetch_add_explicit(&all->cursor, 1, memory_order_relaxed);
    if (item >= items) return;
    member->plane = (int)(item / blocks);
    own_row_note(all, tell_block(member, item % blocks), NULL);
  }
}

/* Collective. The rank has more when positions or pieces are left. */
static void advance(void *user) {
  own_row *all = user;
  tauler_message message = {""};
  all->more = !all->failed && (all->shipping.unshipped || all->cursor < count_items(all));
  const tauler_error error = exchange_advance(all->exchange, &all->more, &message);
  own_row_note(all, error, &message);
  if (error) all->more = false;
  team_note_progress(all->team);
}

static tauler_error hear_piece(own_row_member *member, const exchange_piece *piece) {
  own_row *all = member->all;
  wave_run run = {0};
  const tauler_error error = wave_updates_unpack(&all->updates, member->number, piece->bytes, piece->n, &run);
  size_t used = 0;
  for (size_t i = 0; i < run.n && !error; i++) {
    const uint64_t own = run.base + run.offsets[i];
    if (own >= all->n) return TAULER_INTERNAL;
    member->told[used++] = own;
    if (used < OWN_ROW_EDGES && i + 1 < run.n) continue;
    member->hear(member, run.lane, used);
    used = 0;
  }
  return error;
}

static void hear_others(own_row_member *member) {
  own_row *all = member->all;
  exchange_piece piece;
  tauler_error error = TAULER_OK;
  while (!all->failed && exchange_take(all->exchange, all->share, &member->taker, &piece, &error))
    own_row_note(all, hear_piece(member, &piece), NULL);
  own_row_note(all, error, NULL);
}

void own_row_tell(own_row_member *member, crew_member *crew, own_row_hear *hear) {
  own_row *all = member->all;
  bool more;
  member->hear = hear;
  do {
    tell_from_here(member);
    if (!all->exchange) return;
    crew_meet(crew, NULL, NULL);
    wave_ship(&all->shipping, &all->updates, all->exchange, crew, member->piece, &all->failed);
    crew_lead(crew, advance, all);
    more = all->more;
    hear_others(member);
    crew_meet(crew, NULL, NULL);
  } while (more);
}
