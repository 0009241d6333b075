/* Random graphs of outcomes for the kernels of toy_bitboards.c. */
#include "tests/support/toy/toy_bitboards.h"

static uint64_t draw_below(uint64_t *seed, uint64_t n) {
  return n > 0 ? toy_draw(seed) % n : 0;
}

static bool chance(uint64_t *seed, int percent) {
  return draw_below(seed, 100) < (uint64_t)percent;
}

static bool led_there(const toy_game *toy, size_t first_move, game_place to) {
  for (size_t m = first_move; m < toy->moves_used; m++) {
    const game_place there = toy->moves[m].edge.to;
    if (there.slice == to.slice && there.index == to.index) return true;
  }
  return false;
}

static void add_moves(toy_game *toy, const toy_bitboards_graph *graph, uint32_t s, uint64_t index,
                      uint64_t *seed) {
  const size_t first_move = toy->moves_used;
  const uint64_t wanted = 1 + draw_below(seed, (uint64_t)graph->most_moves);
  for (uint64_t m = 0; m < wanted; m++) {
    game_place to = {s, draw_below(seed, graph->positions[s])};
    const bool wins = chance(seed, graph->wins_percent);
    if (wins || chance(seed, graph->draws_percent)) {
      to = (game_place){GAME_OVER, 0};
    } else if (s > 0 && chance(seed, graph->converts_percent)) {
      to.slice = (uint32_t)draw_below(seed, s);
      to.index = draw_below(seed, graph->positions[to.slice]);
    }
    if (!led_there(toy, first_move, to)) toy_convert(toy, s, index, wins, to.slice, to.index);
  }
}

toy_game *toy_bitboards_random(const toy_bitboards_graph *graph, uint64_t seed) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, graph->slices, graph->positions);
  for (uint32_t s = 0; s < graph->slices; s++) {
    for (uint64_t i = 0; i < graph->positions[s]; i++) {
      if (chance(&seed, graph->lost_percent)) {
        toy_end(toy, s, i, -1);
      } else if (chance(&seed, graph->stuck_percent)) {
        toy_end(toy, s, i, 0);
      } else {
        add_moves(toy, graph, s, i, &seed);
      }
    }
  }
  toy_seal(toy, true);
  return toy;
}
