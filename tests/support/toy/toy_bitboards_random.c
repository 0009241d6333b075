/* Random graphs of outcomes for the kernels of toy_bitboards.c. */
#include "tests/support/toy/toy_bitboards.h"

static void add_moves(toy_game *toy, const toy_bitboards_graph *graph, uint32_t s, uint64_t index,
                      uint64_t *seed) {
  const size_t first_move = toy->moves_used;
  const uint64_t wanted = 1 + toy_draw_below(seed, (uint64_t)graph->most_moves);
  for (uint64_t m = 0; m < wanted; m++) {
    game_place to = {s, toy_draw_below(seed, graph->positions[s])};
    const bool wins = toy_chance(seed, graph->wins_percent);
    if (wins || toy_chance(seed, graph->draws_percent)) {
      to = (game_place){GAME_OVER, 0};
    } else if (s > 0 && toy_chance(seed, graph->converts_percent)) {
      to.slice = (uint32_t)toy_draw_below(seed, s);
      to.index = toy_draw_below(seed, graph->positions[to.slice]);
    }
    if (!toy_leads(toy, first_move, to)) toy_convert(toy, s, index, wins, to.slice, to.index);
  }
}

toy_game *toy_bitboards_random(const toy_bitboards_graph *graph, uint64_t seed) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, graph->slices, graph->positions);
  for (uint32_t s = 0; s < graph->slices; s++) {
    for (uint64_t i = 0; i < graph->positions[s]; i++) {
      if (toy_chance(&seed, graph->lost_percent)) {
        toy_end(toy, s, i, -1);
      } else if (toy_chance(&seed, graph->stuck_percent)) {
        toy_end(toy, s, i, 0);
      } else {
        add_moves(toy, graph, s, i, &seed);
      }
    }
  }
  toy_seal(toy, true);
  return toy;
}
