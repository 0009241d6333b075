/* Lays out a slice of Dou Shou Qi for bitboards (parts, tiles, tables of moves) and cuts its waves into
 * parts. */
#include <stdlib.h>
#include <string.h>

#include "games/doushouqi/bitboards.h"

static int file_of(int square) {
  return square % DSQ_FILES;
}

enum { MIDDLE = DSQ_FILES / 2 };

static void lay_out(const dsq_slice *slice, dsq_bits_layout *out) {
  *out = (dsq_bits_layout){.pieces = slice->pieces};
  const int last = slice->pieces - 1;
  for (int i = 0; i < slice->pieces; i++) {
    out->ground[i] = slice->place.squares[i];
    if (i == 0) out->ground[i] &= slice->place.left | slice->place.middle;
    for (int square = 0; square < DSQ_SQUARES; square++) {
      if (!(out->ground[i] >> square & 1)) continue;
      out->ordinal[i][square] = out->count[i];
      out->square[i][out->count[i]++] = (uint8_t)square;
    }
  }
  uint64_t stride = 1;
  for (int i = last - 1; i >= 0; i--) {
    if (i == 0 && last > 1) stride *= 2;
    out->stride[i] = stride;
    stride *= out->count[i];
  }
  out->turn = last > 1 ? out->stride[0] / 2 : stride;
  out->blocks = last > 1 ? stride : 2 * stride;
  out->columns = out->count[last];
  memcpy(out->column, out->ordinal[last], sizeof out->column);
}

dsq_bits_place dsq_bits_find(const dsq_bits_layout *layout, int part, const uint8_t square[]) {
  const int first = file_of(square[0]);
  const bool mirrored = first > MIDDLE || (first == MIDDLE && layout->pieces > 2 && dsq_is_right(square[1]));
  const int last = layout->pieces - 1;
  uint64_t block = part ? layout->turn : 0;
  for (int i = 0; i < last; i++) {
    const int at = mirrored ? placement_mirror(DSQ_FILES, square[i]) : square[i];
    block += layout->ordinal[i][at] * layout->stride[i];
  }
  return (dsq_bits_place){block, mirrored ? placement_mirror(DSQ_FILES, square[last]) : square[last]};
}

static void add_shift(dsq_bits_tables *t, int from, const dsq_target *target) {
  const int by = target->to - from;
  int i = 0;
  while (i < t->shifts_used && (t->shifts[i].by != by || t->shifts[i].no_rat != target->no_rat ||
                                t->shifts[i].no_drinker != target->no_drinker))
    i++;
  if (i == t->shifts_used)
    t->shifts[t->shifts_used++] = (dsq_bits_shift){by, 0, target->no_rat, target->no_drinker};
  t->shifts[i].from |= dsq_bit(from);
}

static void list_steps_of_last(dsq_bits_tables *t) {
  const dsq_piece piece = t->piece[t->layout.pieces - 1];
  const game_rules *rules = t->rules;
  for (int from = 0; from < DSQ_SQUARES; from++) {
    for (int k = 0; k < rules->targets_used[piece.side][piece.animal][from]; k++) {
      const dsq_target *target = &rules->targets[piece.side][piece.animal][from][k];
      if (target->to == rules->den[!piece.side]) {
        t->before_den |= dsq_bit(from);
      } else {
        add_shift(t, from, target);
      }
    }
  }
}

static void describe_capture(dsq_bits_tables *t, int taken) {
  dsq_bits_capture *capture = &t->captures[taken];
  dsq_view view;
  capture->over = !dsq_view_without(t->rules, t->piece, t->layout.pieces, taken, false, &view, capture->from);
  if (capture->over) return;
  lay_out(dsq_slice_at(t->rules, view.slice), &capture->layout);
  capture->slice = view.slice;
  capture->flipped = view.flipped;
}

tauler_error dsq_bits_open(const game_rules *rules, uint32_t slice, void **out) {
  dsq_bits_tables *t = calloc(1, sizeof *t);
  *out = t;
  if (!t) return TAULER_NO_MEMORY;
  t->rules = rules;
  t->slice = dsq_slice_at(rules, slice);
  memcpy(t->piece, t->slice->piece, sizeof t->piece);
  lay_out(t->slice, &t->layout);
  list_steps_of_last(t);
  for (int i = 0; i < t->layout.pieces; i++) describe_capture(t, i);
  dsq_view twin;
  if (t->slice->parts == 1)
    (void)dsq_view_without(rules, t->piece, t->layout.pieces, -1, true, &twin, t->twin);
  return TAULER_OK;
}

/* Returns the number of blocks in a part of the slice that are unused because only the mirror image of the
 * first two pieces, both fixed, is stored. Returns 0 for slices of fewer than four pieces. */
static uint64_t count_empty_blocks(const dsq_bits_layout *layout) {
  if (layout->pieces < 4) return 0;
  uint64_t first = 0, second = 0;
  for (int i = 0; i < layout->count[0]; i++) first += file_of(layout->square[0][i]) == MIDDLE;
  for (int i = 0; i < layout->count[1]; i++) second += dsq_is_right(layout->square[1][i]);
  return first * second * layout->stride[1];
}

void dsq_bits_plan(const game_rules *rules, uint32_t slice, game_bitboards_plan *plan) {
  const dsq_slice *about = dsq_slice_at(rules, slice);
  dsq_bits_layout layout;
  lay_out(about, &layout);
  const uint32_t tile = layout.count[about->pieces - 2];
  *plan = (game_bitboards_plan){.positions = (uint64_t)about->parts * placement_count(&about->place),
                                .blocks = layout.blocks,
                                .tiles = layout.blocks / tile,
                                .tile_blocks = tile,
                                .columns = layout.columns,
                                .scratch_bytes = sizeof(dsq_bits_scratch),
                                .touched_blocks = layout.blocks - 2 * count_empty_blocks(&layout),
                                .order = 2,
                                .run_blocks = about->pieces > 2 ? layout.stride[0] : 0,
                                .converts = true};
}

static int first_ordinal(const dsq_bits_layout *layout, uint32_t parts, uint32_t part) {
  return (int)((uint64_t)layout->count[0] * part / parts);
}

static int stored_image(const dsq_bits_layout *layout, int square) {
  return layout->ground[0] >> square & 1 ? square : placement_mirror(DSQ_FILES, square);
}

/* Returns these squares and all squares to which the first piece may move from them, or from which it may
 * have come to them. */
static uint64_t add_neighbours(const game_rules *rules, dsq_piece piece, const dsq_bits_layout *layout,
                               uint64_t squares) {
  uint64_t found = squares;
  for (int from = 0; from < DSQ_SQUARES; from++) {
    const uint64_t one = dsq_bit(stored_image(layout, from));
    for (int k = 0; k < rules->targets_used[piece.side][piece.animal][from]; k++) {
      const int to = rules->targets[piece.side][piece.animal][from][k].to;
      if (to == rules->den[!piece.side]) continue;
      const uint64_t other = dsq_bit(stored_image(layout, to));
      if (squares & one) found |= other;
      if (squares & other) found |= one;
    }
  }
  return found;
}

static uint64_t part_squares(const dsq_bits_layout *layout, uint32_t parts, uint32_t part) {
  uint64_t squares = 0;
  for (int i = first_ordinal(layout, parts, part); i < first_ordinal(layout, parts, part + 1); i++)
    squares |= dsq_bit(layout->square[0][i]);
  return squares;
}

static void visit_squares(const dsq_bits_layout *layout, uint64_t squares, game_bitboards_visit *visit,
                          void *user) {
  for (int i = 0, end; i < layout->count[0]; i = end) {
    for (end = i; end < layout->count[0] && squares >> layout->square[0][end] & 1;) end++;
    if (end > i) visit(user, (uint64_t)i * layout->stride[0], (uint64_t)(end - i) * layout->stride[0]);
    if (end == i) end++;
  }
}

void dsq_bits_visit_read(const dsq_bits_tables *t, uint32_t part, game_bitboards_visit *visit, void *user) {
  const uint64_t own = part_squares(&t->layout, t->cut_parts, part);
  visit_squares(&t->layout, add_neighbours(t->rules, t->piece[0], &t->layout, own), visit, user);
}

static void visit_parts(const void *tables, uint64_t parts, game_bitboards_visit *visit, void *user) {
  const dsq_bits_tables *t = tables;
  uint64_t squares = 0;
  for (uint32_t part = 0; part < t->cut_parts; part++)
    squares |= parts >> part & 1 ? part_squares(&t->layout, t->cut_parts, part) : 0;
  visit_squares(&t->layout, squares, visit, user);
}

static void set_cut_parts(void *tables, const game_bitboards_cut *cut) {
  dsq_bits_tables *t = tables;
  t->cut_parts = cut->parts;
}

uint64_t dsq_bits_group_end(const void *tables, uint32_t group) {
  const dsq_bits_tables *t = tables;
  const dsq_bits_layout *layout = &t->layout;
  return (uint64_t)first_ordinal(layout, t->cut_parts, group + 1) * layout->stride[0] /
         layout->count[layout->pieces - 2];
}

typedef struct {
  uint64_t unit, units;
} unit_count;

static void count_units(void *user, uint64_t first, uint64_t blocks) {
  unit_count *count = user;
  count->units += (first + blocks - 1) / count->unit - first / count->unit + 1;
}

/* Cuts a slice into fineness + 2 parts. Returns false if the first piece has fewer squares, or if the slice
 * has two pieces. */
static bool plan_parts(const game_rules *rules, uint32_t slice, uint32_t fineness, game_bitboards_cut *cut) {
  dsq_bits_tables t = {.rules = rules, .slice = dsq_slice_at(rules, slice), .cut_parts = fineness + 2};
  lay_out(t.slice, &t.layout);
  t.piece[0] = t.slice->piece[0];
  if (t.layout.pieces < 3 || t.cut_parts > t.layout.count[0]) return false;
  *cut = (game_bitboards_cut){
      .fineness = fineness, .ranks = 1, .parts = t.cut_parts, .groups = t.cut_parts, .part_units = 0};
  for (uint32_t part = 0; part < cut->parts; part++) {
    unit_count own = {bitboards_unit(t.layout.blocks), 0}, read = own;
    visit_parts(&t, UINT64_C(1) << part, count_units, &own);
    dsq_bits_visit_read(&t, part, count_units, &read);
    if (own.units > cut->part_units) cut->part_units = own.units;
    if (read.units > cut->read_units) cut->read_units = read.units;
  }
  return true;
}

const game_bitboards_parts dsq_bits_parts = {
    .plan = plan_parts, .order = set_cut_parts, .visit = visit_parts, .keep_code = dsq_bits_keep_code};
