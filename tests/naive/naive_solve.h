/* Values of aualé by plain forward sweeps: every set is grown from nothing, board after board, until a
 * whole sweep changes nothing. Layers (boards with the same number of seeds) are solved from the smallest
 * up. All boards are held, also those that no move can reach. */
#ifndef NAIVE_SOLVE_H
#define NAIVE_SOLVE_H

#include "naive_auale.h"
#include "naive_forced.h"
#include <stdint.h>

typedef struct {
  int captured; /* seeds, or 0 for a quiet move to a board of the same layer */
  int child;    /* rank of the child in the layer with that many seeds less */
} naive_edge;

typedef struct {
  int seeds;
  int count; /* C(seeds + 11, 11) */
  naive_board
      *boards; /* in the order of their pits read as a word, which makes the place of a board its rank */
  bool *ended;
  int *net;               /* where ended: what the mover takes less what the opponent takes */
  int *edge_count;        /* 0 where ended */
  naive_edge (*edges)[6]; /* the legal moves, in order of their pits */
} naive_layer;

typedef struct {
  naive_rules rules;
  int max_seeds;
  naive_layer *layers; /* 0 ... max_seeds */
} naive_game;

/* The seeds that each side forces by play that ends, whatever infinite play is worth. A guarantee of 0 seeds
 * is a guarantee of nothing and has no depth, also where the game has ended. */
typedef struct {
  int8_t *mover;    /* seeds guaranteed to the mover, gM */
  int8_t *other;    /* seeds guaranteed to the opponent, gN */
  int *depth_lower; /* how soon the mover's guarantee is made good */
  int *depth_upper; /* how soon the opponent's is */
} naive_bounds;

naive_game *naive_game_new(naive_rules rules, int max_seeds);

/* The rank of a board in its layer, -1 if it is not there. Its inverse is layer->boards[rank]. */
int naive_rank(const naive_layer *layer, const naive_board *board);

/* One entry for each layer of the game, 0 ... max_seeds. */
naive_bounds *naive_solve_forced(const naive_game *game);
/* Net seeds for the mover, in one plane. A depth is 0 if the game is over, also for a value of 0. */
naive_forced *naive_solve_even(const naive_game *game);
/* One layer, above layers that have as many planes. */
void naive_force_layer(const naive_game *game, naive_forced *forced, int seeds, int planes);

/* The same when a repeated board ends play and each side takes its own row, right after a capture: what the
 * nested fixpoint of the rule book finds. Depths are NULL. */
naive_bounds *naive_solve_own_row(const naive_game *game);

/* The same whatever boards were met since the last capture; `fresh` is what is guaranteed right after one.
 * Depths are NULL. */
naive_bounds *naive_solve_own_row_any(const naive_game *game, const naive_bounds *fresh);

/* Seeds that the mover ends with under that rule, exactly, right after a capture, for each layer and rank.
 * Every line of play is played out, so there must be few seeds. */
int8_t **naive_solve_own_row_lines(const naive_game *game);
/* The same in the form of bounds that meet, by lines of play inside the bounds: good for 7 seeds. */
naive_bounds *naive_solve_own_row_search(const naive_game *game);
/* The same for one board when others have been met: met[0] by rank those with the mover of the board to move,
 * met[1] those with the opponent to move; left as they were. `solved` are exact values of smaller layers. */
int naive_own_row_line(const naive_layer *layer, int8_t *const *solved, bool *const met[2], int rank);

/* A guarantee as a bound on the mover's net seeds. */
int naive_lower(const naive_layer *layer, const naive_bounds *bounds, int rank);
int naive_upper(const naive_layer *layer, const naive_bounds *bounds, int rank);

#endif
