/* A wave. Shares here have their turn one after the other; in steps, what is due is settled until enough is
 * under way, what concerns other shares is shipped, and what concerns this one absorbed. With one share per
 * rank pieces are absorbed in the step that they come in, else when the share's next turn begins. */
#include <string.h>

#include "solver/engines/retrograde/retrograde.h"

enum { ITEM_BLOCKS = 4 };

void retrograde_note(retrograde *r, tauler_error error, const tauler_message *message) {
  int none = TAULER_OK;
  if (error && atomic_compare_exchange_strong(&r->failed, &none, (int)error) && message)
    r->message = *message;
}

/* Items of a fixed number of blocks, from a cursor that a meeting does not set back. */
static bool next_item(retrograde *r, uint64_t *first, uint64_t *end) {
  const uint64_t blocks = wave_blocks(&r->share);
  *first = atomic_fetch_add_explicit(&r->cursor, ITEM_BLOCKS, memory_order_relaxed);
  *end = *first + ITEM_BLOCKS < blocks ? *first + ITEM_BLOCKS : blocks;
  return *first < blocks;
}

static bool settled_all(const retrograde *r) {
  return atomic_load_explicit(&r->cursor, memory_order_relaxed) >= wave_blocks(&r->share);
}

typedef struct {
  retrograde *r;
  int member, plane;
} teller;

static tauler_error tell_parent(void *user, const walk_edge *edge) {
  const teller *from = user;
  retrograde *r = from->r;
  const int worth = -r->share.best[from->plane][edge->index - r->share.first];
  return wave_updates_push(&r->updates, from->member, retrograde_lane(r, from->plane, worth), (int8_t)worth,
                           edge->child);
}

static void tell_parents(retrograde *r, int number, int plane) {
  wave_member *member = &r->members[number];
  teller from = {r, number, plane};
  const size_t n = member->due[plane];
  member->due[plane] = 0;
  if (n == 0 || !r->job->game->retract || r->failed) return;
  retrograde_note(
      r, walk_predecessors(&r->inquiry.walkers[number], member->index[plane], n, tell_parent, &from), NULL);
}

static void settle_block(retrograde *r, int number, int plane, uint64_t block) {
  const wave_share *share = &r->share;
  wave_member *member = &r->members[number];
  share->at_work[plane][block] = 0;
  for (uint64_t w = block * WAVE_BLOCK_WORDS; w < (block + 1) * WAVE_BLOCK_WORDS; w++) {
    share->settled[plane][w] |= share->frontier[plane][w];
    for (uint64_t word = share->frontier[plane][w]; word; word &= word - 1) {
      const uint64_t i = w * 64 + (uint64_t)__builtin_ctzll(word);
      if (share->depth[plane]) share->depth[plane][i] = r->wave;
      member->index[plane][member->due[plane]++] = share->first + i;
      if (member->due[plane] == WALK_BATCH) tell_parents(r, number, plane);
    }
    share->frontier[plane][w] = 0;
  }
}

static void settle(retrograde *r, int number) {
  uint64_t first, end;
  while (!r->failed && !wave_updates_are_many(&r->updates) && next_item(r, &first, &end)) {
    for (uint64_t block = first; block < end; block++) {
      for (int plane = 0; plane < r->planes; plane++) {
        if (r->share.at_work[plane][block]) settle_block(r, number, plane, block);
      }
    }
  }
  for (int plane = 0; plane < r->planes; plane++) tell_parents(r, number, plane);
}

static void ship(retrograde *r, crew_member *member) {
  wave_member *own = &r->members[member->number];
  own->pieces += wave_ship(&r->shipping, &r->updates, r->exchange, member, own->piece, &r->failed);
}

/* Collective. The rank has more when positions or pieces are left, or other shares have their turn yet. */
static void advance(void *user) {
  retrograde *r = user;
  tauler_message message = {""};
  r->more = !r->failed && (r->shipping.unshipped || !settled_all(r) || r->spilled);
  const tauler_error error = exchange_advance(r->exchange, &r->more, &message);
  r->broken = error != TAULER_OK;
  retrograde_note(r, error, &message);
  team_note_progress(r->team);
}

/* Others may be through with shards and absorb pieces already. */
static void absorb_shards(retrograde *r, crew_member *member) {
  uint64_t shard;
  while (crew_next(member, r->updates.shards, &shard)) {
    wave_puller puller = {0};
    wave_run run;
    pthread_mutex_lock(&r->updates.locks[shard]);
    while (wave_updates_pull(&r->updates, member->number, shard, &puller, &run)) {
      retrograde_absorb(r, &r->members[member->number], &run);
    }
    pthread_mutex_unlock(&r->updates.locks[shard]);
  }
}

/* A piece goes through the shards in rising order, each held by one member at a time. */
static void absorb_piece(retrograde *r, int number, const exchange_piece *piece) {
  wave_run run;
  const tauler_error error = wave_updates_unpack(&r->updates, number, piece->bytes, piece->n, &run);
  retrograde_note(r, error, NULL);
  if (error) return;
  for (size_t from = 0, to; from < run.n; from = to) {
    const uint64_t shard = (run.base + run.offsets[from]) >> r->updates.shard_bits;
    for (to = from + 1; to < run.n && (run.base + run.offsets[to]) >> r->updates.shard_bits == shard;) to++;
    const wave_run within = {run.lane, run.worth, run.base, run.offsets + from, to - from};
    pthread_mutex_lock(&r->updates.locks[shard]);
    retrograde_absorb(r, &r->members[number], &within);
    pthread_mutex_unlock(&r->updates.locks[shard]);
  }
}

static void absorb_pieces(retrograde *r, int number) {
  const uint32_t share = r->updates.at_work;
  exchange_piece piece;
  tauler_error error = TAULER_OK;
  if (number == 0 && r->has_piece) {
    r->has_piece = false;
    absorb_piece(r, number, &r->first_piece);
  }
  while (exchange_take(r->exchange, share, &r->members[number].taker, &piece, &error)) {
    absorb_piece(r, number, &piece);
  }
  retrograde_note(r, error, NULL);
}

/* Message passing is the leading thread's affair; without it one meeting does. */
static void lead(retrograde *r, crew_member *member, void (*between)(void *user), void *user) {
  if (r->exchange) {
    crew_lead(member, between, user);
  } else {
    crew_meet(member, between, user);
  }
}

static void gather_marks(retrograde *r) {
  for (int i = 0; i < r->threads; i++) {
    r->marks[r->at_home] += r->members[i].marked;
    r->members[i].marked = 0;
  }
}

/* Whether anything has come for a share, found out by taking the first piece. */
static bool look_into_inbox(retrograde *r, uint32_t home) {
  if (!r->spilled) return false;
  tauler_error error = TAULER_OK;
  r->has_piece =
      exchange_take(r->exchange, r->first_share + home, &r->members[0].taker, &r->first_piece, &error);
  retrograde_note(r, error, NULL);
  return r->has_piece;
}

typedef struct {
  retrograde *r;
  uint32_t home;
} turn;

static void begin_turn(void *user) {
  const turn *now = user;
  retrograde *r = now->r;
  const bool told = !r->failed && look_into_inbox(r, now->home);
  r->skipped =
      r->spilled && (r->failed || !(told || r->marks[now->home] || retrograde_conversions_fall_due(r)));
  if (r->skipped) return;
  tauler_message message = {""};
  retrograde_note(r, retrograde_bring(r, now->home, false, &message), &message);
  r->skipped = r->failed && r->spilled;
  r->cursor = 0;
  r->changed = true;
  r->absorbing = (uint16_t)(r->wave - 1);
}

/* What was told in the last wave is in, and what has been marked becomes this wave's frontier. */
static void end_taking_in(void *user) {
  retrograde *r = user;
  exchange_forget(r->exchange, r->updates.at_work);
}

static void begin_settling(void *user) {
  retrograde *r = user;
  gather_marks(r);
  r->due = r->marks[r->at_home];
  r->marks[r->at_home] = 0;
  r->absorbing = r->wave;
  r->cursor = 0;
}

static void start_over(void *user) {
  ((retrograde *)user)->cursor = 0;
}

static void promote(retrograde *r, int number) {
  const bool due = retrograde_conversions_fall_due(r);
  uint64_t first, end;
  while (!r->failed && next_item(r, &first, &end)) {
    if (due) {
      const uint64_t last = end * WAVE_BLOCK < r->share.n ? end * WAVE_BLOCK : r->share.n;
      retrograde_find_conversions(r, &r->members[number], first * WAVE_BLOCK, last);
    }
    for (uint64_t block = first; block < end; block++) wave_share_promote(&r->share, block);
  }
}

/* Alone, a rank is done when all is settled; with others, when nobody has more to tell, unless its other
 * shares have yet to tell theirs. */
static bool has_more(const retrograde *r) {
  if (r->exchange && r->broken) return false;
  const bool here = !r->failed && (!settled_all(r) || (r->exchange && r->shipping.unshipped));
  return r->exchange && !r->spilled ? r->more : here;
}

/* Once for all members: the first of them to go on moves what this looks at. */
static void end_step(void *user) {
  retrograde *r = user;
  r->unfinished = has_more(r);
}

static void step(retrograde *r, crew_member *member) {
  settle(r, member->number);
  crew_meet(member, NULL, NULL);
  if (r->exchange) {
    ship(r, member);
    crew_lead(member, advance, r);
  }
  absorb_shards(r, member);
  if (r->exchange && !r->spilled && !r->broken) absorb_pieces(r, member->number);
  crew_meet(member, end_step, r);
}

static void look_again(retrograde *r, crew_member *member) {
  uint64_t first, end;
  while (!r->failed && next_item(r, &first, &end)) {
    for (uint64_t block = first; block < end; block++) {
      const uint64_t i = block * WAVE_BLOCK, rest = r->share.n - i;
      retrograde_note(r, retrograde_look_again(r, member->number, i, rest < WAVE_BLOCK ? rest : WAVE_BLOCK),
                      NULL);
    }
  }
}

static void end_turn(void *user) {
  gather_marks(user);
}

static void run_turn(retrograde *r, crew_member *member, uint32_t home) {
  turn now = {r, home};
  lead(r, member, begin_turn, &now);
  if (r->skipped) return;
  if (r->spilled) {
    absorb_pieces(r, member->number);
    crew_meet(member, end_taking_in, r);
  }
  promote(r, member->number);
  crew_meet(member, begin_settling, r);
  if (r->due == 0 && !r->exchange) return;
  do { step(r, member); } while (r->unfinished);
  if (!r->job->game->retract) {
    crew_meet(member, start_over, r);
    look_again(r, member);
  }
  crew_meet(member, end_turn, r);
}

static void begin_wave(void *user) {
  retrograde *r = user;
  for (uint32_t home = 0; home < r->shares_here && r->spilled; home++) {
    exchange_mark(r->exchange, r->first_share + home);
  }
  for (int i = 0; i < r->threads; i++) r->members[i].pieces = 0;
}

/* Other ranks may still be at work: their pieces are let in. */
static void wait_for_others(retrograde *r) {
  r->more = true;
  while (r->spilled && r->more && !r->broken) {
    tauler_message message = {""};
    r->more = false;
    const tauler_error error = exchange_advance(r->exchange, &r->more, &message);
    r->broken = error != TAULER_OK;
    retrograde_note(r, error, &message);
  }
}

static void end_wave(void *user) {
  retrograde *r = user;
  wait_for_others(r);
  uint64_t sums[2] = {0, r->failed != TAULER_OK};
  for (uint32_t home = 0; home < r->shares_here; home++) sums[0] += r->marks[home];
  for (int i = 0; i < r->threads && r->spilled; i++) sums[0] += r->members[i].pieces;
  tauler_message message = r->message;
  tauler_error error = team_combine(r->team, TEAM_SUM, sums, 2, &message);
  if (!error && sums[1]) error = team_agree(r->team, (tauler_error)r->failed, &message);
  retrograde_note(r, error, &message);
  r->active = sums[0];
  r->wave++;
}

void retrograde_run_wave(retrograde *r, crew_member *member) {
  if (r->spilled) crew_lead(member, begin_wave, r);
  for (uint32_t home = 0; home < r->shares_here; home++) run_turn(r, member, home);
  lead(r, member, end_wave, r);
}

void retrograde_empty_inboxes(retrograde *r) {
  r->absorbing = (uint16_t)(r->wave - 1);
  for (uint32_t home = 0; home < r->shares_here && r->spilled && !r->failed; home++) {
    exchange_mark(r->exchange, r->first_share + home);
    if (!look_into_inbox(r, home)) continue;
    tauler_message message = {""};
    retrograde_note(r, retrograde_bring(r, home, false, &message), &message);
    if (r->failed) return;
    r->changed = true;
    absorb_pieces(r, 0);
    exchange_forget(r->exchange, r->first_share + home);
    gather_marks(r);
  }
}
