/* The boards of every layer and the moves between them, listed once; values where infinite play is worth 0,
 * and what each side forces by play that ends. */
#include "naive_inside.h"
#include <stdlib.h>
#include <string.h>

bool naive_forces(const naive_goal *goal, int rank, bool other, naive_quiet *quiet, const void *user) {
  const naive_layer *layer = goal->layer;
  if (layer->ended[rank])
    return (layer->seeds + (other ? -layer->net[rank] : layer->net[rank])) / 2 >= goal->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    const naive_edge edge = layer->edges[rank][e];
    const naive_bounds *after = &goal->solved[layer->seeds - edge.captured];
    bool good = edge.captured == 0 && quiet(user, edge.child, !other);
    if (edge.captured > 0)
      good = (other ? after->mover[edge.child] : edge.captured + after->other[edge.child]) >= goal->threshold;
    if (good != other) return good;
  }
  return other;
}

static int count_boards(int pits, int seeds) {
  if (pits == 1) return 1;
  int count = 0;
  for (int first = 0; first <= seeds; first++) count += count_boards(pits - 1, seeds - first);
  return count;
}

/* Appends every way of filling the pits from `pit` on with exactly `seeds` seeds. */
static void list_boards(naive_layer *layer, naive_board *board, int pit, int seeds) {
  if (pit == 11) {
    board->pit[11] = (unsigned char)seeds;
    layer->boards[layer->count++] = *board;
    return;
  }
  for (int here = 0; here <= seeds; here++) {
    board->pit[pit] = (unsigned char)here;
    list_boards(layer, board, pit + 1, seeds - here);
  }
}

static int compare_boards(const void *left, const void *right) {
  return memcmp(left, right, sizeof(naive_board));
}

int naive_rank(const naive_layer *layer, const naive_board *board) {
  const naive_board *found =
      bsearch(board, layer->boards, (size_t)layer->count, sizeof(naive_board), compare_boards);
  return found == NULL ? -1 : (int)(found - layer->boards);
}

static void list_edges(const naive_game *game, naive_layer *layer, int rank) {
  const naive_board *board = &layer->boards[rank];
  layer->ended[rank] = naive_ended(game->rules, board, &layer->net[rank]);
  if (layer->ended[rank]) return;
  naive_move moves[6];
  int count = naive_moves(game->rules, board, moves);
  for (int m = 0; m < count; m++) {
    const naive_layer *target = &game->layers[layer->seeds - moves[m].captured];
    layer->edges[rank][m] = (naive_edge){moves[m].captured, naive_rank(target, &moves[m].child)};
  }
  layer->edge_count[rank] = count;
}

static void fill_layer(const naive_game *game, naive_layer *layer, int seeds) {
  int count = count_boards(12, seeds);
  layer->seeds = seeds;
  layer->boards = naive_allocate(count, sizeof *layer->boards);
  layer->ended = naive_allocate(count, sizeof *layer->ended);
  layer->net = naive_allocate(count, sizeof *layer->net);
  layer->edge_count = naive_allocate(count, sizeof *layer->edge_count);
  layer->edges = naive_allocate(count, sizeof *layer->edges);
  naive_board board = {{0}};
  list_boards(layer, &board, 0, seeds);
  for (int rank = 0; rank < layer->count; rank++) list_edges(game, layer, rank);
}

naive_game *naive_game_new(naive_rules rules, int max_seeds) {
  naive_game *game = naive_allocate(1, sizeof *game);
  game->rules = rules;
  game->max_seeds = max_seeds;
  game->layers = naive_allocate(max_seeds + 1, sizeof *game->layers);
  for (int seeds = 0; seeds <= max_seeds; seeds++) fill_layer(game, &game->layers[seeds], seeds);
  return game;
}

/* --- values --- */

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
