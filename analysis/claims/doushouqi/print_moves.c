/* Prints the figures animal-moves: numbers of moves in positions of Dou Shou Qi. */
#include "analysis/claims/doushouqi/animal_survey.h"
#include "analysis/claims/figures.h"

/* The counts, kept only for the first piece: positions, positions without a move, and moves. */
enum { POSITIONS, STUCK, MOVES, KINDS };

static void count_moves(const animal_surveyed *at, counted *counts) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t used = dsq_list_moves(at->rules, &at->position, moves);
  animal_counts_of(counts, 0)[POSITIONS] += at->copies;
  animal_counts_of(counts, 0)[STUCK] += used ? 0 : at->copies;
  animal_counts_of(counts, 0)[MOVES] += at->copies * used;
}

void figures_animal_moves(claim_tables *t, json_writer *json) {
  animal_survey(t, json, KINDS, count_moves);
}
