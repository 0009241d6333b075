/* Computes batches of Dou Shou Qi from the tables of rules.h.
 *
 * Most neighbouring indexes differ only in the square of the last piece, so a batch is processed block by
 * block. After a quiet move colours are exchanged and ranks reversed, so that White is to move again. Doing
 * this twice changes nothing, so quiet children and quiet predecessors are numbered in the same way.
 */
#include <string.h>

#include "games/doushouqi/moves.h"

enum { NO_PIECE = DSQ_MOST_PIECES, MOST_CHILDREN = DSQ_MOST_PIECES * DSQ_TARGETS };

/* The numbering of positions after a move, with colours exchanged and the board turned: with all pieces, or
 * without a captured one. Piece i of the child is piece from[i] of the position. */
typedef struct {
  bool known; /* false if it is not computed yet */
  const dsq_slice *slice;
  uint8_t from[DSQ_MOST_PIECES];
  uint64_t first; /* first index of the part */
} turned;

/* A position in a walk through a slice. White is to move. */
typedef struct {
  const game_rules *rules;
  const dsq_slice *slice;
  int part; /* −1 before the first position */
  dsq_piece piece[DSQ_MOST_PIECES];
  int enemies; /* number of Black's pieces */
  uint8_t flip[DSQ_SQUARES];
  turned quiet, without[DSQ_MOST_PIECES]; /* `without`: after the capture of each piece */

  uint64_t first, end; /* indexes first … end − 1 of the block */
  uint8_t order[PLACEMENT_SQUARES];

  uint8_t square[DSQ_MOST_PIECES];
  uint8_t on[DSQ_NOWHERE + 1];  /* piece on a square, or NO_PIECE */
  uint64_t of[2], rats, others; /* squares of each side, of rats, of other animals */
  uint64_t away_from_middle;
} walk;

static tauler_error start_walk(walk *at, const game_rules *rules, uint32_t slice) {
  at->rules = rules;
  at->slice = dsq_slice_at(rules, slice);
  if (!at->slice) return TAULER_INTERNAL;
  at->part = -1;
  at->first = at->end = 0;
  for (int square = 0; square < DSQ_SQUARES; square++) at->flip[square] = (uint8_t)dsq_flip(square);
  return TAULER_OK;
}

/* `taken` is NO_PIECE after a quiet move. */
static tauler_error number_after_move(const walk *at, int taken, turned *out) {
  dsq_view view;
  if (!dsq_view_without(at->rules, at->piece, at->slice->pieces, taken, true, &view, out->from))
    return TAULER_INTERNAL;
  out->slice = dsq_slice_at(at->rules, view.slice);
  out->first = view.flipped ? placement_count(&out->slice->place) : 0;
  out->known = true;
  return TAULER_OK;
}

static tauler_error enter_part(walk *at, int part) {
  at->part = part;
  at->enemies = 0;
  for (int i = 0; i < at->slice->pieces; i++) {
    at->piece[i] = at->slice->piece[i];
    at->piece[i].side ^= (uint8_t)part;
    at->enemies += at->piece[i].side == DSQ_BLACK;
    at->without[i].known = false;
  }
  return number_after_move(at, NO_PIECE, &at->quiet);
}

static void lift_piece(walk *at, int i) {
  const uint64_t bit = UINT64_C(1) << at->square[i];
  at->on[at->square[i]] = NO_PIECE;
  at->of[at->piece[i].side] &= ~bit;
  at->rats &= ~bit;
  at->others &= ~bit;
}

static void put_piece(walk *at, int i, uint8_t square) {
  const uint64_t bit = UINT64_C(1) << square;
  at->square[i] = square;
  at->on[square] = (uint8_t)i;
  at->of[at->piece[i].side] |= bit;
  if (at->piece[i].animal == DSQ_RAT) {
    at->rats |= bit;
  } else {
    at->others |= bit;
  }
}

static tauler_error enter_block(walk *at, uint64_t index) {
  const placement_index *place = &at->slice->place;
  const uint64_t count = placement_count(place);
  const int part = index >= count;
  if (part != at->part) {
    const tauler_error error = enter_part(at, part);
    if (error) return error;
  }
  const uint64_t number = index - (part ? count : 0);
  uint8_t square[DSQ_MOST_PIECES] = {0};
  const placement_run run = placement_unrank_block(place, number, square);
  const size_t n = placement_order(run, at->order);
  square[at->slice->pieces - 1] = at->order[number - run.first];
  memset(at->on, NO_PIECE, sizeof at->on);
  at->of[0] = at->of[1] = at->rats = at->others = 0;
  for (int i = 0; i < at->slice->pieces; i++) put_piece(at, i, square[i]);
  at->first = run.first + (part ? count : 0);
  at->end = at->first + n;
  return TAULER_OK;
}

static inline tauler_error set_position(walk *at, uint64_t index) {
  if (index < at->first || index >= at->end) {
    const tauler_error error = enter_block(at, index);
    if (error) return error;
  } else {
    const int last = at->slice->pieces - 1;
    lift_piece(at, last);
    put_piece(at, last, at->order[index - at->first]);
  }
  at->away_from_middle = (at->rats | at->others) & ~at->slice->place.middle;
  return TAULER_OK;
}

static inline bool is_legal(const walk *at, int i, const dsq_target *target) {
  if (at->of[DSQ_WHITE] >> target->to & 1) return false;
  if (!dsq_way_is_free(target, at->rats, at->others)) return false;
  const uint8_t victim = at->on[target->to];
  return victim == NO_PIECE ||
         dsq_may_capture(at->rules, target, at->piece[i].animal, DSQ_BLACK, at->piece[victim].animal);
}

static const dsq_target *targets_of(const walk *at, int i, int *used) {
  const int animal = at->piece[i].animal, square = at->square[i];
  *used = at->piece[i].side == DSQ_WHITE ? at->rules->targets_used[DSQ_WHITE][animal][square] : 0;
  return at->rules->targets[DSQ_WHITE][animal][square];
}

static bool can_move(const walk *at) {
  for (int i = 0; i < at->slice->pieces; i++) {
    int used;
    const dsq_target *targets = targets_of(at, i, &used);
    for (int k = 0; k < used; k++) {
      if (is_legal(at, i, &targets[k])) return true;
    }
  }
  return false;
}

tauler_error dsq_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                       int16_t *value) {
  walk at;
  tauler_error error = start_walk(&at, rules, slice);
  const int16_t stalemate = rules->base.flag[DSQ_STALEMATE_LOSES] ? -1 : 0;
  for (size_t i = 0; i < n && !error; i++) {
    error = set_position(&at, index[i]);
    if (!error) value[i] = can_move(&at) ? GAME_NOT_ENDED : stalemate;
  }
  return error;
}

static inline void turn_squares(const walk *at, const turned *to, uint8_t square[DSQ_MOST_PIECES]) {
  for (int i = 0; i < to->slice->pieces; i++) square[i] = at->flip[at->square[to->from[i]]];
}

static inline uint64_t turned_index(const turned *to, const uint8_t square[DSQ_MOST_PIECES]) {
  return to->first + placement_rank(&to->slice->place, square);
}

static inline game_place turned_place(const walk *at, const turned *to) {
  uint8_t square[DSQ_MOST_PIECES] = {0};
  turn_squares(at, to, square);
  return (game_place){to->slice->slice, turned_index(to, square)};
}

typedef struct {
  game_place places[MOST_CHILDREN];
  size_t used;
  bool over; /* true if a move wins at once */
} children;

static void add_new_child(children *all, game_place place) {
  for (size_t i = 0; i < all->used; i++) {
    if (all->places[i].index == place.index && all->places[i].slice == place.slice) return;
  }
  all->places[all->used++] = place;
}

/* If all pieces stand on the middle file, a move and its mirror image may lead to the same place. In all
 * other positions quiet moves lead to different places, so the list is not searched. */
static void add_quiet_child(const walk *at, children *all) {
  const game_place place = turned_place(at, &at->quiet);
  if (at->away_from_middle == 0) {
    add_new_child(all, place);
  } else {
    all->places[all->used++] = place;
  }
}

static tauler_error add_capture_child(walk *at, int taken, children *all) {
  turned *to = &at->without[taken];
  if (!to->known) {
    const tauler_error error = number_after_move(at, taken, to);
    if (error) return error;
  }
  add_new_child(all, turned_place(at, to));
  return TAULER_OK;
}

static tauler_error add_child(walk *at, int i, const dsq_target *target, children *all) {
  const uint8_t taken = at->on[target->to], from = at->square[i];
  if (target->to == at->rules->den[DSQ_BLACK] || (taken != NO_PIECE && at->enemies == 1)) {
    all->over = true;
    return TAULER_OK;
  }
  tauler_error error = TAULER_OK;
  at->square[i] = target->to;
  if (taken == NO_PIECE) {
    add_quiet_child(at, all);
  } else {
    error = add_capture_child(at, taken, all);
  }
  at->square[i] = from;
  return error;
}

static tauler_error add_children(walk *at, children *all) {
  tauler_error error = TAULER_OK;
  all->used = 0;
  all->over = false;
  for (int i = 0; i < at->slice->pieces && !error; i++) {
    int used;
    const dsq_target *targets = targets_of(at, i, &used);
    for (int k = 0; k < used && !error; k++) {
      if (is_legal(at, i, &targets[k])) error = add_child(at, i, &targets[k], all);
    }
  }
  return error;
}

static tauler_error push_children(const children *all, uint32_t from, game_sink *sink) {
  tauler_error error = TAULER_OK;
  if (all->over) error = game_sink_push(sink, (game_edge){from, 1, {GAME_OVER, 0}});
  for (size_t i = 0; i < all->used && !error; i++) {
    error = game_sink_push(sink, (game_edge){from, 0, all->places[i]});
  }
  return error;
}

tauler_error dsq_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        game_sink *sink) {
  walk at;
  children all;
  tauler_error error = start_walk(&at, rules, slice);
  for (size_t i = 0; i < n && !error; i++) {
    error = set_position(&at, index[i]);
    if (!error) error = add_children(&at, &all);
    if (!error) error = push_children(&all, (uint32_t)i, sink);
  }
  return error;
}

/* The conditions of the move are checked on the present board, since a piece never bars its own way. */
static bool may_have_moved(const walk *at, int i, dsq_source source) {
  const dsq_target *targets = at->rules->targets[DSQ_BLACK][at->piece[i].animal][source.from];
  return at->on[source.from] == NO_PIECE && dsq_way_is_free(&targets[source.target], at->rats, at->others);
}

static inline tauler_error push_parent(const walk *at, uint32_t child, const uint8_t square[],
                                       game_sink *sink) {
  const uint64_t index = turned_index(&at->quiet, square);
  return game_sink_push(sink, (game_edge){child, 0, {at->slice->slice, index}});
}

/* Pushes the parent with the pieces on at->square, or both of its images. If the first two pieces stand on
 * the middle file, a position and its mirror image have an index each. If this holds for the child, only a
 * parent with an index of its own leads to it; any other leads to the child's image. If it holds for the
 * parent alone, both images of the parent lead to the child. */
static tauler_error push_parents(const walk *at, uint32_t child, bool child_has_both, game_sink *sink) {
  const placement_index *place = &at->slice->place;
  uint8_t square[DSQ_MOST_PIECES] = {0};
  turn_squares(at, &at->quiet, square);
  if (child_has_both)
    return placement_is_canonical(place, square) ? push_parent(at, child, square, sink) : TAULER_OK;
  const tauler_error error = push_parent(at, child, square, sink);
  if (error || placement_copies(place, square) == 2) return error;
  bool differs = false;
  for (int i = 0; i < at->slice->pieces; i++) {
    const uint8_t mirrored = (uint8_t)placement_mirror(DSQ_FILES, square[i]);
    differs |= mirrored != square[i];
    square[i] = mirrored;
  }
  return differs ? push_parent(at, child, square, sink) : TAULER_OK;
}

static tauler_error retract_piece(walk *at, int i, uint32_t child, bool child_has_both, game_sink *sink) {
  const int animal = at->piece[i].animal;
  const uint8_t now = at->square[i];
  const dsq_source *before = at->rules->sources[DSQ_BLACK][animal][now];
  tauler_error error = TAULER_OK;
  for (int k = 0; k < at->rules->sources_used[DSQ_BLACK][animal][now] && !error; k++) {
    if (!may_have_moved(at, i, before[k])) continue;
    at->square[i] = before[k].from;
    error = push_parents(at, child, child_has_both, sink);
    at->square[i] = now;
  }
  return error;
}

tauler_error dsq_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         game_sink *sink) {
  walk at;
  tauler_error error = start_walk(&at, rules, slice);
  for (size_t j = 0; j < n && !error; j++) {
    error = set_position(&at, index[j]);
    const bool both = !error && placement_copies(&at.slice->place, at.square) == 1;
    for (int i = 0; i < at.slice->pieces && !error; i++) {
      if (at.piece[i].side == DSQ_BLACK) error = retract_piece(&at, i, (uint32_t)j, both, sink);
    }
  }
  return error;
}
