/* Private to Dou Shou Qi: the values of the quiet moves of a block, for all squares of its last piece at
 * once. Everything here is inline, so that a visitor becomes part of the loop that calls it. */
#ifndef GAMES_DOUSHOUQI_BITBOARDS_MOVES_H
#define GAMES_DOUSHOUQI_BITBOARDS_MOVES_H

#include "games/doushouqi/bitboards.h"

/* A quiet move that is possible if the last piece stands on one of the squares `from`. If the last piece
 * moves, `by` is added to its square. Otherwise the child is the same bit of another block or, if `mirrored`,
 * of that block's mirror image. */
typedef struct {
  uint64_t block;
  uint64_t from;
  int by;
  bool mirrored;
} dsq_bits_step;

/* Returns the squares from which the step, if it is possible, leads to one of the cells `children`. */
static inline uint64_t dsq_bits_parents(const dsq_bits_step *step, uint64_t children) {
  if (step->by) return dsq_bits_shifted(children, -step->by);
  return step->mirrored ? dsq_bits_mirror(children) : children;
}

static inline int dsq_bits_child_square(const dsq_bits_step *step, int square) {
  if (step->by) return square + step->by;
  return step->mirrored ? placement_mirror(DSQ_FILES, square) : square;
}

/* Calls visit(user, step) for each quiet move, those of the last piece first, until it returns false. */
static inline __attribute__((always_inline)) void
dsq_bits_each_step(dsq_bits_tile *tile, const dsq_bits_block *at,
                   bool (*visit)(void *user, const dsq_bits_step *step), void *user) {
  const dsq_bits_tables *t = tile->tables;
  const int inner = t->layout.pieces - 2, mover = tile->part;
  if (t->piece[inner + 1].side == mover) {
    const uint64_t block = tile->other + t->layout.ordinal[inner][at->inner];
    for (int i = 0; i < t->shifts_used; i++) {
      const dsq_bits_shift *shift = &t->shifts[i];
      if ((shift->no_rat & at->rats) || (shift->no_drinker & at->drinkers)) continue;
      const dsq_bits_step step = {block, shift->from & dsq_bits_shifted(at->valid, -shift->by), shift->by,
                                  false};
      if (!visit(user, &step)) return;
    }
  }
  if (tile->moves_used < 0) dsq_bits_tile_list_moves(tile);
  for (int i = 0; i < tile->moves_used; i++) {
    const dsq_bits_entry *entry = &tile->moves[i];
    if (entry->bar_inner >> at->inner & 1) continue;
    dsq_bits_step step = {.from = entry->open_last};
    step.block = dsq_bits_entry_block(&t->layout, entry, at->inner, &step.mirrored);
    if (!visit(user, &step)) return;
  }
  if (t->piece[inner].side != mover) return;
  const dsq_piece piece = t->piece[inner];
  for (int k = 0; k < t->rules->targets_used[mover][piece.animal][at->inner]; k++) {
    const dsq_target *target = &t->rules->targets[mover][piece.animal][at->inner][k];
    if (dsq_bits_is_closed(tile, target)) continue;
    dsq_bits_step step = {.from = ~(dsq_bit(target->to) | dsq_bits_barring(t, inner + 1, target))};
    step.block = dsq_bits_inner_block(tile, target->to, &step.mirrored);
    if (!visit(user, &step)) return;
  }
}

typedef struct {
  const uint64_t *children; /* the words of won, or of lost */
  uint64_t found;
} dsq_bits_gathering;

static inline bool dsq_bits_gather_any(void *user, const dsq_bits_step *step) {
  dsq_bits_gathering *g = user;
  g->found |= dsq_bits_parents(step, g->children[step->block]) & step->from;
  return true;
}

static inline bool dsq_bits_gather_all(void *user, const dsq_bits_step *step) {
  dsq_bits_gathering *g = user;
  g->found &= dsq_bits_parents(step, g->children[step->block]) | ~step->from;
  return g->found != 0;
}

/* Returns the squares of the last piece from which some quiet move leads to `children`. */
static inline uint64_t dsq_bits_some_move(dsq_bits_tile *tile, const dsq_bits_block *at,
                                          const uint64_t *children) {
  dsq_bits_gathering g = {children, 0};
  dsq_bits_each_step(tile, at, dsq_bits_gather_any, &g);
  return g.found & at->valid;
}

/* Returns the squares of `among` from which every quiet move leads to `children`. */
static inline uint64_t dsq_bits_every_move(dsq_bits_tile *tile, const dsq_bits_block *at,
                                           const uint64_t *children, uint64_t among) {
  dsq_bits_gathering g = {children, among};
  dsq_bits_each_step(tile, at, dsq_bits_gather_all, &g);
  return g.found;
}

static inline bool dsq_bits_gather_moves(void *user, const dsq_bits_step *step) {
  *(uint64_t *)user |= step->from;
  return true;
}

/* Returns the squares of the last piece from which there is a quiet move. */
static inline uint64_t dsq_bits_with_moves(dsq_bits_tile *tile, const dsq_bits_block *at) {
  uint64_t found = 0;
  dsq_bits_each_step(tile, at, dsq_bits_gather_moves, &found);
  return found & at->valid;
}

#endif
