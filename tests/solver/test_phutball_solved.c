/* Phutball against the slow definition: children and parents of random positions, and values and depths of
 * all positions of small boards under all four flag sets, by every engine. */
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/naive/naive_phutball_solve.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball_pair.h"
#include "tests/support/toy_store.h"

typedef struct {
  int rows, columns;
} size;

/* --- children and parents --- */

enum { SINK_ROOM = 7 };

/* Places, GAME_OVER with the gain as its index. */
typedef struct {
  game_place *places;
  size_t used, room;
} place_list;

static void add_place(place_list *list, game_place place) {
  if (list->used == list->room) {
    list->room = list->room ? 2 * list->room : 64;
    list->places = realloc(list->places, list->room * sizeof *list->places);
    if (!list->places) ck_abort_msg("no memory");
  }
  list->places[list->used++] = place;
}

static game_place over_place(int gain) {
  return (game_place){GAME_OVER, (uint64_t)(gain + 1)};
}

static int by_place(const void *one, const void *other) {
  const game_place *a = one, *b = other;
  if (a->slice != b->slice) return a->slice < b->slice ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/* Each once; returns how many live ones were there twice. */
static size_t sort_places(place_list *list) {
  size_t kept = 0, twice = 0;
  if (list->used) qsort(list->places, list->used, sizeof *list->places, by_place);
  for (size_t i = 0; i < list->used; i++) {
    if (kept && by_place(&list->places[i], &list->places[kept - 1]) == 0)
      twice += list->places[i].slice != GAME_OVER;
    else
      list->places[kept++] = list->places[i];
  }
  list->used = kept;
  return twice;
}

static bool has_place(const place_list *list, game_place place) {
  return list->used && bsearch(&place, list->places, list->used, sizeof place, by_place);
}

static tauler_error receive_edges(void *user, const game_edge *edges, size_t n) {
  place_list *list = user;
  for (size_t i = 0; i < n; i++) {
    EXPECT(edges[i].from == 0, "an edge of another position");
    EXPECT(edges[i].to.slice == GAME_OVER || edges[i].gain == 0, "a gain of %d in play", edges[i].gain);
    add_place(list, edges[i].to.slice == GAME_OVER ? over_place(edges[i].gain) : edges[i].to);
  }
  return TAULER_OK;
}

typedef tauler_error batch(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                           game_sink *sink);

/* The successors from a batch of one position, each place once. */
static place_list run_batch(const phb_pair *pair, batch *run, game_place place, const char *what) {
  game_edge edges[SINK_ROOM];
  place_list list = {0};
  game_sink sink = {.edges = edges, .room = SINK_ROOM, .flush = receive_edges, .user = &list};
  EXPECT(!run(pair->rules, place.slice, &place.index, 1, &sink) && !game_sink_flush(&sink), "%s fails", what);
  EXPECT(sort_places(&list) == 0, "%s, slice %u: %s of %lu gives a place twice", pair->text, place.slice,
         what, (unsigned long)place.index);
  return list;
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
  place_list list;
} naive_children;

static bool add_child(void *user, const naive_phb_turn *turn) {
  naive_children *children = user;
  const naive_phb_result wanted = children->eks_moves ? NAIVE_PHB_EKS_WIN : NAIVE_PHB_OHS_WIN;
  const bool live = turn->result == NAIVE_PHB_LIVE;
  add_place(&children->list,
            live ? located(children->pair, &turn->after) : over_place(turn->result == wanted ? 1 : -1));
  return children->left-- > 0;
}

/* Children as turns give them, and the position among the parents of each. Where both images of a child have
 * a place, which of them it is depends on the image that moves: that which the place stands for. */
static void compare_children(const phb_pair *pair, game_place place) {
  char text[NAIVE_PHB_TEXT_BYTES];
  game_position stored;
  pair->game->position_at(pair->rules, place, &stored);
  const naive_phb_board board = phb_pair_printed(pair, &stored);
  naive_phb_write(&board, text);
  naive_children wanted = {.pair = pair, .eks_moves = board.eks_moves, .left = 5000};
  if (!naive_phb_each_turn(&pair->naive, &board, add_child, &wanted)) {
    free(wanted.list.places);
    return;
  }
  sort_places(&wanted.list);
  place_list found = run_batch(pair, pair->game->expand, place, "expand");
  EXPECT(found.used == wanted.list.used, "%s, %s: %zu children, not %zu", pair->text, text, found.used,
         wanted.list.used);
  for (size_t i = 0; i < found.used; i++)
    EXPECT(by_place(&found.places[i], &wanted.list.places[i]) == 0, "%s, %s: another child", pair->text,
           text);
  for (size_t i = 0; i < found.used && board.rows * board.columns <= 20; i++) {
    if (found.places[i].slice == GAME_OVER) continue;
    place_list parents = run_batch(pair, pair->game->retract, found.places[i], "retract");
    EXPECT(has_place(&parents, place), "%s, %s: no parent of its child", pair->text, text);
    free(parents.places);
  }
  free(found.places);
  free(wanted.list.places);
}

static void compare_parents(const phb_pair *pair, game_place place) {
  place_list parents = run_batch(pair, pair->game->retract, place, "retract");
  for (size_t i = 0; i < parents.used; i++) {
    place_list children = run_batch(pair, pair->game->expand, parents.places[i], "expand");
    EXPECT(has_place(&children, place), "%s, slice %u: %lu is no parent of %lu", pair->text, place.slice,
           (unsigned long)parents.places[i].index, (unsigned long)place.index);
    free(children.places);
  }
  free(parents.places);
}

CASE(children_and_parents) {
  static const size boards[] = {{3, 1}, {8, 1}, {20, 1}, {4, 2}, {7, 2}, {3, 3}, {5, 3}, {6, 3},
                                {4, 4}, {5, 4}, {3, 5},  {4, 5}, {3, 6}, {5, 5}, {7, 5}, {6, 6}};
  phb_pair pair = phb_pair_open(_i);
  unsigned long state = 11 + (unsigned long)_i;
  const int trials = suite_is_long() ? 1000 : 25;
  for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
    const int rows = boards[b].rows, columns = boards[b].columns, points = rows * columns;
    for (int t = 0; t < trials; t++) {
      const naive_phb_board board = phb_pair_random(&state, rows, columns, points > 20 ? 16 : points);
      const game_place place = located(&pair, &board);
      compare_children(&pair, place);
      if (points <= 16) compare_parents(&pair, place);
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
