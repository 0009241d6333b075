/* Numbers of distinct pieces on a board up to the mirror: against plain loops over all placements of small
 * boards, and on the real board against counting and drawn placements. */
#include "indexers/placement.h"
#include "tests/support/suite.h"

typedef struct {
  int files, ranks, pieces;
  uint64_t squares[PLACEMENT_PIECES];
} board;

static uint64_t all_of(int files, int ranks) {
  return (UINT64_C(1) << files * ranks) - 1;
}

static uint64_t without_middle_of(int files, int rank) {
  return ~(UINT64_C(1) << (rank * files + files / 2));
}

static uint64_t state = 88172645463325252u;

/* --- small boards, all of them --- */

enum { BOARDS = 12 };

static void small_board(int i, board *out) {
  static const int8_t files[BOARDS] = {3, 3, 3, 3, 5, 5, 5, 5, 1, 7, 5, 3};
  static const int8_t ranks[BOARDS] = {3, 3, 3, 3, 4, 4, 4, 3, 6, 3, 3, 4};
  static const int8_t pieces[BOARDS] = {2, 3, 4, 3, 2, 3, 3, 4, 3, 3, 4, 5};
  *out = (board){files[i], ranks[i], pieces[i], {0}};
  const uint64_t all = all_of(files[i], ranks[i]);
  const uint64_t rim = all & without_middle_of(files[i], 0) & without_middle_of(files[i], ranks[i] - 1);
  /* From the board's own sets: all alike, nested, and first pieces that never stand on the middle file. */
  for (int p = 0; p < out->pieces; p++) out->squares[p] = all;
  if (i == 3 || i == 5 || i == 8) out->squares[0] = rim;
  if (i == 6 || i == 10) {
    out->squares[0] = rim & ~(UINT64_C(0x1F) << files[i]);
    out->squares[1] = rim;
  }
  if (i == 9) {
    for (int rank = 0; rank < ranks[i]; rank++) out->squares[0] &= without_middle_of(files[i], rank);
  }
}

/* Follows the definition of the header, square by square. */
static bool naive_canonical(const board *b, const uint8_t square[]) {
  const int middle = b->files / 2, first = square[0] % b->files, second = square[1] % b->files;
  return first < middle || (first == middle && second <= middle);
}

static bool naive_odd(const board *b, const uint8_t square[]) {
  int sum = 0;
  for (int i = 0; i < b->pieces; i++) sum += square[i] / b->files + square[i] % b->files;
  return sum % 2 == 1;
}

/* Whether placement a comes before b: first the first piece off the middle, then piece by piece, the last by
 * the parity of the sum. */
static bool naive_before(const board *bd, const uint8_t a[], const uint8_t b[]) {
  const int middle = bd->files / 2;
  const bool a_middle = a[0] % bd->files == middle, b_middle = b[0] % bd->files == middle;
  if (a_middle != b_middle) return b_middle;
  for (int i = 0; i < bd->pieces - 1; i++) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  const bool a_odd = naive_odd(bd, a), b_odd = naive_odd(bd, b);
  if (a_odd != b_odd) return a_odd;
  return a[bd->pieces - 1] < b[bd->pieces - 1];
}

static bool next_placement(const board *b, uint8_t square[]) {
  for (;;) {
    int i = 0;
    while (i < b->pieces && ++square[i] == b->files * b->ranks) square[i++] = 0;
    if (i == b->pieces) return false;
    bool stands = true;
    for (int p = 0; p < b->pieces; p++) {
      stands &= b->squares[p] >> square[p] & 1;
      for (int q = 0; q < p; q++) stands &= square[p] != square[q];
    }
    if (stands) return true;
  }
}

CASE(test_small_boards) {
  board b;
  small_board(_i, &b);
  placement_index index;
  HOLDS(placement_open(&index, b.files, b.pieces, b.squares));
  const uint64_t count = placement_count(&index);
  uint8_t *seen = suite_zeros(count, 1);
  uint64_t placements = 0, canonical = 0;
  uint8_t square[PLACEMENT_PIECES] = {0};
  while (next_placement(&b, square)) {
    uint8_t mirrored[PLACEMENT_PIECES] = {0}, back[PLACEMENT_PIECES];
    for (int p = 0; p < b.pieces; p++) {
      mirrored[p] = (uint8_t)placement_mirror(b.files, square[p]);
      HOLDS(mirrored[p] / b.files == square[p] / b.files);
      HOLDS(mirrored[p] % b.files + square[p] % b.files == b.files - 1);
    }
    const uint64_t number = placement_rank(&index, square);
    HOLDS(number < count);
    placements++;
    HOLDS(placement_is_canonical(&index, square) == naive_canonical(&b, square));
    const bool both = naive_canonical(&b, square) && naive_canonical(&b, mirrored);
    HOLDS(placement_copies(&index, square) == (both ? 1 : 2));
    if (!both) HOLDS(placement_rank(&index, mirrored) == number);
    placement_unrank(&index, number, back);
    if (!naive_canonical(&b, square)) {
      HOLDS(memcmp(back, mirrored, (size_t)b.pieces) == 0);
      continue;
    }
    canonical++;
    HOLDS(memcmp(back, square, (size_t)b.pieces) == 0);
    HOLDS(!seen[number]);
    seen[number] = 1;
  }
  HOLDS(canonical == count);
  uint64_t copies = 0;
  uint8_t before[PLACEMENT_PIECES];
  for (uint64_t number = 0; number < count; number++) {
    placement_unrank(&index, number, square);
    copies += (uint64_t)placement_copies(&index, square);
    if (number > 0) HOLDS(naive_before(&b, before, square));
    memcpy(before, square, sizeof before);
  }
  HOLDS(copies == placements);
}

CASE(test_blocks_of_small_boards) {
  board b;
  small_board(_i, &b);
  placement_index index;
  HOLDS(placement_open(&index, b.files, b.pieces, b.squares));
  uint64_t number = 0;
  while (number < placement_count(&index)) {
    uint8_t square[PLACEMENT_PIECES], order[PLACEMENT_SQUARES], listed[PLACEMENT_PIECES];
    placement_unrank(&index, number, square);
    /* Where the last piece stands does not matter. */
    memcpy(listed, square, sizeof listed);
    listed[b.pieces - 1] = 0xFF;
    const placement_run run = placement_run_of(&index, listed);
    const size_t n = placement_order(run, order), odd = (size_t)__builtin_popcountll(run.odd);
    HOLDS(run.first == number);
    HOLDS(n > 0);
    HOLDS(__builtin_popcountll(run.odd | run.even) == (int)n);
    for (size_t i = 0; i < n; i++) {
      HOLDS(((i < odd ? run.odd : run.even) >> order[i]) & 1);
      placement_unrank(&index, number + i, square);
      const placement_run same = placement_unrank_block(&index, number + i, listed);
      HOLDS(same.first == run.first && same.odd == run.odd && same.even == run.even);
      listed[b.pieces - 1] = order[i];
      HOLDS(memcmp(square, listed, (size_t)b.pieces) == 0);
      HOLDS(naive_odd(&b, square) == (i < odd));
    }
    number += n;
    if (number == placement_count(&index)) break;
    placement_unrank(&index, number, square);
    HOLDS(memcmp(square, listed, (size_t)b.pieces - 1) != 0);
  }
  HOLDS(number == placement_count(&index));
}

/* --- the board of seven files and nine ranks --- */

static const uint64_t ALL = UINT64_C(0x7FFFFFFFFFFFFFFF);

/* Without the two dens, and without the lakes either. */
static uint64_t swims(void) {
  return ALL & without_middle_of(7, 0) & without_middle_of(7, 8);
}

static uint64_t walks(void) {
  return swims() & ~(UINT64_C(0x36) << 21 | UINT64_C(0x36) << 28 | UINT64_C(0x36) << 35);
}

static void open_big(placement_index *index, int walkers, int swimmers) {
  uint64_t squares[PLACEMENT_PIECES];
  for (int i = 0; i < walkers + swimmers; i++) squares[i] = i < walkers ? walks() : swims();
  ck_assert(placement_open(index, 7, walkers + swimmers, squares));
}

CASE(test_big_counts) {
  ck_assert_int_eq(__builtin_popcountll(walks()), 49);
  ck_assert_int_eq(__builtin_popcountll(swims()), 61);
  for (int walkers = 0; walkers <= 6; walkers++) {
    for (int swimmers = 0; walkers + swimmers <= 6; swimmers++) {
      const int pieces = walkers + swimmers;
      if (pieces < 2) continue;
      placement_index index;
      open_big(&index, walkers, swimmers);
      uint64_t all = 1;    /* placements */
      uint64_t behind = 1; /* placements of the third piece and later */
      for (int i = 0; i < pieces; i++) {
        all *= (uint64_t)((i < walkers ? 49 : 61) - i);
        if (i >= 2) behind *= (uint64_t)((i < walkers ? 49 : 61) - i);
      }
      /* Both on the middle file, whose seven squares that are no dens anybody may stand on, count once. */
      const uint64_t alone = 7 * 6 * behind;
      ck_assert_uint_eq(placement_count(&index), (all - alone) / 2 + alone);
    }
  }
  /* By hand: lion v rat, 21 squares of 49 left of the middle, 7 on it; 61 squares, 27 + 7 of them up to it.
   */
  placement_index two;
  open_big(&two, 1, 1);
  ck_assert_uint_eq(placement_count(&two), 21 * 60 + 7 * (27 + 7 - 1));
}

CASE(test_big_round_trips) {
  for (int walkers = 0; walkers <= 6; walkers++) {
    for (int swimmers = 0; walkers + swimmers <= 6; swimmers++) {
      const int pieces = walkers + swimmers;
      if (pieces < 2) continue;
      placement_index index;
      open_big(&index, walkers, swimmers);
      const board b = {7, 9, pieces, {0}};
      for (int i = 0; i < 4000; i++) {
        const uint64_t ends[4] = {0, index.first_in_middle - 1, index.first_in_middle, index.count - 1};
        const uint64_t number = i < 4 ? ends[i] : draw_below(&state, index.count);
        uint8_t square[PLACEMENT_PIECES], mirrored[PLACEMENT_PIECES] = {0}, next[PLACEMENT_PIECES];
        uint64_t taken = 0;
        placement_unrank(&index, number, square);
        for (int p = 0; p < pieces; p++) {
          HOLDS(index.squares[p] >> square[p] & 1);
          HOLDS(!(taken >> square[p] & 1));
          taken |= UINT64_C(1) << square[p];
          mirrored[p] = (uint8_t)placement_mirror(7, square[p]);
        }
        HOLDS(naive_canonical(&b, square));
        HOLDS(placement_rank(&index, square) == number);
        if (placement_copies(&index, square) == 2)
          HOLDS(placement_rank(&index, mirrored) == number);
        else
          HOLDS(naive_canonical(&b, mirrored));
        if (number + 1 == index.count) continue;
        placement_unrank(&index, number + 1, next);
        HOLDS(naive_before(&b, square, next));
      }
    }
  }
}

CASE(test_wrong_sets) {
  placement_index index;
  uint64_t squares[PLACEMENT_PIECES];
  for (int i = 0; i < PLACEMENT_PIECES; i++) squares[i] = swims();
  ck_assert(placement_open(&index, 7, PLACEMENT_PIECES, squares));
  ck_assert(!placement_open(&index, 7, 1, squares));
  ck_assert(!placement_open(&index, 7, PLACEMENT_PIECES + 1, squares));
  ck_assert(!placement_open(&index, 6, 2, squares));
  squares[1] = walks(); /* does not hold the first */
  ck_assert(!placement_open(&index, 7, 2, squares));
  squares[0] = walks() & ~UINT64_C(1); /* a1 without g1 */
  ck_assert(!placement_open(&index, 7, 2, squares));
  squares[0] = squares[1] = UINT64_C(1) << 10; /* no square for the second */
  ck_assert(!placement_open(&index, 7, 2, squares));
  squares[1] |= UINT64_C(1) << 17;
  ck_assert(placement_open(&index, 7, 2, squares));
  ck_assert_uint_eq(placement_count(&index), 1);
  squares[1] |= UINT64_C(1) << 63;
  ck_assert(!placement_open(&index, 7, 2, squares));
}

SUITE("placement") {
  LOOP(test_small_boards, BOARDS);
  LOOP(test_blocks_of_small_boards, BOARDS);
  TESTS(test_wrong_sets, test_big_counts, test_big_round_trips);
}
