/* Holds questions to a search against the truth on thousands of small random games that are full of cycles:
 * whatever is answered is right, and so is all that is written down on the way, for every position. */
#include "analysis/search/search.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

enum { MOST_NODES = 14, MOST_MOVES = 3, GAMES = 12000, MEMORY = 1 << 16 };

/* A node is a position seen by whoever is to move; without moves it is over and worth `value`. */
struct game_rules {
  int nodes;
  int moves[MOST_NODES];
  int to[MOST_NODES][MOST_MOVES];
  int value[MOST_NODES];
};

static int below(uint64_t *seed, int n) {
  return (int)(toy_draw(seed) % (uint64_t)n);
}

static game_rules make_game(uint64_t seed) {
  game_rules g = {.nodes = 4 + below(&seed, MOST_NODES - 3)};
  for (int i = 0; i < g.nodes; i++) {
    g.moves[i] = i < 2 ? 0 : 1 + below(&seed, MOST_MOVES);
    for (int m = 0; m < g.moves[i]; m++) {
      const bool ends = below(&seed, 5) == 0;
      g.to[i][m] = ends ? below(&seed, 2) : 2 + below(&seed, g.nodes - 2);
    }
    if (!g.moves[i]) g.value[i] = i == 0 ? -1 : 1 - below(&seed, 3);
  }
  return g;
}

/* Wins and losses grow from the ends; what is left can go on for ever. */
static void solve_graph(game_rules *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < g->nodes; i++) {
      if (!g->moves[i] || g->value[i]) continue;
      int least = 1;
      for (int m = 0; m < g->moves[i]; m++)
        if (g->value[g->to[i][m]] < least) least = g->value[g->to[i][m]];
      if (least == 0) continue;
      g->value[i] = -least;
      changed = true;
    }
  }
}

static game_position position_of(int node) {
  return (game_position){.words = {(uint64_t)node}};
}

static tauler_error list_moves(const game_rules *g, const game_position *position, game_moves *out) {
  const int node = (int)position->words[0];
  for (int m = 0; m < g->moves[node]; m++) {
    const game_move move = {.name = "move", .child = position_of(g->to[node][m])};
    const tauler_error error = game_moves_add(out, &move);
    if (error) return error;
  }
  return TAULER_OK;
}

static bool position_ended(const game_rules *g, const game_position *position, int *value) {
  const int node = (int)position->words[0];
  *value = g->value[node];
  return g->moves[node] == 0;
}

static uint32_t slice_of(const game_rules *g, const game_position *position) {
  return GAME_NO_SLICE;
}

static const game toy = {
    .name = "toy", .moves = list_moves, .position_ended = position_ended, .slice_of = slice_of};

static void check_what_is_written(prover *p, const game_rules *g, int number) {
  for (int node = 0; node < g->nodes; node++) {
    const game_position position = position_of(node);
    int lower = -1, upper = 1;
    prover_recall(p, &position, &lower, &upper);
    if (lower > g->value[node] || upper < g->value[node])
      ck_abort_msg("game %d: node %d is worth %d, not %d to %d", number, node, g->value[node], lower, upper);
  }
}

static void play_game(int number, size_t *open) {
  game_rules g = make_game((uint64_t)number * 7919 + 1);
  uint64_t seed = (uint64_t)number;
  solve_graph(&g);
  tauler_tables tables = {.game = &toy, .rules = &g, .kind = SOLVE_OUTCOMES, .planes = 1};
  tables.fallback = &tables;
  prover p;
  const prover_limits limits = {.memory = MEMORY};
  const game_position first = position_of(2);
  MUST(prover_open(&p, &tables, &first, &limits, NULL));
  for (int depth = 1; depth < 40; depth += 1 + below(&seed, 6)) {
    const int node = 2 + below(&seed, g.nodes - 2), at_least = below(&seed, 2);
    const game_position position = position_of(node);
    prover_answer answer;
    MUST(prover_ask(&p, &position, at_least, below(&seed, 2) ? PROVER_YES : PROVER_NO, depth, &answer));
    if (answer != PROVER_OPEN && (answer == PROVER_YES) != (g.value[node] >= at_least))
      ck_abort_msg("game %d: node %d is worth %d, and at least %d is answered %d", number, node,
                   g.value[node], at_least, answer);
    *open += depth > 30 && answer == PROVER_OPEN;
    check_what_is_written(&p, &g, number);
    memo_next_pass(p.memo);
  }
  prover_close(&p);
}

CASE(cycles_prove_nothing_wrong) {
  size_t open = 0;
  for (int number = 0; number < GAMES; number++) play_game(number, &open);
  ck_assert_uint_lt(open, GAMES / 4);
}

SUITE("search_cycles") {
  TEST(cycles_prove_nothing_wrong);
}
