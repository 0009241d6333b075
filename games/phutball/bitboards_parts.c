/* Orders the tiles of a wave, and cuts it into parts by the top bits of both sides. */
#include "games/phutball/bitboards.h"

/* Tops of the left and the right side, the greater first. */
typedef struct {
  uint64_t more, less;
} part_tops;

/* Those with fewer men come first. Returns how many there are. */
static uint32_t list_parts(uint32_t fineness, part_tops parts[PHB_PARTS]) {
  const uint64_t tops = UINT64_C(1) << fineness;
  uint32_t used = 0;
  for (int men = 0; men <= 2 * (int)fineness; men++) {
    for (uint64_t more = 0; more < tops; more++) {
      for (uint64_t less = 0; less <= more; less++) {
        if (__builtin_popcountll(more) + __builtin_popcountll(less) == men)
          parts[used++] = (part_tops){more, less};
      }
    }
  }
  return used;
}

/* Of the tile of two sides: part after part, tiles with fewer men on the other bits first. */
static uint32_t group_of(const phb_tables *t, const part_tops *parts, uint64_t left, uint64_t right) {
  const int rest = t->board.side_bits - t->fineness;
  const uint64_t below = (UINT64_C(1) << rest) - 1;
  const int men = __builtin_popcountll(left & below) + __builtin_popcountll(right & below);
  uint32_t part = 0;
  while (parts[part].more != left >> rest || parts[part].less != right >> rest) part++;
  return part * (2 * (uint32_t)rest + 1) + (uint32_t)men;
}

/* Of two mirror images the one with no more on the right. */
void phb_words_order(void *tables, uint32_t fineness) {
  phb_tables *t = tables;
  const int bits = t->board.side_bits;
  part_tops parts[PHB_PARTS] = {{0}};
  t->fineness = (int)fineness;
  const uint32_t groups = list_parts(fineness, parts) * (2 * (uint32_t)(bits - t->fineness) + 1);
  uint64_t next[PHB_PARTS * (2 * PHB_SIDE_BITS + 1) + 1] = {0};
  for (uint64_t left = 0; left < UINT64_C(1) << bits; left++) {
    for (uint64_t right = 0; right <= left; right++) next[group_of(t, parts, left, right) + 1]++;
  }
  for (uint32_t group = 0; group < groups; group++) {
    next[group + 1] += next[group];
    t->group_end[group] = next[group + 1];
  }
  for (uint64_t left = 0; left < UINT64_C(1) << bits; left++) {
    for (uint64_t right = 0; right <= left; right++)
      t->sides[next[group_of(t, parts, left, right)]++] = right << bits | left;
  }
}

/* --- what a part writes --- */

/* Cells of a ball off the middle column with one right side and all left sides of a top. */
static void visit_left_sides(const phb_tables *t, const phb_hand *hand, uint64_t right, uint64_t top,
                             game_bitboards_visit *visit, void *user) {
  const phb_board *board = &t->board;
  const int rest = board->side_bits - t->fineness;
  const int own = hand->bit - board->low_bits, own_left = own - board->middle_bits;
  if (own_left >= rest && top >> (own_left - rest) & 1) return;
  const uint64_t high = phb_join(board, 0, top << rest, right);
  const uint64_t sides = UINT64_C(1) << (own_left < rest ? rest - 1 : rest);
  const uint64_t each = (uint64_t)t->bundle << board->middle_bits;
  visit(user, hand->first + phb_squeeze(high, own) * (uint64_t)t->bundle, sides * each);
}

static void visit_hand(const phb_tables *t, const phb_hand *hand, uint64_t top, uint64_t left_top,
                       game_bitboards_visit *visit, void *user) {
  const uint64_t each = UINT64_C(1) << (t->board.side_bits - t->fineness);
  for (uint64_t right = top * each; right < (top + 1) * each; right++)
    visit_left_sides(t, hand, right, left_top, visit, user);
}

/* Cells of a ball on the middle column: pairs of sides, the greater one left. */
static void visit_pairs(const phb_tables *t, const phb_hand *hand, part_tops tops,
                        game_bitboards_visit *visit, void *user) {
  const phb_board *board = &t->board;
  const uint64_t each = UINT64_C(1) << (board->side_bits - t->fineness), right = tops.less * each;
  for (uint64_t left = tops.more * each; left < (tops.more + 1) * each; left++) {
    const uint64_t rights = tops.more == tops.less ? left - right + 1 : each;
    visit(user, hand->first + (phb_pair_of(left, right) << (board->middle_bits - 1)),
          rights << (board->middle_bits - 1));
  }
}

static void visit_part(const phb_tables *t, part_tops tops, game_bitboards_visit *visit, void *user) {
  for (int i = 0; i < t->hands; i++) {
    const phb_hand *hand = &t->hand[i];
    if (!hand->live) continue;
    if (hand->paired) {
      visit_pairs(t, hand, tops, visit, user);
      continue;
    }
    visit_hand(t, hand, tops.less, tops.more, visit, user);
    if (tops.less != tops.more) visit_hand(t, hand, tops.more, tops.less, visit, user);
  }
}

static void visit(const void *tables, uint32_t part, game_bitboards_visit *visit, void *user) {
  const phb_tables *t = tables;
  part_tops parts[PHB_PARTS] = {{0}};
  list_parts((uint32_t)t->fineness, parts);
  visit_part(t, parts[part], visit, user);
}

/* --- plans --- */

typedef struct {
  uint64_t unit;        /* blocks */
  uint64_t units, seen; /* units below `seen` are counted, or left behind */
} unit_count;

static void count_units(void *user, uint64_t first, uint64_t blocks) {
  unit_count *count = user;
  const uint64_t from = first / count->unit, end = (first + blocks - 1) / count->unit + 1;
  const uint64_t next = from > count->seen ? from : count->seen;
  if (end <= next) return;
  count->units += end - next;
  count->seen = end;
}

/* Balls of the smallest boards meet in a word. */
static bool plan(const game_rules *rules, uint32_t slice, uint32_t fineness, game_bitboards_cut *cut) {
  phb_tables t;
  part_tops parts[PHB_PARTS] = {{0}};
  phb_words_measure(rules, slice, &t);
  if (t.board.low_bits == 0 || fineness > PHB_FINEST || (int)fineness >= t.board.side_bits) return false;
  t.fineness = (int)fineness;
  *cut = (game_bitboards_cut){.parts = list_parts(fineness, parts)};
  cut->groups = cut->parts * (2 * (uint32_t)(t.board.side_bits - t.fineness) + 1);
  for (uint32_t part = 0; part < cut->parts; part++) {
    unit_count count = {bitboards_unit(t.words), 0, 0};
    visit_part(&t, parts[part], count_units, &count);
    if (count.units > cut->part_units) cut->part_units = count.units;
  }
  return true;
}

const game_bitboards_parts phb_words_parts = {
    .plan = plan, .order = phb_words_order, .visit = visit, .keep_code = phb_keep_codes};
