/* All positions of endings of Dou Shou Qi with their moves and the worths of the moves, for figures that
 * count them. Moves come from the rules; only their worths come from tables. */
#ifndef ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_SURVEY_H
#define ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_SURVEY_H

#include "analysis/claims/counting.h"
#include "base/json.h"
#include "games/doushouqi/moves.h"

/* A position of a slice, White to move. */
typedef struct {
  const game_rules *rules;
  int8_t *const *values; /* [slice] values of its positions for the mover */
  const dsq_slice *slice;
  const dsq_piece *piece; /* pieces of the position, in the order of the slice */
  uint8_t square[DSQ_MOST_PIECES];
  dsq_position position;
  game_place place;
  uint64_t copies;
  int value;
} animal_surveyed;

/* Each piece of a slice has ANIMAL_COUNTS counts, which the figure defines. A position adds multiples of its
 * `copies` to them. The first position that the figure notes is shown. */
enum { ANIMAL_COUNTS = 20 };
static inline uint64_t *animal_counts_of(counted *counts, int piece) {
  return &counts->of[piece * ANIMAL_COUNTS];
}

/* Returns the worth of White's move to White. */
int animal_worth(const animal_surveyed *at, const dsq_move *move);

/* Returns the animals of White that Black, to move, could capture, a bit for each. by[animal] becomes the
 * animals of Black that could capture this animal, a bit for each. */
unsigned animal_find_threatened(const animal_surveyed *at, const dsq_position *position,
                                uint8_t by[DSQ_ANIMALS]);

typedef void animal_visit(const animal_surveyed *at, counted *counts);

/* Visits all materials of up to t->job->pieces pieces, and prints them as the array `materials`: pieces as
 * letters, `kinds` counts of each piece, and the position that is shown, or null. Visits materials that play
 * alike once. Keeps errors with the tables. */
void animal_survey(claim_tables *t, json_writer *json, size_t kinds, animal_visit *visit);

#endif
