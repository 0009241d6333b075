/* A tiny game behind games/game.h, made from a graph: random by a seed, or put together move by move.
 *
 * A toy has up to TOY_SLICES slices; a move stays in its slice, goes to a smaller one or ends the game. It
 * gives batches only: no grid, and predecessors if wanted. toy_solve_slowly is the oracle for scores and
 * guarantees; for outcomes tests/naive/naive_wdl.h is. */
#ifndef TOY_GAME_H
#define TOY_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"
#include "tests/naive/naive_forced.h"

enum { TOY_SLICES = 16 };

typedef struct {
  uint32_t slice; /* slice of the position that moves */
  uint64_t index;
  game_edge edge; /* its `from` is not used */
} toy_move;

typedef struct {
  uint64_t positions;
  int largest;       /* largest value, which toy_seal computes */
  int16_t *ended;    /* GAME_NOT_ENDED where play goes on */
  uint8_t *left_out; /* by tables */
  uint64_t *first;   /* the moves of position i are edges[first[i]] … edges[first[i + 1] − 1] */
  game_edge *edges;
  uint64_t *back_first; /* the same for its quiet predecessors, as edges to them */
  game_edge *back;
} toy_slice;

typedef struct {
  game game;
  game_rules *rules;
  toy_slice slices[TOY_SLICES];
  uint32_t used;
  toy_move *moves; /* until toy_seal */
  size_t moves_used, moves_room;
  void *more; /* data of a toy that is more than batches (toy_bitboards.h) */
} toy_game;

const toy_game *toy_of(const game_rules *rules);

/* Slices without moves, nothing ended. */
toy_game *toy_new(solve_kind kind, uint32_t slices, const uint64_t positions[]);

void toy_end(toy_game *toy, uint32_t slice, uint64_t index, int value);
void toy_quiet(toy_game *toy, uint32_t slice, uint64_t from, uint64_t to);
void toy_convert(toy_game *toy, uint32_t slice, uint64_t from, int gain, uint32_t to_slice, uint64_t to);
void toy_finish(toy_game *toy, uint32_t slice, uint64_t from, int worth); /* a move that ends the game */

/* Sorts the moves; none can be added after it. Without predecessors game.retract is NULL. */
void toy_seal(toy_game *toy, bool predecessors);

/* After toy_seal: has tables leave out positions, up to so many in a hundred, none of which has a quiet move
 * to another one. With `look` cells worth their best conversion are left out as well. */
void toy_leave_out(toy_game *toy, int percent, bool look, uint64_t seed);

/* The shape of random graphs. */
typedef struct {
  solve_kind kind;
  uint32_t slices;
  uint64_t positions[TOY_SLICES];
  int most_moves;
  int ended_percent;    /* share of the positions */
  int converts_percent; /* share of the moves */
  int finishes_percent; /* share of the moves */
  int draws_percent;    /* share of the ends */
  int most_gain;        /* largest gain for scores and guarantees, and largest worth of an end */
} toy_shape;

toy_game *toy_random(const toy_shape *shape, uint64_t seed, bool predecessors);

/* A number from a seed that is moved on; one below n, or 0; whether so many in a hundred are met. */
uint64_t toy_draw(uint64_t *seed);
uint64_t toy_draw_below(uint64_t *seed, uint64_t n);
bool toy_chance(uint64_t *seed, int percent);

/* Whether one of the moves added since `first_move` leads there. Successors of a position are distinct
 * places.
 */
bool toy_leads(const toy_game *toy, size_t first_move, game_place to);

/* One answer for each slice, by the slow definition, which the running test owns. */
naive_forced *toy_solve_slowly(const toy_game *toy);

#endif
