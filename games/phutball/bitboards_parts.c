/* Cuts slices into parts by the top bits of both sides, and orders their tiles. */
#include "games/phutball/bitboards.h"

static uint64_t tops_of(const phb_tables *t, uint64_t left, uint64_t right) {
  const int rest = t->board.side_bits - t->fineness;
  return left >> rest | right >> rest << t->fineness;
}

uint32_t phb_list_parts(phb_tables *t, uint32_t fineness) {
  const uint64_t tops = UINT64_C(1) << fineness;
  uint32_t used = 0;
  t->fineness = (int)fineness;
  for (int men = 0; men <= 2 * t->fineness; men++) {
    for (uint64_t more = 0; more < tops; more++) {
      for (uint64_t less = 0; less <= more; less++) {
        if (__builtin_popcountll(more) + __builtin_popcountll(less) != men) continue;
        t->part_of[more | less << fineness] = t->part_of[less | more << fineness] = (uint8_t)used++;
      }
    }
  }
  return used;
}

/* --- order --- */

typedef struct {
  const game_bitboards_cut *cut;
  uint32_t groups; /* groups per part or per step */
  uint8_t behind[PHB_PARTS];
  uint32_t step_of[2 * PHB_SIDE_BITS + 1]; /* [men below the top bits] */
} tile_order;

/* Returns the group of a tile. One process sweeps part after part, and in each part first the tiles with
 * fewer men below the top bits. Ranks sweep step after step, and in each step first the tiles with fewer men
 * on both sides. */
static uint32_t group_of(const phb_tables *t, const tile_order *order, uint64_t left, uint64_t right) {
  const int rest = t->board.side_bits - t->fineness;
  const uint64_t below = (UINT64_C(1) << rest) - 1;
  const uint32_t men = (uint32_t)(__builtin_popcountll(left & below) + __builtin_popcountll(right & below));
  const uint32_t part = t->part_of[tops_of(t, left, right)];
  if (order->cut->ranks <= 1) return part * order->groups + men;
  return (order->step_of[men] + order->behind[part]) * order->groups +
         (uint32_t)(__builtin_popcountll(left) + __builtin_popcountll(right));
}

/* Orders the tiles. Only one of two mirror images has a tile: the one whose right side, as a number, is not
 * larger than its left one. */
void phb_bits_order(void *tables, const game_bitboards_cut *cut) {
  phb_tables *t = tables;
  const int bits = t->board.side_bits;
  tile_order order = {.cut = cut};
  const uint32_t parts = phb_list_parts(t, cut->fineness);
  const uint32_t steps = cut->ranks > 1 ? phb_find_readers(t, parts, order.behind) : parts;
  const int others = 2 * (bits - t->fineness);
  for (int men = 0; men <= others; men++) order.step_of[men] = phb_step_of(others, men, steps);
  order.groups = 2 * (uint32_t)(cut->ranks > 1 ? bits : bits - t->fineness) + 1;
  const uint32_t groups = steps * order.groups;
  uint64_t next[PHB_PARTS * (2 * PHB_SIDE_BITS + 1) + 1] = {0};
  for (uint64_t left = 0; left < UINT64_C(1) << bits; left++) {
    for (uint64_t right = 0; right <= left; right++) next[group_of(t, &order, left, right) + 1]++;
  }
  for (uint32_t group = 0; group < groups; group++) {
    next[group + 1] += next[group];
    t->group_end[group] = next[group + 1];
  }
  for (uint64_t left = 0; left < UINT64_C(1) << bits; left++) {
    for (uint64_t right = 0; right <= left; right++)
      t->sides[next[group_of(t, &order, left, right)]++] = right << bits | left;
  }
}

static uint32_t part_of(const void *tables, uint64_t tile) {
  const phb_tables *t = tables;
  const uint64_t sides = t->sides[tile], bits = (uint64_t)t->board.side_bits;
  return t->part_of[tops_of(t, sides & ((UINT64_C(1) << bits) - 1), sides >> bits)];
}

/* --- words that a part writes --- */

/* Visits the words of an origin that is not paired, with one right side and all left sides of a top. */
static void visit_left_sides_of_top(const phb_tables *t, const phb_origin *origin, uint64_t first,
                                    uint64_t right, uint64_t top, game_bitboards_visit *visit, void *user) {
  const phb_board *board = &t->board;
  const int rest = board->side_bits - t->fineness;
  const int own = origin->bit - board->low_bits, own_left = own - board->middle_bits;
  const uint64_t each = (uint64_t)t->bundle << board->middle_bits, lefts = UINT64_C(1) << rest;
  uint64_t words = lefts * each;
  if (origin->squeezed && own_left >= rest && top >> (own_left - rest) & 1) return;
  if (origin->squeezed && own_left < rest) words /= 2;
  visit(user,
        first + phb_high_index(t, origin, phb_join_high(board, 0, top << rest, right)) * (uint64_t)t->bundle,
        words);
}

/* Visits the words of a paired origin whose left side is this one and whose right side has this top and is
 * not greater. */
static void visit_pairs(const phb_tables *t, uint64_t first, uint64_t left, uint64_t top,
                        game_bitboards_visit *visit, void *user) {
  const int below = t->board.middle_bits - 1;
  const uint64_t each = UINT64_C(1) << (t->board.side_bits - t->fineness), right = top * each;
  if (right > left) return;
  const uint64_t rights = left - right + 1 < each ? left - right + 1 : each;
  visit(user, first + (phb_pair_of(left, right) << below), rights << below);
}

void phb_visit_tops(const phb_tables *t, const phb_origin *origin, uint64_t first,
                    const bool wanted[PHB_TOPS], game_bitboards_visit *visit, void *user) {
  const uint64_t tops = UINT64_C(1) << t->fineness, sides = UINT64_C(1) << t->board.side_bits;
  const int rest = t->board.side_bits - t->fineness;
  for (uint64_t side = 0; side < sides; side++) {
    for (uint64_t top = 0; top < tops; top++) {
      const uint64_t one = top | side >> rest << t->fineness, other = side >> rest | top << t->fineness;
      if (origin->paired && (wanted[one] || wanted[other]))
        visit_pairs(t, first, side, top, visit, user);
      else if (!origin->paired && wanted[one])
        visit_left_sides_of_top(t, origin, first, side, top, visit, user);
    }
  }
}

static void visit_parts(const void *tables, uint64_t parts, game_bitboards_visit *visit, void *user) {
  const phb_tables *t = tables;
  bool wanted[PHB_TOPS] = {false};
  for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * t->fineness; tops++)
    wanted[tops] = parts >> t->part_of[tops] & 1;
  for (int i = 0; i < t->origins; i++) {
    if (t->origin[i].live) phb_visit_tops(t, &t->origin[i], t->origin[i].first, wanted, visit, user);
  }
}

/* --- plans --- */

void phb_count_units(void *user, uint64_t first, uint64_t blocks) {
  phb_unit_count *count = user;
  const uint64_t from = first / count->unit, end = (first + blocks - 1) / count->unit + 1;
  const uint64_t next = from > count->seen ? from : count->seen;
  if (end <= next) return;
  count->units += end - next;
  count->seen = end;
}

/* Cuts a slice for one process. Returns false if it cannot be cut so finely. Boards that are swept cell by
 * cell cannot be cut, since a word has sets of different sides. */
static bool plan_parts(const game_rules *rules, uint32_t slice, uint32_t fineness, game_bitboards_cut *cut) {
  phb_tables t;
  phb_bits_measure(rules, slice, &t);
  if (t.board.low_bits == 0 || fineness > PHB_FINEST || (int)fineness >= t.board.side_bits) return false;
  *cut = (game_bitboards_cut){.fineness = fineness, .ranks = 1, .parts = phb_list_parts(&t, fineness)};
  cut->groups = cut->parts * (2 * (uint32_t)(t.board.side_bits - t.fineness) + 1);
  for (uint32_t part = 0; part < cut->parts; part++) {
    phb_unit_count count = {bitboards_unit(t.words), 0, 0};
    visit_parts(&t, UINT64_C(1) << part, phb_count_units, &count);
    if (count.units > cut->part_units) cut->part_units = count.units;
  }
  return true;
}

static void write_code(const void *tables, const game_bitboards_state *state, uint64_t word, uint64_t cells,
                       uint8_t code) {
  (void)tables;
  phb_keep_codes(state, word, cells, code);
}

const game_bitboards_parts phb_bits_parts = {.plan = plan_parts,
                                             .deal = phb_bits_deal,
                                             .order = phb_bits_order,
                                             .part_of = part_of,
                                             .visit = visit_parts,
                                             .visit_read = phb_visit_read,
                                             .keep_code = write_code};
