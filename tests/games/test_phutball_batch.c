/* Phutball in batches: against its turns one path at a time, and against itself turned round; and small
 * boards through the general engine, against the counts of an independent program. */
#include "games/phutball/board.h"
#include "games/phutball/turns.h"
#include "games/registry.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_batches.h"
#include "tests/support/toy_store.h"

enum { BATCH = 512, FLAG_SETS = 4 };

static game_rules rules_of(int flags) {
  return (game_rules){.corner_exit = flags & 1, .goal_line_stop = flags >> 1};
}

/* --- expand against turns --- */

typedef struct {
  const game_rules *rules;
  uint32_t from;
  toy_edges *out;
} slow_walk;

static tauler_error add_slow_turn(void *user, const phb_turn *turn) {
  const slow_walk *walk = user;
  game_edge edge = {walk->from, 0, {GAME_OVER, 0}};
  if (turn->result == PHB_LIVE) {
    game_position after;
    phb_to_game(&turn->after, &after);
    toy_require(phb_locate(walk->rules, &after, &edge.to), "a child has no place");
  } else {
    edge.gain = turn->result == PHB_MOVER_SCORES ? 1 : -1;
  }
  toy_edges_add(walk->out, &edge, 1);
  return TAULER_OK;
}

static void add_slow_turns(const game_rules *rules, game_place place, uint32_t from, toy_edges *out) {
  slow_walk walk = {rules, from, out};
  game_position game;
  const size_t first = out->used;
  phb_position_at(rules, place, &game);
  const phb_position position = phb_from_game(&game);
  toy_require(!phb_each_turn(rules, &position, add_slow_turn, &walk), "turns fail");
  toy_edges_once(out, first);
}

/* The cases that a run has met: a test that meets none fails. */
typedef struct {
  uint64_t wins, losses, most_children;
} census;

static toy_edges found, right; /* kept from call to call of a test */

static void drop_edges(void) {
  found = right = (toy_edges){0};
}

static void compare_expanded(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                             census *met) {
  int16_t ended[BATCH];
  toy_edges_of(phb_expand, rules, slice, index, n, &found);
  toy_require(!phb_ended(rules, slice, index, n, ended), "ended fails");
  right.used = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t before = right.used;
    toy_require(ended[i] == GAME_NOT_ENDED, "a live position has ended");
    add_slow_turns(rules, (game_place){slice, index[i]}, (uint32_t)i, &right);
    if (right.used - before > met->most_children) met->most_children = right.used - before;
  }
  toy_edges_sort(&found, 0);
  const size_t other = toy_edges_differ(&found, &right);
  if (other != SIZE_MAX)
    ck_abort_msg("%ux%u: expand differs at position %llu", slice / 32, slice % 32,
                 (unsigned long long)index[(other < right.used ? right : found).edges[other].from]);
  for (size_t i = 0; i < found.used; i++) {
    met->wins += found.edges[i].gain == 1;
    met->losses += found.edges[i].gain == -1;
  }
}

static census expand_all(const game_rules *rules, int rows, int columns) {
  const uint32_t slice = phb_slice(rows, columns);
  const uint64_t all = phb_positions(rules, slice);
  uint64_t index[BATCH];
  census met = {0};
  for (uint64_t first = 0; first < all; first += BATCH) {
    const size_t n = all - first < BATCH ? (size_t)(all - first) : BATCH;
    for (size_t i = 0; i < n; i++) index[i] = first + i;
    compare_expanded(rules, slice, index, n, &met);
  }
  return met;
}

CASE(expands_small_boards) {
  const game_rules rules = rules_of(_i);
  for (int rows = 3; rows <= 12; rows++) {
    for (int columns = 1; rows * columns <= 12; columns++) {
      const census met = expand_all(&rules, rows, columns);
      toy_require(met.wins > 0 && met.losses > 0, "nobody scores");
    }
  }
}

CASE(expands_middling_boards) {
  const game_rules rules = rules_of(_i);
  if (!suite_is_long()) return;
  expand_all(&rules, 5, 3);
  expand_all(&rules, 3, 5);
  expand_all(&rules, 4, 4);
}

/* A place drawn with one man in so many; with `even` his mirror image stands too. */
static uint64_t draw_place(const phb_board *board, uint64_t *state, uint64_t sparse, bool even) {
  const int ball = board->ball[draw_below(state, (uint64_t)board->balls)];
  uint64_t set = 0;
  for (int bit = 0; bit < board->points; bit++) {
    if (draw_below(state, sparse) == 0) set |= UINT64_C(1) << bit;
  }
  if (even) set |= phb_mirror_set(board, set);
  return phb_rank(board, ball, set & ~(UINT64_C(1) << board->bit_of[ball]));
}

CASE(expands_large_boards) {
  static const int sizes[][2] = {{5, 3}, {4, 4}, {3, 5},  {6, 4},  {5, 5},  {6, 6},  {7, 5},
                                 {6, 8}, {9, 5}, {3, 16}, {16, 3}, {24, 2}, {48, 1}, {3, 15}};
  const game_rules rules = rules_of(_i);
  uint64_t state = 88172645463325252u, most = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    phb_board board;
    uint64_t index[BATCH];
    census met = {0};
    toy_require(phb_board_open(sizes[i][0], sizes[i][1], &board), "no board");
    const size_t n = suite_is_long() ? BATCH : 64;
    for (size_t k = 0; k < n; k++) index[k] = draw_place(&board, &state, 2 + k % 4, k % 3 == 0);
    compare_expanded(&rules, phb_slice(board.rows, board.columns), index, n, &met);
    if (met.most_children > most) most = met.most_children;
  }
  /* So many states that they are hashed, and hashed anew. */
  toy_require(most > 200, "no position has many turns");
}

/* --- retract against expand --- */

static void retract_all(const game_rules *rules, int rows, int columns) {
  toy_require(toy_turned_round(&phutball_game, rules, phb_slice(rows, columns)) > 0, "no quiet turns");
}

CASE(retracts_small_boards) {
  const game_rules rules = rules_of(_i);
  for (int rows = 3; rows <= 12; rows++) {
    for (int columns = 1; rows * columns <= 12; columns++) retract_all(&rules, rows, columns);
  }
}

CASE(retracts_middling_boards) {
  const game_rules rules = rules_of(_i);
  retract_all(&rules, 5, 3);
  retract_all(&rules, 3, 5);
  retract_all(&rules, 4, 4);
  if (!suite_is_long()) return;
  retract_all(&rules, 13, 1);
  retract_all(&rules, 8, 2);
  retract_all(&rules, 6, 3);
  retract_all(&rules, 3, 6);
}

/* On larger boards with many men, who leave few ways back. */
CASE(retracts_large_boards) {
  static const int sizes[][2] = {{6, 4}, {5, 5}, {6, 6}, {6, 8}, {9, 5}, {3, 15}, {24, 2}, {48, 1}};
  enum { SAMPLES = 6, SOME = 40 };
  const game_rules rules = rules_of(_i);
  uint64_t state = 88172645463325252u;
  toy_edges lists[2] = {{0}, {0}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    phb_board board;
    toy_require(phb_board_open(sizes[i][0], sizes[i][1], &board), "no board");
    for (int k = 0; k < SAMPLES; k++) {
      const game_place place = {phb_slice(board.rows, board.columns),
                                draw_place(&board, &state, 2, k % 3 == 0)};
      toy_turned_round_at(&phutball_game, &rules, place, SOME, lists);
    }
  }
}

/* The ball goes round the two men on its right to a point from which it jumps either way: both ways lead to
 * mirror images, though the position is not its own; so the child has it and its image before it. */
CASE(tells_parents_of_mirror_images_once) {
  static const int men[][2] = {{1, 3}, {2, 3}, {3, 1}, {3, 3}};
  const game_rules rules = rules_of(_i);
  phb_board board;
  uint64_t set = 0;
  toy_require(phb_board_open(5, 5, &board), "no board");
  for (int i = 0; i < 4; i++) set |= UINT64_C(1) << board.bit_of[men[i][0] * 5 + men[i][1]];
  const game_place place = {phb_slice(5, 5), phb_rank(&board, 1 * 5 + 2, set)};
  census met = {0};
  compare_expanded(&rules, place.slice, &place.index, 1, &met);
  /* Seen by the other side, the ball on A2 and a man on D2, which is as E2 and B2. */
  const uint64_t child = phb_rank(&board, 1 * 5 + 4, UINT64_C(1) << board.bit_of[1 * 5 + 1]);
  toy_edges edges = {0};
  toy_require(toy_times(phb_expand, &rules, place, child, &edges) == 1, "no way forth");
  toy_require(toy_times(phb_retract, &rules, (game_place){place.slice, child}, place.index, &edges) == 1,
              "no way back");
}

/* --- the sink, and what is no board --- */

static tauler_error refuse(void *user, const game_edge *edges, size_t n) {
  int *left = user;
  return (*left)-- == 0 ? TAULER_IO : TAULER_OK;
}

CASE(hands_errors_on) {
  const game_rules rules = rules_of(0);
  static toy_batch *const batches[] = {phb_expand, phb_retract};
  const uint64_t index[] = {5000, 70000, 3, 76799};
  for (int b = 0; b < 2; b++) {
    game_edge room[1] = {{0}};
    for (int flushes = 0; flushes < 20; flushes++) {
      int left = flushes;
      game_sink sink = {room, 0, 1, refuse, &left};
      ck_assert_int_eq(batches[b](&rules, phb_slice(5, 3), index, 4, &sink), TAULER_IO);
      ck_assert_int_eq(left, -1);
    }
    game_sink sink = {room, 0, 1, refuse, NULL};
    ck_assert_int_eq(batches[b](&rules, phb_slice(7, 7), index, 4, &sink), TAULER_INTERNAL);
  }
}

/* --- small boards, solved --- */

typedef struct {
  game game;
  memory_budget *memory;
  solved_slice solved;
} world;

static void solve_board(world *w, const game_rules *rules, int rows, int columns, bool predecessors) {
  *w = (world){.game = phutball_game};
  if (!predecessors) w->game.retract = NULL;
  w->memory = suite_budget(0);
  solve_job job = toy_job(&w->game, rules, 1, w->memory);
  job.problem.engine = &engine_retrograde;
  MUST(solve_alone(&job, phb_slice(rows, columns), true, &w->solved, hear()));
}

static void close_board(world *w) {
  solved_slice_free(w->memory, &w->solved);
}

/* Of positions, mirror images counted, by value + 1. */
typedef struct {
  uint64_t of[3];
  unsigned longest[3];
  uint64_t at_depth[64];
} counts;

static counts count(const world *w) {
  const solved_slice *solved = &w->solved;
  counts all = {0};
  for (uint64_t i = 0; i < solved->positions; i++) {
    uint8_t copies;
    phb_copies(NULL, solved->slice, i, 1, &copies);
    const int value = solved->cells[0][i] + 1;
    const unsigned depth = solved->depths[0][i];
    all.of[value] += copies;
    if (value == 1) continue;
    toy_require(depth % 2 == (value == 2), "a win is even or a loss odd");
    toy_require(depth < 64, "a long way");
    if (depth > all.longest[value]) all.longest[value] = depth;
    all.at_depth[depth] += copies;
  }
  return all;
}

static const struct {
  int rows, columns, flags;
  uint64_t wins, losses, draws;
  unsigned longest_win, longest_loss;
} published[] = {
    {3, 1, 0, 3, 1, 0, 3, 2},         {5, 1, 0, 35, 13, 0, 5, 6},       {7, 1, 0, 229, 91, 0, 9, 8},
    {9, 1, 0, 1269, 523, 0, 15, 14},  {3, 3, 0, 618, 150, 0, 3, 4},     {3, 3, 1, 654, 114, 0, 3, 4},
    {4, 3, 0, 9762, 2526, 0, 5, 6},   {4, 3, 2, 9672, 2616, 0, 5, 6},   {5, 3, 0, 114870, 32586, 0, 9, 10},
    {3, 5, 0, 71309, 10611, 0, 5, 6}, {4, 4, 0, 220594, 41550, 0, 5, 6}};

enum { PUBLISHED = sizeof published / sizeof published[0] };

CASE(solves_as_published) {
  const game_rules rules = rules_of(published[_i].flags);
  /* Going on forth alone costs more: on small boards. */
  for (int back = published[_i].rows * published[_i].columns > 12; back < 2; back++) {
    world w;
    solve_board(&w, &rules, published[_i].rows, published[_i].columns, back);
    const counts found = count(&w);
    ck_assert_uint_eq(found.of[2], published[_i].wins);
    ck_assert_uint_eq(found.of[0], published[_i].losses);
    ck_assert_uint_eq(found.of[1], published[_i].draws);
    ck_assert_uint_eq(found.longest[2], published[_i].longest_win);
    ck_assert_uint_eq(found.longest[0], published[_i].longest_loss);
    close_board(&w);
  }
}

CASE(depths_are_as_published) {
  static const uint64_t right[] = {92484, 25116, 19922, 5290, 2132, 2028, 218, 124, 114, 28};
  const game_rules rules = rules_of(0);
  world w;
  solve_board(&w, &rules, 5, 3, true);
  const counts found = count(&w);
  for (unsigned depth = 1; depth <= 10; depth++) ck_assert_uint_eq(found.at_depth[depth], right[depth - 1]);
  close_board(&w);
}

/* Empty boards, by the ball's row from the second on; the mover attacks the last row. */
CASE(empty_boards_are_as_published) {
  static const struct {
    int rows, depth[7];
  } boards[] = {{7, {-6, -6, 7, 3, 3}}, {9, {-6, -6, 13, 7, 7, 3, 3}}};
  const game_rules rules = rules_of(0);
  for (int b = 0; b < 2; b++) {
    world w;
    solve_board(&w, &rules, boards[b].rows, 1, true);
    for (int row = 1; row < boards[b].rows - 1; row++) {
      phb_board board;
      toy_require(phb_board_open(boards[b].rows, 1, &board), "no board");
      const uint64_t number = phb_rank(&board, row, 0);
      ck_assert_int_eq(w.solved.cells[0][number] * w.solved.depths[0][number], boards[b].depth[row - 1]);
    }
    close_board(&w);
  }
}

SUITE("phutball_batch") {
  FIXTURE(drop_edges, NULL);
  LOOP(expands_small_boards, FLAG_SETS);
  LOOP(expands_middling_boards, FLAG_SETS);
  LOOP(expands_large_boards, FLAG_SETS);
  TEST(hands_errors_on);
  LOOP(retracts_small_boards, FLAG_SETS);
  LOOP(retracts_middling_boards, FLAG_SETS);
  LOOP(tells_parents_of_mirror_images_once, FLAG_SETS);
  LOOP(retracts_large_boards, FLAG_SETS);
  LOOP(solves_as_published, PUBLISHED);
  TESTS(depths_are_as_published, empty_boards_are_as_published);
}
