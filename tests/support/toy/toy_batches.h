/* The edges that a game's batches give, for suites that compare them. */
#ifndef TOY_BATCHES_H
#define TOY_BATCHES_H

#include "games/game.h"

/* An assertion that costs nothing where it holds. */
void toy_require(bool holds, const char *what);

typedef struct {
  game_edge *edges; /* owned by the running test */
  size_t used, room;
} toy_edges;

typedef tauler_error toy_batch(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                               game_sink *sink);

/* The edges of a batch, through a sink that is full within a position. */
enum { TOY_SINK_ROOM = 5 };
void toy_edges_of(toy_batch *batch, const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                  toy_edges *out);

void toy_edges_add(toy_edges *list, const game_edge *edges, size_t n);

/* By position and place; gains are not looked at. */
int toy_edges_order(const void *a, const void *b);
void toy_edges_sort(toy_edges *list, size_t from);

#endif
