/* Holds the slow definition of what can be had whatever boards were met against every line of play: it is had
 * on every history tried, and on some history no more is. */
#include "tests/naive/naive_solve.h"
#include "tests/support/suite.h"

enum { MAX_SEEDS = 3, HISTORIES = 60, MAX_INSIDE = 6 };

static naive_game *game;
static int8_t **exact;
static bool *met[2];

static void solve_lines(void) {
  game = naive_game_new(NAIVE_ABAPA, MAX_SEEDS);
  exact = naive_solve_own_row_lines(game);
  for (int turn = 0; turn < 2; turn++)
    met[turn] = suite_zeros((size_t)game->layers[MAX_SEEDS].count, sizeof *met[turn]);
}

static int worth(const naive_layer *layer, int rank) {
  return naive_own_row_line(layer, exact, met, rank);
}

/* Of eight boards, `most` on average have been met. */
static void draw_history(const naive_layer *layer, uint64_t *seed, unsigned most) {
  for (int turn = 0; turn < 2; turn++) {
    for (int rank = 0; rank < layer->count; rank++) {
      *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      met[turn][rank] = *seed >> 61 < most;
    }
  }
}

static void check_history(const naive_layer *layer, const naive_bounds *any) {
  for (int rank = 0; rank < layer->count; rank++) {
    const int kept = worth(layer, rank);
    if (kept < any[layer->seeds].mover[rank] || layer->seeds - kept < any[layer->seeds].other[rank])
      ck_abort_msg("%d seeds, board %d: %d is not between %d and %d", layer->seeds, rank, kept,
                   any[layer->seeds].mover[rank], layer->seeds - any[layer->seeds].other[rank]);
  }
}

CASE(holds_on_every_history) {
  naive_bounds *fresh = naive_solve_own_row(game), *any = naive_solve_own_row_any(game, fresh);
  uint64_t seed = 1;
  for (int seeds = 0; seeds <= (suite_is_long() ? MAX_SEEDS : 2); seeds++) {
    for (int i = 0; i < HISTORIES; i++) {
      draw_history(&game->layers[seeds], &seed, (unsigned)i % 9);
      check_history(&game->layers[seeds], any);
    }
  }
}

/* Exact values as bounds that meet. */
static naive_bounds *exact_bounds(void) {
  naive_bounds *bounds = suite_zeros(MAX_SEEDS + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const int count = game->layers[seeds].count;
    bounds[seeds].mover = suite_zeros((size_t)count, 1);
    bounds[seeds].other = suite_zeros((size_t)count, 1);
    for (int rank = 0; rank < count; rank++) {
      bounds[seeds].mover[rank] = exact[seeds][rank];
      bounds[seeds].other[rank] = (int8_t)(seeds - exact[seeds][rank]);
    }
  }
  return bounds;
}

/* Met are the boards on which the row of that side holds less than `threshold`: the side is the one to move
 * on the board that is asked about, or the other. */
static void meet_what_pays_less(const naive_layer *layer, bool other, int threshold) {
  for (int rank = 0; rank < layer->count; rank++) {
    int own = 0;
    for (int pit = 0; pit < 6; pit++) own += layer->boards[rank].pit[pit];
    for (int turn = 0; turn < 2; turn++)
      met[turn][rank] = (turn == (int)other ? own : layer->seeds - own) < threshold;
  }
}

CASE(no_more_can_be_had_on_every_history) {
  naive_bounds *fresh = exact_bounds(), *any = naive_solve_own_row_any(game, fresh);
  for (int seeds = 1; seeds <= (suite_is_long() ? MAX_SEEDS : 2); seeds++) {
    const naive_layer *layer = &game->layers[seeds];
    for (int t = 1; t <= seeds; t++) {
      for (int rank = 0; rank < layer->count; rank++) {
        meet_what_pays_less(layer, false, t);
        const bool mover = worth(layer, rank) >= t;
        meet_what_pays_less(layer, true, t);
        const bool other = seeds - worth(layer, rank) >= t;
        if (mover != (any[seeds].mover[rank] >= t) || other != (any[seeds].other[rank] >= t))
          ck_abort_msg("%d seeds, board %d, threshold %d", seeds, rank, t);
      }
    }
  }
}

CASE(no_tighter_than_on_a_fresh_history) {
  naive_game *larger = naive_game_new(NAIVE_ABAPA, MAX_INSIDE);
  naive_bounds *fresh = naive_solve_own_row(larger), *any = naive_solve_own_row_any(larger, fresh);
  int looser = 0, more = 0;
  naive_bounds *forced = naive_solve_forced(larger);
  for (int seeds = 0; seeds <= MAX_INSIDE; seeds++) {
    for (int rank = 0; rank < larger->layers[seeds].count; rank++) {
      ck_assert_int_le(any[seeds].mover[rank], fresh[seeds].mover[rank]);
      ck_assert_int_le(any[seeds].other[rank], fresh[seeds].other[rank]);
      looser += any[seeds].mover[rank] < fresh[seeds].mover[rank];
      more += any[seeds].mover[rank] > forced[seeds].mover[rank];
    }
  }
  ck_assert_int_gt(looser, 0);
  ck_assert_int_gt(more, 0);
}

SUITE("naive own row any") {
  FIXTURE_ONCE(solve_lines, NULL);
  TESTS(holds_on_every_history, no_more_can_be_had_on_every_history, no_tighter_than_on_a_fresh_history);
}
