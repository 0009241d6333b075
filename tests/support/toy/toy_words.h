/* Slices of games with bitboards, solved whole, for the suites of slices in parts and over ranks: boards of
 * Phutball, and materials of Dou Shou Qi whose smaller slices are solved. An error fails the running test. */
#ifndef TESTS_TOY_WORDS_H
#define TESTS_TOY_WORDS_H

#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/solve.h"

typedef struct {
  const char *game, *rules, *size; /* size: a board or a material */
} toy_words_name;

/* Materials with a jumper first or none, with swimmers, with drinkers, and materials that are their own flip.
 */
enum { TOY_WORDS_MATERIALS = 8, TOY_WORDS_BOARDS = 7, TOY_WORDS = TOY_WORDS_MATERIALS + TOY_WORDS_BOARDS };
extern const toy_words_name toy_words_names[TOY_WORDS];

/* The running test owns it and `folder`, which must be empty again. */
typedef struct {
  const game *game;
  game_rules *rules;
  game_slices list; /* the smaller slices, then this one */
  uint32_t slice;
  memory_budget *memory;
  solve_job job;
  struct {
    game_bitboards_finished *cells;
    bitboard_slice *slices;
  } finished;         /* the smaller ones */
  solved_slice right; /* solved whole */
  uint16_t longest;
} toy_words;

toy_words *toy_words_open(toy_words_name name);
toy_words *toy_words_open_solved(toy_words_name name);

/* By the job of `w`. */
tauler_error toy_words_try(const toy_words *w, bitboard_slice *out);

/* Room for the slice in parts so fine, and no more; false if it has no such cut. */
bool toy_words_set_room(toy_words *w, uint32_t fineness, uint32_t *parts);
/* Fails the test, also of another thread, if the slice is not that which was solved whole. */
void toy_words_compare(const toy_words *w, memory_budget *memory, const bitboard_slice *slice);

#endif
