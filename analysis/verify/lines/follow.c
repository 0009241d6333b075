/* Follows lines of play move by move, and keeps the reasons for the winners that they show.
 *
 * If a line has met more nodes that pay a side, or fewer nodes that pay the other side, it is no worse for
 * that side: the side plays as before, and wins if play ends at such a node. So a side that wins after one
 * line also wins after every line that met certain nodes that pay it, and none of certain nodes that pay the
 * other side. */
#include <string.h>

#include "analysis/verify/lines/search.h"

enum { WORD = 64, KEPT_BYTES = 16 << 20 };

/* A reason why a side wins if play reaches a node. */
typedef struct reason {
  struct reason *next;
  uint64_t sets[]; /* nodes met that pay the side, then nodes not met that pay the other side */
} reason;

typedef struct {
  const lines_part *part;
  arena *arena;
  arena kept;
  size_t words;
  size_t room;
  uint64_t left;    /* nodes that may still be looked at */
  uint64_t *met;    /* set of nodes that the line has met */
  reason **reasons; /* [2 · node + (1 for SIDE_PREVENTS)] list of reasons */
} follower;

/* The winners that are known once the line has reached a node. */
typedef struct {
  uint8_t *winner;
  uint32_t *by, *queue;
  uint64_t *seen;
} moment;

static uint64_t *allocate_sets(follower *f, size_t sets) {
  uint64_t *set = arena_allocate(f->arena, sets * f->words, sizeof *set);
  if (set) memset(set, 0, sets * f->words * sizeof *set);
  return set;
}

static reason **reasons_of(const follower *f, uint32_t i, uint8_t side) {
  return &f->reasons[2 * (uint64_t)i + (side == SIDE_PREVENTS)];
}

/* Returns the sets of a reason that holds after the line, or NULL. */
static const uint64_t *find_reason(const follower *f, uint32_t i, uint8_t side) {
  for (const reason *r = *reasons_of(f, i, side); r; r = r->next) {
    const uint64_t *unmet = r->sets + f->words;
    size_t w = 0;
    while (w < f->words && !(r->sets[w] & ~f->met[w]) && !(unmet[w] & f->met[w])) w++;
    if (w == f->words) return r->sets;
  }
  return NULL;
}

static void keep_reason(follower *f, uint32_t i, uint8_t side, const uint64_t *sets) {
  if (f->room == 0) return;
  reason *r = arena_allocate(&f->kept, 1, sizeof *r + 2 * f->words * sizeof *r->sets);
  if (!r) return;
  f->room--;
  memcpy(r->sets, sets, 2 * f->words * sizeof *sets);
  r->next = *reasons_of(f, i, side);
  *reasons_of(f, i, side) = r;
}

/* Adds a settled node to `sets` if the reason depends on it, and to the queue if play continues there. */
static void reach_settled_node(const follower *f, const moment *m, uint32_t i, uint64_t *sets,
                               uint32_t *used) {
  if (has_bit(m->seen, i)) return;
  set_bit(m->seen, i);
  if (has_bit(f->met, i)) {
    set_bit(sets, i);
    return;
  }
  if (f->part->payee[i] != m->winner[i]) set_bit(sets + f->words, i);
  m->queue[(*used)++] = i;
}

/* Adds all nodes that play may reach from a settled node if its winner makes the moves in m->by. */
static void add_settled_nodes(const follower *f, const moment *m, uint32_t from, uint64_t *sets) {
  const lines_part *part = f->part;
  uint32_t used = 0;
  memset(m->seen, 0, f->words * sizeof *m->seen);
  reach_settled_node(f, m, from, sets, &used);
  for (uint32_t k = 0; k < used; k++) {
    const uint32_t i = m->queue[k];
    if (part->mover[i] == m->winner[i]) {
      reach_settled_node(f, m, m->by[i], sets, &used);
      continue;
    }
    for (uint32_t e = part->first[i]; e < part->first[i + 1]; e++)
      reach_settled_node(f, m, part->child[e], sets, &used);
  }
}

static void add_reason(const follower *f, uint32_t i, uint8_t side, const uint64_t *why, uint64_t *sets) {
  for (size_t w = 0; w < 2 * f->words; w++) sets[w] |= why[w];
  if (f->part->payee[i] != side) set_bit(sets + f->words, i);
}

static uint8_t reach_node(follower *f, uint32_t i, uint64_t *sets);

/* If the mover wins by a move that need not be followed, adds the reason to `sets` and returns true. */
static bool find_immediate_win(const follower *f, const moment *m, uint32_t i, uint64_t *sets) {
  const lines_part *part = f->part;
  const uint8_t mover = part->mover[i];
  for (uint32_t e = part->first[i]; e < part->first[i + 1]; e++) {
    const uint32_t next = part->child[e];
    const uint64_t *why = m->winner[next] == NO_SIDE ? find_reason(f, next, mover) : NULL;
    if (m->winner[next] == mover) add_settled_nodes(f, m, next, sets);
    if (why) add_reason(f, next, mover, why, sets);
    if (why || m->winner[next] == mover) return true;
  }
  return false;
}

/* Returns NO_SIDE if the winner is not found. If the other side wins, adds the reason to `sets`; if the
 * mover wins, `below` becomes the reason. */
static uint8_t follow_move(follower *f, const moment *m, uint32_t next, uint8_t other, uint64_t *below,
                           uint64_t *sets) {
  if (m->winner[next] == other) {
    add_settled_nodes(f, m, next, sets);
    return other;
  }
  const uint64_t *why = find_reason(f, next, other);
  const uint8_t winner = why ? other : reach_node(f, next, below);
  if (winner == other) add_reason(f, next, other, why ? why : below, sets);
  return winner;
}

static uint8_t follow_moves(follower *f, const moment *m, uint32_t i, uint64_t *sets) {
  const lines_part *part = f->part;
  const uint8_t mover = part->mover[i], other = other_side(mover);
  uint64_t *below = allocate_sets(f, 2);
  bool lost = !part->doubt[i];
  for (uint32_t e = part->first[i]; e < part->first[i + 1] && below; e++) {
    const uint8_t winner = follow_move(f, m, part->child[e], other, below, sets);
    if (winner == mover) {
      memset(sets, 0, 2 * f->words * sizeof *sets);
      add_reason(f, part->child[e], mover, below, sets);
      return mover;
    }
    if (winner == NO_SIDE) lost = false;
  }
  return lost && below ? other : NO_SIDE;
}

static void settle_after_line(const follower *f, const moment *m) {
  const lines_part *part = f->part;
  for (uint32_t i = 0; i < part->used; i++) m->winner[i] = has_bit(f->met, i) ? part->payee[i] : NO_SIDE;
  lines_settle(part, m->winner, m->by);
}

/* Returns the winner if the line reaches a node that it has not met, and writes the reason to `sets`, or
 * returns NO_SIDE. */
static uint8_t reach_node(follower *f, uint32_t i, uint64_t *sets) {
  const uint32_t nodes = f->part->used;
  uint8_t side = NO_SIDE;
  if (f->left < nodes) {
    f->left = 0;
    return NO_SIDE;
  }
  f->left -= nodes;
  const arena_mark mark = arena_here(f->arena);
  const moment m = {.winner = arena_allocate(f->arena, nodes, 1),
                    .by = arena_allocate(f->arena, nodes, sizeof *m.by),
                    .queue = arena_allocate(f->arena, nodes, sizeof *m.queue),
                    .seen = allocate_sets(f, 1)};
  memset(sets, 0, 2 * f->words * sizeof *sets);
  set_bit(f->met, i);
  if (m.winner && m.by && m.queue && m.seen) {
    settle_after_line(f, &m);
    side = find_immediate_win(f, &m, i, sets) ? f->part->mover[i] : follow_moves(f, &m, i, sets);
  }
  clear_bit(f->met, i);
  clear_bit(sets, i);
  arena_return(f->arena, mark);
  if (side != NO_SIDE) keep_reason(f, i, side, sets);
  return side;
}

tauler_error lines_follow(const lines_part *part, arena *a, uint64_t budget, uint8_t *winner) {
  const arena_mark mark = arena_here(a);
  const uint64_t lists = 2 * (uint64_t)part->used;
  follower f = {.part = part, .arena = a, .words = ((size_t)part->used + WORD - 1) / WORD};
  arena_open(&f.kept, a->memory, a->what);
  f.room = KEPT_BYTES / (sizeof(reason) + 2 * f.words * sizeof(uint64_t));
  f.reasons = arena_allocate(a, lists, sizeof *f.reasons);
  f.met = allocate_sets(&f, 1);
  uint64_t *sets = allocate_sets(&f, 2);
  for (uint64_t i = 0; i < lists && !a->error; i++) f.reasons[i] = NULL;
  for (uint32_t i = 0; i < part->used && !a->error; i++) {
    f.left = budget;
    winner[i] = reach_node(&f, i, sets);
    if (f.kept.error) a->error = f.kept.error;
  }
  arena_return(a, mark);
  arena_close(&f.kept);
  return a->error;
}
