/* All slices of a toy with words (toy_bitboards.h), solved by the engine of words, and what they are compared
 * with: the naive definition and the general engine. An error fails the running test. */
#ifndef TESTS_TOY_BITBOARDS_WORLD_H
#define TESTS_TOY_BITBOARDS_WORLD_H

#include "solver/engines/bitboard/bitboard.h"
#include "tests/support/toy/toy_bitboards.h"

typedef struct {
  toy_game *toy;
  toy_bitboards *words;
  memory_budget memory;
  game_bitboards_finished cells[TOY_SLICES];
  bitboard_slice list[TOY_SLICES];
  solve_job job;
  solved_slice right[TOY_SLICES]; /* after toy_world_compare */
} toy_world;

/* Of the running test. */
toy_world *toy_world_open(toy_game *toy, const toy_bitboards_shape *shape, int threads);

/* One slice, whose smaller ones are there; or all of them. */
tauler_error toy_world_try(toy_world *w, uint32_t slice, tauler_message *message);
void toy_world_solve(toy_world *w, uint32_t slice);
void toy_world_solve_all(toy_world *w);

/* Fills w->right by the general engine, which must agree with the naive definition; once. */
void toy_world_find_right(toy_world *w);

/* The cells of a solved slice in index order, as every other engine gives them; given back with
 * solved_slice_free. */
void toy_gather(memory_budget *memory, const bitboard_slice *slice, solved_slice *out);

/* The cells of a slice in words against w->right; `found` may be of another world of the same toy. */
void toy_world_compare(const toy_world *w, const bitboard_slice *found);

/* A graph of slices with a long path to a loss: position i of slice s is `lengths` of the smaller slices + i
 * plies from it; beside each position one that draws. */
toy_game *toy_bitboards_path(uint32_t slices, const uint64_t lengths[]);

#endif
