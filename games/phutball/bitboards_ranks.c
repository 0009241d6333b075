/* Assigns the parts of a wave to ranks: finds the parts that read each other, their steps, and the words that
 * each rank stores. */
#include <string.h>

#include "games/phutball/bitboards.h"

/* Returns the place of `bit` among the top bits of both sides, as a bit, or 0 if it is none of them. */
static uint64_t find_top_bit(const phb_tables *t, int bit) {
  const phb_board *board = &t->board;
  const int rest = board->side_bits - t->fineness, left = bit - board->low_bits - board->middle_bits;
  const int right = left - board->side_bits;
  if (left >= rest && left < board->side_bits) return UINT64_C(1) << (left - rest);
  return right >= rest ? UINT64_C(1) << (right - rest + t->fineness) : 0;
}

static bool may_hold_ball(const phb_tables *t, int point) {
  const int row = point / t->board.columns;
  return row < t->board.rows - 1 && (row > 0 || !t->goal_line_stop);
}

static void add_reader(phb_tables *t, int origin, uint64_t taken, uint64_t vacant) {
  for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * t->fineness; tops++) {
    if (!(tops & vacant)) t->readers[origin][tops] |= UINT64_C(1) << t->part_of[tops | taken];
  }
}

/* Adds the parts that read the origin because of jumps to it from points of the ray, over all points between.
 * On the middle column both images of a set have the same readers, by mirrored rays. */
static void add_readers_by_ray(phb_tables *t, int origin, const phb_ray *ray) {
  const uint64_t own = find_top_bit(t, t->origin[origin].bit);
  uint64_t taken = 0;
  for (int i = 1; i < ray->used; i++) {
    taken |= find_top_bit(t, ray->bit[i - 1]);
    if (taken && may_hold_ball(t, ray->point[i]))
      add_reader(t, origin, taken, own | taken | find_top_bit(t, ray->bit[i]));
  }
}

/* Puts the readers of a part at least one step behind it. They have more men, so they come after it in the
 * list of parts. */
static void put_readers_behind(const phb_tables *t, uint64_t tops, uint8_t behind[PHB_PARTS]) {
  const uint8_t next = (uint8_t)(behind[t->part_of[tops]] + 1);
  for (int i = 0; i < t->origins; i++) {
    for (uint64_t rest = t->readers[i][tops]; rest; rest &= rest - 1) {
      uint8_t *reader = &behind[__builtin_ctzll(rest)];
      if (*reader < next) *reader = next;
    }
  }
}

uint32_t phb_find_readers(phb_tables *t, uint32_t parts, uint8_t behind[PHB_PARTS]) {
  uint32_t most = 0;
  memset(t->readers, 0, sizeof t->readers);
  memset(behind, 0, PHB_PARTS);
  for (int i = 0; i < t->origins; i++) {
    for (int ray = 0; ray < PHB_DIRECTIONS; ray++) add_readers_by_ray(t, i, &t->origin[i].rays[ray]);
  }
  for (uint32_t part = 0; part < parts; part++) {
    for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * t->fineness; tops++) {
      if (t->part_of[tops] == part) put_readers_behind(t, tops, behind);
    }
    if (behind[part] > most) most = behind[part];
  }
  return most ? most + PHB_SHARES_OF_STEPS : 1;
}

/* Computes the step from a share of all sets of this many bits: those with fewer men, and half of those with
 * as many. */
uint32_t phb_step_of(int bits, int men, uint32_t steps) {
  double sets = 1, fewer = 0, all = 1;
  if (steps == 1) return 0;
  for (int i = 0; i < men; i++) {
    fewer += sets;
    sets *= (double)(bits - i) / (i + 1);
  }
  for (int i = 0; i < bits; i++) all *= 2;
  return (uint32_t)((fewer + sets / 2) / all * PHB_SHARES_OF_STEPS);
}

static void visit_read_words(const phb_tables *t, uint64_t sides, bool second, uint64_t parts,
                             game_bitboards_visit *visit, void *user) {
  const phb_board *board = &t->board;
  const uint64_t high = sides << board->middle_bits;
  const int rest = board->side_bits - t->fineness;
  const uint64_t tops = phb_left_of(board, high) >> rest | phb_right_of(board, high) >> rest << t->fineness;
  for (int i = 0; i < t->origins; i++) {
    const phb_origin *origin = &t->origin[i];
    if (!(t->readers[i][tops] & parts) || (origin->paired && second)) continue;
    const int own = origin->bit - board->low_bits;
    if (origin->squeezed && high >> own & 1) continue;
    const uint64_t each = (uint64_t)t->bundle << board->middle_bits;
    if (origin->paired)
      visit(user, origin->spare + phb_pair_index(t, origin, high), each / 2);
    else
      visit(user, origin->spare + phb_high_index(t, origin, high) * (uint64_t)t->bundle, each);
  }
}

void phb_visit_read(const void *tables, uint64_t tile, uint64_t parts, game_bitboards_visit *visit,
                    void *user) {
  const phb_tables *t = tables;
  const int bits = t->board.side_bits;
  const uint64_t sides = t->sides[tile], image = sides >> bits | (sides & ((UINT64_C(1) << bits) - 1))
                                                                     << bits;
  visit_read_words(t, sides, false, parts, visit, user);
  if (image != sides) visit_read_words(t, image, true, parts, visit, user);
}

/* Lists parts in an order in which neighbours share pages, with the size of each. */
static void list_neighbours(const phb_tables *t, uint8_t list[BITBOARDS_PARTS],
                            uint64_t size[BITBOARDS_PARTS]) {
  const uint64_t all = UINT64_C(1) << t->fineness, pairs = (all + 1) / 2;
  uint32_t used = 0;
  for (uint64_t more = 0; more < pairs; more++) {
    for (uint64_t less = 0; less <= more; less++) {
      for (uint64_t odd = 0; odd < 4; odd++) {
        const uint64_t one = 2 * less + odd / 2, other = 2 * more + odd % 2;
        if (more == less && one > other) continue;
        list[used] = t->part_of[one | other << t->fineness];
        size[list[used++]] = one == other ? 1 : 2;
      }
    }
  }
}

/* Assigns parts to ranks: if `runs`, in runs of neighbours, otherwise the larger parts first, each to the
 * rank with the smallest load. Returns the largest load. */
static uint64_t assign_parts(const phb_tables *t, bool runs, game_bitboards_cut *cut) {
  uint64_t load[BITBOARDS_PARTS] = {0}, size[BITBOARDS_PARTS] = {0}, most = 0, done = 0;
  uint8_t list[BITBOARDS_PARTS] = {0};
  const uint64_t all = UINT64_C(1) << 2 * t->fineness;
  const uint32_t ranks = cut->ranks < cut->parts ? cut->ranks : cut->parts;
  list_neighbours(t, list, size);
  for (uint64_t large = 2; large > 0; large--) {
    for (uint32_t i = 0; i < cut->parts; i++) {
      uint64_t rank = (2 * done + size[list[i]]) * ranks / (2 * all);
      if (runs ? large == 1 : size[list[i]] != large) continue;
      for (uint32_t other = 0; other < ranks && !runs; other++) {
        if (other == 0 || load[other] < load[rank]) rank = other;
      }
      cut->owner[list[i]] = (uint16_t)rank;
      done += size[list[i]];
      load[rank] += size[list[i]];
      if (load[rank] > most) most = load[rank];
    }
  }
  return most;
}

static void count_units_of_rank(const phb_tables *t, uint32_t rank, game_bitboards_cut *cut) {
  const uint64_t all = UINT64_C(1) << 2 * t->fineness;
  phb_unit_count units = {bitboards_unit(t->words), 0, 0}, pages = {BITBOARDS_PAGE, 0, 0}, spare = pages;
  bool wanted[PHB_TOPS] = {false};
  uint64_t own = 0;
  for (uint32_t part = 0; part < cut->parts; part++) own |= (uint64_t)(cut->owner[part] == rank) << part;
  for (int i = 0; i < t->origins; i++) {
    const phb_origin *origin = &t->origin[i];
    for (uint64_t tops = 0; tops < all; tops++) wanted[tops] = own >> t->part_of[tops] & 1;
    if (origin->live) {
      phb_visit_tops(t, origin, origin->first, wanted, phb_count_units, &units);
      phb_visit_tops(t, origin, origin->first, wanted, phb_count_units, &pages);
    }
    for (uint64_t tops = 0; tops < all; tops++) wanted[tops] = wanted[tops] || t->readers[i][tops] & own;
    phb_visit_tops(t, origin, origin->spare, wanted, phb_count_units, &spare);
  }
  cut->rank_units += units.units;
  if (units.units > cut->part_units) cut->part_units = units.units;
  if (pages.units > cut->part_pages) cut->part_pages = pages.units;
  if (spare.units > cut->spare_pages) cut->spare_pages = spare.units;
}

/* Returns a bound on the bytes of spare words of a tile that others read, with a head for each run. */
static uint64_t count_read_bytes(const phb_tables *t) {
  const uint64_t words = (uint64_t)t->bundle << t->board.middle_bits;
  uint64_t bytes = 0;
  for (int i = 0; i < t->origins; i++) {
    bool read = false;
    for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * t->fineness; tops++) read = read || t->readers[i][tops];
    if (read) bytes += 2 * (words + 2) * sizeof(uint64_t);
  }
  return bytes;
}

/* Returns the number of pairs of sides that have these tops and words of an origin. For a paired origin a
 * pair and its mirror image count once. */
static uint64_t count_sides_of_tops(const phb_tables *t, const phb_origin *origin, uint64_t tops) {
  const int rest = t->board.side_bits - t->fineness;
  const int own = origin->bit - t->board.low_bits - t->board.middle_bits;
  const uint64_t sides = UINT64_C(1) << rest, left = tops & ((UINT64_C(1) << t->fineness) - 1);
  const uint64_t right = tops >> t->fineness;
  if (origin->paired) return left > right ? sides * sides : left == right ? sides * (sides + 1) / 2 : 0;
  if (!origin->squeezed || own < 0) return sides * sides;
  if (own >= rest) return left >> (own - rest) & 1 ? 0 : sides * sides;
  return sides * sides / 2;
}

/* Returns the bytes that phb_visit_read lists for all tiles and ranks, with a head for each run. */
static uint64_t count_sent_bytes(const phb_tables *t, const game_bitboards_cut *cut) {
  const uint64_t words = (uint64_t)t->bundle << t->board.middle_bits;
  uint64_t bytes = 0;
  for (int i = 0; i < t->origins; i++) {
    const phb_origin *origin = &t->origin[i];
    const uint64_t each = ((origin->paired ? words / 2 : words) + 2) * sizeof(uint64_t);
    for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * t->fineness; tops++) {
      uint64_t ranks = 0;
      for (uint64_t rest = t->readers[i][tops]; rest; rest &= rest - 1)
        ranks |= UINT64_C(1) << cut->owner[__builtin_ctzll(rest)];
      ranks &= ~(UINT64_C(1) << cut->owner[t->part_of[tops]]);
      bytes += (uint64_t)__builtin_popcountll(ranks) * count_sides_of_tops(t, origin, tops) * each;
    }
  }
  return bytes;
}

bool phb_bits_deal(const game_rules *rules, uint32_t slice, uint32_t ranks, game_bitboards_cut *cut) {
  phb_tables t;
  uint8_t behind[PHB_PARTS];
  phb_bits_measure(rules, slice, &t);
  if (t.board.low_bits == 0 || t.board.side_bits < 2) return false;
  for (int bits = 1; bits <= PHB_FINEST_SHARED && bits < t.board.side_bits; bits++) {
    *cut = (game_bitboards_cut){.fineness = (uint32_t)bits, .ranks = ranks};
    cut->parts = phb_list_parts(&t, cut->fineness);
    const uint64_t fair = (UINT64_C(9) << 2 * bits) / (8 * (uint64_t)ranks);
    if (assign_parts(&t, true, cut) <= fair || assign_parts(&t, false, cut) <= fair) break;
  }
  cut->steps = phb_find_readers(&t, cut->parts, behind);
  cut->groups = cut->steps * (2 * (uint32_t)t.board.side_bits + 1);
  cut->read_bytes = count_read_bytes(&t);
  cut->sent_bytes = count_sent_bytes(&t, cut);
  for (uint32_t rank = 0; rank < ranks && rank < cut->parts; rank++) count_units_of_rank(&t, rank, cut);
  return true;
}
