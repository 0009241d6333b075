/* Aualé's values where infinite play is worth 0, and what each side forces by play that ends. */
#include "naive_inside.h"

static bool ended(const void *user, int seeds, int rank, int *value) {
  const naive_layer *layer = &((const naive_game *)user)->layers[seeds];
  *value = layer->net[rank];
  return layer->ended[rank];
}

static bool step(const void *user, int seeds, int rank, int number, naive_step *out) {
  const naive_layer *layer = &((const naive_game *)user)->layers[seeds];
  if (number >= layer->edge_count[rank]) return false;
  const naive_edge edge = layer->edges[rank][number];
  *out = (naive_step){edge.captured, seeds - edge.captured, edge.child};
  return true;
}

void naive_force_layer(const naive_game *game, naive_forced *forced, int seeds, int planes) {
  const naive_play play = {game, ended, step};
  forced[seeds] = (naive_forced){.count = game->layers[seeds].count, .largest = seeds, .planes = planes};
  naive_force(&play, forced, seeds);
}

static naive_forced *solve(const naive_game *game, int planes) {
  naive_forced *forced = naive_allocate(game->max_seeds + 1, sizeof *forced);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) naive_force_layer(game, forced, seeds, planes);
  return forced;
}

naive_forced *naive_solve_even(const naive_game *game) {
  naive_forced *scores = solve(game, 1);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) {
    for (int rank = 0; rank < scores[seeds].count; rank++)
      if (game->layers[seeds].ended[rank]) scores[seeds].depth[0][rank] = 0;
  }
  return scores;
}

naive_bounds *naive_solve_forced(const naive_game *game) {
  const naive_forced *forced = solve(game, 2);
  naive_bounds *bounds = naive_allocate(game->max_seeds + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) {
    const naive_forced *layer = &forced[seeds];
    bounds[seeds].mover = naive_allocate(layer->count, sizeof *bounds->mover);
    bounds[seeds].other = naive_allocate(layer->count, sizeof *bounds->other);
    bounds[seeds].depth_lower = layer->depth[0];
    bounds[seeds].depth_upper = layer->depth[1];
    for (int rank = 0; rank < layer->count; rank++) {
      bounds[seeds].mover[rank] = (int8_t)((seeds + layer->value[0][rank]) / 2);
      bounds[seeds].other[rank] = (int8_t)((seeds - layer->value[1][rank]) / 2);
    }
  }
  return bounds;
}

int naive_lower(const naive_layer *layer, const naive_bounds *bounds, int rank) {
  return 2 * bounds[layer->seeds].mover[rank] - layer->seeds;
}

int naive_upper(const naive_layer *layer, const naive_bounds *bounds, int rank) {
  return layer->seeds - 2 * bounds[layer->seeds].other[rank];
}
