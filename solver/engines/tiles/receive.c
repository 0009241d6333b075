/* Receives changed cells: packets from other shards, and what a shard sends to itself. */
#include <stdlib.h>
#include <string.h>

#include "solver/engines/tiles/packets.h"

/* Where a piece's cells stand in the arrays of the halo. */
typedef struct {
  grid_spread_run *run;
  const game_grid_strip *strips; /* of the sender */
  grid_telling what;
  int plane;
  uint64_t most; /* columns of a segment */
  size_t group;
  const uint8_t *rows, *values;
  size_t rows_n, rows_at, values_n, values_at;
} unpacking;

/* With several shares per rank two tellings of one sender may be taken in at once, by two threads. Cells
 * only move away from open, so the later value is the farther. */
static void put_value(const unpacking *u, int plane, uint64_t cell, int8_t value) {
  int8_t *halo = &u->run->halo[plane][cell];
  if (!u->run->slice->mapped) {
    *halo = value;
    return;
  }
  const int open = u->run->plan.open[plane];
  int8_t old = __atomic_load_n(halo, __ATOMIC_RELAXED);
  while (abs(value - open) > abs(old - open) &&
         !__atomic_compare_exchange_n(halo, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static void put_bit(const unpacking *u, uint8_t *byte, uint8_t bit) {
  if (u->run->slice->mapped) {
    __atomic_fetch_or(byte, bit, __ATOMIC_RELAXED);
  } else {
    *byte |= bit;
  }
}

/* Sets a cell of the halo: column `column` of the sender's strip. */
static bool unpack_cell(unpacking *u, uint64_t row, uint64_t column) {
  const game_grid_group *group = &u->run->layout->groups[u->group];
  const game_grid_strip *strip = &u->strips[u->group];
  if (column >= strip->columns) return false;
  const uint64_t at = strip->from + column;
  if (grid_has_values(u->what)) {
    if (u->values_at == u->values_n) return false;
    put_value(u, grid_cell_plane(u->run, u->plane), group->first_cell + row * group->columns + at,
              (int8_t)u->values[u->values_at++]);
  }
  if (u->what != TELL_CELLS) {
    uint8_t *bits = u->what == TELL_KNOWN ? u->run->known : u->run->news[u->plane];
    put_bit(u, &bits[group->first_news + row * ((group->columns + 7) / 8) + at / 8],
            (uint8_t)(1u << (at % 8)));
  }
  return true;
}

static bool get_number(unpacking *u, uint64_t *number) {
  const uint8_t *at = u->rows + u->rows_at;
  const bool whole = varint_read(&at, u->rows + u->rows_n, number);
  u->rows_at = (size_t)(at - u->rows);
  return whole;
}

static bool unpack_gaps(unpacking *u, uint64_t row, uint64_t first, uint64_t count) {
  uint64_t column = first;
  for (uint64_t i = 0; i < count; i++, column++) {
    uint64_t gap;
    if (!get_number(u, &gap) || gap > u->most) return false;
    column += gap;
    if (!unpack_cell(u, row, column)) return false;
  }
  return true;
}

static bool unpack_bitmap(unpacking *u, uint64_t row, uint64_t first, uint64_t columns) {
  for (uint64_t column = first; column < first + columns; column += 8) {
    if (u->rows_at == u->rows_n) return false;
    for (unsigned byte = u->rows[u->rows_at++]; byte; byte &= byte - 1) {
      if (!unpack_cell(u, row, column + (unsigned)__builtin_ctz(byte))) return false;
    }
  }
  return true;
}

static bool unpack_row(unpacking *u, uint64_t *block) {
  uint64_t ahead, segment, head;
  if (!get_number(u, &ahead) || !get_number(u, &segment) || !get_number(u, &head)) return false;
  const slice_layout *layout = u->run->layout;
  *block += ahead;
  if (*block >= layout->blocks || segment > UINT32_MAX) return false;
  while (*block >= layout->groups[u->group].first_block + layout->groups[u->group].blocks) u->group++;
  const uint64_t first = segment * 64, strip = u->strips[u->group].columns;
  if (first >= strip || !grid_reads_block(u->run, grid_share_number(u->run), *block)) return false;
  if (grid_is_news(u->what)) __atomic_store_n(&u->run->stirred[u->plane][*block], 1, __ATOMIC_RELAXED);
  const uint64_t row = *block - layout->groups[u->group].first_block;
  const uint64_t columns = strip - first < u->most ? strip - first : u->most;
  return head & 1 ? unpack_gaps(u, row, first, head >> 1) : unpack_bitmap(u, row, first, columns);
}

static const uint8_t *expand(ZSTD_DCtx *decompressor, const uint8_t *bytes, size_t n, size_t raw, bool packed,
                             uint8_t *room, size_t room_n) {
  if (!packed) return raw == n ? bytes : NULL;
  if (raw > room_n) return NULL;
  return ZSTD_decompressDCtx(decompressor, room, raw, bytes, n) == raw ? room : NULL;
}

static bool unpack_piece(grid_spread_run *run, grid_teller *teller, const exchange_piece *piece) {
  grid_piece_head head;
  if (piece->n < sizeof head || piece->from >= run->layout->shares) return false;
  memcpy(&head, piece->bytes, sizeof head);
  const uint64_t rest = piece->n - sizeof head;
  if (head.plane >= GRID_PLANES || head.telling > TELL_KNOWN || (uint64_t)head.rows_n + head.values_n != rest)
    return false;
  if ((grid_is_news((grid_telling)head.telling) && !run->news[0]) ||
      (head.telling == TELL_KNOWN && !run->known))
    return false;
  const uint8_t *rows = piece->bytes + sizeof head;
  unpacking u = {.run = run,
                 .strips = layout_strips(run->layout, piece->from),
                 .what = (grid_telling)head.telling,
                 .plane = head.plane,
                 .most = grid_segment_columns(teller->limit),
                 .rows_n = head.rows_raw,
                 .values_n = head.values_raw};
  u.rows = expand(teller->decompressor, rows, head.rows_n, head.rows_raw, head.packed_rows, teller->rows,
                  teller->limit);
  u.values = expand(teller->decompressor, rows + head.rows_n, head.values_n, head.values_raw,
                    head.packed_values, teller->values, teller->limit);
  if (!u.rows || !u.values) return false;
  uint64_t block = 0;
  while (u.rows_at < u.rows_n) {
    if (!unpack_row(&u, &block)) return false;
  }
  return true;
}

void grid_take_pieces(grid_spread_run *run, crew_member *member) {
  grid_teller *teller = &run->tellers[member->number];
  exchange_piece piece;
  tauler_error error = TAULER_OK;
  while (!run->failed &&
         exchange_take(run->exchange, grid_share_number(run), &teller->taker, &piece, &error)) {
    if (unpack_piece(run, teller, &piece)) continue;
    tauler_message message;
    error = tauler_fail(&message, TAULER_IO, "share %u told something that cannot be understood", piece.from);
    grid_note_failure(run, error, &message);
    return;
  }
  grid_note_failure(run, error, NULL);
}

void grid_take_in(grid_spread_run *run, crew_member *member) {
  grid_take_pieces(run, member);
  crew_meet(member, NULL, NULL);
}

/* Eight bytes of a row of bits, of which the last may have fewer. */
static uint64_t load_bits(const uint8_t *bytes, size_t n) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, n);
  return bits;
}

static void add_bits(uint8_t *bytes, size_t n, uint64_t bits) {
  const uint64_t sum = load_bits(bytes, n) | bits;
  memcpy(bytes, &sum, n);
}

/* Takes the bits of a row of the strip that changed as the share's own news and into what is to be told; the
 * values are in the halo since the kernels mirror them there. */
static void tell_row_to_self(grid_spread_run *run, int plane, const game_grid_group *group,
                             const game_grid_strip *strip, uint64_t row, bool reads) {
  const uint64_t width = (strip->columns + 7) / 8, at = strip->first_news + row * width;
  uint8_t *fresh = run->fresh[plane] + at, *told = run->told[plane] + at;
  uint8_t *news = run->news[plane] + group->first_news + row * ((group->columns + 7) / 8) + strip->from / 8;
  for (uint64_t i = 0; i < width; i += 8) {
    const size_t n = width - i < 8 ? (size_t)(width - i) : 8;
    const uint64_t bits = load_bits(fresh + i, n);
    if (!bits) continue;
    add_bits(told + i, n, bits);
    memset(fresh + i, 0, n);
    if (run->known_own && plane == 0) add_bits(run->known_own + at + i, n, bits);
    if (reads) add_bits(news + i, n, bits);
  }
}

static void copy_row_to_self(grid_spread_run *run, grid_telling what, int plane, const game_grid_group *group,
                             const game_grid_strip *strip, uint64_t row) {
  if (what == TELL_CELLS) {
    memcpy(run->halo[plane] + group->first_cell + row * group->columns + strip->from,
           run->state.own[plane] + strip->first_cell + row * strip->columns, strip->columns);
    return;
  }
  const uint64_t width = (strip->columns + 7) / 8;
  memcpy(run->known + group->first_news + row * ((group->columns + 7) / 8) + strip->from / 8,
         run->known_own + strip->first_news + row * width, width);
}

/* Rows [row, end) of a group. */
static void tell_rows_to_self(grid_spread_run *run, grid_telling what, int plane, size_t g, uint64_t row,
                              uint64_t end) {
  const game_grid_group *group = &run->layout->groups[g];
  const uint32_t self = grid_share_number(run);
  const game_grid_strip *strip = &layout_strips(run->layout, self)[g];
  for (; row < end; row++) {
    if (grid_is_news(what)) {
      row = grid_next_marked(run->stirring[plane] + group->first_block, row, end);
      if (row == end) return;
    }
    const uint64_t block = group->first_block + row;
    const bool reads = grid_reads_block(run, self, block);
    if (!grid_is_news(what)) {
      if (reads && strip->columns > 0) copy_row_to_self(run, what, plane, group, strip, row);
      continue;
    }
    run->stirring[plane][block] = 0;
    run->told_blocks[plane][block] = 1;
    if (reads) run->stirred[plane][block] = 1;
    tell_row_to_self(run, plane, group, strip, row, reads);
  }
}

uint64_t grid_self_items(const grid_spread_run *run, grid_telling what) {
  return grid_is_alone(run) ? 0 : grid_portions(run->layout) * (uint64_t)grid_planes_told(run, what);
}

void grid_tell_self_item(grid_spread_run *run, grid_telling what, uint64_t item) {
  const slice_layout *layout = run->layout;
  const uint64_t per_plane = grid_portions(layout) ? grid_portions(layout) : 1;
  uint64_t rest = item % per_plane;
  size_t g = 0;
  for (uint64_t here; rest >= (here = grid_portions_of(&layout->groups[g])); g++) rest -= here;
  const uint64_t row = rest * GRID_PORTION_BLOCKS, blocks = layout->groups[g].blocks;
  tell_rows_to_self(run, what, (int)(item / per_plane), g, row,
                    row + GRID_PORTION_BLOCKS < blocks ? row + GRID_PORTION_BLOCKS : blocks);
}

void grid_tell_self(grid_spread_run *run, crew_member *member, grid_telling what) {
  uint64_t item;
  while (!run->failed && crew_next(member, grid_self_items(run, what), &item))
    grid_tell_self_item(run, what, item);
  crew_meet(member, grid_is_alone(run) && run->fresh[0] && grid_is_news(what) ? grid_swap_news : NULL, run);
}
