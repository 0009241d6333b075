/* Judges converting moves: captures that lead to smaller slices, moves into the den, captures of a side's
 * last piece. Begins the blocks of a slice with them. */
#include <string.h>

#include "games/doushouqi/bitboards_moves.h"

/* Keeps the best conversion: the win with the least code, otherwise a draw, otherwise the loss with the
 * greatest code. */
static void note_conversion(dsq_bits_conversions *c, int square, int value, uint8_t code) {
  const uint64_t bit = dsq_bit(square);
  if (value > 0) {
    if (!(c->gaining & bit) || code < c->code[square]) c->code[square] = code;
    c->gaining |= bit;
    c->drawing &= ~bit;
    c->losing &= ~bit;
    return;
  }
  if ((c->gaining | c->drawing) & bit) return;
  if (value == 0) {
    c->drawing |= bit;
    c->losing &= ~bit;
    c->code[square] = BITBOARDS_NEVER;
    return;
  }
  if (!(c->losing & bit) || code > c->code[square]) c->code[square] = code;
  c->losing |= bit;
}

/* `square` has the squares of all pieces after the capture. Before the capture the last piece stood on
 * `last`. */
static void judge_capture(const dsq_bits_tile *tile, const game_bitboards_state *state, int taken,
                          const uint8_t square[], int last, dsq_bits_conversions *c) {
  const dsq_bits_tables *t = tile->tables;
  const dsq_bits_capture *capture = &t->captures[taken];
  if (capture->over) {
    note_conversion(c, last, 1, bitboards_code(1));
    return;
  }
  uint8_t there[DSQ_MOST_PIECES];
  for (int i = 0; i < capture->layout.pieces && i < DSQ_MOST_PIECES; i++) {
    const int at = square[capture->from[i]];
    there[i] = (uint8_t)(capture->flipped ? dsq_flip(at) : at);
  }
  const int part = capture->flipped ? tile->part : !tile->part;
  const dsq_bits_place place = dsq_bits_find(&capture->layout, part, there);
  const game_bitboards_finished *smaller = &state->finished[capture->slice];
  const uint8_t code =
      smaller->depth[place.block * capture->layout.columns + capture->layout.column[place.square]];
  if (smaller->lost[place.block] >> place.square & 1) {
    note_conversion(c, last, 1, (uint8_t)(code + 1));
  } else if (smaller->won[place.block] >> place.square & 1) {
    note_conversion(c, last, -1, code);
  } else {
    note_conversion(c, last, 0, BITBOARDS_NEVER);
  }
}

/* Judges the conversions by moves of a piece that is not the last. */
static void judge_captures_by(const dsq_bits_tile *tile, const dsq_bits_block *at,
                              const game_bitboards_state *state, int mover, const uint8_t square[],
                              dsq_bits_conversions *c) {
  const dsq_bits_tables *t = tile->tables;
  const int last = t->layout.pieces - 1, side = tile->part;
  const dsq_piece piece = t->piece[mover];
  for (int k = 0; k < t->rules->targets_used[side][piece.animal][square[mover]]; k++) {
    const dsq_target *target = &t->rules->targets[side][piece.animal][square[mover]][k];
    if (!dsq_way_is_free(target, at->rats, at->drinkers)) continue;
    const uint64_t from = at->valid & ~dsq_bits_barring(t, last, target);
    if (target->to == t->rules->den[!side]) {
      for (uint64_t rest = from; rest; rest &= rest - 1)
        note_conversion(c, __builtin_ctzll(rest), 1, bitboards_code(1));
      continue;
    }
    for (int j = 0; j <= last; j++) {
      uint64_t rest = j == last ? at->valid & dsq_bit(target->to) : square[j] == target->to ? from : 0;
      if (!rest || t->piece[j].side == side ||
          !dsq_may_capture(t->rules, target, piece.animal, !side, t->piece[j].animal))
        continue;
      uint8_t after[DSQ_MOST_PIECES];
      memcpy(after, square, sizeof after);
      after[mover] = target->to;
      for (; rest; rest &= rest - 1) {
        after[last] = (uint8_t)__builtin_ctzll(rest);
        judge_capture(tile, state, j, after, after[last], c);
      }
    }
  }
}

static void judge_capture_by_last(const dsq_bits_tile *tile, const dsq_bits_block *at,
                                  const game_bitboards_state *state, int taken, const uint8_t square[],
                                  dsq_bits_conversions *c) {
  const dsq_bits_tables *t = tile->tables;
  const int last = t->layout.pieces - 1, to = square[taken];
  const dsq_piece piece = t->piece[last], victim = t->piece[taken];
  uint8_t after[DSQ_MOST_PIECES];
  memcpy(after, square, sizeof after);
  after[last] = (uint8_t)to;
  for (int k = 0; k < t->rules->sources_used[piece.side][piece.animal][to]; k++) {
    const dsq_source source = t->rules->sources[piece.side][piece.animal][to][k];
    const dsq_target *target = &t->rules->targets[piece.side][piece.animal][source.from][source.target];
    if (!(at->valid >> source.from & 1)) continue;
    if (!dsq_way_is_free(target, at->rats, at->drinkers) ||
        !dsq_may_capture(t->rules, target, piece.animal, victim.side, victim.animal))
      continue;
    judge_capture(tile, state, taken, after, source.from, c);
  }
}

void dsq_bits_find_conversions(const dsq_bits_tile *tile, const dsq_bits_block *at,
                               const game_bitboards_state *state, dsq_bits_conversions *c) {
  const dsq_bits_tables *t = tile->tables;
  const int last = t->layout.pieces - 1;
  uint8_t square[DSQ_MOST_PIECES];
  memcpy(square, tile->square, sizeof square);
  square[last - 1] = (uint8_t)at->inner;
  c->gaining = c->drawing = c->losing = 0;
  for (int i = 0; i < last; i++) {
    if (t->piece[i].side == tile->part) judge_captures_by(tile, at, state, i, square, c);
  }
  if (t->piece[last].side != tile->part) return;
  for (int j = 0; j < last; j++) {
    if (t->piece[j].side != tile->part) judge_capture_by_last(tile, at, state, j, square, c);
  }
  for (uint64_t rest = at->valid & t->before_den; rest; rest &= rest - 1)
    note_conversion(c, __builtin_ctzll(rest), 1, bitboards_code(1));
}

/* Holds each position with a conversion: it cannot be lost before the best conversion becomes due, which a
 * draw never does. A position without any move is lost under stalemate=loss, otherwise held for ever. */
static void begin_block(dsq_bits_tile *tile, const dsq_bits_block *at, const game_bitboards_state *state,
                        dsq_bits_conversions *c, uint64_t *changed, uint32_t *latest) {
  const uint64_t block = at->block;
  uint8_t *depth = state->depth + block * tile->tables->layout.columns;
  const uint8_t *column = tile->tables->layout.column;
  dsq_bits_find_conversions(tile, at, state, c);
  const uint64_t counted = c->gaining | c->losing;
  const uint64_t stuck = at->valid & ~(counted | c->drawing | dsq_bits_with_moves(tile, at));
  uint8_t due = BITBOARDS_NEVER;
  for (uint64_t rest = counted; rest; rest &= rest - 1) {
    const int square = __builtin_ctzll(rest);
    const uint8_t code = c->code[square];
    const bool gains = c->gaining >> square & 1;
    const uint32_t wave = gains ? bitboards_won_depth(code) : bitboards_lost_depth(code);
    depth[column[square]] = code;
    if (due == BITBOARDS_NEVER || code < due) due = code;
    if (wave > *latest) *latest = wave;
  }
  state->held[block] = counted | c->drawing;
  state->gaining[block] = c->gaining;
  state->due[block] = due;
  if (!stuck) return;
  if (tile->tables->rules->base.flag[DSQ_STALEMATE_LOSES]) {
    state->lost[block] |= stuck;
    if (state->decided) state->decided[block] |= stuck;
    *changed += (uint64_t)__builtin_popcountll(stuck);
    dsq_bits_mark_readers(state, tile, at);
  } else {
    state->held[block] |= stuck;
  }
}

tauler_error dsq_bits_begin(const void *tables, const game_bitboards_state *state, uint64_t tile,
                            void *scratch, uint64_t *changed, uint32_t *latest) {
  dsq_bits_scratch *own = scratch;
  const dsq_bits_tables *t = tables;
  if (!dsq_bits_tile_open(t, tile, &own->tile)) return TAULER_OK;
  for (int i = 0; i < t->layout.count[t->layout.pieces - 2]; i++) {
    const dsq_bits_block at = dsq_bits_block_at(&own->tile, i);
    if (at.valid) begin_block(&own->tile, &at, state, &own->conversions, changed, latest);
  }
  return TAULER_OK;
}
