/* Exact values on a fresh history when a repeated board ends play and each takes its row: every line of play
 * is played out. The worth of a board depends on the boards met since the last capture. So only the line
 * itself is remembered, and only a result that cannot be bettered cuts a search short. */
#include "naive_inside.h"

typedef struct {
  const naive_layer *layer;
  int8_t *const *solved; /* seeds the mover ends with, for every layer with fewer seeds */
  bool *met[2];          /* the boards of this line, by whose turn it is */
} line;

static int own_row(const naive_board *board) {
  int seeds = 0;
  for (int pit = 0; pit < 6; pit++) seeds += board->pit[pit];
  return seeds;
}

static int play_on(const line *l, int rank, int turn);

static int worth_of_move(const line *l, naive_edge edge, int turn) {
  const int seeds = l->layer->seeds;
  if (edge.captured > 0) return seeds - l->solved[seeds - edge.captured][edge.child];
  return seeds - play_on(l, edge.child, !turn);
}

/* The seeds that the mover ends with, of those on the board. */
static int play_on(const line *l, int rank, int turn) {
  const naive_layer *layer = l->layer;
  if (layer->ended[rank]) return (layer->seeds + layer->net[rank]) / 2;
  if (l->met[turn][rank]) return own_row(&layer->boards[rank]);
  l->met[turn][rank] = true;
  int best = 0;
  for (int e = 0; e < layer->edge_count[rank] && best < layer->seeds; e++) {
    const int worth = worth_of_move(l, layer->edges[rank][e], turn);
    if (worth > best) best = worth;
  }
  l->met[turn][rank] = false;
  return best;
}

int8_t **naive_solve_own_row_lines(const naive_game *game) {
  int8_t **values = naive_allocate(game->max_seeds + 1, sizeof *values);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) {
    const naive_layer *layer = &game->layers[seeds];
    line l = {.layer = layer, .solved = values};
    for (int turn = 0; turn < 2; turn++) l.met[turn] = naive_allocate(layer->count, sizeof **l.met);
    values[seeds] = naive_allocate(layer->count, sizeof *values[seeds]);
    for (int rank = 0; rank < layer->count; rank++) values[seeds][rank] = (int8_t)play_on(&l, rank, 0);
  }
  return values;
}

int naive_own_row_line(const naive_layer *layer, int8_t *const *solved, bool *const met[2], int rank) {
  const line l = {.layer = layer, .solved = solved, .met = {met[0], met[1]}};
  const bool was_met = met[0][rank];
  met[0][rank] = false;
  const int seeds = play_on(&l, rank, 0);
  met[0][rank] = was_met;
  return seeds;
}
