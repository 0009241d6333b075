/* Phutball against the slow definition: children and parents of random positions, and values and depths of
 * all positions of small boards under all four flag sets, by every engine. */
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/naive/naive_phutball_solve.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_batches.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball_pair.h"
#include "tests/support/toy_store.h"

typedef struct {
  int rows, columns;
} size;

/* --- children and parents --- */

/* Lists that are kept from call to call. */
typedef struct {
  toy_edges wanted, found, others;
} edge_lists;

static size_t live_edges(const toy_edges *list) {
  size_t live = 0;
  for (size_t i = 0; i < list->used; i++) live += list->edges[i].to.slice != GAME_OVER;
  return live;
}

/* The successors from a batch of one position, each place once. */
static void run_batch(const phb_pair *pair, toy_batch *run, game_place place, const char *what,
                      toy_edges *list) {
  toy_edges_of(run, pair->rules, place.slice, &place.index, 1, list);
  const size_t live = live_edges(list);
  toy_edges_once(list, 0);
  EXPECT(live_edges(list) == live, "%s, slice %u: %s of %lu gives a place twice", pair->text, place.slice,
         what, (unsigned long)place.index);
  for (size_t i = 0; i < list->used; i++) {
    const game_edge *edge = &list->edges[i];
    EXPECT(edge->from == 0, "an edge of another position");
    EXPECT(edge->to.slice == GAME_OVER || edge->gain == 0, "a gain of %d in play", edge->gain);
  }
}

static bool has_place(const toy_edges *list, game_place place) {
  for (size_t i = 0; i < list->used; i++)
    if (list->edges[i].to.slice == place.slice && list->edges[i].to.index == place.index) return true;
  return false;
}

static game_place located(const phb_pair *pair, const naive_phb_board *board) {
  const game_position position = phb_pair_parsed(pair, board);
  game_place place = {0, 0};
  EXPECT(pair->game->locate(pair->rules, &position, &place), "no place");
  return place;
}

typedef struct {
  const phb_pair *pair;
  bool eks_moves;
  long left;
  toy_edges *list;
} naive_children;

static bool add_child(void *user, const naive_phb_turn *turn) {
  naive_children *children = user;
  const naive_phb_result wanted = children->eks_moves ? NAIVE_PHB_EKS_WIN : NAIVE_PHB_OHS_WIN;
  const bool live = turn->result == NAIVE_PHB_LIVE;
  game_edge edge = {0, 0, {GAME_OVER, 0}};
  if (live) edge.to = located(children->pair, &turn->after);
  if (!live) edge.gain = turn->result == wanted ? 1 : -1;
  toy_edges_add(children->list, &edge, 1);
  return children->left-- > 0;
}

/* Children as turns give them, and the position among the parents of each. Where both images of a child have
 * a place, which of them it is depends on the image that moves: that which the place stands for. */
static void compare_children(const phb_pair *pair, game_place place, edge_lists *lists) {
  char text[NAIVE_PHB_TEXT_BYTES];
  game_position stored;
  pair->game->position_at(pair->rules, place, &stored);
  const naive_phb_board board = phb_pair_printed(pair, &stored);
  naive_phb_write(&board, text);
  naive_children wanted = {.pair = pair, .eks_moves = board.eks_moves, .left = 5000, .list = &lists->wanted};
  lists->wanted.used = 0;
  if (!naive_phb_each_turn(&pair->naive, &board, add_child, &wanted)) return;
  toy_edges_once(&lists->wanted, 0);
  const toy_edges *found = &lists->found;
  run_batch(pair, pair->game->expand, place, "expand", &lists->found);
  EXPECT(toy_edges_differ(found, &lists->wanted) == SIZE_MAX, "%s, %s: %zu children, not the %zu", pair->text,
         text, found->used, lists->wanted.used);
  for (size_t i = 0; i < found->used && board.rows * board.columns <= 20; i++) {
    const game_place child = found->edges[i].to;
    if (child.slice == GAME_OVER) continue;
    run_batch(pair, pair->game->retract, child, "retract", &lists->others);
    EXPECT(has_place(&lists->others, place), "%s, %s: no parent of its child", pair->text, text);
  }
}

static void compare_parents(const phb_pair *pair, game_place place, edge_lists *lists) {
  const toy_edges *parents = &lists->found;
  run_batch(pair, pair->game->retract, place, "retract", &lists->found);
  for (size_t i = 0; i < parents->used; i++) {
    const game_place parent = parents->edges[i].to;
    run_batch(pair, pair->game->expand, parent, "expand", &lists->others);
    EXPECT(has_place(&lists->others, place), "%s, slice %u: %lu is no parent of %lu", pair->text, place.slice,
           (unsigned long)parent.index, (unsigned long)place.index);
  }
}

CASE(children_and_parents) {
  static const size boards[] = {{3, 1}, {8, 1}, {20, 1}, {4, 2}, {7, 2}, {3, 3}, {5, 3}, {6, 3},
                                {4, 4}, {5, 4}, {3, 5},  {4, 5}, {3, 6}, {5, 5}, {7, 5}, {6, 6}};
  phb_pair pair = phb_pair_open(_i);
  unsigned long state = 11 + (unsigned long)_i;
  edge_lists lists = {{0}, {0}, {0}};
  const int trials = suite_is_long() ? 1000 : 25;
  for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
    const int rows = boards[b].rows, columns = boards[b].columns, points = rows * columns;
    for (int t = 0; t < trials; t++) {
      const naive_phb_board board = phb_pair_random(&state, rows, columns, points > 20 ? 16 : points);
      const game_place place = located(&pair, &board);
      compare_children(&pair, place, &lists);
      if (points <= 16) compare_parents(&pair, place, &lists);
    }
  }
}

/* --- values --- */

typedef struct {
  phb_pair pair;
  memory_budget *memory;
  int rows, columns;
  uint32_t slice;
} world;

static world open_world(int rules, int rows, int columns) {
  world w = {.pair = phb_pair_open(rules), .rows = rows, .columns = columns};
  w.memory = suite_budget(0);
  w.slice = phb_pair_slice(&w.pair, rows, columns).slice;
  return w;
}

static solved_slice solve_generally(world *w) {
  solved_slice out = {0};
  solve_job job = toy_job(w->pair.game, w->pair.rules, 1, w->memory);
  job.problem.engine = &engine_retrograde;
  const tauler_error error = solve_alone(&job, w->slice, true, &out, hear());
  ck_assert_msg(!error, "%s, %dx%d: %s", w->pair.text, w->rows, w->columns, said.text);
  return out;
}

static solved_slice solve_in_words(world *w) {
  bitboard_slice words = {0};
  solved_slice out = {0};
  solve_effort effort = {0};
  const solve_job job = toy_job(w->pair.game, w->pair.rules, 2, w->memory);
  const tauler_error error = bitboard_slice_solve(&job, NULL, w->slice, &words, &effort, hear());
  ck_assert_msg(!error, "%s, %dx%d: %s", w->pair.text, w->rows, w->columns, said.text);
  toy_gather(w->memory, &words, &out);
  bitboard_slice_close(w->memory, &words);
  return out;
}

/* The values of the game's tables. */
static naive_wdl worth_of(const world *w, const solved_slice *solved, const naive_phb_board *board) {
  const uint64_t index = located(&w->pair, board).index;
  EXPECT(index < solved->positions, "%dx%d: beyond the slice", w->rows, w->columns);
  const int value = solved->cells[0][index], depth = solved->depths[0][index];
  EXPECT(value != 0 || depth == SOLVE_NO_DEPTH || depth == 0, "%dx%d: a draw of depth %d", w->rows,
         w->columns, depth);
  return (naive_wdl){(signed char)value, value != 0 ? depth : -1};
}

static void compare_all(const world *w, const naive_phb_world *naive, const solved_slice *solved,
                        const char *engine) {
  for (int n = 0; n < naive_phb_numbers(naive); n++) {
    if (!naive_phb_is_position(naive, n)) continue;
    const naive_phb_board board = naive_phb_board_of(naive, n);
    const naive_wdl wanted = naive_phb_worth(naive, n), found = worth_of(w, solved, &board);
    if (found.value == wanted.value && found.depth == wanted.depth) continue;
    char text[NAIVE_PHB_TEXT_BYTES];
    naive_phb_write(&board, text);
    ck_abort_msg("%s, %s, %s: value %d, depth %d, not %d and %d", engine, w->pair.text, text, found.value,
                 found.depth, wanted.value, wanted.depth);
  }
}

static void compare_board(int rules, int rows, int columns) {
  world w = open_world(rules, rows, columns);
  naive_phb_world *naive = naive_phb_solve(&w.pair.naive, rows, columns);
  solved_slice solved = solve_generally(&w);
  compare_all(&w, naive, &solved, "in general");
  solved_slice_free(w.memory, &solved);
  if (engine_bitboard.serves(w.pair.game, w.pair.rules)) {
    solved = solve_in_words(&w);
    compare_all(&w, naive, &solved, "in words");
    solved_slice_free(w.memory, &solved);
  }
}

CASE(values_of_small_boards) {
  const int largest = suite_is_long() ? NAIVE_PHB_MOST_SOLVED : 12;
  for (int rows = 3; rows <= largest; rows++)
    for (int columns = 1; rows * columns <= largest; columns++) compare_board(_i, rows, columns);
}

/* One of each width beyond, each under another flag set. */
CASE(values_of_larger_boards) {
  static const size larger[] = {{13, 1}, {7, 2}, {5, 3}, {3, 5}};
  const size *board = &larger[_i];
  compare_board(_i, board->rows, board->columns);
}

/* --- properties --- */

typedef struct {
  uint64_t at[3][64]; /* by value, then distance, with draws at 0 */
} counts;

static counts count_board(int rules, int rows, int columns) {
  static uint8_t copies[1 << 16];
  counts sum = {0};
  world w = open_world(rules, rows, columns);
  solved_slice solved = solve_generally(&w);
  for (uint64_t first = 0; first < solved.positions; first += sizeof copies) {
    const uint64_t left = solved.positions - first;
    const size_t count = left < sizeof copies ? (size_t)left : sizeof copies;
    w.pair.game->copies(w.pair.rules, w.slice, first, count, copies);
    for (size_t i = 0; i < count; i++) {
      const int value = solved.cells[0][first + i], depth = solved.depths[0][first + i];
      EXPECT(value == 0 || (depth < 64 && depth > 0 && depth % 2 == (value > 0)), "%dx%d: %d at %d", rows,
             columns, value, depth);
      sum.at[value + 1][value == 0 ? 0 : depth] += copies[i];
    }
  }
  solved_slice_free(w.memory, &solved);
  return sum;
}

/* No jump leads out of a column of two, unless over a corner: the other one is idle. */
CASE(an_idle_column) {
  const int largest = suite_is_long() ? 9 : 7;
  for (int rows = 3; rows <= largest; rows++) {
    const counts one = count_board(0, rows, 1), two = count_board(0, rows, 2);
    for (int value = 0; value < 3; value++)
      for (int plies = 0; plies < 64; plies++)
        EXPECT(two.at[value][plies] == one.at[value][plies] << (rows + 1), "%dx2: %d at %d", rows, value - 1,
               plies);
  }
}

/* The best of what turns lead to, as the tables have it. */
typedef struct {
  const world *w;
  const solved_slice *solved;
  naive_wdl best;
  bool any;
} look;

static bool is_better(naive_wdl one, naive_wdl other) {
  if (one.value != other.value) return one.value > other.value;
  return one.value > 0 ? one.depth < other.depth : one.depth > other.depth;
}

static bool look_at(void *user, const naive_phb_turn *turn) {
  look *l = user;
  naive_wdl worth;
  if (turn->result != NAIVE_PHB_LIVE) {
    worth = (naive_wdl){turn->result == NAIVE_PHB_OHS_WIN ? 1 : -1, 1};
  } else {
    worth = worth_of(l->w, l->solved, &turn->after);
    worth = (naive_wdl){(signed char)-worth.value, worth.value == 0 ? -1 : worth.depth + 1};
  }
  if (!l->any || is_better(worth, l->best)) l->best = worth;
  l->any = true;
  return true;
}

/* Each position of a sample is worth the best of its turns: wins and losses rest on nearer ones, and a draw
 * has a drawn successor and none that is lost for the other side. */
static void check_by_a_look(int rules, int rows, int columns, int trials) {
  world w = open_world(rules, rows, columns);
  solved_slice solved =
      engine_bitboard.serves(w.pair.game, w.pair.rules) ? solve_in_words(&w) : solve_generally(&w);
  unsigned long state = 5;
  for (int t = 0; t < trials; t++) {
    naive_phb_board board = phb_pair_random(&state, rows, columns, rows * columns);
    if (board.eks_moves) board = naive_phb_turned(&board);
    look l = {.w = &w, .solved = &solved};
    naive_phb_each_turn(&w.pair.naive, &board, look_at, &l);
    const naive_wdl worth = worth_of(&w, &solved, &board);
    char text[NAIVE_PHB_TEXT_BYTES];
    naive_phb_write(&board, text);
    EXPECT(worth.value == l.best.value && worth.depth == l.best.depth,
           "%s, %s: value %d, depth %d, but turns give %d and %d", w.pair.text, text, worth.value,
           worth.depth, l.best.value, l.best.depth);
  }
  solved_slice_free(w.memory, &solved);
}

CASE(worth_by_a_look) {
  const bool is_long = suite_is_long();
  const int trials = is_long ? 100000 : SOME(1000, 3000);
  check_by_a_look(_i, 5, 3, trials);
  if (_i == 0 || is_long) check_by_a_look(_i, 17, 1, trials);
  if (!is_long) return;
  check_by_a_look(_i, 6, 3, trials);
  check_by_a_look(_i, 9, 2, trials);
  check_by_a_look(_i, 3, 6, trials);
  check_by_a_look(_i, 18, 1, trials);
  check_by_a_look(_i, 5, 4, trials);
}

SUITE("phutball solved, against the slow definition") {
  GROUP("children and parents");
  TIMEOUT(1800);
  LOOP(children_and_parents, PHB_PAIR_RULE_SETS);
  GROUP("values");
  TIMEOUT(1800);
  LOOP(values_of_small_boards, PHB_PAIR_RULE_SETS);
  LOOP(values_of_larger_boards, SOME(2, 4));
  TEST(an_idle_column);
  LOOP(worth_by_a_look, PHB_PAIR_RULE_SETS);
}
