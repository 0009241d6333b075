/* The rules and numbers of aualé: the readable rules against the slow definition (tests/naive), batches
 * against the readable rules, predecessors against successors, and indexes against counting. */
#include "games/auale/position.h"
#include "games/registry.h"
#include "indexers/row_pair.h"
#include "tests/naive/naive_auale.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_batches.h"

enum { RULES = 3, NAIVE_SEEDS = 6, BATCH_SEEDS = 7 };

static const char *const names[RULES] = {"awari", "awari,grand-slam=captures", "abapa"};
static const auale_grand_slam slams[RULES] = {GRAND_SLAM_ILLEGAL, GRAND_SLAM_CAPTURES, GRAND_SLAM_KEEPS};
static const naive_rules naive[RULES] = {NAIVE_AWARI, NAIVE_AWARI_CAPTURES, NAIVE_ABAPA};

static const game *auale;
static game_rules *rules[RULES];

static void open_all(void) {
  auale = game_find("auale");
  for (int r = 0; r < RULES; r++) MUST(auale->open(names[r], NULL, &rules[r], NULL));
}

static uint64_t state = 88172645463325252u;

/* --- rules --- */

static void expect_same_moves(int r, const naive_board *from) {
  auale_board board;
  memcpy(board.pits, from->pit, AUALE_PITS);
  naive_move moves[6];
  const int n = naive_moves(naive[r], from, moves);
  unsigned legal = 0;
  for (int m = 0; m < n; m++) {
    auale_board child;
    legal |= 1u << moves[m].pit;
    const int captured = auale_play(slams[r], &board, moves[m].pit, &child);
    if (captured != moves[m].captured || memcmp(child.pits, moves[m].child.pit, AUALE_PITS) != 0)
      ck_abort_msg("pit %d is played otherwise", moves[m].pit);
  }
  if (auale_legal_pits(slams[r], &board) != legal) ck_abort_msg("other moves are legal");
  int net;
  if (naive_ended(naive[r], from, &net) != (legal == 0)) ck_abort_msg("the end is another");
  if (legal == 0 && auale_end_value(&board) != net) ck_abort_msg("the end is worth another number");
}

CASE(rules_agree_with_the_slow_definition) {
  naive_game *game = naive_game_new(naive[_i], NAIVE_SEEDS);
  for (int seeds = 0; seeds <= NAIVE_SEEDS; seeds++)
    for (int rank = 0; rank < game->layers[seeds].count; rank++)
      expect_same_moves(_i, &game->layers[seeds].boards[rank]);
}

/* Any board with that many seeds, mostly with a few large pits. */
static naive_board any_board(int seeds) {
  naive_board board = {{0}};
  const uint64_t pits = 1 + draw_below(&state, 12);
  for (int i = 0; i < seeds; i++) board.pit[(draw_below(&state, pits) * 5 + draw_below(&state, 2)) % 12]++;
  return board;
}

CASE(rules_agree_on_many_seeds) {
  for (int i = 0; i < SOME(20000, 100000); i++) {
    const naive_board board = any_board(7 + (int)draw_below(&state, 42));
    expect_same_moves(_i, &board);
  }
}

static auale_board board_of(const char *text) {
  auale_board board;
  for (int pit = 0; pit < AUALE_PITS; pit++) board.pits[pit] = (uint8_t)strtol(text, (char **)&text, 10);
  return board;
}

/* See test_naive.c. */
CASE(moves_are_those_by_hand) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("auale-moves.csv"); oracle_next(file, &row); rows++) {
    int r = 0;
    while (strcmp(names[r], row.cell[0]) != 0) ck_assert_int_lt(++r, RULES);
    const auale_board board = board_of(row.cell[1]);
    const unsigned legal = auale_legal_pits(slams[r], &board);
    if (strcmp(row.cell[2], "ended") == 0) {
      EXPECT(!legal && auale_end_value(&board) == atoi(row.cell[3]), "%s: %s", names[r], row.cell[1]);
    } else if (strcmp(row.cell[2], "legal") == 0) {
      unsigned expected = 0;
      for (const char *pit = row.cell[4]; *pit; pit++) expected |= 1u << (*pit - '0');
      EXPECT(legal == expected, "%s: %s", names[r], row.cell[1]);
    } else {
      const auale_board expected = board_of(row.cell[4]);
      auale_board child;
      const int captured = auale_play(slams[r], &board, atoi(row.cell[2]), &child);
      EXPECT(captured == atoi(row.cell[3]), "%s: %s", names[r], row.cell[1]);
      ck_assert_mem_eq(&child, &expected, sizeof child);
    }
  }
  ck_assert_int_eq(rows, 54);
}

static uint64_t lines(int r, const game_position *position, int plies) {
  game_moves moves = {0};
  MUST(auale->moves(rules[r], position, &moves));
  uint64_t n = plies == 1 ? moves.used : 0;
  for (size_t m = 0; plies > 1 && m < moves.used; m++) n += lines(r, &moves.moves[m].child, plies - 1);
  game_moves_free(&moves);
  return n;
}

CASE(lines_of_play_from_the_start) {
  static const uint64_t expected[] = {6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872};
  game_position start;
  MUST(auale->parse(rules[_i], "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", &start, NULL));
  for (int plies = 1; plies <= SOME(8, 9); plies++)
    ck_assert_uint_eq(lines(_i, &start, plies), expected[plies - 1]);
}

/* --- batches --- */

static toy_edges found, wanted; /* kept from call to call of a test */

static void drop_edges(void) {
  found = wanted = (toy_edges){0};
}

static auale_board board_at(uint32_t seeds, uint64_t index) {
  auale_board board = {{0}};
  row_pair_unrank(seeds, index, board.pits + ROW_PITS, board.pits);
  return board;
}

static void expand_board(int r, auale_board board, uint32_t from) {
  const unsigned legal = auale_legal_pits(slams[r], &board);
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (!(legal >> pit & 1)) continue;
    auale_board child;
    const int captured = auale_play(slams[r], &board, pit, &child);
    const game_edge edge = {
        from, (int16_t)captured, {auale_seeds(&child), row_pair_rank(child.pits + ROW_PITS, child.pits)}};
    toy_edges_add(&wanted, &edge, 1);
  }
}

static void expect_wanted(uint32_t seeds) {
  const size_t other = toy_edges_differ(&found, &wanted);
  if (other != SIZE_MAX) ck_abort_msg("edge %zu of %u seeds differs", other, seeds);
}

static void expect_expanded(int r, uint32_t seeds, const uint64_t *index, size_t n) {
  int16_t ended[512];
  wanted.used = 0;
  for (size_t i = 0; i < n; i++) expand_board(r, board_at(seeds, index[i]), (uint32_t)i);
  toy_edges_of(auale->expand, rules[r], seeds, index, n, &found);
  expect_wanted(seeds);
  MUST(auale->ended(rules[r], seeds, index, n, ended));
  for (size_t i = 0; i < n; i++) {
    const auale_board board = board_at(seeds, index[i]);
    const int expected = auale_legal_pits(slams[r], &board) ? GAME_NOT_ENDED : auale_end_value(&board);
    if (ended[i] != expected) ck_abort_msg("board %llu of %u seeds", (unsigned long long)index[i], seeds);
  }
}

enum { PIECE = 500 };

/* Every board, step by step; `gap` more than one leaves boards out, 0 goes backwards. */
static void expect_slice_expanded(int r, uint32_t seeds, uint64_t gap) {
  const uint64_t boards = row_pair_count(seeds);
  uint64_t index[PIECE];
  for (uint64_t first = 0; first < boards;) {
    size_t n = 0;
    for (; n < PIECE && first < boards; first += gap ? gap : 1) index[n++] = gap ? first : boards - 1 - first;
    expect_expanded(r, seeds, index, n);
  }
}

CASE(expand_is_by_the_rules) {
  for (uint32_t seeds = 0; seeds <= BATCH_SEEDS; seeds++) {
    for (uint64_t gap = 0; gap <= 13; gap += gap < 3 ? 1 : 5) expect_slice_expanded(_i, seeds, gap);
  }
}

/* Runs of boards that start anywhere, some with gaps; all sizes up to 48 seeds. */
CASE(expand_is_by_the_rules_for_many_seeds) {
  for (int i = 0; i < 400; i++) {
    const uint32_t seeds = i % 4 ? 48 : 8 + (uint32_t)draw_below(&state, 40);
    const uint64_t boards = row_pair_count(seeds), gap = 1 + draw_below(&state, i % 3 ? 2 : 20);
    uint64_t index[PIECE], at = draw_below(&state, boards - PIECE * gap);
    for (size_t n = 0; n < PIECE; n++, at += gap) index[n] = i % 5 ? at : draw_below(&state, boards);
    expect_expanded(_i, seeds, index, PIECE);
  }
}

static tauler_error collect(void *user, const game_edge *edges, size_t n) {
  toy_edges_add(&found, edges, n);
  return TAULER_OK;
}

/* Boards that no move leads to, in pieces of any size, against the readable rules. */
static void expect_outside_expanded(int r, uint32_t seeds, uint64_t first, size_t n) {
  game_edge room[7];
  game_sink sink = {room, 0, 7, collect, NULL};
  wanted.used = found.used = 0;
  for (size_t i = 0; i < n; i++) {
    game_position position;
    auale->outside_at(rules[r], seeds, first + i, &position);
    const auale_position at = auale_from_game(&position);
    expand_board(r, auale_board_of(&at), (uint32_t)i);
  }
  MUST(auale->expand_outside(rules[r], seeds, first, n, &sink));
  MUST(game_sink_flush(&sink));
  expect_wanted(seeds);
}

CASE(boards_outside_are_expanded_by_the_rules) {
  for (uint32_t seeds = ROW_PITS; seeds <= 12; seeds++) {
    const uint64_t boards = auale->outside(rules[_i], seeds);
    size_t n = 0;
    for (uint64_t first = 0; first < boards; first += n) {
      n = 1 + (size_t)draw_below(&state, PIECE);
      if (n > boards - first) n = (size_t)(boards - first);
      expect_outside_expanded(_i, seeds, first, n);
    }
  }
  for (int i = 0; i < 100; i++)
    expect_outside_expanded(_i, 48, draw_below(&state, auale->outside(rules[_i], 48) - PIECE), PIECE);
}

CASE(retract_is_expand_turned_round) {
  for (uint32_t seeds = 0; seeds <= BATCH_SEEDS; seeds++) toy_turned_round(auale, rules[_i], seeds);
}

CASE(retract_is_expand_turned_round_for_many_seeds) {
  toy_edges lists[2] = {{0}, {0}};
  for (int i = 0; i < 10000; i++) {
    const uint32_t seeds = i % 2 ? 48 : 8 + (uint32_t)draw_below(&state, 40);
    /* from a board of few pits half of the time: laps, empty rows */
    const naive_board few = any_board((int)seeds);
    uint64_t index = draw_below(&state, row_pair_count(seeds));
    if (i % 4 < 2 && row_is_open(few.pit + ROW_PITS)) index = row_pair_rank(few.pit + ROW_PITS, few.pit);
    toy_turned_round_at(auale, rules[_i], (game_place){seeds, index}, SIZE_MAX, lists);
  }
}

/* --- numbers --- */

CASE(binomials) {
  for (unsigned n = 0; n < 140; n++) {
    for (unsigned k = 0; k <= 7; k++) {
      const uint64_t expected = k == 0 ? 1 : n == 0 ? 0 : binomial(n - 1, k - 1) + binomial(n - 1, k);
      ck_assert_uint_eq(binomial(n, k), expected);
    }
  }
}

/* The rows in lexicographic order, found by counting through all. */
CASE(rows_are_numbered_in_order) {
  for (unsigned seeds = 0; seeds <= 9; seeds++) {
    uint8_t row[ROW_PITS] = {0}, again[ROW_PITS], next[ROW_PITS];
    uint64_t rank = 0, open = 0;
    open_row_unrank(seeds, 0, next);
    for (bool more = true; more;) {
      if (row_seeds(row) == seeds) {
        ck_assert_uint_eq(row_rank(row), rank);
        row_unrank(seeds, rank++, again);
        ck_assert_mem_eq(row, again, ROW_PITS);
      }
      if (row_seeds(row) == seeds && row_is_open(row)) {
        ck_assert_uint_eq(open_row_rank(row), open);
        open_row_unrank(seeds, open++, again);
        ck_assert_mem_eq(row, again, ROW_PITS);
        ck_assert_mem_eq(row, next, ROW_PITS);
        ck_assert_int_eq(open_row_next(next), open < open_row_count(seeds));
      }
      int pit = ROW_PITS - 1;
      while (pit >= 0 && row[pit] == seeds) row[pit--] = 0;
      more = pit >= 0;
      if (more) row[pit]++;
    }
    ck_assert_uint_eq(rank, row_count(seeds));
    ck_assert_uint_eq(open, open_row_count(seeds));
  }
}

static void expect_bijection(unsigned seeds, uint64_t index) {
  uint8_t open[ROW_PITS], own[ROW_PITS];
  row_pair_unrank(seeds, index, open, own);
  ck_assert_uint_eq(row_seeds(open) + row_seeds(own), seeds);
  ck_assert(row_is_open(open));
  ck_assert_uint_eq(row_pair_rank(open, own), index);
}

CASE(boards_have_one_index_each) {
  for (unsigned seeds = 0; seeds <= BATCH_SEEDS; seeds++) {
    for (uint64_t index = 0; index < row_pair_count(seeds); index++) expect_bijection(seeds, index);
  }
  for (int i = 0; i < 200000; i++) expect_bijection(48, draw_below(&state, row_pair_count(48)));
  expect_bijection(48, row_pair_count(48) - 1);
}

/* Rows may hold more seeds than a board has. */
CASE(rows_of_many_seeds) {
  for (int i = 0; i < SOME(20000, 100000); i++) {
    const unsigned seeds = 10 + (unsigned)draw_below(&state, ROW_MAX_SEEDS - 9);
    uint8_t row[ROW_PITS];
    uint64_t rank = draw_below(&state, row_count(seeds));
    row_unrank(seeds, rank, row);
    ck_assert_uint_eq(row_rank(row), rank);
    rank = draw_below(&state, open_row_count(seeds));
    open_row_unrank(seeds, rank, row);
    ck_assert_uint_eq(open_row_rank(row), rank);
    if (open_row_next(row)) ck_assert_uint_eq(open_row_rank(row), rank + 1);
  }
}

CASE(slices_have_their_published_sizes) {
  uint64_t all = 1; /* the start */
  for (unsigned seeds = 0; seeds <= 48; seeds++) {
    row_pair_groups groups;
    row_pair_lay_out(seeds, &groups);
    for (unsigned k = 0; k <= seeds + 1; k++) ck_assert_uint_eq(groups.first[k], row_pair_group(seeds, k));
    ck_assert_uint_eq(groups.first[seeds + 1], row_pair_count(seeds));
    ck_assert_uint_eq(row_pair_count(seeds), binomial(seeds + 11, 11) - binomial(seeds + 5, 11));
    ck_assert_uint_eq(auale->positions(rules[0], seeds), row_pair_count(seeds));
    if (seeds != 47) all += row_pair_count(seeds);
  }
  ck_assert_uint_eq(all, UINT64_C(889063398406));
}

/* --- classes --- */

/* The pits of the other side in which sowings of less than a lap capture, by the rules, and the most pits
 * that one of them empties. */
static unsigned captures_of(const auale_board *board, int *most) {
  unsigned found = 0;
  *most = 0;
  for (int pit = 0; pit < ROW_PITS; pit++) {
    auale_board child;
    const int end = pit + board->pits[pit];
    if (board->pits[pit] == 0 || end >= AUALE_PITS) continue;
    if (!auale_play(GRAND_SLAM_CAPTURES, board, pit, &child)) continue;
    int emptied = 0;
    while (emptied <= end - ROW_PITS && child.pits[end - ROW_PITS - emptied] == 0) emptied++;
    *most = emptied > *most ? emptied : *most;
    found |= 1u << (end - ROW_PITS);
  }
  return found;
}

static uint8_t class_by_the_rules(unsigned seeds, uint64_t index) {
  auale_board board = {0}, turned = {0};
  row_pair_unrank(seeds, index, board.pits + ROW_PITS, board.pits);
  row_pair_unrank(seeds, index, turned.pits, turned.pits + ROW_PITS);
  if (auale_is_left_out(seeds, row_seeds(board.pits))) return 0;
  int pits, own_pits;
  const unsigned threats = captures_of(&turned, &pits), captures = captures_of(&board, &own_pits);
  return (uint8_t)(threats | (captures ? 0x80 : 0) | (own_pits > 1 ? 0x40 : 0));
}

static void expect_classes(const void *opened, unsigned seeds, uint64_t first, size_t count) {
  uint8_t *found = suite_zeros(count, 1);
  auale->classes->find(opened, first, count, found);
  for (size_t i = 0; i < count; i++)
    EXPECT(found[i] == class_by_the_rules(seeds, first + i), "%u seeds: board %llu is in class %d", seeds,
           (unsigned long long)(first + i), found[i]);
}

CASE(classes_are_by_the_rules) {
  enum { ALL_SEEDS = 9, PIECES = 60, PIECE = 700 };
  for (unsigned seeds = 0; seeds <= AUALE_MAX_SEEDS; seeds += seeds < ALL_SEEDS ? 1 : 13) {
    void *opened = auale->classes->open(rules[0], seeds);
    const uint64_t boards = row_pair_count(seeds);
    ck_assert_ptr_nonnull(opened);
    if (seeds <= ALL_SEEDS) expect_classes(opened, seeds, 0, boards);
    for (int i = 0; i < PIECES; i++) {
      const uint64_t first = i == 0 ? boards - 1 : draw_below(&state, boards);
      const size_t n = 1 + (size_t)draw_below(&state, PIECE);
      expect_classes(opened, seeds, first, boards - first < n ? (size_t)(boards - first) : n);
    }
    auale->classes->close(opened);
  }
}

CASE(classes_are_used_from_13_seeds_on) {
  for (uint32_t seeds = 0; seeds <= AUALE_MAX_SEEDS; seeds++)
    ck_assert(auale->classes->are_used(rules[0], seeds) == (seeds >= 13));
}

SUITE("auale_rules") {
  FIXTURE_ONCE(open_all, NULL);
  FIXTURE(drop_edges, NULL);
  LOOP(rules_agree_with_the_slow_definition, RULES);
  LOOP(rules_agree_on_many_seeds, RULES);
  TEST(moves_are_those_by_hand);
  LOOP(lines_of_play_from_the_start, RULES);
  LOOP(expand_is_by_the_rules, RULES);
  LOOP(expand_is_by_the_rules_for_many_seeds, RULES);
  LOOP(boards_outside_are_expanded_by_the_rules, RULES);
  LOOP(retract_is_expand_turned_round, RULES);
  LOOP(retract_is_expand_turned_round_for_many_seeds, RULES);
  TESTS(binomials, rows_are_numbered_in_order, rows_of_many_seeds, boards_have_one_index_each,
        slices_have_their_published_sizes, classes_are_by_the_rules, classes_are_used_from_13_seeds_on);
}
