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

/* Edges from one on by position, place and gain; then those that are equal once only. */
void toy_edges_sort(toy_edges *list, size_t from);
void toy_edges_once(toy_edges *list, size_t from);
/* The first edge that two lists do not share, SIZE_MAX: they are equal. */
size_t toy_edges_differ(const toy_edges *a, const toy_edges *b);

/* How often a place of the same slice is among the edges of one; `list` is overwritten. */
size_t toy_times(toy_batch *batch, const game_rules *rules, game_place from, uint64_t to, toy_edges *list);

/* Retract is expand turned round: for a whole slice, whose quiet moves are returned; or for one place, for
 * about `most` of the moves from there and as many of those to there, each of which is there once. */
uint64_t toy_turned_round(const game *game, const game_rules *rules, uint32_t slice);
void toy_turned_round_at(const game *game, const game_rules *rules, game_place from, size_t most,
                         toy_edges lists[2]);

#endif
