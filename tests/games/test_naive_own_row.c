/* Holds the slow definition of the own-row rule against the published figures, and its bounds against its
 * exact values. */
#include "tests/naive/naive_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"

enum { MAX_SEEDS = 6, MAX_LINES = 3, MAX_SEARCHED = 5 };

static naive_game *game, *middle, *small;
static naive_bounds *bounds, *forced, *searched;
static int8_t **exact;

static void solve_bounds(void) {
  game = naive_game_new(NAIVE_ABAPA, MAX_SEEDS);
  bounds = naive_solve_own_row(game);
  forced = naive_solve_forced(game);
  middle = naive_game_new(NAIVE_ABAPA, MAX_SEARCHED);
  searched = naive_solve_own_row_search(middle);
  small = naive_game_new(NAIVE_ABAPA, MAX_LINES);
  exact = naive_solve_own_row_lines(small);
}

CASE(lines_as_published) {
  static const int published[MAX_LINES + 1][MAX_LINES + 1] = {{1}, {7, 5}, {41, 12, 25}, {178, 30, 40, 116}};
  for (int seeds = 0; seeds <= MAX_LINES; seeds++) {
    int boards[MAX_LINES + 1] = {0};
    for (int rank = 0; rank < small->layers[seeds].count; rank++) boards[exact[seeds][rank]]++;
    for (int kept = 0; kept <= seeds; kept++) {
      ck_assert_msg(boards[kept] == published[seeds][kept], "%d seeds: the mover ends with %d on %d boards",
                    seeds, kept, boards[kept]);
    }
  }
}

CASE(boards_known_as_published) {
  static const int published[MAX_SEEDS + 1][2] = {{1, 1},      {12, 12},     {65, 78},      {300, 364},
                                                  {994, 1365}, {4090, 4368}, {10193, 12375}};
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &game->layers[seeds];
    int known = 0, boards = 0;
    for (int rank = 0; rank < layer->count; rank++) {
      if (!naive_is_table_board(&layer->boards[rank])) continue;
      boards++;
      if (bounds[seeds].mover[rank] + bounds[seeds].other[rank] == seeds) known++;
    }
    ck_assert_int_eq(boards, published[seeds][1]);
    if (seeds >= 2) ck_assert_int_eq(known, published[seeds][0]);
  }
}

CASE(values_within_bounds) {
  for (int seeds = 0; seeds <= MAX_LINES; seeds++) {
    for (int rank = 0; rank < small->layers[seeds].count; rank++) {
      ck_assert_int_ge(exact[seeds][rank], bounds[seeds].mover[rank]);
      ck_assert_int_ge(seeds - exact[seeds][rank], bounds[seeds].other[rank]);
    }
  }
}

CASE(search_agrees_with_lines) {
  for (int seeds = 0; seeds <= MAX_LINES; seeds++) {
    for (int rank = 0; rank < small->layers[seeds].count; rank++)
      ck_assert_int_eq(searched[seeds].mover[rank], exact[seeds][rank]);
  }
}

/* The oracle holds what this search gives for two seeds more. */
CASE(search_gives_the_oracle) {
  oracle_row row;
  int boards[MAX_SEARCHED + 1] = {0};
  for (FILE *file = oracle_open("auale-abapa-exact.csv"); oracle_next(file, &row);) {
    const int seeds = atoi(row.cell[0]), value = atoi(row.cell[1]);
    if (seeds > MAX_SEARCHED) continue;
    int found = 0;
    for (int rank = 0; rank < middle->layers[seeds].count; rank++) {
      const int mover = searched[seeds].mover[rank], other = searched[seeds].other[rank];
      found += mover + other == seeds && mover - other == value;
    }
    ck_assert_int_eq(found, atoi(row.cell[2]));
    boards[seeds] += found;
  }
  for (int seeds = 0; seeds <= MAX_SEARCHED; seeds++)
    ck_assert_int_eq(boards[seeds], middle->layers[seeds].count);
}

CASE(search_within_bounds) {
  for (int seeds = 0; seeds <= MAX_SEARCHED; seeds++) {
    for (int rank = 0; rank < middle->layers[seeds].count; rank++) {
      ck_assert_int_ge(searched[seeds].mover[rank], bounds[seeds].mover[rank]);
      ck_assert_int_ge(searched[seeds].other[rank], bounds[seeds].other[rank]);
    }
  }
}

CASE(no_looser_than_forced) {
  int tighter = 0;
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    for (int rank = 0; rank < game->layers[seeds].count; rank++) {
      ck_assert_int_ge(bounds[seeds].mover[rank], forced[seeds].mover[rank]);
      ck_assert_int_ge(bounds[seeds].other[rank], forced[seeds].other[rank]);
      ck_assert_int_le(bounds[seeds].mover[rank] + bounds[seeds].other[rank], seeds);
      tighter += bounds[seeds].mover[rank] > forced[seeds].mover[rank];
    }
  }
  ck_assert_int_gt(tighter, 0);
}

SUITE("naive own row") {
  FIXTURE_ONCE(solve_bounds, NULL);
  TESTS(lines_as_published, boards_known_as_published, values_within_bounds, search_agrees_with_lines,
        search_gives_the_oracle, search_within_bounds, no_looser_than_forced);
}
