/* The solver of wins, draws and losses on graphs by hand, and on random ones against play to the end. */
#include "tests/naive/naive_wdl.h"
#include "tests/support/suite.h"

enum { POSITIONS = 7, MAX_EDGES = 3 * POSITIONS, GRAPHS = 2000 };

static const signed char X = NAIVE_OPEN;

static void assert_answer(naive_wdl answer, int value, int depth) {
  ck_assert_int_eq(answer.value, value);
  ck_assert_int_eq(answer.depth, depth);
}

/* 0 is lost. 1 may win at once or go a longer way round by 3; 2 must go to 1; 3 may lose late, to 1, or
 * later, by 4 and 5. */
CASE(winners_hurry_and_losers_linger) {
  signed char result[] = {NAIVE_LOSS, X, X, X, X, X};
  int first[] = {0, 0, 2, 3, 5, 6, 7};
  int next[] = {3, 0, 1, 1, 4, 5, 1};
  naive_wdl answer[6];
  naive_graph graph = {6, first, next, result, 0};
  ck_assert(naive_wdl_solve(&graph, answer));
  assert_answer(answer[0], NAIVE_LOSS, 0);
  assert_answer(answer[1], NAIVE_WIN, 1);
  assert_answer(answer[2], NAIVE_LOSS, 2);
  assert_answer(answer[5], NAIVE_LOSS, 2);
  assert_answer(answer[4], NAIVE_WIN, 3);
  assert_answer(answer[3], NAIVE_LOSS, 4);
}

/* 0 may keep to the cycle with 1, or lose to 2 (won by who moves there). 3 is drawn by the rules. 4 may only
 * draw, 5 loses. */
CASE(infinite_play_is_a_draw) {
  signed char result[] = {X, X, NAIVE_WIN, NAIVE_DRAW, X, X};
  int first[] = {0, 2, 3, 3, 3, 5, 6};
  int next[] = {2, 1, 0, 2, 3, 2};
  naive_wdl answer[6];
  naive_graph graph = {6, first, next, result, 0};
  ck_assert(naive_wdl_solve(&graph, answer));
  assert_answer(answer[0], NAIVE_DRAW, -1);
  assert_answer(answer[1], NAIVE_DRAW, -1);
  assert_answer(answer[2], NAIVE_WIN, 0);
  assert_answer(answer[3], NAIVE_DRAW, -1);
  assert_answer(answer[4], NAIVE_DRAW, -1);
  assert_answer(answer[5], NAIVE_LOSS, 1);
}

CASE(what_is_no_game_is_refused) {
  int first[] = {0, 1};
  int back[] = {0}, beyond[] = {1}, before[] = {-1};
  signed char open[] = {X}, unknown[] = {3};
  int none[] = {0, 0};
  naive_wdl answer[1];
  ck_assert(naive_wdl_solve(&(naive_graph){1, first, back, open, 0}, answer));
  ck_assert(!naive_wdl_solve(&(naive_graph){1, first, back, unknown, 0}, answer));
  ck_assert(!naive_wdl_solve(&(naive_graph){1, first, beyond, open, 0}, answer));
  ck_assert(!naive_wdl_solve(&(naive_graph){1, first, before, open, 0}, answer));
  ck_assert(!naive_wdl_solve(&(naive_graph){1, none, back, open, 0}, answer));
}

typedef struct {
  int first[POSITIONS + 1];
  int next[MAX_EDGES];
  signed char result[POSITIONS];
} small_graph;

static int random_below(uint32_t *state, int limit) {
  *state = *state * 1664525u + 1013904223u;
  return (int)((*state >> 16) % (uint32_t)limit);
}

/* Half of the graphs end only in losses, the commonest way for a game to end. */
static void make_graph(small_graph *graph, uint32_t seed) {
  uint32_t state = seed;
  int edges = 0;
  for (int p = 0; p < POSITIONS; p++) {
    graph->first[p] = edges;
    bool ends = p < 2 || random_below(&state, 6) == 0;
    int any_end = random_below(&state, 3) - 1;
    int end = seed % 2 == 0 ? NAIVE_LOSS : any_end;
    graph->result[p] = (signed char)(ends ? end : NAIVE_OPEN);
    int degree = 1 + random_below(&state, 3);
    for (int e = 0; e < degree && !ends; e++) graph->next[edges++] = random_below(&state, POSITIONS);
  }
  graph->first[POSITIONS] = edges;
}

/* Returns the worth that a position forces within so many plies: the definition, played out. */
static int forced_within(const small_graph *graph, int position, int plies) {
  if (graph->result[position] != NAIVE_OPEN) return graph->result[position];
  if (plies == 0) return NAIVE_DRAW;
  int value = NAIVE_LOSS;
  for (int e = graph->first[position]; e < graph->first[position + 1]; e++) {
    int worth = -forced_within(graph, graph->next[e], plies - 1);
    if (worth > value) value = worth;
  }
  return value;
}

static naive_wdl played_out(const small_graph *graph, int position) {
  for (int plies = 0; plies <= POSITIONS; plies++) {
    int value = forced_within(graph, position, plies);
    if (value != NAIVE_DRAW) return (naive_wdl){(signed char)value, plies};
  }
  return (naive_wdl){NAIVE_DRAW, -1};
}

CASE(random_graphs_are_as_played_out) {
  int deepest = 0;
  for (uint32_t seed = 0; seed < GRAPHS; seed++) {
    small_graph small;
    naive_wdl answer[POSITIONS];
    make_graph(&small, seed);
    naive_graph graph = {POSITIONS, small.first, small.next, small.result, 0};
    ck_assert(naive_wdl_solve(&graph, answer));
    for (int p = 0; p < POSITIONS; p++) {
      naive_wdl expected = played_out(&small, p);
      assert_answer(answer[p], expected.value, expected.depth);
      if (expected.depth > deepest) deepest = expected.depth;
    }
  }
  ck_assert_int_ge(deepest, 4); /* else the graphs are too shallow to show anything */
}

SUITE("naive wdl") {
  TESTS(winners_hurry_and_losers_linger, infinite_play_is_a_draw, what_is_no_game_is_refused,
        random_graphs_are_as_played_out);
}
