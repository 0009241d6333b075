#include "naive_asesina_match.h"

#include "naive_chance.h"
#include "naive_memory.h"

#include <stdlib.h>

enum { SHARES = 60 /* parts of a roll, which any number of moves up to six divides */ };

static bool same_token(const naive_ase_game *game, const naive_ase_position *position, int one, int other) {
  const int *square = position->square[position->seat];
  return one >= 0 && other >= 0 && square[one] == square[other] &&
         naive_ase_colour(game, one) == naive_ase_colour(game, other);
}

int naive_ase_choices(const naive_ase_game *game, const naive_ase_position *position, int roll,
                      naive_ase_event events[NAIVE_ASE_MOST_TOKENS]) {
  int count = naive_ase_events(game, position, roll, events), kept = 0;
  for (int i = 0; i < count; i++) {
    bool again = false;
    for (int j = 0; j < kept; j++)
      again = again || same_token(game, position, events[i].token, events[j].token);
    if (!again) events[kept++] = events[i];
  }
  return kept;
}

static int on_square(const naive_ase_game *game, const naive_ase_position *position, int player, int square) {
  int count = 0;
  for (int token = 0; token < game->tokens; token++) count += position->square[player][token] == square;
  return count;
}

/* The furthest square on which the other player had more tokens before; 0: nothing was captured. */
static int captured(const naive_ase_game *game, const naive_ase_position *before,
                    const naive_ase_position *after) {
  int other = 1 - before->seat, square = game->board.home - 1;
  while (square > 0 && on_square(game, before, other, square) <= on_square(game, after, other, square))
    square--;
  return square;
}

static bool comes_home(const naive_ase_game *game, const naive_ase_position *before,
                       const naive_ase_position *after) {
  int home = game->board.home, seat = before->seat;
  return after->forced == 0 && on_square(game, after, seat, home) > on_square(game, before, seat, home);
}

/* The larger, the better. */
static int rank_of(const naive_ase_game *game, const naive_ase_position *position, naive_ase_policy policy,
                   const naive_ase_event *event) {
  int square = event->token < 0 ? 0 : position->square[position->seat][event->token];
  int capture = captured(game, position, &event->after);
  if (policy == NAIVE_ASE_REARMOST) return -square;
  if (policy == NAIVE_ASE_CAPTURE && capture > 0) return 1000 + capture;
  if (policy == NAIVE_ASE_HOME && comes_home(game, position, &event->after)) return 1000;
  return square;
}

int naive_ase_choose(const naive_ase_game *game, const naive_ase_position *position, naive_ase_policy policy,
                     const naive_ase_event *events, int count) {
  int best = 0;
  if (count > 1 && policy == NAIVE_ASE_RANDOM) return -1;
  for (int i = 1; i < count; i++)
    if (rank_of(game, position, policy, &events[i]) > rank_of(game, position, policy, &events[best]))
      best = i;
  return best;
}

typedef struct {
  const naive_ase_world *world;
  const naive_ase_game *game;
  naive_chance *graph;
  naive_ase_policy policy[2];
  short ways; /* ways of this position, each a roll of its own */
} match;

/* Gains: 4 · turns + winners. */
static void add_way(match *m, const naive_ase_position *position, const naive_ase_event *event, int weight) {
  bool over = event->winners != 0, ends = over || event->after.seat != position->seat;
  int to = over ? NAIVE_CHANCE_OVER : naive_ase_number_of(m->world, &event->after);
  naive_way way = {to, ++m->ways, (short)weight, (short)(4 * ends + event->winners)};
  if (!over && to < 0) abort();
  naive_chance_add_way(m->graph, way);
}

static void add_roll(match *m, const naive_ase_position *position, int roll) {
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  int count = naive_ase_choices(m->game, position, roll, events);
  int chosen = naive_ase_choose(m->game, position, m->policy[position->seat], events, count);
  if (chosen >= 0) add_way(m, position, &events[chosen], SHARES);
  for (int i = 0; chosen < 0 && i < count; i++) add_way(m, position, &events[i], SHARES / count);
}

static void add_position(match *m, int number) {
  naive_ase_position position = naive_ase_position_of(m->world, number);
  naive_chance_add_node(m->graph, 0);
  m->ways = 0;
  if (naive_ase_must_pass(&position)) {
    naive_ase_event event = naive_ase_pass(m->game, &position);
    add_way(m, &position, &event, 1);
    return;
  }
  for (int roll = 1; roll <= 6; roll++) add_roll(m, &position, roll);
}

static match fill(const naive_ase_world *world, const naive_ase_game *game, naive_ase_policy first,
                  naive_ase_policy second) {
  static const long double score[4] = {0, 1, 0, 0.5L};
  match m = {world, game, naive_chance_new(2), {first, second}, 0};
  for (int row = 0; row < 8; row++) {
    m.graph->gains[row][0] = score[row % 4];
    m.graph->gains[row][1] = row >= 4;
  }
  for (int number = 0; number < naive_ase_positions(world); number++) add_position(&m, number);
  return m;
}

naive_ase_match naive_ase_play_match(const naive_ase_world *world, const naive_ase_game *game,
                                     naive_ase_policy first, naive_ase_policy second) {
  const match m = fill(world, game, first, second);
  const long double *values = naive_chance_settle(m.graph, 0);
  if (values == NULL) abort();
  return (naive_ase_match){values[0], values[1]};
}

static int tokens_home(const match *m, int number) {
  naive_ase_position at = naive_ase_position_of(m->world, number);
  int home = m->game->board.home;
  return on_square(m->game, &at, 0, home) + on_square(m->game, &at, 1, home) - (at.forced != 0);
}

static bool stays(const match *m, const bool *endless, int number) {
  const naive_chance *graph = m->graph;
  int end = number + 1 < graph->nodes ? graph->node[number + 1].first : graph->ways;
  for (int way = graph->node[number].first; way < end; way++) {
    int to = graph->way[way].to;
    if (to < 0 || !endless[to] || tokens_home(m, to) != tokens_home(m, number)) return false;
  }
  return true;
}

int naive_ase_count_endless(const naive_ase_world *world, const naive_ase_game *game, naive_ase_policy first,
                            naive_ase_policy second) {
  const match m = fill(world, game, first, second);
  int nodes = naive_ase_positions(world), count = 0;
  bool *endless = naive_allocate(nodes, sizeof *endless), changed = true;
  for (int i = 0; i < nodes; i++) endless[i] = true;
  while (changed) {
    changed = false;
    for (int i = 0; i < nodes; i++)
      if (endless[i] && !stays(&m, endless, i)) {
        changed = true;
        endless[i] = false;
      }
  }
  for (int i = 0; i < nodes; i++) {
    naive_ase_position at = naive_ase_position_of(world, i);
    count += endless[i] && !naive_ase_must_pass(&at);
  }
  return count;
}
