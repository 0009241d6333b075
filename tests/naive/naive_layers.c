/* The boards of every layer and the moves between them, listed once. */
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
