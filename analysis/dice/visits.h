/* How often a game of chance and choice comes to each position when all choose by fixed policies: expected
 * visits from the start on, propagated forward, and what each roll leads to.
 *
 * Sums over visits and edges are exact expectations, but for rounding and for what VISITS_LEFT leaves. A
 * visits owns its arrays until visits_close. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_VISITS_H
#define ANALYSIS_DICE_VISITS_H

#include "analysis/dice/simulate.h"

#define VISITS_OVER UINT32_MAX

/* In each slice play is propagated until no more than this is left in it. */
#define VISITS_LEFT 1e-13

typedef struct {
  uint32_t to;   /* number of the position after all passes, or VISITS_OVER */
  uint32_t note; /* result of job->note for the move */
} visits_edge;

/* Policies pick one move always, not any with even odds. */
typedef struct {
  const game *game;
  const game_rules *rules;
  const game_slices *slices;      /* in solving order */
  simulate_policy raises, lowers; /* as in simulate_job */
  uint32_t (*note)(const game_rules *rules, const game_position *position, size_t roll, size_t picked);
  memory_budget *memory;
} visits_job;

/* Positions are numbered slice by slice, in the order of the job's. */
typedef struct {
  const visits_job *job;
  uint32_t *first; /* number of each slice's first position, and one more */
  uint32_t start;
  size_t rolls;
  double *odds;       /* [rolls] probability of each roll */
  double *times;      /* [positions] expected visits */
  visits_edge *edges; /* [positions × rolls] edges of visited positions */
} visits;

/* Errors: TAULER_BAD_USAGE (too many positions, a policy of even odds), TAULER_NO_MEMORY, what the game and
 * policies return. */
tauler_error visits_open(const visits_job *job, visits *out, tauler_message *message);
void visits_close(visits *v);

/* The place among the job's slices of the one with a number. */
size_t visits_slice(const visits *v, uint32_t number);

/* The position of a number. */
void visits_position(const visits *v, uint32_t number, game_position *out);

#endif
