/* All positions of endings of Dou Shou Qi with their moves and what each is worth, for figures that count
 * them. Moves are those of the rules; only their worth comes from the tables. */
#ifndef ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_SURVEY_H
#define ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_SURVEY_H

#include "analysis/claims/counting.h"
#include "base/json.h"
#include "games/doushouqi/moves.h"

/* A position of a slice, White to move. */
typedef struct {
  const game_rules *rules;
  int8_t *const *values; /* values of slices for the mover, by number */
  const dsq_slice *slice;
  const dsq_piece *piece;          /* as they are here, in the order of the slice */
  uint8_t square[DSQ_MOST_PIECES]; /* square of each piece */
  dsq_position position;
  game_place place;
  uint64_t copies;
  int value;
} animal_surveyed;

/* Each piece of a slice has ANIMAL_COUNTS counts, which the figure defines; a position adds its `copies`. The
 * first position worth showing is kept. */
enum { ANIMAL_COUNTS = 20 };
static inline uint64_t *animal_counts_of(counted *counts, int piece) {
  return &counts->of[piece * ANIMAL_COUNTS];
}

/* Returns the worth of White's move to White. */
int animal_worth(const animal_surveyed *at, const dsq_move *move);

/* The pieces that Black could take if it were to move, a bit for each of White's animals; by[animal]: of
 * Black's animals those that could. */
unsigned animal_threatened(const animal_surveyed *at, const dsq_position *position, uint8_t by[DSQ_ANIMALS]);

typedef void animal_visit(const animal_surveyed *at, counted *counts);

/* Visits all materials of up to t->job->pieces, and prints an array of them: pieces as letters,
 * so many counts of each of them, and the position that is worth showing. Materials that play alike are
 * visited once. Errors are kept with the tables. */
void animal_survey(claim_tables *t, json_writer *json, size_t kinds, animal_visit *visit);

#endif
